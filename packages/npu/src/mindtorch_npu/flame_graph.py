"""Flame graphs of memory: stacks one above the other, as wide as the bytes that they hold.

Stacks are folded as torch's ``_memory_viz`` folds them: stream, segment, state, outermost frame
first, bytes. The picture is one SVG without scripts; a frame's whole text is its tooltip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any
from xml.sax.saxutils import escape

__all__ = ["draw", "fold_memory"]

Path = tuple[str, ...]
_WIDTH = 1200
_ROW = 17
_LETTER = 6.6  # width of a letter at this size


def fold_memory(segments: Iterable[Mapping[str, Any]], by_segment: bool) -> Counter[Path]:
    """Bytes by stream, segment (if asked for), state and stack."""
    folded: Counter[Path] = Counter()
    for segment in segments:
        head: Path = (f"stream_{segment['stream']}",)
        if by_segment:
            head = (*head, f"seg_{segment['address']:x}")
        for block in segment["blocks"]:
            size, state = block["size"], block["state"]
            asked = min(block["requested_size"], size) if state != "inactive" else 0
            if asked:
                folded[(*head, state, *_names(block.get("frames", ())))] += asked
            if size > asked:
                folded[(*head, state, "<gaps>")] += size - asked
    return folded


def _names(frames: Iterable[Mapping[str, Any]]) -> Path:
    """A stack, outermost first."""
    names = [f"{PurePath(f['filename']).name}:{f['line']}:{f['name']}" for f in frames]
    return tuple(reversed(names)) or ("<non-python>",)


def draw(folded: Mapping[Path, int]) -> str:
    """The picture of folded stacks, the outermost frame at the bottom."""
    total = sum(folded.values())
    deepest = max(map(len, folded), default=0)
    height = (deepest + 2) * _ROW
    shapes = [_box(0, deepest, _WIDTH, "all", total, total)] if total else []
    shapes += _boxes(sorted(folded.items()), 0, 0.0, deepest, total)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" font-family="monospace" font-size="11">\n'
        + "\n".join(shapes)
        + "\n</svg>\n"
    )


def _boxes(
    rows: list[tuple[Path, int]], depth: int, left: float, deepest: int, total: int
) -> list[str]:
    """What lies over one frame: *rows* share their first *depth* names."""
    found: list[str] = []
    at = 0
    while at < len(rows):
        if len(rows[at][0]) <= depth:  # the stack ends here
            left += rows[at][1] / total * _WIDTH
            at += 1
            continue
        name, end = rows[at][0][depth], at
        while end < len(rows) and rows[end][0][depth : depth + 1] == (name,):
            end += 1
        held = sum(size for _, size in rows[at:end])
        width = held / total * _WIDTH
        found.append(_box(left, deepest - depth - 1, width, name, held, total))
        found += _boxes(rows[at:end], depth + 1, left, deepest, total)
        left += width
        at = end
    return found


def _box(left: float, row: int, width: float, name: str, held: int, total: int) -> str:
    top = (row + 1) * _ROW
    tip = escape(f"{name} ({held:,} bytes, {held / total:.1%})")
    letters = int(width / _LETTER) - 1
    text = escape(name if len(name) <= letters else name[: max(letters - 1, 0)] + "…")
    label = f'<text x="{left + 3:.1f}" y="{top + 12}">{text}</text>' if letters > 2 else ""
    hue = sum(map(ord, name)) % 60
    return (
        f'<g><title>{tip}</title><rect x="{left:.1f}" y="{top}" width="{max(width, 0.2):.1f}" '
        f'height="{_ROW - 1}" fill="hsl({hue}, 80%, 70%)"/>{label}</g>'
    )
