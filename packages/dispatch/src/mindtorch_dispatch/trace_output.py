"""A trace as text, as plain data, as a file for Perfetto; and parts of a trace."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from .kernel import Hop
from .keys import DEFAULT_EXCLUDED, DEFAULT_INCLUDED, key_name, keys_in, parse_key, runtime_keys_of
from .trace_events import CALL, ENTRY, FLUSH, KERNEL, NODE, Event

__all__ = ["chrome_trace", "duration", "folded", "reason", "save", "select", "text", "to_dict"]


def names(mask: int) -> list[str]:
    """The keys of a mask by name, highest first."""
    return [key_name(k) for k in keys_in(mask)]


def reason(hop: Hop) -> str:
    """Why the kernel of *hop* stands at its key, in words."""
    if hop.fallthrough:
        where = "for all ops" if hop.rule == "backend fallback" else "for this op"
        return f"falls through {where}"
    if hop.rule == "direct":
        return "registered at this key"
    if hop.rule == "missing":
        return "no kernel"
    if hop.rule == "backend fallback":
        return "fallback for all ops"
    return hop.rule if "mbiguous" in hop.rule else f"alias {hop.rule.partition(' ')[0]}"


def duration(ns: int) -> str:
    """A time as people read it: four characters and a unit."""
    if ns < 1_000:
        return f"{ns} ns"
    for unit, size in (("µs", 1_000), ("ms", 1_000_000)):
        if ns < 1_000 * size:
            value = ns / size
            return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"
    return f"{ns / 1e9:.2f} s"


def walk(events: list[Event]) -> Iterator[Event]:
    """*events* and all inside them, outer ones first."""
    for event in events:
        yield from event.walk()


# Parts --------------------------------------------------------------------------------------------


def copied(event: Event, children: list[Event]) -> Event:
    """The same event with other children."""
    made = Event(event.kind, event.name)
    for slot in Event.__slots__:
        setattr(made, slot, getattr(event, slot))
    made.children = children
    return made


def select(
    events: list[Event], op: str | None, key: int | str | None, depth: int | None
) -> list[Event]:
    """See :meth:`Trace.select`."""
    wanted = None if key is None else runtime_keys_of(parse_key(key))
    everything = op is None and wanted is None

    def matches(call: Event) -> bool:
        return (op is None or named(call.name, op)) and (wanted is None or runs_at(call, wanted))

    def kept(events: list[Event], level: int, inside: bool) -> list[Event]:
        """Those of *events* that match, with what is around them.

        :param inside: they are inside a call that matches: its kernels, and unless a key was
            asked for also the calls that these make.
        """
        found = []
        for event in events:
            hit = everything or inside
            if event.kind == CALL and not everything and not (inside and wanted is None):
                hit = matches(event)
            children = kept(event.children, level + 1, hit)
            if hit or children:
                cut = depth is not None and level >= depth
                found.append(copied(event, [] if cut else children))
        return found

    return kept(events, 1, False)


def named(name: str, pattern: str) -> bool:
    """Whether the op *name* is meant by *pattern*: a name, with or without namespace, overload."""
    base = name.partition(".")[0]
    wanted = pattern if "::" in pattern else f"*::{pattern}"
    return fnmatchcase(name, wanted) or fnmatchcase(base, wanted)


def runs_at(event: Event, keys: int) -> bool:
    """Whether a kernel of the call itself, not of a call inside, runs at one of *keys*."""
    stack = list(event.children)
    while stack:
        e = stack.pop()
        if e.kind == KERNEL:
            if e.hop is not None and e.hop.key & keys:
                return True
            stack += e.children
    return False


# Plain data ---------------------------------------------------------------------------------------


def to_dict(events: list[Event], dropped: int) -> dict[str, Any]:
    """See :meth:`Trace.to_dict`. Times are microseconds; starts count from the first event."""
    zero = min((e.start for e in events), default=0)
    return {
        "events": [event_dict(e, zero) for e in events],
        "count": sum(1 for _ in walk(events)),
        "dropped": dropped,
    }


def event_dict(root: Event, zero: int) -> dict[str, Any]:
    """One event and all inside. No recursion: a trace may be deeper than the interpreter's limit.

    A call has ``arguments`` (each with its ``keys``), the ``included`` and ``excluded`` keys of
    its thread, the joined ``keys`` and the one ``chosen``; a kernel its ``key``, ``kernel``,
    ``where`` it is defined and ``why`` it stands there.
    """
    top: list[dict[str, Any]] = []
    stack = [(root, top)]
    while stack:
        event, place = stack.pop()
        made = facts(event) | {
            "start_us": (event.start - zero) / 1000,
            "duration_us": event.duration / 1000,
            "own_us": event.own / 1000,
            "thread": event.thread,
            "children": [],
        }
        place.append(made)
        stack += [(c, made["children"]) for c in reversed(event.children)]
    return top[0]


def facts(event: Event) -> dict[str, Any]:
    """What an event says beside times and children."""
    made: dict[str, Any] = {"kind": event.kind, "name": event.name}
    if event.kind == CALL:
        chosen = event.chosen
        made["arguments"] = [
            {"text": a.text, "keys": None if a.keys is None else names(a.keys)}
            for a in event.arguments
        ]
        made["included"] = names(event.included)
        made["excluded"] = names(event.excluded)
        made["keys"] = names(event.keys)
        made["chosen"] = None if chosen is None or chosen.hop is None else key_name(chosen.hop.key)
    elif event.kind == KERNEL and event.hop is not None:
        made["key"] = key_name(event.hop.key)
        made["kernel"] = event.kernel
        made["where"] = event.where
        made["why"] = reason(event.hop)
        made["keys"] = names(event.keys)
    if event.notes:
        made["notes"] = list(event.notes)
    if event.error is not None:
        made["error"] = event.error
    return made


def chrome_trace(events: list[Event]) -> dict[str, Any]:
    """See :meth:`Trace.chrome_trace`: complete events (``X``), one track per thread."""
    pid = os.getpid()
    zero = min((e.start for e in events), default=0)
    made: list[dict[str, Any]] = [
        {"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": "mindtorch"}}
    ]
    threads: dict[int, int] = {}
    for event in walk(events):
        tid = threads.setdefault(event.thread, len(threads) + 1)
        details = facts(event)
        made.append(
            {
                "ph": "X",
                "name": title(event),
                "cat": event.kind,
                "ts": (event.start - zero) / 1000,
                "dur": max(event.duration, 0) / 1000,
                "pid": pid,
                "tid": tid,
                "args": {k: flat(v) for k, v in details.items() if k not in ("kind", "name")},
            }
        )
    for ident, tid in threads.items():
        name = {"name": f"thread {ident}"}
        made.append({"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": name})
    return {"traceEvents": made, "displayTimeUnit": "ns"}


def flat(value: Any) -> Any:
    """Lists as one line: trace viewers show arguments of an event flat."""
    if not isinstance(value, list):
        return value
    return ", ".join(
        f"{v['text']}: {' '.join(v['keys'] or ['-'])}" if isinstance(v, dict) else str(v)
        for v in value
    )


def save(events: list[Event], dropped: int, path: Any) -> None:
    """See :meth:`Trace.save`."""
    target = Path(path)
    if target.suffix == ".json":
        data = json.dumps(chrome_trace(events), ensure_ascii=False)
    elif target.suffix == ".txt":
        data = text(events, dropped) + "\n"
    else:
        raise ValueError(f"a trace is saved as .json or .txt, got {target.name!r}")
    target.write_text(data, encoding="utf-8")


# Text ---------------------------------------------------------------------------------------------


def title(event: Event) -> str:
    """An event in one line, without its times."""
    if event.kind == CALL:
        return f"{event.name}({', '.join(a.text for a in event.arguments)})"
    if event.kind == KERNEL and event.hop is not None:
        return f"{key_name(event.hop.key)}: {event.kernel}"
    if event.kind in (NODE, ENTRY):
        return f"{event.kind} {event.name}"
    return event.kind if event.kind == FLUSH else f"{event.kind} from {event.name}"


def masks(event: Event) -> str:
    """What the thread adds to a call's keys or takes out of them beyond the usual."""
    more, less = event.included & ~DEFAULT_INCLUDED, event.excluded & ~DEFAULT_EXCLUDED
    words = []
    if more:
        words.append(f"included {some(names(more))}")
    if less:
        words.append(f"excluded {some(names(less))}")
    return "; ".join(words)


