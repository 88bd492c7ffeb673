"""DispatchKeySet: an immutable set of dispatch keys, which is one integer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .keys import (
    BACKEND_COMPONENTS,
    BY_BIT,
    DENSE_MASK,
    FUNCTIONALITY_KEYS,
    TORCH_ORDER,
    DispatchKey,
    autograd_keys_of_backends,
    key_name,
    parse_key,
)

__all__ = ["DispatchKeySet", "mask_of"]

_M = DispatchKey
#: Device type → the bit of its dense backend: every name of its key, and torch's word for ours.
DEVICE_BIT: dict[str, int] = {
    name.lower(): int(key) for name, key in _M.__members__.items() if key in BACKEND_COMPONENTS
}
DEVICE_BIT["privateuseone"] = int(_M.NPU)
# Which backend runs a call whose tensors live on several: first found wins.
_MIX_ORDER: tuple[int, ...] = (_M.Meta, _M.NPU, *reversed(BACKEND_COMPONENTS))


class DispatchKeySet:
    """A set of dispatch keys; iterates from the highest priority to the lowest."""

    __slots__ = ("mask",)

    #: The set as an integer: the OR of its keys.
    mask: int

    def __init__(self, *keys: int | DispatchKeySet | Iterable[int | DispatchKeySet]) -> None:
        _set_mask(self, mask_of(*keys))

    @classmethod
    def from_mask(cls, mask: int) -> DispatchKeySet:
        """The set whose keys are the bits of *mask*."""
        self = _new(cls)
        _set_mask(self, int(mask))
        return self

    @classmethod
    def from_tensors(
        cls,
        tensors: Iterable[Any],
        *,
        grad_enabled: bool = False,
        pipeline_enabled: bool = False,
        functionalize_enabled: bool = False,
        device: Any = None,
    ) -> DispatchKeySet:
        """The effective key set of a call over *tensors*.

        A tensor is anything with ``device`` (a string, or something with ``type``); what has no
        ``requires_grad`` needs no gradient. *device* joins the tensors' devices. Devices that
        differ resolve Meta over NPU over the rest.

        Has the backend's autograd key and ``Autograd`` only where grad mode is on and a tensor
        requires grad.
        """
        devices = 0
        grad = False
        for t in tensors:
            devices |= device_bit(t.device)
            if grad_enabled and not grad:
                grad = bool(getattr(t, "requires_grad", False))
        if device is not None:
            devices |= device_bit(device)
        mask = resolve_backends(devices)
        if grad:
            mask |= autograd_keys_of_backends(mask) | _M.Autograd
        if pipeline_enabled:
            mask |= _M.Pipeline
        if functionalize_enabled:
            mask |= _M.Functionalize
        return cls.from_mask(mask)

    def has(self, key: int) -> bool:
        """Whether *key* is in the set."""
        return bool(self.mask & key)

    def add(self, *keys: int | DispatchKeySet) -> DispatchKeySet:
        """The set with *keys* in it too."""
        return DispatchKeySet.from_mask(self.mask | mask_of(*keys))

    def remove(self, *keys: int | DispatchKeySet) -> DispatchKeySet:
        """The set without *keys*.

        A functionality (``AutogradFunctionality``, ``Dense``…) goes for every backend, and
        ``Autograd`` takes with it every autograd key; ``-`` is plain set difference.
        """
        return DispatchKeySet.from_mask(self.mask & ~with_members(mask_of(*keys)))

    without = remove

    def iter_keys(self) -> Iterator[DispatchKey]:
        """The keys, highest priority first."""
        mask = self.mask
        while mask:
            bit = 1 << (mask.bit_length() - 1)
            yield BY_BIT[bit]
            mask ^= bit

    __iter__ = iter_keys

    def highest_priority_key(self) -> DispatchKey:
        """The key that is dispatched to first; Undefined for the empty set."""
        mask = self.mask
        return BY_BIT[1 << (mask.bit_length() - 1)] if mask else DispatchKey.Undefined

    #: torch's name for it.
    highestPriorityTypeId = highest_priority_key

    def raw_repr(self) -> int:
        """The set as an integer, for :meth:`from_raw_repr` (torch's bits are other ones)."""
        return self.mask

    from_raw_repr = from_mask

    def __contains__(self, key: object) -> bool:
        return isinstance(key, int) and bool(self.mask & key)

    def __or__(self, other: DispatchKeySet | int) -> DispatchKeySet:
        if not isinstance(other, (DispatchKeySet, int)):
            return NotImplemented
        return DispatchKeySet.from_mask(self.mask | mask_of(other))

    def __and__(self, other: DispatchKeySet | int) -> DispatchKeySet:
        if not isinstance(other, (DispatchKeySet, int)):
            return NotImplemented
        return DispatchKeySet.from_mask(self.mask & mask_of(other))

    def __sub__(self, other: DispatchKeySet | int) -> DispatchKeySet:
        if not isinstance(other, (DispatchKeySet, int)):
            return NotImplemented
        return DispatchKeySet.from_mask(self.mask & ~mask_of(other))

    def __xor__(self, other: DispatchKeySet | int) -> DispatchKeySet:
        if not isinstance(other, (DispatchKeySet, int)):
            return NotImplemented
        return DispatchKeySet.from_mask(self.mask ^ mask_of(other))

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return self.mask != 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DispatchKeySet):
            return NotImplemented
        return self.mask == other.mask

    def __hash__(self) -> int:
        return hash(self.mask)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"DispatchKeySet is immutable; cannot set {name!r}")

    def __reduce__(self) -> tuple[Any, tuple[int]]:
        return DispatchKeySet.from_mask, (self.mask,)

    def __repr__(self) -> str:
        # torch lists a set lowest key first.
        mask = self.mask
        low = mask & (int(_M.CPU) - 1)
        names = [key_name(k) for k in TORCH_ORDER if k & mask]
        while low:
            bit = low & -low
            names.append(key_name(bit))
            low ^= bit
        return f"DispatchKeySet({', '.join(names)})"


_new = object.__new__
_set_mask = DispatchKeySet.__dict__["mask"].__set__


def mask_of(*keys: int | str | DispatchKeySet | Iterable[int | str | DispatchKeySet]) -> int:
    """The OR of keys, names of keys, masks, key sets and iterables of them."""
    mask = 0
    for key in keys:
        if isinstance(key, int):
            mask |= key
        elif isinstance(key, DispatchKeySet):
            mask |= key.mask
        elif isinstance(key, str):
            mask |= parse_key(key)
        else:
            mask |= mask_of(*key)
    return mask


def with_members(mask: int) -> int:
    """*mask* with every key that a functionality key or ``Autograd`` in it stands for."""
    if mask & _FUNCTIONALITIES:
        for key, members in FUNCTIONALITY_KEYS.items():
            if mask & key:
                mask |= members
    return mask


_FUNCTIONALITIES: int = sum(FUNCTIONALITY_KEYS)


def device_bit(device: Any) -> int:
    """The bit of a device's backend: of ``"npu:0"``, or of something with ``type``."""
    kind = device if isinstance(device, str) else device.type
    bit = DEVICE_BIT.get(kind)
    if bit is None:
        bit = DEVICE_BIT.get(kind.partition(":")[0])
        if bit is None:
            raise RuntimeError(f"no dispatch key belongs to device {device!r}")
    return bit


def resolve_backends(mask: int) -> int:
    """One dense backend of those in *mask*: Meta over NPU over the rest."""
    mask &= DENSE_MASK
    if mask & (mask - 1):
        for bit in _MIX_ORDER:
            if mask & bit:
                return int(bit)
    return mask
