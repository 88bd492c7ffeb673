"""What a call of a process group is to a dispatch mode: an operator ``c10d::…``, as torch's."""

from __future__ import annotations

import importlib

import pytest

from .both_frameworks import BOTH, torch
from .one_process_groups import groups_of_one

pytestmark = pytest.mark.filterwarnings("ignore")
assert torch

for _t in BOTH:
    importlib.import_module(f"{_t.__name__}.utils._python_dispatch")

CALLS = {
    "all_reduce": lambda t, d: d.all_reduce(t.ones(2)),
    "all_reduce, not waited for": lambda t, d: d.all_reduce(t.ones(2), async_op=True),
    "all_reduce_coalesced": lambda t, d: d.all_reduce_coalesced([t.ones(2), t.ones(3)]),
    "broadcast": lambda t, d: d.broadcast(t.ones(2), 0),
    "reduce": lambda t, d: d.reduce(t.ones(2), 0),
    "all_gather": lambda t, d: d.all_gather([t.ones(2)], t.ones(2)),
    "all_gather_into_tensor": lambda t, d: d.all_gather_into_tensor(t.ones(2), t.ones(2)),
    "gather": lambda t, d: d.gather(t.ones(2), [t.ones(2)]),
    "scatter": lambda t, d: d.scatter(t.ones(2), [t.ones(2)]),
    "reduce_scatter": lambda t, d: d.reduce_scatter(t.ones(2), [t.ones(2)]),
    "reduce_scatter_tensor": lambda t, d: d.reduce_scatter_tensor(t.ones(2), t.ones(2)),
    "all_to_all": lambda t, d: d.all_to_all([t.ones(2)], [t.ones(2)]),
    "all_to_all_single": lambda t, d: d.all_to_all_single(t.ones(2), t.ones(2)),
    "barrier": lambda t, d: d.barrier(),
}


def seen(t, call):
    """The operators of c10d that *call* comes to: with schema, and what each argument is."""
    found = []

    class Mode(t.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            if func.namespace == "c10d":
                kinds = [
                    type(a) if isinstance(a, (int, list, t.Tensor, type(None))) else None
                    for a in args
                ]
                found.append((str(func), str(func._schema), [k and k.__name__ for k in kinds]))
            return func(*args, **kwargs or {})

    with Mode():
        call(t, t.distributed)
    return found


@pytest.mark.parametrize("call", CALLS)
def test_a_mode_sees_the_operator(call):
    with groups_of_one():
        got, want = (seen(t, CALLS[call]) for t in BOTH)
    assert got == want
    assert len(want) == 1


def test_tensors_that_require_grad_are_carried_without_a_gradient():
    """And without one of their own: a leaf stays a leaf, a result keeps how it was made."""

    def run(t):
        p = t.ones(2, requires_grad=True)
        t.distributed.broadcast(p, 0)
        t.distributed.all_reduce(p)
        q = p * 2
        t.distributed.all_reduce(q)
        q.sum().backward()
        return p.is_leaf, p.grad.tolist(), type(q.grad_fn).__name__

    with groups_of_one():
        got, want = (run(t) for t in BOTH)
    assert got == want
