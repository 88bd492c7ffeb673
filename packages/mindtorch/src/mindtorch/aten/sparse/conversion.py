"""Between dense tensors and sparse ones, and between the sparse layouts.

Coordinates are the hub: a compressed tensor becomes another by way of a COO tensor.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...call.row import op
from ...core import constants
from ...core.layout_names import layout_name, short_name
from ...core.operators import of, ops
from ...tensor import Tensor
from ...tensor.construction import wrap
from ...tensor.sparse_content import BLOCKS
from .coalescing import segment_sums
from .compressing import compress, to_coo
from .parts import (
    COMPRESSED,
    COO,
    DENSE,
    array,
    coo_tensor,
    flat_indices,
    is_sparse,
    shown,
)

__all__ = ["dense_of"]

_STRIDED, _COO = constants.strided, constants.sparse_coo
_LAYOUTS = {
    "csr": constants.sparse_csr,
    "csc": constants.sparse_csc,
    "bsr": constants.sparse_bsr,
    "bsc": constants.sparse_bsc,
}
# -- to dense --------------------------------------------------------------------------------------


def dense_of(t: Tensor) -> np.ndarray[Any, Any]:
    """The elements of a sparse tensor, with zeros where it has none."""
    if not t.is_sparse:
        t = to_coo(t)
    content = t._content_
    values = array(content.values)
    out = np.zeros(t._a_.shape, values.dtype)
    sizes = t._a_.shape[: content.sparse_dim]
    lines = out.reshape(math.prod(sizes), *t._a_.shape[len(sizes) :])
    flat = flat_indices(t)
    if (flat[1:] > flat[:-1]).all():  # whatever the tensor says of itself
        lines[flat] = values
        return out
    order = np.argsort(flat, kind="stable")
    flat = flat[order]
    starts = np.flatnonzero(np.concatenate(([True], flat[1:] != flat[:-1]))[: len(flat)])
    lines[flat[starts]] = segment_sums(values.take(order, 0), starts)
    return out


op(
    "_to_dense(Tensor self, ScalarType? dtype=None, bool? masked_grad=None) -> Tensor",
    variants="method",
    grad={"self": lambda g, c: ops.to_dense_backward(g, c.self, c.masked_grad)},
    samples="sparse_operand",
)


def _dense_kernel(name: str) -> Any:
    def kernel(self: Tensor, dtype: Any, masked_grad: Any) -> Tensor:
        if dtype is not None:
            raise RuntimeError(f"dtype argument is not supported by {name}")
        return wrap(dense_of(self))

    return kernel


COO.register("_to_dense", _dense_kernel("sparse_to_dense"))
COMPRESSED.register("_to_dense", _dense_kernel("sparse_csr_to_dense"))


def _to_dense_backward(grad: Tensor, input: Tensor, masked_grad: bool | None) -> Tensor:
    layout = input.layout
    if layout is _STRIDED:
        return grad.to_dense()
    if masked_grad is False:
        if layout is _COO:
            return grad.to_sparse(input.sparse_dim())
        blocksize = input._content_.blocksize if layout in BLOCKS else None
        dense_dim = input.dense_dim()
        return grad.to_sparse(layout=layout, blocksize=blocksize, dense_dim=dense_dim)
    return grad.sparse_mask(input.coalesce() if layout is _COO else input)


op(
    "to_dense_backward(Tensor grad, Tensor input, bool? masked_grad=None) -> Tensor",
    composite=_to_dense_backward,
    variants="",
    samples="to_dense_backward",
)

# -- to sparse -------------------------------------------------------------------------------------


def _check_arguments(
    function: str, self: Tensor, layout: Any, blocksize: Sequence[int] | None, dense_dim: Any
) -> None:
    """Refuse arguments that a conversion does not take.

    Source: torch aten/src/ATen/native/TensorConversions.cpp, _to_sparse_check_arguments.
    """

    def refuse(why: str) -> RuntimeError:
        pair = f"{layout_name(self.layout)} to {layout_name(layout)}"
        return RuntimeError(f"{function}: conversion from {pair} {why} is not supported")

    if layout in BLOCKS:
        if blocksize is None:
            raise refuse("without blocksize argument given")
        if len(blocksize) != 2:
            raise RuntimeError(
                f"{function}: blocksize needs to be a tuple of size 2, but got {len(blocksize)}"
            )
        if min(blocksize) <= 0:
            raise RuntimeError(
                f"{function}: blocksize needs to be positive, but got [{blocksize[0]}, "
                f"{blocksize[1]}]"
            )
    elif blocksize is not None:
        raise refuse("with blocksize argument given")
    if self.layout is not _STRIDED:
        if dense_dim is not None:
            raise refuse("with dense_dim argument given")
        if layout in BLOCKS and self.layout in BLOCKS:
            own = self._content_.blocksize
            if own != tuple(blocksize or own):
                changed = f"with blocksize changed from {list(own)} to {list(blocksize or own)}"
                raise refuse(changed)
        if layout in BLOCKS and self.layout is not _COO and self._content_.batch_dim:
            raise refuse("for batched inputs")
    elif dense_dim is not None:
        most = self.dim() - (0 if layout in (None, _COO) else 2)
        if not 0 <= dense_dim <= most:
            raise RuntimeError(
                f"{function}: dense_dim argument must be in [0,{most}] range, but {dense_dim} is "
                "given"
            )


def _check_blocks(function: str, rows: int, columns: int, blocksize: Sequence[int]) -> None:
    """Refuse blocks that do not fill *rows* and *columns*. Raises RuntimeError."""
    if rows % blocksize[0] or columns % blocksize[1]:
        raise RuntimeError(
            f"{function}: tensor sparse size ({rows},{columns}) must be divisible by given "
            f"blocksize ({blocksize[0]},{blocksize[1]})"
        )


def _target(self: Tensor, layout: Any, blocksize: Any, dense_dim: Any) -> Any:
    target = _COO if layout is None else layout
    if target is _STRIDED:
        return self.to_dense()
    if target is self.layout:
        _check_arguments("to_sparse", self, target, blocksize, dense_dim)
        return self
    return ops._to_sparse(self, layout=target, blocksize=blocksize, dense_dim=dense_dim)


def _of_sparse_dim(self: Tensor, sparse_dim: int) -> Tensor:
    if self.layout is _COO:
        if sparse_dim != self.sparse_dim():
            raise RuntimeError(
                "to_sparse: conversion from Sparse to Sparse with sparse_dim argument "
                "!=self.sparse_dim() is not supported"
            )
        return self
    made: Tensor = of("_to_sparse.sparse_dim")(self, sparse_dim)
    return made


def _back(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, to_sparse_backward."""
    layout = c.self.layout
    if layout is _STRIDED:
        return g.to_dense()
    blocksize = c.self._content_.blocksize if layout in BLOCKS else None
    return g.to_sparse(layout=layout, blocksize=blocksize)


