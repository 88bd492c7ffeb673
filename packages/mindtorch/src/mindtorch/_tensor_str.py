"""``torch._tensor_str``: the parts of printing that libraries use for tensors of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .printing import (
    OPTIONS,
    _numbers,
    _with_facts,
    get_printoptions,
    printoptions,
    set_printoptions,
    tensor_str,
)

__all__ = ["PRINT_OPTS", "get_printoptions", "printoptions", "set_printoptions"]

PRINT_OPTS = OPTIONS
_str = _str_intern = tensor_str


def _tensor_str(self: Any, indent: int) -> str:
    """The elements of a tensor as ``repr`` shows them, further lines moved right by *indent*."""
    if self.numel() == 0:
        return "[]"
    numbers = self.detach().cpu().resolve_conj().resolve_neg()
    if numbers.dtype.is_floating_point and numbers.dtype.itemsize < 4:
        numbers = numbers.float()
    return _numbers(np.asarray(numbers.numpy()), indent)


def _add_suffixes(
    tensor_str: str, suffixes: Sequence[str], indent: int, force_newline: bool
) -> str:
    """*tensor_str* with *suffixes* (``dtype=…``) behind it and the closing parenthesis.

    With *force_newline* the first suffix begins a line.
    """
    if not force_newline or not suffixes:
        return _with_facts(tensor_str, list(suffixes), indent)
    begin = f"{tensor_str},\n{' ' * indent}{suffixes[0]}"
    return _with_facts(begin, list(suffixes[1:]), indent)
