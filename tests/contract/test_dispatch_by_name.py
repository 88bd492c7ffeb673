"""``dispatch`` of an op without its overload: the arguments are those of torch's function."""

from __future__ import annotations

import mindtorch
import numpy as np
import pytest
import torch as oracle
from mindtorch._dispatch.dispatcher import dispatch, redispatch
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import DispatchKeySet

from .helpers import assert_torch_error

pytestmark = pytest.mark.oracle


def square(torch):
    return torch.tensor([[1.0, 2.0], [3.0, 4.0]])


#: What does not fit: op, the function or method of torch's, arguments.
MISFITS = {
    "relu: nothing": ("relu", lambda t: ((), {})),
    "relu: unknown": ("relu", lambda t: ((t,), {"badkw": 1})),
    "relu: too many": ("relu", lambda t: ((t, t), {})),
    "relu: twice": ("relu", lambda t: ((t,), {"input": t})),
    "add: device": ("add", lambda t: ((t, t), {"device": "cpu"})),
    "sum: keepdim": ("sum", lambda t: ((t,), {"keepdim": "x"})),
    "sum: float": ("sum", lambda t: ((t,), {"dim": 1.2})),
    "sum: name": ("sum", lambda t: ((t,), {"dim": "x"})),
    "sum: range": ("sum", lambda t: ((t,), {"dim": 2})),
    "sum: range in a list": ("sum", lambda t: ((t,), {"dim": [0, 2]})),
    "sum: the same dim": ("sum", lambda t: ((t,), {"dim": [0, False]})),
    "view: None": ("view", lambda t: ((t, None), {})),
    "view: name": ("view", lambda t: ((t, "x"), {})),
    "view: mixed": ("view", lambda t: ((t, (4, "x")), {})),
    "transpose: name": ("transpose", lambda t: ((t, 0, "1"), {})),
    "transpose: bool": ("transpose", lambda t: ((t, True, 0), {})),
    "squeeze: bool": ("squeeze", lambda t: ((t, True), {})),
    "unsqueeze: bool": ("unsqueeze", lambda t: ((t, True), {})),
    "permute: bool": ("permute", lambda t: ((t, [True, 0]), {})),
    "permute: twice": ("permute", lambda t: ((t, [0, 0]), {})),
    "cat: number": ("cat", lambda t: ((t, 3), {})),
}


@pytest.mark.parametrize("name", MISFITS)
def test_what_does_not_fit_is_refused_in_torchs_words(name):
    """Type and text of the function, or of the method where there is no function."""
    op, arguments = MISFITS[name]

    def ours():
        args, kwargs = arguments(square(mindtorch))
        dispatch(op, "cpu", *args, **kwargs)

    def theirs():
        args, kwargs = arguments(square(oracle))
        function = getattr(oracle, op, None) or getattr(oracle.Tensor, op)
        function(*args, **kwargs)

    assert_torch_error(ours, theirs)


def test_method_needs_its_tensor():
    """As Python says it of a method of torch's."""
    assert_torch_error(lambda: dispatch("view", "cpu"), lambda: oracle.Tensor.view())


#: Arguments of an overload that is not the first one, or that torch converts.
FITS = {
    "dim": lambda torch, call: call("sum", square(torch), dim=1),
    "dims and dtype": lambda torch, call: call("sum", square(torch), [0, 1], dtype=torch.float64),
    "no dims": lambda torch, call: call("sum", square(torch), dim=[]),
    "number": lambda torch, call: call("add", square(torch), 2, alpha=3),
    "numpy": lambda torch, call: call("mul", square(torch), np.float32(2)),
    "named results": lambda torch, call: tuple(call("max", square(torch), 1)),
    "two tensors": lambda torch, call: call("max", square(torch), square(torch).t()),
    "size": lambda torch, call: call("reshape", square(torch), (4,)),
    "method": lambda torch, call: call("view", square(torch), (4,)),
    "dtype of a view": lambda torch, call: call("view", square(torch), torch.int32),
    "in place": lambda torch, call: call("mul_", square(torch), 2),
    "list": lambda torch, call: call("cat", [square(torch), square(torch)], dim=1),
    "by name": lambda torch, call: call("transpose", square(torch), dim0=0, dim1=1),
    "sizes": lambda torch, call: call("zeros", (2, 3), dtype=torch.int64),
}


@pytest.mark.parametrize("name", FITS)
def test_what_fits_is_computed(name):
    """The overload that torch's function would call."""

    def theirs(op, *args, **kwargs):
        function = getattr(oracle, op, None)
        return (function or getattr(oracle.Tensor, op))(*args, **kwargs)

    got = FITS[name](mindtorch, lambda op, *args, **kwargs: dispatch(op, "cpu", *args, **kwargs))
    want = FITS[name](oracle, theirs)
    for ours, torchs in zip(
        *(r if isinstance(r, tuple) else (r,) for r in (got, want)), strict=True
    ):
        assert ours.tolist() == torchs.tolist() and str(ours.dtype) == str(torchs.dtype)


def test_schemas_word_for_the_tensor_is_taken():
    """``self`` in the schema is ``input`` of the function, and what a method is called on."""
    t = square(mindtorch)
    assert dispatch("relu", None, self=t).tolist() == t.tolist()
    assert dispatch("view", None, self=t, size=(4,)).shape == (4,)
    assert_torch_error(
        lambda: dispatch("relu", None, t, self=t),
        lambda: oracle.relu(square(oracle), input=square(oracle)),
    )


def test_default_device_serves_calls_without_tensors():
    """A device that is named goes first."""
    with mindtorch.device("meta"):
        assert dispatch("empty", None, (2, 2)).device.type == "meta"
        assert dispatch("empty", None, (2, 2), device="cpu").device.type == "cpu"
        assert dispatch("empty", "cpu", (2, 2), device="cpu").device.type == "cpu"
        assert dispatch("relu", None, mindtorch.ones(2, device="cpu")).device.type == "cpu"
    assert dispatch("empty", None, (2, 2)).device.type == "cpu"
    assert dispatch("empty", "meta", (2, 2), dtype=mindtorch.float32).device.type == "meta"


@pytest.mark.parametrize(
    ("args", "kwargs", "text"),
    [
        ((2,), {}, "aten::relu() expected at most 1 argument"),
        ((), {"badkw": 1}, "aten::relu() expected at most 1 argument"),
        ((), {"self": 1}, "aten::relu() expected at most 1 argument"),
        (None, {}, "aten::relu() is missing value for argument 'self'"),
        (None, {"badkw": 1}, "aten::relu() is missing value for argument 'self'"),
    ],
)
def test_redispatch_loses_no_argument(args, kwargs, text):
    """From a kernel, arguments are bound by the schema: one too many is an error, as in torch."""
    given = () if args is None else (square(mindtorch), *args)
    with pytest.raises(RuntimeError) as got:
        redispatch("aten::relu", DispatchKeySet(K.CPU), *given, **kwargs)
    assert str(got.value).startswith(text)
    theirs = () if args is None else (square(oracle), *args)
    with pytest.raises(RuntimeError) as want:
        oracle.ops.aten.relu.default(*theirs, **kwargs)
    assert str(got.value) == str(want.value)
