"""``torch.jit._pickle``: what pickles of scripts call to make lists and dicts of a type."""

from __future__ import annotations

from typing import Any

__all__: list[str] = []


def build_intlist(data: list[int]) -> list[int]:
    """A list of ints."""
    return data


def build_tensorlist(data: list[Any]) -> list[Any]:
    """A list of tensors."""
    return data


def build_doublelist(data: list[float]) -> list[float]:
    """A list of floats."""
    return data


def build_boollist(data: list[bool]) -> list[bool]:
    """A list of truths."""
    return data


def build_tensor_from_id(data: Any) -> int | None:
    """The number of a tensor that stands in another file; None for what is no number."""
    return data if isinstance(data, int) else None


def restore_type_tag(value: Any, type_str: str) -> Any:
    """*value*: its type, a text, is said for a compiler."""
    return value
