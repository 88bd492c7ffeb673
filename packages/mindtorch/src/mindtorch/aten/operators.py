"""Methods and operators of ``Tensor``, each made when it is first looked up."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..call import lazy_registration
from ..call.dispatch_entry import OVERLOADS
from ..call.entrance import Entrance
from ..call.intercept import PARSED, PYTHON, hand_over, overrides
from ..call.overload import OUT
from ..core import signature as S
from ..core.key_sets import tls_state
from ..tensor import Tensor, named_as_tensors
from .from_data import from_numpy
from .register import FUNCTIONS, METHODS, NUMBER_SIG, parser_of, run_bound

__all__ = ["attach_methods"]

_BINARY = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "truediv": "div",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "pow",
    "matmul": "matmul",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift",
    "rshift": "bitwise_right_shift",
    "eq": "eq",
    "ne": "ne",
    "lt": "lt",
    "le": "le",
    "gt": "gt",
    "ge": "ge",
}
_UNARY = {"neg": "neg", "pos": "positive", "abs": "abs", "invert": "bitwise_not"}
_COMMUTATIVE = ("add", "mul", "and", "or", "xor")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


class _Attached:
    """A method or operator of ``Tensor`` that is made when first looked up."""

    __slots__ = ("_make", "_name")

    def __init__(self, name: str, make: Callable[[], Callable[..., Any]]) -> None:
        self._name = name
        self._make = make

    def __get__(self, instance: Any, owner: Any) -> Any:
        made = self._make()
        named_as_tensors(made, made.__name__)
        if Tensor.__dict__.get(self._name) is self:  # else somebody has put another one there
            setattr(Tensor, self._name, made)
        return made.__get__(instance, owner)


def attach_methods() -> None:
    """Put methods and operators on ``Tensor``."""
    for name in dict.__iter__(METHODS):
        if not any(name in cls.__dict__ for cls in Tensor.__mro__[:-1]):
            _attach(name, METHODS.get, name)
    for name in lazy_registration.METHODS:
        _attach(name, METHODS.__getitem__, name)
    for dunder, base in _BINARY.items():
        _attach(f"__{dunder}__", _binary_operator, dunder, base)
        if dunder in _COMMUTATIVE:
            _attach(f"__r{dunder}__", _binary_operator, f"r{dunder}", base)
        elif dunder not in _COMPARISONS:
            _attach(f"__r{dunder}__", _reflected, dunder, base)
        if dunder not in _COMPARISONS and base + "_" in METHODS:
            _attach(f"__i{dunder}__", _in_place_operator, f"i{dunder}", base + "_")
    for dunder, base in _UNARY.items():
        _attach(f"__{dunder}__", _unary_operator, dunder, base)
    _attach("__div__", _binary_operator, "div", "div")
    _attach("__rdiv__", _reflected, "truediv", _BINARY["truediv"])
    _hash.__name__ = "__hash__"
    named_as_tensors(_hash, "__hash__")
    Tensor.__hash__ = _hash


def _hash(self: Any) -> int:
    return id(self)


def _attach(name: str, make: Callable[..., Any], *args: str) -> None:
    setattr(Tensor, name, _Attached(name, partial(make, *args)))


#: Operators that are handed to ``__torch_function__`` as themselves, not as a method.
_OVERRIDDEN_AS_THEMSELVES = frozenset(
    ("floordiv", "pow", "eq", "and", "or", "xor", "lshift", "rshift")
)
#: Those that are Python functions in torch.
_STYLES = {"floordiv": PYTHON, "pow": PYTHON, "ipow": PYTHON}
_NAMES = {"pow": "pow", "ipow": "pow_", "rtruediv": "__rdiv__"}


#: The classes of numbers that stood for tensors in a call; see ``functionality.operands``.
_OPERANDS = NUMBER_SIG.keys() - {int, float, complex, bool}


class OperatorEntrance(Entrance):
    """The entrance of a binary operator of tensors, which calls the method *base*."""

    __slots__ = ("_style",)

    def __init__(self, dunder: str, base: str, public: Callable[..., Any] | None) -> None:
        group = [o for o in OVERLOADS.named(base) if o.kind != OUT]
        parser = parser_of(base, group, method=True)
        name = _NAMES.get(dunder, f"__{dunder}__")
        super().__init__(parser, group, name=name, method=True, operator=True, after=run_bound)
        if public is not None:
            self.public = public
        self._style = _STYLES.get(dunder, PARSED)

    def miss(self, given: Any, rest: Any, named: Any, more: Any, *known: Any) -> Any:
        """An object in place of a tensor may take the call over, before it is parsed."""
        other = given[1]
        if not isinstance(other, Tensor) and type(other) not in NUMBER_SIG and overrides(*given):
            return self.hand_over(given, {})
        return super().miss(given, rest, named, more, *known)

    def hand_over(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Give the call to the mode or class that takes it over."""
        return hand_over(self.public, args, kwargs, style=self._style)

    def parse(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Numbers of a formula's stay what they are; see ``functionality.operands``."""
        which, full = super().parse(args, kwargs)
        if which >= 0 and type(args[1]) in _OPERANDS:
            return which, (full[0], args[1], *full[2:])
        return which, full


class EqualityEntrance(OperatorEntrance):
    """The entrance of ``==``, the one operator for which torch makes a tensor of an array."""

    __slots__ = ()

    def miss(self, given: Any, rest: Any, named: Any, more: Any, *known: Any) -> Any:
        """An array is compared as the tensor over its memory."""
        if isinstance(given[1], np.ndarray) and not overrides(*given):
            try:
                other = from_numpy(given[1])
            except TypeError:
                return NotImplemented
            return self.function(given[0], other)
        return super().miss(given, rest, named, more, *known)


def _binary_operator(dunder: str, base: str) -> Callable[..., Any]:
    public = None if dunder in _OVERRIDDEN_AS_THEMSELVES else METHODS[base]
    entrance = EqualityEntrance if dunder == "eq" else OperatorEntrance
    operator = entrance(dunder, base, public).function
    operator.__doc__ = f"Operator form of :meth:`{base}`."
    return operator


def _unary_operator(dunder: str, base: str) -> Callable[..., Any]:
    if dunder != "invert":
        return METHODS[base]
    group = [o for o in OVERLOADS.named(base) if o.kind != OUT]

    def operator(self: Any) -> Any:
        """Handed to ``__torch_function__`` by its own name, and refused by other dtypes' own text.

        Source: torch/csrc/autograd/python_variable_methods.cpp, THPVariable_invert.
        """
        if overrides(self):
            return hand_over(operator, (self,), {}, group)
        if self.dtype.is_floating_point or self.dtype.is_complex:
            raise TypeError(
                "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
            )
        return METHODS[base](self)

    operator.__name__ = "__invert__"
    return operator


def _reflected(dunder: str, base: str) -> Callable[..., Any]:
    run: Callable[[Any, Any], Any]
    if dunder == "truediv":

        def run(self: Any, other: Any) -> Any:
            return self.reciprocal() * other

    elif dunder == "sub":

        def run(self: Any, other: Any) -> Any:
            return FUNCTIONS["rsub"](self, other)

    else:

        def run(self: Any, other: Any) -> Any:
            return FUNCTIONS[base](other, self)

    def operator(self: Any, other: Any) -> Any:
        try:
            if tls_state() or self._sig_ & S.FUNCTION or type(other) not in NUMBER_SIG:
                if overrides(self, other):
                    return hand_over(operator, (self, other), {}, style=PYTHON)
            return run(self, other)
        except TypeError:
            return NotImplemented

    operator.__name__ = _NAMES.get(f"r{dunder}", f"__r{dunder}__")
    operator.__doc__ = f"Operator form of :meth:`{base}`, with the operands exchanged."
    return operator


def _in_place_operator(dunder: str, base: str) -> Callable[..., Any]:
    itself = dunder in ("iand", "ior", "ixor", "ilshift", "irshift", "ipow")
    operator = OperatorEntrance(dunder, base, None if itself else METHODS[base]).function
    operator.__doc__ = f"Operator form of :meth:`{base}`."
    return operator
