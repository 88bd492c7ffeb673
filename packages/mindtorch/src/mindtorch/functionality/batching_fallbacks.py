"""Ops that torch has no batching rule for: it runs them sample by sample, and warns of that.

Ours have rules; the warning tells which programs are slow there.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from .._C import _functorch as switches
from ..calls import Call
from ..ops.overload import Overload
from ..warning import warn

__all__ = ["falling_back"]

#: Read off torch 2.13: every row over a batch, its in-place form too.
_NAMES = frozenset(
    """
    _lazy_clone _neg_view_copy _standard_gamma_grad _unique _upsample_lanczos2d_aa
    _upsample_lanczos2d_aa.vec _upsample_nearest_exact1d _upsample_nearest_exact1d.vec
    _upsample_nearest_exact2d _upsample_nearest_exact2d.vec _upsample_nearest_exact3d
    _upsample_nearest_exact3d.vec addbmm_ addcdiv_ addcmul_ addmm.dtype addmm_ addmv_
    argwhere as_strided_ baddbmm.dtype baddbmm_ bincount bmm.dtype clamp_ clamp_.Tensor
    conj_physical_ cumprod_ cumsum_ detach_ detach_copy diagflat eq_.Scalar eq_.Tensor
    fill.Scalar fill.Tensor fill_diagonal_ float_power_.Tensor floor_divide_.Tensor
    fmod_.Scalar fmod_.Tensor ge_.Scalar ge_.Tensor gt_.Scalar gt_.Tensor heaviside_
    histc hypot_ igamma_ igammac_ index_copy_ index_reduce index_reduce_ isclose
    isin.Scalar_Tensor isin.Tensor_Scalar isin.Tensor_Tensor kl_div le_.Scalar
    le_.Tensor lerp_.Scalar lerp_.Tensor lt_.Scalar lt_.Tensor margin_ranking_loss
    masked_fill.Tensor masked_fill_.Tensor masked_scatter masked_scatter_ mm.dtype
    multi_margin_loss multilabel_margin_loss nanquantile nanquantile.scalar ne_.Scalar
    ne_.Tensor nextafter_ permute_copy polygamma_ pow_.Tensor put put_ quantile
    quantile.scalar rand_like.generator randint_like.Tensor
    randint_like.Tensor_generator randint_like.generator
    randint_like.low_generator_dtype randn_like.generator remainder_.Scalar
    remainder_.Tensor renorm renorm_ repeat_interleave.Tensor resize_as_ scatter_.reduce
    scatter_.src scatter_.value scatter_.value_reduce searchsorted.Scalar
    select_copy.int set_ set_.source_Storage set_.source_Storage_storage_offset
    set_.source_Tensor set_.source_Tensor_storage_offset slice_copy.Tensor
    soft_margin_loss squeeze_copy squeeze_copy.dim squeeze_copy.dims t_copy take
    transpose_copy.int tril_ triplet_margin_loss triu_ unsqueeze_copy
    view_as_complex_copy view_copy.dtype xlogy_.Scalar_Other xlogy_.Tensor
    """.split()
)

#: Those that torch writes as another.
_INSIDE_OF = {"bucketize.Scalar": "searchsorted.Scalar"}
#: Whether such an op runs, of composite ones the ops inside.
_inside: ContextVar[bool] = ContextVar("mindtorch_vmap_fallback", default=False)


def falling_back(overload: Overload, call: Call) -> Call:
    """*call*, with what torch says of its fallback before it.

    Source: torch aten/src/ATen/functorch/BatchedFallback.cpp, warnFallback.
    """
    name = overload.name.removeprefix("aten::")
    name = _INSIDE_OF.get(name, name)
    if name not in _NAMES:
        return call

    def warned(*args: Any) -> Any:
        if _inside.get():
            return call(*args)  # of samples, in torch
        if not switches.enabled:
            raise RuntimeError(f"aten::{name} hit the vmap fallback which is currently disabled")
        if switches.warns:
            warn(
                "There is a performance drop because we have not yet implemented the batching rule "
                f"for aten::{name}. Please file us an issue on GitHub so that we can prioritize "
                "its implementation."
            )
        token = _inside.set(True)
        try:
            return call(*args)
        finally:
            _inside.reset(token)

    return warned
