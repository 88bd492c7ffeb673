"""``infer_schema``: an op's schema from the annotations of a Python function."""

from __future__ import annotations

import collections.abc
import inspect
import typing
from collections.abc import Callable, Iterable, Sequence
from types import GenericAlias
from typing import Any, NoReturn

from mindtorch_storage import Device, DType

from ..core.tags import Tag
from ..tensor import Tensor
from ..tensor.types import Number

__all__ = ["infer_schema", "tuple_to_list"]

# Annotation → schema type: the type, optional, in sequences, in sequences with gaps, and optional
# sequences, as far as torch knows them.
_PARAMETERS: dict[Any, str] = {}
#: (type, schema type, in lists, lists of optionals, optional lists)
_BASES: tuple[tuple[Any, str, bool, bool, bool], ...] = (
    (Tensor, "Tensor", True, True, False),
    (int, "SymInt", True, False, True),
    (float, "float", True, False, True),
    (bool, "bool", True, False, True),
    (str, "str", False, False, False),
    (Number, "Scalar", True, False, False),
    (DType, "ScalarType", False, False, False),
    (Device, "Device", False, False, False),
)


def _sequences(of: Any) -> tuple[Any, ...]:
    return (
        typing.Sequence[of],  # another object than list[…], and it may be meant
        typing.List[of],  # noqa: UP006  (as users may write it)
        GenericAlias(collections.abc.Sequence, (of,)),
        GenericAlias(list, (of,)),
    )


for _type, _name, _lists, _gaps, _optional_lists in _BASES:
    _PARAMETERS[_type] = _name
    _PARAMETERS[typing.Optional[_type]] = f"{_name}?"  # noqa: UP045  (an object)
    if _lists:
        _PARAMETERS.update(dict.fromkeys(_sequences(_type), f"{_name}[]"))
    if _gaps:
        _PARAMETERS.update(
            dict.fromkeys(_sequences(typing.Optional[_type]), f"{_name}?[]")  # noqa: UP045  (an object)
        )
    if _optional_lists:
        for _sequence in _sequences(_type):
            _PARAMETERS[typing.Optional[_sequence]] = f"{_name}[]?"  # noqa: UP045  (an object)

_RESULTS: dict[Any, str] = {
    Tensor: "Tensor",
    typing.List[Tensor]: "Tensor[]",  # noqa: UP006  (as users may write it)
    list[Tensor]: "Tensor[]",
    int: "SymInt",
    float: "float",
    bool: "bool",
    Number: "Scalar",
}
_UNKNOWN = "unknown"


def infer_schema(
    prototype_function: Callable[..., Any],
    /,
    *,
    mutates_args: str | Iterable[str],
    op_name: str | None = None,
    tags: Tag | Sequence[Tag] | None = (),
) -> str:
    """The schema that the annotations of a function say: ``"(Tensor x, SymInt n=2) -> Tensor"``.

    :param mutates_args: the names of the arguments that the function changes, or ``"unknown"``:
        every tensor may be changed.
    :param op_name: put before the schema.
    :param tags: ``Tag.inplace`` and ``Tag.out`` make the results aliases of arguments.

    Raises ValueError with torch's text for what a schema cannot say.
    """
    several = (tags,) if isinstance(tags, Tag) else tuple(tags or ())
    schema = _Reader(prototype_function, mutates_args, several).schema()
    return schema if op_name is None else op_name + schema


