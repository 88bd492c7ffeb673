"""How the readable source of a graph shows a value: dtype, shape, and colors."""

from __future__ import annotations

from typing import Any

from ..core.dtype_abbreviations import abbreviated
from ..tensor import Tensor

__all__ = ["annotation_of", "paint"]

_COLORS = {"yellow": 33, "cyan": 36, "green": 32, "red": 31, "blue": 34, "dim": 2}


def paint(color: str, text: str, colored: bool) -> str:
    """*text* in a color of the terminal, if it is wanted."""
    return f"\033[{_COLORS[color]}m{text}\033[0m" if colored else text


def annotation_of(
    node: Any, stride: bool = False, device: bool = False, colored: bool = False
) -> str:
    """The dtype and shape of a node's value, as the readable source shows them."""
    meta = node.meta
    value: Any = meta.get("val", meta.get("tensor_meta", meta.get("example_value")))
    if getattr(getattr(value, "node", None), "pytype", None) is not None:  # a symbol
        return f"Sym({value})"
    kind = getattr(value, "dtype", None)
    if kind is None or not (isinstance(value, Tensor) or hasattr(value, "is_quantized")):
        return ""
    colored = colored and isinstance(value, Tensor)
    dtype = abbreviated(kind)
    text = paint("red", dtype, colored) + paint("blue", str(list(value.shape)), colored)
    if isinstance(value, Tensor):
        if stride:
            text += _dim("blue", str(list(value.stride())), colored)
        if device:
            text += _dim("green", str(value.device), colored)
    return text


def _dim(color: str, text: str, colored: bool) -> str:
    return f"\033[2m\033[{_COLORS[color]}m{text}\033[0m" if colored else text
