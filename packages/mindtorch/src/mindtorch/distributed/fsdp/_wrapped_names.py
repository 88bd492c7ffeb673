"""The names of parameters inside of a wrapper, which state dicts do not show."""

from __future__ import annotations

from typing import Any

from ...tensor import Tensor

__all__ = [
    "FSDP_PREFIX",
    "FSDP_WRAPPED_MODULE",
    "clean_tensor_name",
    "with_wrapper",
    "without_wrapper",
]

FSDP_WRAPPED_MODULE = "_fsdp_wrapped_module"
FSDP_PREFIX = FSDP_WRAPPED_MODULE + "."


def clean_tensor_name(tensor_name: str) -> str:
    """A name without what wrappers put in."""
    return tensor_name.replace(FSDP_PREFIX, "").replace("_checkpoint_wrapped_module.", "")


def without_wrapper(module: Any, state_dict: Any, prefix: str, metadata: Any) -> Any:
    """A hook: take what the wrapper puts into names out of them."""
    inside = prefix + FSDP_PREFIX
    for key in [k for k in state_dict if k.startswith(inside)]:
        value = state_dict.pop(key)
        if module._settings.state_dict_config.offload_to_cpu and isinstance(value, Tensor):
            value = value.cpu()
        state_dict[prefix + key[len(inside) :]] = value
    return state_dict


def with_wrapper(module: Any, state_dict: Any, prefix: str, *args: Any) -> None:
    """A hook: put it in again."""
    for key in [k for k in state_dict if k.startswith(prefix)]:
        rest = key[len(prefix) :]
        if not rest.startswith(FSDP_PREFIX):
            state_dict[prefix + FSDP_PREFIX + rest] = state_dict.pop(key)
