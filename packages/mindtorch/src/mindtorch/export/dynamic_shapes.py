"""``torch.export.dynamic_shapes``: how programs say which sizes vary."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from inspect import signature
from typing import Any

from mindtorch.utils import _pytree as pytree

from .._dynamo.exc import UserError, UserErrorType
from ..tensor import Tensor
from ..utils._sympy.numbers import int_oo

__all__ = ["AdditionalInputs", "Constraint", "Dim", "ShapesCollection", "dims"]


class _DimHintType(Enum):
    """How a size without a name varies."""

    AUTO = auto()
    STATIC = auto()
    DYNAMIC = auto()


@dataclass
class _DimHint:
    """That a size varies, without a name: whether it has to, and between which bounds."""

    type: _DimHintType
    min: int | None = None
    max: int | None = None
    _factory: bool | None = True

    @staticmethod
    def AUTO() -> _DimHint:
        """It varies unless the program makes it a number."""
        return _DimHint(_DimHintType.AUTO)

    @staticmethod
    def DYNAMIC() -> _DimHint:
        """It varies: a program that makes it a number is refused."""
        return _DimHint(_DimHintType.DYNAMIC)

    @staticmethod
    def STATIC() -> _DimHint:
        """It is a number."""
        return _DimHint(_DimHintType.STATIC)

    def __call__(self, min: int | None = None, max: int | None = None) -> _DimHint:
        if not self._factory:
            raise TypeError(f"'{type(self)}' object is not callable")
        if min is not None and min < 0:
            raise AssertionError(f"min must be non-negative, got {min}")
        if max is not None and max < 0:
            raise AssertionError(f"max must be non-negative, got {max}")
        if min is not None and max is not None and min > max:
            raise AssertionError(f"min must be <= max, got min={min}, max={max}")
        return _DimHint(self.type, min=min, max=max, _factory=False)

    def __repr__(self) -> str:
        parts = [self.type.name]
        parts += [f"min={self.min}"] if self.min is not None else []
        parts += [f"max={self.max}"] if self.max is not None else []
        return f"DimHint({', '.join(parts)})"


class Dim:
    """A size that varies, between *min* and *max*. Multiples and sums with numbers are dims, too.

    Raises AssertionError unless *max* is above *min* and the name is an identifier.
    """

    AUTO = _DimHint.AUTO()
    DYNAMIC = _DimHint.DYNAMIC()
    STATIC = _DimHint.STATIC()

    min: Any
    max: Any

    def __init__(self, name: str, *, min: int | None = None, max: int | None = None) -> None:
        low, high = 0 if min is None else min, int_oo if max is None else max
        if not high > low:
            raise AssertionError(f"Cannot create Dim with inconsistent min={min}, max={max}")
        if not name.isidentifier():
            raise AssertionError(f"Dim name must be a valid identifier, got {name}")
        self.__name__, self.min, self.max = name, low, high

    def __add__(self, other: Any) -> Dim:
        if type(other) is not int:
            raise _not_linear(f"Attempted to add {other} to {self.__name__}, where an integer")
        return self._derive(1, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Dim:
        if type(other) is not int:
            told = f"Attempted to subtract {other} from {self.__name__}, where an integer"
            raise _not_linear(told)
        return self._derive(1, -other)

    def __rsub__(self, other: Any) -> Dim:
        raise NotImplementedError(f"Attempted to negate {self.__name__}. {_ONLY_LINEAR}")

    def __mul__(self, other: Any) -> Dim:
        if type(other) is not int or other <= 0:
            told = f"Attempted to multiply {other} with {self.__name__}, where a positive integer"
            raise _not_linear(told)
        return self._derive(other, 0)

    __rmul__ = __mul__

    def _derive(self, factor: int, addend: int) -> Dim:
        return _DerivedDim(self, factor, addend)

    @staticmethod
    def _readable(name: str, min_: Any, max_: Any) -> str:
        low = "" if min_ == 2 else f", min={min_}"
        high = "" if max_ == int_oo else f", max={max_}"
        return f"Dim('{name}'{low}{high})"

    def __repr__(self) -> str:
        return Dim._readable(self.__name__, self.min, self.max)


_ONLY_LINEAR = "(Only increasing linear operations with integer coefficients are supported.)"


def _not_linear(told: str) -> NotImplementedError:
    return NotImplementedError(f"{told} was expected. {_ONLY_LINEAR}")


class _DerivedDim(Dim):
    """``factor * root + addend``."""

    def __init__(self, root: Dim, factor: int, addend: int) -> None:
        self.root, self.factor, self.addend = root, factor, addend
        times = root.__name__ if factor == 1 else f"{factor}*{root.__name__}"
        sign = f" {'-' if addend < 0 else '+'} {abs(addend)}" if addend else ""
        self.__name__ = times + sign

    def fn(self, value: Any) -> Any:
        """What it is where its root is *value*."""
        return value * self.factor + self.addend

    def _derive(self, factor: int, addend: int) -> Dim:
        return _DerivedDim(self.root, self.factor * factor, self.addend * factor + addend)

    @property
    def min(self) -> Any:  # type: ignore[override]  # it follows from the root
        """The least that it can be. Raises AssertionError for less than 0."""
        found, root = self.fn(self.root.min), self.root
        if found < 0:
            raise AssertionError(
                f"Expected derived min value of {self.__name__} to be >= 0. Please specify an "
                f"appropriate min value for {root.__name__} (currently {root.min})."
            )
        return found

    @property
    def max(self) -> Any:  # type: ignore[override]  # it follows from the root
        """The most that it can be. Raises AssertionError for more than a size can be."""
        root = self.root
        if root.max == int_oo:
            return int_oo
        found = self.fn(root.max)
        if found > sys.maxsize - 1:
            raise AssertionError(
                f"Expected derived max value of {self.__name__} to be <= {sys.maxsize - 1}. Please "
                f"specify an appropriate max value for {root.__name__} (currently {root.max})."
            )
        return found

    def __repr__(self) -> str:
        return self.__name__


def dims(*names: str, min: int | None = None, max: int | None = None) -> tuple[Dim, ...]:
    """Several :class:`Dim` with the same bounds."""
    return tuple(Dim(name, min=min, max=max) for name in names)


class ShapesCollection:
    """Which sizes vary, by tensor."""

    def __init__(self) -> None:
        self._shapes: dict[int, Any] = {}

    def __setitem__(self, t: Any, shape: Any) -> None:
        """Say it of *t*. Raises AssertionError for no tensor, or where something else was said."""
        if not isinstance(t, Tensor):
            raise AssertionError(
                f"Cannot assign shape to non-tensor or non-_IntWrapper type {type(t)}"
            )
        said = self._shapes.setdefault(id(t), shape)
        if said != shape:
            raise AssertionError(
                f"Shapes assigned to input do not match: expected {said}, got {shape}"
            )

    def __getitem__(self, t: Any) -> Any:
        return self._shapes.setdefault(id(t), {})

    def __len__(self) -> int:
        return len(self._shapes)

    def dynamic_shapes(
        self, m: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """What was said, nested as the arguments of ``m(*args, **kwargs)`` are, by their names.

        Raises ValueError where something was said of a tensor that is no argument.
        """
        bound = signature(m.forward).bind(*args, **(kwargs or {})).arguments
        seen = {id(t) for t in pytree.tree_leaves(bound)}
        if not seen.issuperset(self._shapes):
            raise ValueError(
                "Some tensors that were assigned shapes were not found in args. "
                "Maybe such tensors were copied when passing them as args? "
                "Maybe such tensors are contained in classes that were not registered with pytree?"
            )
        found: dict[str, Any] = pytree.tree_map(lambda t: self._shapes.get(id(t)), bound)
        return found


class AdditionalInputs:
    """Further inputs, which show what sizes vary."""

    def __init__(self) -> None:
        self._examples: list[Any] = []

    def add(self, args: Any, kwargs: Any = None) -> None:
        """Add one more set of arguments.

        Raises AssertionError for arguments that are no tuple, or named ones that are no dict.
        """
        if type(args) is not tuple:
            raise AssertionError(f"Representative args {args} must be a tuple")
        if kwargs is not None and type(kwargs) is not dict:
            raise AssertionError(f"Representative kwargs {kwargs} must be None or a dict")
        self._examples.append((args, kwargs or {}))

    def dynamic_shapes(
        self, m: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
    ) -> Any:
        """What varies among the inputs, nested as the arguments are: its sizes are dynamic."""
        bind = signature(m.forward).bind
        bound = bind(*args, **(kwargs or {})).arguments
        others = [bind(*a, **k).arguments for a, k in self._examples]

        def said(value: Any, *found: Any) -> Any:
            if not isinstance(value, Tensor):
                return None
            return tuple(
                Dim.DYNAMIC if any(o.shape[i] != size for o in found) else None
                for i, size in enumerate(value.shape)
            )

        return pytree.tree_map(said, bound, *others)

    def verify(self, ep: Any) -> None:
        """Run a program with all inputs."""
        for args, kwargs in self._examples:
            ep.module()(*args, **kwargs)


class Constraint:
    """What an export found to hold for a size."""


def is_static(dynamic_shapes: Any) -> bool:
    """Whether nothing in *dynamic_shapes* says that a size varies."""
    if isinstance(dynamic_shapes, Mapping):
        return all(map(is_static, dynamic_shapes.values()))
    if isinstance(dynamic_shapes, (tuple, list)):
        return all(map(is_static, dynamic_shapes))
    if isinstance(dynamic_shapes, _DimHint):
        return dynamic_shapes.type is _DimHintType.STATIC
    return dynamic_shapes is None


def refine_dynamic_shapes_from_suggested_fixes(msg: str, dynamic_shapes: Any) -> Any:
    """*dynamic_shapes* with what the text of an error suggests in place of its dims.

    Raises UserError for a text without suggestions.
    """
    _, found, told = msg.partition("Suggested fixes:")
    if not found:
        raise UserError(
            UserErrorType.INVALID_INPUT,
            "Suggested fixes not found in error message given to "
            "refine_dynamic_shapes_from_suggested_fixes()",
        )
    known: dict[str, Any] = {}
    _mapped(lambda dim: known.update(_named(dim)), dynamic_shapes)
    fixes = dict(line.strip().split(" = ", 1) for line in told.split("\n\n")[0].split("\n") if line)
    for name, fix in fixes.items():
        if fix.startswith("Dim("):
            limits = {k: int(v) for k, v in re.findall(r"(min|max)=(\d+)", fix)}
            known[name] = Dim(name, **limits)
    for name, fix in fixes.items():
        if not fix.startswith("Dim("):
            known[name] = _computed(fix, known)

    def refined(dim: Any) -> Any:
        if isinstance(dim, _DerivedDim) and dim.__name__ not in fixes:
            root = known[dim.root.__name__]
            return dim.fn(root)
        return known[dim.__name__] if isinstance(dim, Dim) else dim

    return _mapped(refined, dynamic_shapes)


def _named(dim: Any) -> dict[str, Any]:
    """A dim and its root by their names."""
    if not isinstance(dim, Dim):
        return {}
    roots = _named(dim.root) if isinstance(dim, _DerivedDim) else {}
    return {**roots, dim.__name__: dim}


def _computed(text: str, known: Mapping[str, Any]) -> Any:
    """The number or dim that ``3``, ``n`` or ``2*n + 1`` is."""
    if text.isdigit():
        return int(text)
    matched = re.fullmatch(r"(?:(\d+)\*)?(\w+)(?: ([+-]) (\d+))?", text)
    if matched is None:
        raise AssertionError(f"sympy.Expr {text} is not a supported equivalence")
    factor, name, sign, addend = matched.groups()
    found = known[name] * int(factor) if factor else known[name]
    return found + int(f"{sign}{addend}") if sign else found


def _mapped(function: Callable[[Any], Any], dynamic_shapes: Any) -> Any:
    """*dynamic_shapes* with *function* applied to what stands for each size."""
    if isinstance(dynamic_shapes, Mapping):
        return {key: _mapped(function, value) for key, value in dynamic_shapes.items()}
    if isinstance(dynamic_shapes, (tuple, list)):
        return type(dynamic_shapes)([_mapped(function, value) for value in dynamic_shapes])
    return function(dynamic_shapes)
