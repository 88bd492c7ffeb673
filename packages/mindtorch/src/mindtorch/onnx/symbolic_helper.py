"""``torch.onnx.symbolic_helper``: marks of functions that say how an op is exported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.unavailable import COMPILER, offer


def parse_args(*arg_descriptors: str) -> Callable[[Any], Any]:
    """A decorator for a function that writes an op; it returns the function."""

    def decorator(fn: Any) -> Any:
        fn._arg_descriptors = arg_descriptors
        return fn

    return decorator


def quantized_args(*arg_q_descriptors: bool, **kwargs: Any) -> Callable[[Any], Any]:
    """A decorator for a function that writes an op; it returns the function."""
    return parse_args()


offer(
    globals(),
    COMPILER,
    "_get_const _get_tensor_dim_size _get_tensor_rank _get_tensor_sizes _is_none _maybe_get_const "
    "_onnx_unsupported _parse_arg _unimplemented",
)
__all__: list[str] = []
