"""Calling ops: key set of the arguments, the thread's masks, one lookup, the kernel.

This is the general way, which needs nothing but a registry and works on any values. Packages
with a hot path of their own build call tables over :class:`Operator` and come here only to fill
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from itertools import repeat
from typing import Any

from . import errors, tls, trace_sink
from .kernel import Hop
from .keys import DispatchKey, autograd_keys_of_backends, key_name, parse_key
from .keyset import DispatchKeySet, mask_of
from .operator import Operator
from .registry import registry

__all__ = [
    "call_hop",
    "call_kernel",
    "current_dispatch_keyset",
    "dispatch",
    "dispatch_with_keyset",
    "keyset_of_call",
    "redispatch",
    "set_default_device_source",
    "set_grad_mode_source",
]

_AUTOGRAD = int(DispatchKey.Autograd)
_CPU = int(DispatchKey.CPU)
_DENSE = int(DispatchKey.Meta) * 2 - _CPU

# (mask, key) of the kernel that runs in this thread. redispatch() must know which key is being
# left: included keys at or above it would bring its kernel back for ever.
_running: ContextVar[tuple[int, int] | None] = ContextVar(
    "mindtorch_dispatch_running", default=None
)


def _always() -> bool:
    return True


_grad_enabled: Callable[[], bool] = _always


def set_grad_mode_source(source: Callable[[], bool]) -> None:
    """Tell :func:`dispatch` how to ask whether grad mode is on (it is, until this is called)."""
    global _grad_enabled
    _grad_enabled = source


def _host() -> Any:
    return "cpu"


_default_device: Callable[[], Any] = _host


def set_default_device_source(source: Callable[[], Any]) -> None:
    """Tell :func:`dispatch` how to ask where calls without tensors and devices run.

    On the CPU until this is called. *source* answers with a string or something with ``type``.
    """
    global _default_device
    _default_device = source


def _tensors_in(values: Iterable[Any], found: list[Any]) -> None:
    for value in values:
        kind = type(value)
        if kind is int or kind is float or kind is str or value is None or kind is bool:
            continue
        if kind is list or kind is tuple:
            _tensors_in(value, found)
        elif getattr(value, "device", None) is not None:
            found.append(value)


def keyset_of_call(device: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> DispatchKeySet:
    """The key set of a call, before the thread's masks.

    Everything in *args* and *kwargs* (lists and tuples included) that has a ``device`` counts as
    a tensor, and *device* joins their devices. Without either, a ``device`` keyword decides;
    without that, the default device.
    """
    tensors: list[Any] = []
    _tensors_in(args, tensors)
    if kwargs:
        _tensors_in(kwargs.values(), tensors)
    if device is None and not tensors:
        device = kwargs.get("device") or _default_device()
    return DispatchKeySet.from_tensors(tensors, grad_enabled=_grad_enabled(), device=device)


def _find(op: str | Operator) -> Operator:
    return op if isinstance(op, Operator) else registry.get(op)


def _run(op: Operator, mask: int, below: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Mask *mask*, find its kernel and call it; inclusion adds only keys lower than *below*."""
    included, excluded, flags = tls.decoded(tls.state.get())
    if below:
        included &= below - 1
    mask = (mask | included) & ~excluded
    effective = mask
    if mask & _AUTOGRAD:
        # In a set the alias stands for the autograd keys of the backends beside it.
        autograd = autograd_keys_of_backends(mask) & ~excluded
        if below:
            autograd &= below - 1
        effective = (mask ^ _AUTOGRAD) | autograd
    if flags & tls.TRACED:
        return _run_traced(op, mask, effective, below, args, kwargs)
    hop = op.table.get(effective) or op.resolve(effective)
    return call_hop(op, hop, mask, args, kwargs)


def _run_traced(
    op: Operator,
    mask: int,
    effective: int,
    below: int,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """The same in a thread with a trace."""
    trace = trace_sink.current_trace()
    if trace is None:
        return call_hop(op, op.hop(effective), mask, args, kwargs)
    if below:
        hop = op.hop(effective)
        with trace.kernel(op, hop, effective):
            return call_hop(op, hop, mask, args, kwargs)
    with trace.call(op.name, effective, [*zip(repeat(""), args), *kwargs.items()]):
        hop = op.hop(effective)
        with trace.kernel(op, hop, effective):
            return call_hop(op, hop, mask, args, kwargs)


def call_hop(
    op: Operator, hop: Hop, mask: int, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run the kernel of *hop*, which serves calls of *op* with the key set *mask*.

    For whoever resolves calls with tables of their own: :func:`redispatch` inside the kernel
    knows by this which key it leaves.
    """
    token = _running.set((mask, hop.key))
    try:
        return hop.kernel.call(  # type: ignore[union-attr]  # resolve() never returns an empty hop
            op, DispatchKeySet.from_mask(mask), args, kwargs
        )
    finally:
        _running.reset(token)


def dispatch(name: str | Operator, device: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call op *name* for the devices of its arguments.

    :param device: a string or something with ``type``, joined with the arguments' devices (Meta
        over NPU over CPU); None to go by the arguments alone.
    :raises NotImplementedError: no kernel for the key that comes out, with torch's text.
    """
    op = _find(name)
    return _run(op, keyset_of_call(device, args, kwargs).mask, 0, args, kwargs)


def dispatch_with_keyset(
    name: str | Operator,
    keyset: DispatchKeySet | int,
    device: Any,
    /,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Call op *name* with a given key set; the thread's masks apply to it.

    :param device: adds its backend where *keyset* has none; None adds nothing.
    """
    mask = mask_of(keyset)
    if device is not None and not mask & _DENSE:
        mask |= DispatchKeySet.from_tensors((), device=device).mask
    return _run(_find(name), mask, 0, args, kwargs)


def redispatch(
    name: str | Operator, keyset: DispatchKeySet | int, /, *args: Any, **kwargs: Any
) -> Any:
    """Go on from inside a kernel with what is left of its key set.

    The thread's masks apply, but inclusion never brings back a key at or above the one whose
    kernel is running.
    """
    running = _running.get()
    return _run(_find(name), mask_of(keyset), running[1] if running else 0, args, kwargs)


def current_dispatch_keyset() -> DispatchKeySet | None:
    """The key set of the kernel that runs in this thread; None outside kernels."""
    running = _running.get()
    return None if running is None else DispatchKeySet.from_mask(running[0])


def call_kernel(name: str | Operator, key: DispatchKey | str, /, *args: Any, **kwargs: Any) -> Any:
    """Call the one kernel that op *name* has at *key*: no key set, no masks.

    :raises NotImplementedError: there is none, or the key falls through.
    """
    op = _find(name)
    key = parse_key(key)
    hop = op.explain(key)
    if hop.kernel is None:
        raise op.missing(key)
    if hop.fallthrough:
        raise errors.falls_through(op.name, key_name(key))
    if tls.extra(tls.state.get()) & tls.TRACED:
        trace = trace_sink.current_trace()
        if trace is not None:
            with trace.kernel(op, hop, key, "called by its key"):
                return call_hop(op, hop, key, args, kwargs)
    return call_hop(op, hop, key, args, kwargs)