op(
    "to_sparse.sparse_dim(Tensor self, int sparse_dim) -> Tensor",
    composite=_of_sparse_dim,
    variants="method",
    samples="to_sparse_dim",
)
op(
    "to_sparse(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, int? dense_dim=None) "
    "-> Tensor",
    says="""Return a tensor in a sparse layout, by default as coordinates and elements.

    >>> torch.tensor([0., 5.]).to_sparse().values()
    tensor([5.])
    """,
    composite=_target,
    variants="method",
    samples="to_sparse",
)
op(
    "_to_sparse.sparse_dim(Tensor self, int sparse_dim) -> Tensor",
    variants="method",
    tangent="not implemented",
    grad={"self": _back},
    tags=("real_only",),
    samples="to_sparse_dim",
)
op(
    "_to_sparse(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, int? dense_dim=None) "
    "-> Tensor",
    variants="method",
    tangent="not implemented",
    grad={"self": _back},
    tags=("real_only",),
    node=1,
    samples="to_sparse",
)


def _dense_to_coo(self: Tensor, sparse_dim: int) -> Tensor:
    dims = self.dim()
    if not 0 <= sparse_dim <= dims:
        raise RuntimeError(
            f"dense_to_sparse: sparse_dim argument must be in [0,{dims}] range, but {sparse_dim} "
            "is given"
        )
    if not sparse_dim and dims:
        raise RuntimeError("dense_to_sparse: sparse_dim argument must be in >0 when self.dim()>0")
    numbers = array(self)
    there = numbers != np.zeros((), numbers.dtype)
    there = there.any(tuple(range(sparse_dim, dims))) if sparse_dim < dims else there
    where = np.nonzero(there) if dims else ()
    if not dims:
        count = int(bool(there))
        return coo_tensor(np.zeros((0, count), np.int64), numbers.reshape(1)[:count], (), True)
    return coo_tensor(np.stack(where), numbers[where], self._a_.shape, True)


def _dense_to_sparse(self: Tensor, layout: Any, blocksize: Any, dense_dim: Any) -> Tensor:
    _check_arguments("dense_to_sparse", self, layout, blocksize, dense_dim)
    return _of_dense("dense_to_sparse", self, layout, blocksize, dense_dim)


def _of_dense(function: str, self: Tensor, layout: Any, blocksize: Any, dense_dim: Any) -> Tensor:
    dense = dense_dim or 0
    if layout in (None, _COO):
        return _dense_to_coo(self, self.dim() - dense)
    batch = self.dim() - dense - 2
    if batch < 0:
        raise RuntimeError(
            f"dense_to_sparse_{short_name(layout)}: expected at least 2-D tensor, "
            f"got {self.dim()}-D tensor"
        )
    if layout in BLOCKS:
        _check_blocks(function, *self.shape[batch : batch + 2], blocksize)
    if 0 in self._a_.shape[:batch]:
        name = f"to_sparse_{short_name(layout)}"
        raise RuntimeError(f"{name}: Expected product of batch dimensions to be non-zero.")
    return shown(compress(_dense_to_coo(self, batch + 2), layout, blocksize))


