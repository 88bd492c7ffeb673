"""Functional collectives: results that are waited for when they are read, and their gradients."""

from __future__ import annotations

import gc

import pytest

from . import crew_functional as programs
from .both_frameworks import BOTH, ours, torch
from .crew import crew, needs_mpi
from .one_process_groups import groups_of_one


def same(function, *args):
    """Both crews give the same."""
    got = crew(ours.__name__, programs.SIZE).run(function, *args)
    assert got == crew(torch.__name__, programs.SIZE).run(function, *args)


@needs_mpi
@pytest.mark.parametrize("name", programs.FUNCTIONS)
def test_functions_give_what_torchs_give(name):
    same(programs.function, name, False)
    same(programs.function, name, True)


@needs_mpi
@pytest.mark.parametrize("name", programs.OPERATORS)
def test_operators_give_what_torchs_give(name):
    same(programs.operator, name)


@needs_mpi
@pytest.mark.parametrize(
    "program",
    [programs.views, programs.works, programs.refusals, programs.in_place, programs.older],
)
def test_tensors_under_way(program):
    same(program)


@needs_mpi
def test_a_tag_and_ranks_name_one_group():
    same(programs.tagged)


@pytest.fixture
def alone():
    """Both frameworks have a group of this process, and their functions."""
    for t in BOTH:
        programs._functions(t)
    with groups_of_one():
        yield


def test_traces_hold_the_operators(alone):
    def trace(t):
        f = programs._functions(t)
        make_fx = t.fx.experimental.proxy_tensor.make_fx
        return make_fx(lambda x: f.all_gather_single(x, 0, "0") + 1)(t.ones(2)).code

    assert trace(ours) == trace(torch)


def test_shapes_are_known_without_numbers(alone):
    def shapes(t):
        packet, x = t.ops._c10d_functional, t.ones(4, 2, device="meta")
        found = [
            packet.all_reduce(x, "sum", "0"),
            packet.all_gather_into_tensor(x, 4, "0"),
            packet.reduce_scatter_tensor(x, "sum", 2, "0"),
            packet.all_to_all_single(x, [3, 4], [2, 2], "0"),
            *packet.all_gather_into_tensor_coalesced([x], 4, "0"),
        ]
        return [(tuple(y.shape), str(y.device)) for y in found]

    assert shapes(ours) == shapes(torch)


def test_works_of_a_users_group_live_until_they_are_waited_for(alone):
    """A group written in Python is called, and its work is kept for ``wait_tensor``."""

    def counts(t):
        d, f, seen = t.distributed, programs._functions(t), {"waits": 0, "dels": 0}

        class Counted(d.Work):
            def wait(self, timeout=None):
                seen["waits"] += 1
                return True

            def __del__(self):
                seen["dels"] += 1

        class Discarding(d.ProcessGroup):
            def allreduce(self, tensors, opts=None):
                return Counted()

            def broadcast(self, tensors, opts=None):
                return Counted()

            @property
            def group_name(self):
                return "discarding"

        pg, said = Discarding(0, 1), []
        for call in (
            lambda x: f.all_reduce(x, "sum", "discarding"),
            lambda x: f.broadcast(x, 0, "discarding"),
        ):
            t._C._distributed_c10d._register_process_group("discarding", pg)
            x = call(t.ones(2))
            gc.collect()
            said.append(dict(seen))
            x.wait()
            gc.collect()
            said.append(dict(seen))
            t._C._distributed_c10d._unregister_process_group("discarding")
        return said

    assert counts(ours) == counts(torch)
