"""``torch.utils._debug_mode``: a mode that writes down what runs."""

from ._calls import (
    _AnnotateCall,
    _DebugCall,
    _get_call_name,
    _OpCall,
    _OutputPlacementCall,
    _RedistributeCall,
)
from ._mode import DebugMode, get_active_debug_mode
from ._utils import TensorIdTracker, _stringify_shape, hash_tensor_fn, norm_hash_fn

__all__ = [
    "DebugMode",
    "TensorIdTracker",
    "_AnnotateCall",
    "_DebugCall",
    "_OpCall",
    "_OutputPlacementCall",
    "_RedistributeCall",
    "_get_call_name",
    "_stringify_shape",
    "get_active_debug_mode",
    "hash_tensor_fn",
    "norm_hash_fn",
]
