"""``torch._C``: where the memory of tensors is, and whether lazy copies have the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import signature as S
from ..array_memory import address, storage_of
from ..tensor import Tensor


def _of_tensor(name: str, returns: str) -> Callable[[Callable[[Any], Any]], Callable[..., Any]]:
    def decorate(function: Callable[[Any], Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            if len(args) != 1 or not isinstance(args[0], Tensor):
                raise TypeError(
                    f"{name}(): incompatible function arguments. The following argument types are "
                    f"supported:\n    1. (arg0: torch.Tensor) -> {returns}\n\nInvoked with: "
                    + ", ".join(map(repr, args))
                )
            return function(args[0])

        call.__name__ = call.__qualname__ = name
        call.__doc__ = function.__doc__
        return call

    return decorate


@_of_tensor("_is_cow_tensor", "bool")
def _is_cow_tensor(t: Any) -> bool:
    """Whether the memory of *t* is that of a lazy copy too."""
    return bool(t._sig & S.COW)


@_of_tensor("_data_address", "int")
def _data_address(t: Any) -> int:
    """The address of the storage; asking makes no copy."""
    t._settle()
    storage = storage_of(t)
    if storage._together is not None and storage.block is None:
        return 0 if storage._owner is None else address(storage._owner)
    return int(storage.data_ptr())


@_of_tensor("_storage_address", "int")
def _storage_address(t: Any) -> int:
    """A number of the storage of *t*."""
    return storage_of(t)._cdata
