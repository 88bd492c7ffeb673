"""Habits that cost time, found in profiles, and where a device is left waiting."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from .both_frameworks import agree, part, same
from .programs import submodule, suite

program, test_same_program_same_notes = suite()


def matcher(t):
    """The module of patterns."""
    return submodule(t, "profiler._pattern_matcher")


def utils(t):
    """The module of measures."""
    return submodule(t, "profiler._utils")


def profiled(t, run, **options):
    """The profile of *run*."""
    options = {"with_stack": True, "record_shapes": True} | options
    with t.profiler.profile(activities=[t.profiler.ProfilerActivity.CPU], **options) as prof:
        run()
    return prof


# -- events that are made by hand ------------------------------------------------------------------


@dataclass(eq=False)
class Told:
    """What a profiler tells: a launch or a kernel."""

    _name: str
    start: int
    duration: int
    linked: int
    device: int

    @property
    def name(self):
        return self._name

    def start_ns(self):
        return self.start

    def duration_ns(self):
        return self.duration

    def linked_correlation_id(self):
        return self.linked

    def device_type(self):
        return self.kinds.CUDA if self.device else self.kinds.CPU


@dataclass(eq=False)
class Event:
    """An event of the tree."""

    id: int
    start_time_ns: int
    duration_time_ns: int
    name: str = "event"
    children: list = field(default_factory=list)
    parent: Any = None

    @property
    def end_time_ns(self):
        return self.start_time_ns + self.duration_time_ns


def by_hand(t, seed):
    """A profile of launches, kernels and events around them."""
    draw, kinds = random.Random(seed), part(t, "profiler").DeviceType
    told, roots, now, number = [], [], 0, 0
    kernels_at = 0
    for launch in range(40):
        now += draw.choice([5, 10, 200])
        told.append(Told("cudaLaunchKernel", now, 5, launch, 0))
        kernels_at = max(kernels_at, now + 8) + draw.randrange(3)
        length = draw.randrange(1, 60)
        told.append(Told("GPU kernel", kernels_at, length, launch, 1))
        kernels_at += length
        root = Event(number, now, 15, f"f.py({launch}): f")
        root.children = [Event(number + 1, now + 3, 4, "inner", parent=root)]
        roots.append(root)
        number += 2
    told.append(Told("Memcpy HtoD", 3, 5, 0, 1))
    for each in told:
        each.kinds = kinds
    results = SimpleNamespace(events=lambda: told, experimental_event_tree=lambda: roots)
    return SimpleNamespace(kineto_results=results)


@pytest.mark.parametrize("seed", range(5))
def test_where_a_device_waits(seed):
    def told(t):
        found = utils(t).BasicEvaluation(by_hand(t, seed))
        facts = [
            (m.self_time_ns, m.duration_time_ns, m.queue_depth, m.idle_time_ns)
            for m in (found.metrics[key] for key in found.event_keys)
        ]
        spans = [(s.start, s.end, s.queue_depth) for s in found.queue_depth_list]
        ranked = [repr(key) for key in found.rank_events(5)]
        return facts, spans, ranked, [e.name for e in found.cuda_events]

    assert agree(told)[2]


def test_what_is_printed_of_it(capsys):
    def told(t):
        found = utils(t).BasicEvaluation(by_hand(t, 1))
        quiet = found.get_optimizable_events(2, print_enable=False)
        loud = found.get_optimizable_events(2)
        return [repr(k) for k in quiet], [repr(k) for k in loud], capsys.readouterr().out

    agree(told)


def test_measures_of_events():
    def told(t):
        u = utils(t)
        roots = by_hand(t, 0).kineto_results.experimental_event_tree()[:3]
        key = u.EventKey(Event(0, 5, 10))
        spans = [
            [(2, 4), (6, 8)],
            [(0, 20)],
            [(0, 6), (5, 8)],
            [(5, 7), (8, 9), (14, 30)],
            [],
            [(15, 20)],
        ]
        return (
            [e.id for e in u.traverse_dfs(roots)],
            [e.id for e in u.traverse_bfs(roots)],
            [key.intervals_overlap([u.Interval(*s) for s in several]) for several in spans],
            [key == u.EventKey(Event(n, 1, 1)) for n in (0, 1)],
            [u.index_of_first_match([1, 3, 5], lambda x: x > 1, *s) for s in ((), (2,), (0, 1))],
            [u.argmax([1, 3, 2], **s) for s in ({}, {"start": 2}, {"key": lambda x: -x})],
            u.argmax([], start=0),
            [u.EventMetrics(10, 5, i).fraction_idle_time for i in (0, 5)],
            u.EventMetrics().fraction_idle_time,
            [u.source_code_location(e) for e in (roots[0].children[0], Event(9, 0, 1), None)],
        )

    agree(told)


def test_the_same_number_twice_is_refused():
    def told(t):
        prof = by_hand(t, 0)
        prof.kineto_results.experimental_event_tree()[0].id = 2
        utils(t).BasicEvaluation(prof)

    same(told)


# -- patterns in real profiles ---------------------------------------------------------------------


@program
def names(torch, ns, note):
    ones = torch.ones(1)
    prof = profiled(torch, lambda: torch.ones(2).add(ones).add(ones), with_stack=False)
    pattern = matcher(torch).NamePattern(prof, "aten::add$")
    note([len(pattern.matched_events()), pattern.description, pattern.name, pattern.url])
    note(pattern.summary(pattern.matched_events()))
    event = pattern.matched_events()[0]
    note([pattern.next_of(pattern.matched_events()[0]).name, event.name])
    note(matcher(torch).input_shapes(event))
    note(matcher(torch).input_dtypes(event))
    note(lambda: matcher(torch).Pattern(torch.profiler.profile()))
    note(lambda: matcher(torch).Pattern(prof).matched_events())
    base = matcher(torch).Pattern(prof)
    note([base.name, base.description, base.url, base.skip])
    note(base.root_of(event).name == base.go_up_until(event, lambda e: False).name)
    note(base.go_up_until(None, None))


class OwnPattern:
    """What a program's own pattern says."""

    benchmark = staticmethod(lambda events: {((2,), ()): 0.5, ((2,), (), ()): 0.5})


