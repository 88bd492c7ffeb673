"""Timing statements."""

from __future__ import annotations

import enum
import sys
import textwrap
import timeit
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ....aten import torch
from . import common
from .cpp_jit import compile_timeit_template
from .valgrind_wrapper import timer_interface

__all__ = ["Timer", "timer", "Language"]


def timer() -> float:
    """Seconds of a clock that only differences mean something of, when devices are idle."""
    if "mindtorch_npu.runtime" in sys.modules:
        from mindtorch_npu import is_initialized, synchronize

        if is_initialized():
            synchronize()
    return timeit.default_timer()


class Language(enum.Enum):
    """In which a statement is written."""

    PYTHON = 0
    CPP = 1


#: What programs call them.
_LANGUAGES = {Language.PYTHON: ("py", "python"), Language.CPP: ("cpp", "c++")}


class CPPTimer:
    """Times a statement in C++, which would have to be compiled against torch."""

    def __init__(
        self,
        stmt: str,
        setup: str,
        global_setup: str,
        timer: Callable[[], float],
        globals: dict[str, Any],
    ) -> None:
        if timer is not timeit.default_timer:
            raise NotImplementedError(
                "PyTorch was built with CUDA and a GPU is present; however "
                "Timer does not yet support GPU measurements. If your "
                "code is CPU only, pass `timer=timeit.default_timer` to the "
                "Timer's constructor to indicate this. (Note that this will "
                "produce incorrect results if the GPU is in fact used, as "
                "Timer will not synchronize CUDA.)"
            )
        self._stmt, self._setup, self._global_setup = map(
            textwrap.dedent, (stmt, setup, global_setup)
        )
        if globals:
            raise ValueError("C++ timing does not support globals.")

    def timeit(self, number: int) -> float:
        """Refuse: there is nothing to compile against."""
        module = compile_timeit_template(
            stmt=self._stmt, setup=self._setup, global_setup=self._global_setup
        )
        return module.timeit(number)


def _dedented(code: str) -> str:
    """*code* without indentation, the line break it begins with, and space at its end."""
    return textwrap.dedent(code).removeprefix("\n").rstrip()