class _Reader:
    """Reads one function."""

    def __init__(
        self, function: Callable[..., Any], mutates: str | Iterable[str], tags: tuple[Tag, ...]
    ) -> None:
        self.scope = function.__globals__
        self.signature = inspect.signature(function)
        self.inplace, self.out = Tag.inplace in tags, Tag.out in tags
        if self.inplace and self.out:
            raise AssertionError("torch.Tag.inplace and torch.Tag.out are mutually exclusive")
        #: Names; None if they are unknown.
        self.mutates: tuple[str, ...] | None
        if isinstance(mutates, str):
            self.given: Any = mutates
            self.mutates = None
        else:
            self.given = self.mutates = tuple(mutates)
        #: (name, alias) of the arguments that are written and stand after the star.
        self.outs: list[tuple[str, str]] = []
        #: (name, schema type, alias) of the first positional argument.
        self.first: tuple[str, str, str] | None = None

    def fail(self, what: str) -> NoReturn:
        raise ValueError(f"infer_schema(func): {what} Got func with signature {self.signature})")

    def schema(self) -> str:
        parts: list[str] = []
        for i, (name, parameter) in enumerate(self.signature.parameters.items()):
            if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
                parts.append("*")
            parts.append(self.parameter(i, name, parameter))
        if self.mutates is not None:
            missing = set(self.mutates) - set(self.signature.parameters)
            if missing:
                self.fail(
                    f"{missing} in mutates_args were not found in the custom op's signature. "
                    "mutates_args should contain the names of all args that the custom op "
                    "mutates, or just the string 'unknown' if you don't know."
                )
        if self.inplace:
            self.check_inplace()
        if self.out and not self.outs:
            self.fail("torch.Tag.out requires at least one mutable keyword-only Tensor argument.")
        return f"({', '.join(parts)}) -> {self.results()}"

    # -- parameters --------------------------------------------------------------------------------

    def parameter(self, i: int, name: str, parameter: inspect.Parameter) -> str:
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            self.fail("We do not support positional-only args, varargs, or varkwargs.")
        if parameter.annotation is parameter.empty:
            self.fail(f"Parameter {name} must have a type annotation.")
        kind = self.kind(name, parameter.annotation)
        alias = f"a{i}"
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and self.first is None:
            self.first = (name, kind, alias)
        if self.is_written(name, kind):
            kind = f"Tensor({alias}!){kind[len('Tensor') :]}"
            if self.out:
                if parameter.kind is not parameter.KEYWORD_ONLY:
                    self.fail("torch.Tag.out requires mutable arguments to be keyword-only.")
                if kind != f"Tensor({alias}!)":
                    self.fail("torch.Tag.out only supports mutable keyword-only Tensor arguments.")
                self.outs.append((name, alias))
        if parameter.default is parameter.empty:
            return f"{kind} {name}"
        return f"{kind} {name}={self.default(name, parameter.default)}"

    def kind(self, name: str, annotation: Any) -> str:
        meant = self.evaluated(annotation)
        try:
            return _PARAMETERS[meant]
        except KeyError:
            pass
        if getattr(meant, "__origin__", None) is tuple:
            as_list = tuple_to_list(meant)
            example = f"For example, {as_list}.\n\n" if as_list in _PARAMETERS else "\n\n"
            self.fail(
                f"Parameter {name} has unsupported type {annotation}. We do not support Tuple "
                f"inputs in schema. As a workaround, please try to use List instead. {example}The "
                f"valid types are: {_PARAMETERS.keys()}."
            )
        self.fail(
            f"Parameter {name} has unsupported type {annotation}. The valid types are: "
            f"{_PARAMETERS.keys()}."
        )

    def is_written(self, name: str, kind: str) -> bool:
        if self.mutates is None:
            if self.given != _UNKNOWN:
                raise ValueError(
                    "mutates_args must either be a sequence of the names of the arguments that "
                    "are mutated or the string 'unknown'. "
                )
            return kind.startswith("Tensor")
        if name not in self.mutates:
            return False
        if not kind.startswith("Tensor"):
            self.fail(
                f"Parameter {name} is in mutable_args but only Tensors or collections of Tensors "
                "can be mutated"
            )
        return True

    def default(self, name: str, value: Any) -> str:
        if value is None or isinstance(value, (int, float, bool)):
            return str(value)
        if isinstance(value, (str, Device)):
            return f'"{value}"'
        if isinstance(value, DType):
            return str(value).removeprefix("torch.")
        self.fail(
            f"Parameter {name} has an unsupported default value type {type(value)}. Please file "
            "an issue on GitHub so we can prioritize this."
        )

    def check_inplace(self) -> None:
        if self.first is None:
            self.fail("torch.Tag.inplace requires a positional Tensor argument.")
        name, kind, _ = self.first
        if kind != "Tensor":
            self.fail("torch.Tag.inplace requires the first positional argument to be a Tensor.")
        if self.mutates is None or set(self.mutates) != {name}:
            self.fail(
                "torch.Tag.inplace requires mutates_args to contain exactly the first positional "
                f"argument, got {self.given}."
            )

    # -- results -----------------------------------------------------------------------------------

    def results(self) -> str:
        annotation = self.evaluated(self.signature.return_annotation)
        if self.out:
            return self.out_results(annotation)
        result = self.plain_results(annotation)
        if not self.inplace:
            return result
        if result != "Tensor":
            self.fail("torch.Tag.inplace requires the return annotation to be torch.Tensor.")
        assert self.first is not None
        return f"Tensor({self.first[2]}!)"

    def plain_results(self, annotation: Any) -> str:
        if annotation is None:
            return "()"
        if annotation is inspect.Parameter.empty:
            self.fail("No return type annotation was provided. Please add one.")
        several = typing.get_origin(annotation) is tuple
        kinds = []
        for each in typing.get_args(annotation) if several else (annotation,):
            try:
                kinds.append(_RESULTS[each])
            except KeyError:
                self.fail(
                    f"Return has unsupported type {annotation}. The valid types are: {_RESULTS}."
                )
        if not several:
            return kinds[0]
        listed = ", ".join(kinds)
        return f"(({listed}))" if len(kinds) == 1 else f"({listed})"

    def out_results(self, annotation: Any) -> str:
        names = tuple(name for name, _ in self.outs)
        wanted: Any = Tensor if len(names) == 1 else (Tensor,) * len(names)
        found = annotation if len(names) == 1 else typing.get_args(annotation)
        if found != wanted or (len(names) > 1 and typing.get_origin(annotation) is not tuple):
            self.fail(
                "torch.Tag.out requires the return annotation to match the mutable keyword-only "
                f"Tensor arguments {names}."
            )
        aliases = [f"Tensor({alias}!)" for _, alias in self.outs]
        return aliases[0] if len(aliases) == 1 else f"({', '.join(aliases)})"

    # -- annotations that are text -----------------------------------------------------------------

    def evaluated(self, annotation: Any) -> Any:
        """An annotation with the names in it looked up where the function was defined."""
        if isinstance(annotation, str):
            return self.named(annotation)
        origin = typing.get_origin(annotation)
        if origin is not None:
            args = typing.get_args(annotation)
            meant = tuple(self.evaluated(a) for a in args)
            if any(isinstance(a, str) for a in args) or meant != args:
                return GenericAlias(origin, meant)
        return annotation

    def named(self, text: str) -> Any:
        try:
            return eval(text, self.scope)
        except NameError as error:
            self.fail(
                f"Unsupported type annotation {text}. It is not a type. ({error}). If you are "
                "using 'from __future__ import annotations', note that annotations are evaluated "
                "lazily as strings; make sure all types referenced in annotations are importable "
                "at module scope, not only inside a local function."
            )
        except Exception as error:
            self.fail(
                f"Unsupported type annotation {text}. It is not a type. "
                f"({type(error).__name__}: {error})"
            )


def tuple_to_list(kind: Any) -> Any:
    """The type of lists that would do in place of a type of tuples."""
    args = typing.get_args(kind)
    if not args:
        return list
    if len(args) == 1 or (len(args) == 2 and args[1] is Ellipsis):
        return list[args[0]]
    return list[typing.Union[tuple(args)]]  # noqa: UP007  (of a list)
