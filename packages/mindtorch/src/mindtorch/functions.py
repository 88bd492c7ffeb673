"""Functions of ``torch.*`` that are no op: questions about tensors, and switches."""

from __future__ import annotations

from typing import Any

import mindtorch_storage as st

from . import signature as S
from .size import Size
from .tensor import Tensor

__all__ = [
    "broadcast_shapes",
    "get_num_threads",
    "is_complex",
    "is_floating_point",
    "is_storage",
    "is_tensor",
    "numel",
    "result_type",
    "set_num_threads",
    "typename",
]


def is_tensor(obj: Any, /) -> bool:
    """Whether *obj* is a tensor."""
    return isinstance(obj, Tensor)


def is_storage(obj: Any, /) -> bool:
    """Whether *obj* is a storage."""
    return isinstance(obj, (st.UntypedStorage, st.TypedStorage))


def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype of *input* is a floating point type."""
    return input.is_floating_point()


def is_complex(input: Tensor) -> bool:
    """Whether the dtype of *input* is complex."""
    return input.is_complex()


def numel(input: Tensor) -> int:
    """The number of elements of *input*."""
    return input.numel()


def typename(obj: Any, /) -> str:
    """The type's name: ``torch.FloatTensor`` for a tensor."""
    if isinstance(obj, Tensor):
        return obj.type()  # type: ignore[no-any-return]
    module = getattr(obj, "__module__", "") or ""
    prefix = "" if module in ("", "builtins", "__builtin__") else module + "."
    if hasattr(obj, "__qualname__"):
        return prefix + obj.__qualname__
    if hasattr(obj, "__name__"):
        return prefix + obj.__name__
    module = type(obj).__module__
    prefix = "" if module in ("", "builtins") else module + "."
    return prefix + type(obj).__qualname__


def result_type(tensor1: Any, tensor2: Any) -> Any:
    """The dtype that an op on both would compute in; either may be a Python number."""
    from .backends.plan import promoted
    from .calls import number_sig

    sig = 0
    for x in (tensor1, tensor2):
        sig |= x._sig & S.PROMOTION if isinstance(x, Tensor) else number_sig(x)
    return promoted(sig)


def broadcast_shapes(*shapes: Any) -> Size:
    """The shape to which all *shapes* broadcast. Raises RuntimeError if they do not."""
    return Size(st.layout.broadcast_shapes_checked(*shapes))


_threads = [1]


def get_num_threads() -> int:
    """How many threads kernels use: numpy's own choice for matrix products, one elsewhere."""
    return _threads[0]


def set_num_threads(num: int, /) -> None:
    """Remembered and answered by :func:`get_num_threads`; numpy takes its number from the
    environment when it is imported."""
    if num <= 0:
        raise RuntimeError("set_num_threads expects a positive integer")
    _threads[0] = num
