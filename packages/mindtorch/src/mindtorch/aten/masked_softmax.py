"""``_masked_softmax``: softmax over the elements that a mask leaves, and its gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call.elementwise_meta import BOOL, COMPLEX, INTEGRAL, refuse
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.dims import wrap_dim
from ..core.operators import ops
from .derivatives import not_implemented_for

__all__: list[str] = []

#: What a mask is of: pairs of positions of a sequence, positions of each sample, or elements.
_PAIRS, _POSITIONS, _ELEMENTS = range(3)


def _meta(self: Any, mask: Any, dim: int | None, mask_type: int | None) -> Out:
    shape, sizes = tuple(self.shape), tuple(mask.shape)
    if mask.dtype.name != "bool":
        raise RuntimeError("Mask should be a boolean tensor")
    kind = mask_type if len(shape) == 4 and len(sizes) == 2 else _ELEMENTS
    if kind == _PAIRS and sizes != (shape[2], shape[2]):
        raise RuntimeError("For mask_type == 0 mask shape should be (L, L)")
    if kind == _POSITIONS and sizes != (shape[0], shape[2]):
        raise RuntimeError("For mask_type == 1 mask shape should be (B, L)")
    if kind == _ELEMENTS and sizes != shape:
        raise RuntimeError("For mask_type == 2 mask shape should match input shape")
    wrap_dim(-1 if dim is None else dim, len(shape))
    refuse(self.dtype, {"masked_softmax": INTEGRAL | BOOL | COMPLEX}, self)
    if kind is None:
        raise RuntimeError("Mask Type should be defined")
    if kind not in (_PAIRS, _POSITIONS, _ELEMENTS):
        raise RuntimeError(
            "Mask Type should be 0 (src_mask) or 1 (src_key_padding_mask), or 2 (default_mask)"
        )
    return Out(shape, self.dtype)


def _masked_softmax(self: Any, mask: Any, dim: int | None, mask_type: int | None) -> Any:
    """Softmax of the rest; zeros where the mask is true, NaN where it is along all of *dim*."""
    if mask_type == _POSITIONS and self.ndim == 4 and mask.ndim == 2:
        mask = mask[:, None, None, :]
    d = -1 if dim is None else dim
    if not self.ndim:
        self, mask, d = self.reshape(1), mask.reshape(1), 0
        return _masked_softmax(self, mask, d, _ELEMENTS).reshape(())
    if not self.size:
        return self.copy()
    left = np.where(mask, -np.inf, self)
    largest = np.maximum.reduce(left, d, keepdims=True)
    largest[np.isinf(largest)] = 0
    left -= largest
    out = np.exp(left, left)
    out[mask if mask.shape == out.shape else np.broadcast_to(mask, out.shape)] = 0
    total = np.add.reduce(out, d, keepdims=True)
    total[total == 0] = np.nan
    out /= total
    return out.astype(self.dtype, copy=False)


def _backward_meta(grad_output: Any, output: Any, mask: Any, dim: int | None) -> Out:
    if tuple(mask.shape) != tuple(grad_output.shape):
        raise RuntimeError("Mask shape should match grad shape")
    wrap_dim(-1 if dim is None else dim, len(grad_output.shape))
    refuse(grad_output.dtype, {"masked_softmax_backward": INTEGRAL | BOOL | COMPLEX}, grad_output)
    return Out(tuple(grad_output.shape), grad_output.dtype)


def _backward(grad_output: Any, output: Any, mask: Any, dim: int | None) -> Any:
    if not grad_output.ndim:
        return np.zeros((), grad_output.dtype)
    d = -1 if dim is None else dim
    left = np.where(mask, 0, grad_output * output)
    out = left - np.where(mask, 0, output) * left.sum(d, keepdims=True)
    return np.where(mask, 0, out).astype(grad_output.dtype)


op(
    "_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> Tensor",
    says="""Return softmax over the elements that a mask leaves; the others give 0.
    The shape stays.
    """,
    meta=_meta,
    kernel=_masked_softmax,
    variants="function",
    out=OutForm(function=False),
    tangent="not implemented",
    grad={
        "self": lambda g, c: ops._masked_softmax_backward(g, c.result, c.mask, c.dim),
    },
    batch="whole_loop",
    samples="masked_softmax",
    tags=("not_on_meta", "loops: functional"),
)
op(
    "_masked_softmax_backward(Tensor grad_output, Tensor output, Tensor mask, int? dim=None)"
    " -> Tensor",
    meta=_backward_meta,
    kernel=_backward,
    variants="",
    out=True,
    grad=not_implemented_for("_masked_softmax_backward", "grad_output", "output"),
    samples="masked_softmax_backward",
    tags=("not_on_meta",),
)
