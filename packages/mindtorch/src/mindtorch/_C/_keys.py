"""Dispatch keys and sets of them, under torch's names."""

from __future__ import annotations

from mindtorch_dispatch import (
    DISPATCH_KEY_PRIORITY,
    DispatchKey,
    DispatchKeySet,
    backend_keys_of_autograd,
    is_alias_key,
    is_included_in_alias,
    key_name,
    parse_key,
    tls,
)
from mindtorch_dispatch.keys import AUTOGRAD_OTHER_BACKENDS, BACKEND_COMPONENTS, runtime_keys_of
from mindtorch_dispatch.modes import DISPATCH as _DISPATCH

from ..core import functionality_keys as _below
from ..core import signature as _S
from ..core.backend_registry import backend_of as _backend_of
from ..core.key_sets import key_mask as _key_mask
from ..tensor import Tensor as TensorBase

__all__ = [
    "_after_ADInplaceOrView_keyset",
    "_after_autograd_keyset",
    "_dispatch_autogradother_backends",
    "_dispatch_get_backend_keyset_from_autograd",
    "_dispatch_isTensorSubclassLike",
    "_dispatch_is_alias_key",
    "_dispatch_is_included_in_alias",
    "_dispatch_key_for_device",
    "_dispatch_key_name",
    "_dispatch_key_parse",
    "_dispatch_key_set",
    "_dispatch_keys",
    "_dispatch_keyset_full",
    "_dispatch_keyset_full_after",
    "_dispatch_keyset_to_string",
    "_dispatch_num_backends",
    "_parse_dispatch_key",
]


def _dispatch_key_name(key: DispatchKey | int) -> str:
    """The name of a key."""
    return key_name(key)


def _dispatch_key_parse(name: str) -> DispatchKey:
    """The key of that name. Raises RuntimeError if there is none."""
    return parse_key(name)


def _parse_dispatch_key(name: str) -> DispatchKey | None:
    """The key of that name, None if there is none."""
    try:
        return parse_key(name)
    except RuntimeError:
        return None


def _dispatch_is_alias_key(key: DispatchKey | str) -> bool:
    """Whether the key stands for several runtime keys."""
    return is_alias_key(parse_key(key))


def _dispatch_is_included_in_alias(key: DispatchKey | str, alias: DispatchKey | str) -> bool:
    """Whether a kernel at *alias* may serve *key*."""
    return is_included_in_alias(parse_key(key), parse_key(alias))


def _dispatch_num_backends() -> int:
    """How many backends have keys of their own for each functionality."""
    return len(BACKEND_COMPONENTS)


def _dispatch_key_for_device(device_type: str) -> str:
    """The name of the key that serves a type of device."""
    return key_name(DispatchKeySet.from_tensors((), device=device_type).highest_priority_key())


def _dispatch_get_backend_keyset_from_autograd(key: DispatchKey) -> DispatchKeySet:
    """The backends whose autograd key *key* is."""
    return DispatchKeySet.from_mask(backend_keys_of_autograd(key))


_dispatch_autogradother_backends = DispatchKeySet.from_mask(AUTOGRAD_OTHER_BACKENDS)


#: What an Autograd kernel goes on with: ``op.redispatch(keyset & _after_autograd_keyset, …)``.
_after_autograd_keyset = DispatchKeySet.from_mask(_below.BELOW_AUTOGRAD)
_after_ADInplaceOrView_keyset = DispatchKeySet.from_mask(_below.BELOW_ADINPLACEORVIEW)


def _dispatch_keyset_full() -> DispatchKeySet:
    """Every runtime key."""
    return DispatchKeySet(DISPATCH_KEY_PRIORITY)


def _dispatch_keyset_full_after(key: DispatchKey) -> DispatchKeySet:
    """Every runtime key below *key*."""
    return DispatchKeySet(k for k in DISPATCH_KEY_PRIORITY if k < key)


def _dispatch_keyset_to_string(keyset: DispatchKeySet) -> str:
    """The set as text."""
    return repr(keyset)


#: The bits of a tensor's signature that bring keys, but for those of its class.
_OF_KEYS = _S.BACKENDS | _S.LAZY | _S.BATCHED | _S.FUNCTIONAL | _S.FUNCTIONALITIES


def _dispatch_keys(tensor: TensorBase) -> DispatchKeySet:
    """The keys of a tensor itself, whatever the thread's state."""
    if not isinstance(tensor, TensorBase):
        raise TypeError(
            "_dispatch_keys(): incompatible function arguments. The following argument types are "
            "supported:\n    1. (arg0: torch.Tensor) -> torch._C.DispatchKeySet\n\n"
            f"Invoked with: {tensor!r}"
        )
    mask = _key_mask(tensor._sig_ & _OF_KEYS) & ~_INCLUDED_BY_DEFAULT
    mask |= _backend_of(tensor).autocast or 0
    if tensor._sig_ & _S.PYTHON:
        mask |= DispatchKey.Python | DispatchKey.PythonTLSSnapshot
    if tensor._sig_ & _S.INFERENCE:
        return DispatchKeySet.from_mask(mask & ~_OF_AUTOGRAD)
    return DispatchKeySet.from_mask(mask | DispatchKey.ADInplaceOrView)


#: The bits of tensors whose memory is not what a kernel for plain tensors may write to.
_SUBCLASS_LIKE = _S.PYTHON | _S.SPARSE_LAYOUTS | _S.BATCHED | _S.FUNCTIONAL | _S.META


def _dispatch_isTensorSubclassLike(tensor: TensorBase) -> bool:
    """Whether a formula has to treat the tensor as one of a class of its own: it lies in no plain
    memory, or a mode looks on."""
    if not isinstance(tensor, TensorBase):
        raise TypeError(
            "_dispatch_isTensorSubclassLike(): incompatible function arguments. The following "
            "argument types are supported:\n    1. (arg0: torch.Tensor) -> bool\n\n"
            f"Invoked with: {tensor!r}"
        )
    return bool(tensor._sig_ & _SUBCLASS_LIKE) or len(_DISPATCH) > 0


_OF_AUTOGRAD = runtime_keys_of(DispatchKey.Autograd)
_dispatch_key_set = _dispatch_keys
_INCLUDED_BY_DEFAULT = tls.masks(0)[0]
