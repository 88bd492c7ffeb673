"""A call asks for the same memory the first time, when it is known, and in dry mode.

What a program holds at most does not depend on how often it has done the same, and ``mindtorch npu
plan`` says of one step what a run comes to.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

#: Numbers decide what these do; in dry mode all of them are 0.
BY_NUMBERS = {
    "_pad_packed_sequence", "_rowwise_prune", "_unique", "_unique2", "argwhere", "bincount",
    "gru.data",
    "index_fill.int_Tensor", "linalg_eig", "lstm.data", "masked_scatter",
    "_reshape_from_tensor", "combinations", "unique_dim_consecutive", "masked_select_backward",
    "trace_backward",
    "masked_scatter_backward", "masked_select",
    "nonzero", "repeat_interleave.Tensor", "repeat_interleave.self_Tensor", "rnn_relu.data",
    "rnn_tanh.data", "tensor_split.tensor_indices_or_sections", "unique_consecutive",
    "unique_dim", "where",
}  # fmt: skip


@pytest.fixture(scope="module")
def booked():
    """What rows asked for, by mode."""
    running = {}
    for mode in ("run", "dry"):
        env = os.environ | {"MINDTORCH_NPU_MODE": mode, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-m", "tests.contract.memory_of_rows"]
        running[mode] = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    found = {mode: json.loads(process.communicate()[0]) for mode, process in running.items()}
    assert all(process.returncode == 0 for process in running.values())
    return found


def test_a_known_call_asks_for_the_memory_of_its_first_time(booked):
    steps = {name: found for name, found in booked["run"].items() if isinstance(found, list)}
    assert len(steps) > 800
    assert {n: found for n, found in steps.items() if any(s != found[0] for s in found)} == {}


def test_dry_mode_asks_for_the_memory_of_a_run(booked):
    run, dry = booked["run"], booked["dry"]
    assert {n: (run[n], dry[n]) for n in run if run[n] != dry[n] and n not in BY_NUMBERS} == {}
    assert {n for n in BY_NUMBERS if run[n] == dry[n]} == set()
