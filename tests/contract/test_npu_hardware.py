"""The driver for real hardware, over a module that records what is asked of it.

No CUDA device or NPU is to be had where these tests run: the module stands on torch's CPU tensors.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from . import hardware_programs

pytestmark = pytest.mark.oracle

ROOT = Path(__file__).parents[2]
#: Rows whose samples leave numbers undefined, those that read the bytes of a storage, and one that
#: takes lengths on the host alone.
NOT_COMPARED = {
    *("_efficientzerotensor", "_pack_padded_sequence", "empty.memory_format", "empty_like"),
    *("empty_permuted", "empty_strided"),
    *("new_empty", "new_empty_strided", "set_.source_Storage", "_lazy_clone"),
    "set_.source_Storage_storage_offset",
}


def over_it(*words: str) -> subprocess.CompletedProcess[str]:
    """Python with the recording module in the place of hardware."""
    environment = os.environ | {
        "MINDTORCH_NPU_DRIVER": "tests.contract.recording_accelerator",
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), *sys.path])),
    }
    return subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=ROOT,
        env=environment,
    )


def test_rows_run_through_torchs_ops(said: list[Any]) -> None:
    """Every row that runs on the host runs there too, with the same numbers."""
    found = said[1]
    assert found["ran"] > 600
    assert not {k: v for k, v in found["failed"].items() if k not in NOT_COMPARED}


#: Tests of what users of ``torch.npu`` see, which run over any driver.
_CONTRACT = (
    *("npu/tests/test_devices.py", "npu/tests/test_streams_events.py", "npu/tests/test_generic.py"),
    *("npu/tests/test_memory.py", "npu/tests/test_pinned.py", "npu/tests/test_config.py"),
    *("mindtorch/tests/test_npu_devices.py", "mindtorch/tests/test_npu_misuse.py"),
    *("mindtorch/tests/test_npu_streams.py", "mindtorch/tests/test_npu_backward.py"),
    "mindtorch/tests/test_npu_backward_devices.py",
)


def test_the_simulators_contract_holds_over_it() -> None:
    """The same tests; each that is skipped says why, and a CUDA device runs them all the same.

    ``MINDTORCH_NPU_DRIVER=torch.cuda pytest packages/npu/tests packages/mindtorch/tests -rs``.
    Left out is the one that starts another process with torch.
    """
    files = [f"packages/{name}" for name in _CONTRACT]
    # In the order of the files, as elsewhere: a plugin that shuffles them would do so here too.
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-k", "not forked")
    done = over_it("-m", "pytest", *options, "-W", "ignore", *files)
    last = done.stdout.splitlines()[-1]
    assert done.returncode == 0, done.stdout[-3000:]
    counts = {what: int(n) for n, what in re.findall(r"(\d+) (passed|skipped)", last)}
    assert counts["passed"] >= 270
    assert counts["skipped"] <= 45


_PROGRAM = """
import copy
import io
import json
import mindtorch as torch
from tests.contract import recording_accelerator as device
import torch as theirs
from torch.utils._python_dispatch import TorchDispatchMode

ran = []

