"""Faults on demand: allocations, kernels, copies, a lost device."""

import os
import subprocess
import sys

import mindtorch_npu as npu
import pytest
from mindtorch_npu import backend
from mindtorch_npu.errors import AcceleratorError, OutOfMemoryError
from mindtorch_npu.faults import inject


def test_allocation_fails_at_the_count_and_counts_as_out_of_memory():
    """The third request of the device; before and after all is well."""
    before = npu.memory_stats(0)["num_ooms"] if npu.is_initialized() else 0
    with inject("npu:0/oom@3"):
        held = [backend.allocate(512, 0), backend.allocate(512, 0), backend.allocate(512, 1)]
        with pytest.raises(OutOfMemoryError, match="Tried to allocate 2.00 MiB. NPU 0 has"):
            backend.allocate(512, 0)
        held.append(backend.allocate(512, 0))
    assert npu.memory_stats(0)["num_ooms"] == before + 1
    del held


def test_kernel_fails_when_its_turn_comes():
    """The launch is fine; the next wait raises with the name of the op."""
    with inject("kernel=mm@2"):
        done = []
        tickets = [backend.launch(0, name, done.append, (name,)) for name in ("mm", "add", "bmm")]
        with pytest.raises(AcceleratorError, match="unspecified launch failure") as raised:
            backend.wait(tickets[-1])
    assert raised.value.error_code == 719
    assert "raised by bmm" in raised.value.__notes__[0]
    assert done == ["mm", "add"]


@pytest.mark.parametrize("text", ["npu:1/lost@2", "lost@2"])
def test_lost_device_stays_lost(text):
    """Every kernel fails from the one that lost it; the other device works."""
    with inject(text):
        done = []
        backend.wait(backend.launch(1, "a", done.append, (1,)))
        for _ in range(2):
            with pytest.raises(AcceleratorError, match="busy or unavailable"):
                backend.wait(backend.launch(1, "b", done.append, (2,)))
        backend.wait(backend.launch(0, "c", done.append, (3,)))
    backend.wait(backend.launch(1, "d", done.append, (4,)))
    assert done == [1, 3, 4]


@pytest.mark.parametrize(
    "text",
    [
        "oom",
        "oom@0",
        "oom@x",
        "boom@1",
        "kernel=",
        "slow=5",
        "slow=ms",
        "slow=-1ms",
        "slow=infs",
        "gpu:0/oom@1",
        "oom=x@1",
    ],
)
def test_what_is_no_fault(text):
    """Says what could be written."""
    with (
        pytest.raises(ValueError, match="not a fault: .*write oom@5"),
        inject(text),
    ):
        pass


ENVIRONMENT = """
import time
import mindtorch_npu as npu
from mindtorch_npu import backend, faults
said = []
held = backend.allocate(1, 0), backend.allocate(1, 1)
try:
    backend.allocate(1, 0)
except npu.OutOfMemoryError:
    said.append("oom")
for device, name in ((0, "add"), (0, "bmm"), (0, "bmm"), (1, "a"), (1, "b"), (1, "c")):
    ticket = backend.launch(device, name, len, ((),))
    try:
        backend.wait(ticket)
        npu.synchronize(device)
    except npu.AcceleratorError as error:
        said.append(f"{name} {error.error_code}")
began = time.perf_counter()
faults.delay_copy(0)
middle = time.perf_counter()
faults.delay_copy(1)
said += [middle - began >= 0.03, time.perf_counter() - middle >= 0.03]
print(said)
"""


def test_environment():
    """Every fault, for the whole process."""
    environment = os.environ | {
        "MINDTORCH_NPU_FAULTS": "npu:0/oom@2, kernel=mm@2,npu:1/lost@2,npu:1/slow=30ms",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    done = subprocess.run(
        [sys.executable, "-c", ENVIRONMENT],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
    )
    want = "['oom', 'bmm 719', 'b 46', 'c 46', False, True]\n"
    assert (done.stdout, done.stderr) == (want, "")
