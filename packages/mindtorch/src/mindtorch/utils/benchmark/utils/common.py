"""What is measured, what came out, and how numbers are written."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import math
import os
import shutil
import tempfile
import textwrap
import time
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from ....aten.from_data import tensor
from ....aten.torch import float64, get_num_threads, set_num_threads

__all__ = [
    "TaskSpec",
    "Measurement",
    "select_unit",
    "unit_to_english",
    "trim_sigfig",
    "ordered_unique",
    "set_torch_threads",
]

_MAX_SIGNIFICANT_FIGURES = 4
#: No timer can be trusted below this many seconds.
_MIN_CONFIDENCE_INTERVAL = 25e-9
_IQR_WARN_THRESHOLD = 0.1
_IQR_GROSS_WARN_THRESHOLD = 0.25


@dataclasses.dataclass(init=True, repr=False, eq=True, frozen=True)
class TaskSpec:
    """What is measured: a statement, what prepares it, and how it is to be called."""

    stmt: str
    setup: str
    global_setup: str = ""
    label: str | None = None
    sub_label: str | None = None
    description: str | None = None
    env: str | None = None
    num_threads: int = 1

    @property
    def title(self) -> str:
        """Its label, or its statement."""
        if self.label is not None:
            return self.label + (f": {self.sub_label}" if self.sub_label else "")
        if "\n" not in self.stmt:
            return self.stmt + (f": {self.sub_label}" if self.sub_label else "")
        head = f"stmt:{f' ({self.sub_label})' if self.sub_label else ''}"
        return f"{head}\n{textwrap.indent(self.stmt, '  ')}"

    def setup_str(self) -> str:
        """What prepares it, if there is something."""
        if self.setup == "pass" or not self.setup:
            return ""
        if "\n" in self.setup:
            return "setup:\n" + textwrap.indent(self.setup, "  ")
        return f"setup: {self.setup}"

    def summarize(self) -> str:
        """Title, description and preparation."""
        sections = [self.title, self.description or "", self.setup_str()]
        text = "\n".join([s for s in sections if s])
        return f"{text}\n" if "\n" in sections[2] else text


_TASKSPEC_FIELDS = tuple(i.name for i in dataclasses.fields(TaskSpec))


@dataclasses.dataclass(init=True, repr=False)
class Measurement:
    """The times that one task took.

    :param number_per_run: how often the statement ran for each of the times.
    :param raw_times: the times in seconds.
    """

    number_per_run: int
    raw_times: list[float]
    task_spec: TaskSpec
    metadata: dict[Any, Any] | None = None

    def __post_init__(self) -> None:
        self._sorted_times: tuple[float, ...] = ()
        self._warnings: tuple[str, ...] = ()
        self._median = self._mean = self._p25 = self._p75 = -1.0

    def __getattr__(self, name: str) -> Any:
        if name in _TASKSPEC_FIELDS:  # for it is asked for everywhere
            return getattr(self.task_spec, name)
        return super().__getattribute__(name)

    @property
    def times(self) -> list[float]:
        """Seconds per run of the statement."""
        return [t / self.number_per_run for t in self.raw_times]

    @property
    def median(self) -> float:
        """The time that half of the runs need at most."""
        self._lazy_init()
        return self._median

    @property
    def mean(self) -> float:
        """The average time."""
        self._lazy_init()
        return self._mean

    @property
    def iqr(self) -> float:
        """How far apart the times are that a quarter and three quarters of the runs need."""
        self._lazy_init()
        return self._p75 - self._p25

    @property
    def significant_figures(self) -> int:
        """How many digits of the median mean something."""
        self._lazy_init()
        n_total = len(self._sorted_times)
        lower, upper = int(n_total // 4), math.ceil(3 * n_total / 4)
        inner = self._sorted_times[lower:upper]
        std = tensor(inner, dtype=float64).std().item() if len(inner) > 1 else float("nan")
        interval = max(1.645 * std / math.sqrt(len(inner)), _MIN_CONFIDENCE_INTERVAL)
        if math.isnan(std):
            interval = _MIN_CONFIDENCE_INTERVAL
        digits = math.floor(math.log10(self._median / interval))
        return min(max(digits, 1), _MAX_SIGNIFICANT_FIGURES)

    @property
    def has_warnings(self) -> bool:
        """Whether the times are too far apart."""
        self._lazy_init()
        return bool(self._warnings)

    def _lazy_init(self) -> None:
        if self.raw_times and not self._sorted_times:
            self._sorted_times = tuple(sorted(self.times))
            times = tensor(self._sorted_times, dtype=float64)
            self._median = times.quantile(0.5).item()
            self._mean = times.mean().item()
            self._p25 = times.quantile(0.25).item()
            self._p75 = times.quantile(0.75).item()
            self._add_warnings()

    def _add_warnings(self) -> None:
        if self.meets_confidence(_IQR_WARN_THRESHOLD):
            return
        relative = self.iqr / self.median * 100
        suggests = "This could indicate system fluctuation."
        if not self.meets_confidence(_IQR_GROSS_WARN_THRESHOLD):
            suggests = "This suggests significant environmental influence."
        self._warnings = (
            f"  WARNING: Interquartile range is {relative:.1f}% of the median measurement.\n"
            f"           {suggests}",
        )

    def meets_confidence(self, threshold: float = _IQR_WARN_THRESHOLD) -> bool:
        """Whether the times lie close enough together."""
        return self.iqr / self.median < threshold

    @property
    def title(self) -> str:
        """The task's title."""
        return self.task_spec.title

    @property
    def env(self) -> str | None:
        """Where it was measured."""
        return self.task_spec.env

    @property
    def as_row_name(self) -> str:
        """How a table calls it."""
        return self.sub_label or self.stmt or "[Unknown]"

    def __repr__(self) -> str:
        self._lazy_init()
        unit, scale = select_unit(self._median)
        n = len(self._sorted_times)
        parts = [super().__repr__(), self.task_spec.summarize()]
        label = "" if n == 1 else "Median: "
        parts.append(f"  {label}{self._median / scale:.2f} {unit}")
        if n > 3:
            low, high = self._p25 / scale, self._p75 / scale
            parts.append(f"  IQR:    {self.iqr / scale:.2f} {unit} ({low:.2f} to {high:.2f})")
        runs = f"{self.number_per_run} runs {'per measurement' if n > 1 else ''}"
        threads = f"{self.num_threads} thread{'s' if self.num_threads > 1 else ''}"
        parts.append(f"  {n} measurement{'s' if n > 1 else ''}, {runs}, {threads}")
        return "\n".join([*parts, *self._warnings])

    @staticmethod
    def merge(measurements: Iterable[Measurement]) -> list[Measurement]:
        """Put the times of equal tasks together."""
        groups: collections.defaultdict[TaskSpec, list[Measurement]] = collections.defaultdict(list)
        for each in measurements:
            groups[each.task_spec].append(each)

        def one(spec: TaskSpec, group: list[Measurement]) -> Measurement:
            times: list[float] = []
            metadata: dict[Any, Any] = {}
            for each in group:
                times += each.times
                metadata.update(each.metadata or {})
            return Measurement(1, times, spec, metadata)

        return [one(spec, group) for spec, group in groups.items()]


