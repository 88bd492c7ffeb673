"""From a function, a method or an operator to what its call does: one look-up for all of them.

An :class:`Entrance` knows the overloads that a name may mean and how a call is parsed. Its function
(see ``call.entrance_text``) looks up the arguments by what a call may depend on: the interned metas
of tensors, the values or types of the others, the thread's state. What is found there takes the
arguments as they were given and does everything. A miss comes here:

1. the *pattern* of the arguments (signatures in place of metas) finds what the parser once made of
   such arguments: which overload, and where each of its arguments comes from;
2. with that the overload is called; for a layout that comes again a function is stored under its
   key (see ``call.known_call``);
3. a pattern that is new is parsed; errors are the parser's.

What is called once (a name, a layout) is called without more ado: to write code for it pays where
it comes again. So a function begins with code that is the same for all names, and gets its own when
it is called again.

What modes and classes of tensors take over (``__torch_function__``) is never stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from operator import attrgetter
from types import FunctionType
from typing import Any, Final

from ..core.errors import factory_requires_grad, no_method_of
from ..core.key_sets import grad_state, tls_state
from ..core.operators import UNCLAIMED
from ..core.signature import STALE
from ..core.tracebacks import shorten
from ..tensor import Tensor
from ..tensor.defaults import default_device
from ..tensor.gradient import require_grad
from . import code
from .argument_kinds import MISSING, TENSORS, ArgumentKinds, Unplain
from .bound import Bound
from .dispatch_entry import signature
from .entrance_text import FIRST_TEXT, entrance_text, operator_text
from .fragments import Form
from .generation import generation, keep
from .given import Given, Unserved
from .intercept import Overridden, hand_over, is_overridden, misfit
from .overload import FUNCTIONAL, OUT, Overload

__all__ = ["Entrance"]

#: Whether this thread runs an op that others make up.
_composing: ContextVar[bool] = ContextVar("mindtorch_composing", default=False)
#: So many calls are remembered of a name, and as many patterns.
_MOST: Final = 4096
#: So many calls of a name are parsed before it gets code of its own. Writing that takes as long as
#: parsing ten calls, so a program that calls a name once or twice is spared it.
_PARSED: Final = 2
#: A call that came so often before becomes a known one: to write one out takes as long as ten
#: calls. Where more than a few calls came, known ones or not, sizes keep changing, and it takes
#: longer: a size that comes once in each layer of a network may never come again.
_OFTEN: Final = 1
_RATHER_OFTEN: Final = 4
_FEW: Final = 8


_CELLS: Final[dict[str, Any]] = {
    "MISSING": MISSING,
    "TENSORS": TENSORS,
    "Tensor": Tensor,
    "grad_state": grad_state,
    "tls_state": tls_state,
    "default_device": default_device,
    "NONE": {},
    "shorten": shorten,
}


class Entrance:
    """A name through which overloads are called: its function, and the table behind it."""

    __slots__ = (
        "_calls",
        "_first_code",
        "_key_of",
        "_kinds",
        "_method",
        "_seen",
        "_operator",
        "_own",
        "_pack",
        "_parsed",
        "_parser",
        "_pattern_of",
        "after",
        "forms",
        "function",
        "group",
        "public",
        "table",
    )

    def __init__(
        self,
        parser: Any,
        group: list[Overload],
        *,
        name: str,
        method: bool = False,
        operator: bool = False,
        calls: Mapping[int, Callable[..., Any]] | None = None,
        pack: Callable[[Overload], Callable[..., Any] | None] = attrgetter("pack"),
        after: Callable[..., Any],
    ) -> None:
        """Make the function of *name*.

        :param parser: parses the arguments (without the object of a *method*).
        :param operator: the function takes two operands and nothing else, and answers with
            NotImplemented where they do not fit.
        :param calls: signature -> call of the only overload; by default what functions of torch
            call, which may be handed over to ``__torch_function__``.
        :param pack: what makes the results of an overload what callers get; by default what
            functions of torch return: named tuples, tuples.
        :param after: runs a call of a place in *group* with what the parser made of it.
        """
        self._parser, self.group, self._method = parser, group, method
        self.after, self._calls, self._pack = after, calls, pack
        #: Key → what takes the arguments as given.
        self.table: dict[Any, Callable[..., Any]] = {}
        #: Pattern → the overload that such calls mean, bound; None where each call is parsed.
        self.forms: dict[Any, Bound | None] = {}
        #: How often keys came that are not known yet.
        self._seen: dict[Any, int] = {}
        for overload in group:
            overload.entrances.append(self)
        self._operator = operator
        cells = {**_CELLS, "table": self.table, "miss": self.look, "first": self._first}
        if operator:
            self._kinds = ArgumentKinds(parser.signatures, method=method, operator=True)
            made = code.function(operator_text(self._kinds.places), cells)
            self.function = code.renamed(made, name, {"p0": "self"})
        else:
            made = code.function(FIRST_TEXT, cells)
            self.function = code.renamed(made, name, {})
        self._first_code = None if operator else self.function.__code__
        #: How many calls were parsed before the function had code of its own.
        self._parsed = 0
        #: From parameters to their key and their pattern; made when that code is.
        self._key_of: Any = None
        self._pattern_of: Any = None
        self._own: FunctionType | None = None
        #: What ``__torch_function__`` is told was called.
        self.public: Callable[..., Any] = self.function

    def _first(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What the function does before it has code of its own."""
        if self._parsed >= _PARSED:
            own = self._own or self._with_own_code()
            return own(*args, **kwargs)
        self._parsed += 1
        try:
            which, full = self.parse(args, kwargs)
            return full if which < 0 else self.after(self._parser, which, self.group[which], full)
        except Overridden:
            pass  # handed over outside, lest it look like an error during another
        return self.hand_over(args, kwargs)

    def _with_own_code(self) -> FunctionType:
        """Give the function the code of its entrance; the same as another function."""
        kinds = ArgumentKinds(self._parser.signatures, method=self._method, operator=False)
        text = entrance_text(
            kinds.places, kinds.of_names, method=self._method, rest=kinds.rest, more=kinds.device
        )
        self._kinds = kinds
        cells = {**_CELLS, "table": self.table, "miss": self.look, "first": self._first}
        made = code.function(text, cells)
        names = {f"k{i}": name for i, name in enumerate(kinds.names)}
        if self._method:
            names["p0"] = "self"
        function = self.function
        own = code.renamed(made, function.__name__, names)
        own.__kwdefaults__ = dict.fromkeys(kinds.names, MISSING)
        self._own = own
        if function.__code__ is self._first_code:
            function.__defaults__, function.__kwdefaults__ = own.__defaults__, own.__kwdefaults__
            function.__code__ = own.__code__  # last: other threads call it meanwhile
        return own

    def forget(self) -> None:
        """Forget all calls: registrations have changed."""
        self.table.clear()
        self.forms.clear()
        self._seen.clear()

    def look(
        self,
        given: tuple[Any, ...],
        rest: tuple[Any, ...],
        named: tuple[Any, ...],
        more: dict[str, Any],
    ) -> Any:
        """:meth:`miss`, unless all that was missing is the meta of a tensor that was just made."""
        if more or rest and not self._kinds.rest:
            return self.miss(given, rest, named, more)
        parts = self._kinds.parts(given, rest, named)
        try:
            key = (self._key_of or self._key_maker())(*parts)
            found = self.table.get(key)
        except (KeyError, AttributeError, TypeError):  # no key, or one without a hash
            key = found = None
        return self.miss(given, rest, named, more, key, parts) if found is None else found(*parts)

    def miss(
        self,
        given: tuple[Any, ...],
        rest: tuple[Any, ...],
        named: tuple[Any, ...],
        more: dict[str, Any],
        key: Any = None,
        parts: tuple[Any, ...] | None = None,
    ) -> Any:
        """The call of arguments under whose *key*, if they have one, nothing stands.

        :param parts: the arguments as what stands in the table takes them, where that is known.
        """
        kinds = self._kinds
        try:
            if parts is not None or not more and (kinds.rest or not rest):
                parts = parts or kinds.parts(given, rest, named)
                pattern = (self._pattern_of or self._pattern_maker())(*parts)
            else:
                args, kwargs = kinds.written(given, rest, named, more)
                pattern, parts = kinds.pattern(args, kwargs), (*args, *kwargs.values())
            bound = self.forms.get(pattern)
        except (Unplain, AttributeError, TypeError):  # not hashable, for one
            pattern = bound = None
        try:
            if bound is None:
                args, kwargs = kinds.written(given, rest, named, more)
                which, full = self.parse(args, kwargs)
                if which < 0:
                    return full
                if pattern is not None and pattern not in self.forms:
                    bound = self._learn(pattern, which, full, args, kwargs)
                if bound is None:
                    return self.after(self._parser, which, self.group[which], full)
            state = grad_state() | tls_state()
            self.takes_over(bound.sig | state)
            if key is None or not bound.whole:
                return bound.run(state, parts)
            times = self._seen.get(key, 0)
            version = bound.overload.operator.version if times else 0
            looking = None
            if bound.changes_look and times:  # and it still has the look of the key
                looking = bound.looking(state, parts)
            if bound.composed:
                # What others make up does not become known while it is a part of another such op,
                # which has it built in.
                token = _composing.set(True)
                try:
                    result = bound.run(state, parts)
                finally:
                    _composing.reset(token)
                if token.old_value is True:
                    return result
            else:
                result = bound.run(state, parts)
            if times:
                self._note(key, times, bound, state, parts, result, version, looking)
            else:
                self._count(key, 1)
            return result
        except Overridden:
            pass  # handed over outside, lest it look like an error during another
        return self.hand_over(*kinds.written(given, rest, named, more))

    def _count(self, key: Any, times: int) -> None:
        if len(self._seen) >= _MOST:
            self._seen.clear()
        self._seen[key] = times

    def _note(
        self,
        key: Any,
        times: int,
        bound: Bound,
        state: int,
        parts: tuple[Any, ...],
        result: Any,
        version: int,
        looking: Callable[..., Any] | None,
    ) -> None:
        """A call came to *result* again; store what serves such calls if it came often enough.

        :param times: how often it had come before.
        :param version: of the operator, before it was called.
        :param looking: what was made before a call that changed how its target looks.
        """
        seen = self._seen
        often = _OFTEN if len(seen) + len(self.table) <= _FEW else _RATHER_OFTEN
        # The ops inside of what others make up become known first.
        if times < often + bound.composed:
            self._count(key, times + 1)
            return
        if key in self.table or is_overridden(bound.sig | state):
            return
        begun = generation()
        if len(self.table) >= _MOST:
            self.table.clear()
        seen.pop(key, None)
        if bound.overload.kind == FUNCTIONAL:
            if not self._is_key(key, parts):  # a view learnt of its base what it was not known for
                return
            call = bound.call(state, parts, result)
        else:
            call = looking or self._changing(bound, state, parts, result, key)
        if bound.composed:  # has other ops built in
            keep(self.table, key, call, begun)
        else:
            bound.overload.operator.remember(self.table, key, call, version)

    def _changing(
        self, bound: Bound, state: int, parts: tuple[Any, ...], result: Any, key: Any
    ) -> Callable[..., Any]:
        """What serves calls that change one of their arguments."""
        changed = result if result.__class__ in TENSORS and result._meta_ is STALE else None
        if not self._is_key(key, parts):  # they do not look so any more
            return bound.general(state, parts, changed)
        return bound.laid_out(state, parts, result) or bound.general(state, parts, changed)

    def _is_key(self, key: Any, parts: tuple[Any, ...]) -> bool:
        try:
            return bool(self._key_of(*parts) == key)
        except (KeyError, AttributeError, TypeError):
            return False

    def _key_maker(self) -> Callable[..., Any]:
        found = self._key_of = self._kinds.key_maker()
        return found

    def _pattern_maker(self) -> Callable[..., Any]:
        found = self._pattern_of = self._kinds.pattern_maker()
        return found

    def takes_over(self, sig: int) -> None:
        """Raise Overridden where a call of this signature is not for the overload."""

    def hand_over(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Give the call to the mode or class that takes it over."""
        return hand_over(self.public, args, kwargs, self.group if self._method else ())

    def parse(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[int, tuple[Any, ...] | Any]:
        """The place of the overload in the group, and its arguments; or -1, and a result.

        The latter where an object among the arguments takes the call over.
        """
        try:
            if self._method:
                if not isinstance(args[0], Tensor):
                    raise no_method_of(self.function.__name__, args[0])
                return self._parser.parse(args[1:], kwargs, args[0])
            return self._parser.parse(args, kwargs)
        except TypeError as error:
            result = misfit(error, self.public, args, kwargs, self.group)
            if result is UNCLAIMED:
                raise
            return -1, result

    def _learn(
        self,
        pattern: Any,
        which: int,
        full: tuple[Any, ...],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Bound | None:
        """Remember what the parser made of arguments of a *pattern*."""
        if len(self.forms) >= _MOST:
            self.forms.clear()
        made = self._bound(which, full, args, kwargs)
        self.forms[pattern] = made
        return made

    def _bound(
        self, which: int, full: tuple[Any, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Bound | None:
        """What such calls mean; None where each is to be parsed."""
        overload, shift = self.group[which], int(self._method)
        overload.analyse()
        arity = overload.arity
        extras = dict(zip(self._parser.extras(which), full[arity:], strict=True))
        requiring = extras.pop("requires_grad", False)
        pinned = overload.pin_position >= 0 and full[overload.pin_position]
        if any(extras.values()) or pinned or (requiring and overload.kind == OUT):
            return None  # something is to be done with the result
        found = self._parser.places(args[shift:], kwargs)
        if found is None or found[0] != which or found[2].deprecated:
            return None  # the parser warns of a deprecated signature at each call
        given = Given(self._kinds, shift, args, kwargs)
        places = zip(found[1][:arity], full[:arity], strict=True)
        try:
            parts = [given.text_of(i, place, value) for i, (place, value) in enumerate(places)]
        except Unserved:
            self._pattern_of = None  # a value may be a part of patterns from now on
            return None
        outer, cells = "{}", given.cells
        if requiring:
            outer, cells["requiring"] = "requiring({})", requiring_grad
        pack = self._pack(overload)
        if pack is not None:
            outer, cells["pack"] = "pack({})", pack
        keyed = [given.names[at] for at in given.keyed]
        if given.conditions or keyed:
            cells["miss"] = self.miss if given.whole else self._again(len(args), tuple(kwargs))
        form = Form(given.parameters, given.conditions, given.missed(), parts, outer, keyed)
        calls = overload.api if self._calls is None else self._calls
        return Bound(overload, calls, signature(overload, full[:arity]), form, cells, given.whole)

    def _again(self, n: int, names: tuple[str, ...]) -> Callable[..., Any]:
        """A call that was bound for values that are not the same, from the beginning."""
        return lambda *values: self.miss(
            (), values[:n], (MISSING,) * len(self._kinds.names), dict(zip(names, values[n:]))
        )


def requiring_grad(result: Tensor) -> Tensor:
    """*result* of a factory that was asked for one that requires grad."""
    if result._a_.dtype.kind in "biu":
        raise factory_requires_grad()
    require_grad(result)
    return result
