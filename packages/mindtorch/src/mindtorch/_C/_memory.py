"""``torch._C``: where the memory of tensors is, and whether lazy copies have the same."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any, SupportsIndex, SupportsInt

from mindtorch_storage import UntypedStorage

from ..core import signature as S
from ..tensor import Tensor
from ..tensor.array_memory import address, same_storage, storage_of
from ..tensor.storage_referrers import tensors_over


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
    return bool(t._sig_ & S.COW)


@_of_tensor("_data_address", "int")
def _data_address(t: Any) -> int:
    """The address of the storage; asking makes no copy."""
    t._settle_()
    storage = storage_of(t)
    if storage._together is not None and storage.block is None:
        return 0 if storage._owner is None else address(storage._owner)
    return int(storage.data_ptr())


@_of_tensor("_storage_address", "int")
def _storage_address(t: Any) -> int:
    """A number of the storage of *t*."""
    return storage_of(t)._cdata


@_of_tensor("_storage_id", "int")
def _storage_id(t: Any) -> int:
    """A number of the storage of *t*."""
    return storage_of(t)._cdata


@_of_tensor("_has_storage", "bool")
def _has_storage(t: Any) -> bool:
    """Whether there is a storage under *t*, if only one of a size, as under wrappers."""
    return not t._sig_ & (S.SPARSE_LAYOUTS | S.BATCHED)


def _is_alias_of(a: Any, b: Any) -> bool:
    """Whether two tensors lie in one storage; False for what is none."""
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        return False
    return same_storage(a, b)


#: torch's answers for the storage as well, not for the elements.
_overlaps = _is_alias_of


def _setter(bit: int) -> Callable[[Tensor, bool], None]:
    def set_bit(t: Tensor, value: bool, /) -> None:
        """Say whether the numbers of *t* are those in memory, conjugated or negated."""
        t._sig_ = t._sig_ | bit if value else t._sig_ & ~bit
        t._meta_ = S.STALE

    return set_bit


_set_conj, _set_neg = _setter(S.CONJ), _setter(S.NEG)


def _storage_Use_Count(*args: Any) -> int:
    """How many hold the storage of this number: each tensor over it, and its object in Python.

    The garbage collector knows, which takes milliseconds.
    """
    if len(args) != 1 or not isinstance(args[0], SupportsInt | SupportsIndex):
        raise TypeError(
            "_storage_Use_Count(): incompatible function arguments. The following argument types "
            "are supported:\n    1. (arg0: typing.SupportsInt | typing.SupportsIndex) -> int"
            "\n\nInvoked with: " + ", ".join(map(repr, args))
        )
    number = int(args[0])
    for one in gc.get_objects():
        if isinstance(one, UntypedStorage) and getattr(one, "_number", None) == number:
            return 1 + len(tensors_over([one]))
    return 0
