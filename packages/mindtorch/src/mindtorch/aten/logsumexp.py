"""The logarithm of a sum of exponentials."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import get_default_dtype

from mindtorch.aten.reduction import keep, restored
from mindtorch.aten.summation import sum_over
from mindtorch.call.row import Out, op
from mindtorch.core.dims import all_dims, contiguous, reduced_shape, scalar_name
from mindtorch.core.errors import in_place_shape
from mindtorch.core.extended_dtypes import is_rare

from . import tangent_rules

__all__: list[str] = []


def _logsumexp(self: Any, dim: Any, keepdim: bool, real_sum: bool = False) -> Any:
    """With *real_sum* (a real ``out``) the imaginary part of the sum is dropped before its log."""
    if self.dtype.kind in "iub":
        self = self.astype(get_default_dtype().np)
    axes = sorted(all_dims(dim, self.ndim))
    if not axes and self.dtype.kind != "c":
        return self.copy("C")
    real = self.real if self.dtype.kind == "c" else self
    top = np.asarray(np.maximum.reduce(real, tuple(axes), keepdims=True, initial=-np.inf))
    top = np.where(np.isinf(top), real.dtype.type(0), top)
    total = sum_over(np.exp(self - top), axes)
    total = total.real if real_sum else total
    out = np.asarray(np.log(total)) + top.reshape(total.shape)
    dtype = real.dtype if real_sum else self.dtype
    return keep(contiguous(np.asarray(out, dtype)), self.shape, axes, keepdim)


def _no_float(dtype: Any) -> RuntimeError:
    kind = scalar_name(dtype)
    return RuntimeError(
        f"logsumexp(): Expected floating point type for result tensor, but got: {kind}"
    )


def _logsumexp_meta(self: Any, dim: Any, keepdim: bool) -> Out:
    own = self.dtype
    kind = own if own.is_floating_point or own.is_complex else get_default_dtype()
    if kind is not own and is_rare(own.np):
        raise _no_float(own)
    shape = self.shape
    if shape and not keepdim and not isinstance(dim, int) and not len(dim):
        raise in_place_shape((), (1,) * len(shape))  # torch adds the maxima, which kept their dims
    return Out(reduced_shape(shape, all_dims(dim, len(shape)), keepdim), kind)


def _logsumexp_onto(target: Any, self: Any, dim: Any, keepdim: bool) -> Out:
    to = target.dtype
    if not (to.is_floating_point or to.is_complex):
        raise _no_float(to)
    return Out(_logsumexp_meta(self, dim, keepdim).shape, to)


def _logsumexp_grad(g: Any, c: Any) -> Any:
    x = c.self
    result = c.result
    g = restored(g, x.shape, c.dim, c.keepdim)
    result = restored(result, x.shape, c.dim, c.keepdim)
    return g * (x - result).exp().conj()


op(
    "logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
    says="""Return the logarithm of the sum of exponentials over the given dimensions, without
    overflow.

    >>> torch.logsumexp(torch.tensor([1000., 1000.]), dim=0)
    tensor(1000.6932)
    """,
    meta=_logsumexp_meta,
    kernel=_logsumexp,
    out=True,
    out_meta=_logsumexp_onto,
    out_kernel=lambda target, self, dim, keepdim: _logsumexp(
        self, dim, keepdim, target.dtype.kind != "c"
    ),
    grad={"self": _logsumexp_grad},
    samples="logsumexp",
    tangent=tangent_rules.of_logsumexp,
    autocast=("", "float32"),
)