def some(keys: list[str]) -> str:
    """Keys as words; of many only the highest and the lowest."""
    if len(keys) <= 4:
        return " ".join(keys)
    return f"{len(keys)} keys from {keys[0]} to {keys[-1]}"


def remarks(event: Event) -> list[str]:
    """What follows the title: notes, masks, an error."""
    found = list(event.notes)
    thread = masks(event) if event.kind == CALL else ""
    if thread:
        found.append(thread)
    # Said once, where it comes from.
    if event.error is not None and all(c.error != event.error for c in event.children):
        found.append(f"raised {event.error.splitlines()[0]}")
    return found


def shape(event: Event) -> tuple[Any, ...]:
    """What two events must share to be shown as one, ×2."""
    notes = () if event.kind == ENTRY else event.notes
    return (title(event), notes, event.error, tuple(shape(c) for c in event.children))


def folded(events: list[Event]) -> Iterator[tuple[Event, int, int]]:
    """Events with how many like them follow each other, and the time of all these."""
    at = 0
    while at < len(events):
        first = events[at]
        # Shapes are compared only where the titles agree: most neighbours differ.
        end = at + 1
        while end < len(events) and title(events[end]) == title(first):
            if shape(events[end]) != shape(first):
                break
            end += 1
        yield first, end - at, sum(e.duration for e in events[at:end])
        at = end


def text(events: list[Event], dropped: int) -> str:
    """See :meth:`Trace.text`: one line per event, equal neighbours as one with their number."""
    lines: list[str] = []
    # (event, how many, their time, what is before its line, what is before those inside)
    stack = [(e, n, ns, "", "") for e, n, ns in reversed([*folded(events)])]
    while stack:
        event, times, ns, lead, indent = stack.pop()
        head = f"{times} × " if times > 1 else ""
        extra = "".join(f"  [{r}]" for r in remarks(event))
        lines.append(f"{lead}{head}{title(event)}{extra}  {duration(ns)}")
        last, more = ("└─ ", "   "), ("├─ ", "│  ")
        for inner, n, inner_ns in reversed([*folded(event.children)]):
            branch, deeper = last
            stack.append((inner, n, inner_ns, indent + branch, indent + deeper))
            last = more
    if dropped:
        lines.append(f"{dropped} more events are not kept (limit)")
    return "\n".join(lines)
