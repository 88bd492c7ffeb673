"""What the parts of `UntypedStorage` ask of the whole: each part is a base class of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    from .device import Device, DeviceLike

__all__ = ["StoragePart"]


class StoragePart:
    """Declares, and has nothing of its own."""

    __slots__ = ()

    device: Device
    torch_name: ClassVar[str]
    _meta_nbytes: int
    _origin: Any
    _owner: Any

    if TYPE_CHECKING:  # the storage itself, or another part, has them

        def __init__(self, size: Any = 0, *, device: Any = None) -> None: ...

        @classmethod
        def _empty(cls, nbytes: int, device: Device) -> Self: ...

        def copy_(self, src: Any, non_blocking: bool | None = None) -> Self: ...

        def is_shared(self) -> bool: ...

        def nbytes(self) -> int: ...

        def to(self, *, device: DeviceLike, non_blocking: bool = False) -> Self: ...

        def _data(self) -> Any: ...

        def _exchange(self, owner: Any) -> None: ...

        def _leave(self) -> None: ...

        def _tell_moved(self) -> None: ...

        def _writable(self) -> Any: ...
