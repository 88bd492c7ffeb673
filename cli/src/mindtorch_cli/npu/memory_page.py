"""A memory snapshot as one HTML file that needs nothing else: time line, segments, streams.

Drawings are SVG that scales with the screen. A finger or a mouse on a piece shows what it is; so do
the arrow keys in a drawing that Tab has reached.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from mindtorch_npu.peak_usage import before_the_history, line_of_frames, usage

from ..render import shown_place
from .sizes import size

__all__ = ["page", "save_page"]

_STYLE = """
:root { color-scheme: light dark; --dim: #6b6b6b; --line: #d0d0d0 }
@media (prefers-color-scheme: dark) { :root { --dim: #a0a0a0; --line: #444 } }
* { box-sizing: border-box }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto;
  padding: 12px 12px 76px; max-width: 1100px }
h1 { font-size: 19px; margin: 0 0 2px } h2 { font-size: 16px; margin: 22px 0 4px }
p { margin: 2px 0 8px; color: var(--dim) } code { overflow-wrap: anywhere; font-size: 13px }
svg { display: block; width: 100%; touch-action: pan-y }
svg:focus-visible { outline: 2px solid Highlight; outline-offset: 2px }
svg.areas { height: 280px } svg.lane { height: 22px }
polygon.on, rect.on { stroke: CanvasText; stroke-width: 2; vector-effect: non-scaling-stroke }
.ends { display: flex; justify-content: space-between; font-size: 12px }
.names { margin-top: 8px; display: flex; flex-wrap: wrap; gap: 2px 14px }
table { border-collapse: collapse; width: 100% } td { padding: 3px 6px 3px 0; vertical-align: top }
td:nth-child(1) { width: 20px } td:nth-child(2) { white-space: nowrap; text-align: right;
  width: 84px } tr + tr td { border-top: 1px solid
  var(--line) }
.chip { display: inline-block; width: 12px; height: 12px; border-radius: 3px }
#tip { position: fixed; left: 8px; right: 8px; bottom: 8px; padding: 8px 10px; border-radius: 8px;
  background: Canvas; border: 1px solid var(--line); font-size: 13px; overflow-wrap: anywhere;
  display: none }
"""
_SCRIPT = """
const tip = document.getElementById("tip");
const size = n => { let u = 0; while (n >= 1024 && u < 4) { n /= 1024; u++ }
  return n.toFixed(u ? 2 : 0) + " " + ["B", "KiB", "MiB", "GiB", "TiB"][u] };
let marked = null;
const show = (t, part) => {
  marked?.classList.remove("on"); marked = t; tip.style.display = t ? "block" : "none";
  if (!t) return;
  t.classList.add("on"); tip.textContent = t.dataset.tip;
  const svg = t.closest("svg.areas");
  if (!svg || part === undefined) return;
  const n = +svg.dataset.columns, i = Math.max(0, Math.min(n - 1, Math.floor(part * n)));
  const height = p => { const at = p.points, half = at.length / 2;
    return (at[at.length - 1 - 2 * i].y - at[2 * i].y) * svg.dataset.unit };
  const all = [...svg.querySelectorAll("polygon")].reduce((sum, p) => sum + height(p), 0);
  const event = Math.min(i * svg.dataset.every + 1, svg.dataset.events);
  tip.textContent = `${t.dataset.line}: ${size(height(t))} of ${size(all)} near event ${event}`;
};
const point = e => { const t = e.target.closest?.("[data-tip]"); if (!t) return show(null);
  const box = t.closest("svg").getBoundingClientRect(); show(t, (e.clientX - box.x) / box.width) };
for (const kind of ["pointermove", "pointerdown"]) document.addEventListener(kind, point);
document.addEventListener("keydown", e => {
  const svg = e.target.closest?.("svg"); if (e.key === "Escape") return show(null);
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
  if (!svg || !by) return;
  const all = [...svg.querySelectorAll("[data-tip]")], at = all.indexOf(marked);
  if (all.length) show(all[at < 0 ? 0 : (at + by + all.length) % all.length]);
  e.preventDefault() });
"""
#: Colours that differ for people who see few.
_COLOURS = (
    *("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#ee8866", "#44bb99"),
    "#999999",
)
_LINES = len(_COLOURS) - 1
_WIDTH, _HEIGHT = 1000, 260
#: So many points of time, and so many kernels, are drawn; more would not be seen.
_POINTS, _SPANS = 500, 3000
#: What stands in a lane where a stream waits for another.
_WAIT, _WAIT_COLOUR = "wait_event", "#8885"
_STATES = {"active_allocated": "#4477aa", "active_pending_free": "#ccbb44", "inactive": "#8882"}


def save_page(snapshot: Mapping[str, Any], path: Path, name: str) -> None:
    """Write :func:`page` to *path*."""
    path.write_text(page(snapshot, name), encoding="utf-8")


def page(snapshot: Mapping[str, Any], name: str) -> str:
    """The whole document. *name* is the snapshot's."""
    body = [f"<h1>NPU memory</h1><p>{escape(name)}</p>"]
    for used in usage(snapshot):
        device = used["device"]
        segments = [s for s in snapshot["segments"] if s["device"] == device]
        trace = snapshot["device_traces"][device]
        body.append(_device(used, segments, trace))
        spans = [s for s in snapshot.get("stream_lanes", ()) if s["device"] == device]
        body.append(_lanes(device, spans))
    if len(body) == 1:
        body.append("<p>no memory of a device was used</p>")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>NPU memory: {escape(name)}</title><style>{_STYLE}</style></head><body>"
        f"{''.join(body)}<div id=tip role=status></div><script>{_SCRIPT}</script></body></html>"
    )


