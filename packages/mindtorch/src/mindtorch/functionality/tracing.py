"""``torch.dispatch_trace()``: what the dispatcher does for each call of a block of code.

The call tables ask here for the functions of a thread whose state says that it is traced. They
wrap what ``call.dispatch_entry`` builds: one event for the call, one for the kernel at each key.
"""

from __future__ import annotations

import re
from typing import Any

from mindtorch_autograd import node_watcher
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import Hop, Operator, parse_key
from mindtorch_dispatch.kernel import where_defined
from mindtorch_dispatch.trace import Trace, current_trace, tracing
from mindtorch_dispatch.trace_events import Argument

from ..backends.built_in import BACKENDS
from ..call.arguments import same
from ..call.dispatch_entry import OVERLOADS, Call
from ..call.overload import Overload
from ..call.specialize import BUILDERS, build_hop, specialize
from ..core import signature as S
from ..core.functionality_keys import AUTOGRAD_BLOCK
from ..core.key_sets import key_mask, own_keys
from ..tensor import Tensor

__all__ = [
    "dispatch_trace",
    "kernel_label",
    "kernel_place",
    "short_dtype",
    "traced_call",
    "traced_kernel",
]

#: Long arguments are cut to this many characters.
WIDTH = 60
#: Keys from here on hand on to keys below them.
_WRAPPERS = int(K.Python)

node_watcher.set_source(current_trace)


class dispatch_trace:
    """Record every call that this thread dispatches in a ``with`` block.

    ``with torch.dispatch_trace() as t:`` gives a tree of events: calls with their arguments' key
    sets, the thread's masks and the keys they ran through; the calls inside composite ops; a
    backward with its nodes; what a pipeline records and what its flush runs. ``print(t)`` shows
    it, ``t.save("trace.json")`` writes a file for Perfetto. Times include what tracing costs.
    What mindtorch computes without calling an op (a fused optimizer step) is no call.

    :param op: keep only calls of these ops (``add``, ``aten::mul*``) and what is around and
        inside them; when the block ends.
    :param key: keep only calls that run a kernel at this key, and what is around them.
    :param depth: keep this many levels.
    :param limit: keep this many events and only count the others.
    """

    def __init__(
        self,
        *,
        op: str | None = None,
        key: int | str | None = None,
        depth: int | None = None,
        limit: int | None = None,
    ) -> None:
        if key is not None:
            parse_key(key)  # a key that does not exist is said now, not at the end of the block
        if depth is not None and depth < 1:
            raise ValueError(f"depth must be at least 1, got {depth}")
        self._choice = {"op": op, "key": key, "depth": depth}
        self._limit = limit
        self._guards: list[tracing] = []

    def __enter__(self) -> Trace:
        guard = tracing(Trace(describe, limit=self._limit))
        self._guards.append(guard)
        return guard.__enter__()

    def __exit__(self, *exc_info: object) -> None:
        guard = self._guards.pop()
        guard.__exit__(*exc_info)
        if any(v is not None for v in self._choice.values()):
            guard.trace.events = guard.trace.select(**self._choice).events


# Calls of a traced thread -------------------------------------------------------------------------


def traced_call(overload: Overload, sig: int) -> Call:
    """The call of *overload* for a traced thread: an event around what runs otherwise."""
    operator = overload.operator
    keys = key_mask(sig)
    inner: Call | None = None

    def call(*args: Any) -> Any:
        nonlocal inner
        trace = current_trace()
        if trace is None:  # only a context that was put together by hand has the flag alone
            return specialize(overload, sig, after="streams")(*args)
        if inner is None:  # now: the first call's time is not to be that of building tables
            try:
                inner = specialize(overload, sig, after="streams")
            except Exception:
                with trace.call(operator.name, keys, shown(trace, overload, args)):
                    raise
        with trace.call(operator.name, keys, shown(trace, overload, args)):
            result = inner(*args)
            if trace.keeps_results:
                trace.made(result)
            return result

    return call


def shown(trace: Trace, overload: Overload, args: tuple[Any, ...]) -> list[tuple[str, Any]]:
    """The arguments that *trace* is told of."""
    return [("", value) for value in args] if trace.complete else given(overload, args)


def given(overload: Overload, args: tuple[Any, ...]) -> list[tuple[str, Any]]:
    """The arguments that differ from their defaults, keyword-only ones with their names."""
    found: list[tuple[str, Any]] = []
    skipped = False
    for value, argument in zip(args, overload.schema.arguments):
        if argument.has_default_value() and same(value, argument):
            skipped = True
        else:
            name = argument.name if skipped or argument.kwarg_only else ""
            found.append((name, value))
    return found


