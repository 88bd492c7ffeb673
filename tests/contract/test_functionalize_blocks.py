"""``torch.functionalize()``: a block in which changes in place run in their functional form."""

from __future__ import annotations

import threading
from contextlib import nullcontext

import mindtorch as torch
import pytest
import torch as oracle
from mindtorch._dispatch.dispatcher import dispatch
from mindtorch._dispatch.functionalize import functionalize_context, is_functionalize_enabled
from mindtorch.utils._python_dispatch import TorchDispatchMode
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import registry, tls

from .helpers import assert_same_value


@pytest.fixture(autouse=True)
def no_state_left():
    """Whatever happens in a test, the thread is as before."""
    yield
    assert tls.state.get() == 0 and not is_functionalize_enabled()


class Seen(TorchDispatchMode):
    """The names of the ops that come by."""

    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(func._schema.name)
        return func(*args, **(kwargs or {}))


def seen(program):
    with Seen() as mode, torch.functionalize():
        program()
    return mode.names


def test_change_runs_in_its_functional_form():
    """And what it makes is copied to what is changed; a view, out= and others are as they are."""
    x = torch.tensor([1.0, 2.0])
    assert seen(lambda: x.add_(1)) == ["aten::add", "aten::copy_"]
    assert seen(lambda: x.view(2, 1).mul_(2)) == ["aten::view", "aten::mul", "aten::copy_"]
    assert seen(lambda: x + 1) == ["aten::add"]
    assert x.tolist() == [4.0, 6.0]


PROGRAMS = {
    "view": lambda torch, x: x.view(2, 2).add_(torch.ones(2, 2)),
    "column": lambda torch, x: x.view(2, 2)[:, 1].mul_(3),
    "broadcast": lambda torch, x: x.view(2, 2).add_(torch.ones(2)),
    "cast": lambda torch, x: x.mul_(torch.tensor(2, dtype=torch.float64)),
    "item": lambda torch, x: x.__setitem__(1, 7.0),
    "relu": lambda torch, x: x.relu_(),
    "into integers": lambda torch, x: torch.ones(4, dtype=torch.int64).add_(x),
    "too large": lambda torch, x: x[:1].add_(torch.ones(4)),
    "sizes": lambda torch, x: x.add_(torch.ones(3)),
    "leaf": lambda torch, x: torch.ones(2, requires_grad=True).add_(1),
    "fill": lambda torch, x: x.fill_(3),
    "zero": lambda torch, x: x[1:3].zero_(),
    "list": lambda torch, x: torch._foreach_add_([x, x], 1),
}


@pytest.mark.oracle
@pytest.mark.parametrize("name", PROGRAMS)
def test_block_gives_what_torch_gives_without_one(name):
    """Values, versions, errors."""

    def run(torch, block):
        x = torch.tensor([1.0, -2.0, 3.0, -4.0])
        try:
            with block():
                PROGRAMS[name](torch, x)
        except RuntimeError as error:
            return x, x._version, str(error)
        return x, x._version, ""

    assert_same_value(lambda: run(torch, torch.functionalize), lambda: run(oracle, nullcontext))


def test_tensor_stays_the_same():
    """The result of a change is what was changed, with its history."""
    w = torch.ones(2, requires_grad=True)
    x = w * 2
    with torch.functionalize():
        assert x.mul_(3) is x
        x.sum().backward()
    assert w.grad.tolist() == [6.0, 6.0] and x.grad_fn.name() == "MulBackward0"


def test_changes_wait_in_a_pipeline():
    """Either block may be the outer one."""
    for outer, inner in (
        (torch.functionalize, torch.pipeline),
        (torch.pipeline, torch.functionalize),
    ):
        x, y = torch.ones(2), torch.full((2,), 3.0)
        with outer(), inner():
            out = x.add_(y)
            assert out is x and out._pending is True
        assert out._pending is False and x.tolist() == [4.0, 4.0] and x._version == 1


def test_block_belongs_to_its_thread():
    """Blocks nest; another thread knows nothing of them."""
    found = []
    assert not is_functionalize_enabled()
    with functionalize_context():
        with torch.functionalize():
            thread = threading.Thread(target=lambda: found.append(is_functionalize_enabled()))
            thread.start()
            thread.join()
        assert is_functionalize_enabled() and found == [False]
    assert not is_functionalize_enabled()


