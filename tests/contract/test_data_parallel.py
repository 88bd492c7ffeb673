"""Data parallel training by several processes: what torch trains, and what one process trains."""

from __future__ import annotations

import math

import pytest

from . import crew_parallel as parallel
from . import crew_pipelining as pipelining
from . import crew_training as training
from .both_frameworks import ours, torch
from .crew import crew, needs_mpi, once

pytestmark = needs_mpi


def near(got, want, at=""):
    """The same structure, and numbers that differ by rounding only."""
    if isinstance(want, float):
        assert isinstance(got, float) and math.isclose(got, want, rel_tol=2e-4, abs_tol=2e-5), (
            at,
            got,
            want,
        )
    elif isinstance(want, list | tuple):
        assert len(got) == len(want), (at, got, want)
        for i, (g, w) in enumerate(zip(got, want, strict=True)):
            near(g, w, f"{at}/{i}")
    else:
        assert got == want, (at, got, want)


def same(size, function, *args):
    """Crews of *size* train the same; all processes have the same parameters, which are given."""
    got = crew(ours.__name__, size).run(function, *args)
    near(got, crew(torch.__name__, size).run(function, *args))
    return got


@pytest.mark.parametrize("size", [2, 4])
def test_gradients_are_those_of_all_rows(size):
    found = same(size, training.train, "plain", 4, {})
    one = training.alone(torch, 4, size)
    for _, parameters, _ in found:
        near([p[:2] for p in parameters], [p[:2] for p in one])


@pytest.mark.parametrize(
    ("kind", "options", "how"),
    [
        ("plain", {"bucket_cap_mb": 0.0001}, ""),
        ("plain", {"gradient_as_bucket_view": True}, ""),
        ("plain", {"static_graph": True}, ""),
        ("plain", {}, "accumulate"),
        ("plain", {}, "fp16"),
        ("normed", {}, ""),
        ("normed", {"broadcast_buffers": False}, ""),
        ("halves", {"find_unused_parameters": True}, ""),
        ("halves", {"find_unused_parameters": True, "bucket_cap_mb": 0.0001}, ""),
        ("words", {}, ""),
    ],
)
def test_modules_train_as_in_torch(kind, options, how):
    same(2, training.train, kind, 4, options, how)


@pytest.mark.parametrize(
    ("kind", "options"),
    [("plain", {}), ("halves", {"find_unused_parameters": True})],
)
def test_modules_train_on_accelerators_by_a_backend_that_serves_no_other(kind, options):
    got = crew(ours.__name__, 2).run(training.on_device, kind, "npu", "hccl", options)
    near(got, crew(torch.__name__, 2).run(training.on_device, kind, "cpu", "gloo", options))


@pytest.mark.parametrize("precision", ["", "bfloat16"])
@pytest.mark.parametrize(("backend", "device"), [("gloo", "cpu"), ("cpu:gloo,npu:hccl", "npu")])
def test_split_parameters_may_be_kept_on_the_host(backend, device, precision):
    """With gradients and the optimizer's state; what is computed with is where the mesh is."""
    found = crew(ours.__name__, 2).run(training.offloaded, backend, device, precision)
    want = crew(torch.__name__, 2).run(training.offloaded, "gloo", "cpu", precision)
    near([each[:-1] for each in found], [each[:-1] for each in want])
    assert [each[-1] for each in found] == [device] * 2
    assert found[0][2] == [("cpu", "cpu")]


@pytest.mark.parametrize(("size", "splits_among_two"), [(2, False), (4, True)])
def test_split_parameters_may_be_exchanged_by_the_program(size, splits_among_two):
    """Which is asked for the same exchanges, in the same order, as in torch."""
    got = crew(ours.__name__, size).run(training.exchanged_otherwise, splits_among_two)
    want = crew(torch.__name__, size).run(training.exchanged_otherwise, splits_among_two)
    for (mine, asked), (theirs, wanted) in zip(got, want, strict=True):
        near(mine, theirs)
        if splits_among_two:  # what neighbours keep has other numbers behind it
            assert [kind for kind, _ in asked] == [kind for kind, _ in wanted]
        else:
            assert asked == wanted


def test_hooks_may_make_calls_at_the_end_of_others():
    """PowerSGD, whose calls follow each other: all processes end with the same parameters."""
    found = crew(ours.__name__, 2).run(training.train, "plain", 4, {}, "power")
    assert found[0][1] == found[1][1]
    assert found[0][0][-1] < found[0][0][0]


@pytest.mark.parametrize("by_all", [True, False])
def test_processes_may_have_uneven_inputs(by_all):
    same(2, training.uneven, by_all)


def test_buckets_come_in_the_order_of_gradients():
    same(2, training.order)


@pytest.mark.parametrize("options", [{}, {"find_unused_parameters": True, "bucket_cap_mb": 0.001}])
def test_what_is_told_of_training(options):
    same(2, training.told, options)


@pytest.mark.parametrize("reduces_in", ["float32", "float64"])
def test_parameters_may_have_copies_of_a_lower_dtype(reduces_in):
    """Which torch has on accelerators alone."""
    process = crew(ours.__name__, 2)
    low, high = (process.run(training.low_precision, each) for each in (reduces_in, ""))
    for (parameters, shown, dtypes), (want, exact, _) in zip(low, high):
        near([p[:2] for p in parameters], [p[:2] for p in want])
        near(shown, exact)
        assert dtypes == ["float64"] and shown != exact


