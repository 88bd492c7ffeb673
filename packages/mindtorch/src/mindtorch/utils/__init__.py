"""``torch.utils``."""

from __future__ import annotations

from importlib import import_module as _import_module
from os.path import dirname as _dirname
from os.path import join as _join
from typing import Any

__all__ = ["cmake_prefix_path", "hooks", "set_module"]

#: Names that are looked for when first asked for: the submodule, "" where it is the name itself.
_LAZY = {
    "_device": "",
    "_mode_utils": "",
    "_python_dispatch": "",
    "_pytree": "",
    "backend_registration": "",
    "_contextlib": "",
    "_foreach_utils": "",
    "_import_utils": "",
    "_ordered_set": "",
    "_stats": "",
    "_traceback": "",
    "_typing_utils": "",
    "backcompat": "",
    "benchmark": "",
    "bundled_inputs": "",
    "checkpoint": "",
    "collect_env": "",
    "cpp_extension": "",
    "data": "",
    "deterministic": "",
    "dlpack": "",
    "file_baton": "",
    "hooks": "",
    "flop_counter": "",
    "generate_methods_for_privateuse1_backend": "backend_registration",
    "rename_privateuse1_backend": "backend_registration",
    "mkldnn": "",
    "mobile_optimizer": "",
    "model_zoo": "",
    "module_tracker": "",
    "serialization": "",
    "swap_tensors": "swapping",
    "tensorboard": "",
    "throughput_benchmark": "",
    "weak": "",
    "ThroughputBenchmark": "throughput_benchmark",
    "_triton": "",
    "cpp_backtrace": "",
    "get_cpp_backtrace": "cpp_backtrace",
}

#: Where CMake would find torch's settings: a folder that is not there, for there is no C++.
cmake_prefix_path = _join(_dirname(_dirname(__file__)), "share", "cmake")


def set_module(obj: Any, mod: str) -> None:
    """Say that *obj*, a function or class, lives in *mod*. Raises TypeError for what is no text."""
    if not isinstance(mod, str):
        raise TypeError("The mod argument should be a string")
    obj.__module__ = mod


def __getattr__(name: str) -> Any:
    home = _LAZY.get(name)
    if home is None:
        raise AttributeError(f"module 'torch.utils' has no attribute '{name}'")
    try:
        found = _import_module(f".{home or name}", __name__)
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{home or name}":
            raise
        raise AttributeError(f"module 'torch.utils' has no attribute '{name}'") from None
    return getattr(found, name) if home else found


def __dir__() -> list[str]:
    return sorted({*__all__, *_LAZY})
