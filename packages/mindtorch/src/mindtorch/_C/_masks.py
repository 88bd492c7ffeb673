"""The thread's included and excluded keys, and the guards that change them.

A guard takes effect when its ``with`` block is entered (some of torch's already when they are made)
and gives nothing to ``as``. Leaving restores what it changed; leaving once more does nothing.
"""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import DispatchKey, DispatchKeySet, current_masks, parse_key, tls

__all__ = [
    "ExcludeDispatchKeyGuard",
    "_AutoDispatchBelowADInplaceOrView",
    "_AutoDispatchBelowAutograd",
    "_DisableFuncTorch",
    "_DisablePythonDispatcher",
    "_EnablePreDispatch",
    "_EnablePythonDispatcher",
    "_ExcludeDispatchKeyGuard",
    "_ForceDispatchKeyGuard",
    "_IncludeDispatchKeyGuard",
    "_PreserveDispatchKeyGuard",
    "_SetExcludeDispatchKeyGuard",
    "_dispatch_tls_is_dispatch_key_excluded",
    "_dispatch_tls_is_dispatch_key_included",
    "_dispatch_tls_local_exclude_set",
    "_dispatch_tls_local_include_set",
    "_dispatch_tls_set_dispatch_key_excluded",
    "_dispatch_tls_set_dispatch_key_included",
    "_meta_in_tls_dispatch_include",
    "_set_meta_in_tls_dispatch_include",
]


def _dispatch_tls_local_include_set() -> DispatchKeySet:
    """The keys that join every call's set in this thread."""
    return current_masks()[0]


def _dispatch_tls_local_exclude_set() -> DispatchKeySet:
    """The keys that no call of this thread is dispatched to."""
    return current_masks()[1]


def _dispatch_tls_is_dispatch_key_included(key: DispatchKey | str) -> bool:
    """Whether *key* joins every call's set."""
    return parse_key(key) in current_masks()[0]


def _dispatch_tls_is_dispatch_key_excluded(key: DispatchKey | str) -> bool:
    """Whether no call is dispatched to *key*."""
    return parse_key(key) in current_masks()[1]


def _dispatch_tls_set_dispatch_key_included(key: DispatchKey | str, desired: bool) -> None:
    """Include *key* in every call's set from now on, or no longer."""
    word, bit = tls.state.get(), parse_key(key)
    included, excluded = tls.masks(word)
    included = included | bit if desired else included & ~bit
    tls.state.set(tls.with_masks(word, included, excluded))


def _dispatch_tls_set_dispatch_key_excluded(key: DispatchKey | str, desired: bool) -> None:
    """Exclude *key* from every call's set from now on, or no longer."""
    tls.state.set(_excluding(tls.state.get(), parse_key(key), desired))


def _excluding(word: int, bit: int, desired: bool) -> int:
    included, excluded = tls.masks(word)
    excluded = excluded | bit if desired else excluded & ~bit
    return tls.with_masks(word, included, excluded)


def _meta_in_tls_dispatch_include() -> bool:
    """Whether every call is one of meta tensors."""
    return DispatchKey.Meta in current_masks()[0]


def _set_meta_in_tls_dispatch_include(meta_in_tls: bool) -> None:
    """Make every call one of meta tensors, or no longer."""
    word = tls.state.get()
    included, excluded = tls.masks(word)
    included = included | DispatchKey.Meta if meta_in_tls else included & ~DispatchKey.Meta
    tls.state.set(tls.with_masks(word, included, excluded))


class _Exclude(tls.exclude_keys):
    __slots__ = ()

    def __enter__(self) -> None:  # type: ignore[override]  # torch's guards give nothing to "as"
        super().__enter__()


class _Include(tls.include_keys):
    __slots__ = ()

    def __enter__(self) -> None:  # type: ignore[override]  # as above
        super().__enter__()


class _ExcludeDispatchKeyGuard(_Exclude):
    """``with _ExcludeDispatchKeyGuard(keyset):`` no call is dispatched to the keys."""

    __slots__ = ()

    def __init__(self, keyset: DispatchKeySet) -> None:
        super().__init__(_keyset(keyset, "_ExcludeDispatchKeyGuard"))


class _IncludeDispatchKeyGuard(_Include):
    """``with _IncludeDispatchKeyGuard(key):`` the key joins every call's set."""

    __slots__ = ()

    def __init__(self, key: DispatchKey | str) -> None:
        super().__init__(parse_key(key))


