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