def test_failing_block_leaves_nothing():
    """An error leaves the thread as it was."""
    x = torch.ones(2)
    with pytest.raises(ZeroDivisionError):
        with torch.functionalize():
            raise ZeroDivisionError
    assert not is_functionalize_enabled() and seen(lambda: x + 1) == ["aten::add"]


# Ops of a program's own ---------------------------------------------------------------------------


@pytest.fixture
def define():
    """Registers an op: its schema, and its kernel."""
    before = registry.snapshot()

    def make(schema, kernel):
        name = "blocks_test::" + schema.partition("(")[0]
        registry.register_schema(f"blocks_test::{schema}")
        registry.register_kernel(name, K.CPU, kernel)
        return name

    yield make
    registry.restore(before)


def refused(*args):
    raise AssertionError("the form in place was run")


def test_all_arguments_are_written(define):
    """A result for each, in order; each counts one change."""
    define("swap(Tensor a, Tensor b) -> (Tensor, Tensor)", lambda a, b: (b.clone(), a.clone()))
    name = define("swap_(Tensor(a!) a, Tensor(b!) b) -> (Tensor(a!), Tensor(b!))", refused)
    a, b = torch.tensor([1.0]), torch.tensor([2.0])
    with torch.functionalize():
        first, second = dispatch(name, "cpu", a, b)
    assert first is a and second is b and (a.item(), b.item()) == (2.0, 1.0)
    assert (a._version, b._version) == (1, 1)


def test_results_go_where_their_alias_sets_say(define):
    """Not in order, where the functional form names sets."""
    define(
        "cross(Tensor a, Tensor b) -> (Tensor(b), Tensor(a))",
        lambda a, b: (torch.tensor([10.0]), torch.tensor([20.0])),
    )
    name = define("cross_(Tensor(a!) a, Tensor(b!) b) -> ()", refused)
    a, b = torch.tensor([1.0]), torch.tensor([2.0])
    with torch.functionalize():
        assert dispatch(name, "cpu", a, b) is None
    assert (a.item(), b.item()) == (20.0, 10.0)


def test_one_tensor_that_is_written_twice_counts_one_change(define):
    """The last result stays."""
    define("pair(Tensor x, Tensor y) -> (Tensor, Tensor)", lambda x, y: (x + 1, y + 2))
    name = define("pair_(Tensor(a!) x, Tensor(a!) y) -> ()", refused)
    x = torch.tensor([1.0])
    with torch.functionalize():
        dispatch(name, "cpu", x, x)
    assert x.item() == 3.0 and x._version == 1


def test_without_a_functional_form_the_op_runs(define):
    """None of its name, one with other arguments, or one that writes."""
    names = [define("alone_(Tensor(a!) x) -> ()", lambda x: (x.add_(1), None)[1])]
    define("other(Tensor y) -> Tensor", refused)
    names.append(define("other_(Tensor(a!) x) -> ()", lambda x: (x.add_(1), None)[1]))
    define("more(Tensor x) -> (Tensor, Tensor)", refused)
    names.append(define("more_(Tensor(a!) x) -> ()", lambda x: (x.add_(1), None)[1]))
    names.append(define("pure(Tensor x) -> Tensor", lambda x: x * 2))
    x = torch.tensor([1.0])
    with torch.functionalize():
        for name in names[:3]:
            assert dispatch(name, "cpu", x) is None
        assert dispatch(names[3], "cpu", x).item() == 8.0
    assert x.item() == 4.0


def test_library_ops_run_in_a_block():
    """Called as ``torch.ops`` has them."""
    before = registry.snapshot()
    try:

        @torch.library.custom_op("blocks_test::grow", mutates_args=("x",))
        def grow(x: torch.Tensor) -> None:
            x.add_(1)

        x = torch.ones(2)
        with torch.functionalize():
            grow(x)
        assert x.tolist() == [2.0, 2.0] and x._version == 1
    finally:
        registry.restore(before)
