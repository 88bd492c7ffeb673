"""The logarithm of a sum of exponentials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import get_default_dtype

from mindtorch.aten.reduction import restored
from mindtorch.aten.summation import sums
from mindtorch.call.row import Out, op
from mindtorch.core.dims import all_dims, reduced_shape, scalar_name
from mindtorch.core.errors import in_place_shape
from mindtorch.core.extended_dtypes import is_rare

from . import tangent_rules

__all__: list[str] = []


def _prepare_logsumexp(
    self: Any, dim: Any, keepdim: bool, real_sum: bool = False
) -> Callable[..., Any]:
    """With *real_sum* (a real ``out``) the imaginary part of the sum is dropped before its log."""
    cast = get_default_dtype().np if self.dtype.kind in "iub" else None
    own = self.dtype if cast is None else cast
    axes = tuple(sorted(all_dims(dim, self.ndim)))
    is_complex, shape = own.kind == "c", reduced_shape(self.shape, axes, keepdim)
    if not axes and not is_complex:
        return lambda self, *_: self.copy() if cast is None else self.astype(cast)
    real = np.zeros((), own).real.dtype
    result = real if real_sum else own
    kept = reduced_shape(self.shape, axes, True)
    total = sums(np.empty(self.shape, own), axes, kept)
    largest, exp, log, isinf, zero = np.maximum.reduce, np.exp, np.log, np.isinf, real.type(0)
    subtract, put = np.subtract, np.copyto

    def kernel(self: Any, *_: Any) -> Any:
        if cast is not None:
            self = self.astype(cast)
        numbers = self.real if is_complex else self
        top = np.asarray(largest(numbers, axes, None, None, True, -np.inf))
        put(top, zero, where=isinf(top))
        parts = total(exp(np.asarray(subtract(self, top))))
        out = np.asarray(log(parts.real if real_sum else parts)) + top
        return np.ascontiguousarray(out, result).reshape(shape)

    return kernel


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
    prepare=_prepare_logsumexp,
    out=True,
    out_meta=_logsumexp_onto,
    out_kernel=lambda target, self, dim, keepdim: _prepare_logsumexp(
        self, dim, keepdim, target.dtype.kind != "c"
    )(self),
    grad={"self": _logsumexp_grad},
    samples="logsumexp",
    tangent=tangent_rules.of_logsumexp,
    autocast=("", "float32"),
)
