"""The distribution as one SVG: a curve per column, rows from the quickest to the slowest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape

from .figures import COLUMNS, Run, quantiles

__all__ = ["draw"]

_WIDTH, _HEIGHT = 960, 560
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 64, 48
#: Colours that differ for people who see few.
_COLOURS = ("#4477aa", "#ee6677", "#228833", "#aa3377")


#: From a share of rows, or a ratio, to where it stands in the picture.
Place = Callable[[float], float]
#: Title of the column, colour, number of the run, and the rows by ratio.
Curve = tuple[str, str, int, list[tuple[float, str]]]


def draw(runs: Sequence[Run]) -> str:
    """The picture. Ratios are on a logarithmic scale; a run after the first is dashed."""
    columns = [c for c in COLUMNS if c.kind == "ratio"]
    curves = [
        (column.title, colour, number, sorted((v, n) for n, v in run.figures(column).items()))
        for number, run in enumerate(runs)
        for column, colour in zip(columns, _COLOURS, strict=True)
    ]
    values = [value for *_, points in curves for value, _ in points] or [1.0]
    low = math.floor(math.log10(min(*values, 0.5)))
    high = max(math.ceil(math.log10(max(*values, 2.0))), low + 1)

    def y(value: float) -> float:
        part = (math.log10(value) - low) / (high - low)
        return _HEIGHT - _BOTTOM - part * (_HEIGHT - _TOP - _BOTTOM)

    def x(part: float) -> float:
        return _LEFT + part * (_WIDTH - _LEFT - _RIGHT)

    parts = [_grid(low, high, x, y)]
    for title, colour, number, points in curves:
        if not points:
            continue
        last = max(len(points) - 1, 1)
        at = [(x(i / last), y(value)) for i, (value, _) in enumerate(points)]
        dash = ' stroke-dasharray="5 4"' if number else ""
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in at)
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"{dash}>'
            f"<title>{escape(title)}, {escape(runs[number].commit or runs[number].checkout)}"
            "</title></polyline>"
        )
        if not number:  # what a row is called, under the pointer
            parts += [
                f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" fill="{colour}" fill-opacity="0">'
                f"<title>{escape(name)}: {escape(title)} {value:.2f}</title></circle>"
                for (a, b), (value, name) in zip(at, points, strict=True)
            ]
    parts += _legend(runs, curves)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12">\n'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _grid(low: int, high: int, x: Place, y: Place) -> str:
    parts = []
    for power in range(low, high + 1):
        for digit in (1, 2, 5) if power < high else (1,):
            value = digit * 10.0**power
            ink = "#666" if value == 1 else "#ddd"
            parts.append(
                f'<line x1="{x(0)}" x2="{x(1)}" y1="{y(value):.1f}" y2="{y(value):.1f}" '
                f'stroke="{ink}"/><text x="{x(0) - 6}" y="{y(value) + 4:.1f}" '
                f'text-anchor="end" fill="#444">{value:g}</text>'
            )
    for percent in (0, 25, 50, 75, 90, 100):
        at = x(percent / 100)
        parts.append(
            f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}" '
            f'stroke="#eee"/><text x="{at:.1f}" y="{_HEIGHT - _BOTTOM + 18}" '
            f'text-anchor="middle" fill="#444">{percent} %</text>'
        )
    parts.append(
        f'<text x="{x(0.5)}" y="{_HEIGHT - 10}" text-anchor="middle" fill="#444">'
        "rows, from the quickest to the slowest</text>"
    )
    return "\n".join(parts)


def _legend(runs: Sequence[Run], curves: Sequence[Curve]) -> list[str]:
    parts = [
        f'<text x="{_LEFT}" y="20" font-size="15" fill="#222">'
        f"time of a call, ours ÷ torch: {escape(runs[0].commit)}"
        + (f" (dashed: {escape(runs[1].commit)})" if len(runs) > 1 else "")
        + "</text>"
    ]
    left = float(_LEFT)
    for title, colour, number, points in curves:
        three = quantiles(value for value, _ in points)
        if number or three is None:
            continue
        text = f"{title}: median {three[0]:.2f}, p90 {three[1]:.2f}, worst {three[2]:.0f}"
        parts.append(
            f'<rect x="{left:.0f}" y="34" width="12" height="12" fill="{colour}"/>'
            f'<text x="{left + 17:.0f}" y="45" font-size="10" fill="#222">{escape(text)}</text>'
        )
        left += 24 + 4.9 * len(text)
    return parts
