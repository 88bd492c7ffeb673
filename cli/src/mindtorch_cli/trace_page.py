"""A trace as one HTML file that needs nothing else: a tree to open and close, with bars of time."""

from __future__ import annotations

from html import escape
from pathlib import Path

from mindtorch_dispatch.trace import Trace
from mindtorch_dispatch.trace_events import CALL, Event
from mindtorch_dispatch.trace_output import duration, facts, flat, folded, remarks, title

from .calls import place

__all__ = ["page", "save_page"]

_STYLE = """
:root { color-scheme: light dark; --dim: #6b6b6b; --bar: #4c8bf5; --key: #0b7285; --bad: #c92a2a }
@media (prefers-color-scheme: dark) { :root { --dim: #a0a0a0; --key: #66d9e8; --bad: #ff8787 } }
* { box-sizing: border-box }
body { font: 14px/1.45 ui-monospace, Menlo, Consolas, monospace; margin: 0; padding: 12px }
h1 { font-size: 16px; margin: 0 0 4px } p { margin: 0 0 12px; color: var(--dim) }
details { border-left: 1px solid color-mix(in srgb, currentColor 20%, transparent);
  padding-left: 10px }
details.top { border: 0; padding: 0; margin-bottom: 6px }
summary { cursor: pointer; overflow-wrap: anywhere; padding: 3px 0; list-style-position: outside;
  margin-left: 14px }
details.leaf > summary { list-style: none } details.leaf > summary::-webkit-details-marker
  { display: none }
.call { font-weight: 600 } .kernel { color: var(--key) } .note { color: var(--dim) }
.bad { color: var(--bad) } .time { color: var(--dim); white-space: nowrap }
.bar { display: block; height: 3px; border-radius: 2px; background: var(--bar); min-width: 1px;
  opacity: .75 }
dl { margin: 2px 0 6px 14px; color: var(--dim); font-size: 12px; overflow-wrap: anywhere }
dt { display: inline; font-weight: 600 } dd { display: inline; margin: 0 }
"""


def save_page(trace: Trace, path: Path, name: str) -> None:
    """Write :func:`page` to *path*."""
    path.write_text(page(trace, name), encoding="utf-8")


def page(trace: Trace, name: str) -> str:
    """The page; *name* is what was traced."""
    whole = sum(e.duration for e in trace.events) or 1
    body = "\n".join(node(e, n, ns, whole, top=True) for e, n, ns in folded(trace.events))
    more = f", {trace.dropped} not kept" if trace.dropped else ""
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(name)}: dispatch trace</title>\n<style>{_STYLE}</style>\n"
        f"<h1>{escape(name)}</h1>\n<p>{len(trace.calls())} calls, {len(trace)} events{more}, "
        f"{duration(whole)}; a bar is the share of all time</p>\n{body or '<p>no calls</p>'}\n"
        "</html>\n"
    )


def node(event: Event, times: int, ns: int, whole: int, *, top: bool = False) -> str:
    """One event with all inside it."""
    inner = "".join(node(e, n, t, whole) for e, n, t in folded(event.children))
    classes = " ".join(filter(None, ("top" if top else "", "" if inner else "leaf")))
    head = f"{times} × " if times > 1 else ""
    notes = "".join(
        f' <span class="{"bad" if r.startswith("raised ") else "note"}">{escape(r)}</span>'
        for r in remarks(event)
    )
    share = max(0.0, min(100.0, 100 * ns / whole))
    return (
        f'<details class="{classes}"{" open" if top and event.kind != CALL else ""}><summary>'
        f'<span class="{event.kind}">{escape(head + title(event))}</span>{notes} '
        f'<span class="time">{duration(ns)}</span>'
        f'<span class="bar" style="width:{share:.2f}%"></span></summary>'
        f"{described(event)}{inner}</details>"
    )


def described(event: Event) -> str:
    """Key sets, masks, places: what the line has no room for."""
    rows = []
    for name, value in facts(event).items():
        # Masks that are not the usual ones stand in the line itself.
        if name in ("kind", "name", "notes", "chosen", "included", "excluded", "error", "key"):
            continue
        if name == "arguments":
            value = [a for a in value if a["keys"]]
        elif name == "where":
            value = place(value)
        if not value:
            continue
        rows.append(f"<div><dt>{escape(name)}</dt> <dd>{escape(str(flat(value)))}</dd></div>")
    return f"<dl>{''.join(rows)}</dl>" if rows else ""
