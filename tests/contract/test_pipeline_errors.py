"""Ops of a program's own in a pipeline: what waits, and what a failed flush says of itself."""

from __future__ import annotations

import threading
from typing import Any

import mindtorch as torch
import pytest
from mindtorch._dispatch.dispatcher import dispatch
from mindtorch._dispatch.pipeline import pipeline_context
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import Pipeline, current_pipeline, registry

FIELDS = {
    *("error_id", "op_seq", "op_name", "schema", "phase", "backend", "callsite", "read_set"),
    *("write_set", "alias_set", "version_plan", "dependency_edges", "runtime_code", "error"),
    "suppressed_errors",
}


@pytest.fixture
def define():
    """Registers an op: schema without a name's namespace, kernel, Meta kernel."""
    handles = []

    def make(schema, kernel, meta=lambda *args: torch.empty(1, device="meta"), key=K.CPU):
        name = "errors_test::" + schema.partition("(")[0]
        handles.append(registry.register_schema(f"errors_test::{schema}"))
        handles.append(registry.register_kernel(name, key, kernel))
        if meta is not None:
            handles.append(registry.register_kernel(name, K.Meta, meta))
        return name

    yield make
    registry.remove(handles)
    assert current_pipeline() is None


def boom(*args):
    raise RuntimeError("boom")


def failed(*calls, debug_enabled=True):
    """The pipeline of *calls*, ``(op, args…)``, of which the last one fails at the flush."""
    with pipeline_context(debug_enabled=debug_enabled) as pipe:
        for name, *args in calls:
            dispatch(name, "cpu", *args)
        assert pipe.pending_count() == len(calls)
        with pytest.raises(RuntimeError, match="boom"):
            pipe.flush()
    return pipe


def test_error_is_told_as_data(define):
    """Which op, where, on what; a dict for a log."""
    name = define("tells() -> Tensor", boom)
    pipe = failed([name])
    told = pipe.last_error().to_dict()
    assert set(told) == FIELDS
    assert told["op_name"] == name and told["phase"] == "submit" and told["backend"] == "cpu"
    assert told["op_seq"] == 0 and "test_pipeline_errors.py:" in told["callsite"]
    assert told["schema"] == f"{name}() -> Tensor" and told["error"] == "RuntimeError: boom"
    assert (told["read_set"], told["write_set"], told["dependency_edges"]) == ([], [], [])
    assert (told["runtime_code"], told["suppressed_errors"]) == (None, [])


def test_error_is_told_as_text(define):
    """One line, or one for each field."""
    pipe = failed([define("tells_text() -> Tensor", boom)])
    assert pipe.format_error().count("\n") == 0 and "RuntimeError: boom" in pipe.format_error()
    full = pipe.format_error("full").splitlines()
    assert {line.partition(":")[0] for line in full} == FIELDS
    with pytest.raises(ValueError, match="style"):
        pipe.format_error("long")


def test_dump_has_the_error_and_what_failed(define):
    """``failed_only`` leaves the rest out; without an error there is None, and no text."""
    fine = define("goes_well(Tensor x) -> Tensor", lambda x: x * 2, torch.empty_like)
    pipe = failed([fine, torch.ones(1)], [define("goes_wrong() -> Tensor", boom)])
    dump = pipe.debug_dump(failed_only=True)
    assert dump["last_error"] == pipe.last_error().to_dict()
    assert [e["op"] for e in dump["entries"]] == ["errors_test::goes_wrong"]
    assert [e["state"] for e in pipe.debug_dump()["entries"]] == ["done", "failed"]
    with torch.pipeline() as pipe:
        assert pipe.last_error() is None and pipe.format_error("full") == ""
        assert pipe.debug_dump() == {"entries": [], "last_error": None}


def test_same_error_has_the_same_id(define):
    """Two runs of one line."""
    name = define("twice() -> Tensor", boom)
    first, second = (failed([name]).last_error() for _ in range(2))
    assert first.error_id == second.error_id
    other = define("once() -> Tensor", boom)
    assert failed([other]).last_error().error_id != first.error_id


