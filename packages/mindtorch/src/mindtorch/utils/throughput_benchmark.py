"""How often a module can be called in a second."""

from __future__ import annotations

import threading
import time
from typing import Any

from ..autograd.profiler import profile


def format_time(
    time_us: float | None = None, time_ms: float | None = None, time_s: float | None = None
) -> str:
    """A time in the largest unit that fits."""
    if sum([time_us is not None, time_ms is not None, time_s is not None]) != 1:
        raise AssertionError("Expected only one of time_us, time_ms, time_s is given.")
    us = time_us if time_us is not None else 0.0
    if time_ms is not None:
        us = time_ms * 1e3
    elif time_s is not None:
        us = time_s * 1e6
    if us >= 1e6:
        return f"{us / 1e6:.3f}s"
    if us >= 1e3:
        return f"{us / 1e3:.3f}ms"
    return f"{us:.3f}us"


class _Config:
    """What was asked for."""

    def __init__(self, threads: int, warmup: int, iterations: int) -> None:
        self.num_calling_threads = threads
        self.num_warmup_iters = warmup
        self.num_iters = iterations
        self.num_worker_threads = 1


class _Stats:
    """What came out."""

    def __init__(self, latency_avg_ms: float, num_iters: int) -> None:
        self.latency_avg_ms = latency_avg_ms
        self.num_iters = num_iters


class ExecutionStats:
    """How long calls took."""

    def __init__(self, c_stats: Any, benchmark_config: Any) -> None:
        self._c_stats = c_stats
        self.benchmark_config = benchmark_config

    @property
    def latency_avg_ms(self) -> float:
        """Milliseconds of a call."""
        return float(self._c_stats.latency_avg_ms)

    @property
    def num_iters(self) -> int:
        """How many calls there were."""
        return int(self._c_stats.num_iters)

    @property
    def iters_per_second(self) -> float:
        """Calls of all threads in a second."""
        return self.num_iters / self.total_time_seconds

    @property
    def total_time_seconds(self) -> float:
        """Seconds that all took."""
        calls = self.num_iters / self.benchmark_config.num_calling_threads
        return calls * (self.latency_avg_ms / 1000.0)

    def __str__(self) -> str:
        return "\n".join(
            [
                "Average latency per example: " + format_time(time_ms=self.latency_avg_ms),
                f"Total number of iterations: {self.num_iters}",
                "Total number of iterations per second (across all threads): "
                f"{self.iters_per_second:.2f}",
                "Total time: " + format_time(time_s=self.total_time_seconds),
            ]
        )


class ThroughputBenchmark:
    """Calls a module from several threads, with inputs that were added."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._inputs: list[tuple[Any, Any]] = []

    def run_once(self, *args: Any, **kwargs: Any) -> Any:
        """Call the module and return what it gives."""
        return self._module(*args, **kwargs)

    def add_input(self, *args: Any, **kwargs: Any) -> None:
        """Let it be called with these, too."""
        self._inputs.append((args, kwargs))

    def benchmark(
        self,
        num_calling_threads: int = 1,
        num_warmup_iters: int = 10,
        num_iters: int = 100,
        profiler_output_path: str = "",
    ) -> ExecutionStats:
        """Call it *num_iters* times, the inputs in turns. Raises RuntimeError without inputs.

        :param profiler_output_path: a trace of the calls of this thread goes there.
        """
        if not self._inputs:
            raise RuntimeError(
                "Please provide benchmark inputs.Did you forget to call add_input()?"
            )
        left = num_iters
        lock = threading.Lock()
        spent: list[float] = []

        def work(warm: int) -> None:
            nonlocal left
            for i in range(warm):
                args, kwargs = self._inputs[i % len(self._inputs)]
                self._module(*args, **kwargs)
            while True:
                with lock:
                    if left <= 0:
                        return
                    left -= 1
                    args, kwargs = self._inputs[left % len(self._inputs)]
                start = time.perf_counter()
                self._module(*args, **kwargs)
                took = time.perf_counter() - start
                with lock:
                    spent.append(took)

        if profiler_output_path:
            with profile() as found:
                work(num_warmup_iters)
            assert found is not None
            found.export_chrome_trace(profiler_output_path)
        else:
            threads = [
                threading.Thread(target=work, args=(num_warmup_iters,))
                for _ in range(num_calling_threads)
            ]
            for each in threads:
                each.start()
            for each in threads:
                each.join()
        latency = sum(spent) / len(spent) * 1000.0
        config = _Config(num_calling_threads, num_warmup_iters, num_iters)
        return ExecutionStats(_Stats(latency, len(spent)), config)
