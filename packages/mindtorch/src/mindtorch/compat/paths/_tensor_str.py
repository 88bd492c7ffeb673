"""``torch._tensor_str``: how tensors print, and what subclasses of tensors make their text of."""

from __future__ import annotations

from typing import Any

from mindtorch.aten import torch
from mindtorch.io.printing import OPTIONS as PRINT_OPTS
from mindtorch.io.printing import (
    Formatter,
    contents,
    get_printoptions,
    printoptions,
    set_printoptions,
    shown_numbers,
    tensor_str,
    with_facts,
)

__all__ = ["PRINT_OPTS", "get_printoptions", "printoptions", "set_printoptions"]

_str = tensor_str


class _Formatter(Formatter):
    """Formats the numbers of one tensor to one width."""

    __slots__ = ()

    def __init__(self, tensor: Any) -> None:
        super().__init__(shown_numbers(tensor.detach()))

    def width(self) -> int:
        """How many characters each number takes."""
        return self.max_width


def _tensor_str(self: Any, indent: int) -> str:
    """The numbers of a tensor, without its name; further lines begin at column *indent*."""
    return contents(self, indent)


def get_summarized_data(self: Any) -> Any:
    """The elements that a summary of a tensor shows: those at both edges of each dimension."""
    edge = PRINT_OPTS.edgeitems
    if not edge and self.dim() > 1:
        return self.new_empty([0] * self.dim())
    shown = self
    for d, size in enumerate(self.shape):
        if edge and size > 2 * edge:
            shown = torch.cat((shown.narrow(d, 0, edge), shown.narrow(d, size - edge, edge)), d)
    return shown


def _add_suffixes(tensor_str: str, suffixes: list[str], indent: int, force_newline: bool) -> str:
    """The text of numbers, then what is told of them, as far as a line goes, and a bracket."""
    return with_facts(tensor_str, suffixes, indent, force_newline)


def _str_intern(inp: Any, *, tensor_contents: str | None = None) -> str:
    """The text of a tensor, with *tensor_contents* for its numbers."""
    return tensor_str(inp, tensor_contents=tensor_contents)
