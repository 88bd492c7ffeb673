"""``torch.autograd``: differentiation. The engine is the package ``mindtorch_autograd``."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from mindtorch_autograd import (
    Function,
    detect_anomaly,
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_detect_anomaly,
    set_grad_enabled,
    set_multithreading_enabled,
)
from mindtorch_autograd import backward as _backward
from mindtorch_autograd import grad as _grad
from mindtorch_autograd.grad_mode import is_inference_mode_enabled, is_multithreading_enabled

from ..call.intercept import overridable
from ..core.module_names import living_in
from ..core.submodules import reached as _reached
from . import function, grad_mode, graph
from .function import NestedIOFunction
from .grad_mode import (
    _force_original_view_tracking,
    _unsafe_preserve_version_counter,
    enforce_grad_layout_policy,
)
from .graph import _engine_run_backward  # as torch has it

__all__ = [
    "Function",
    "NestedIOFunction",
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "enforce_grad_layout_policy",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
    "variable",
]

backward = overridable(_backward)
grad = overridable(_grad)
living_in(__name__, backward, grad)

#: What is imported when first asked for: a submodule, or a name in one.
_MODULES = "anomaly_mode forward_ad functional profiler profiler_legacy profiler_util".split()
_HOMES = {
    "Variable": ".variable",
    "_calculate_shape": ".root_gradients",
    "_is_checkpoint_valid": ".root_gradients",
    "_make_grads": ".root_gradients",
    "_tensor_or_tensors_to_tuple": ".root_gradients",
    "gradgradcheck": ".gradcheck",
    "is_view_replay_enabled": ".grad_mode",
    # Names of torch._C._autograd that stand here too.
    **dict.fromkeys(
        ("DeviceType", "ProfilerActivity", "ProfilerConfig", "ProfilerState", "SavedTensor",
         "_KinetoEvent", "_ProfilerResult", "_add_metadata_json",
         "_disable_profiler", "_enable_profiler", "_get_sequence_nr", "_is_kineto_stopped",
         "_kineto_step", "_pop_saved_tensors_default_hooks", "_prepare_profiler",
         "_profiler_enabled", "_push_saved_tensors_default_hooks", "kineto_available"),
        ".._C._autograd",
    ),
}  # fmt: skip


def _variable(*args: Any, **kwargs: Any) -> Any:
    """Raise RuntimeError: variables are tensors."""
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


_variable.__name__ = _variable.__qualname__ = "variable"


class _Autograd(ModuleType):
    """The module, where two functions hide the submodules of their names, also imported ones."""

    @property
    def gradcheck(self) -> Any:
        """``torch.autograd.gradcheck.gradcheck``."""
        own = self.__dict__.get("_gradcheck")
        return import_module(".gradcheck", __name__).gradcheck if own is None else own

    @property
    def variable(self) -> Any:
        """What once made a tensor with gradients; its attribute ``Variable`` is the class."""
        _variable.Variable = import_module(".variable", __name__).Variable
        return _variable

    @variable.setter
    def variable(self, value: Any) -> None:
        """Nothing: the import of the submodule sets it."""

    @gradcheck.setter
    def gradcheck(self, value: Any) -> None:
        if not isinstance(value, ModuleType):  # which the import of the submodule sets
            self.__dict__["_gradcheck"] = value


sys.modules[__name__].__class__ = _Autograd


__getattr__ = _reached(__name__, _MODULES, _HOMES)


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES, *_HOMES, "gradcheck"})
