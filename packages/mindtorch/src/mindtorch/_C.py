"""``torch._C``: the dispatcher's introspection under torch's names, and the core classes.

Only what is real is here; a name of torch's that is missing has nothing behind it yet.
Differences of key order and names are those of ``mindtorch_dispatch`` (its README lists them).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mindtorch_autograd import is_grad_enabled as _is_grad_enabled
from mindtorch_autograd import set_grad_enabled as _grad_switch
from mindtorch_dispatch import (
    DISPATCH_KEY_PRIORITY,
    DispatchKey,
    DispatchKeySet,
    FunctionSchema,
    Library,
    Operator,
    backend_keys_of_autograd,
    current_masks,
    is_alias_key,
    is_included_in_alias,
    key_name,
    parse_key,
    registry,
    tls,
)
from mindtorch_dispatch.keys import AUTOGRAD_OTHER_BACKENDS, BACKEND_COMPONENTS
from mindtorch_storage import Device as device
from mindtorch_storage import DType as dtype
from mindtorch_storage import UntypedStorage as StorageBase

from . import signature as _S
from .calls import key_mask as _key_mask
from .constants import layout, memory_format
from .defaults import get_default_device as _default_device
from .generator import Generator
from .ops.register import FUNCTIONS
from .ops.row import ROWS
from .size import Size
from .tensor import Tensor as TensorBase

__all__ = [
    "DispatchKey",
    "DispatchKeySet",
    "ExcludeDispatchKeyGuard",
    "FunctionSchema",
    "Generator",
    "Size",
    "StorageBase",
    "TensorBase",
    "device",
    "dtype",
    "layout",
    "memory_format",
]

# Functions of torch.* and torch.nn.functional -----------------------------------------------------


class _Functions:
    """The functions that come from op rows, those of one of torch's ``python_module``s."""

    __slots__ = ("_module", "_name")

    def __init__(self, name: str, module: str) -> None:
        self._name, self._module = name, module

    def __getattr__(self, name: str) -> Callable[..., Any]:
        found = FUNCTIONS.get(name)
        if found is None or self._module not in _modules_of(name):
            raise AttributeError(f"module '{self._name}' has no attribute '{name}'")
        return found

    def __dir__(self) -> list[str]:
        return sorted(n for n in FUNCTIONS if self._module in _modules_of(n))

    def __repr__(self) -> str:
        return f"<built-in module {self._name}>"


def _modules_of(name: str) -> set[str]:
    """The python_modules of the rows that make function *name*, its in-place form included."""
    if not _MODULES:
        for row in ROWS.values():
            if row.module and row.base.endswith(("_backward", "_forward")):
                continue  # torch has no Python functions for these
            _MODULES.setdefault(row.base, set()).add(row.module)
            if row.inplace:
                _MODULES.setdefault(f"{row.base}_", set()).add(row.module)
    return _MODULES.get(name, set())


_MODULES: dict[str, set[str]] = {}
_nn = _Functions("torch._C._nn", "nn")
_VariableFunctions = _Functions("torch._C._VariableFunctions", "")


# Keys and sets ------------------------------------------------------------------------------------


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


def _dispatch_keyset_full() -> DispatchKeySet:
    """Every runtime key."""
    return DispatchKeySet(DISPATCH_KEY_PRIORITY)


def _dispatch_keyset_full_after(key: DispatchKey) -> DispatchKeySet:
    """Every runtime key below *key*."""
    return DispatchKeySet(k for k in DISPATCH_KEY_PRIORITY if k < key)


def _dispatch_keyset_to_string(keyset: DispatchKeySet) -> str:
    """The set as text."""
    return repr(keyset)


def _dispatch_keys(tensor: TensorBase) -> DispatchKeySet:
    """The keys of a tensor itself, whatever the thread's state."""
    if not isinstance(tensor, TensorBase):
        raise TypeError(
            "_dispatch_keys(): incompatible function arguments. The following argument types are "
            "supported:\n    1. (arg0: torch.Tensor) -> torch._C.DispatchKeySet\n\n"
            f"Invoked with: {tensor!r}"
        )
    mask = _key_mask(tensor._sig & _S.BACKENDS) & ~_INCLUDED_BY_DEFAULT
    for bit, autocast in _AUTOCAST:
        if tensor._sig & bit:
            mask |= autocast
    return DispatchKeySet.from_mask(mask | DispatchKey.ADInplaceOrView)


_dispatch_key_set = _dispatch_keys
_INCLUDED_BY_DEFAULT = tls.masks(0)[0]
_AUTOCAST = ((_S.CPU, DispatchKey.AutocastCPU), (_S.NPU, DispatchKey.AutocastPrivateUse1))


