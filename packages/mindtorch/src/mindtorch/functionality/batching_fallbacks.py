"""Ops that torch has no batching rule for: it runs them sample by sample, and warns of that.

Ours have rules; the warning tells which programs are slow there.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..core.warning import warn
from . import fallback_switches as switches

__all__ = ["falling_back"]

#: Read off torch 2.13: every row over a batch, its in-place form too.
_NAMES = frozenset(
    """
    _masked_softmax
    _dirichlet_grad _fake_quantize_learnable_per_channel_affine
    _fake_quantize_learnable_per_tensor_affine _histogramdd_from_bin_cts _lazy_clone
    _native_batch_norm_legit_no_training _neg_view_copy _scaled_mm
    _pack_padded_sequence _standard_gamma_grad _unique _upsample_lanczos2d_aa
    _upsample_lanczos2d_aa.vec _upsample_nearest_exact1d
    _upsample_nearest_exact1d.vec _upsample_nearest_exact2d
    _upsample_nearest_exact2d.vec _upsample_nearest_exact3d
    _upsample_nearest_exact3d.vec _weight_norm _weight_norm_interface addbmm_
    addcdiv_ addcmul_ addmm.dtype addmm_ addmv_ affine_grid_generator argwhere
    as_strided_ baddbmm.dtype baddbmm_ bilinear bincount bmm.dtype clamp_
    clamp_.Tensor conj_physical_ conv_tbc ctc_loss.IntList ctc_loss.Tensor cumprod_ cumsum_
    detach_ detach_copy diagflat embedding_bag embedding_bag.padding_idx
    embedding_renorm_ eq_.Scalar eq_.Tensor fake_quantize_per_channel_affine
    fake_quantize_per_tensor_affine fake_quantize_per_tensor_affine.tensor_qparams
    fft_ihfft2 fft_ihfftn fill.Scalar fill.Tensor fill_diagonal_ float_power_.Tensor
    floor_divide_.Tensor fmod_.Scalar fmod_.Tensor fractional_max_pool2d
    fractional_max_pool3d ge_.Scalar ge_.Tensor gru_cell gt_.Scalar gt_.Tensor
    hash_tensor heaviside_ histc histogram.bin_ct histogram.bins_tensor hypot_
    igamma_ igammac_ index_copy_ index_reduce index_reduce_ isclose
    isin.Scalar_Tensor isin.Tensor_Scalar isin.Tensor_Tensor kl_div le_.Scalar
    le_.Tensor lerp_.Scalar lerp_.Tensor linalg_cond.p_str linalg_ldl_solve
    linalg_lu linalg_matrix_rank linalg_matrix_rank.tol_tensor
    linalg_pinv.rcond_tensor linalg_tensorsolve lt_.Scalar lt_.Tensor lu_solve
    margin_ranking_loss masked_fill.Tensor masked_fill_.Tensor masked_scatter
    masked_scatter_ max_unpool2d max_unpool3d mm.dtype multi_margin_loss
    multilabel_margin_loss nanquantile nanquantile.scalar
    native_channel_shuffle ne_.Scalar ne_.Tensor
    nextafter_ nonzero_static norm_except_dim ormqr pdist permute_copy polygamma_
    pow_.Tensor put put_ quantile quantile.scalar rand_like.generator
    randint_like.Tensor randint_like.Tensor_generator randint_like.generator
    randint_like.low_generator_dtype randn_like.generator remainder_.Scalar
    remainder_.Tensor renorm renorm_ repeat_interleave.Tensor resize_as_
    rnn_relu_cell rnn_tanh_cell scatter_.reduce scatter_.src scatter_.value
    scatter_.value_reduce searchsorted.Scalar segment_reduce select_copy.int set_
    set_.source_Storage set_.source_Storage_storage_offset set_.source_Tensor
    set_.source_Tensor_storage_offset slice_copy.Tensor soft_margin_loss
    special_airy_ai special_chebyshev_polynomial_t
    special_chebyshev_polynomial_t.n_scalar special_chebyshev_polynomial_t.x_scalar
    special_chebyshev_polynomial_u special_chebyshev_polynomial_u.n_scalar
    special_chebyshev_polynomial_u.x_scalar special_chebyshev_polynomial_v
    special_chebyshev_polynomial_v.n_scalar special_chebyshev_polynomial_v.x_scalar
    special_chebyshev_polynomial_w special_chebyshev_polynomial_w.n_scalar
    special_chebyshev_polynomial_w.x_scalar special_hermite_polynomial_h
    special_hermite_polynomial_h.n_scalar special_hermite_polynomial_h.x_scalar
    special_hermite_polynomial_he special_hermite_polynomial_he.n_scalar
    special_hermite_polynomial_he.x_scalar special_laguerre_polynomial_l
    special_laguerre_polynomial_l.n_scalar special_laguerre_polynomial_l.x_scalar
    special_legendre_polynomial_p special_legendre_polynomial_p.n_scalar
    special_legendre_polynomial_p.x_scalar special_log_ndtr
    special_shifted_chebyshev_polynomial_t
    special_shifted_chebyshev_polynomial_t.n_scalar
    special_shifted_chebyshev_polynomial_t.x_scalar
    special_shifted_chebyshev_polynomial_u
    special_shifted_chebyshev_polynomial_u.n_scalar
    special_shifted_chebyshev_polynomial_u.x_scalar
    special_shifted_chebyshev_polynomial_v
    special_shifted_chebyshev_polynomial_v.n_scalar
    special_shifted_chebyshev_polynomial_v.x_scalar
    special_shifted_chebyshev_polynomial_w
    special_shifted_chebyshev_polynomial_w.n_scalar
    special_shifted_chebyshev_polynomial_w.x_scalar squeeze_copy squeeze_copy.dim
    squeeze_copy.dims stft t_copy take to_dense transpose_copy.int tril_
    triplet_margin_loss triu_ unsqueeze_copy vander view_as_complex_copy
    view_copy.dtype xlogy_.Scalar_Other xlogy_.Tensor
    """.split()
)

#: Those that torch writes as another.
_INSIDE_OF = {"bucketize.Scalar": "searchsorted.Scalar", "stft.center": "stft"}
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
