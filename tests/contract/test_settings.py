"""Switches of ``torch.*``, and ``torch.cuda`` where there is no CUDA: as the oracle's CPU build."""

from __future__ import annotations

import threading

import mindtorch
import numpy as np
import pytest
import torch
from threadpoolctl import threadpool_info

from .helpers import assert_same_value, assert_torch_error


def _forked(t, enabled):
    t.random.manual_seed(3)
    with t.random.fork_rng(devices=[], enabled=enabled):
        inside = t.rand(2).tolist()
    return inside, t.rand(2).tolist(), t.random.initial_seed()


#: Each changes a switch and reads it back, then puts it as it was.
PROGRAMS = {
    "deterministic": lambda t: [
        t.use_deterministic_algorithms(True),
        t.are_deterministic_algorithms_enabled(),
        t.get_deterministic_debug_mode(),
        t.set_deterministic_debug_mode("warn"),
        t.is_deterministic_algorithms_warn_only_enabled(),
        t.get_deterministic_debug_mode(),
        t.set_deterministic_debug_mode(0),
        t.are_deterministic_algorithms_enabled(),
    ],
    "matmul precision": lambda t: [
        t.get_float32_matmul_precision(),
        t.set_float32_matmul_precision("high"),
        t.get_float32_matmul_precision(),
        t.set_float32_matmul_precision("no such"),
        t.get_float32_matmul_precision(),
        t.set_float32_matmul_precision("highest"),
    ],
    "anomaly": lambda t: [
        t.is_anomaly_enabled(),
        t.set_anomaly_enabled(True, check_nan=False),
        t.is_anomaly_enabled(),
        t.is_anomaly_check_nan_enabled(),
        t.set_anomaly_enabled(False),
        t.is_anomaly_enabled(),
        t.is_anomaly_check_nan_enabled(),
    ],
    "cuda": lambda t: [
        t.cuda.is_available(),
        t.cuda.device_count(),
        t.cuda.is_initialized(),
        t.cuda.is_bf16_supported(),
        t.cuda.empty_cache(),
        t.cuda.manual_seed(1),
        t.cuda.manual_seed_all(1),
        t.cuda.memory_allocated(),
        t.cuda.max_memory_allocated(),
        t.cuda.memory_reserved(),
        len(t.cuda.memory_stats()),
        t.cuda.get_arch_list(),
        t.cuda.set_device(-1),
    ],
    "backends": lambda t: [
        t.backends.cudnn.is_available(),
        t.backends.cudnn.version(),
        t.backends.cudnn.enabled,
        t.backends.cudnn.benchmark,
        t.backends.cudnn.deterministic,
        t.backends.cudnn.allow_tf32,
        t.backends.mps.is_available(),
        t.backends.mps.is_built(),
        t.backends.cuda.is_built(),
    ],
    "fork_rng": lambda t: [_forked(t, True), _forked(t, False)],
    "version": lambda t: [t.version.cuda, t.version.hip, t.version.xpu, t.version.debug],
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_switch_reads_back_as_the_oracles(name):
    """Every value that the switch is asked for."""
    assert_same_value(lambda: PROGRAMS[name](mindtorch), lambda: PROGRAMS[name](torch))


def _flushed(t) -> list:
    """What becomes of denormal numbers in this thread, and in one that it starts."""
    single, double = t.tensor([1e-42, 1.0]), t.tensor([1e-320, 1.0], dtype=t.float64)
    found = []

    def note() -> None:
        values = single, double, single * 1, double + 0, double.float()
        found.append(([v.tolist() for v in values], single[0].item(), bool(double[0])))

    note()
    try:
        found.append(t.set_flush_denormal(True))
        note()
        thread = threading.Thread(target=note)
        thread.start()
        thread.join()
    finally:
        found.append(t.set_flush_denormal(False))
    note()
    return found


def test_denormal_numbers_are_flushed_as_by_the_oracle():
    """Where the processor can; afterwards they are what they were."""
    found = _flushed(mindtorch)
    assert found == _flushed(torch)
    assert found[0] == found[-1] != found[2]


@pytest.mark.parametrize(
    "call",
    [
        lambda t: t.use_deterministic_algorithms(1),
        lambda t: t.use_deterministic_algorithms(True, warn_only=3),
        lambda t: t.set_deterministic_debug_mode("foo"),
        lambda t: t.set_deterministic_debug_mode(3),
        lambda t: t.set_deterministic_debug_mode(2.0),
        lambda t: t.set_float32_matmul_precision(3),
        lambda t: t.set_flush_denormal(3),
        lambda t: t.set_num_interop_threads(0),
        lambda t: t.set_num_interop_threads(0.5),
        lambda t: t.cuda.current_device(),
        lambda t: t.cuda.synchronize(),
        lambda t: t.cuda.init(),
        lambda t: t.cuda.get_device_name(),
        lambda t: t.is_complex(3),
        lambda t: t.is_floating_point("x"),
        lambda t: t.numel(3),
    ],
)
def test_wrong_use_raises_the_oracles_error(call):
    """Type and text."""
    assert_torch_error(lambda: call(mindtorch), lambda: call(torch))


@pytest.mark.parametrize(
    "args", [(), (0,), (-1,), (True,), ("a",), (1.5,), (None,), (1, 2)], ids=repr
)
def test_wrong_numbers_of_threads_are_refused(args: tuple) -> None:
    """With torch's types and texts."""
    errors = []
    for t in (torch, mindtorch):
        with pytest.raises((RuntimeError, TypeError)) as error:
            t.set_num_threads(*args)
        errors.append((error.type, str(error.value)))
    assert errors[0] == errors[1]


def test_matrix_products_use_as_many_threads_as_are_set() -> None:
    """The number is that of the library that multiplies, and can be read back."""
    before = mindtorch.get_num_threads()
    assert before == max(
        each["num_threads"] for each in threadpool_info() if "blas" in each["user_api"]
    )
    try:
        for number in (2, 1, np.int64(2)):
            mindtorch.set_num_threads(number)
            assert mindtorch.get_num_threads() == number
            assert {
                each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"
            } == {number}
    finally:
        mindtorch.set_num_threads(before)