@program
def savings_are_told(torch, ns, note):
    prof = profiled(torch, lambda: torch.ones(2).add(1))
    module = matcher(torch)
    pattern = type("Own", (OwnPattern, module.NamePattern), {})(prof, "aten::add$", True)
    text = pattern.summary(pattern.matched_events())
    note([text.partition("Speedup")[0], text.endswith("(2.0X)")])
    note(module.NamePattern(prof, "aten::add$", True).summary([]))


CASES = {
    "FP32MatMulPattern": [lambda t: t.ones(2, 2) @ t.ones(2, 2)],
    "ForLoopIndexingPattern": [
        lambda t: _fill(t, 12), lambda t: _fill(t, 3), lambda t: [t.ones(20)[i] for i in range(20)],
    ],
    "OptimizerSingleTensorPattern": [lambda t: t.ones(1)],
    "SynchronizedDataLoaderPattern": [lambda t: t.ones(1)],
    "GradNotSetToNonePattern": [
        lambda t: _zero(t, True), lambda t: _zero(t, False),
    ],
    "Conv2dBiasFollowedByBatchNorm2dPattern": [
        lambda t: _layers(t, True), lambda t: _layers(t, False),
        lambda t: t.nn.functional.conv2d(t.ones(1, 1, 3, 3), t.ones(1, 1, 2, 2), t.ones(1)),
    ],
    "MatMulDimInFP16Pattern": [
        lambda t: t.mm(t.ones(5, 8).bfloat16(), t.ones(8, 8).bfloat16()),
        lambda t: t.mm(t.ones(8, 8).bfloat16(), t.ones(8, 16).bfloat16()),
        lambda t: t.bmm(t.ones(1, 8, 7).bfloat16(), t.ones(1, 7, 16).bfloat16()),
        lambda t: t.mm(t.ones(5, 5), t.ones(5, 5)),
    ],
    "ExtraCUDACopyPattern": [lambda t: t.ones(3).to(t.float64), lambda t: t.zeros(3).to("cpu")],
}  # fmt: skip
#: What stands between two turns of a loop if Python's functions are followed: ours are others.
WITHOUT_STACKS = {"ForLoopIndexingPattern"}