def _device(
    used: Mapping[str, Any], segments: Sequence[Mapping[str, Any]], trace: Sequence[Any]
) -> str:
    device = used["device"]
    parts = [f"<h2>npu:{device}: allocations by line</h2>"]
    trouble = used["out_of_memory"]
    if trouble is not None:
        parts.append(
            f"<p><b>Out of memory:</b> no room for {size(trouble['asked_bytes'])} at "
            f"<code>{escape(shown_place(trouble['line']))}</code></p>"
        )
    lines = [holder["line"] for holder in used["holders"][:_LINES]]
    parts.append(_timeline(segments, trace, lines, used["peak_bytes"]))
    parts.append(_legend(used["holders"], trouble is not None))
    parts.append(_segments(device, segments))
    return "".join(parts)


def _legend(holders: Sequence[Mapping[str, Any]], at_oom: bool) -> str:
    when = "when memory ran out" if at_oom else "at the peak"
    rows = []
    for i, holder in enumerate(holders[: _LINES + 12]):
        colour = _COLOURS[min(i, _LINES)]
        rows.append(
            f'<tr><td><span class=chip style="background:{colour}"></span></td>'
            f"<td>{size(holder['bytes'])}</td><td><code>{escape(shown_place(holder['line']))}</code></td></tr>"
        )
    if rest := holders[_LINES + 12 :]:
        held = size(sum(holder["bytes"] for holder in rest))
        rows.append(
            f'<tr><td><span class=chip style="background:{_COLOURS[-1]}"></span></td>'
            f"<td>{held}</td><td>{_count(len(rest), 'more line')}</td></tr>"
        )
    return f"<p>Who held memory {when}:</p><table>{''.join(rows)}</table>"


