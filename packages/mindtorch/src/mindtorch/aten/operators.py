"""Methods and operators of ``Tensor``, each made when it is first looked up."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..call import lazy_registration
from ..call.dispatch_entry import OVERLOADS
from ..call.intercept import PARSED, PYTHON, Overridden, hand_over, overrides
from ..call.overload import OUT
from ..core import signature as S
from ..core.key_sets import grad_state, tls_state
from ..tensor import Tensor, named_as_tensors
from .register import FUNCTIONS, METHODS, NUMBER_SIG, fast_overload

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
_STYLES = {"floordiv": PYTHON, "pow": PYTHON}
_NAMES = {"pow": "pow", "ipow": "pow_", "rtruediv": "__rdiv__"}


def _binary_operator(dunder: str, base: str) -> Callable[..., Any]:
    group = [o for o in OVERLOADS.named(base) if o.kind != OUT]
    overload = fast_overload(group, 2)
    assert overload is not None
    table = overload.lead
    function = FUNCTIONS.get(base) or METHODS[base]
    # These take numbers as wrapped numbers; others have overloads for them, or refuse them.
    takes_numbers = base in ("add", "sub", "mul", "div", "floor_divide")

    itself = dunder in _OVERRIDDEN_AS_THEMSELVES

    def operator(self: Any, other: Any) -> Any:
        try:
            try:
                if isinstance(other, Tensor):
                    call = table[self._sig | other._sig | grad_state() | tls_state()]
                    return call(self, other)
                if takes_numbers:
                    bit = NUMBER_SIG.get(type(other))
                    if bit is not None:
                        call = table[self._sig | bit | grad_state() | tls_state()]
                        return call(self, other)
                if tls_state() or self._sig & S.FUNCTION or type(other) not in NUMBER_SIG:
                    if overrides(self, other):
                        raise Overridden
                return function(self, other)
            except Overridden:
                pass
            public = operator if itself else METHODS[base]
            return hand_over(public, (self, other), {}, style=_STYLES.get(dunder, PARSED))
        except TypeError:
            return NotImplemented

    operator.__name__ = _NAMES.get(dunder, f"__{dunder}__")
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
            if overrides(self, other):
                return hand_over(operator, (self, other), {}, style=PYTHON)
            return run(self, other)
        except TypeError:
            return NotImplemented

    operator.__name__ = _NAMES.get(f"r{dunder}", f"__r{dunder}__")
    operator.__doc__ = f"Operator form of :meth:`{base}`, with the operands exchanged."
    return operator


def _in_place_operator(dunder: str, base: str) -> Callable[..., Any]:
    method = METHODS[base]
    style = PYTHON if dunder == "ipow" else PARSED
    itself = dunder in ("iand", "ior", "ixor", "ilshift", "irshift", "ipow")

    def operator(self: Any, other: Any) -> Any:
        try:
            if itself and overrides(self, other):
                return hand_over(operator, (self, other), {}, style=style)
            return method(self, other)
        except TypeError:
            return NotImplemented

    operator.__name__ = _NAMES.get(dunder, f"__{dunder}__")
    operator.__doc__ = f"Operator form of :meth:`{base}`."
    return operator
