"""Groups of the ``fake`` backend: who this process is, and what collectives leave in tensors."""

from __future__ import annotations

import pytest

from .both_frameworks import BOTH, outcome, refuse, torch
from .fake_ranks import fake_rank

pytestmark = pytest.mark.filterwarnings("ignore")
assert torch


def agree(fn, rank=1, world_size=3):
    with fake_rank(rank, world_size):
        got, want = (outcome(fn, t)[0] for t in BOTH)
    assert got == want
    assert want[0] == "value", want


def x(t):
    return t.arange(3.0) + 5


def three(t, size=3):
    return [t.zeros(size) for _ in range(3)]


def after(call, *tensors):
    call()
    return tensors


CALLS = {
    "broadcast": lambda t, d: (lambda a: after(lambda: d.broadcast(a, 0), a))(x(t)),
    "all_reduce": lambda t, d: (lambda a: after(lambda: d.all_reduce(a), a))(x(t)),
    "average": lambda t, d: (lambda a: after(lambda: d.all_reduce(a, d.ReduceOp.AVG), a))(x(t)),
    "reduce": lambda t, d: (lambda a: after(lambda: d.reduce(a, 0), a))(x(t)),
    "all_gather": lambda t, d: (lambda o: after(lambda: d.all_gather(o, x(t)), o))(three(t)),
    "all_gather_into_tensor": lambda t, d: (
        lambda o: after(lambda: d.all_gather_into_tensor(o, x(t)), o)
    )(t.zeros(9)),
    "gather for another": lambda t, d: d.gather(x(t), None, dst=0),
    "gather": lambda t, d: (lambda o: after(lambda: d.gather(x(t), o, dst=1), o))(three(t)),
    "scatter of another": lambda t, d: (lambda o: after(lambda: d.scatter(o, None, src=0), o))(
        t.zeros(3)
    ),
    "scatter": lambda t, d: (
        lambda o: after(lambda: d.scatter(o, [x(t) + i for i in range(3)], src=1), o)
    )(t.zeros(3)),
    "reduce_scatter": lambda t, d: (
        lambda o: after(lambda: d.reduce_scatter(o, [x(t) + i for i in range(3)]), o)
    )(t.zeros(3)),
    "reduce_scatter_tensor": lambda t, d: (
        lambda o: after(lambda: d.reduce_scatter_tensor(o, x(t)), o)
    )(t.zeros(1)),
    "all_to_all_single": lambda t, d: (lambda o: after(lambda: d.all_to_all_single(o, x(t)), o))(
        t.zeros(3)
    ),
    "all_to_all_single, uneven": lambda t, d: (
        lambda o: after(lambda: d.all_to_all_single(o, x(t), [1, 2, 1], [1, 1, 1]), o)
    )(t.zeros(4)),
    "all_to_all": lambda t, d: (lambda o: after(lambda: d.all_to_all(o, list(x(t).chunk(3))), o))(
        three(t, 1)
    ),
    "send": lambda t, d: d.send(x(t), 0),
    "recv": lambda t, d: (lambda o: after(lambda: d.recv(o, 0), o))(t.zeros(3)),
    "barrier": lambda t, d: d.barrier(),
    "objects": lambda t, d: (lambda o: after(lambda: d.all_gather_object(o, {"a": 1}), o))(
        [None] * 3
    ),
    "names": lambda t, d: [d.get_backend(), d.group.WORLD.name(), d.group.WORLD.group_desc],
    "ranks": lambda t, d: [d.get_rank(), d.get_world_size(), d.get_backend_config()],
    "subgroups": lambda t, d: [d.new_group([0, 1]).rank(), d.new_group([0, 2])],
}


@pytest.mark.parametrize("call", CALLS)
def test_what_collectives_leave(call):
    agree(lambda t: CALLS[call](t, t.distributed))


def test_receiving_from_anybody_has_no_source():
    with fake_rank(1, 3):
        refuse(lambda t: t.distributed.recv(t.zeros(3)))


def test_a_rank_that_is_not_there_is_refused():
    refuse(lambda t: t.distributed.init_process_group("fake", rank=3, world_size=2))
    refuse(lambda t: t._C._distributed_c10d.FakeProcessGroup(0, 2))


def test_a_store_is_not_needed():
    def run(t):
        t.distributed.init_process_group("fake", rank=0, world_size=4)
        size = t.distributed.get_world_size()
        t.distributed.destroy_process_group()
        return size

    got, want = (outcome(run, t)[0] for t in BOTH)
    assert got == want == ("value", 4)