def traced_kernel(overload: Overload, sig: int, mask: int, hop: Hop) -> Call:
    """The function built at the key of *hop*, with an event around it."""
    operator = overload.operator
    made = build_hop(overload, sig, mask, hop)
    label = kernel_label(hop.kernel.fn if hop.kernel else None, operator)
    where = kernel_place(hop)
    notes = _notes(overload, sig, hop, made)

    def kernel(*args: Any) -> Any:
        trace = current_trace()
        if trace is None:
            return made(*args)
        with trace.kernel(operator, hop, mask, *notes, label=label, where=where):
            return made(*args)

    kernel.traced = True
    return kernel


def _notes(overload: Overload, sig: int, hop: Hop, made: Call) -> tuple[str, ...]:
    """What is worth knowing about a kernel beside its key."""
    if hop.kernel is None or hop.kernel.fn not in BUILDERS:
        return ()
    if hasattr(made, "traced"):
        return ("nothing to record",) if hop.key & AUTOGRAD_BLOCK else ("hands on",)
    if sig & S.DEFER and hop.key < _WRAPPERS and overload.row.view is None:
        return ("recorded for the flush",)
    return ()


# What people read ---------------------------------------------------------------------------------


def describe(value: Any) -> Argument:
    """An argument as a spec: ``f32[2,3]@npu,grad``, with the keys that it brings."""
    if isinstance(value, Tensor):
        return Argument(tensor_spec(value), own_keys(value._sig_))
    if isinstance(value, (list, tuple)):
        parts = [describe(v) for v in value[:9]]
        masks = [p.keys for p in parts if p.keys is not None]
        keys = None
        for mask in masks:
            keys = (keys or 0) | mask
        more = ["…"] if len(value) > 9 else []
        return Argument(cut(f"[{','.join([p.text for p in parts] + more)}]"), keys)
    return Argument(cut(str(value)))


def cut(text: str) -> str:
    """*text*, if it is short, else its beginning."""
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def tensor_spec(t: Any) -> str:
    """A tensor in words: dtype, shape, device unless cpu, whether it requires grad."""
    text = f"{short_dtype(t.dtype)}[{','.join(map(str, t.shape))}]"
    if t.device.type != "cpu":
        text += f"@{t.device}"
    # The property would first bring the history of a view up to date; a trace changes nothing.
    return text + ",grad" * bool(t._sig_ & S.REQUIRES_GRAD)


def short_dtype(dtype: Any) -> str:
    """``f32`` for ``torch.float32``; ``b1`` for bool."""
    name = str(dtype).removeprefix("torch.")
    if name == "bool":
        return "b1"
    return re.sub(r"^(b?f|c|u?i)[a-z]+(?=\d)", r"\1", name)


#: Kernels of mindtorch that run what an op's row says.
_GENERIC = frozenset(b.kernel.__name__ for b in BACKENDS.values() if b.memory) | {
    *("composite", "host_apart", "launched"),
}


def kernel_place(hop: Hop) -> str | None:
    """Where what *hop* runs is defined.

    Wrappers are one function for all ops, which its file explains; backends run what a row says.
    """
    kernel = hop.kernel
    if kernel is not None and kernel.fn in BUILDERS and hop.key >= _WRAPPERS:
        if not hop.rule.startswith("Composite"):
            return where_defined(kernel.fn)
    return hop.where


def kernel_label(fn: Any, op: Operator) -> str:
    """A kernel's name for people.

    The kernels of mindtorch serve many ops: what they run for this one follows in brackets.
    """
    name = getattr(fn, "__name__", None) or getattr(getattr(fn, "func", None), "__name__", "")
    if name in _GENERIC:
        overload = OVERLOADS.get(op.name)
        row = None if overload is None else overload.row
        fused = overload is not None and overload.is_fused and name != "composite"
        if row is not None and row.composite is not None and not fused:
            return f"{getattr(row.composite, '__name__', 'composite')} (composite)"
        if row is not None:
            inner = row.ufunc or row.prepare or row.kernel or row.view
            word = getattr(inner, "__name__", "")
            module = "numpy." if type(inner).__module__ == "numpy" else ""
            return f"{name} ({module}{word if word.isidentifier() else row.base})"
    return str(name or repr(fn))
