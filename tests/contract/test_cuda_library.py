"""What programs for CUDA ask of its library, where the simulated NPU is called cuda.

The switches that ``torch._C`` reads and sets are the oracle's; what a build for the CPU does not
have (``cudart``, traces of streams, ``nvtx``) is told by what PyTorch's own tests expect.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from functools import cache
from types import ModuleType
from typing import Any

import mindtorch
import pytest
import torch
import torch.cuda._gpu_trace as oracle_trace
from mindtorch._C._switches import SWITCHES

from .batches import every

READ = sorted(name for name in SWITCHES if name.startswith("_get_"))
SET = [name for name in READ if f"_set_{name.removeprefix('_get_')}" in SWITCHES]


@cache
def values_at_start(t: ModuleType) -> dict[str, str]:
    """What all switches are in a process of its own."""
    asked = f"import {t.__name__}._C as c; print({{n: str(getattr(c, n)()) for n in {READ}}})"
    command = [sys.executable, "-W", "ignore", "-c", asked]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, str] = ast.literal_eval(told)
    return found


@every("name", READ)
def test_switches_begin_as_the_oracles(name: str) -> None:
    """With the same value, and the same name of it, whatever other tests have set since."""
    assert values_at_start(mindtorch)[name] == values_at_start(torch)[name]


@every("name", SET)
def test_switches_are_set(name: str) -> None:
    """What is set is read, by these names and by the public ones."""
    put = getattr(mindtorch._C, f"_set_{name.removeprefix('_get_')}")
    read = getattr(mindtorch._C, name)
    before = read()
    if not isinstance(before, bool | tuple):
        return  # names, which have tests of their own
    other = (False, False) if isinstance(before, tuple) else not before
    try:
        put(*other) if isinstance(other, tuple) else put(other)
        assert read() == other
    finally:
        put(*before) if isinstance(before, tuple) else put(before)
    assert read() == before


def test_switches_of_autocast() -> None:
    """Whether it is there, and on."""
    for lib in (mindtorch, torch):
        assert lib._C._is_autocast_available("cpu")
        assert not lib._C._is_any_autocast_enabled()
        with lib.autocast("cpu"):
            assert lib._C._is_any_autocast_enabled()


#: A program for CUDA. Each line of ``told`` is a fact that a test looks at.
PROGRAM = """
import ctypes, json, os, pickle, sys, threading
before = os.environ.pop("CUDA_VISIBLE_DEVICES", None)
import mindtorch
mindtorch.as_torch()
import torch
import torch.cuda._gpu_trace as oracle_trace
import torch.cuda._gpu_trace as trace
import torch.cuda._sanitizer as sanitizer
told = {}

def error(name, call):
    try:
        told[name] = repr(call())
    except Exception as e:
        told[name] = f"{type(e).__name__}: {e}"

counts = [torch.cuda.device_count()]
for visible in ("1", "0,1", ""):
    os.environ["CUDA_VISIBLE_DEVICES"] = visible
    counts.append(torch.cuda.device_count())
del os.environ["CUDA_VISIBLE_DEVICES"]
told["visible devices"] = counts

def late():
    raise ValueError("late")

def call_late():
    late_calls = torch.cuda._queued_calls
    torch.cuda._lazy_call(late)
    try:
        torch.cuda.init()
    except torch.cuda.DeferredCudaCallError as e:
        late_calls.clear()
        return repr(type(pickle.loads(pickle.dumps(e)))), str(e).splitlines()[0]

told["built"] = [torch.backends.cuda.is_built(), torch._C._has_cuda]
states = [torch.cuda._initialized, len(torch.cuda.default_generators)]
told["late"] = call_late()
x = torch.ones(4, device="cuda")
states += [torch.cuda._initialized, len(torch.cuda.default_generators)]
told["states"] = states

runtime = torch.cuda.cudart()
told["codes"] = [runtime.cudaGetErrorString(code) for code in (0, 2, 12345)]
told["checked"] = torch.cuda.check_error(0)
error("out of memory", lambda: torch.cuda.check_error(2))
told["memory"] = runtime.cudaMemGetInfo(1) == torch.cuda.mem_get_info(1)
y = torch.ones(20)
pinned = [y.is_pinned(), runtime.cudaHostRegister(y.data_ptr(), 80, 0), y.is_pinned()]
pinned += [y[3:].is_pinned(), runtime.cudaHostRegister(y.data_ptr(), 80, 0)]
told["pinned"] = pinned + [runtime.cudaHostUnregister(y.data_ptr()), y.is_pinned()]
handle = ctypes.c_uint64()
with torch.cuda.device(1):
    made = runtime.cudaStreamCreate(ctypes.addressof(handle))
stream = torch.cuda.ExternalStream(handle.value, device=1)
same = stream.cuda_stream == handle.value
gone = [runtime.cudaStreamDestroy(handle.value) for _ in range(2)]
told["streams"] = [made, same, stream.device.index, *gone]
told["pool"] = torch.cuda.MemPool().allocator
torch._C._cuda_clearCublasWorkspaces()

seen = []
trace.register_callback_for_memory_allocation(seen.append)
torch._C._activate_gpu_trace()
z = torch.ones(8, device="cuda")
told["trace"] = [seen == [z.data_ptr()], trace.EventCreationCallbacks.name]
handler = sanitizer.EventHandler()
told["races"] = [
    len(handler._handle_kernel_launch(s, [], [1], {}, "", {1: [""]})) for s in (101, 102)
]

