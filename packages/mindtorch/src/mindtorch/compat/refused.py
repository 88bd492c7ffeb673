"""Functions of ``torch`` for libraries and tensors that mindtorch does not have: they refuse."""

from __future__ import annotations

from ..call.intercept import PARSED, overridable
from ..core.unavailable import QUANTIZED, REASONS, refusals

_LIBRARIES = (
    "batch_norm_backward_elemt batch_norm_backward_reduce batch_norm_elemt batch_norm_gather_stats "
    "batch_norm_gather_stats_with_counts batch_norm_stats batch_norm_update_stats "
    "cudnn_affine_grid_generator cudnn_batch_norm cudnn_convolution cudnn_convolution_add_relu "
    "cudnn_convolution_relu cudnn_convolution_transpose cudnn_grid_sampler miopen_batch_norm "
    "miopen_convolution miopen_convolution_add_relu miopen_convolution_relu "
    "miopen_convolution_transpose miopen_ctc_loss miopen_depthwise_convolution miopen_rnn "
    "mkldnn_adaptive_avg_pool2d mkldnn_convolution mkldnn_linear_backward_weights "
    "mkldnn_max_pool2d mkldnn_max_pool3d"
)
_QUANTIZED = (
    "choose_qparams_optimized fbgemm_linear_fp16_weight "
    "fbgemm_linear_fp16_weight_fp32_activation fbgemm_linear_int8_weight "
    "fbgemm_linear_int8_weight_fp32_activation fbgemm_linear_quantize_weight "
    "fbgemm_pack_gemm_matrix_fp16 fbgemm_pack_quantized_matrix "
    "quantized_batch_norm quantized_gru_cell quantized_lstm_cell "
    "quantized_rnn_relu_cell "
    "quantized_rnn_tanh_cell"
)
#: The names of this module, for those that offer them.
NAMES = (*_LIBRARIES.split(), *_QUANTIZED.split())
for _names, _reason in ((_LIBRARIES, REASONS["devices"]), (_QUANTIZED, QUANTIZED)):
    for _name, _function in refusals("torch", _names.split(), _reason).items():
        globals()[_name] = overridable(_function, PARSED)
