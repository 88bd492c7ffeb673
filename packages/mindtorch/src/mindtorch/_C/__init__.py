"""``torch._C``: the dispatcher's introspection under torch's names, and the core classes.

Only what is real is here; a name of torch's that is missing has nothing behind it yet.
Differences of key order and names are those of ``mindtorch_dispatch`` (its README lists them).
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any as _Any

from mindtorch_autograd import is_grad_enabled as _is_grad_enabled
from mindtorch_dispatch import DispatchKey, DispatchKeySet
from mindtorch_storage import Device as device
from mindtorch_storage import DType as dtype
from mindtorch_storage import UntypedStorage as StorageBase

from ..constants import layout, memory_format
from ..defaults import types_device as _types_device
from ..function_points import set_grad_enabled as _set_grad_enabled  # noqa: F401
from ..generator import Generator
from ..size import Size
from ..tensor import Tensor as TensorBase
from . import _functorch, _nn
from ._engine import *  # noqa: F403
from ._functions import _VariableFunctions
from ._keys import *  # noqa: F403
from ._masks import *  # noqa: F403
from ._modes import *  # noqa: F403
from ._registrations import *  # noqa: F403
from ._schemas import *  # noqa: F403

__all__ = [
    "DispatchKey",
    "DispatchKeySet",
    "Generator",
    "Size",
    "StorageBase",
    "TensorBase",
    "_VariableFunctions",
    "_functorch",
    "_nn",
    "device",
    "dtype",
    "layout",
    "memory_format",
]


def is_grad_enabled() -> bool:
    """Whether grad mode is on in this thread."""
    return _is_grad_enabled()


def _get_default_device() -> str:
    """The kind of device of the default tensor type."""
    return _types_device()


def _get_privateuse1_backend_name() -> str:
    """What the device is called that torch does not know: ``npu`` until it is renamed."""
    from ..backends.own import device_name

    return device_name()


def _rename_privateuse1_backend(name: str) -> None:
    """Give ``PrivateUse1`` to another device."""
    from ..backends.own import rename

    rename(name)


#: Names of ``_memory``.
_MEMORY = frozenset(
    "_data_address _has_storage _is_alias_of _is_cow_tensor _overlaps _storage_address "
    "_storage_id".split()
)
#: Names that need the rest of the package: what they are in ``handing_over``.
_HANDING_OVER = {
    "_has_torch_function": "has_torch_function",
    "_has_torch_function_unary": "has_torch_function_unary",
    "_has_torch_function_variadic": "has_torch_function_variadic",
    "_skip_one_hop_torch_function": "redispatch_function",
}


#: What the package itself shows too, which this one is a part of.
_OF_PACKAGE = frozenset(
    ("AcceleratorError", "Event", "OutOfMemoryError", "Stream", "autocast_decrement_nesting",
     "autocast_increment_nesting", "clear_autocast_cache", "default_generator", "finfo",
     "get_autocast_dtype", "get_default_dtype", "get_num_interop_threads", "get_num_threads",
     "iinfo", "is_anomaly_check_nan_enabled", "is_anomaly_enabled", "is_autocast_cache_enabled",
     "is_autocast_enabled", "is_inference_mode_enabled", "set_anomaly_enabled",
     "set_autocast_cache_enabled", "set_autocast_dtype", "set_autocast_enabled",
     "set_flush_denormal", "set_num_interop_threads", "set_num_threads")
)  # fmt: skip
#: Names that need the gradients of the package, in ``_differentiation``.
_DIFFERENTIATION = frozenset(
    ("_DisableAutocast", "_FunctionBase", "_ImperativeEngine", "_InferenceMode",
     "_LegacyVariableBase", "_any_requires_grad", "_enter_dual_level",
     "_exit_dual_level", "_increment_version", "_is_fwd_grad_enabled", "_set_fwd_grad_enabled")
)  # fmt: skip


def __getattr__(name: str) -> _Any:
    if name in _DIFFERENTIATION:
        from . import _differentiation

        return getattr(_differentiation, name)
    if name in _OF_PACKAGE:
        import mindtorch

        return getattr(mindtorch, name)
    if name in _HANDING_OVER:
        from .. import handing_over

        return getattr(handing_over, _HANDING_OVER[name])
    if name in _MEMORY:
        from . import _memory

        return getattr(_memory, name)
    if name in ("_acc", "_autograd"):
        return _import_module(f".{name}", __name__)
    if name.startswith(("_npu_", "_accelerator_", "_get_accelerator", "_host_")):
        from ._devices import BINDINGS

        if name in BINDINGS:
            return BINDINGS[name]
    if name in ("_from_dlpack", "_to_dlpack"):
        from .. import dlpack

        return getattr(dlpack, name[1:])
    if name in ("PyTorchFileReader", "PyTorchFileWriter"):
        from ..serialization import records

        return getattr(records, name)
    raise AttributeError(f"module 'torch._C' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