def test_what_was_used_without_averages_counts():
    same(2, training.without_sync)


def test_modules_that_differ_are_refused():
    same(2, training.differing, "count")
    got, want = (once(t.__name__, 2, training.differing, "shape") for t in (ours, torch))
    assert got[1] == want[1] != "nothing"


def test_gradients_that_are_missing_are_told():
    same(2, training.unfinished)


def test_an_optimizer_may_be_split_over_processes():
    same(2, training.zero)


def test_statistics_of_batches_are_those_of_all_rows():
    want = training.normed_alone(torch, 3, 2)
    for parameters, buffers, said in crew(ours.__name__, 2).run(training.normed, 3, "npu"):
        near((parameters, buffers), want)
        assert said == "SyncBatchNorm expected input tensor to be on GPU or XPU or npu"


@pytest.mark.parametrize("level", ["OFF", "INFO"])
def test_graphs_that_change_are_told_of(level):
    same(2, parallel.graphs, level)


def test_static_graphs_may_differ_between_processes():
    same(2, parallel.static_otherwise)


@pytest.mark.parametrize("skips", [True, False])
def test_buckets_that_nobody_uses_may_be_left_out(skips):
    same(2, parallel.left_out, skips)


def test_profiles_show_what_training_does():
    same(2, parallel.ranges)


def test_outputs_may_be_changed_and_left_unused():
    same(2, parallel.outputs)


def test_parameters_are_called_by_their_names():
    same(2, parallel.named)


@pytest.mark.parametrize(("device", "early"), [("cpu", True), ("cpu", False), ("npu", False)])
@pytest.mark.parametrize("view", [True, False])
def test_optimizers_may_step_while_gradients_are_averaged(device, early, view):
    """Which torch has on accelerators alone: the same numbers as of a step after backward."""
    for at_once, after in crew(ours.__name__, 2).run(parallel.stepping, device, early, view):
        near([p[:2] for p in at_once], [p[:2] for p in after])
        assert not any(grad for _, _, grad in at_once)


def test_models_are_averaged_in_groups_of_groups():
    found = crew(ours.__name__, 4).run(parallel.hierarchy)
    assert found == crew(torch.__name__, 4).run(parallel.hierarchy)


def test_programs_wait_for_calls_on_accelerators_as_long_as_they_say():
    """A ``Work.wait`` with a time-out lets the program wait, and not the stream alone."""
    first, second = once(ours.__name__, 2, parallel.late_on_a_stream)
    assert first[0].startswith(
        "DistBackendError: [Rank 0] Watchdog caught collective operation timeout: WorkNCCL("
        "SeqNum=1, OpType=ALLREDUCE, NumelIn=4, NumelOut=4, Timeout(ms)=200) ran for "
    )
    assert first[1:] == ["DistBackendError", True, [3.0] * 4]
    assert second == [True, [3.0] * 4]


def test_pipelines_train_as_in_torch():
    """Of all schedules: losses, outputs, gradients, and what there is after an evaluation."""
    same(2, pipelining.everything)


@pytest.mark.parametrize(("size", "device"), [(2, "npu"), (4, "cpu")])
def test_models_in_stages_train_as_those_that_are_not_cut(size, device):
    names = (
        (*pipelining.SINGLE, *pipelining.LOOPED, *pipelining.V) if size == 2 else pipelining.SINGLE
    )
    found = crew(ours.__name__, size).run(pipelining.on_device, device, names)
    losses, gradients = pipelining.uncut(torch, 8)
    for of_ranks in zip(*found, strict=True):
        got = [loss for _, [(_, its), _] in of_ranks for loss in its]
        near(got, losses, of_ranks[0][0])
        in_order = sorted(g for _, (_, made) in of_ranks for g in made)
        near(sorted(g for _, _, g in in_order), sorted(gradients), of_ranks[0][0])


@pytest.mark.parametrize(
    ("how", "name"), [("replicated", "Schedule1F1B"), ("sharded", "ScheduleInterleaved1F1B")]
)
def test_stages_may_be_data_parallel(how, name):
    """Gradients are averaged once for all microbatches."""
    found = crew(ours.__name__, 4).run(pipelining.data_parallel, how, name)
    alone = [pipelining.uncut(torch, 4, step) for step in range(2)]
    near(sorted(losses for losses, _ in found if losses), sorted(losses for losses, _ in alone))
    mean = [
        [(a + b) / 2 for a, b in zip(*pair, strict=True)]
        for pair in zip(*[grads for _, grads in alone], strict=True)
    ]
    for rank in range(2):
        got = [g for _, made in found[rank::2] for _, g in made]
        near(sorted(got), sorted(mean))


@pytest.mark.parametrize("name", pipelining.SINGLE)
def test_traced_models_train_in_stages(name):
    (_, first), (losses, second) = crew(ours.__name__, 2).run(pipelining.cut, name)
    near((losses, [*first, *second]), pipelining.uncut(torch, 4, model=pipelining.layers(torch)))


def test_a_backward_is_averaged_whose_forward_was_not():
    same(2, parallel.averaged_afterwards)