class _EnablePreDispatch(_Include):
    """``with _EnablePreDispatch():`` the PreDispatch key joins every call's set."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(DispatchKey.PreDispatch)


_BELOW_AUTOGRAD = (
    DispatchKey.AutogradFunctionality,
    DispatchKey.AutogradOther,
    DispatchKey.AutogradNestedTensor,
)


class _AutoDispatchBelowADInplaceOrView(_Exclude):
    """No call is recorded, and neither views nor in-place changes are tracked."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(*_BELOW_AUTOGRAD, DispatchKey.ADInplaceOrView)


class _Restoring:
    """Guards that put the masks of the thread back as they were."""

    __slots__ = ("_before",)

    def __init__(self) -> None:
        self._before: list[int] = []

    def _inside(self, word: int) -> int:
        """The state word for the time of the block."""
        return word

    def __enter__(self) -> None:
        word = tls.state.get()
        self._before.append(word)
        tls.state.set(self._inside(word))

    def __exit__(self, *exc_info: object) -> None:
        if self._before:
            included, excluded = tls.masks(self._before.pop())
            tls.state.set(tls.with_masks(tls.state.get(), included, excluded))


class _PreserveDispatchKeyGuard(_Restoring):
    """``with _PreserveDispatchKeyGuard():`` the masks are afterwards what they were before."""

    __slots__ = ()


class _ForceDispatchKeyGuard(_Restoring):
    """``with _ForceDispatchKeyGuard(include, exclude):`` exactly these masks."""

    __slots__ = ("_masks",)

    def __init__(self, include: DispatchKeySet, exclude: DispatchKeySet) -> None:
        super().__init__()
        name = "_ForceDispatchKeyGuard"
        self._masks = (_keyset(include, name).mask, _keyset(exclude, name).mask)

    def _inside(self, word: int) -> int:
        return tls.with_masks(word, *self._masks)


class _SetExcludeDispatchKeyGuard(_Restoring):
    """``with _SetExcludeDispatchKeyGuard(key, on):`` the key is excluded, or is not."""

    __slots__ = ("_key", "_on")

    def __init__(self, key: DispatchKey | str, on: bool) -> None:
        super().__init__()
        self._key, self._on = parse_key(key), on

    def _inside(self, word: int) -> int:
        return _excluding(word, self._key, self._on)


class _DisablePythonDispatcher(_Restoring):
    """``with _DisablePythonDispatcher():`` no call asks ``py_kernels``."""

    __slots__ = ()

    def _inside(self, word: int) -> int:
        included, excluded = tls.masks(word)
        return tls.with_masks(word, included & ~DispatchKey.PythonDispatcher, excluded)


class _FromBirth:
    """Guards in effect from when they are made until their block is left or they die."""

    __slots__ = ("_guard",)

    def __init__(self, guard: tls.exclude_keys | tls.include_keys) -> None:
        guard.__enter__()
        self._guard: Any = guard

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc_info: object) -> None:
        guard = getattr(self, "_guard", None)  # none if making it failed
        if guard is not None:
            self._guard = None
            guard.__exit__()

    def __del__(self) -> None:
        self.__exit__()


class ExcludeDispatchKeyGuard(_FromBirth):
    """No call is dispatched to the keys."""

    __slots__ = ()

    def __init__(self, keyset: DispatchKeySet) -> None:
        super().__init__(_Exclude(_keyset(keyset, "ExcludeDispatchKeyGuard")))


class _AutoDispatchBelowAutograd(_FromBirth):
    """No call is recorded for differentiation."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(_Exclude(*_BELOW_AUTOGRAD))


class _DisableFuncTorch(_FromBirth):
    """No call goes to the innermost transform (``vmap``, ``grad`` …) of the thread."""

    __slots__ = ()

    def __init__(self) -> None:
        modes = (
            DispatchKey.FuncTorchDynamicLayerFrontMode,
            DispatchKey.FuncTorchDynamicLayerBackMode,
        )
        super().__init__(_Exclude(*modes))


class _EnablePythonDispatcher(_FromBirth):
    """Calls ask ``py_kernels`` of their operator first."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(_Include(DispatchKey.PythonDispatcher))


def _keyset(value: Any, guard: str) -> DispatchKeySet:
    if isinstance(value, DispatchKeySet):
        return value
    number = 2 if guard == "_ForceDispatchKeyGuard" else 1
    arguments = ", ".join(f"arg{i}: torch._C.DispatchKeySet" for i in range(number))
    raise TypeError(
        "__init__(): incompatible constructor arguments. The following argument types are"
        f" supported:\n    1. torch._C.{guard}({arguments})\n\nInvoked with: {value!r}"
    )
