"""What fake tensors tell of a layout that has symbols, and functional ones that stand for them."""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch.modes import DISPATCH, PRE_DISPATCH
from mindtorch_storage.layout import wrap_dim

from ..aten.symbolic_numbers import SymInt, of_node
from ..core.size import Size
from ..tensor import Tensor
from .symbolic_layout import Symbols
from .symbolic_subscript import asks_for_symbols, read_at_symbols

__all__ = ["FunctionalWithSymbols", "WithSymbols"]


class WithSymbols:
    """A part of classes of tensors: sizes and strides are symbols where there are any."""

    __slots__ = ()

    #: The layout where it has symbols, else None.
    symbols: Symbols | None = None

    @property
    def shape(self) -> Any:
        """The size of each dimension."""
        symbols = self.symbols
        return super().shape if symbols is None else tuple.__new__(Size, symbols.sizes)

    def size(self, dim: int | None = None) -> Any:
        """The size of each dimension, or of one."""
        if self.symbols is None:
            return super().size() if dim is None else super().size(dim)
        return self.shape if dim is None else self.symbols.sizes[wrap_dim(dim, self.ndim)]

    def stride(self, dim: int | None = None) -> Any:
        """How many elements further the next one along each dimension is, or along one."""
        if self.symbols is None:
            return super().stride() if dim is None else super().stride(dim)
        strides = self.symbols.strides
        return strides if dim is None else strides[wrap_dim(dim, self.ndim)]

    def storage_offset(self) -> Any:
        """How many elements lie before the first one."""
        symbols = self.symbols
        if symbols is None or symbols.offset is None:
            return super().storage_offset()
        return symbols.offset

    def numel(self) -> Any:
        """The number of elements."""
        if self.symbols is None:
            return super().numel()
        found = of_node(self.symbols.numel_node())
        for mode in reversed((*DISPATCH.modes, *PRE_DISPATCH.modes)):
            nodes = getattr(mode, "symbols", None)
            if nodes is not None and isinstance(found, SymInt):
                nodes.counted(self, found)
                break
        return found

    nelement = numel

    def __getitem__(self, index: Any) -> Any:
        index = self.with_numbers_(index)
        if asks_for_symbols(index):
            return read_at_symbols(self, index)
        return super().__getitem__(index)

    def with_numbers_(self, index: Any) -> Any:
        """A subscript, with symbols for what tensors in it say."""
        return index

    def __len__(self) -> int:
        return super().__len__() if self.symbols is None else int(self.symbols.sizes[0])

    @property
    def functional_class(self) -> type:
        """The class of functional tensors that stand for it."""
        return Tensor if self.symbols is None else FunctionalWithSymbols


class FunctionalWithSymbols(WithSymbols, Tensor):
    """A functional tensor that stands for a fake one with symbols, and tells of them."""

    @property
    def symbols(self) -> Symbols:
        """The layout of what it stands for."""
        value = self._content_.value
        return value.symbols or Symbols(tuple(value.shape), tuple(value.stride()))

    def numel(self) -> Any:
        """The number of elements."""
        return self._content_.value.numel()

    nelement = numel