class Timer:
    """Times a statement, with a warm-up, with the number of threads that is asked for.

    :param stmt: the statement.
    :param setup: runs before it.
    :param timer: the clock.
    :param globals: the names that the statement sees; ``torch`` is among them.
    :param label: what is measured; ``sub_label``, ``description`` and ``env`` say it closer.
    :param num_threads: how many threads compute.
    """

    _timer_cls: Any = timeit.Timer

    def __init__(
        self,
        stmt: str = "pass",
        setup: str = "pass",
        global_setup: str = "",
        timer: Callable[[], float] = timer,
        globals: dict[str, Any] | None = None,
        label: str | None = None,
        sub_label: str | None = None,
        description: str | None = None,
        env: str | None = None,
        num_threads: int = 1,
        language: Language | str = Language.PYTHON,
    ) -> None:
        if not isinstance(stmt, str):
            raise ValueError("Currently only a `str` stmt is supported.")
        self._globals = dict(globals or {})
        more: dict[str, Any] = {}
        known = [own for own, names in _LANGUAGES.items() if language in (own, *names)]
        if not known:
            raise ValueError(f"Invalid language `{language}`.")
        self._language = known[0]
        if self._language is Language.CPP:
            if self._timer_cls is not timeit.Timer:
                raise AssertionError("_timer_cls has already been swapped.")
            self._timer_cls, timer = CPPTimer, timeit.default_timer
            more["global_setup"] = global_setup
            setup = setup if setup != "pass" else ""
        elif global_setup:
            raise ValueError(
                f"global_setup is C++ only, got `{global_setup}`. Most "
                "likely this code can simply be moved to `setup`."
            )
        else:
            self._globals.setdefault("torch", torch)
        stmt, setup = _dedented(stmt), _dedented(setup)
        self._timer = self._timer_cls(
            stmt=stmt, setup=setup, timer=timer, globals=self._globals, **more
        )
        self._task_spec = common.TaskSpec(
            stmt=stmt,
            setup=setup,
            global_setup=global_setup,
            label=label,
            sub_label=sub_label,
            description=description,
            env=env,
            num_threads=num_threads,
        )

    def _timeit(self, number: int) -> float:
        return max(self._timer.timeit(number), 1e-9)  # nothing takes no time

    def timeit(self, number: int = 1000000) -> common.Measurement:
        """Run the statement *number* times, after some runs that are not counted."""
        with common.set_torch_threads(self._task_spec.num_threads):
            self._timeit(number=max(int(number // 100), 2))
            return common.Measurement(
                number_per_run=number,
                raw_times=[self._timeit(number=number)],
                task_spec=self._task_spec,
            )

    def repeat(self, repeat: int = -1, number: int = -1) -> None:
        """Not there: ``blocked_autorange`` does it."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def autorange(self, callback: Callable[[int, float], NoReturn] | None = None) -> None:
        """Not there: ``blocked_autorange`` does it."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def _threaded_measurement_loop(
        self,
        number: int,
        time_hook: Callable[[], float],
        stop_hook: Callable[[list[float]], bool],
        min_run_time: float,
        max_run_time: float | None = None,
        callback: Callable[[int, float], NoReturn] | None = None,
    ) -> list[float]:
        total, may_stop = 0.0, False
        times: list[float] = []
        with common.set_torch_threads(self._task_spec.num_threads):
            while total < min_run_time or not may_stop:
                spent = time_hook()
                times.append(spent)
                total += spent
                if callback:
                    callback(number, spent)
                may_stop = stop_hook(times)
                if max_run_time and total > max_run_time:
                    break
        return times

    def _estimate_block_size(self, min_run_time: float) -> int:
        """So many runs that the clock's own cost is lost in them."""
        with common.set_torch_threads(self._task_spec.num_threads):
            overhead = float(np.median([self._timeit(0) for _ in range(5)]))
            number = 1
            while True:
                taken = self._timeit(number)
                if overhead / taken <= 1e-4 and taken >= min_run_time / 1000:
                    break
                if taken > min_run_time or number * 10 > 2147483647:
                    break
                number *= 10
        return number

    def blocked_autorange(
        self,
        callback: Callable[[int, float], NoReturn] | None = None,
        min_run_time: float = 0.2,
    ) -> common.Measurement:
        """Time blocks of runs, so many as fit into *min_run_time* seconds."""
        number = self._estimate_block_size(min_run_time)
        times = self._threaded_measurement_loop(
            number,
            lambda: self._timeit(number),
            lambda times: True,
            min_run_time=min_run_time,
            callback=callback,
        )
        return common.Measurement(number_per_run=number, raw_times=times, task_spec=self._task_spec)

    def adaptive_autorange(
        self,
        threshold: float = 0.1,
        *,
        min_run_time: float = 0.01,
        max_run_time: float = 10.0,
        callback: Callable[[int, float], NoReturn] | None = None,
    ) -> common.Measurement:
        """Time blocks of runs until the times lie close together."""
        number = self._estimate_block_size(min_run_time=0.05)

        def stop_hook(times: list[float]) -> bool:
            if len(times) <= 3:
                return False
            return common.Measurement(
                number_per_run=number, raw_times=times, task_spec=self._task_spec
            ).meets_confidence(threshold=threshold)

        times = self._threaded_measurement_loop(
            number,
            lambda: self._timeit(number),
            stop_hook,
            min_run_time,
            max_run_time,
            callback=callback,
        )
        return common.Measurement(number_per_run=number, raw_times=times, task_spec=self._task_spec)

    def collect_callgrind(
        self,
        number: int = 100,
        *,
        repeats: int | None = None,
        collect_baseline: bool = True,
        retain_out_file: bool = False,
    ) -> Any:
        """Count instructions with Valgrind. Raises OSError where its tools are not there."""
        if not isinstance(self._timer, self._timer_cls):
            raise ValueError("Callgrind measurements are only supported for the default timer.")
        return timer_interface.wrapper_singleton().collect_callgrind(
            task_spec=self._task_spec,
            globals=self._globals,
            number=number,
            repeats=repeats or 1,
            collect_baseline=collect_baseline and self._language is Language.PYTHON,
            is_python=self._language is Language.PYTHON,
            retain_out_file=retain_out_file,
        )