def named(**how):
    torch.cuda.memory._record_memory_history(**how)
    with torch.profiler.record_function("outer"):
        thread = threading.Thread(target=torch.profiler.record_function("aside")(lambda: None))
        thread.start()
        thread.join()
    found = torch.cuda.memory._snapshot()["external_annotations"]
    torch.cuda.memory._record_memory_history(None)
    with torch.profiler.record_function("later"):
        pass
    found += torch.cuda.memory._snapshot()["external_annotations"]
    return [(each["name"], each["stage"], each["device"]) for each in found]

told["annotations"] = [named(), named(global_record_annotations=True)]

with torch.autograd.profiler.emit_nvtx():
    z + 1

slopes = []
graph = torch.cuda.CUDAGraph()
numbers = torch.tensor([-1.0, -1.0, 2.0], device="cuda")
with torch.cuda.graph(graph):
    drawn = torch.nn.functional.rrelu(numbers, training=True)
for _ in range(2):
    graph.replay()
    slopes.append(drawn.tolist())
told["slopes"] = slopes

kinds = []
for network in (torch.nn.RNN, torch.nn.LSTM, torch.nn.GRU):
    layers = network(3, 4, 2, bidirectional=True).cuda()
    with torch.autocast("cuda"):
        output, _ = layers(torch.ones(2, 5, 3, device="cuda"))
    output.sum().backward()
    kinds.append([str(output.dtype), str(layers.weight_ih_l0.grad.dtype)])
told["networks"] = kinds

comm = torch.cuda.comm
host = torch.ones(2, 3)
error("a host's", lambda: comm.broadcast(x, out=[x.clone(), torch.ones(4)]))
error("other shape", lambda: comm.broadcast(x, out=[x.clone(), x.unsqueeze(0)]))
error("no devices", lambda: comm.scatter(host, ()))
error("no outputs", lambda: comm.scatter(host, out=[]))
error("other lengths", lambda: comm.scatter(host, [0, 1], chunk_sizes=[1, 1, 1]))
error("no tensors", lambda: comm.gather(()))
error("a host's tensor", lambda: comm.gather((x, torch.ones(4))))
error("other dimensions", lambda: comm.gather((x, x.unsqueeze(0))))
error("other sizes", lambda: comm.gather((torch.ones(2, 3).cuda(), torch.ones(2, 4).cuda())))
json.dump(told, sys.stdout)
"""


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    environment = os.environ | {"MINDTORCH_CUDA_AS_NPU": "1"}
    environment.pop("CUDA_VISIBLE_DEVICES", None)  # which would hide the devices
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_what_changes_is_read_where_it_changes(told: dict[str, Any]) -> None:
    """Devices that are visible, and what the first use of one makes."""
    assert told["visible devices"] == [2, 1, 2, 0]
    assert told["states"] == [False, 0, True, 2]
    text = "CUDA call failed lazily at initialization with error: late"
    assert told["late"] == [repr(torch.cuda.DeferredCudaCallError), text]
    assert told["built"] == [True, True]
    assert mindtorch._C._has_cuda is torch._C._has_cuda is False


def test_the_runtime_answers(told: dict[str, Any]) -> None:
    """Codes, memory that is pinned where it lies, and streams by their handles."""
    assert told["codes"] == ["no error", "out of memory", "unrecognized error code"]
    assert told["checked"] is None
    assert told["out of memory"] == "CudaError: out of memory (2)"
    assert told["memory"] is True
    assert told["pinned"] == [False, 0, True, True, 712, 0, False]
    assert told["streams"] == [0, True, 1, 0, 400]
    assert told["pool"] is None


def test_streams_are_watched_under_cudas_names(told: dict[str, Any]) -> None:
    """The trace of the accelerator, and the sanitizer of streams."""
    assert told["trace"] == [True, oracle_trace.EventCreationCallbacks.name]
    assert told["races"] == [0, 1]


def test_snapshots_tell_ranges_with_names(told: dict[str, Any]) -> None:
    """Those of the thread that records, or of all threads."""
    begin, end = ["outer", "START", 0], ["outer", "END", 0]
    aside = [["aside", "START", 0], ["aside", "END", 0]]
    assert told["annotations"] == [[begin, end], [begin, *aside, end]]


def test_nothing_waits_for_the_count_of_slopes(told: dict[str, Any]) -> None:
    """So that ``rrelu`` can be captured, and draws anew at each replay."""
    first, second = told["slopes"]
    assert first != second
    assert first[2] == second[2] == 2.0
    assert all(-1 / 3 <= n <= -1 / 8 for n in first[:2] + second[:2])


def test_recurrent_networks_run_in_half_precision(told: dict[str, Any]) -> None:
    """As cuDNN's; the gradients of parameters stay float32."""
    assert told["networks"] == [["torch.float16", "torch.float32"]] * 3


def test_copies_between_devices_are_refused(told: dict[str, Any]) -> None:
    """In the words that torch/csrc/cuda/comm.cpp has."""
    texts = {
        "a host's": "Expected all output tensors to be CUDA tensors, but output tensor at index 1",
        "other shape": "Expected all output tensors to have same shape as the source tensor",
        "no devices": "Expected at least one device to scatter to",
        "no outputs": "Expected at least one output tensor to scatter to",
        "other lengths": "Expected devices and chunk_sizes to be of same length, but got",
        "no tensors": "Expected at least one tensor to gather from",
        "a host's tensor": "Expected all input tensors to be CUDA tensors, but tensor at index 1",
        "other dimensions": "Expected all input tensors to have the same number of dimensions",
        "other sizes": "Expected tensor at index 1 of shape ",
    }
    for name, text in texts.items():
        assert told[name].startswith(f"RuntimeError: {text}"), told[name]
