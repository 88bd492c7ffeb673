"""Tables of measurements side by side."""

from __future__ import annotations

import collections
import enum
import itertools
import math
from collections.abc import Iterable
from typing import Any

from . import common

__all__ = ["Colorize", "Compare"]

# How a terminal is told of colours: dark and light, far from the best in red.
BOLD, TERMINATE = "\033[1m", "\033[0m"
BEST, GOOD = "\033[92m", "\033[34m"
BAD, VERY_BAD = "\033[2m\033[91m", "\033[31m"

_Maybe = common.Measurement | None


class Colorize(enum.Enum):
    """What colours compare."""

    NONE = "none"
    COLUMNWISE = "columnwise"
    ROWWISE = "rowwise"


def optional_min(seq: Iterable[Any]) -> Any:
    """The smallest; None where there is nothing."""
    return min(seq, default=None)


class _Column:
    """How the numbers of a column are written."""

    def __init__(
        self,
        grouped_results: list[tuple[_Maybe, ...]],
        time_scale: float,
        time_unit: str,
        trim_significant_figures: bool,
        highlight_warnings: bool,
    ) -> None:
        self._grouped_results = grouped_results
        self._flat_results = [*itertools.chain(*grouped_results)]
        self._time_scale = time_scale
        self._time_unit = time_unit
        self._trim_significant_figures = trim_significant_figures
        self._highlight_warnings = highlight_warnings and any(
            r.has_warnings for r in self._flat_results if r
        )
        digits = [
            math.ceil(math.log10(r.median / time_scale)) if r else None for r in self._flat_results
        ]
        before = max(d for d in digits if d is not None)
        after = (
            min(
                max(r.significant_figures - d, 0)
                for d, r in zip(digits, self._flat_results)
                if r is not None and d is not None
            )
            if trim_significant_figures
            else 1
        )
        length = before + after + (1 if after else 0)
        self._number = f">{length}.{after}f"
        self._width = 7 if self._highlight_warnings else 0

    def get_results_for(self, group: int) -> tuple[_Maybe, ...]:
        """The results of one group of rows."""
        return self._grouped_results[group]

    def num_to_str(self, value: float | None, estimated_sigfigs: int, spread: float | None) -> str:
        """*value* as it is written here; None leaves the place free."""
        if value is None:
            return " " * len(self.num_to_str(1, estimated_sigfigs, None))
        if self._trim_significant_figures:
            value = common.trim_sigfig(value, estimated_sigfigs)
        noted = self._highlight_warnings and spread is not None
        mark = f" (! {spread * 100:.0f}%)" if noted and spread is not None else ""
        return f"{value:{self._number}}{mark:>{self._width or ''}}"


class _Row:
    """One row: the results of a statement, with a line above it where the threads change."""

    def __init__(
        self,
        results: list[_Maybe],
        row_group: int,
        render_env: bool,
        env_str_len: int,
        row_name_str_len: int,
        time_scale: float,
        colorize: Colorize,
        num_threads: int | None = None,
    ) -> None:
        self._results, self._num_threads = results, num_threads
        self._columns: tuple[_Column, ...] = ()
        self._row_group, self._render_env = row_group, render_env
        self._env_str_len, self._row_name_str_len = env_str_len, row_name_str_len
        self._time_scale, self._colorize = time_scale, colorize

    def register_columns(self, columns: tuple[_Column, ...]) -> None:
        """Say which columns there are."""
        self._columns = columns

    def as_column_strings(self) -> list[str]:
        """The texts of its cells."""
        first = next(r for r in self._results if r is not None)
        env = f"({first.env})" if self._render_env else ""
        cells = [f"  {env.ljust(self._env_str_len + 4)}{first.as_row_name}"]
        for result, column in zip(self._results, self._columns):
            if result is None:
                cells.append(column.num_to_str(None, 1, None))
            else:
                cells.append(
                    column.num_to_str(
                        result.median / self._time_scale,
                        result.significant_figures,
                        result.iqr / result.median if result.has_warnings else None,
                    )
                )
        return cells

    @staticmethod
    def color_segment(segment: str, value: float, best_value: float) -> str:
        """*segment* in the colour of a value that is so far from the best."""
        if value <= max(best_value * 1.01, best_value + 100e-9):
            style = BEST + BOLD
        elif value <= best_value * 1.1:
            style = GOOD + BOLD
        elif value >= best_value * 5:
            style = VERY_BAD + BOLD
        elif value >= best_value * 2:
            style = BAD
        else:
            return segment
        return style + segment + TERMINATE * 2

    def row_separator(self, overall_width: int) -> list[str]:
        """The line above it, if there is one."""
        if self._num_threads is None:
            return []
        return [f"{self._num_threads} threads: ".ljust(overall_width, "-")]

    def finalize_column_strings(
        self, column_strings: list[str], col_widths: list[int]
    ) -> list[str]:
        """The texts of its cells in their widths and colours."""
        best: list[Any] = [-1] * len(column_strings)
        if self._colorize is Colorize.ROWWISE:
            best = [min(r.median for r in self._results if r is not None)] * len(column_strings)
        elif self._colorize is Colorize.COLUMNWISE:
            best = [
                optional_min(r.median for r in c.get_results_for(self._row_group) if r is not None)
                for c in self._columns
            ]
        cells = [column_strings[0].ljust(col_widths[0])]
        rest = zip(column_strings[1:], col_widths[1:], self._results, best)
        for text, width, result, best_value in rest:
            text = text.center(width)
            if self._colorize is not Colorize.NONE and result and best_value is not None:
                text = self.color_segment(text, result.median, best_value)
            cells.append(text)
        return cells


