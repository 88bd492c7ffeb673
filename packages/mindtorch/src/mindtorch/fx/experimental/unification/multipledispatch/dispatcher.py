"""``Dispatcher``: a function with an implementation for each signature."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Generator, Iterable
from typing import Any

from .....core.warning import warn
from .conflict import AmbiguityWarning, Signature, ambiguities, ordering, super_signature
from .utils import expand_tuples, typename
from .variadic import Variadic, isvariadic

__all__ = [
    "Dispatcher", "MDNotImplementedError", "MethodDispatcher", "ambiguity_warn", "halt_ordering",
    "restart_ordering", "source", "str_signature", "variadic_signature_matches",
    "variadic_signature_matches_iter", "warning_text",
]  # fmt: skip


class MDNotImplementedError(NotImplementedError):
    """Raised by an implementation that leaves its arguments to the next that fits."""


def ambiguity_warn(dispatcher: Dispatcher, ambiguities: set[tuple[Signature, Signature]]) -> None:
    """Warn of signatures of *dispatcher* of which none is narrower."""
    warn(warning_text(dispatcher.name, ambiguities), AmbiguityWarning)


def halt_ordering() -> None:
    """Do nothing: the order is made when it is needed. Deprecated."""
    warn(
        "`halt_ordering` is deprecated, you can safely remove this call.",
        FutureWarning,
    )


def restart_ordering(on_ambiguity: Callable[..., None] = ambiguity_warn) -> None:
    """Do nothing: the order is made when it is needed. Deprecated."""
    warn(
        "`restart_ordering` is deprecated, if you would like to eagerly order the dispatchers, "
        "you should call the `reorder()` method on each dispatcher.",
        FutureWarning,
    )


def variadic_signature_matches_iter(
    types: Signature, full_signature: Signature
) -> Generator[bool, None, None]:
    """Whether each type fits the signature at its place; last, whether all places were filled."""
    places = iter(full_signature)
    at: Any = next(places)
    for kind in types:
        if isvariadic(at) or at is None:
            yield at is not None and issubclass(kind, at)
        else:
            yield issubclass(kind, at)
            at = next(places, None)
    yield at is None or isvariadic(at)


def variadic_signature_matches(types: Signature, full_signature: Signature) -> bool:
    """Whether types fit a signature with a variadic end."""
    return all(variadic_signature_matches_iter(types, full_signature))


class Dispatcher:
    """A function that has an implementation for each signature; the narrowest is called.

    :param name: its name in messages.
    :param doc: what :attr:`__doc__` begins with after the name.
    """

    __slots__ = ("__name__", "_cache", "_ordering", "doc", "funcs", "name")

    def __init__(self, name: str, doc: str | None = None) -> None:
        self.doc = doc
        self.funcs: dict[Signature, Callable[..., Any]] = {}
        self._forget()
        self.name = self.__name__ = name

    def _forget(self) -> None:
        """Find implementations anew."""
        self._cache: dict[Signature, Callable[..., Any] | None] = {}
        self._ordering: list[Signature] | None = None

    def register(self, *types: Any, **kwargs: Any) -> Callable[[Callable[..., Any]], Any]:
        """A decorator: the function is the implementation for *types*."""

        def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
            self.add(types, func, **kwargs)
            return func

        return decorate

    @classmethod
    def get_func_params(cls, func: Callable[..., Any]) -> Iterable[inspect.Parameter] | None:
        """The parameters of *func*."""
        return inspect.signature(func).parameters.values()

    @classmethod
    def get_func_annotations(cls, func: Callable[..., Any]) -> Signature | None:
        """The annotations of the positional parameters; None where one has none."""
        places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        found = [p for p in cls.get_func_params(func) or () if p.kind in places]
        types = tuple(p.annotation for p in found if p.default is p.empty)
        return types if types and inspect.Parameter.empty not in types else None

    def add(self, signature: Any, func: Callable[..., Any]) -> None:
        """Let *func* be the implementation for *signature*.

        An entry may be a tuple, for any of its types, and the last one a list of one type or
        tuple, for any number of arguments. An empty signature is read from annotations. Raises
        TypeError.
        """
        given = signature or self.get_func_annotations(func) or ()
        for each in expand_tuples(given):
            self._add(each, func)

    def _add(self, signature: Signature, func: Callable[..., Any]) -> None:
        if any(isinstance(kind, list) for kind in signature[:-1]):
            raise TypeError("Variadic signature must be the last element")
        types = tuple(self._checked(kind, signature) for kind in signature)
        self.funcs[types] = func
        self._forget()

    def _checked(self, kind: Any, signature: Signature) -> type:
        """An entry of a signature as a type."""
        if isinstance(kind, list) and len(kind) == 1:
            return Variadic[kind[0]]
        if isinstance(kind, list):
            raise TypeError(
                "Variadic signature must contain exactly one element. To use a variadic union type "
                "place the desired types inside of a tuple, e.g., [(int, str)]"
            )
        if not isinstance(kind, type):
            raise TypeError(
                f"Tried to dispatch on non-type: {kind}\n"
                f"In signature: <{str_signature(signature)}>\n"
                f"In function: {self.name}"
            )
        return kind

    @property
    def ordering(self) -> list[Signature]:
        """The signatures, the narrower before the wider."""
        return self.reorder() if self._ordering is None else self._ordering

    def reorder(self, on_ambiguity: Callable[..., None] = ambiguity_warn) -> list[Signature]:
        """Make the order anew; *on_ambiguity* hears of signatures that leave it open."""
        self._ordering = ordering(self.funcs)
        if unclear := ambiguities(self.funcs):
            on_ambiguity(self, unclear)
        return self._ordering

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        types = tuple(map(type, args))
        func = self._cache.get(types)
        if func is None:
            func = self._cache[types] = self.dispatch(*types)
        if func is None:
            raise NotImplementedError(
                f"Could not find signature for {self.name}: <{str_signature(types)}>"
            )
        try:
            return func(*args, **kwargs)
        except MDNotImplementedError as error:
            return self._next(types, error, args, kwargs)

    def _next(
        self,
        types: Signature,
        error: MDNotImplementedError,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """The result of the next implementation that does not leave its arguments to others."""
        for func in itertools.islice(self.dispatch_iter(*types), 1, None):
            try:
                return func(*args, **kwargs)
            except MDNotImplementedError:
                continue
        raise NotImplementedError(
            "Matching functions for "
            f"{self.name}: <{str_signature(types)}> found, but none completed successfully"
        ) from error

    def __str__(self) -> str:
        return f"<dispatched {self.name}>"

    __repr__ = __str__

    def dispatch(self, *types: Any) -> Callable[..., Any] | None:
        """The implementation for arguments of *types*; None where there is none."""
        return self.funcs.get(types) or next(self.dispatch_iter(*types), None)

    def dispatch_iter(self, *types: Any) -> Generator[Callable[..., Any], None, None]:
        """All implementations that fit, the narrowest first."""
        for signature in self.ordering:
            if signature and isvariadic(signature[-1]):
                fits = variadic_signature_matches(types, signature)
            else:
                fits = len(signature) == len(types) and all(map(issubclass, types, signature))
            if fits:
                yield self.funcs[signature]

    def resolve(self, types: Signature) -> Callable[..., Any] | None:
        """The same as :meth:`dispatch`. Deprecated."""
        warn("`resolve()` is deprecated, use `dispatch(*types)`", FutureWarning)
        return self.dispatch(*types)

    def __getstate__(self) -> dict[str, Any]:
        return {"funcs": self.funcs, "name": self.name}

    def __setstate__(self, d: dict[str, Any]) -> None:
        self.__init__(d["name"])  # type: ignore[misc]  # what a pickle does not call
        self.funcs = d["funcs"]

    @property
    def __doc__(self) -> str:  # type: ignore[override]  # each has its own
        """What the implementations say, the narrowest last."""
        said = [f"Multiply dispatched method: {self.name}", *filter(None, [self.doc])]
        silent = []
        for signature in reversed(self.ordering):
            shown, text = str_signature(signature), self.funcs[signature].__doc__
            if text:
                head = f"Inputs: <{shown}>"
                said.append(f"{head}\n{'-' * (len(head) + 1)}\n{text.strip(chr(10))}")
            else:
                silent.append(shown)
        if silent:
            said.append("Other signatures:\n    " + "\n    ".join(silent))
        return "\n\n".join(said)

    def _help(self, *args: Any) -> str | None:
        found = self.dispatch(*map(type, args))
        return None if found is None else found.__doc__

    def help(self, *args: Any, **kwargs: Any) -> None:
        """Print what the implementation for *args* says of itself."""
        print(self._help(*args))

    def _source(self, *args: Any) -> str:
        found = self.dispatch(*map(type, args))
        if found is None:
            raise TypeError("No function found")
        return source(found)

    def source(self, *args: Any, **kwargs: Any) -> None:
        """Print the source of the implementation for *args*."""
        print(self._source(*args))


def source(func: Callable[..., Any]) -> str:
    """The file of a function, and its source."""
    return f"File: {inspect.getsourcefile(func)}\n\n{inspect.getsource(func)}"


class MethodDispatcher(Dispatcher):
    """A method that has an implementation for each signature of what follows ``self``."""

    __slots__ = ("cls", "obj")

    @classmethod
    def get_func_params(cls, func: Callable[..., Any]) -> Iterable[inspect.Parameter] | None:
        """The parameters of *func* but ``self``."""
        return itertools.islice(inspect.signature(func).parameters.values(), 1, None)

    def __get__(self, instance: Any, owner: type) -> MethodDispatcher:
        self.obj, self.cls = instance, owner
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        types = tuple(map(type, args))
        func = self.dispatch(*types)
        if func is None:
            raise NotImplementedError(
                f"Could not find signature for {self.name}: <{str_signature(types)}>"
            )
        return func(self.obj, *args, **kwargs)


def str_signature(sig: Iterable[Any]) -> str:
    """The names of the types of a signature."""
    return ", ".join(typename(kind) if isinstance(kind, type) else str(kind) for kind in sig)


def warning_text(name: str, amb: set[tuple[Signature, Signature]]) -> str:
    """What is said of ambiguous signatures, and which would decide between them."""
    pairs = [f"\t[{str_signature(a)}], [{str_signature(b)}]" for a, b in amb]
    more = [f"@dispatch({str_signature(super_signature(pair))})\ndef {name}(...)" for pair in amb]
    return (
        f"\nAmbiguities exist in dispatched function {name}\n\n"
        "The following signatures may result in ambiguous behavior:\n"
        + "\n".join(f"{pair}\n" for pair in pairs)
        + "\n\nConsider making the following additions:\n\n"
        + "\n\n".join(more)
    )
