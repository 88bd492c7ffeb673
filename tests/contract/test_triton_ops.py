"""torch.library.triton_op without Triton: an op like any other until it launches a kernel."""

import inspect

import mindtorch
import torch as oracle

from tests.contract.both_frameworks import agree, refuse


def _defined(t, name):
    def sine(x):
        return x + x

    sine.__annotations__ = {"x": t.Tensor, "return": t.Tensor}
    return t.library.triton_op(f"names_of_triton::{name}", sine, mutates_args={})


def test_it_has_torchs_parameters():
    for name in ("triton_op", "wrap_triton"):
        ours, theirs = (getattr(t.library, name) for t in (mindtorch, oracle))
        assert list(inspect.signature(ours).parameters) == list(
            inspect.signature(theirs).parameters
        )


def test_an_op_runs_that_launches_no_kernel():
    def program(t):
        op = _defined(t, "sine")
        x = t.arange(3.0)
        return repr(op), op(x), t.ops.names_of_triton.sine(x), str(op._opoverload._schema)

    agree(program)


def test_a_kernel_needs_triton():
    refuse(lambda t: t.library.wrap_triton(lambda: None))


def test_what_it_changes_is_checked():
    refuse(lambda t: t.library.triton_op("names_of_triton::bare", lambda x: x, mutates_args={}))
