"""Snapshots of an accelerator's memory as text and pages, and cycles of references that keep it."""

from __future__ import annotations

import gc
import sys
import weakref

import mindtorch
import pytest

from .both_frameworks import agree, part

pytestmark = pytest.mark.oracle
PAGE = 20 << 20


def snapshot():
    """Two segments, one of them with gaps, and what happened before."""
    blocks = [
        {"size": 2 * PAGE, "requested_size": 2 * PAGE - 512, "state": "active_allocated"},
        {"size": PAGE // 2, "requested_size": PAGE // 2, "state": "inactive"},
        {"size": PAGE // 4, "requested_size": PAGE // 4, "state": "active_allocated"},
        {"size": PAGE // 4, "requested_size": PAGE // 8, "state": "active_allocated"},
    ]
    small = [{"size": 1024, "requested_size": 1000, "state": "active_allocated"}]
    events = [
        ("alloc", 1),
        ("alloc", 2),
        ("free_requested", 1),
        ("free_completed", 1),
        ("alloc", 1),
    ]
    return {
        "segments": [
            {"total_size": 3 * PAGE, "stream": 3, "address": 0, "blocks": blocks},
            {"total_size": 1024, "stream": 0, "address": 9 * PAGE, "blocks": small},
        ],
        "device_traces": [[{"action": a, "addr": n, "size": 8} for a, n in events], []],
    }


def viz(t):
    """The module that shows memory."""
    return part(t, "cuda._memory_viz")


def sizes(t):
    """Numbers of bytes as text."""
    return [repr(viz(t).Bytes(n) + 1) for n in (0, 1023, 5 << 20, 1 << 45)]


SHOWN = [
    lambda t: viz(t).segsum(snapshot()),
    lambda t: viz(t).segsum({"segments": []}),
    lambda t: viz(t).filter_alloc_free_pairs(snapshot()),
    sizes,
]


@pytest.mark.parametrize("program", SHOWN, ids=range(len(SHOWN)))
def test_memory_is_shown_as_the_oracle_shows_it(program):
    agree(program)


def test_pages_hold_the_snapshot():
    """The viewer and its kind are torch's; the snapshot is ours."""

    def run(t):
        show = viz(t)
        pages = [
            show.segment_plot(snapshot()),
            show.trace_plot(snapshot()),
            show.trace_plot(snapshot(), plot_segments=True),
            show.trace_plot(snapshot(), filter_freed=True),
            show.segment_plot(snapshot(), device=0),
        ]
        return [
            (page.count("snapshot.pickle"), page[page.index("add_local_files(local") :].split()[:4])
            for page in pages
        ]

    agree(run)


def cycle(held):
    """A function that holds a list that holds it, and *held*."""
    kept = [held]

    def inner():
        return kept

    kept.append(inner)
    return [inner, inner.__closure__, inner.__closure__[0], kept, held]


def graph(t):
    """The cycle around an object."""
    objects = cycle({"a": (1, "b")})
    nodes = part(t, "utils.viz._cycles").create_graph(
        objects, context=lambda o: None, filter=lambda o: o is objects[-1]
    )
    return [tuple(node) for node in nodes], part(t, "utils.viz._cycles").to_dot(nodes)


class Thing:
    """Something with a method."""

    def method(self):
        """Nothing."""


def annotations(t):
    """What is shown of objects."""
    thing = Thing()
    objects = [
        *(t.ones(2), annotations, thing, thing.method, [1] * 20, (1, thing), {1: 2}, {1}, Thing),
        *(3, "a", None, sys, weakref.ref(Thing()), sys._getframe()),
    ]
    return [part(t, "utils.viz._cycles").object_annotation(o) for o in objects]


@pytest.mark.parametrize("program", [graph, annotations])
def test_cycles_are_shown_as_the_oracle_shows_them(program):
    agree(program)


def test_cycles_that_keep_memory_of_the_accelerator_are_observed():
    """They are shown once each, with where the memory was asked for; others are not."""
    cycles = part(mindtorch, "utils.viz._cycles")
    gc.collect()
    pages = []
    disarm = cycles.observe_tensor_cycles(pages.append)
    try:
        cycle(mindtorch.ones(2))
        gc.collect()
        assert pages == []
        before = mindtorch.npu.memory_allocated()
        cycle(mindtorch.ones(2, device="npu"))
        gc.collect()
        assert len(pages) == 1
        assert mindtorch.npu.memory_allocated() == before
        assert "cell_contents" in pages[0]
        assert "torch.Tensor" in pages[0]
        assert "test_memory_pictures.py" in pages[0]
    finally:
        disarm()
        mindtorch.npu.memory._record_memory_history(None)
    cycle(mindtorch.ones(2, device="npu"))
    gc.collect()
    assert len(pages) == 1
    # Whoever was shown the dead tensors asked for their storages: no memory is given back twice.
    for _ in range(3):
        held = mindtorch.ones(2, device="npu")
        assert mindtorch.npu.memory_allocated() == before + 512
        del held
        assert mindtorch.npu.memory_allocated() == before
