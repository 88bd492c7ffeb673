"""Misuse of devices, streams, events, limits and memory: CUDA's errors with NPU for CUDA."""

import gc
import math
import os
import pickle
import subprocess
import sys

import mindtorch as torch
import pytest
from mindtorch_npu import backend

npu = torch.npu
ORDINAL = (torch.AcceleratorError, "NPU error: invalid device ordinal")
STREAM_RANGE = (RuntimeError, "Device index value 9 is out of index range [0, 2)")
HOST = (ValueError, "Expected a npu device, but got: cpu")
NO_ALLOCATOR = (RuntimeError, "Invalid device argument 9: did you call init?")
NO_ID = (AssertionError, "Invalid device id")
STRING = (TypeError, "'str' object cannot be interpreted as an integer")
FRACTION_TYPE = (TypeError, "Invalid type for fraction argument, must be `float`")


def no_index(what):
    return (
        ValueError,
        f"Expected a torch.device with a specified index or an integer, but got:{what}",
    )


def on_npu(*shape):
    return torch.zeros(*shape, device="npu")


#: Call -> the error's type and first line.
DEVICES = {
    lambda: npu.set_device(9): ORDINAL,
    lambda: npu.set_device("npu:9"): ORDINAL,
    lambda: npu.set_device("npu"): no_index("npu"),
    lambda: npu.set_device(None): no_index(None),
    lambda: npu.set_device(1.5): no_index(1.5),
    lambda: npu.set_device("cpu"): HOST,
    lambda: npu.device("cpu"): HOST,
    lambda: npu.device(9).__enter__(): ORDINAL,
    lambda: npu.synchronize(9): ORDINAL,
    lambda: npu.synchronize("cpu"): HOST,
    lambda: npu.get_device_properties(9): NO_ID,
    lambda: npu.get_device_properties(-1): NO_ID,
    lambda: npu.get_device_name("cpu"): HOST,
    lambda: npu.get_device_capability(9): NO_ID,
    lambda: npu.can_device_access_peer(9, 0): NO_ID,
    lambda: npu.can_device_access_peer(0, 9): (AssertionError, "Invalid peer device id"),
    lambda: npu.can_device_access_peer(0, "cpu"): HOST,
    lambda: torch.accelerator.set_device_index(9): ORDINAL,
    lambda: torch.accelerator.synchronize(9): ORDINAL,
    lambda: torch.accelerator.set_device_index("cpu"): (
        ValueError,
        "cpu doesn't match the current accelerator npu.",
    ),
    lambda: torch.zeros(1, device=9): ORDINAL,
    lambda: torch.zeros(1, device="npu:9"): ORDINAL,
    lambda: torch.empty(1, device="npu:9"): ORDINAL,
    lambda: torch.zeros(1).npu(9): ORDINAL,
    lambda: on_npu(1).npu(9): ORDINAL,
    lambda: on_npu(1).to("npu:9"): ORDINAL,
    lambda: on_npu(1).to(9): ORDINAL,
    lambda: torch.zeros(1).npu("cpu"): (RuntimeError, "Invalid device, must be npu device"),
    lambda: torch.zeros(1, device="npu:-1"): (RuntimeError, "Invalid device string: 'npu:-1'"),
    lambda: torch.zeros(1, device="npu:01"): (RuntimeError, "Invalid device string: 'npu:01'"),
    lambda: on_npu(3) + torch.zeros(3): (
        RuntimeError,
        "Expected all tensors to be on the same device, but found at least two devices, npu:0 "
        "and cpu!",
    ),
    lambda: on_npu(3) + torch.zeros(3, device="npu:1"): (
        RuntimeError,
        "Expected all tensors to be on the same device, but found at least two devices, npu:0 "
        "and npu:1!",
    ),
    lambda: on_npu(3).numpy(): (
        TypeError,
        "can't convert npu:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor "
        "to host memory first.",
    ),
    lambda: on_npu(3).pin_memory(): (
        RuntimeError,
        "cannot pin 'torch.npu.FloatTensor' only dense CPU tensors can be pinned",
    ),
}
STREAMS = {
    lambda: npu.Stream(9): ORDINAL,
    lambda: npu.Stream("cpu"): HOST,
    lambda: npu.Stream(priority="x"): STRING,
    lambda: npu.Stream(priority=2**31): (OverflowError, "signed integer is greater than maximum"),
    lambda: npu.Stream(priority=-(2**63) - 1): (
        OverflowError,
        "Python int too large to convert to C long",
    ),
    lambda: npu.Stream(foo=1): (
        TypeError,
        "'foo' is an invalid keyword argument for this function",
    ),
    lambda: npu.Stream(stream_id=3, device_index=9, device_type=20): ORDINAL,
    lambda: npu.ExternalStream("x"): STRING,
    lambda: npu.ExternalStream(64, device=9): ORDINAL,
    lambda: npu.ExternalStream(64, priority=-1): (
        RuntimeError,
        "Priority was explicitly set for a external stream",
    ),
    lambda: npu.get_stream_from_external(64, 9): STREAM_RANGE,
    lambda: npu.current_stream(9): STREAM_RANGE,
    lambda: npu.current_stream("cpu"): HOST,
    lambda: npu.default_stream(9): STREAM_RANGE,
    lambda: npu.default_stream("cpu"): HOST,
    lambda: npu.set_stream(1): (AttributeError, "'int' object has no attribute 'stream_id'"),
    lambda: npu._sleep("x"): (RuntimeError, "torch.npu._sleep(): expected 'int'"),
    lambda: npu._sleep(1.5): (RuntimeError, "torch.npu._sleep(): expected 'int'"),
    lambda: npu.set_sync_debug_mode("x"): (
        RuntimeError,
        "invalid value of debug_mode, expected one of `default`, `warn`, `error`",
    ),
    lambda: npu.set_sync_debug_mode(7): (
        RuntimeError,
        "invalid value of debug_mode, expected one of 0,1,2",
    ),
    lambda: torch.Stream("npu:9"): STREAM_RANGE,
    lambda: on_npu(3).record_stream(None): (RuntimeError, "unknown parameter type"),
    lambda: on_npu(3).record_stream(1): (RuntimeError, "unknown parameter type"),
    lambda: npu.Event().record(1): (RuntimeError, "expected stream to be a torch.Stream object"),
    lambda: npu.current_stream().wait_event(1): (
        AttributeError,
        "'int' object has no attribute 'wait'",
    ),
    lambda: torch.Stream("npu").wait_event(1): (
        RuntimeError,
        "expected event to be a torch.Event object",
    ),
    lambda: torch.Stream("npu").wait_stream(1): (
        RuntimeError,
        "expected stream to be a torch.Stream object",
    ),
    lambda: pickle.dumps(npu.Stream()): (TypeError, "cannot pickle 'Stream' object"),
    lambda: npu.Event(enable_timing="x"): (
        TypeError,
        "'str' object cannot be interpreted as an integer",
    ),
    lambda: npu.Event(enable_timing=300): (
        OverflowError,
        "unsigned byte integer is greater than maximum",
    ),
    lambda: npu.Event().elapsed_time(npu.Event()): (
        ValueError,
        "Both events must be created with argument 'enable_timing=True'.",
    ),
    lambda: npu.Event(enable_timing=True).elapsed_time(npu.Event(enable_timing=True)): (
        ValueError,
        "Both events must be recorded before calculating elapsed time.",
    ),
    lambda: torch.Event("npu").record(torch.Stream("cpu")): (
        RuntimeError,
        "Event device type NPU does not match recording stream's device type CPU.",
    ),
}
MEMORY = {
    lambda: npu.mem_get_info(9): ORDINAL,
    lambda: npu.mem_get_info("cpu"): HOST,
    lambda: npu.memory_stats(9): NO_ALLOCATOR,
    lambda: npu.memory_allocated(9): NO_ALLOCATOR,
    lambda: npu.max_memory_reserved("cpu"): HOST,
    lambda: npu.reset_peak_memory_stats(9): NO_ALLOCATOR,
    lambda: npu.reset_accumulated_memory_stats(9): NO_ALLOCATOR,
    lambda: npu.memory_summary(9): NO_ALLOCATOR,
    lambda: npu.get_per_process_memory_fraction(9): NO_ALLOCATOR,
    lambda: npu.set_per_process_memory_fraction(0.5, 9): NO_ALLOCATOR,
    lambda: npu.set_per_process_memory_fraction(0.5, "cpu"): HOST,
    lambda: npu.set_per_process_memory_fraction(1): FRACTION_TYPE,
    lambda: npu.set_per_process_memory_fraction("x"): FRACTION_TYPE,
    lambda: npu.set_per_process_memory_fraction(1.5): (
        ValueError,
        "Invalid fraction value: 1.5. Allowed range: 0~1",
    ),
    lambda: npu.set_per_process_memory_fraction(-0.5): (
        ValueError,
        "Invalid fraction value: -0.5. Allowed range: 0~1",
    ),
    lambda: npu.set_per_process_memory_fraction(math.nan): (
        RuntimeError,
        "invalid fraction:nan. Please set within [0, 1].",
    ),
    lambda: npu.caching_allocator_alloc(10, 9): ORDINAL,
    lambda: npu.caching_allocator_alloc(-1): (
        torch.OutOfMemoryError,
        "NPU out of memory. Tried to allocate more than 1EB memory.",
    ),
    lambda: npu.caching_allocator_alloc("x"): STRING,
    lambda: npu.caching_allocator_alloc(10, 0, "x"): (
        TypeError,
        "Invalid type for stream argument, must be `torch.npu.Stream` or `int` representing a "
        "pointer to an existing stream",
    ),
    lambda: npu.caching_allocator_delete(12345): (
        RuntimeError,
        "invalid device pointer: 0x3039",
    ),
    lambda: npu.caching_allocator_delete("x"): STRING,
    lambda: torch.empty(2**62, device="npu"): (
        RuntimeError,
        "Storage size calculation overflowed with sizes=[4611686018427387904]",
    ),
}