def _fill(t, n):
    x = t.empty(n, 2)
    for i in range(n):
        x[i] = i


def _zero(t, to_none):
    weight = t.nn.Parameter(t.ones(2))
    weight.grad = t.ones(2)
    t.optim.SGD([weight], lr=0.1).zero_grad(set_to_none=to_none)


def _layers(t, bias):
    t.nn.Sequential(t.nn.Conv2d(1, 1, 2, bias=bias), t.nn.BatchNorm2d(1))(t.ones(1, 1, 4, 4))


@pytest.mark.parametrize("name", CASES)
def test_what_matches(name):
    """How many events, in each of some programs, and what the pattern says."""

    def told(t):
        found = []
        for run in CASES[name]:
            for options in ({"with_stack": False}, {}, {"record_shapes": False}):
                if name in WITHOUT_STACKS and options.get("with_stack", True):
                    continue
                pattern = getattr(matcher(t), name)(profiled(t, lambda: run(t), **options))
                found.append((len(pattern.matched_events()), pattern.skip))
        return found, pattern.name, pattern.description, pattern.url

    agree(told)


def test_the_report(tmp_path, capsys):
    """What is printed, and what stands in a file beside what stood there before."""

    def told(t):
        folder = tmp_path / t.__name__
        folder.mkdir()
        (folder / "torchtidy_report.json").write_text('{"before": []}')
        prof = profiled(t, lambda: _zero(t, False))
        matcher(t).report_all_anti_patterns(prof, json_report_dir=str(folder))
        printed = capsys.readouterr().out.replace("mindtorch", "torch").splitlines()
        written = json.loads((folder / "torchtidy_report.json").read_text())
        mine = [line for line in printed if "Location" not in line]
        return mine, [[e["name"], e["url"], e["message"]] for v in written.values() for e in v]

    agree(told)


@pytest.mark.parametrize(
    "name",
    ["OptimizerSingleTensorPattern", "SynchronizedDataLoaderPattern", "ExtraCUDACopyPattern"],
)
def test_what_matches_by_names(name):
    """Events of the names by which torch recognizes a habit."""

    def event(name, *children, **facts):
        made = SimpleNamespace(name=name, children=list(children), parent=None, **facts)
        for child in children:
            child.parent = made
        return made

    def told(t):
        copy = event(
            "aten::copy_",
            extra_fields=SimpleNamespace(inputs=[SimpleNamespace(dtype=t.float32)] * 2),
        )
        copy.extra_fields = _inputs(t, copy.extra_fields.inputs)
        loader = "torch/utils/data/dataloader.py(1): "
        trees = [
            event("torch/optim/sgd.py(3): _single_tensor_sgd"),
            event("torch/optim/sgd.py(3): _multi_tensor_sgd"),
            event(f"{loader}__iter__", event(f"{loader}_get_iterator", event(f"{loader}x"))),
            event(
                f"{loader}__iter__",
                event(f"{loader}_get_iterator", event(f"{loader}check_worker_number_rationality")),
            ),
            event("root", event("built-in", event("ones", event("aten::fill_"))),
                  event("built-in", event("aten::to", event("aten::_to_copy", copy)))),
        ]  # fmt: skip
        pattern = getattr(matcher(t), name)(profiled(t, lambda: t.ones(1)))
        pattern.event_tree = trees
        return [e.name for e in pattern.matched_events()]

    assert agree(told)


def _inputs(t, inputs):
    """The fields of an operator with these inputs."""
    fields = part(t, "_C._profiler")._ExtraFields_TorchOp
    if t.__name__ == "mindtorch":
        return fields(inputs=inputs)
    prof = profiled(t, lambda: t.ones(2).copy_(t.ones(2)))
    pattern = matcher(t).NamePattern(prof, "aten::copy_")
    return pattern.matched_events()[0].extra_fields
