"""Odd arguments of the NPU's functions: the error types and texts of torch.cuda, NPU for CUDA.

The texts are those of torch 2.13's Python files and C++ sources (named in ``errors.py``); what
pybind11 says of arguments is asked of the installed torch where it has the same binding.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mindtorch as torch
import numpy as np
import pytest

from .batches import every

npu = torch.npu

RANGE = (RuntimeError, "Device index value {} is out of index range [0, 2)")
KIND = (
    RuntimeError,
    "Expected stream_.device_type() == DeviceType::NPU to be true, but got false.  (Could this "
    "error message be improved?  If so, please report an enhancement request to PyTorch.)",
)
NO_INT = (TypeError, "'str' object cannot be interpreted as an integer")
ORDINAL = (npu.AcceleratorError, "NPU error: invalid device ordinal")
DIFFER = "Expected all tensors to be on the same device, but found at least two devices, {} and {}!"
INDICES = "indices should be either on cpu or on the same device as the indexed tensor ({})"


def invalid(name: str) -> tuple[type, str]:
    return RuntimeError, f"invalid argument to {name}"


def at(pattern: tuple[type, str], index: int) -> tuple[type, str]:
    return pattern[0], pattern[1].format(index)


def history(*given: object) -> tuple[type, str]:
    number = "typing.SupportsInt | typing.SupportsIndex"
    return TypeError, (
        "_npu_record_memory_history(): incompatible function arguments. The following argument "
        f"types are supported:\n    1. (arg0: str | None, arg1: str | None, arg2: str, "
        f"arg3: {number}, arg4: bool, arg5: bool, arg6: bool, "
        "arg7: collections.abc.Sequence[str]) -> None\n\nInvoked with: "
        f"{', '.join(map(repr, given))}"
    )


#: An expression and what it raises.
REFUSED: dict[str, tuple[type, str]] = {
    "npu.set_device(True)": invalid("setDevice"),
    "npu.device(True).__enter__()": invalid("exchangeDevice"),
    "npu._exchange_device('a')": invalid("exchangeDevice"),
    "npu._exchange_device(1.5)": invalid("exchangeDevice"),
    "npu._maybe_exchange_device(None)": invalid("maybeExchangeDevice"),
    "npu._DeviceGuard('a').__enter__()": invalid("exchangeDevice"),
    "torch._C._npu_setDevice(1.0)": invalid("setDevice"),
    "torch._C._npu_getCurrentRawStream('a')": invalid("getCurrentStream"),
    "torch._C._npu_getCurrentRawStream(-2)": at(RANGE, -2),
    "npu.current_stream(2)": at(RANGE, 2),
    "npu.current_stream(-2)": at(RANGE, -2),
    "npu.current_stream(True)": invalid("getCurrentStream"),
    "npu.default_stream('npu:7')": at(RANGE, 7),
    "npu.get_stream_from_external(64, 9)": at(RANGE, 9),
    "npu.get_stream_from_external('a')": NO_INT,
    "torch.accelerator.current_stream(2)": at(RANGE, 2),
    "torch.Stream('npu:9')": at(RANGE, 9),
    "npu.Stream(device=5)": ORDINAL,
    "npu.Stream(stream_id='a', device_index=0, device_type=20)": NO_INT,
    "npu.Stream(stream_id=3, device_index=0, device_type=1)": KIND,
    "npu.set_stream(torch.Stream('cpu'))": KIND,
    "torch.accelerator.set_stream(torch.Stream('cpu'))": (
        RuntimeError,
        "stream's device type CPU doesn't match the current accelerator NPU",
    ),
    "npu.device_of(5)": (AttributeError, "'int' object has no attribute 'is_npu'"),
    "npu._sleep(True)": (RuntimeError, "torch.npu._sleep(): expected 'int'"),
    "npu.set_sync_debug_mode(1.0)": invalid("set_sync_debug_mode, debug_mode type must be int"),
    "npu.memory_snapshot(5)": (RuntimeError, "mempool_id must be a tuple of size 2"),
    "npu.memory_snapshot((0, 'a'))": (RuntimeError, "mempool_id elements must be integers"),
    "npu.memory_stats(True)": invalid("memory_allocated"),
    "npu.memory._record_memory_history(1)": history(
        1, "all", "all", 9223372036854775807, False, False, False, []
    ),
    "npu.memory._record_memory_history(max_entries=-1)": history(
        "all", "all", "all", -1, False, False, False, []
    ),
    "npu.memory._record_memory_history('all', None, 'all', 2, skip_actions='oom')": history(
        "all", None, "all", 2, False, False, False, "oom"
    ),
    "npu.memory._set_memory_metadata(5)": (
        TypeError,
        "_npu_setMemoryMetadata(): incompatible function arguments. The following argument types "
        "are supported:\n    1. (arg0: str) -> None\n\nInvoked with: 5",
    ),
    "host.npu(-1)": (RuntimeError, "Device index must not be negative"),
    "host.npu(1.5)": (
        TypeError,
        "npu(): argument 'device' (position 1) must be torch.device, not float",
    ),
    "host.npu(True)": (
        TypeError,
        "npu(): argument 'device' (position 1) must be torch.device, not bool",
    ),
    "host.npu('cpu')": (RuntimeError, "Invalid device, must be npu device"),
    "host[near]": (RuntimeError, INDICES.format("cpu")),
    "near[far]": (RuntimeError, INDICES.format("npu:0")),
    "near.view(2, 1)[at_host, far]": (RuntimeError, INDICES.format("npu:0")),
    "near.__setitem__(at_host, host)": (RuntimeError, DIFFER.format("npu:0", "cpu")),
    "host.__setitem__(at_host, near)": (RuntimeError, DIFFER.format("npu:0", "cpu")),
    "torch.index_put(near, (at_host,), host, accumulate=True)": (
        RuntimeError,
        "expected device npu:0 but got device cpu for value tensor",
    ),
    "near + far": (RuntimeError, DIFFER.format("npu:0", "npu:1")),
    "far + near": (RuntimeError, DIFFER.format("npu:1", "npu:0")),
    "torch.mm(near.view(1, 2), far.view(2, 1))": (
        RuntimeError,
        "Expected all tensors to be on the same device, but got mat2 is on npu:1, different from "
        "other tensors on npu:0 (when checking argument in method wrapper_NPU_mm)",
    ),
}

#: An expression and the text of its value.
TAKEN = {
    "[b := torch.ones(2, dtype=torch.uint8, device='npu').view(torch.bits8), "
    "torch.cat([b.clone(), torch.empty(1, dtype=torch.bits8, device='npu')])][1].shape": (
        "torch.Size([3])"
    ),
    "torch.combinations(torch.tensor([1, 2, 3], device='npu')).tolist()": (
        "[[1, 2], [1, 3], [2, 3]]"
    ),
    "npu._exchange_device(np.int64(0))": "0",
    "torch._C._npu_getCurrentRawStream(-1)": "0",
    "npu.current_stream(-1)": "<torch.npu.Stream device=npu:0 npu_stream=0x0>",
    "torch.accelerator.current_stream(-1)": (
        "torch.Stream device_type=npu, device_index=0, stream_id=0"
    ),
    "npu.current_stream() == torch.accelerator.current_stream()": "False",
    "torch.accelerator.current_stream() == npu.current_stream()": "False",
    "torch.accelerator.current_stream() == torch.accelerator.current_stream()": "True",
    "[c := host.clone(), c.__setitem__(near, 7)][0].tolist()": "[7, 7]",
    "[c := near.clone(), c.__setitem__(far, 7)][0].tolist()": "[7, 7]",
    "[c := near.clone(), c.__setitem__(host > 0, 7)][0].tolist()": "[0, 7]",
    "[c := near.clone(), c.__setitem__(far > 0, 7)][0].tolist()": "[0, 7]",
    "[c := host.clone(), c.__setitem__(near > 0, 7)][0].tolist()": "[0, 7]",
    "near[host > 0].tolist()": "[1]",
    "near[at_host].device": "device(type='npu', index=0)",
    "torch.index_put(near, (at_host,), torch.tensor(7)).tolist()": "[0, 7]",
    "torch.index_put(near, (at_host,), torch.tensor(7, device='npu:1')).tolist()": "[0, 7]",
}


@pytest.fixture
def names() -> Iterator[dict[str, Any]]:
    """What the expressions speak of; the current device and the history are as before after it."""
    npu.set_device(0)
    at_host = torch.tensor([1])
    near = torch.tensor([0, 1], device="npu:0")
    far = torch.tensor([0, 1], device="npu:1")
    host = torch.tensor([0, 1])
    yield dict(torch=torch, npu=npu, np=np, at_host=at_host, near=near, far=far, host=host)
    npu.set_device(0)


@every("text", REFUSED)
def test_refused(text: str, names: dict[str, Any]) -> None:
    """The type and the text, and nothing is left changed."""
    kind, words = REFUSED[text]
    try:
        found = eval(text, dict(names))
    except Exception as error:
        assert (type(error), str(error)) == (kind, words)
    else:
        raise AssertionError(f"gave {found!r}")
    assert npu.current_device() == 0
    assert not torch._C._npu_isHistoryEnabled()


@every("text", TAKEN)
def test_taken(text: str, names: dict[str, Any]) -> None:
    """What looks odd and is allowed."""
    assert repr(eval(text, dict(names))) == TAKEN[text]


def test_default_device_has_a_number() -> None:
    """As torch asks a tensor made there; the default tensor type is a default too."""
    assert torch.get_default_device() == torch.device("cpu")
    try:
        torch.set_default_device("npu")
        assert torch.get_default_device() == torch.device("npu", 0)
        with npu.device(1):
            assert torch.get_default_device() == torch.device("npu", 1)
        assert torch._C._get_default_device() == "cpu"
        torch.set_default_device(None)
        torch.set_default_tensor_type("torch.npu.DoubleTensor")
        made = torch.ones(2)
        assert (made.device, made.dtype) == (torch.device("npu", 0), torch.float64)
        assert torch._C._get_default_device() == "npu"
    finally:
        torch.set_default_tensor_type(torch.FloatTensor)
        torch.set_default_device(None)
    assert (torch.ones(2).device, torch.ones(2).dtype) == (torch.device("cpu"), torch.float32)


def test_pinned_copies_have_gradients() -> None:
    """``_pin_memory`` is an operator; what lies in pinned memory already is handed back."""
    x = torch.ones(2, 2, dtype=torch.float64, requires_grad=True)
    made = x.pin_memory()
    assert made.is_pinned()
    assert made.pin_memory() is made
    assert made.grad_fn.name() == "PinMemoryBackward0"
    assert torch.autograd.gradcheck(torch.Tensor.pin_memory, [x])
    assert torch.autograd.gradgradcheck(torch.Tensor.pin_memory, [x])
    made.npu().sum().backward()
    assert x.grad.tolist() == [[1, 1], [1, 1]]


def test_asserts_wait_for_their_turn() -> None:
    """What is no single number is refused at once, a zero at the next synchronisation."""
    npu._sleep(20_000_000)
    torch._assert_async(torch.tensor(1, device="npu"))
    torch._assert_async(torch.tensor(0, device="npu"), "told later")
    with pytest.raises(RuntimeError, match="^told later\n"):
        npu.synchronize()
    npu.synchronize()
    with pytest.raises(RuntimeError, match="^Boolean value of Tensor with no values is ambiguous$"):
        torch._assert_async(torch.tensor([], device="npu"))
    with torch.pipeline():
        zero = torch.ones(1) - 1
        with pytest.raises(RuntimeError, match="^Expected Tensor with single nonzero value"):
            torch._assert_async(zero)


def test_numbers_of_the_device_put_by_mask_synchronise(recwarn: pytest.WarningsRecorder) -> None:
    """As on CUDA, where a number of the host is filled in without counting the mask."""
    x = torch.ones(4, device="npu")
    mask, value = x > 0, torch.tensor(2.0, device="npu")
    npu.synchronize()
    told = []
    npu.set_sync_debug_mode("warn")
    try:
        for given in (3.0, torch.tensor(3.0), value):
            recwarn.clear()
            x[mask] = given
            told.append(len(recwarn))
    finally:
        npu.set_sync_debug_mode("default")
    assert told == [0, 0, 1]
    assert x.tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize(
    "call",
    [
        lambda t, x, i: x[i],
        lambda t, x, i: x[:, i][i],
        lambda t, x, i: x[i, i],
        lambda t, x, i: x[i[:0]],
        lambda t, x, i: x[:, i],
        lambda t, x, i: x.index_put_((i,), t.zeros(2, 3, device=x.device)),
        lambda t, x, i: x.index_put((i,), t.zeros(2, 3, device=x.device)),
        lambda t, x, i: x.__setitem__(i, 1.0),
        lambda t, x, i: x.__setitem__(x[:, 0] > 0, 1.0),
        lambda t, x, i: t.zeros(0, 0, device=x.device)[i],
        lambda t, x, i: t.zeros(2, 0, device=x.device)[i],
        lambda t, x, i: t.zeros(2, 0, device=x.device)[:, i],
    ],
)
def test_an_index_into_nothing_is_refused_at_the_call(call: Any) -> None:
    """From shapes alone torch tells it on every device, before a kernel runs."""
    oracle = pytest.importorskip("torch")
    found = []
    for t, device in ((oracle, "cpu"), (torch, "npu"), (torch, "npu")):
        x, i = t.zeros(0, 3, device=device), t.zeros(2, dtype=t.int64, device=device)
        try:
            result = call(t, x, i)
        except Exception as error:
            found.append((type(error).__name__, str(error)))
        else:
            found.append(None if result is None else tuple(result.shape))
    npu.synchronize()
    assert found[0] == found[1] == found[2]
