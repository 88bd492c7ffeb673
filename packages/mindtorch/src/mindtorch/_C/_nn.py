"""``torch._C._nn``: the functions of op rows that torch keeps there."""

from __future__ import annotations

from typing import Any

from ..aten.register import NN_FUNCTIONS
from ..core.submodules import computed as _computed
from ..tensor.casting import parse_module_to
from ._functions import op_function


def _parse_to(*args: Any, **kwargs: Any) -> tuple[Any, Any, bool, Any]:
    """What a call of ``Module.to`` asks for: device, dtype, non_blocking, memory format."""
    return parse_module_to(args, kwargs)


#: Ops that have a function here, of which their rows do not tell.
_OPS = frozenset(
    (
        "_conv_depthwise2d _test_ambiguous_defaults _test_optional_filled_intlist "
        "_test_optional_floatlist _test_optional_intlist _test_string_default "
        "_test_warn_in_autograd conv_depthwise3d mkldnn_linear mkldnn_reorder_conv2d_weight "
        "mkldnn_reorder_conv3d_weight reflection_pad1d reflection_pad2d reflection_pad3d "
        "relu6 relu6_ replication_pad1d replication_pad2d replication_pad3d slow_conv3d "
        "slow_conv_dilated2d slow_conv_dilated3d slow_conv_transpose2d slow_conv_transpose3d "
        "thnn_conv2d"
    ).split()
)
_of_row, __dir__ = _computed(__name__, NN_FUNCTIONS, NN_FUNCTIONS.get)


def __getattr__(name: str) -> Any:
    return op_function(name) if name in _OPS else _of_row(name)
