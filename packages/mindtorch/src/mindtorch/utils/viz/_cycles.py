"""Cycles of references that keep memory of an accelerator: they wait for Python's collector.

Whoever observes is shown each cycle that the collector finds and a tensor hangs on: its objects, by
which attribute one refers to the other, and where the tensor's memory was asked for.
"""

from __future__ import annotations

import atexit
import gc
import json
import logging
import tempfile
import types
import weakref
from collections.abc import Callable, Iterator
from html import escape as _escape
from typing import Any, NamedTuple

from mindtorch_npu import snapshots as _memory
from mindtorch_storage import ACCELERATOR

from ..._subclasses.fake_tensor import FakeTensor
from ...tensor import Tensor

__all__ = ["observe_tensor_cycles", "warn_tensor_cycles"]

logger = logging.getLogger(__name__)


def observe_garbage(observer: Callable[[list[Any]], None]) -> Callable[[], None]:
    """Show *observer* what each run of the collector finds; gives what ends that.

    What is found is freed once it was shown.
    """
    on = [True]

    def watch(phase: str, info: dict[str, Any]) -> None:
        if not on[0]:
            return
        if phase == "start":
            gc.set_debug(gc.DEBUG_SAVEALL)
            return
        gc.set_debug(0)
        if gc.garbage:
            on[0] = False  # nothing of what the observer leaves is shown
            try:
                observer(gc.garbage)
            finally:
                gc.garbage.clear()
                gc.collect()
                on[0] = True

    def disarm() -> None:
        on[0] = False
        if watch in gc.callbacks:
            gc.callbacks.remove(watch)

    atexit.register(disarm)
    gc.callbacks.append(watch)
    return disarm


def _named_parts(obj: Any) -> Iterator[tuple[str, Any]]:
    """What *obj* refers to, each with the name by which it does."""
    if isinstance(obj, (list, tuple)):
        yield from ((f"[{i}]", item) for i, item in enumerate(obj))
    elif isinstance(obj, dict):
        for key, value in list(obj.items()):
            yield "key", key
            yield f"[{key!r}]", value
    elif isinstance(obj, (set, frozenset)):
        yield from (("element", item) for item in obj)
    names = {
        types.FunctionType: "__defaults__ __closure__ __globals__ __code__ __kwdefaults__",
        types.MethodType: "__self__ __func__",
        types.CellType: "cell_contents",
        types.FrameType: "f_back f_code f_globals f_locals",
    }.get(type(obj), "")
    for name in (*names.split(), "__dict__", "__class__"):
        try:
            yield name, getattr(obj, name)
        except (AttributeError, ValueError):  # an empty cell
            continue


def annotated_references(obj: Any) -> dict[int, list[str]]:
    """The names by which *obj* refers to others, by their ids."""
    found: dict[int, list[str]] = {}
    for name, part in _named_parts(obj):
        found.setdefault(id(part), []).append(name)
    return found


_BASE = (int, float, complex, type(None), str, bytes)
#: How many elements of a sequence are shown.
_SHOWN = 8


def _elements(obj: Any) -> str:
    shown = [repr(x) if isinstance(x, _BASE) else type(x).__name__ for x in obj[:_SHOWN]]
    more = f", ...{len(obj) - _SHOWN}" if len(obj) > _SHOWN else ""
    return ",".join(shown) + more


#: What is shown of an object, by its class: of the first that fits.
_ANNOTATIONS: dict[Any, Callable[[Any], str]] = {
    _BASE: repr,
    types.FunctionType: lambda o: f"function\n{o.__name__}",
    types.MethodType: lambda o: (
        f"instancemethod\n{getattr(o.__func__, '__qualname__', '<anonymous>')}"
    ),
    list: lambda o: f"[{_elements(o)}]",
    tuple: lambda o: f"({_elements(o)})",
    dict: lambda o: f"dict[{len(o)}]",
    types.ModuleType: lambda o: f"module\n{o.__name__}",
    type: lambda o: f"type\n{o.__name__}",
    weakref.ref: lambda o: (
        "weakref (dead referent)" if o() is None else f"weakref to id 0x{id(o()):x}"
    ),
    types.FrameType: lambda o: f"frame\n{_shortened(o.f_code.co_filename)}:{o.f_lineno}",
}


def _shortened(filename: str) -> str:
    return filename if len(filename) <= 32 else f"...{filename[-29:]}"


def object_annotation(obj: Any) -> str:
    """What *obj* is, in few words."""
    for kind, annotation in _ANNOTATIONS.items():
        if isinstance(obj, kind):
            return annotation(obj)
    shape = f" ({obj.shape})" if is_cuda_tensor(obj) else ""
    return f"object\n{type(obj).__module__}.{type(obj).__name__}{shape}"


