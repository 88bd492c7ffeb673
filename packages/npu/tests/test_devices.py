"""Devices: indexes, guards, properties."""

import copy

import mindtorch_npu as npu
import pytest
from mindtorch_npu.errors import AcceleratorError
from mindtorch_storage.device import Device

from packages.npu.tests.gates import simulated


@pytest.fixture(autouse=True)
def device_0():
    npu.set_device(0)
    yield
    npu.set_device(0)


@simulated
def test_two_devices_by_default():
    """Many programs and tests need two."""
    assert npu.is_available()
    assert npu.device_count() == 2
    assert npu.get_device_name(1) == "NPU Simulator"
    assert npu.get_device_capability() == (9, 0)
    properties = npu.get_device_properties("npu:1")
    assert properties.total_memory == 32 * 1024**3
    assert len(str(properties.uuid)) == 36
    assert properties.uuid.bytes[-6:] == [0, 0, 0, 0, 0, 1]
    assert properties.uuid == npu.get_device_properties(1).uuid
    assert properties.uuid != npu.get_device_properties(0).uuid
    assert properties == npu.get_device_properties(1) != npu.get_device_properties(0)

    assert repr(properties).startswith("_NpuDeviceProperties(name='NPU Simulator', major=9, ")
    free, total = npu.mem_get_info()
    assert 0 < free < total == properties.total_memory
    with pytest.raises(TypeError, match=r"cannot pickle 'torch\._C\._NpuDeviceProperties' object"):
        copy.deepcopy(properties)


def test_guard_switches_and_restores():
    """None and negative indexes change nothing; the index left behind is that of the block."""
    guard = npu.device(1)
    with guard:
        assert npu.current_device() == 1
        with npu.device(-1), npu.device(None):
            assert npu.current_device() == 1
    assert npu.current_device() == 0
    assert guard.idx == 1
    for name in ("npu:1", Device("npu", 1)):
        with npu.device(name):
            assert npu.current_device() == 1


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: npu.set_device("cpu"), "Expected a npu device, but got: cpu"),
        (lambda: npu.device("cpu"), "Expected a npu device, but got: cpu"),
        (
            lambda: npu.set_device("npu"),
            "Expected a torch.device with a specified index or an integer, but got:npu",
        ),
        (
            lambda: npu.set_device(None),
            "Expected a torch.device with a specified index or an integer, but got:None",
        ),
        (
            lambda: npu.set_device(1.5),
            "Expected a torch.device with a specified index or an integer, but got:1.5",
        ),
        (
            lambda: npu._get_device_index("meta", allow_cpu=True),
            "Expected a npu or cpu device, but got: meta",
        ),
    ],
)
def test_bad_devices(call, text):
    """ValueError with torch's text."""
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value) == text


def test_index_out_of_range():
    """The driver's error where the driver refuses, AssertionError where torch looks first."""
    with pytest.raises(AcceleratorError, match="^NPU error: invalid device ordinal") as caught:
        npu.set_device(2)
    assert caught.value.error_code == 101
    with pytest.raises(AssertionError, match="^Invalid device id$"):
        npu.get_device_properties(2)
    with pytest.raises(AssertionError, match="^Invalid peer device id$"):
        npu.can_device_access_peer(0, 2)
    with pytest.raises(RuntimeError, match=r"^Invalid device argument 2: did you call init\?$"):
        npu.memory_stats(2)
    assert npu.can_device_access_peer(0, 1)
    assert not npu.can_device_access_peer(1, 1)
    npu.set_device(-5)
    assert npu.current_device() == 0


def test_device_of_follows_a_tensor():
    """Objects of the host change nothing."""

    class Thing:
        def __init__(self, device):
            self.device = device
            self.is_npu = device.type == "npu"

        def get_device(self):
            return self.device.index

    with npu.device_of(Thing(Device("npu", 1))):
        assert npu.current_device() == 1
    with npu.device_of(Thing(Device("cpu"))):
        assert npu.current_device() == 0


def test_sync_debug_mode(monkeypatch):
    """Names and numbers; bad ones have torch's texts. It warns once per process."""
    monkeypatch.setattr("mindtorch_npu.errors.said", set())
    with pytest.warns(UserWarning, match="^Synchronization debug mode is a prototype feature"):
        npu.set_sync_debug_mode("warn")
    assert npu.get_sync_debug_mode() == 1
    npu.set_sync_debug_mode(0)
    with pytest.raises(RuntimeError, match="expected one of `default`, `warn`, `error`$"):
        npu.set_sync_debug_mode("loud")
    with pytest.raises(RuntimeError, match="expected one of 0,1,2$"):
        npu.set_sync_debug_mode(3)
