"""What programs for CUDA read: its names and texts, where the simulated NPU is called cuda."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
import torch

#: What is asked, in the words of a program for the accelerator that {0} is the name of.
ASKED = """
import json, sys
import mindtorch as torch
device = torch.{0}
told = {{}}

def error(name, call):
    try:
        call()
    except Exception as e:
        told[name] = f"{{type(e).__name__}}: {{e}}"

error("out of memory", lambda: torch.empty(1 << 40, dtype=torch.uint8, device="{0}"))
error("more than an exabyte", lambda: device.caching_allocator_alloc(1 << 61))
error("ordinal", lambda: torch.empty(1, device="{0}:99"))
error("a host", lambda: device.get_device_name("cpu"))
error("properties", lambda: device.get_device_properties().nothing)
error("a stream", lambda: device.Stream(stream_id=1, device_index=0, device_type=99))
error("an event", lambda: device.Event.from_ipc_handle(0, b"short"))
Graph = getattr(device, "{0}".upper() + "Graph")
error("a captured graph", lambda: Graph().pool())
error("a default stream", lambda: Graph().capture_begin())
error("history", lambda: device.memory._record_memory_history_legacy(3, "a"))
error("a setting", lambda: torch._C._accelerator_setAllocatorSettings("nothing:1"))
stream, event = device.default_stream(), device.Event()
told["stream"], told["event"] = repr(stream), repr(event)
told["handles"] = [stream.{0}_stream, event.{0}_event, stream.__{0}_stream__()]
told["classes"] = [repr(type(stream)), repr(type(event)), repr(type(device.MemPool()))]
told["properties of"] = repr(device.get_device_properties())
told["properties are"] = repr(type(device.get_device_properties()))
again = device.Stream(stream_id=0, device_index=0, device_type=stream.device_type)
told["again"] = again == stream
told["bindings"] = [torch._C._{0}_getCurrentRawStream(0), torch._C._{0}_getDevice()]
told["processes"] = device.list_gpu_processes()
told["stats"] = device.memory_stats()
told["summary"] = device.memory_summary()
told["number"] = stream.device_type
with torch.profiler.profile(activities=torch.profiler.supported_activities()) as profiled:
    torch.ones(3, device="{0}") + 1
told["profiled"] = sorted({{str(e.device_type) for e in profiled.events()}})
json.dump(told, sys.stdout)
"""


def told(kind: str) -> dict[str, Any]:
    """What a program is told that calls the accelerator *kind*."""
    environment = os.environ | {"MINDTORCH_CUDA_AS_NPU": "1" if kind == "cuda" else "0"}
    environment.pop("CUDA_VISIBLE_DEVICES", None)  # which would hide the devices
    done = subprocess.run(
        [sys.executable, "-c", ASKED.format(kind)], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def as_cuda() -> dict[str, Any]:
    return told("cuda")


def test_words_of_cuda(as_cuda):
    """Those that programs search for."""
    memory = as_cuda["out of memory"]
    assert memory.startswith("OutOfMemoryError: CUDA out of memory. Tried to allocate 1024.00 GiB.")
    assert " GPU 0 has a total capacity of " in memory
    assert as_cuda["ordinal"] == "AcceleratorError: CUDA error: invalid device ordinal"
    assert as_cuda["stream"] == "<torch.cuda.Stream device=cuda:0 cuda_stream=0x0>"
    assert as_cuda["event"] == "<torch.cuda.Event uninitialized>"
    assert as_cuda["properties of"].startswith("_CudaDeviceProperties(name=")
    assert as_cuda["profiled"] == ["DeviceType.CPU", "DeviceType.CUDA"]
    assert as_cuda["properties are"] == "<class 'torch._C._CudaDeviceProperties'>"


def test_texts_are_those_of_torch_without_a_device(as_cuda, monkeypatch):
    """Of what torch itself says without a device."""
    with pytest.raises(ValueError, match="Expected a cuda device") as wrong:
        torch.cuda._utils._get_device_index("cpu")
    assert as_cuda["a host"] == f"ValueError: {wrong.value}"

    monkeypatch.setattr(torch.cuda.memory, "memory_stats", lambda device: as_cuda["stats"])
    assert as_cuda["summary"] == torch.cuda.memory_summary(0)
    assert as_cuda["number"] == int(torch._C._autograd.DeviceType.CUDA.value)


def test_every_word_has_the_name(as_cuda):
    """Nothing else differs from what the same program reads of the NPU by its own name."""
    as_npu = told("npu")
    # Widths follow the name; torch has names and numbers of its own for types of devices.
    different = {"summary", "number", "profiled"}
    assert {*as_npu} == {*as_cuda}
    for key in as_npu.keys() - different:
        text = json.dumps(as_npu[key]).replace("NPU Simulator", "simulator")
        renamed = text.replace("NPU 0 has", "GPU 0 has").replace("NPU:0", "GPU:0")
        renamed = renamed.replace("NPU", "CUDA").replace("npu", "cuda").replace("Npu", "Cuda")
        assert json.dumps(as_cuda[key]).replace("NPU Simulator", "simulator") == renamed, key