class Table:
    """The table of the measurements of one label."""

    def __init__(
        self,
        results: list[common.Measurement],
        colorize: Colorize,
        trim_significant_figures: bool,
        highlight_warnings: bool,
    ) -> None:
        if len({r.label for r in results}) != 1:
            raise AssertionError("All results must share the same label")
        self.results, self.label = results, results[0].label
        self._trim_significant_figures = trim_significant_figures
        self._colorize, self._highlight_warnings = colorize, highlight_warnings
        self.time_unit, self.time_scale = common.select_unit(min(r.median for r in results))
        self.row_keys = common.ordered_unique([self.row_fn(r) for r in results])
        self.row_keys.sort(
            key=lambda key: (key[0], key[1] or "")
        )  # threads and place; statements stay in order
        self.column_keys = common.ordered_unique([self.col_fn(r) for r in results])
        self.rows, self.columns = self.populate_rows_and_columns()

    @staticmethod
    def row_fn(m: common.Measurement) -> tuple[int, str | None, str]:
        """In which row a measurement belongs."""
        return m.num_threads, m.env, m.as_row_name

    @staticmethod
    def col_fn(m: common.Measurement) -> str | None:
        """In which column a measurement belongs."""
        return m.task_spec.description

    def populate_rows_and_columns(self) -> tuple[tuple[_Row, ...], tuple[_Column, ...]]:
        """Its rows and columns."""
        row_at = {key: i for i, key in enumerate(self.row_keys)}
        column_at = {key: i for i, key in enumerate(self.column_keys)}
        ordered: list[list[_Maybe]] = [[None] * len(column_at) for _ in row_at]
        for result in self.results:
            ordered[row_at[self.row_fn(result)]][column_at[self.col_fn(result)]] = result
        envs = {r.env for r in self.results}
        render_env = len(envs) > 1
        env_length = max(len(e or "") for e in envs) if render_env else 0
        name_length = max(len(r.as_row_name) for r in self.results)
        rows: list[_Row] = []
        groups: list[list[list[_Maybe]]] = []
        threads_before = -1
        env_before: str | None = ""
        for (threads, env, _), row in zip(self.row_keys, ordered):
            new_group = threads != threads_before
            if new_group:
                threads_before, env_before = threads, ""
                groups.append([])
            rows.append(
                _Row(
                    results=row,
                    row_group=len(groups) - 1,
                    render_env=render_env and env != env_before,
                    env_str_len=env_length,
                    row_name_str_len=name_length,
                    time_scale=self.time_scale,
                    colorize=self._colorize,
                    num_threads=threads if new_group else None,
                )
            )
            groups[-1].append(row)
            env_before = env
        columns = tuple(
            _Column(
                grouped_results=[tuple(row[i] for row in group) for group in groups],
                time_scale=self.time_scale,
                time_unit=self.time_unit,
                trim_significant_figures=self._trim_significant_figures,
                highlight_warnings=self._highlight_warnings,
            )
            for i in range(len(self.column_keys))
        )
        for each in rows:
            each.register_columns(columns)
        return tuple(rows), columns

    def render(self) -> str:
        """The table as text."""
        cells = [["", *self.column_keys], *[row.as_column_strings() for row in self.rows]]
        count = max(len(row) for row in cells)
        for row in cells:
            row.extend([""] * (count - len(row)))
        widths = [max(len(cell) for cell in column) for column in zip(*cells)]
        between = "  |  "
        lines = [between.join([c.center(w) for c, w in zip(cells[0], widths)])]
        overall = len(lines[0])
        for texts, row_ in zip(cells[1:], self.rows):
            lines += row_.row_separator(overall)
            lines.append(between.join(row_.finalize_column_strings(texts, widths)))
        title = f" {self.label or ''} ".center(overall - 2, "-")
        unit = common.unit_to_english(self.time_unit)
        lines = [f"[{title}]", *lines, "", f"Times are in {unit}s ({self.time_unit})."]
        if self._highlight_warnings and any(r.has_warnings for r in self.results):
            lines.append(
                "(! XX%) Measurement has high variance, where XX is the IQR / median * 100."
            )
        return "\n".join([*lines, ""])


class Compare:
    """Measurements as tables, one for each label; columns are descriptions."""

    def __init__(self, results: list[common.Measurement]) -> None:
        self._results: list[common.Measurement] = []
        self._colorize = Colorize.NONE
        self._trim_significant_figures = self._highlight_warnings = False
        self.extend_results(results)

    def __str__(self) -> str:
        return "\n".join(self._render())

    def extend_results(self, results: Any) -> None:
        """Add measurements."""
        for result in results:
            if not isinstance(result, common.Measurement):
                raise ValueError(
                    f"Expected an instance of `Measurement`, got {type(result)} instead."
                )
        self._results.extend(results)

    def trim_significant_figures(self) -> None:
        """Show only digits that mean something."""
        self._trim_significant_figures = True

    def colorize(self, rowwise: bool = False) -> None:
        """Show in colours which times are good, in each column or in each row."""
        self._colorize = Colorize.ROWWISE if rowwise else Colorize.COLUMNWISE

    def highlight_warnings(self) -> None:
        """Show which times differ much from run to run."""
        self._highlight_warnings = True

    def print(self) -> None:
        """Print the tables."""
        print(str(self))

    def _render(self) -> list[str]:
        results = common.Measurement.merge(self._results)
        return [self._layout(group) for group in self._group_by_label(results).values()]

    def _group_by_label(
        self, results: list[common.Measurement]
    ) -> dict[str | None, list[common.Measurement]]:
        groups: dict[str | None, list[common.Measurement]] = collections.defaultdict(list)
        for result in results:
            groups[result.label].append(result)
        return groups

    def _layout(self, results: list[common.Measurement]) -> str:
        table = Table(
            results, self._colorize, self._trim_significant_figures, self._highlight_warnings
        )
        return table.render()
