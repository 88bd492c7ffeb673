"""`Device`: interning, parsing, immutability."""

from __future__ import annotations

import copy
import pickle
import threading

import pytest
from mindtorch_storage import CPU, Device, as_device


def test_equal_devices_are_one_object():
    """However it is spelled, a device is the same object, so `is` compares."""
    assert Device("npu:1") is Device("npu", 1) is Device(type="npu", index=1)
    assert Device(Device("npu:1")) is Device("npu:1")
    assert Device("cpu") is not Device("cpu:0")


def test_a_bare_index_means_the_accelerator():
    """As in torch, where an int is an index of the current accelerator."""
    assert repr(Device(0)) == "device(type='npu', index=0)"
    assert Device(device=3) is Device("npu:3")


def test_torchs_name_of_the_accelerator_is_understood():
    """torch_npu renames privateuseone to npu; checkpoints may hold the old name."""
    assert Device("privateuseone:1") is Device("npu:1")


def test_printing():
    """repr is torch's; str is what the constructor takes."""
    assert repr(Device("cpu")) == "device(type='cpu')"
    assert str(Device("npu", 0)) == "npu:0"
    assert repr(Device) == "<class 'torch.device'>"


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "Device string must not be empty"),
        ("cpu:x", "Invalid device string: 'cpu:x'"),
        ("npu:01", "Invalid device string: 'npu:01'"),
        ("npu:", "Invalid device string: 'npu:'"),
    ],
)
def test_a_malformed_string_is_refused(text, message):
    """Only `type` and `type:index` are devices."""
    with pytest.raises(RuntimeError) as error:
        Device(text)
    assert str(error.value) == message


def test_an_unknown_type_lists_the_known_ones():
    """npu stands where torch lists privateuseone."""
    with pytest.raises(RuntimeError, match=r"hpu, mtia, npu device type at start .*: foo$"):
        Device("foo")


def test_devices_are_immutable():
    """An interned value that changed would change for everybody."""
    device = Device("npu:0")
    with pytest.raises(AttributeError, match="attribute 'type' of 'torch.device' objects"):
        device.type = "cpu"
    with pytest.raises(AttributeError, match="has no attribute 'foo'"):
        device.foo = 1
    with pytest.raises(AttributeError):
        del device.index
    with pytest.raises(TypeError):
        type("Mine", (Device,), {})


def test_copies_and_pickles_are_the_same_object():
    """Interning survives copy, deepcopy and pickle."""
    for device in (Device("cpu"), Device("npu:2")):
        assert copy.copy(device) is copy.deepcopy(device) is device
        assert pickle.loads(pickle.dumps(device)) is device


def test_threads_get_one_object():
    """Two threads that meet a device at the same moment must agree on it."""
    found = []
    start = threading.Barrier(8)

    def make():
        start.wait()
        found.append([Device("npu", i) for i in range(60, 100)])

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(a is b for row in found for a, b in zip(row, found[0], strict=True))


def test_entering_without_anybody_to_act_is_refused(monkeypatch):
    """A block that silently did nothing would be worse."""
    monkeypatch.setattr(Device, "enter_hooks", [])
    with pytest.raises(RuntimeError, match="handles default devices"), Device("cpu"):
        pass


def test_context_hooks_run_in_order_and_back(monkeypatch):
    """The first added enters first and leaves last."""
    seen = []
    monkeypatch.setattr(Device, "enter_hooks", [lambda d: seen.append(("in", 1, d))])
    monkeypatch.setattr(Device, "exit_hooks", [lambda d: seen.append(("out", 1, d))])
    Device.enter_hooks.append(lambda d: seen.append(("in", 2, d)))
    Device.exit_hooks.append(lambda d: seen.append(("out", 2, d)))
    with CPU as inside:
        assert inside is CPU
    assert seen == [("in", 1, CPU), ("in", 2, CPU), ("out", 2, CPU), ("out", 1, CPU)]


def test_as_device_takes_what_people_write():
    """Strings, ints, devices and None."""
    assert as_device(None) is CPU
    assert as_device(None, Device("meta")) is Device("meta")
    assert as_device("npu:1") is as_device(1) is as_device(Device("npu", 1))