def _coo_to_sparse(self: Tensor, layout: Any, blocksize: Any, dense_dim: Any) -> Tensor:
    return _of_coo("sparse_coo_to_sparse", self, layout, blocksize, dense_dim)


def _of_coo(function: str, self: Tensor, layout: Any, blocksize: Any, dense_dim: Any) -> Tensor:
    if layout in (None, _COO):
        return self
    if self._content_.sparse_dim != 2:
        raise RuntimeError(
            f"{function}: conversion from Sparse to {layout_name(layout)} for input tensors with "
            "sparse_dim()!=2 is not supported"
        )
    _check_arguments(function, self, layout, blocksize, dense_dim)
    if layout in BLOCKS:
        _check_blocks(function, *self._a_.shape[:2], blocksize)
    return shown(compress(self, layout, blocksize))


def _compressed_to_sparse(self: Tensor, layout: Any, blocksize: Any, dense_dim: Any) -> Tensor:
    function = "sparse_compressed_to_sparse"
    if self.layout in BLOCKS and layout not in (None, _COO, *BLOCKS):
        function += f"_{short_name(layout)}"
    return _of_compressed(function, self, layout, blocksize, dense_dim)


def _of_compressed(
    function: str, self: Tensor, layout: Any, blocksize: Any, dense_dim: Any
) -> Tensor:
    _check_arguments(function, self, layout, blocksize, dense_dim)
    if layout is self.layout:
        return self
    if layout in (None, _COO):
        return to_coo(self)
    if self.layout in BLOCKS and layout not in BLOCKS:
        raise RuntimeError(
            f"{function}: expected SparseCsr or SparseCsc layout but got {layout_name(self.layout)}"
        )
    if layout in BLOCKS:
        _check_blocks(function, *self._a_.shape[:2], blocksize)
    return shown(compress(to_coo(self), layout, blocksize))


def _compressed_of_dim(self: Tensor, sparse_dim: int) -> Tensor:
    if sparse_dim != 2:
        raise RuntimeError(
            f"sparse_compressed_to_sparse: conversion from {layout_name(self.layout)} to Sparse "
            "with sparse_dim argument !=2 is not supported"
        )
    return to_coo(self)


def _converted(self: Tensor, *rest: Any) -> Tensor:
    """By the layout of *self*: the one that is asked for counts in the key set, too."""
    if not is_sparse(self):
        return _dense_to_sparse(self, *rest)
    return _coo_to_sparse(self, *rest) if self.is_sparse else _compressed_to_sparse(self, *rest)


DENSE.register("_to_sparse.sparse_dim", _dense_to_coo)
COO.register("_to_sparse.sparse_dim", _of_sparse_dim)
COMPRESSED.register("_to_sparse.sparse_dim", _compressed_of_dim)
for _kernels in (DENSE, COO, COMPRESSED):
    _kernels.register("_to_sparse", _converted)


def _named(short: str, layout: Any) -> None:
    """``to_sparse_csr`` and its kin."""
    blocks = layout in BLOCKS
    more = ", int[2] blocksize" if blocks else ""
    name = f"to_sparse_{short}"
    inner = f"_{name}"

    def convert(self: Tensor, *rest: Any) -> Tensor:
        blocksize, dense_dim = rest if blocks else (None, *rest)
        if self.layout is layout:
            _check_arguments(name, self, layout, blocksize, dense_dim)
            return self
        made: Tensor = getattr(ops, inner)(self, *rest)
        return made

    op(
        f"{name}(Tensor self{more}, int? dense_dim=None) -> Tensor",
        says=f"Return a tensor in the layout ``torch.sparse_{short}``.",
        composite=convert,
        variants="method",
        samples="to_blocks" if blocks else "to_compressed",
    )
    op(
        f"{inner}(Tensor self{more}, int? dense_dim=None) -> Tensor",
        variants="method",
        tangent="not implemented",
        grad={"self": _back},
        tags=("real_only",),
        samples="to_blocks" if blocks else "to_compressed",
    )

    def arguments(rest: tuple[Any, ...]) -> tuple[Any, Any]:
        return (rest[0], rest[1]) if blocks else (None, rest[0])

    @DENSE(inner)
    def of_dense(self: Tensor, *rest: Any) -> Tensor:
        blocksize, dense_dim = arguments(rest)
        function = f"dense_to_sparse_{short}"
        _check_arguments(function, self, layout, blocksize, dense_dim)
        return _of_dense(function, self, layout, blocksize, dense_dim)

    @COO(inner)
    def of_coo(self: Tensor, *rest: Any) -> Tensor:
        blocksize, dense_dim = arguments(rest)
        return _of_coo(f"coo_to_sparse_{short}", self, layout, blocksize, dense_dim)

    @COMPRESSED(inner)
    def of_compressed(self: Tensor, *rest: Any) -> Tensor:
        blocksize, dense_dim = arguments(rest)
        function = f"sparse_compressed_to_sparse_{short}"
        return _of_compressed(function, self, layout, blocksize, dense_dim)


for _short, _layout in _LAYOUTS.items():
    _named(_short, _layout)
