"""``torch.onnx.utils``: parts of an export with ``dynamo=False``."""

from __future__ import annotations

from typing import Any

from ..core.submodules import reached
from ..core.unavailable import COMPILER, offer
from ._internal.torchscript_exporter.registration import (
    register_custom_op_symbolic as register_custom_op_symbolic,
)
from ._internal.torchscript_exporter.registration import (
    unregister_custom_op_symbolic as unregister_custom_op_symbolic,
)


def export(model: Any, args: Any, f: Any, **kwargs: Any) -> None:
    """``torch.onnx.export`` with ``dynamo=False``."""
    from . import export

    export(model, args, f, dynamo=False, **kwargs)


offer(
    globals(),
    COMPILER,
    "disable_apex_o2_state_dict_hook exporter_context model_signature setup_onnx_logging "
    "unconvertible_ops unpack_quantized_tensor",
)
__all__: list[str] = []
__getattr__ = reached(
    __name__,
    (),
    {"select_model_mode_for_export": "mindtorch.onnx._internal.torchscript_exporter.utils"},
)