if not backend.HARDWARE:  # torch says it itself, on a device of its own
    MEMORY[lambda: torch.empty(2**60, dtype=torch.int8, device="npu")] = (
        torch.OutOfMemoryError,
        "NPU out of memory. Tried to allocate more than 1EB memory.",
    )


@pytest.mark.parametrize("table", [DEVICES, STREAMS, MEMORY], ids=["devices", "streams", "memory"])
def test_errors(table):
    """Type and text; and nothing has changed for what follows."""
    wrong = []
    fraction = npu.get_per_process_memory_fraction(0)
    for call, (kind, text) in table.items():
        where = call.__code__.co_firstlineno
        try:
            made = call()
        except Exception as error:
            if (type(error), str(error).split("\n")[0]) != (kind, text):
                wrong.append((where, repr(error)))
        else:
            wrong.append((where, made))
    assert not wrong
    assert npu.current_device() == 0
    assert npu.current_stream() == npu.default_stream()
    assert npu.get_per_process_memory_fraction(0) == fraction
    assert npu.get_sync_debug_mode() == 0


FORK = """
import mindtorch as torch, os, sys
npu = torch.npu
x, host = torch.ones(2, device="npu"), torch.ones(2)
calls = [
    lambda: torch.zeros(1, device="npu"), npu.init, npu.current_device, npu.synchronize, npu.Stream,
    npu.get_rng_state, lambda: npu.Event().record(), lambda: x + 1, x.cpu, lambda: repr(x),
    x.tolist,
    lambda: x.fill_(1), lambda: x.to("npu:1"), host.npu, host.pin_memory,
    lambda: npu.set_device(1), npu.device(1).__enter__, torch.accelerator.current_device_index,
]
if os.fork() == 0:
    npu.empty_cache()
    npu.manual_seed(1)
    torch.manual_seed(1)
    assert not npu.is_initialized() and npu._is_in_bad_fork()
    assert npu.memory_stats() == {} and npu.memory_allocated() == 0
    for i, call in enumerate(calls):
        try:
            call()
            print(i, "returned")
        except RuntimeError as error:
            if "Cannot re-initialize NPU in forked subprocess" not in str(error):
                print(i, repr(error))
    del x
    (host + 1).sum()
    print("done", flush=True)
    os._exit(0)
os.wait()
print((x + 1).tolist())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_cannot_use_the_parents_devices():
    """Whatever it tries says so; the host works, and so does the parent."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORK],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert (done.stdout, done.stderr) == ("done\n[2.0, 2.0]\n", "")


@pytest.mark.skipif(backend.HARDWARE, reason="the module keeps the books")
def test_what_was_freed_is_not_freed_again():
    """Of raw memory; a block that is freed twice changes nothing."""
    pointer = npu.caching_allocator_alloc(1000)
    npu.caching_allocator_delete(pointer)
    with pytest.raises(RuntimeError, match=f"invalid device pointer: {pointer:#x}"):
        npu.caching_allocator_delete(pointer)
    storage = torch.ones(4, device="npu").untyped_storage()
    gc.collect()  # what other tests left would be counted out in between
    before = npu.memory_allocated()
    storage.block.free()
    after = npu.memory_allocated()
    storage.block.free()
    assert npu.memory_allocated() == after < before