def test_error_is_kept_without_a_journal(define):
    """All but what other ops have to do with it."""
    name = define("plainly(Tensor(a!) x, Tensor y) -> ()", boom, lambda *args: ())
    told = failed([name, torch.ones(1), torch.ones(1)], debug_enabled=False).last_error()
    assert (told.write_set, told.read_set, told.dependency_edges) == (["x"], ["y"], [])


@pytest.mark.parametrize(
    ("schema", "alias_set", "plan"),
    [
        ("one(Tensor(a!) self) -> Tensor", "a", {"a": 1}),
        ("same(Tensor(a!) self, Tensor(a!) other) -> Tensor", "a", {"a": 2}),
        ("two(Tensor(a!) self, Tensor(b!) other) -> Tensor", "a,b", {"a": 1, "b": 1}),
        ("unnamed(Tensor! self) -> Tensor", "$0", {"$0": 1}),
    ],
)
def test_writes_are_told(define, schema, alias_set, plan):
    """By argument, by alias set, and how often."""
    name = define(schema, boom)
    arguments = [torch.ones(1) for _ in range(schema.count("!"))]
    told = failed([name, *arguments]).last_error()
    assert (told.alias_set, told.version_plan) == (alias_set, plan)
    assert told.write_set == ["self", "other"][: len(arguments)] and told.read_set == []


EDGES = {
    "write->write": ("w1(Tensor! self) -> Tensor", "w2(Tensor! self) -> Tensor"),
    "write->write alias_set:a": ("a1(Tensor(a!) self) -> Tensor", "a2(Tensor(a!) self) -> Tensor"),
    "write->read": ("r1(Tensor! self) -> Tensor", "r2(Tensor self) -> Tensor"),
    "read->write": ("s1(Tensor self) -> Tensor", "s2(Tensor! self) -> Tensor"),
}


@pytest.mark.parametrize("reason", EDGES)
def test_dependencies_are_told(define, reason):
    """On the op before, by what both touch; not where they touch different tensors."""
    fine, wrong = EDGES[reason]
    names = define(fine, lambda x: x + 1), define(wrong, boom)
    x = torch.ones(1)
    (edge,) = failed([names[0], x], [names[1], x]).last_error().dependency_edges
    assert (edge["from"], edge["to"]) == (0, 1) and reason in edge["reason"]
    apart = failed([names[0], torch.ones(1)], [names[1], torch.ones(1)])
    assert apart.last_error().dependency_edges == [] and apart.last_error().op_seq == 1


def test_dependencies_of_rows_are_told():
    """Ops of torch's count as any other."""
    with torch.pipeline(debug_enabled=True) as pipe:
        x = torch.ones(3) + 1
        torch.index_select(x, 0, torch.tensor([7]))
        with pytest.raises(IndexError):
            pipe.flush()
    told = pipe.last_error()
    assert told.op_name == "index_select" and "index" in told.read_set
    edge = {"from": told.op_seq - 1, "to": told.op_seq, "reason": "write->read"}
    assert told.dependency_edges == [edge]


# What waits ---------------------------------------------------------------------------------------


def test_op_that_writes_waits(define):
    """Its argument is pending, and counts its version when it is recorded, once."""

    def kernel(x, y):
        ran.append(1)
        x.add_(y)
        return x

    ran = []
    name = define("adds(Tensor(a!) self, Tensor y) -> Tensor(a!)", kernel, lambda x, y: x)
    x, y = torch.ones(3), torch.full((3,), 2.0)
    view = x[1:]
    with torch.pipeline() as pipe:
        made = dispatch(name, None, x, y)
        assert made is x and x._pending and view._pending and x._version == 1 and not ran
        later = x * 2
        pipe.flush()
        assert ran == [1] and not x._pending
    assert x._version == 1
    assert (x.tolist(), view.tolist(), later.tolist()) == ([3.0] * 3, [3.0] * 2, [6.0] * 3)