class Recorder(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        ran.append(func._schema.name)
        return func(*args, **(kwargs or {}))

x = torch.arange(6.0).reshape(2, 3).to("npu")
layer = torch.nn.Linear(3, 2).to("npu")
optimizer = torch.optim.Adam(layer.parameters())
side, other = torch.npu.Stream(), torch.npu.Stream(1)
with Recorder():
    loss = torch.nn.functional.cross_entropy(layer(x), torch.tensor([0, 1], device="npu"))
    loss.backward()
    optimizer.step()
    device.calls.clear()
    with torch.npu.stream(side):
        side.wait_stream(torch.npu.default_stream())
        y = x.t() * 2
    on_side = [call for call in device.calls if call[0] == "stream"]
    y[0].add_(1)
    event = side.record_event()
    event.synchronize()
with torch.npu.stream(other), torch.npu.stream(side):
    host, there = torch.ones(3), torch.ones(3, device="npu:1")
    here = torch.ones(3, device="npu")
    asked = {}
    for name, ask in {
        "to": lambda: host.to("npu"),
        "from": lambda: here.cpu(),
        "item": lambda: here[0].item(),
        "print": lambda: repr(here),
        "nonzero": lambda: here.nonzero(),
        "copy from host": lambda: here.copy_(host),
        "copy to host": lambda: host.copy_(here),
        "storage": lambda: here.untyped_storage().cpu(),
        "bytes": lambda: torch.ones(1, device="npu").untyped_storage().resize_(64),
        "draw": lambda: torch.rand(3, device="npu"),
        "across": lambda: here.to("npu:1"),
        "copy across": lambda: there.copy_(here),
    }.items():
        device.calls.clear()
        ask()
        streams = {side.npu_stream: "side", other.npu_stream: "other"}
        ids = [streams.get(c[1], "astray") for c in device.calls if c[0] == "stream"]
        asked[name] = sorted(set(ids))
torch._C._npu_attach_out_of_memory_observer(lambda *told: None)
try:
    x.untyped_storage().tolist()
    refused = ""
except RuntimeError as error:
    refused = str(error)
torch.npu.memory._record_memory_history(max_entries=7, skip_actions=["oom"])
torch.npu.set_sync_debug_mode("warn")
try:
    with torch.npu.faults.inject("oom@1"):
        injected = ""
except RuntimeError as error:
    injected = str(error)
try:
    with device.refusing():
        torch.npu.synchronize()
except (torch.OutOfMemoryError, torch.AcceleratorError) as error:
    translated = [type(error).__name__, str(error), getattr(error, "error_code", None)]
raw = torch.npu.caching_allocator_alloc(100, 0, side)
torch.npu.caching_allocator_delete(raw)
x, host, pinned = torch.zeros(3, device="npu"), torch.full((3,), 7.0), torch.ones(3).pin_memory()
copies = [x.copy_(host).tolist(), x.fill_(5).to("npu:1").tolist()]
copies.append(torch.zeros(3, device="npu:1").copy_(x).tolist())
copies += [pinned.copy_(x * 2, non_blocking=True).tolist(), host.copy_(x).tolist()]
file = io.BytesIO()
torch.save(copy.deepcopy(x), file)
file.seek(0)
drawn = []
for g in (None, torch.Generator("npu")):
    for _ in range(2):
        torch.manual_seed(3) if g is None else g.manual_seed(3)
        drawn.append(torch.rand(4, device="npu", generator=g).tolist())
outer = torch.npu.ExternalStream(4096)
x.record_stream(outer)
torch.npu.empty_cache()
torch.npu.set_per_process_memory_fraction(0.5, 1)
print(json.dumps({
    "ran": sorted(set(ran)),
    "y": y.tolist(),
    "side": [call[1] for call in on_side] == [side.npu_stream],
    "calls": device.calls,
    "device": [str(y.device), torch.npu.get_device_name(), torch.npu.device_count()],
    "memory": [torch.npu.memory_allocated(1), torch.npu.max_memory_allocated(0)],
    "info": torch.npu.mem_get_info(0),
    "snapshot": torch.npu.memory_snapshot(),
    "refused": refused,
    "asked": asked,
    "injected": injected,
    "translated": translated,
    "traces": torch.npu.memory._snapshot()["device_traces"],
    "debug": torch.npu.get_sync_debug_mode(),
    "copies": copies,
    "saved": torch.load(file).tolist(),
    "seeded": drawn[0] == drawn[1] == drawn[2] == drawn[3] and len(set(drawn[0])) == 4,
    "priorities": [
        torch.npu.Stream.priority_range(),
        torch.npu.Stream(priority=-2)._queue.stream.priority,
        torch.npu.Stream(priority=-9).priority,
    ],
    "outer": [outer.npu_stream, outer._queue.stream.native_handle],
    "gradient": layer.weight.grad.device.type,
}))
"""


@pytest.fixture(scope="module")
def said() -> list[Any]:
    """What the program, the rows and random programs say in one process: torch loads slowly."""
    more = "".join(
        f"\nfrom tests.contract import {each}\n{each}.main()\n"
        for each in ("hardware_rows", "hardware_programs")
    )
    done = over_it("-W", "ignore", "-c", _PROGRAM + more)
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()[-3:]]


def test_a_training_step_on_streams_of_the_module(said: list[Any]) -> None:
    """Ops of torch's run on the module's streams; memory and devices are what it says."""
    found = said[0]
    assert {"aten::addmm", "aten::_log_softmax", "aten::mm", "aten::mul"} <= set(found["ran"])
    assert found["y"] == [[1.0, 7.0], [2.0, 8.0], [4.0, 10.0]]
    assert found["side"]
    assert found["device"] == ["npu:0", "Recorder", 2]
    assert found["memory"] == [6, 9]
    assert found["info"] == [1 << 29, 1 << 30]
    assert found["snapshot"] == [{"device": 1, "address": 64}]
    assert found["gradient"] == "npu"
    assert found["copies"] == [[7.0] * 3, [5.0] * 3, [5.0] * 3, [10.0] * 3, [5.0] * 3]
    assert found["saved"] == [5.0] * 3
    assert found["seeded"]
    assert ["observer", "<lambda>"] in found["calls"]
    across = {"across", "copy across"}
    assert found["asked"] == {
        name: ["other", "side"] if name in across else ["side"] for name in found["asked"]
    }
    assert len(found["asked"]) == 12
    assert found["priorities"] == [[0, -3], -2, -3]
    assert found["outer"] == [4096, 4096]
    assert ["record_stream", 4096] in found["calls"]
    kinds = [call[0] for call in found["calls"]]
    assert {"device", "stream", "empty_cache", "fraction"} <= set(kinds)
    assert "storage on real hardware" in found["refused"]
    assert "simulator only" in found["injected"]
    assert found["translated"] == ["AcceleratorError", "CUDA error: gone", 719]
    how = {"context": "all", "stacks": "all", "max_entries": 7, "skip_actions": ["oom"]}
    assert found["calls"].count(["history", ["all", how]]) == 1
    assert [[e["size"] for e in trace] for trace in found["traces"]] == [[0], [1]]
    assert ["debug_mode", 1] in found["calls"]
    assert found["debug"] == 1


def test_random_programs_stay_on_the_device(said: list[Any]) -> None:
    """Views, ``out=``, indices, all dtypes, gradients, streams: the same tensors, and no read."""
    found = said[2]
    assert not found["wrong"]
    assert found["compared"] > 200
    assert found["pickled"] == ["npu:0", True, [[2.0, 2.0]] * 2, [[1.0, 1.0]] * 2]


def test_random_programs_on_the_simulator() -> None:
    """The same programs, where kernels are ours."""
    wrong, compared = hardware_programs.differences(hardware_programs.SEEDS)
    assert not wrong
    assert compared > 200


def test_what_is_no_driver() -> None:
    """A name that is neither the simulator nor a module says what could be written."""
    done = subprocess.run(
        [sys.executable, "-c", "import mindtorch_npu as npu; npu.init()"],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ
        | {"MINDTORCH_NPU_DRIVER": "abacus", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert "must be simulator, torch_npu or the path of an accelerator module" in done.stderr
