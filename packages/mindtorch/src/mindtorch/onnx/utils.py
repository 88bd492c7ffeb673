"""``torch.onnx.utils``: parts of an export, refused when called."""

from __future__ import annotations

from ..core.unavailable import COMPILER, offer

offer(
    globals(),
    COMPILER,
    "disable_apex_o2_state_dict_hook export exporter_context model_signature "
    "register_custom_op_symbolic select_model_mode_for_export setup_onnx_logging "
    "unconvertible_ops unpack_quantized_tensor unregister_custom_op_symbolic",
)
