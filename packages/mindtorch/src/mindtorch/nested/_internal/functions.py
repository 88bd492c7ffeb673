"""What programs call of nested tensors that is no op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._ops import ops
from .nested_tensor import FUNCTIONS, NestedTensor

__all__: list[str] = []


def _takes(name: str) -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        FUNCTIONS[name] = function
        return function

    return register


@_takes("__getitem__")
def subscript(func: Any, nt: Any, index: Any) -> Any:
    """Numbers, slices, None and dots: by ``select``, ``slice`` and ``unsqueeze``."""
    parts = list(index) if isinstance(index, tuple) else [index]
    given = sum(p is not None and p is not Ellipsis for p in parts)
    if Ellipsis in [p for p in parts if p is None or p is Ellipsis]:
        at = next(i for i, p in enumerate(parts) if p is Ellipsis)
        parts[at : at + 1] = ["kept"] * (nt.dim() - given)
    dim, found = 0, nt
    for part in parts:
        if part == "kept" and isinstance(part, str):
            dim += 1
        elif part is None:
            found = found.unsqueeze(dim)
            dim += 1
        elif isinstance(part, slice):
            if not isinstance(found, NestedTensor) or dim or part != slice(None):
                found = _sliced(found, dim, part)
            else:
                raise RuntimeError("slice(): not supported for NestedTensor on dim=0")
            dim += 1
        elif isinstance(part, int) and not isinstance(part, bool):
            found = found.select(dim, part)
        else:
            raise NotImplementedError("aten.index.Tensor")
    return found


def _sliced(t: Any, dim: int, part: slice) -> Any:
    if isinstance(t, NestedTensor):
        return ops.aten.slice.Tensor(t, dim, part.start, part.stop, part.step or 1)
    return t[(slice(None),) * dim + (part,)]


@_takes("tolist")
def tolist(func: Any, nt: Any) -> Any:
    """Refused: there is no one shape of lists."""
    raise RuntimeError(f".tolist() is not supported for tensor subclasses, got {type(nt).__name__}")


@_takes("numpy")
def numpy(func: Any, nt: Any, **kwargs: Any) -> Any:
    """Refused: there is no one array."""
    raise RuntimeError(".numpy() is not supported for tensor subclasses.")


@_takes("item")
def item(func: Any, nt: Any) -> Any:
    """The number of one element."""
    if nt.numel() != 1:
        raise RuntimeError(f"a Tensor with {nt.numel()} elements cannot be converted to Scalar")
    return nt._values.item()


@_takes("apply_")
def apply_(func: Any, nt: Any, function: Any) -> Any:
    """Change each element by a function."""
    nt._values.apply_(function)
    return nt


def _parts(nt: Any) -> list[Any]:
    return [getattr(nt, name) for name in nt.__tensor_flatten__()[0]]


@_takes("share_memory_")
def share_memory_(func: Any, nt: Any) -> Any:
    """Move all parts to memory that processes share."""
    for part in _parts(nt):
        part.share_memory_()
    return nt


@_takes("is_shared")
def is_shared(func: Any, nt: Any) -> bool:
    """Whether all parts lie in memory that processes share."""
    return all(part.is_shared() for part in _parts(nt))


@_takes("data_ptr")
def data_ptr(func: Any, nt: Any) -> int:
    """The address of the values."""
    return nt._values.data_ptr()


@_takes("untyped_storage")
def untyped_storage(func: Any, nt: Any) -> Any:
    """The memory of the values."""
    return nt._values.untyped_storage()
