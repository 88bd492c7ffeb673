"""Which NPU a tensor is made on: devices of calls, of blocks, and the current one."""

import itertools
import pickle
import threading

import mindtorch as torch
import pytest
from mindtorch_npu import backend

#: What is asked for -> where that is, the current device in place of the braces.
ASKED = {
    "npu:0": "npu:0",
    "npu:1": "npu:1",
    "npu": "npu:{}",
    "cpu": "cpu",
    1: "npu:1",
    0: "npu:0",
    torch.device("npu", 1): "npu:1",
}
FACTORIES = {
    "zeros": lambda **k: torch.zeros(1, **k),
    "ones": lambda **k: torch.ones(1, **k),
    "empty": lambda **k: torch.empty(1, **k),
    "full": lambda **k: torch.full((2,), 1.0, **k),
    "rand": lambda **k: torch.rand(2, **k),
    "randn": lambda **k: torch.randn(2, **k),
    "normal": lambda **k: torch.normal(0.0, 1.0, (2,), **k),
    "randint": lambda **k: torch.randint(3, (2,), **k),
    "randperm": lambda **k: torch.randperm(3, **k),
    "arange": lambda **k: torch.arange(3, **k),
    "linspace": lambda **k: torch.linspace(0, 1, 3, **k),
    "logspace": lambda **k: torch.logspace(0, 1, 3, **k),
    "eye": lambda **k: torch.eye(2, **k),
    "tril_indices": lambda **k: torch.tril_indices(2, 2, **k),
    "scalar_tensor": lambda **k: torch.scalar_tensor(3.0, **k),
    "empty_strided": lambda **k: torch.empty_strided((2,), (1,), **k),
    "tensor": lambda **k: torch.tensor([1.0], **k),
    "as_tensor": lambda **k: torch.as_tensor([1], **k),
    "asarray": lambda **k: torch.asarray([1], **k),
    "Linear": lambda **k: torch.nn.Linear(2, 2, **k).weight,
    "BatchNorm1d": lambda **k: torch.nn.BatchNorm1d(2, **k).running_mean,
}
FROM_A_TENSOR = {
    "zeros_like": lambda x, **k: torch.zeros_like(x, **k),
    "ones_like": lambda x, **k: torch.ones_like(x, **k),
    "empty_like": lambda x, **k: torch.empty_like(x, **k),
    "full_like": lambda x, **k: torch.full_like(x, 2.0, **k),
    "rand_like": lambda x, **k: torch.rand_like(x, **k),
    "randn_like": lambda x, **k: torch.randn_like(x, **k),
    "randint_like": lambda x, **k: torch.randint_like(x, 3, **k),
    "new_zeros": lambda x, **k: x.new_zeros(2, **k),
    "new_ones": lambda x, **k: x.new_ones(2, **k),
    "new_full": lambda x, **k: x.new_full((2,), 1.0, **k),
    "new_empty": lambda x, **k: x.new_empty(2, **k),
    "new_empty_strided": lambda x, **k: x.new_empty_strided((2,), (1,), **k),
    "new_tensor": lambda x, **k: x.new_tensor([1], **k),
    "to": lambda x, **k: x.to(**k),
}


@pytest.mark.parametrize("current", [0, 1])
def test_the_device_asked_for_is_where_a_tensor_is_made(current):
    """Whatever tensors come along, and whatever is current."""
    wrong = []
    givers = {"none": None, "npu:0": torch.ones(3, device="npu:0"), "cpu": torch.ones(3)}
    with torch.npu.device(current):
        for (name, make), (asked, place) in itertools.product(FACTORIES.items(), ASKED.items()):
            made = make(device=asked)
            if str(made.device) != place.format(current):
                wrong.append((name, asked, str(made.device)))
        for (name, make), (asked, place), giver in itertools.product(
            FROM_A_TENSOR.items(), ASKED.items(), ("npu:0", "cpu")
        ):
            made = make(givers[giver], device=asked)
            if str(made.device) != place.format(current):
                wrong.append((name, giver, asked, str(made.device)))
    assert not wrong


