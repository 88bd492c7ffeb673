"""Tables of operators and the functions that write them in others, and what those share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from mindtorch_storage import DType, bfloat16, float16, float32

from .._ops import ops
from ..core.constants import strided
from ..tensor import Tensor

__all__ = ["Decompositions", "cast", "in_float32", "number_like", "options_of", "steps"]

aten = ops.aten
_Function = TypeVar("_Function", bound=Callable[..., Any])


class Decompositions(dict[Any, Callable[..., Any]]):
    """Operators, each with the function that writes it in others."""

    def register(self, *operators: Any) -> Callable[[_Function], _Function]:
        """Let the decorated function stand for *operators*."""

        def register(function: _Function) -> _Function:
            self.update(dict.fromkeys(operators, function))
            return function

        return register


def in_float32(function: Callable[..., Any]) -> Callable[..., Any]:
    """*function* with half precision cast to float32 before and back behind."""

    @functools.wraps(function)
    def computed(*args: Any, **kwargs: Any) -> Any:
        dtypes = {a.dtype for a in args if isinstance(a, Tensor)}
        narrow = dtypes & {float16, bfloat16}
        if not narrow:
            return function(*args, **kwargs)
        wide = [cast(a, float32) if isinstance(a, Tensor) else a for a in args]
        result = function(*wide, **kwargs)
        return cast(result, narrow.pop()) if len(dtypes) == 1 else result

    return computed


def cast(value: Tensor, dtype: DType) -> Any:
    """*value* in *dtype*; itself where it has that."""
    return value if value.dtype == dtype else aten._to_copy.default(value, dtype=dtype)


def options_of(like: Tensor, dtype: DType | None = None) -> dict[str, Any]:
    """The options of a factory that makes a tensor of *like*'s kind."""
    return {
        "dtype": like.dtype if dtype is None else dtype,
        "layout": strided,
        "device": like.device,
        "pin_memory": False,
    }


def number_like(value: Any, like: Tensor) -> Any:
    """A number as a tensor of *like*'s dtype."""
    return aten.scalar_tensor.default(value, dtype=like.dtype, layout=strided, device=like.device)


def steps(start: Any, end: Any, like: Tensor) -> Any:
    """The whole numbers from *start* up to *end* on *like*'s device."""
    return aten.arange.start_step(start, end, layout=strided, device=like.device, pin_memory=False)
