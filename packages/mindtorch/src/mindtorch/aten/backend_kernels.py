"""Which kernels the backends have for the rows; the dispatcher is told, also of later ones."""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import registry
from mindtorch_dispatch.kernel import BOXED, Kernel, SharedKernels
from mindtorch_dispatch.keys import autograd_keys_of_backends, keys_in

from ..backends.backend import BACKENDS, Backend
from ..backends.host_apart import host_apart
from ..backends.transfer import transfer_kernel
from ..call.dispatch_entry import OVERLOADS
from ..call.overload import IMPLICIT, KINDS, Overload
from ..call.row import Row
from ..core import backend_registry

__all__ = ["BACKEND_TAGS", "SHARED_KERNELS", "backend_kernels", "has_kernel"]

#: By key: fallthroughs of its autograd keys where torch has none.
_FALLTHROUGHS: dict[K, list[Kernel]] = {}
#: By key: a backend's kernel for rows (None: it has none), and that for rows that may copy away.
_KERNELS: dict[K, tuple[Any, Any]] = {}
#: The kernels of all backends and functionalities, by what decides which an overload has.
SHARED_KERNELS: dict[Any, SharedKernels] = {}
#: The tags of a row that decide which backends have kernels for it, or for one of its forms.
BACKEND_TAGS = (
    "not_on_cpu", "not_on_meta", *[f"not_on_meta: {kind}" for kind in KINDS], "transfer",
)  # fmt: skip


def _offer(backend: Backend) -> None:
    """Give the rows the kernels of a backend that came."""
    SHARED_KERNELS.clear()
    _KERNELS[backend.key] = backend.kernel, transfer_kernel(backend)
    _FALLTHROUGHS[backend.key] = [
        registry.register_fallback(key, None)
        for key in keys_in(autograd_keys_of_backends(backend.key))
        if not registry.has_backend_fallback(key)
    ]
    for overload in _known():
        for fn in _kernels_of(overload, backend.key):
            where = overload.operator.schema_where
            overload.operator.put(Kernel(fn, backend.key, BOXED, where, overload.operator))
    registry.fallbacks.changed()  # what was resolved without the backend is looked for anew


def _withdraw(backend: Backend) -> None:
    """Take them away again."""
    registry.remove(_FALLTHROUGHS.pop(backend.key))
    own = _KERNELS.pop(backend.key)
    SHARED_KERNELS.clear()
    for overload in _known():
        kernel = overload.operator.entries.get(backend.key)
        if kernel is not None and kernel.fn in own:
            kernel.remove()
    registry.fallbacks.changed()  # its bit and its key may be another's


def _known() -> list[Overload]:
    """The overloads whose kernels the dispatcher has asked for; others are told when it does."""
    return [o for o in OVERLOADS.values() if o.operator._source is None]


def has_kernel(row: Row) -> bool:
    """Whether a row has a kernel at all; else it is of some functionality alone."""
    return not row.kernel is row.ufunc is row.view is row.composite is None


def _kernels_of(overload: Overload, key: K) -> list[Any]:
    """What the backend *key* has for *overload*: its kernel, or nothing."""
    row = overload.row
    if overload.is_fused:
        return [_KERNELS[key][0]] if key not in (K.CPU, K.Meta) else []
    if overload.composed in IMPLICIT or overload.composed == "explicit":
        return []
    if not has_kernel(row):
        return []
    if "not_on_cpu" in row.tags and key is K.CPU:
        return []
    if overload.composed == "host" and key is not K.CPU:
        return []
    if key is K.Meta and (overload.composed == "backends" or overload.tagged("not_on_meta")):
        return []
    if row.apart is not None and key is K.CPU:
        return [host_apart]
    found = _KERNELS[key]["transfer" in row.tags]
    return [] if found is None else [found]


def backend_kernels(overload: Overload) -> list[tuple[K, Any]]:
    """Key and kernel of each backend that has one for *overload*."""
    return [(key, fn) for key in _KERNELS for fn in _kernels_of(overload, key)]


for _backend in BACKENDS.values():
    _offer(_backend)
backend_registry.on_add.append(_offer)
backend_registry.on_drop.append(_withdraw)
