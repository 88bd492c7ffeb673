"""What sparse tensors consist of: indices and values, which are ordinary tensors.

A sparse tensor has no memory of its own. Its array has shape and dtype and is never read; in the
slot ``_content_`` stands a :class:`Coo` or a :class:`Compressed`, which is never changed: who
changes the tensor puts another in its place.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..core import constants
from ..core import signature as S
from ..core.layout_names import short_name
from . import Tensor, blank
from .tensor_impl import alias_of

__all__ = [
    "BLOCKS",
    "BY_COLUMN",
    "Compressed",
    "Coo",
    "become",
    "sparse_tensor",
]

#: Layouts whose elements are blocks.
BLOCKS = frozenset((constants.sparse_bsr, constants.sparse_bsc))
#: Layouts whose columns are compressed; of others the rows are.
BY_COLUMN = frozenset((constants.sparse_csc, constants.sparse_bsc))


class Coo(NamedTuple):
    """Elements at coordinates: the layout ``torch.sparse_coo``."""

    #: int64, a column of coordinates for each element.
    indices: Tensor
    #: The elements, by number; further dimensions are dense.
    values: Tensor
    #: Whether the coordinates are sorted and no two are equal.
    coalesced: bool = False

    layout = constants.sparse_coo
    bit = S.SPARSE

    @property
    def nnz(self) -> int:
        """How many elements are specified."""
        return self.values._a_.shape[0]

    @property
    def sparse_dim(self) -> int:
        """How many dimensions have coordinates."""
        return self.indices._a_.shape[0]

    @property
    def dense_dim(self) -> int:
        """How many dimensions an element has."""
        return self.values._a_.ndim - 1

    def named_parts(self) -> list[tuple[str, Tensor]]:
        """The tensors that make it up, by the names of the methods that give them."""
        return [("indices", self.indices), ("values", self.values)]

    def is_contiguous(self) -> bool:
        """False: there is no memory in order."""
        return False

    def no_storage(self) -> NotImplementedError:
        """The error of who asks for memory."""
        return NotImplementedError("Cannot access storage of SparseTensorImpl")


class Compressed(NamedTuple):
    """Elements (or blocks of them) in rows or columns, whose indices are compressed.

    Where the rows or columns begin among the elements stands in :attr:`compressed`.
    """

    layout: Any
    compressed: Tensor
    plain: Tensor
    values: Tensor

    bit = S.SPARSE_CSR

    @property
    def nnz(self) -> int:
        """How many elements, or blocks, are specified; of one matrix of a batch."""
        return self.plain._a_.shape[-1]

    @property
    def batch_dim(self) -> int:
        """How many dimensions number matrices."""
        return self.compressed._a_.ndim - 1

    @property
    def sparse_dim(self) -> int:
        """Two: rows and columns."""
        return 2

    @property
    def dense_dim(self) -> int:
        """How many dimensions an element has."""
        blocks = 2 if self.layout in BLOCKS else 0
        return self.values._a_.ndim - self.batch_dim - 1 - blocks

    @property
    def blocksize(self) -> tuple[int, int]:
        """Rows and columns of a block; (1, 1) where elements are none."""
        if self.layout not in BLOCKS:
            return 1, 1
        at = self.batch_dim + 1
        rows, columns = self.values._a_.shape[at : at + 2]
        return rows, columns

    def named_parts(self) -> list[tuple[str, Tensor]]:
        """The tensors that make it up, by the names of the methods that give them."""
        by_column = self.layout in BY_COLUMN
        names = ("ccol_indices", "row_indices") if by_column else ("crow_indices", "col_indices")
        return [*zip(names, (self.compressed, self.plain)), ("values", self.values)]

    def is_contiguous(self) -> bool:
        """Refuse to say."""
        raise self.has_no("is_contiguous")

    def has_no(self, what: str) -> RuntimeError:
        """The error of who asks for strides and the like."""
        name = short_name(self.layout).upper()
        return RuntimeError(f"Sparse {name} tensors do not have {what}")

    def no_storage(self) -> NotImplementedError:
        """The error of who asks for memory."""
        return NotImplementedError("Cannot access storage of SparseCsrTensorImpl")


def _array(shape: tuple[int, ...], np_dtype: Any) -> np.ndarray[Any, Any]:
    """An array of a shape over one element: memory that nobody is to read, yet may."""
    return np.ndarray(shape, np_dtype, np.zeros(1, np_dtype), 0, (0,) * len(shape))


def sparse_tensor(content: Coo | Compressed, shape: tuple[int, ...]) -> Tensor:
    """The tensor of a *shape* that consists of *content*, without history."""
    t = blank()
    t._shared_ = t._state_ = t._edge_ = None
    t._sig_ = 0
    _set(t, content, shape)
    return t


def become(t: Tensor, content: Coo | Compressed, shape: tuple[int, ...]) -> Tensor:
    """Let *t*, a sparse tensor, consist of *content* from now on."""
    _set(t, content, shape)
    return t


#: What a tensor is whatever it consists of.
_KEPT = S.REQUIRES_GRAD | S.VIEWS | S.FUNCTION | S.PYTHON | S.INFERENCE


def _set(t: Tensor, content: Coo | Compressed, shape: tuple[int, ...]) -> None:
    values = content.values
    backend = values._sig_ & S.BACKENDS
    t._a_ = _array(tuple(shape), values._a_.dtype)
    t._sig_ = t._sig_ & _KEPT | S.of_array(t._a_, backend) | content.bit
    t._meta_ = S.STALE
    t._content_ = content
    if backend & S.ACCELERATORS:
        alias_of(t).storage = alias_of(values).storage  # knows the device
