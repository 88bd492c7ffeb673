"""Copies that are more than a kernel: into existing memory, to another dtype, to another device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import from_numpy
from mindtorch_storage.layout import broadcast_shapes

from ..backends.overlap import is_same_window
from ..call.elementwise_meta import refuse
from ..call.forms import InplaceForm, OutForm
from ..call.row import Out, op
from ..core import signature as S
from ..core.constants import contiguous_format
from ..core.copies import NARROW, cast, copy_strides
from ..core.errors import no_quantized_strides
from ..core.extended_dtypes import is_rare
from ..core.half_precision import as_dtype
from ..core.key_sets import seen_by_python, tls_state
from ..core.operators import ops, to_type
from ..core.signature import SPARSE_LAYOUTS
from ..tensor import Tensor
from .scalars import filling

__all__: list[str] = []


def _copy_meta(self: Any, src: Any, non_blocking: bool) -> Out:
    if self.shape != src.shape:
        return Out(broadcast_shapes(self.shape, src.shape), self.dtype)
    return Out(self.shape, self.dtype)


def _copy_kernel(self: Any, src: Any, non_blocking: bool = False) -> Any:
    return cast(src, self.dtype)


def _is_itself(self: Any, src: Any, non_blocking: bool = False) -> bool:
    return isinstance(src, Tensor) and is_same_window(self, src)  # the parser takes numbers too


op(
    "copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)",
    says="Copy the elements of src into this tensor, cast to its dtype and broadcast to its shape.",
    meta=_copy_meta,
    kernel=_copy_kernel,
    half=False,
    variants="method",
    grad={
        "self": lambda g, c: ops.zeros_like(g, memory_format=contiguous_format),
        "src": lambda g, c: g._to_(c.src.device),
    },
    tags=("takes_other_device", "takes_numbers", "keeps_bits"),
    samples="copy_",
    inplace=InplaceForm(broadcasts=True, idle=_is_itself),
    functional=OutForm(meta="native"),
    tangent="linear",
)


def _to_copy_meta(
    self: Any,
    dtype: Any,
    layout: Any,
    device: Any,
    pin_memory: Any,
    non_blocking: bool,
    memory_format: Any,
) -> Out:
    return Out(self.shape, dtype or self.dtype, copy_strides(self, memory_format))


def _refuse_to_copy(self: Any, dtype: Any, *rest: Any) -> None:
    if dtype is None or dtype is self.dtype:
        refuse(self.dtype, {"copy_kernel": NARROW}, self)
    elif S.dtype_bits(dtype)[0] & S.QUANTIZED:
        raise no_quantized_strides()


def _prepare_to_copy(self: Any, dtype: Any, *rest: Any) -> Callable[..., Any]:
    # Of sizes of 1 numpy's other order makes strides that a fresh array is not taken to have.
    canonical = rest[-1] is contiguous_format or 1 in self.shape or self.flags.c_contiguous
    order = "C" if canonical else "K"
    to = self.dtype if dtype is None else dtype.np
    if to == self.dtype:
        return lambda self, *rest: self.copy(order)
    if is_rare(self.dtype) or is_rare(to):
        return lambda self, *rest: cast(self, to).copy()
    if self.dtype.kind == "c" or to.kind == "u":  # which numpy has rules of its own for
        return lambda self, *rest: cast(self, to)
    if {self.dtype.char, to.char} == {"e", "f"} and self.flags.c_contiguous:
        return lambda self, *rest: as_dtype(self, to)
    return lambda self, *rest: self.astype(to, order)


def _copied_back(g: Any, dtype: Any, device: Any) -> Any:
    """The gradient where and as the input is, also where a leaf takes gradients of any dtype."""
    if g.dtype is not dtype and seen_by_python(g._sig_ | tls_state()):
        return to_type(ops.real(g) if g.is_complex() and not dtype.is_complex else g, dtype)
    return g._to_(device, None if g.is_complex() and not dtype.is_complex else dtype)


op(
    "_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor",
    meta=_to_copy_meta,
    prepare=_prepare_to_copy,
    refuses=_refuse_to_copy,
    half=False,
    variants="",
    grad={"self": lambda g, c: _copied_back(g, c.self.dtype, c.self.device)},
    tags=("transfer", "selects_backend", "moves", "heeds_bits"),
    samples="to_copy",
    tangent="linear",
    batch="on_whole",
)


def _same(self: Any, *rest: Any) -> Out:
    return Out(self.shape, self.dtype)


def _prepare_fill(self: Any, value: Any) -> Callable[..., Any]:
    number = np.asarray(filling(value, from_numpy(self.dtype), self.shape))
    return lambda self, value: number


def _prepare_zero(self: Any) -> Callable[..., Any]:
    number = np.zeros((), self.dtype)
    return lambda self: number


def _fill_tensor_meta(self: Any, value: Any) -> Out:
    if value.dim() != 0:
        raise RuntimeError(
            "fill_ only supports 0-dimension value tensor but got tensor with "
            f"{value.dim()} dimensions."
        )
    return Out(self.shape, self.dtype)


op(
    "fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)",
    says="Set every element to one value.",
    meta=_same,
    prepare=_prepare_fill,
    refuses=lambda self, value: filling(value, self.dtype, self.shape),
    half=False,
    grad={"self": lambda g, c: ops.zeros_like(g)},
    samples="fill_",
    inplace=InplaceForm(overlap="idempotent"),
    functional=OutForm("Scalar_out", function=False, meta="native"),
    node=(0, 2),
    tags=("loops: functional",),
)
op(
    "fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)",
    meta=_fill_tensor_meta,
    kernel=_copy_kernel,
    half=False,
    grad={"self": lambda g, c: ops.zeros_like(g), "value": lambda g, c: g.sum()},
    tags=("takes_other_device", "loops: functional"),
    samples="fill_tensor",
    functional=OutForm("Tensor_out", function=False, meta="native"),
    node=(1, 3),
)
op(
    "zero_(Tensor(a!) self) -> Tensor(a!)",
    says="Set every element to zero.",
    meta=_same,
    prepare=_prepare_zero,
    half=False,
    grad={"self": lambda g, c: ops.zeros_like(g)},
    samples="zero_",
    inplace=InplaceForm(overlap="idempotent"),
    functional=True,
    tags=("of_parts",),
)


def _to_dense(self: Any, dtype: Any, masked_grad: Any) -> Any:
    if self._sig_ & SPARSE_LAYOUTS:
        return ops._to_dense(self, dtype, masked_grad)
    return self if dtype is None else self.to(dtype)


op(
    "to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor",
    says="""Return the tensor with a strided layout: a dense tensor as it is.
    With masked_grad, as by default, the gradient of a sparse one has its places alone.

    >>> torch.sparse_coo_tensor([[1]], [5.], (3,)).to_dense()
    tensor([0., 5., 0.])
    """,
    composite=_to_dense,
    variants="method",
    samples="unary",
    tags=("loops: functional",),
)