def _timeline(
    segments: Sequence[Mapping[str, Any]], trace: Sequence[Any], lines: list[str], peak: int
) -> str:
    """Stacked areas: bytes asked for, by line, along the events of the history."""
    place = {line: i for i, line in enumerate(lines)}
    totals = [0] * (_LINES + 1)
    live: dict[int, tuple[int, int]] = {}
    known: dict[int, int] = {}

    def add(address: int, nbytes: int, frames: Any) -> None:
        key = id(frames)
        at = known.get(key)
        if at is None:
            at = known[key] = place.get(line_of_frames(frames), _LINES)
        live[address] = nbytes, at
        totals[at] += nbytes

    for address, (nbytes, frames) in before_the_history(segments, trace).items():
        add(address, nbytes, frames)
    every = max(1, len(trace) // _POINTS)
    samples = [tuple(totals)]
    highest = tuple(totals)
    for i, entry in enumerate(trace):
        if entry["action"] == "alloc":
            add(entry["addr"], entry["size"], entry.get("frames", ()))
        elif entry["action"] == "free_completed" and entry["addr"] in live:
            nbytes, at = live.pop(entry["addr"])
            totals[at] -= nbytes
        now = tuple(totals)
        if sum(now) > sum(highest):  # a peak between two points is drawn all the same
            highest = now
        if i % every == every - 1:
            samples.append(highest)
            highest = now
    samples.append(highest)
    top = max(peak, 1)
    step = _WIDTH / len(samples)
    base = [0.0] * len(samples)
    areas = []
    for i in range(_LINES + 1):
        values = [sample[i] for sample in samples]
        if not any(values):
            continue
        upper = [b + v for b, v in zip(base, values, strict=True)]
        points = [*_stairs(upper, step, top), *reversed(_stairs(base, step, top))]
        line = escape(shown_place(lines[i]) if i < len(lines) else "all other lines")
        areas.append(
            f'<polygon points="{" ".join(points)}" fill="{_COLOURS[i]}" data-line="{line}" '
            f'data-tip="{line}: up to {size(max(values))}"/>'
        )
        base = upper
    count = _count(len(trace), "event")
    return (
        f"<p>peak {size(peak)} in {count}</p><svg class=areas tabindex=0 data-events={len(trace)} "
        f"data-columns={len(samples)} data-every={every} data-unit={top / (_HEIGHT - 4):.6g} "
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio=none role=img '
        f'aria-label="memory over time">{"".join(areas)}{_grid(top)}</svg>'
        f"<p class=ends><span>first event</span><span>lines at 1/4, 1/2, 3/4 of "
        f"{size(peak)}</span><span>last</span></p>"
    )


def _stairs(values: Sequence[float], step: float, top: int) -> list[str]:
    """The two corners of each value: memory changes at once, not by and by."""
    heights = [_y(value, top) for value in values]
    return [f"{x * step:.1f},{height}" for i, height in enumerate(heights) for x in (i, i + 1)]


def _grid(top: int) -> str:
    """Lines at quarters of the peak."""
    heights = (_y(top * part / 4, top) for part in (1, 2, 3))
    lines = (f'<path d="M0 {y}H{_WIDTH}"/>' for y in heights)
    return (
        '<g fill=none stroke=CanvasText stroke-opacity=.35 stroke-dasharray="4 4" '
        f"pointer-events=none>{''.join(lines)}</g>"
    )


def _y(value: float, top: int) -> str:
    # The script reads figures from heights: a hundred-thousandth of the peak must show.
    return f"{_HEIGHT - value / top * (_HEIGHT - 4):.3f}"


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _segments(device: int, segments: Sequence[Mapping[str, Any]]) -> str:
    """What the allocator holds at the end: a bar for each segment, with its blocks."""
    if not segments:
        return ""
    rows = []
    shown = sorted(segments, key=lambda s: -s["total_size"])[:120]
    widest = shown[0]["total_size"]
    y = 0
    for segment in shown:
        scale = _WIDTH / widest
        blocks = []
        x = 0.0
        for block in segment["blocks"]:
            width = block["size"] * scale
            line = line_of_frames(block.get("frames", ()))
            tip = f"{block['state']} {size(block['size'])} {shown_place(line)}"
            blocks.append(
                f'<rect x="{x:.2f}" y={y} width="{max(width - 0.6, 0.6):.2f}" height=12 '
                f'fill="{_STATES.get(block["state"], "#999")}" data-tip="{escape(tip)}"/>'
            )
            x += width
        rows.append("".join(blocks))
        y += 15
    total = sum(s["total_size"] for s in segments)
    used = sum(s["allocated_size"] for s in segments)
    pending = sum(
        b["size"] for s in segments for b in s["blocks"] if b["state"] == "active_pending_free"
    )
    waiting = f", {size(pending)} freed but not by all streams (yellow)" if pending else ""
    more = f", the largest {len(shown)} drawn" if len(shown) < len(segments) else ""
    count = _count(len(segments), "segment")
    return (
        f"<h2>npu:{device}: segments at the end</h2><p>{count}, {size(total)}, "
        f"of which {size(used)} in use (blue){waiting}{more}</p>"
        f'<svg tabindex=0 style="height:{y + 2}px" viewBox="0 0 {_WIDTH} {y + 2}" '
        f'preserveAspectRatio=none role=img aria-label="segments">{"".join(rows)}</svg>'
    )


def _lanes(device: int, spans: Iterable[Mapping[str, Any]]) -> str:
    """A lane for each stream, with the kernels that it ran."""
    by_stream: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for span in spans:
        by_stream[span["stream"]].append(span)
    if not by_stream:
        return ""
    start = min(s["start_us"] for lane in by_stream.values() for s in lane)
    end = max(s["end_us"] for lane in by_stream.values() for s in lane)
    scale = _WIDTH / max(end - start, 1)
    names: Counter[str] = Counter()  # the slowest have colours of their own
    for lane in by_stream.values():
        for span in lane:
            if span["name"] != _WAIT:
                names[span["name"]] += span["end_us"] - span["start_us"]
    slowest = names.most_common()
    colour = {name: _COLOURS[min(i, _LINES)] for i, (name, _) in enumerate(slowest)}
    colour[_WAIT] = _WAIT_COLOUR
    rows = []
    for stream, lane in sorted(by_stream.items()):
        every = max(1, len(lane) // _SPANS)
        drawn = []
        for span in lane[::every]:
            x = (span["start_us"] - start) * scale
            width = max((span["end_us"] - span["start_us"]) * scale, 0.5)
            name = "waits" if span["name"] == _WAIT else span["name"]
            tip = f"{name} {span['end_us'] - span['start_us']} µs {span['site']}"
            drawn.append(
                f'<rect x="{x:.1f}" y=0 width="{width:.1f}" height=16 '
                f'fill="{colour[span["name"]]}" data-tip="{escape(tip)}"/>'
            )
        waits = sum(span["name"] == _WAIT for span in lane)
        kernels = len(lane) - waits
        waiting = f", {_count(waits, 'wait')} (grey)" if waits else ""
        rows.append(
            f"<p>stream {stream}: {_count(kernels, 'kernel')}{waiting}</p>"
            f'<svg class=lane tabindex=0 viewBox="0 0 {_WIDTH} 16" preserveAspectRatio=none '
            f'role=img aria-label="stream {stream}">{"".join(drawn)}</svg>'
        )
    time = f"{(end - start) / 1000:.1f} ms"
    return f"<h2>npu:{device}: streams, {time}</h2>{''.join(rows)}{_names(slowest)}"


def _names(slowest: Iterable[tuple[str, int]]) -> str:
    """The kernels that took most time, with their colours."""
    shown = (
        f'<span><span class=chip style="background:{colour}"></span> '
        f"<code>{escape(name)}</code> {time / 1000:.1f} ms</span>"
        for (name, time), colour in zip(slowest, _COLOURS[:_LINES], strict=False)
    )
    return f"<p class=names>{''.join(shown)}</p>"
