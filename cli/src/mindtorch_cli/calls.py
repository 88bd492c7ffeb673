"""What dispatching does, as plain data: an op's table, and the path of a call.

Works with tensor specs from the command line and with real tensors. Every dict returned holds only
strings, numbers, lists and dicts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import mindtorch as torch
from mindtorch.call.arguments import device_bit
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.specialize import BUILDERS
from mindtorch.core import signature as S
from mindtorch.core.functionality_keys import AUTOGRAD_BLOCK
from mindtorch.core.key_sets import own_keys
from mindtorch.functionality.pipeline import must_run_now
from mindtorch.functionality.tracing import kernel_label, kernel_place, tensor_spec
from mindtorch_dispatch import (
    DISPATCH_KEY_PRIORITY,
    DispatchKey,
    DispatchKeySet,
    Hop,
    Operator,
    apply_tls_masks,
    current_masks,
    exclude_keys,
    include_keys,
    key_name,
    keys_in,
    registry,
)
from mindtorch_dispatch.keys import (
    DEFAULT_EXCLUDED,
    DEFAULT_INCLUDED,
    autograd_keys_of_backends,
)
from mindtorch_dispatch.trace_output import reason
from mindtorch_storage import Device

from .argument_specs import TensorSpec
from .operators import CallError, is_tensor, select, tensors_in
from .suggestions import key_named

__all__ = ["NO_KERNEL", "CallError", "explain_call", "explain_op", "place", "select", "step"]

#: The reason of a slot that nothing fills.
NO_KERNEL = "no kernel"
_BACKENDS = ("cpu", "npu", "meta")


# Keys ---------------------------------------------------------------------------------------------


def names(mask: int) -> list[str]:
    """The keys of a mask by name, highest first."""
    return [key_name(k) for k in keys_in(mask)]


def tensor_keys(tensor: Any) -> int:
    """The keys that a tensor, or the spec of one, brings into a call.

    Raises :class:`CallError` for a device that no key belongs to.
    """
    if not isinstance(tensor, TensorSpec):
        return own_keys(tensor._sig_)
    return device_keys(tensor.device)


def device_keys(device: str) -> int:
    """The keys of a tensor on *device*: those of backends that are not here too."""
    kind = device.partition(":")[0]
    if kind in _BACKENDS:
        return own_keys(device_bit(Device(kind)))
    try:
        backend = DispatchKeySet.from_tensors((), device=kind).mask
    except RuntimeError as error:
        raise CallError(str(error)) from None
    return backend | autograd_keys_of_backends(backend) | DispatchKey.ADInplaceOrView


def merged_keys(args: Sequence[Any], kwargs: Mapping[str, Any]) -> int:
    """The joined keys of a call's arguments; without tensors those of its device."""
    mask = 0
    for tensor in tensors_in([*args, *kwargs.values()]):
        mask |= tensor_keys(tensor)
    device = kwargs.get("device")
    if device is not None:
        return device_keys(str(device))
    return mask or device_keys(str(torch.get_default_device()))


def guards(
    *, grad: bool, pipeline: bool, include: Iterable[str], exclude: Iterable[str]
) -> ExitStack:
    """This thread's state as the options of a call want it, until the stack is closed."""
    included, excluded = ([key_named(k) for k in keys] for keys in (include, exclude))
    stack = ExitStack()
    if not grad:
        stack.enter_context(torch.no_grad())
    if pipeline:
        stack.enter_context(torch.pipeline())
    if included:
        stack.enter_context(include_keys(*included))
    if excluded:
        stack.enter_context(exclude_keys(*excluded))
    return stack


# A call -------------------------------------------------------------------------------------------


def explain_call(
    name: str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None = None,
    *,
    pipeline: bool = False,
    grad: bool = True,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
) -> dict[str, Any]:
    """The path that a call takes: keys of each argument, the masks, each kernel and its reason.

    A step with ``deferred`` runs at the pipeline's flush; what is before it runs at once.

    :param pipeline: as inside ``with torch.pipeline():``.
    :param grad: False: as inside ``with torch.no_grad():``.
    :param include: keys that the thread adds to every call, as ``include_keys`` does.
    :param exclude: keys that it takes out.
    """
    kwargs = kwargs or {}
    op = select(name, args, kwargs)
    with guards(grad=grad, pipeline=pipeline, include=include, exclude=exclude):
        merged = DispatchKeySet.from_mask(merged_keys(args, kwargs))
        keys = apply_tls_masks(merged)
        included, excluded = current_masks()
        recorded = torch.is_grad_enabled() and any(
            t.requires_grad for t in tensors_in([*args, *kwargs.values()])
        )
        steps = [step(hop, op) for hop in op.path(keys.mask, skipped=True)]
        annotate(steps, op, recorded=recorded)
    return {
        "operator": op.name,
        "schema": None if op.schema is None else str(op.schema),
        "arguments": list(arguments(op, args, kwargs)),
        "merged": names(merged.mask),
        "included": names(included.mask),
        "excluded": names(excluded.mask),
        "masks": {
            "included": names(included.mask & ~DEFAULT_INCLUDED),
            "excluded": names(excluded.mask & ~DEFAULT_EXCLUDED),
        },
        "keys": names(keys.mask),
        "first": preparations(args, kwargs, keys.mask),
        "path": steps,
    }