@pytest.mark.parametrize("current", [0, 1])
def test_the_default_device_is_where_a_tensor_is_made(current):
    """As a block and for the whole program; tensors that come along go before it."""
    wrong = []
    giver = torch.ones(3, device="npu:0")
    try:
        with torch.npu.device(current):
            for default in ("npu:0", "npu:1", "npu", "cpu"):
                place = ASKED[default].format(current)
                for name, make in FACTORIES.items():
                    with torch.device(default):
                        inside = make()
                    torch.set_default_device(default)
                    outside = make()
                    torch.set_default_device(None)
                    found = {str(inside.device), str(outside.device)}
                    if found != {place}:
                        wrong.append((name, default, found))
                with torch.device(default):
                    for name, make in FROM_A_TENSOR.items():
                        if name != "to" and make(giver).device != giver.device:
                            wrong.append((name, default))
    finally:
        torch.set_default_device(None)
    assert not wrong


def test_factories_pin_memory():
    """``pin_memory=True`` of each of them, as CUDA's own test has it; nobody else pins."""
    host = {n: f for n, f in FACTORIES.items() if n not in ("asarray", "as_tensor", "Linear")}
    host.pop("BatchNorm1d")
    like = {n: f for n, f in FROM_A_TENSOR.items() if n not in ("to", "new_tensor")}
    for pinned in (False, True):
        x = torch.empty(5, dtype=torch.float64, pin_memory=pinned)
        for make in host.values():
            assert make(pin_memory=pinned).is_pinned() == pinned
        for make in like.values():
            assert make(x, pin_memory=pinned).is_pinned() == pinned
            assert not make(x).is_pinned()
    made = torch.full((2, 3), 2.0, pin_memory=True, requires_grad=True)
    assert made.is_leaf
    assert made.requires_grad
    assert made.tolist() == [[2.0] * 3] * 2
    assert torch.zeros(3, device="meta", pin_memory=True).device.type == "meta"


@pytest.mark.skipif(backend.HARDWARE, reason="torch says it itself, on a device of its own")
def test_memory_of_a_device_is_not_pinned():
    """torch's text."""
    with pytest.raises(RuntimeError, match="Only dense CPU tensors can be pinned"):
        torch.zeros(3, device="npu", pin_memory=True)


def test_new_takes_another_device_of_its_kind():
    """``x.new(..., device=1)``, as CUDA's own test has it."""
    x = torch.ones(3, 3, device="npu:0")
    for call in (lambda **k: x.new([0, 1, 2], **k), lambda **k: x.new(2, 3, **k)):
        assert call().get_device() == 0
        assert call(device=1).get_device() == 1
        with torch.npu.device(1):
            assert call().get_device() == 0
    with pytest.raises(RuntimeError, match="legacy constructor expects device type: npu but"):
        x.new([1.0], device="cpu")


def test_names_of_types_say_where():
    """``type`` of a name or a class moves a tensor, of a dtype it does not."""
    host = torch.arange(3.0)
    there = host.type("torch.npu.DoubleTensor")
    assert (there.type(), there.device.type) == ("torch.npu.DoubleTensor", "npu")
    assert there.type("torch.npu.DoubleTensor") is there
    assert there.type(torch.int32).type() == "torch.npu.IntTensor"
    for name in ("torch.FloatTensor", torch.FloatTensor):
        assert there.type(name).type() == "torch.FloatTensor"
        assert there.type(name).tolist() == host.tolist()
    with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor; no data!"):
        torch.zeros(2, device="meta").type("torch.FloatTensor")
    with pytest.raises(ValueError, match="invalid type: 'torch.npu.FooTensor'"):
        host.type("torch.npu.FooTensor")


