"""Layouts and memory formats: objects that only have a name."""

from __future__ import annotations

from typing import Any

from ._pickling import Named


class layout(metaclass=Named):
    """How elements are stored; ``torch.strided`` is the only one that tensors here have."""

    __slots__ = ("_name",)
    __module__ = "torch"

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _named, (self._name,)


class memory_format(metaclass=Named):
    """The order in which dimensions lie in memory."""

    __slots__ = ("_name",)
    __module__ = "torch"

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _named, (self._name,)


def _named(name: str) -> Any:
    """The object of this module called *name*. Pickle must not look for it where its class says
    that it lives: in torch."""
    return globals()[name]


strided = layout("strided")
sparse_coo = layout("sparse_coo")
sparse_csr = layout("sparse_csr")
sparse_csc = layout("sparse_csc")
sparse_bsr = layout("sparse_bsr")
sparse_bsc = layout("sparse_bsc")
_mkldnn = layout("_mkldnn")
jagged = layout("jagged")

contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
channels_last = memory_format("channels_last")
channels_last_3d = memory_format("channels_last_3d")

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