def is_cuda_tensor(obj: Any) -> bool:
    """Whether *obj* is a tensor with memory of the accelerator."""
    held = isinstance(obj, Tensor) and not isinstance(obj, FakeTensor)
    return held and obj.device.type == ACCELERATOR


def cuda_allocation_context() -> Callable[[Any], str | None]:
    """What tells of a tensor where its memory was asked for; None where nobody wrote it down."""
    # What the collector found gave its memory back already: the last who asked for it had it.
    traces = _memory._snapshot()["device_traces"]
    asked = [event for trace in traces for event in trace if event["action"] == "alloc"]
    places = {event["addr"]: event["frames"] for event in asked}

    def context(obj: Any) -> str | None:
        frames = places.get(obj.untyped_storage().data_ptr()) if is_cuda_tensor(obj) else None
        if not frames:
            return None
        return "\n".join([f"{f['filename']}:{f['line']}:{f['name']}" for f in frames])

    return context


class Node(NamedTuple):
    """An object of a cycle."""

    label: str
    context: str | None
    root: bool
    referrents: list[tuple[str, int]]


def create_graph(
    objects: list[Any],
    *,
    context: Callable[[Any], str | None] | None = None,
    filter: Callable[[Any], bool] | None = None,
) -> list[Node]:
    """Those of *objects* that lead to one that *filter* chooses, and their references.

    :param context: says more of an object.
    :param filter: by default, tensors on the accelerator.
    """
    context = cuda_allocation_context() if context is None else context
    filter = is_cuda_tensor if filter is None else filter
    given = [o for o in objects if not isinstance(o, weakref.ProxyTypes)]
    places = {id(o): i for i, o in enumerate(given)}
    links: list[list[tuple[str, int]]] = [[] for _ in given]
    referrers: list[list[int]] = [[] for _ in given]
    for i, obj in enumerate(given):
        names = annotated_references(obj)
        for other in gc.get_referents(obj):
            at = places.get(id(other))
            if at is not None:
                referrers[at].append(i)
                links[i] += [(name, at) for name in names.get(id(other), ["?"])]
    roots = [i for i, obj in enumerate(given) if filter(obj)]
    kept, waiting = set(), list(roots)
    while waiting:
        at = waiting.pop()
        if at not in kept:
            kept.add(at)
            waiting += referrers[at]
    order = {old: new for new, old in enumerate(sorted(kept))}
    return [
        Node(
            object_annotation(given[i]),
            context(given[i]),
            i in roots,
            [(name, order[at]) for name, at in links[i] if at in order],
        )
        for i in order
    ]


def to_dot(nodes: list[Node]) -> str:
    """The graph for Graphviz; what was looked for is red."""
    lines = ["digraph GraphName {", "node [shape=rect];", "rankdir=LR;"]
    for i, node in enumerate(nodes):
        color = "red" if node.root else "black"
        lines.append(f"{i} [label={json.dumps(node.label)}, color={color}];")
    for i, node in enumerate(nodes):
        lines += [f"{i} -> {at} [label = {json.dumps(name)}]" for name, at in node.referrents]
    return "\n".join([*lines, "}\n"])


def to_html(nodes: list[Node]) -> str:
    """A page with the graph, and where memory was asked for."""
    places = [
        f"<h2>{_escape(n.label)}</h2><pre>{_escape(n.context)}</pre>" for n in nodes if n.context
    ]
    return (
        "<!DOCTYPE html><html><head><meta charset='utf-8'><title>Cycle</title></head><body>"
        f"<h1>Graph</h1><pre>{_escape(to_dot(nodes), quote=False)}</pre>"
        f"{''.join(places)}</body></html>"
    )


def observe_tensor_cycles(callback: Callable[[str], None]) -> Callable[[], None]:
    """Give *callback* a page of each cycle that a tensor on the accelerator hangs on.

    Gives what ends that.
    """
    _memory._record_memory_history(max_entries=100000)

    def observer(garbage: list[Any]) -> None:
        if any(is_cuda_tensor(obj) for obj in garbage):
            callback(to_html(create_graph(garbage)))
        else:
            logger.info("No CUDA Tensors found in garbage")

    return observe_garbage(observer)


def warn_tensor_cycles() -> Callable[[], None]:
    """Log a warning of each such cycle, with a file that shows it; gives what ends that."""
    logger.info("Watching Python reference cycles for CUDA Tensors.")

    def write_and_log(page: str) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False) as f:
            f.write(page)
        logger.warning(
            "Reference cycle includes a CUDA Tensor see visualization of cycle %s", f.name
        )

    return observe_tensor_cycles(write_and_log)