def test_op_that_writes_and_gives_more_waits(define):
    """One result is the argument, one is new."""

    def kernel(x):
        x.mul_(3)
        return x, x.sum()

    name = define(
        "scales(Tensor(a!) self) -> (Tensor(a!), Tensor)",
        kernel,
        lambda x: (x, torch.empty((), device="meta")),
    )
    x = torch.ones(2)
    with torch.pipeline():
        same, total = dispatch(name, None, x)
        assert same is x and total._pending
        assert total.item() == 6.0
    assert x.tolist() == [3.0, 3.0]


def test_saved_values_count_writes_in_the_order_of_the_program(define):
    """A value that is saved after the write was recorded is not taken for a changed one."""
    name = define("doubles(Tensor(a!) self) -> ()", lambda x: (x.mul_(2), None)[1], lambda x: ())
    x, w = torch.ones(2), torch.ones(2, requires_grad=True)
    with torch.pipeline():
        dispatch(name, None, x)
        loss = (w * x).sum()
    loss.backward()
    assert w.grad.tolist() == [2.0, 2.0]
    with torch.pipeline():
        loss = (w * x).sum()
        dispatch(name, None, x)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            loss.backward()


@pytest.mark.parametrize("device", ["cpu", "npu"])
def test_op_without_tensors_waits(define, device):
    """The device that is asked for runs it."""
    key = K.CPU if device == "cpu" else K.NPU
    name = define(
        "makes(int n) -> Tensor",
        lambda n: torch.arange(n, device=device),
        lambda n: torch.empty(n, dtype=torch.int64, device="meta"),
        key,
    )
    with torch.pipeline():
        made = dispatch(name, device, 3)
        assert made._pending and made.device.type == device and made.shape == (3,)
    assert made.tolist() == [0, 1, 2]


def test_op_whose_result_nobody_can_foresee_is_refused(define):
    """Without a Meta kernel; one that gives no tensors runs at once."""
    name = define("unforeseen() -> Tensor", lambda: torch.ones(1), None)
    count = define("counts() -> int", lambda: 7, None)
    registry.register_kernel("errors_test_bare", K.CPU, lambda: None)
    try:
        with torch.pipeline():
            with pytest.raises(RuntimeError) as got:
                dispatch(name, "cpu")
            assert str(got.value) == f"pipeline requires meta kernel for op {name}"
            with pytest.raises(RuntimeError) as got:
                dispatch("errors_test_bare", "cpu")
            assert str(got.value) == "pipeline requires meta kernel for op errors_test_bare"
            assert dispatch(count, "cpu") == 7
    finally:
        registry.get("errors_test_bare").kernels[K.CPU].remove()


# Settings -----------------------------------------------------------------------------------------


def test_limit_flushes():
    """``max_ops`` counts what is queued and what was computed while it was recorded."""
    a = torch.ones(2)
    with torch.pipeline(max_ops=1):
        assert not (a + a)._pending
    with torch.pipeline(max_ops=2) as pipe:
        b = a + a
        assert b._pending and pipe.pending == 1
        c = torch.zeros(9000)
        assert not b._pending and not c._pending and pipe.pending == 0
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="max_ops"):
            torch.pipeline(max_ops=wrong)


def test_limit_of_a_block_ends_with_it():
    """A pipeline that is entered keeps its own."""
    with torch.pipeline() as pipe:
        before = pipe.max_pending
        with torch.pipeline(pipe, max_ops=3):
            assert pipe.max_pending == 3
        assert pipe.max_pending == before


