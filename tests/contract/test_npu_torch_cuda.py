"""mindtorch_npu against torch.cuda of the installed torch, as far as that runs without a GPU."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import random
import subprocess
import sys
from typing import Any
from unittest import mock

import mindtorch_npu
import pytest
import torch
from mindtorch_npu import config, memory, summary
from mindtorch_npu.statistics import Statistics

pytestmark = pytest.mark.oracle


def as_npu(text: str) -> str:
    """torch's text with npu for cuda, the one difference there may be."""
    return text.replace("cuda", "npu").replace("CUDA", "NPU").replace("Cuda", "Npu")


# ---- signatures

# Ours alone, or classes whose torch counterpart is written in C.
_NOT_COMPARED = {"DeferredNpuCallError", "AcceleratorError", "OutOfMemoryError", "Event"}


@pytest.mark.parametrize("name", sorted(set(mindtorch_npu.__all__) - _NOT_COMPARED))
def test_name_and_signature_are_those_of_torch_cuda(name: str) -> None:
    """Same parameters in the same order with the same defaults."""
    ours, theirs = getattr(mindtorch_npu, name), getattr(torch.cuda, name)
    if not callable(theirs):
        assert not callable(ours)
        return
    want = inspect.signature(theirs).parameters.values()
    got = inspect.signature(ours).parameters.values()
    assert [(p.name, as_npu(str(p.default)), p.kind) for p in want] == [
        (p.name, str(p.default), p.kind) for p in got
    ]


@pytest.mark.parametrize(
    "name",
    [
        *("_snapshot", "_dump_snapshot", "_record_memory_history_impl"),
        *("_record_memory_history_legacy", "_set_allocator_settings"),
    ],
)
def test_private_names_of_memory(name: str) -> None:
    """The private functions that profilers call."""
    want = inspect.signature(getattr(torch.cuda.memory, name)).parameters.values()
    got = inspect.signature(getattr(memory, name)).parameters.values()
    assert [(p.name, p.default) for p in want] == [(p.name, p.default) for p in got]


# ---- summary


def random_stats(seed: int) -> dict[str, int]:
    rng = random.Random(seed)
    flat: dict[str, int] = {}

    def walk(prefix: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(f"{prefix}.{key}" if prefix else key, inner)
        else:
            flat[prefix] = int(10 ** rng.uniform(0, rng.choice((3, 6, 12, 15))))

    walk("", Statistics(-1).as_nested_dict())
    return flat


@pytest.mark.parametrize("abbreviated", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_summary_is_torchs(seed: int, abbreviated: bool) -> None:
    """For the same statistics every character agrees, apart from the three names in the text."""
    stats = random_stats(seed)
    with mock.patch.object(torch.cuda.memory, "memory_stats", lambda device=None: stats):
        theirs = torch.cuda.memory_summary(3, abbreviated)
    ours = summary.render(stats, 3, abbreviated)
    for cuda, npu in (
        ("CUDA memory summary, device ID 3", "NPU memory summary, device ID 3 "),
        (f"CUDA OOMs: {stats['num_ooms']:<12d}", f"NPU OOMs: {stats['num_ooms']:<13d}"),
        (
            f"cudaMalloc retries: {stats['num_alloc_retries']:<8d}",
            f"npuMalloc retries: {stats['num_alloc_retries']:<9d}",
        ),
        ("GPU reserved", "NPU reserved"),
        ("GPU segments", "NPU segments"),
    ):
        assert cuda in theirs
        theirs = theirs.replace(cuda, npu)
    assert ours == theirs


# ---- settings


@pytest.mark.parametrize(
    "text",
    [
        "max_split_size_mb:19",
        "max_split_size_mb:x",
        "max_split_size_mb:20,garbage_collection_threshold:2",
        "max_non_split_rounding_mb:3",
        "large_segment_size_mb:10",
        "garbage_collection_threshold:0",
        "garbage_collection_threshold:1.5",
        "garbage_collection_threshold:x",
        "roundup_power2_divisions:3",
        "roundup_power2_divisions:0",
        "roundup_power2_divisions:x",
        "roundup_power2_divisions:[256:1,512:3]",
        "roundup_power2_divisions:[300:1]",
        "roundup_power2_divisions:[x:8]",
        "expandable_segments:1",
        "pinned_use_background_threads:yes",
        "pinned_max_cached_size_mb:x",
    ],
)
def test_bad_settings_have_torchs_texts(text: str) -> None:
    """Type and text of torch's own parser."""
    with pytest.raises(Exception) as want:
        torch._C._accelerator_setAllocatorSettings(text)
    before = {name: getattr(config.config, name) for name in config.Config.__slots__}
    try:
        with pytest.raises(Exception) as got:
            config.parse(text)
    finally:
        for name, value in before.items():
            setattr(config.config, name, value)
    assert (type(got.value), str(got.value)) == (type(want.value), str(want.value))


# ---- no device

# What torch's build without CUDA answers with an AttributeError of its C module is left out:
# that is an accident of the build, and ours says that there is no device.
_WITHOUT_DEVICE = """
is_available() / is_initialized() / device_count() / _is_compiled() / _is_in_bad_fork() / init()
current_device() / set_device(-1) / set_device('cpu') / set_device('cuda') / set_device(None)
set_device(1.5) / get_device_name() / get_device_name(0) / get_device_capability()
get_device_properties(0) / can_device_access_peer(0, 1) / is_bf16_supported() / synchronize()
synchronize(0) / ipc_collect() / current_stream() / default_stream() / set_sync_debug_mode(0)
get_stream_from_external(0) / get_sync_debug_mode() / set_stream(None)
stream(None).__enter__() / device(0).__enter__() / device(-1).__enter__() / device('cpu')
Stream() / Stream(device=0) / ExternalStream(1, device=0) / Event() / Event(enable_timing=True)
empty_cache() / memory_stats() / memory_stats(0) / memory_stats_as_nested_dict()
memory_allocated() / max_memory_allocated() / memory_reserved() / max_memory_reserved()
memory_summary() / memory_summary(0) / mem_get_info() / mem_get_info(0)
caching_allocator_alloc(1) / set_per_process_memory_fraction(0.5)
set_per_process_memory_fraction(1) / get_per_process_memory_fraction() / manual_seed(0)
manual_seed_all(0) / seed() / seed_all() / initial_seed() / get_rng_state() / get_rng_state_all()
default_generators
"""

_ASK = """
def ask(module, calls):
    answers = {}
    for call in calls:
        try:
            answer = repr(eval(call, {n: getattr(module, n) for n in dir(module)}))
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        answers[call] = answer
    return answers
"""


def test_without_a_device_answers_are_those_of_torch_without_cuda() -> None:
    """Each call returns the same, or raises the same type with the same text."""
    calls = [call.strip() for line in _WITHOUT_DEVICE.split("\n") for call in line.split("/")]
    calls = [call for call in calls if call]
    scope: dict[str, Any] = {}
    exec(_ASK, scope)
    with contextlib.redirect_stderr(None):
        want = scope["ask"](torch.cuda, calls)
    program = (
        f"{_ASK}\nimport json, mindtorch_npu\n"
        f"print(json.dumps(ask(mindtorch_npu, {[as_npu(call) for call in calls]!r})))"
    )
    environment = os.environ | {
        "MINDTORCH_NPU_DEVICES": "0",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    got = json.loads(done.stdout)
    assert len(got) == len(calls) > 50
    assert got == {as_npu(call): as_npu(answer) for call, answer in want.items()}
