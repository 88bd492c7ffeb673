"""``torch.utils``."""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any

from . import hooks

__all__ = ["hooks"]

#: Names that are looked for when first asked for: the submodule, "" where it is the name itself.
_LAZY = {
    "_device": "",
    "_mode_utils": "",
    "_python_dispatch": "",
    "_pytree": "",
    "backend_registration": "",
    "_content_store": "",
    "_contextlib": "",
    "_debug_mode": "",
    "_foreach_utils": "",
    "_import_utils": "",
    "_ordered_set": "",
    "_stats": "",
    "_traceback": "",
    "_typing_utils": "",
    "backcompat": "",
    "benchmark": "",
    "bottleneck": "",
    "bundled_inputs": "",
    "checkpoint": "",
    "collect_env": "",
    "cpp_extension": "",
    "data": "",
    "deterministic": "",
    "dlpack": "",
    "file_baton": "",
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
}


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