def preparations(args: Sequence[Any], kwargs: Mapping[str, Any], mask: int) -> list[str]:
    """What happens to the arguments before the first kernel."""
    tensors = tensors_in([*args, *kwargs.values()])
    found = []
    waiting = [t for t in tensors if show(t).endswith(",pipeline")]
    if waiting and not mask & DispatchKey.Pipeline:
        found.append(f"{', '.join(map(show, waiting))} is computed: its pipeline is flushed")
    kinds = dict.fromkeys(str(t.device).partition(":")[0] for t in tensors)
    if len(kinds) > 1:
        found.append(
            f"devices differ ({', '.join(kinds)}): 0-d tensors of the cpu follow the others, "
            "anything else is an error"
        )
    return found


def arguments(
    op: Operator, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Each argument with its name in the schema and the keys that it brings."""
    schema = op.schema
    positional = [] if schema is None else [a.name for a in schema.arguments if not a.kwarg_only]
    for position, value in enumerate(args):
        name = positional[position] if position < len(positional) else str(position)
        yield argument(name, value)
    for name, value in kwargs.items():
        yield argument(name, value)


def argument(name: str, value: Any) -> dict[str, Any]:
    """One of them. ``keys`` is None for what has no keys."""
    tensors = tensors_in([value])
    mask = 0
    for tensor in tensors:
        mask |= tensor_keys(tensor)
    return {"name": name, "text": show(value), "keys": names(mask) if tensors else None}


def annotate(steps: list[dict[str, Any]], op: Operator, *, recorded: bool) -> None:
    """Say of each step when it runs, and where it only hands on."""
    overload = OVERLOADS.get(op.name)
    on_meta = any(s["key"] == "Meta" for s in steps)
    deferred = False
    for s in steps:
        bit = DispatchKey.__members__.get(s["key"], 0)
        own = s.pop("own")
        s["deferred"] = deferred and 0 < bit < DispatchKey.Python
        s["note"] = ""
        if own and bit & AUTOGRAD_BLOCK and not recorded and not s["why"].startswith("alias Comp"):
            off = "" if torch.is_grad_enabled() else "grad mode is off"
            s["note"] = f"records nothing: {off or 'no argument requires grad'}"
        if s["key"] == "Pipeline" and s["kernel"] is not None:
            if on_meta:
                s["note"] = "there is nothing to compute on meta"
            elif overload is not None and must_run_now(overload):
                s["note"] = "reads data: flushes and runs at once"
            elif overload is not None and overload.row.view is not None:
                s["note"] = "a view: made at once, of memory that the flush writes"
            else:
                deferred = True
        if s["deferred"]:
            s["note"] = "runs at the flush"


# A table ------------------------------------------------------------------------------------------


def explain_op(name: str) -> dict[str, Any]:
    """An op's schema, its other overloads, and for every key the kernel and the reason for it."""
    op = select(name)
    table = [step(op.explain(key), op) for key in DISPATCH_KEY_PRIORITY]
    for row in table:
        del row["own"]
    return {
        "operator": op.name,
        "schema": None if op.schema is None else str(op.schema),
        "overloads": [o.name for o in registry.overloads(op.name) if o is not op],
        "registered": [
            {
                "key": key_name(k),
                "kernel": kernel_label(kernel.fn, op),
                "where": place(kernel.where),
            }
            for k, kernel in sorted(op.kernels.items(), reverse=True)
        ],
        "table": table,
    }


def step(hop: Hop, op: Operator) -> dict[str, Any]:
    """One slot of a computed table."""
    fn = None if hop.kernel is None else hop.kernel.fn
    return {
        "key": key_name(hop.key),
        "kernel": None if fn is None else kernel_label(fn, op),
        "where": None if fn is None else place(kernel_place(hop)),
        "why": reason(hop),
        "own": fn in BUILDERS,
    }


def place(where: str | None) -> str | None:
    """``file:line`` without what comes before the package's folder."""
    if where is None:
        return None
    path, colon, line = where.rpartition(":")
    for marker in (f"{os.sep}src{os.sep}", f"{os.sep}site-packages{os.sep}"):
        if marker in path:
            return path.rpartition(marker)[2] + colon + line
    if os.path.isabs(path):
        near = os.path.relpath(path)
        return (path if near.startswith(os.pardir) else near) + colon + line
    return where


def show(value: Any) -> str:
    """An argument as a spec would write it."""
    if isinstance(value, TensorSpec):
        return str(value)
    if is_tensor(value):
        return tensor_spec(value) + ",pipeline" * bool(value._sig_ & S.PENDING)
    if isinstance(value, list | tuple):
        return f"[{','.join(show(v) for v in value)}]"
    return str(value)
