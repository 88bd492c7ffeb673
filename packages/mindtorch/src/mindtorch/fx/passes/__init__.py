"""Passes over graphs."""

from importlib import import_module as _import_module

_SUBMODULES = (
    "graph_manipulation infra operator_support param_fetch shape_prop split_module split_utils "
    "tools_common utils"
).split()


def __getattr__(name: str) -> object:
    """Modules that programs reach without importing them."""
    if name in _SUBMODULES:
        return _import_module(f".{name}", __name__)
    raise AttributeError(f"module 'torch.fx.passes' has no attribute '{name}'")
