"""``torch.utils``."""

from __future__ import annotations

from importlib import import_module as _import_module
from os.path import dirname as _dirname
from os.path import join as _join
from typing import Any

from ..core.submodules import reached as _reached

__all__ = ["cmake_prefix_path", "hooks", "set_module"]

#: What is looked for when first asked for: modules, and names with the modules that have them.
_MODULES = (
    "_config_module _contextlib _debug_mode _device _dtype_abbrs _exposed_in _foreach_utils "
    "_functools _helion _inspect _import_utils _mode_utils _ordered_set _pallas _python_dispatch "
    "_pytree _stats _sympy _thunk _traceback _triton _typing_utils backcompat backend_registration "
    "benchmark bundled_inputs checkpoint collect_env cpp_backtrace cpp_extension data "
    "deterministic dlpack file_baton flop_counter hooks mkldnn mobile_optimizer model_zoo "
    "module_tracker serialization tensorboard throughput_benchmark viz weak"
).split()
_HOMES = {
    "generate_methods_for_privateuse1_backend": ".backend_registration",
    "rename_privateuse1_backend": ".backend_registration",
    "swap_tensors": ".swapping",
    "ThroughputBenchmark": ".throughput_benchmark",
    "get_cpp_backtrace": ".cpp_backtrace",
}

#: Where CMake would find torch's settings: a folder that is not there, for there is no C++.
cmake_prefix_path = _join(_dirname(_dirname(__file__)), "share", "cmake")


def set_module(obj: Any, mod: str) -> None:
    """Say that *obj*, a function or class, lives in *mod*. Raises TypeError for what is no text."""
    if not isinstance(mod, str):
        raise TypeError("The mod argument should be a string")
    obj.__module__ = mod


__getattr__ = _reached(__name__, _MODULES, _HOMES)


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES, *_HOMES})