def test_settings_hold_for_blocks_that_name_none():
    """They are merged, told back as a copy, and refused whole."""
    before = torch.get_pipeline_config()
    assert not before["debug_enabled"] and before["max_ops"] is before["min_defer_ops"] is None
    try:
        torch.pipeline_config(max_ops=1)
        torch.set_pipeline_config(debug_enabled=True)
        torch.get_pipeline_config()["max_ops"] = 5
        with torch.pipeline() as pipe:
            assert not (torch.ones(2) + 1)._pending and pipe.journal is not None
        with torch.pipeline(max_ops=10, debug_enabled=False) as pipe:
            assert (torch.ones(2) + 1)._pending and pipe.journal is None
        with pytest.raises(ValueError, match="max_ops"):
            torch.pipeline_config(debug_enabled=False, max_ops=0)
        with pytest.raises(TypeError, match="unexpected keyword argument 'max_op'"):
            torch.pipeline_config(max_op=3)
        assert torch.get_pipeline_config() == {**before, "debug_enabled": True, "max_ops": 1}
    finally:
        torch.pipeline_config(**before)
    assert torch.get_pipeline_config() == before


def _waiting(count: int, **how: Any) -> list[bool]:
    """Which of so many ops in a block wait."""
    a = torch.ones(2)
    with torch.pipeline(**how) as pipe:
        found = [(a + 1)._pending for _ in range(count)]
    assert pipe.pending == 0
    return found


@pytest.mark.parametrize("how", [{}, {"debug_enabled": True}], ids=["small", "queued"])
def test_first_ops_of_a_block_are_computed(how):
    """``min_defer_ops`` is the number of the first that may wait; a limit holds after it."""
    assert _waiting(3, min_defer_ops=3, **how) == [False, False, True]
    for none in (0, 1, None):
        assert _waiting(2, min_defer_ops=none, **how) == [True, True]
    assert _waiting(4, min_defer_ops=2, max_ops=2, **how) == [False, True, False, True]
    with pytest.raises(ValueError, match="min_defer_ops"):
        torch.pipeline(min_defer_ops=-1)

    a = torch.ones(2)

    @torch.pipeline(min_defer_ops=2, **how)
    def decorated():
        return (a + 1)._pending

    assert not decorated() and not decorated()


def test_what_is_computed_first_is_the_block_s():
    """A pipeline that is entered again goes on as it would have."""
    a = torch.ones(2)
    with torch.pipeline(min_defer_ops=3) as pipe:
        assert not (a + 1)._pending
        with torch.pipeline(pipe, min_defer_ops=2):
            assert not (a + 1)._pending and (a + 1)._pending
        assert not (a + 1)._pending and (a + 1)._pending
    assert pipe.max_pending == Pipeline().max_pending and pipe.at_once == 0


def test_blocks_adapt_to_the_last_one():
    """Where few ops waited at its last flush, the next computes its first ones."""
    before = torch.get_pipeline_config()
    small = {"adaptive_small_window_ops": 4, "adaptive_min_defer_ops": 3}
    try:
        torch.pipeline_config(adaptive_defer=True, **small)
        assert _waiting(2) == [True, True]
        assert _waiting(3, adaptive_defer=False) == [True, True, True]
        assert _waiting(3) == [False, False, True]
        assert _waiting(9, adaptive_small_window_ops=0) == [True] * 9
        assert _waiting(8) == [True] * 8
        assert _waiting(2, min_defer_ops=2) == [False, True]
        assert _waiting(2, adaptive_small_window_ops=8, adaptive_min_defer_ops=2) == [False, True]
        torch.pipeline_config(**small)  # forgets
        assert _waiting(2) == [True, True]
        with torch.pipeline():  # what is read was flushed, too
            float((torch.ones(2) + 1).sum())
        assert _waiting(2) == [False, False]
        told: list[bool] = []
        thread = threading.Thread(target=lambda: told.extend(_waiting(1)))
        thread.start()
        thread.join()
        assert told == [True]
    finally:
        torch.pipeline_config(**before)
    assert _waiting(1) == [True]


def test_journal_lists_small_ops_too():
    """Those that are else computed while they are recorded."""
    a = torch.ones(2)
    with torch.pipeline(debug_enabled=True) as pipe:
        a + a
        assert [e["op"] for e in pipe.debug_dump()["entries"]] == ["aten::add.Tensor"]


def test_context_by_its_other_name():
    """``pipeline_context`` is the same."""
    assert torch.pipeline_context is torch.pipeline is pipeline_context
