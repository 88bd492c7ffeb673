"""Calls over two devices whose texts are those of the op itself, not of a generated wrapper."""

from __future__ import annotations

import mindtorch
import pytest
import torch


def elsewhere(t, device):
    """Calls whose texts are their own, by name."""
    here, there = t.ones(2, 2, device=device), t.ones(2, 2)
    rnn, conv = t.nn.GRU(2, 2), t.nn.Conv1d(2, 2, 1)
    return {
        "recurrent": lambda: rnn(here),
        "hidden": lambda: rnn(there, t.ones(1, 2, device=device)),
        "convolution": lambda: conv(here),
        "of the host": lambda: conv.to(device)(there),
        "pinned": here.pin_memory,
        "gradient": lambda: setattr(here, "grad", t.ones(3, device=f"{device}:1")),
        "mask": lambda: here.masked_fill(there > 0, 1.0),
    }


_RECURRENT = (
    "Input and {0} tensors are not at the same device, found input tensor at {1} and {0} tensor "
    "at {2}"
)
_TYPES = "Input type ({}) and weight type ({}) should be the same"
#: Sources: torch csrc/autograd/python_variable.cpp; aten/src/ATen/native, RNN.cpp,
#: Convolution.cpp, Memory.cpp, cuda/Indexing.cu.
TEXTS = {
    "recurrent": _RECURRENT.format("parameter", "npu:0", "cpu"),
    "hidden": _RECURRENT.format("hidden", "cpu", "npu:0"),
    "convolution": _TYPES.format("torch.npu.FloatTensor", "torch.FloatTensor"),
    "of the host": _TYPES.format("torch.FloatTensor", "torch.npu.FloatTensor")
    + " or input should be a MKLDNN tensor and weight is a dense tensor",
    "pinned": "cannot pin 'torch.npu.FloatTensor' only dense CPU tensors can be pinned",
    "gradient": "attempting to assign a gradient located on device with index '1' to a tensor "
    "located on device with index '0'. Please ensure that the gradient and the tensor are on the "
    "same device",
    "mask": "expected self and mask to be on the same device, but got mask on cpu and self on "
    "npu:0",
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_of_calls_that_look_for_themselves(name):
    with pytest.raises(RuntimeError) as caught:
        elsewhere(mindtorch, "npu")[name]()
    assert str(caught.value) == TEXTS[name]


#: Calls with a number of the host, as ``gpu_kernel_with_scalars`` of CUDA takes them.
BY_ARGUMENT = {
    "sum": lambda x, s: x + s,
    "first": lambda x, s: s - x,
    "division": lambda x, s: x / s,
    "power": lambda x, s: x.pow(s),
    "maximum": lambda x, s: mindtorch.maximum(x, s),
    "comparison": lambda x, s: x > s,
    "addcmul": lambda x, s: mindtorch.addcmul(x, x, s),
    "in place": lambda x, s: x.mul_(s),
    "filled": lambda x, s: x.masked_fill(x > 1, s),
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize("name", BY_ARGUMENT)
def test_a_number_of_the_host_is_an_argument_of_the_launch(name, dtype):
    """Nobody waits for its copy, no memory of the device holds it, and types promote as ever."""
    call = BY_ARGUMENT[name]
    x, s = mindtorch.arange(4.0), mindtorch.tensor(2, dtype=getattr(mindtorch, dtype))
    on_npu, on_host = x.to("npu"), call(x, s)
    allocated = "allocation.all.allocated"
    npu = mindtorch.npu
    call(on_npu.clone(), mindtorch.tensor(2, dtype=s.dtype, device="npu"))
    before = npu.memory_stats()[allocated]
    call(on_npu.clone(), mindtorch.tensor(2, dtype=s.dtype, device="npu"))
    one_more = npu.memory_stats()[allocated] - before
    npu.set_sync_debug_mode("error")
    try:
        before = npu.memory_stats()[allocated]
        result = call(on_npu.clone(), s)
        assert npu.memory_stats()[allocated] - before == one_more - 1
    finally:
        npu.set_sync_debug_mode("default")
    s.fill_(7)  # the launch has it already
    assert result.dtype == on_host.dtype and result.device.type == "npu"
    assert result.tolist() == on_host.tolist()


#: Indices and values that do not fit each other, told by their shapes alone.
MISFITS = {
    "values": (lambda t: (t.tensor([0, 1]),), 3),
    "no places": (lambda t: (t.zeros(0, dtype=t.int64),), 2),
    "indices": (lambda t: (t.tensor([0, 1]), t.tensor([0, 1, 0])), 1),
}


@pytest.mark.parametrize("name", MISFITS)
def test_a_write_that_does_not_fit_is_refused_at_its_line(name):
    """As CUDA does, and not where the host next waits for the device."""
    places, count = MISFITS[name]
    said = []
    for framework, device in ((torch, "cpu"), (mindtorch, "npu")):
        x = framework.zeros(4, 4, device=device)
        x = x[0] if name != "indices" else x
        indices = tuple(i.to(device) for i in places(framework))
        values = framework.ones(count, device=device)
        with pytest.raises((IndexError, RuntimeError)) as caught:
            x[indices] = values
        said.append((caught.type, str(caught.value)))
    assert said[0] == said[1]


@pytest.mark.parametrize("name", ["recurrent", "hidden"])
def test_recurrent_layers_say_what_the_oracles_say(name):
    found = []
    for framework in (mindtorch, torch):
        with pytest.raises(RuntimeError) as caught:
            elsewhere(framework, "meta")[name]()
        found.append(str(caught.value))
    assert found[0] == found[1]


def changed(t, dtype, device):
    """What is said of a tensor that was changed after it was saved."""
    x = t.ones(2, dtype=dtype, device=device, requires_grad=True)
    y = x.exp()
    y.add_(1)
    with pytest.raises(RuntimeError) as caught:
        y.abs().sum().backward()
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("float32", "torch.npu.FloatTensor"),
        ("float16", "torch.npu.HalfTensor"),
        ("bfloat16", "NPUBFloat16Type"),
        ("complex64", "NPUComplexFloatType"),
    ],
)
def test_changed_tensors_are_named_by_type(name, shown):
    """``torch.npu.FloatTensor`` as ``torch.cuda.FloatTensor``; types that torch came to later
    have another name (torch csrc/Exceptions.cpp, processErrorMsg)."""
    theirs = changed(torch, getattr(torch, name), "cpu")
    there = shown.replace("npu.", "").replace("NPU", "CPU")
    assert there in theirs
    assert changed(mindtorch, getattr(mindtorch, name), "npu") == theirs.replace(there, shown)
