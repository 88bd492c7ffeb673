"""Layouts and memory formats: objects that only have a name."""

from __future__ import annotations

from typing import Any

from .pickling import Named


class layout(metaclass=Named):
    """How elements are stored; ``torch.strided`` is the only one that tensors here have."""

    __slots__ = ("_name",)
    __module__ = "torch"

    def __new__(cls) -> layout:
        raise TypeError("cannot create 'torch.layout' instances")

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _named, (self._name,)


class memory_format(metaclass=Named):
    """The order in which dimensions lie in memory."""

    __slots__ = ("_name",)
    __module__ = "torch"

    def __new__(cls) -> memory_format:
        raise TypeError("cannot create 'torch.memory_format' instances")

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _named, (self._name,)


def _made(kind: Any, name: str) -> Any:
    made = object.__new__(kind)
    made._name = name
    return made


def _named(name: str) -> Any:
    """The object of this module called *name*. Pickle must not look for it where its class says
    that it lives: in torch."""
    return globals()[name]


strided = _made(layout, "strided")
sparse_coo = _made(layout, "sparse_coo")
sparse_csr = _made(layout, "sparse_csr")
sparse_csc = _made(layout, "sparse_csc")
sparse_bsr = _made(layout, "sparse_bsr")
sparse_bsc = _made(layout, "sparse_bsc")
_mkldnn = _made(layout, "_mkldnn")
jagged = _made(layout, "jagged")

contiguous_format = _made(memory_format, "contiguous_format")
preserve_format = _made(memory_format, "preserve_format")
channels_last = _made(memory_format, "channels_last")
channels_last_3d = _made(memory_format, "channels_last_3d")

#: By their numbers in C++ (c10/core/Layout.h, MemoryFormat.h), which operators take, too.
LAYOUTS: tuple[Any, ...] = (
    strided, sparse_coo, sparse_csr, _mkldnn, sparse_csc, sparse_bsr, sparse_bsc, jagged,
)  # fmt: skip
MEMORY_FORMATS: tuple[Any, ...] = (
    contiguous_format, preserve_format, channels_last, channels_last_3d,
)  # fmt: skip

__all__ = [
    "_mkldnn",
    "channels_last",
    "channels_last_3d",
    "contiguous_format",
    "jagged",
    "layout",
    "memory_format",
    "preserve_format",
    "sparse_bsc",
    "sparse_bsr",
    "sparse_coo",
    "sparse_csc",
    "sparse_csr",
    "strided",
]
