"""What autocast does with which op: torch's lists, one per kind of device.

Source: torch aten/src/ATen/autocast_mode.{h,cpp}. The accelerator's list is the one torch has for
CUDA, which torch_npu follows. Names are overloads without the namespace; ops that mindtorch has
no row for stand here all the same, so that a new row is cast from its first day.
"""

from __future__ import annotations

from enum import Enum

from mindtorch_storage import ACCELERATOR

__all__ = ["POLICIES", "Policy"]


class Policy(Enum):
    """How the tensor arguments of an op are cast before it runs."""

    #: Floating point arguments (float64 excepted) to autocast's own dtype.
    LOWER_PRECISION = "lower precision"
    #: Floating point arguments (float64 excepted) to float32.
    FLOAT32 = "float32"
    #: Arguments stay; the result is asked for in float32 where the call names no dtype.
    FLOAT32_RESULT = "float32 result"
    #: All to the widest dtype among the arguments.
    PROMOTE = "promote"
    #: Refused: unsafe in half precision.
    BANNED = "banned"


_LOWER_CPU = """
    conv1d conv1d.padding conv2d conv2d.padding conv3d conv3d.padding conv_transpose1d
    conv_transpose2d.input conv_transpose3d.input conv_tbc _convolution.deprecated bmm mm
    linalg_vecdot baddbmm addmm _addmm_activation addbmm linear matmul mkldnn_rnn_layer prelu
    scaled_dot_product_attention _native_multi_head_attention
"""
_FLOAT32_CPU = """
    avg_pool3d binary_cross_entropy grid_sampler polar prod prod.dim_int quantile quantile.scalar
    nanquantile nanquantile.scalar stft stft.center cdist grid_sampler_2d
    _grid_sampler_2d_cpu_fallback grid_sampler_3d trace view_as_complex cholesky cholesky_inverse
    cholesky_solve inverse lu_solve orgqr ormqr pinverse max_pool3d max_unpool2d max_unpool3d
    adaptive_avg_pool3d reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d
    replication_pad3d mse_loss cosine_embedding_loss nll_loss nll_loss2d hinge_embedding_loss
    poisson_nll_loss cross_entropy_loss smooth_l1_loss l1_loss huber_loss margin_ranking_loss
    soft_margin_loss triplet_margin_loss multi_margin_loss ctc_loss.IntList ctc_loss.Tensor kl_div
    multilabel_margin_loss binary_cross_entropy_with_logits fft_fft fft_ifft fft_fft2 fft_ifft2
    fft_fftn fft_ifftn fft_rfft fft_irfft fft_rfft2 fft_irfft2 fft_rfftn fft_irfftn fft_hfft
    fft_ihfft linalg_cond linalg_cond.p_str linalg_matrix_rank linalg_matrix_rank.tol_tensor
    linalg_matrix_rank.atol_rtol_tensor linalg_matrix_rank.atol_rtol_float linalg_solve
    linalg_cholesky linalg_svdvals linalg_eigvals linalg_eigvalsh linalg_inv
    linalg_householder_product linalg_tensorinv linalg_tensorsolve fake_quantize_per_tensor_affine
    geqrf _lu_with_info qr svd triangular_solve fractional_max_pool2d fractional_max_pool3d
    adaptive_max_pool3d multilabel_margin_loss_forward linalg_qr linalg_cholesky_ex linalg_svd
    linalg_eig linalg_eigh linalg_lstsq linalg_inv_ex
"""
_PROMOTE_CPU = "stack cat index_copy"

_LOWER_NPU = """
    _convolution.deprecated _convolution conv1d conv2d conv3d conv_tbc conv_transpose1d
    conv_transpose2d.input conv_transpose3d.input convolution prelu addmm addmv addr matmul einsum
    mm mv linalg_vecdot linear addbmm baddbmm bmm chain_matmul linalg_multi_dot
    _thnn_fused_lstm_cell _thnn_fused_gru_cell lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell
    _scaled_dot_product_flash_attention scaled_dot_product_attention
"""
_FLOAT32_NPU = """
    acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan
    pow.Tensor_Scalar pow.Tensor_Tensor pow.Scalar softplus layer_norm native_layer_norm group_norm
    rms_norm frobenius_norm.dim nuclear_norm nuclear_norm.dim cosine_similarity poisson_nll_loss
    cosine_embedding_loss nll_loss nll_loss2d hinge_embedding_loss kl_div l1_loss smooth_l1_loss
    huber_loss mse_loss margin_ranking_loss multilabel_margin_loss soft_margin_loss
    triplet_margin_loss multi_margin_loss binary_cross_entropy_with_logits dist pdist cdist renorm
    logsumexp upsample_nearest1d _upsample_nearest_exact1d upsample_nearest2d
    _upsample_nearest_exact2d upsample_nearest3d _upsample_nearest_exact3d upsample_linear1d
    upsample_bilinear2d _upsample_bilinear2d_aa upsample_trilinear3d upsample_bicubic2d
    _upsample_bicubic2d_aa linalg_matrix_norm linalg_matrix_norm.str_ord
"""
_FLOAT32_RESULT_NPU = """
    prod prod.dim_int softmax.int log_softmax.int cumprod cumsum linalg_vector_norm sum
    sum.dim_IntList norm.Scalar norm.ScalarOpt_dim
"""
_PROMOTE_NPU = """
    addcdiv addcmul atan2 bilinear cross dot vdot grid_sampler index_put tensordot scatter_add
"""


def _table(**lists: str) -> dict[str, Policy]:
    return {name: Policy[kind] for kind, names in lists.items() for name in names.split()}


#: Device type -> overload name -> policy.
POLICIES: dict[str, dict[str, Policy]] = {
    "cpu": _table(LOWER_PRECISION=_LOWER_CPU, FLOAT32=_FLOAT32_CPU, PROMOTE=_PROMOTE_CPU),
    ACCELERATOR: _table(
        LOWER_PRECISION=_LOWER_NPU,
        FLOAT32=_FLOAT32_NPU,
        FLOAT32_RESULT=_FLOAT32_RESULT_NPU,
        PROMOTE=_PROMOTE_NPU,
        BANNED="binary_cross_entropy",
    ),
}
