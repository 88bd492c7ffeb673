"""The driver for real hardware, over a module that records what is asked of it.

No CUDA device or NPU is to be had where these tests run: the module stands on torch's CPU tensors.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.oracle

ROOT = Path(__file__).parents[2]
#: Rows whose samples leave numbers undefined, and those that read the bytes of a storage.
NOT_COMPARED = {
    *("_efficientzerotensor", "empty.memory_format", "empty_like", "empty_strided"),
    *("new_empty", "new_empty_strided", "set_.source_Storage", "_lazy_clone"),
    "set_.source_Storage_storage_offset",
}


def run(*words: str) -> Any:
    """What a program with the recording module prints, as JSON."""
    environment = os.environ | {
        "MINDTORCH_NPU_DRIVER": "tests.contract.recording_accelerator",
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), *sys.path])),
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *words],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=ROOT,
        env=environment,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_rows_run_through_torchs_ops() -> None:
    """Every row that runs on the host runs there too, with the same numbers."""
    found = run("-m", "tests.contract.hardware_rows")
    assert found["ran"] > 600
    assert not {k: v for k, v in found["failed"].items() if k not in NOT_COMPARED}


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
side = torch.npu.Stream()
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
try:
    x.untyped_storage().tolist()
    refused = ""
except RuntimeError as error:
    refused = str(error)
try:
    torch.npu.memory._record_memory_history()
    history = ""
except RuntimeError as error:
    history = str(error)
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
    "history": history,
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


def test_a_training_step_on_streams_of_the_module() -> None:
    """Ops of torch's run on the module's streams; memory and devices are what it says."""
    found = run("-c", _PROGRAM)
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
    assert found["priorities"] == [[0, -3], -2, -3]
    assert found["outer"] == [4096, 4096]
    assert ["record_stream", 4096] in found["calls"]
    kinds = [call[0] for call in found["calls"]]
    assert {"device", "stream", "empty_cache", "fraction"} <= set(kinds)
    assert "storage on real hardware" in found["refused"]
    assert "use the module's own" in found["history"]


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
