"""The thread's included and excluded keys, and the guards that change them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindtorch_dispatch import DispatchKey, DispatchKeySet, current_masks, tls

__all__ = [
    "ExcludeDispatchKeyGuard",
    "_AutoDispatchBelowADInplaceOrView",
    "_AutoDispatchBelowAutograd",
    "_ExcludeDispatchKeyGuard",
    "_ForceDispatchKeyGuard",
    "_IncludeDispatchKeyGuard",
    "_dispatch_tls_is_dispatch_key_excluded",
    "_dispatch_tls_is_dispatch_key_included",
    "_dispatch_tls_local_exclude_set",
    "_dispatch_tls_local_include_set",
    "_dispatch_tls_set_dispatch_key_excluded",
    "_dispatch_tls_set_dispatch_key_included",
]


def _dispatch_tls_local_include_set() -> DispatchKeySet:
    """The keys that join every call's set in this thread."""
    return current_masks()[0]


def _dispatch_tls_local_exclude_set() -> DispatchKeySet:
    """The keys that no call of this thread is dispatched to."""
    return current_masks()[1]


def _dispatch_tls_is_dispatch_key_included(key: DispatchKey) -> bool:
    """Whether *key* joins every call's set."""
    return key in current_masks()[0]


def _dispatch_tls_is_dispatch_key_excluded(key: DispatchKey) -> bool:
    """Whether no call is dispatched to *key*."""
    return key in current_masks()[1]


def _dispatch_tls_set_dispatch_key_included(key: DispatchKey, desired: bool) -> None:
    """Include *key* in every call's set from now on, or no longer."""
    word = tls.state.get()
    included, excluded = tls.masks(word)
    included = included | key if desired else included & ~key
    tls.state.set(tls.with_masks(word, included, excluded))


def _dispatch_tls_set_dispatch_key_excluded(key: DispatchKey, desired: bool) -> None:
    """Exclude *key* from every call's set from now on, or no longer."""
    word = tls.state.get()
    included, excluded = tls.masks(word)
    excluded = excluded | key if desired else excluded & ~key
    tls.state.set(tls.with_masks(word, included, excluded))


class _ExcludeDispatchKeyGuard(tls.exclude_keys):
    """``with _ExcludeDispatchKeyGuard(keyset):`` no call is dispatched to the keys."""

    __slots__ = ()


class _IncludeDispatchKeyGuard(tls.include_keys):
    """``with _IncludeDispatchKeyGuard(key):`` the key joins every call's set."""

    __slots__ = ()


class _ForceDispatchKeyGuard:
    """``with _ForceDispatchKeyGuard(include, exclude):`` exactly these masks."""

    __slots__ = ("_before", "_masks")

    def __init__(self, include: DispatchKeySet, exclude: DispatchKeySet) -> None:
        self._masks = (include.mask, exclude.mask)
        self._before: list[int] = []

    def __enter__(self) -> _ForceDispatchKeyGuard:
        word = tls.state.get()
        self._before.append(word)
        tls.state.set(tls.with_masks(word, *self._masks))
        return self

    def __exit__(self, *exc_info: object) -> None:
        tls.state.set(self._before.pop())


class ExcludeDispatchKeyGuard:
    """Excludes keys for as long as the object lives, as a guard in C++ does."""

    __slots__ = ("_guard",)

    def __init__(self, keyset: DispatchKeySet) -> None:
        self._guard: Any = _ExcludeDispatchKeyGuard(keyset)
        self._guard.__enter__()

    def __del__(self) -> None:
        guard, self._guard = self._guard, None
        if guard is not None:
            guard.__exit__()


def _autograd_and_above() -> Iterable[DispatchKey]:
    return (DispatchKey.AutogradFunctionality, DispatchKey.AutogradOther,
            DispatchKey.AutogradNestedTensor)  # fmt: skip


class _AutoDispatchBelowAutograd(tls.exclude_keys):
    """``with _AutoDispatchBelowAutograd():`` no call is recorded for differentiation."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(_autograd_and_above())


class _AutoDispatchBelowADInplaceOrView(tls.exclude_keys):
    """The same, and views and in-place changes are not tracked either."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(_autograd_and_above(), DispatchKey.ADInplaceOrView)