def select_unit(t: float) -> tuple[str, float]:
    """The unit for a time of *t* seconds: its name, and how many seconds it is."""
    power = int(math.log10(t) // 3) if t > 0 else 0
    unit = {-3: "ns", -2: "us", -1: "ms"}.get(power, "s")
    return unit, {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[unit]


def unit_to_english(u: str) -> str:
    """The whole name of a unit."""
    return {"ns": "nanosecond", "us": "microsecond", "ms": "millisecond", "s": "second"}[u]


def trim_sigfig(x: float, n: int) -> float:
    """*x* with no more than *n* digits that are not zero."""
    if n != int(n):
        raise AssertionError("Number of significant figures must be an integer")
    magnitude = math.ceil(math.log10(abs(x)))
    scale = 10 ** (magnitude - n)
    return float((tensor(x / scale).round() * scale).item())


def ordered_unique(elements: Iterable[Any]) -> list[Any]:
    """Each of *elements* once, in the order in which they come first."""
    return list(dict.fromkeys(elements))


@contextlib.contextmanager
def set_torch_threads(n: int) -> Iterator[None]:
    """Compute with *n* threads in a ``with`` block."""
    before = get_num_threads()
    try:
        set_num_threads(n)
        yield
    finally:
        set_num_threads(before)


def _make_temp_dir(prefix: str | None = None, gc_dev_shm: bool = False) -> str:
    """A new folder for what is compiled, or in memory where the environment asks for it."""
    use_dev_shm = os.getenv("BENCHMARK_USE_DEV_SHM", "").lower() not in ("", "0", "false")
    if not use_dev_shm:
        return tempfile.mkdtemp(prefix=prefix, suffix=f"__{uuid.uuid4()}")
    root = "/dev/shm/pytorch_benchmark_utils"
    if not os.path.isdir("/dev/shm"):
        raise AssertionError("/dev/shm not found")
    os.makedirs(root, exist_ok=True)
    if gc_dev_shm:
        for name in os.listdir(root):
            owner = os.path.join(root, name, "owner.pid")
            if not os.path.exists(owner):
                continue
            with open(owner) as file:
                try:
                    os.kill(int(file.read()), 0)
                except (ValueError, ProcessLookupError):
                    shutil.rmtree(os.path.join(root, name))
                except PermissionError:
                    pass
    path = os.path.join(root, f"{prefix or ''}__{uuid.uuid4()}_{time.time_ns()}")
    os.makedirs(path)
    with open(os.path.join(path, "owner.pid"), "w") as file:
        file.write(str(os.getpid()))
    return path