def test_types_of_old_make_tensors_of_the_device():
    """``torch.npu.FloatTensor`` and its kin, as CUDA's own tests use them."""
    kind = torch.npu.FloatTensor
    assert repr(kind) == "<class 'torch.npu.FloatTensor'>"
    made = kind([1, 2])
    assert (made.tolist(), str(made.device), made.dtype) == ([1.0, 2.0], "npu:0", torch.float32)
    assert isinstance(made, kind)
    assert not isinstance(made.cpu(), kind)
    assert str(torch.npu.IntTensor(3, device=1).device) == "npu:1"
    with torch.npu.device(1):
        assert kind(torch.Size([2, 3])).get_device() == 1
        assert kind(1, device=0).get_device() == 0
    assert torch.ones(2).type(kind).type() == "torch.npu.FloatTensor"
    assert made.type(torch.npu.LongTensor).type() == "torch.npu.LongTensor"
    assert made.type(torch.LongTensor).type() == "torch.LongTensor"
    assert pickle.loads(pickle.dumps(kind)) is kind
    with pytest.raises(AttributeError, match="module 'torch.npu' has no attribute 'FooTensor'"):
        torch.npu.FooTensor


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
def test_storages_of_old_are_of_the_device():
    kind, host = torch.npu.FloatStorage, torch.arange(4.0).storage()
    there = host.npu()
    assert (repr(kind), there.type()) == (
        "<class 'torch.npu.FloatStorage'>",
        "torch.npu.FloatStorage",
    )
    assert isinstance(there, kind) and not isinstance(there, torch.npu.DoubleStorage)
    assert not isinstance(there, (torch.FloatStorage, torch.npu.IntStorage))
    assert not isinstance(host, kind)
    assert isinstance(torch.ones(2, dtype=torch.int32).npu().storage(), torch.npu.IntStorage)
    assert (len(kind(3)), str(kind(3).device)) == (3, "npu:0")
    named = there.untyped().type("torch.npu.ByteStorage")
    assert isinstance(named, torch.npu.ByteStorage) and len(named) == 16
    with pytest.raises(RuntimeError, match="Device of 'wrap_storage' must be npu, but got cpu$"):
        kind(wrap_storage=host.untyped())
    with pytest.raises(RuntimeError, match="^from_buffer: Not available for NPU storage$"):
        kind.from_buffer(b"1234")


def test_storages_go_to_an_npu():
    """``npu()`` of both kinds of storages: itself where it is there already."""
    host = torch.arange(4.0)
    for storage in (host.untyped_storage(), host.storage()):
        there = storage.npu(1)
        assert (str(there.device), there.is_npu, storage.is_npu) == ("npu:1", True, False)
        assert there.cpu().tolist() == storage.tolist()
    untyped = host.npu().untyped_storage()
    assert untyped.npu() is untyped


def test_modules_of_devices_are_the_same_by_every_name():
    """``from torch.npu.streams import Stream`` is not another class."""
    from mindtorch.npu import streams
    from mindtorch.npu._utils import _get_device_index
    from mindtorch.npu.memory import memory_allocated
    from mindtorch.npu.streams import Stream

    assert Stream is torch.npu.Stream
    assert streams is torch.npu.streams
    assert streams.__spec__.name == "mindtorch_npu.streams"
    assert memory_allocated is torch.npu.memory_allocated
    assert _get_device_index("npu:1") == 1
    held = torch.ones(1, device="npu")
    assert __import__("mindtorch.accelerator.memory").accelerator.memory._snapshot()["segments"]
    del held
    with pytest.raises(RuntimeError, match="Invalid device string"):
        _get_device_index("npu0", optional=True)
    with pytest.raises(ModuleNotFoundError, match="no_such"):
        __import__("mindtorch.npu.no_such")
    assert torch.get_device_module() is torch.get_device_module("npu:1") is torch.npu
    for bad, text in (("meta", "Device 'meta' does not have"), (2.5, "Invalid value of device")):
        with pytest.raises(RuntimeError, match=text):
            torch.get_device_module(bad)


@pytest.mark.skipif(backend.HARDWARE, reason="hardware runs no function of Python on a stream")
def test_a_recorded_stream_can_be_taken_back():
    """torch_npu's ``_erase_stream``: the memory is free for the next request at once."""
    side = torch.npu.Stream()
    gate = threading.Event()
    with torch.npu.stream(side):
        backend.launch(0, "gate", gate.wait)
    for erase in (False, True):
        x = torch.ones(1000, device="npu")
        address = x.data_ptr()
        x.record_stream(side)
        if erase:
            torch.npu.utils._erase_stream(x, side)
        del x
        assert (torch.empty(1000, device="npu").data_ptr() == address) == erase
    with pytest.raises(TypeError):
        torch.npu.utils._erase_stream(torch.ones(1, device="npu"), None)
    with pytest.raises(RuntimeError):
        torch.npu.utils._erase_stream(torch.ones(1), side)
    gate.set()
    side.synchronize()