# Registrations ------------------------------------------------------------------------------------


def _found(name: str) -> Operator:
    operator = registry.find_exact(name)
    if operator is None:
        raise RuntimeError(f"operator {name} does not exist")
    return operator


def _dispatch_has_kernel(name: str) -> bool:
    """Whether anything is registered for the op."""
    return registry.find_exact(name) is not None


def _dispatch_has_kernel_for_dispatch_key(name: str, key: DispatchKey | str) -> bool:
    """Whether a kernel is registered at exactly *key*."""
    parsed = parse_key(key)
    return _found(name).has_kernel(parsed)


def _dispatch_has_kernel_for_any_dispatch_key(name: str, keyset: DispatchKeySet) -> bool:
    """Whether a kernel is registered at one of the keys."""
    operator = _found(name)
    return any(operator.has_kernel(key) for key in keyset)


def _dispatch_kernel_for_dispatch_key_is_fallthrough(name: str, key: DispatchKey | str) -> bool:
    """Whether what is registered at *key* falls through."""
    parsed, operator = parse_key(key), _found(name)
    kernel = operator.entries.get(parsed)
    if kernel is None:
        raise RuntimeError(f"no kernel for {key_name(parsed)} on {name}")
    return kernel.fallthrough


def _dispatch_has_computed_kernel_for_dispatch_key(name: str, key: DispatchKey | str) -> bool:
    """Whether the computed table has something to run (or to skip) at *key*."""
    parsed = parse_key(key)
    return _found(name).explain(parsed).kernel is not None


def _dispatch_has_backend_fallback(key: DispatchKey | str) -> bool:
    """Whether *key* does something for ops without a kernel for it."""
    return registry.has_backend_fallback(key)


def _dispatch_get_all_op_names() -> list[str]:
    """The qualified name of every overload."""
    return registry.names()


def _dispatch_get_registrations_for_dispatch_key(key: DispatchKey | str = "") -> list[str]:
    """The ops with a kernel at exactly *key*; without one, all that have a schema."""
    if not key:
        return [o.name for o in registry if o.has_schema]
    parsed = parse_key(key)
    return [o.name for o in registry if o.has_kernel(parsed)]


def _dispatch_print_registrations_for_dispatch_key(key: DispatchKey | str = "") -> None:
    """Print what :func:`_dispatch_get_registrations_for_dispatch_key` finds."""
    for name in _dispatch_get_registrations_for_dispatch_key(key):
        print(name)


def _dispatch_find_schema_or_throw(name: str, overload: str) -> Operator:
    """The op, which must have a schema. Raises RuntimeError otherwise."""
    operator = registry.find_exact(f"{name}.{overload}" if overload else name)
    if operator is None or not operator.has_schema:
        raise RuntimeError(f"Could not find schema for {name}.{overload}")
    return operator


def _dispatch_find_dangling_impls() -> list[str]:
    """Ops that have kernels but no schema."""
    return [o.name for o in registry.dangling()]


def _dispatch_dump(name: str) -> str:
    """The registrations of an op, one line each; empty if there is no such op."""
    operator = registry.find_exact(name)
    if operator is None:
        return ""
    lines = [f"name: {operator.name}"]
    if operator.has_schema:
        lines += [
            f"schema: {operator.schema}",
            f"debug: {operator.schema_site}",
            "alias analysis kind: FROM_SCHEMA",
        ]
    else:
        lines.append("schema: (none)")
    for key in sorted(operator.entries):
        kernel: Any = operator.entries[key]
        note = ""
        while kernel is not None:
            fall = "fallthrough " if kernel.fallthrough else ""
            alias = "[alias]" if is_alias_key(kernel.key) else ""
            lines.append(f"{key_name(kernel.key)}{alias}{note}: {fall}registered at {kernel.where}")
            note, kernel = " (inactive)", kernel.older
    return "\n".join(lines) + "\n"


def _dispatch_dump_table(name: str) -> str:
    """The computed table of an op; empty if there is no such op."""
    operator = registry.find_exact(name)
    return "" if operator is None else operator.dump_table()


def _dispatch_library(kind: str, name: str, dispatch: str, file: str = "", linenum: int = 0) -> Any:
    """Registrations that go away with the returned object."""
    return Library(name, kind, dispatch)


# The thread's masks -------------------------------------------------------------------------------


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


# Switches -----------------------------------------------------------------------------------------


def _set_grad_enabled(enabled: bool) -> None:
    """Switch grad mode of this thread."""
    _grad_switch(enabled)


def is_grad_enabled() -> bool:
    """Whether grad mode is on in this thread."""
    return _is_grad_enabled()


def _get_default_device() -> str:
    """The type of the device of factories that name none."""
    return str(_default_device())
