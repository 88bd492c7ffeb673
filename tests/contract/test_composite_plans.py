"""Plans of ops that others make up: what a known call of one does is what its Python does."""

from __future__ import annotations

import sys
import warnings

import mindtorch
import pytest
import torch
from mindtorch.utils._python_dispatch import TorchDispatchMode

#: So many calls make a layout known.
CALLS = 6


def repeated(call):
    """The result of *call* once it is known."""
    for _ in range(CALLS):
        result = call()
    return result


def frames_of_composite(call, name: str) -> int:
    """How often *call* enters the Python function of this name."""
    found = 0

    def profiler(frame, event, argument):
        nonlocal found
        found += event == "call" and frame.f_code.co_name == name

    sys.setprofile(profiler)
    try:
        call()
    finally:
        sys.setprofile(None)
    return found


def test_a_known_call_does_not_enter_the_python_of_its_composite():
    x, y = mindtorch.ones(2, 2), mindtorch.ones(2, 2)

    def call():
        return mindtorch.inner(x, y)

    assert frames_of_composite(call, "_inner") == 1
    repeated(call)
    assert frames_of_composite(call, "_inner") == 0


@pytest.mark.parametrize("requires_grad", [False, True])
def test_an_op_inside_gets_a_kernel_of_the_users(requires_grad):
    """The plan that had the former kernel built in is dropped."""
    x = mindtorch.tensor([[1.0, 2.0]], requires_grad=requires_grad)

    def call():
        return mindtorch.clip(x, 1.5, 1.75)

    before = repeated(call)
    with mindtorch.library._scoped_library("aten", "IMPL") as library, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        library.impl("clamp", lambda t, low=None, high=None: t * 10, "CPU")
        assert repeated(call).tolist() == [[10.0, 20.0]]
    assert repeated(call).tolist() == before.tolist()


def test_a_kernel_of_the_users_inside_is_called_once_for_each_call():
    x, calls = mindtorch.ones(2), []

    def kernel(t, low=None, high=None):
        calls.append(1)
        return t + 1

    with mindtorch.library._scoped_library("aten", "IMPL") as library, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        library.impl("clamp", kernel, "CPU")
        repeated(lambda: mindtorch.clip(x, 0.0, 1.0))
    assert len(calls) == CALLS


def test_a_mode_sees_the_ops_inside():
    seen = []

    class Mode(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append(str(func))
            return func(*args, **(kwargs or {}))

    x = mindtorch.ones(2, 2)
    repeated(lambda: mindtorch.clip(x, 0.0, 1.0))
    with Mode():
        mindtorch.clip(x, 0.0, 1.0)
    assert seen == ["aten.clamp.default"]


def test_other_numbers_and_other_tensors_are_heeded():
    x, y = mindtorch.tensor([1.0, 2.0]), mindtorch.tensor([3.0, 4.0])
    repeated(lambda: mindtorch.clip(x, 0.0, 1.5))
    assert mindtorch.clip(y, 0.0, 3.5).tolist() == [3.0, 3.5]
    repeated(lambda: mindtorch.inner(x, x))
    assert mindtorch.inner(x, y).item() == 11.0


@pytest.mark.parametrize("t", [mindtorch, torch], ids=["mindtorch", "torch"])
def test_views_share_memory_and_version(t):
    x = t.zeros(2, 3)
    moved = repeated(lambda: t.movedim(x, 0, 1))
    assert moved._is_view() and moved._base is x
    version = x._version
    moved[0, 1] = 5.0
    assert x[1, 0] == 5.0 and x._version == moved._version == version + 1


@pytest.mark.parametrize("t", [mindtorch, torch], ids=["mindtorch", "torch"])
def test_what_is_recorded_has_the_gradient_and_its_names(t):
    x = t.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = repeated(lambda: t.hstack((x, x * 2)))
    y.backward(t.arange(8.0).reshape(2, 4))
    assert y.grad_fn.name() == "CatBackward0"
    assert x.grad.tolist() == [[4.0, 7.0], [16.0, 19.0]]


@pytest.mark.parametrize("t", [mindtorch, torch], ids=["mindtorch", "torch"])
def test_statistics_are_counted_once_for_each_call(t):
    x = t.tensor([[1.0, 2.0], [3.0, 6.0]])
    mean, variance = t.zeros(2), t.ones(2)
    repeated(lambda: t.nn.functional.batch_norm(x, mean, variance, training=True, momentum=0.5))
    kept = 1 - 0.5**CALLS
    assert mean.tolist() == pytest.approx([2 * kept, 4 * kept])


@pytest.mark.parametrize("t", [mindtorch, torch], ids=["mindtorch", "torch"])
def test_hooks_of_saved_tensors_see_each_call_once(t):
    x, packed = t.ones(2, requires_grad=True), []

    def pack(value):
        packed.append(value)
        return value

    with t.autograd.graph.saved_tensors_hooks(pack, lambda value: value):
        repeated(lambda: t.clip(x, 0.0, 0.5))
    assert len(packed) == CALLS


@pytest.mark.parametrize("t", [mindtorch, torch], ids=["mindtorch", "torch"])
def test_random_streams_go_on(t):
    def draw():
        t.manual_seed(3)
        return [repeated(lambda: t.nn.functional.dropout(t.ones(4), 0.5)).tolist() for _ in "ab"]

    first = draw()
    assert draw() == first and first[0] != first[1]


@pytest.mark.parametrize("t", [mindtorch, torch], ids=["mindtorch", "torch"])
def test_errors_that_numbers_cause_come_with_each_call(t):
    x, bad = t.eye(2), t.zeros(2, 2)
    repeated(lambda: t.linalg.inv(x))
    with pytest.raises(t.linalg.LinAlgError, match="singular"):
        t.linalg.inv(bad)
