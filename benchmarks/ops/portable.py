"""Calls as plain data: made with one framework, pickled, and made again with another.

A tensor travels as numbers, dtype and layout, what belongs to a framework (dtypes, devices,
generators) by its name. So a process that has another mindtorch, or only torch, gets the same call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Packed", "PackedTensor", "Unportable", "grown", "pack", "tensors", "unpack"]

#: dtypes that numpy has as well; numbers of the others travel as the wider one.
_THROUGH = {"bfloat16": "float32", "complex32": "complex64"}
_NUMPY = {
    *("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
}


class Unportable(Exception):
    """An argument that cannot be written down; the text says which."""


class PackedTensor(NamedTuple):
    """What makes a tensor: all numbers of its memory, and how they are looked at."""

    memory: Any
    dtype: str
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    requires_grad: bool

    @property
    def contiguous(self) -> bool:
        """Whether the numbers lie in the order of the dimensions."""
        expected = 1
        for size, stride in zip(reversed(self.sizes), reversed(self.strides), strict=True):
            if size != 1 and stride != expected:
                return False
            expected *= max(size, 1)
        return True


class Named(NamedTuple):
    """An object of the framework: ``torch.float32``, a device, a generator, a size."""

    kind: str
    value: Any


class Packed(NamedTuple):
    """The arguments of a call."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


# -- to data ---------------------------------------------------------------------------------------


def pack(torch: Any, value: Any) -> Any:
    """*value*, an argument made with *torch*, as data."""
    if isinstance(value, torch.Tensor):
        return _pack_tensor(torch, value)
    if value is None or isinstance(value, (bool, int, float, complex, str, slice)):
        return value
    if isinstance(value, torch.Size):
        return Named("Size", tuple(value))
    if isinstance(value, (list, tuple)):
        return type(value)([pack(torch, item) for item in value])
    if isinstance(value, dict):
        return {name: pack(torch, item) for name, item in value.items()}
    if isinstance(value, torch.Generator):
        return Named("Generator", None)
    if isinstance(value, torch.device):
        return Named("device", str(value))
    for kind in (torch.dtype, torch.layout, torch.memory_format):
        if isinstance(value, kind):
            return Named("attribute", str(value).removeprefix("torch."))
    raise Unportable(f"an argument is a {type(value).__name__}")


def _pack_tensor(torch: Any, tensor: Any) -> PackedTensor:
    name = str(tensor.dtype).removeprefix("torch.")
    if tensor.layout is not torch.strided or tensor.is_conj() or tensor.is_neg():
        raise Unportable("a tensor is not plain memory")
    if _THROUGH.get(name, name) not in _NUMPY:
        raise Unportable(f"a tensor is {name}")
    plain = tensor.detach()
    count = plain.untyped_storage().nbytes() // max(plain.element_size(), 1)
    memory = plain.as_strided((count,), (1,), 0)
    if name in _THROUGH:
        memory = memory.to(getattr(torch, _THROUGH[name]))
    return PackedTensor(
        memory.numpy().copy(),
        name,
        tuple(tensor.shape),
        tuple(tensor.stride()),
        tensor.storage_offset(),
        bool(tensor.requires_grad),
    )


# -- and back --------------------------------------------------------------------------------------


def unpack(torch: Any, value: Any) -> Any:
    """The argument that *value* describes, made with *torch*."""
    if isinstance(value, PackedTensor):
        return _unpack_tensor(torch, value)
    if isinstance(value, Named):
        if value.kind == "Generator":
            return torch.Generator().manual_seed(0)
        if value.kind == "attribute":
            return getattr(torch, value.value)
        return getattr(torch, value.kind)(value.value)
    if isinstance(value, Packed):
        return Packed(unpack(torch, value.args), unpack(torch, value.kwargs))
    if isinstance(value, (list, tuple)):
        return type(value)([unpack(torch, item) for item in value])
    if isinstance(value, dict):
        return {name: unpack(torch, item) for name, item in value.items()}
    return value


def _unpack_tensor(torch: Any, value: PackedTensor) -> Any:
    tensor = torch.from_numpy(value.memory.copy())
    if value.dtype in _THROUGH:
        tensor = tensor.to(getattr(torch, value.dtype))
    if value.sizes != value.memory.shape or not value.contiguous:
        tensor = tensor.as_strided(value.sizes, value.strides, value.offset)
    return tensor.requires_grad_(True) if value.requires_grad else tensor


# -- looking at them -------------------------------------------------------------------------------


def tensors(value: Any) -> Iterator[PackedTensor]:
    """Every tensor of a call, in order."""
    if isinstance(value, PackedTensor):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from tensors(item)
    elif isinstance(value, (list, tuple)) and not isinstance(value, Named):
        for item in value:
            yield from tensors(item)


def _mapped(value: Any, change: Callable[[PackedTensor], PackedTensor]) -> Any:
    if isinstance(value, PackedTensor):
        return change(value)
    if isinstance(value, Packed):
        return Packed(_mapped(value.args, change), _mapped(value.kwargs, change))
    if isinstance(value, dict):
        return {name: _mapped(item, change) for name, item in value.items()}
    if isinstance(value, (list, tuple)) and not isinstance(value, Named):
        return type(value)([_mapped(item, change) for item in value])
    return value


Sizes = tuple[int, ...]


def _growths(step: int, deepest: int) -> list[Callable[[Sizes], Sizes]]:
    """Ways to other sizes, of which an op takes the one or the other: what is equal stays equal."""

    def all_of(sizes: Sizes) -> Sizes:
        return tuple(n + step if n > 1 else n for n in sizes)

    def times(sizes: Sizes) -> Sizes:
        return tuple(n * (step + 1) if n > 1 else n for n in sizes)

    def leading(sizes: Sizes) -> Sizes:
        return (sizes[0] + step, *sizes[1:]) if len(sizes) == deepest else sizes

    def leading_of_all(sizes: Sizes) -> Sizes:
        return (sizes[0] + step, *sizes[1:]) if sizes else sizes

    def last(sizes: Sizes) -> Sizes:
        return (*sizes[:-1], sizes[-1] + step) if len(sizes) == deepest else sizes

    return [all_of, times, leading, leading_of_all, last]


def grown(call: Packed, step: int, way: int) -> Packed | None:
    """*call* with other sizes of its tensors, the more the larger *step*; numbers are repeated.

    :param way: which of the ways; None is returned where there is none of that number, and where
        the call has nothing that could grow.
    """
    operands = list(tensors(call))
    deepest = max((len(t.sizes) for t in operands), default=0)
    ways = _growths(step, deepest)
    if not deepest or way >= len(ways) or not all(t.contiguous for t in operands):
        return None

    def change(tensor: PackedTensor) -> PackedTensor:
        sizes = ways[way](tensor.sizes)
        if sizes == tensor.sizes:
            return tensor
        strides, count = [], 1
        for size in reversed(sizes):
            strides.append(count)
            count *= max(size, 1)
        memory = np.resize(tensor.memory[tensor.offset :], int(np.prod(sizes)))
        return tensor._replace(
            memory=memory, sizes=sizes, strides=tuple(reversed(strides)), offset=0
        )

    return _mapped(call, change)
