"""What the parts of `UntypedStorage` ask of the whole: each part is a base class of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from .device import Device, DeviceLike
from .dtype import DType

__all__ = ["StoragePart", "TypedElements"]


class TypedElements(Protocol):
    """A `TypedStorage`, as far as storages of bytes know it."""

    dtype: DType

    def __len__(self) -> int: ...

    def __getitem__(self, index: Any, /) -> Any: ...

    def tolist(self) -> list[Any]:
        """The elements as Python values."""
        ...

    def untyped(self) -> Any:
        """The storage under it."""
        ...

    def _to(self, dtype: Any, /) -> TypedElements: ...


class StoragePart:
    """Declares, and has nothing of its own."""

    __slots__ = ()

    device: Device
    pending: Any
    torch_name: ClassVar[str]
    _meta_nbytes: int
    _origin: Any
    _owner: Any

    if TYPE_CHECKING:  # the storage itself, or another part, has them

        def __init__(self, size: Any = 0, *, device: Any = None) -> None: ...

        @classmethod
        def _empty(cls, nbytes: int, device: Device) -> Self: ...

        def copy_(self, src: Any, non_blocking: bool | None = None) -> Self: ...

        def data_ptr(self) -> int: ...

        def is_shared(self) -> bool: ...

        def nbytes(self) -> int: ...

        def to(self, *, device: DeviceLike, non_blocking: bool = False) -> Self: ...

        def _data(self) -> Any: ...

        def _exchange(self, owner: Any) -> None: ...

        def _leave(self) -> None: ...

        def _tell_moved(self) -> None: ...

        def _writable(self) -> Any: ...
