"""What the names in the source of a script stand for.

``torch`` holds all operators, on tensors or other values; ``ops`` those of libraries; and few of
Python's functions are there by their own names. Nothing else is in reach: source is text that
somebody else wrote.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from .._ops import ops
from ..tensor import Tensor
from ._async import _fork
from ._errors import ScriptError
from ._prim_ops import OPS, PRIM
from ._text import text

__all__ = ["GLOBALS"]

_NUMBERS = {"int": int, "float": float, "bool": bool, "complex": complex}


def _number(value: Any, kind: str) -> Any:
    """*value* as a number of *kind*, which a tensor of one element is by itself."""
    if not isinstance(value, Tensor):
        return value
    return value.item() if kind == "number" else _NUMBERS[kind](value.item())


class _Operators:
    """``torch`` in source: the operators by name, on tensors or other values."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return _operator(name)


@cache
def _operator(name: str) -> Callable[..., Any]:
    plain = OPS.get(name)
    packet = getattr(ops.aten, name, None)
    if packet is None:
        if plain is None:
            raise NotImplementedError(f"aten::{name} of a script has no kernel here")
        return plain
    if plain is None:
        found: Callable[..., Any] = packet
        return found
    if name == "to":
        return _to(packet, plain)

    def call(*args: Any, **kwargs: Any) -> Any:
        first = args[0] if args else None
        of_tensors = not isinstance(first, (list, dict, str, tuple)) and any(
            isinstance(each, Tensor) for each in args
        )
        return packet(*args, **kwargs) if of_tensors else plain(*args, **kwargs)

    return call


def _to(packet: Callable[..., Any], plain: Callable[..., Any]) -> Callable[..., Any]:
    """``aten::to``, whose forms for scripts have fewer arguments than those of the operator."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) > 5:
            return packet(*args, **kwargs)
        return plain(*args)

    return call


class _Prim:
    """``ops.prim`` in source."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        found = PRIM.get(name)
        if found is None:
            raise NotImplementedError(f"prim::{name} of a script has no kernel here")
        return found

    @staticmethod
    def RaiseException(message: str, qualified_name: str = "") -> None:
        """Raise the error of a ``raise`` or ``assert`` of the script."""
        raise ScriptError(message, qualified_name)


class _Ops:
    """``ops`` in source: operators by the name of their library."""

    prim = _Prim()

    def __getattr__(self, name: str) -> Any:
        if name == "aten":
            return _OPERATORS
        found = getattr(ops, name)
        if not isinstance(found, type(ops.aten)):
            raise RuntimeError(f"the source of a script may not name ops.{name}")
        return found


_OPERATORS = _Operators()


_KINDS: dict[str, Any] = {
    "Tensor": Tensor, "int": int, "float": float, "bool": bool, "str": str, "complex": complex,
    "List": list, "Dict": dict, "Tuple": tuple, "NoneType": type(None), "number": (int, float),
}  # fmt: skip


def _isinstance(value: Any, names: list[str]) -> bool:
    """Whether *value* is of one of the types of those names, whatever the types within are."""
    for name in names:
        kind = _KINDS.get(name.partition("[")[0], type(value).__name__ == name.rpartition(".")[2])
        if kind is True or (kind and isinstance(value, kind)):
            return not (kind is int and isinstance(value, bool))
    return False


#: What all scripts see.
GLOBALS: dict[str, Any] = {
    "__builtins__": {}, "torch": _OPERATORS, "ops": _Ops(), "range": range,
    **{name: OPS[name] for name in "sorted list dict len hash ord chr hex bin oct".split()},
    **{name: PRIM[name] for name in "abs min max".split()},
    "isinstance": _isinstance, "print": PRIM["Print"], "str": text, "fork": _fork,
    "number": _number, "inf": float("inf"), "nan": float("nan"),
    "infj": complex(0, float("inf")), "nanj": complex(0, float("nan")), **_NUMBERS,
}  # fmt: skip
