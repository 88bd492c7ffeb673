"""``torch.profiler`` and ``torch.autograd.profiler``: what is noted, schedules, files."""

from __future__ import annotations

import gzip
import inspect
import json
import sys

import pytest

from .both_frameworks import BOTH, agree, ours, outcome, part, refuse, same, torch

Profiler = ours.profiler
CPU = [Profiler.ProfilerActivity.CPU]


# A program that runs --------------------------------------------------------------------------


def training(t):
    """A step of a training."""
    t.manual_seed(0)
    model = t.nn.Sequential(t.nn.Linear(4, 3), t.nn.ReLU(), t.nn.Linear(3, 2))
    optimizer = t.optim.SGD(model.parameters(), lr=0.1)
    x = t.ones(5, 4)

    def step():
        with t.profiler.record_function("forward"):
            loss = t.nn.functional.mse_loss(model(x), t.zeros(5, 2))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def profiled(t, run, **options):
    with t.profiler.profile(activities=[t.profiler.ProfilerActivity.CPU], **options) as prof:
        run()
    return prof


def outer(t, **options):
    """What torch calls the outermost events of a step, their shapes and flops."""
    step = training(t)
    step()
    prof = profiled(t, step, **options)
    return [
        (e.name, e.input_shapes, e.flops, e.scope, e.is_user_annotation, e.activity_type)
        for e in prof.events()
        if e.cpu_parent is None or e.cpu_parent.name == "forward"
    ]


@pytest.mark.parametrize("shapes", [False, True])
def test_a_step_of_a_training_is_told_as_in_torch(shapes):
    """Ranges, calls, nodes and steps have torch's names, in torch's order."""
    left_out = {"aten::broadcast_tensors"}  # what torch calls on the way, and mindtorch does not
    mine, theirs = (outer(t, record_shapes=shapes, with_flops=shapes) for t in BOTH)
    assert mine == [each for each in theirs if each[0] not in left_out]
    names = [name for name, *_ in mine]
    assert "autograd::engine::evaluate_function: AddmmBackward0" in names
    assert "Optimizer.step#SGD.step" in names and "Optimizer.zero_grad#SGD.zero_grad" in names


def test_nodes_are_joined_to_their_calls():
    """A node has the number of the call that made it, also where nodes are made before."""
    prof = profiled(ours, training(ours))
    calls = {e.sequence_nr for e in prof.events() if e.scope == 0 and e.fwd_thread == 0}
    nodes = [e for e in prof.events() if e.scope == 1 and "AccumulateGrad" not in e.name]
    assert nodes and {e.sequence_nr for e in nodes} <= calls
    assert {e.fwd_thread for e in nodes} == {nodes[0].thread}


def test_calls_lie_inside_each_other():
    """The tree: times of children lie in their parent's; own times add up to the whole."""
    prof = profiled(ours, training(ours))
    for event in prof.events():
        for child in event.cpu_children:
            assert child.cpu_parent is event
            assert event.time_range.start <= child.time_range.start
            assert child.time_range.end <= event.time_range.end
    tops = [e for e in prof.events() if e.cpu_parent is None]
    total = sum(e.cpu_time_total for e in tops)
    assert prof.events().self_cpu_time_total == pytest.approx(total)
    linear = next(e for e in prof.events() if e.name == "aten::linear")
    assert "aten::addmm" in [c.name for c in linear.cpu_children]


def test_memory_of_calls():
    """What a call allocates is counted, and what is freed is taken away."""

    def used(t):
        x = t.ones(10, 10)

        def run():
            with t.profiler.record_function("r"):
                y = x.add(x)
                z = y.mul(y)
                del y, z

        prof = profiled(t, run, profile_memory=True)
        found = {e.name: (e.cpu_memory_usage, e.self_cpu_memory_usage) for e in prof.events()}
        return {n: found[n] for n in ("aten::add", "aten::mul")}, found["r"][0]

    agree(used)


def test_python_functions_and_modules():
    """With stacks the program's functions are events, modules under the names of their classes."""
    model = ours.nn.Sequential(ours.nn.Linear(2, 2), ours.nn.ReLU())

    def here():
        return model(ours.ones(1, 2))

    config = ours._C._profiler._ExperimentalConfig(verbose=True)
    before = sys.getprofile()
    prof = profiled(ours, here, with_stack=True, experimental_config=config)
    assert sys.getprofile() is before
    names = [e.name for e in prof.events() if e.is_python_function]
    assert any(n.endswith(": here") and "test_profiler.py(" in n for n in names)
    assert {"nn.Module: Sequential_0", "nn.Module: Linear_0", "nn.Module: ReLU_0"} <= set(names)
    assert not any("/_C/" in n or "tracing.py" in n for n in names)
    linear = next(e for e in prof.events() if e.name == "aten::linear")
    inner = [n for n in linear.stack if not n.startswith("<built-in")]
    assert "linear.py(" in inner[0] and inner[-1] != inner[0]


def test_trace_file(tmp_path):
    """Perfetto's JSON: calls on their threads, arrows to nodes, what was said beside them."""
    path = str(tmp_path / "t.json.gz")
    with Profiler.profile(activities=CPU, record_shapes=True) as prof:
        prof.add_metadata("key", 'a "text"')
        prof.add_metadata_json("number", "[1, 2]")
        training(ours)()
    prof.export_chrome_trace(path)
    with gzip.open(path, "rt") as file:
        whole = json.load(file)
    assert whole["key"] == 'a "text"' and whole["number"] == [1, 2]
    assert whole["schemaVersion"] == 1 and whole["record_shapes"] == 1
    lines = whole["traceEvents"]
    call = next(e for e in lines if e["name"] == "aten::addmm")
    assert call["ph"] == "X" and call["cat"] == "cpu_op" and call["dur"] > 0
    assert call["args"]["Input Dims"][1:3] == [[5, 4], [4, 3]]
    starts = {e["id"] for e in lines if e.get("cat") == "fwdbwd" and e["ph"] == "s"}
    ends = {e["id"] for e in lines if e.get("cat") == "fwdbwd" and e["ph"] == "f"}
    assert starts and starts == ends
    assert any(e["name"] == "forward" and e["cat"] == "user_annotation" for e in lines)


def test_kernels_of_streams(tmp_path):
    """Kernels are on the lanes of their streams, joined to the calls that launch them."""
    stream = ours.npu.Stream()
    x = ours.ones(64, 64, device="npu")
    with Profiler.profile() as prof:
        y = x @ x
        with ours.npu.stream(stream):
            z = x + 1
        ours.npu.synchronize()
    del y, z
    kernels = [e for e in prof.events() if e.device_type.name == "PrivateUse1"]
    assert len({e.device_resource_id for e in kernels}) == 2
    mm = next(e for e in prof.events() if e.name == "aten::mm")
    assert mm.kernels and mm.device_time_total > 0
    text = prof.key_averages().table(sort_by="self_device_time_total")
    assert "Self NPU" in text and "Self NPU time total" in text
    path = tmp_path / "t.json"
    prof.export_chrome_trace(str(path))
    lines = json.loads(path.read_text())["traceEvents"]
    assert {e["tid"] for e in lines if e.get("cat") == "kernel"} == {
        e.device_resource_id for e in kernels
    }
    assert any(e.get("cat") == "ac2g" and e["ph"] == "f" for e in lines)


# Steps --------------------------------------------------------------------------------------------


SCHEDULES = (
    {"wait": 1, "warmup": 1, "active": 2, "repeat": 1, "skip_first": 2},
    {"wait": 1, "warmup": 1, "active": 2, "repeat": 2, "skip_first": 2, "skip_first_wait": 1},
    {"wait": 0, "warmup": 0, "active": 1},
    {"wait": 2, "warmup": 1, "active": 1},
    {"wait": -1, "warmup": 0, "active": 1},
    {"wait": 0, "warmup": 0, "active": 0},
)


@pytest.mark.parametrize("options", SCHEDULES)
def test_schedules(options):
    """What is done in each step, and which are refused."""

    def actions(t):
        schedule = t.profiler.schedule(**options)
        return [str(schedule(i)) for i in range(15)]

    same(actions)
    refuse(lambda t: t.profiler.schedule(wait=0, warmup=1, active=1)(-1))


@pytest.mark.parametrize("options", SCHEDULES[:4])
def test_what_is_ready_when(options):
    """The steps that a handler sees, also where events are kept over cycles."""

    def seen(t, keep):
        found = []
        part(t, "profiler.profiler")._WARNINGS_SHOWN.clear()  # it warns once only
        with t.profiler.profile(
            activities=[t.profiler.ProfilerActivity.CPU],
            schedule=t.profiler.schedule(**options),
            on_trace_ready=lambda p: found.append(
                (p.step_num, sum(e.key == "aten::add" for e in p.events()))
            ),
            acc_events=keep,
        ) as prof:
            for _ in range(11):
                t.ones(2).add(t.ones(2))
                prof.step()
        return found

    same(lambda t: seen(t, False))
    agree(lambda t: seen(t, True))


def test_steps_have_names_and_handlers_write_files(tmp_path):
    """``ProfilerStep*`` in averages; one file for each cycle."""
    handler = Profiler.tensorboard_trace_handler(str(tmp_path), "w", use_gzip=True)
    schedule = Profiler.schedule(wait=0, warmup=1, active=1)
    with Profiler.profile(activities=CPU, schedule=schedule, on_trace_ready=handler) as prof:
        for _ in range(4):
            ours.ones(2).sum()
            prof.step()
    assert len(list(tmp_path.glob("w.*.pt.trace.json.gz"))) == 2
    prof = profiled(ours, lambda: None)
    with Profiler.profile(
        activities=CPU, schedule=lambda i: Profiler.ProfilerAction.RECORD
    ) as prof:
        prof.step()
    assert [e.key for e in prof.key_averages()] == ["ProfilerStep*"]


# What is refused, and what costs nothing ----------------------------------------------------------


REFUSED = {
    "events before": lambda t: t.profiler.profile().events(),
    "averages before": lambda t: t.profiler.profile().key_averages(),
    "file before": lambda t: t.profiler.profile().export_chrome_trace("x"),
    "stacks before": lambda t: t.profiler.profile().export_stacks("x"),
    "no activities": lambda t: t.profiler.profile(activities=[]),
    "wrong activities": lambda t: t.profiler.profile(activities=[3]),
    "range of a number": lambda t: t.profiler.record_function(3).__enter__(),
    "device only": lambda t: t.autograd.profiler.profile(use_cpu=False),
    "nvtx": lambda t: t.autograd.profiler.emit_nvtx().__enter__(),
    "key twice": lambda t: [e.see(1) for e in [t.autograd.profiler.EnforceUnique()] * 2],
    "no nvprof file": lambda t: t.autograd.profiler.load_nvprof("/nowhere/at/all"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name):
    """In torch's words, up to what pybind adds."""
    mine, theirs = (outcome(REFUSED[name], t)[0] for t in BOTH)
    assert mine[0] == theirs[0] != "value"
    assert mine[1][:200] == theirs[1][:200]


def test_batches_of_a_loader_are_ranges():
    """Under torch's name; the end of the loop is one too."""

    def names(t):
        data = t.utils.data.DataLoader([1, 2, 3], batch_size=2)
        prof = profiled(t, lambda: list(data))
        return [(e.key, e.count) for e in prof.key_averages() if "DataLoader" in e.key]

    agree(names)


def test_memory_is_not_sorted_by_its_use():
    """The time line of memory by use is refused when it is asked for."""
    same(lambda t: profiled(t, lambda: t.ones(2))._memory_profile())
    prof = profiled(ours, training(ours), record_shapes=True, profile_memory=True, with_stack=True)
    with pytest.raises(NotImplementedError), pytest.warns(FutureWarning):
        prof.export_memory_timeline("nowhere.html")


def test_old_arguments_warn():
    """``use_cuda``, ``use_device`` where there is none, the legacy profiler."""
    same(lambda t: repr(t.autograd.profiler.profile(use_cuda=True)))
    same(lambda t: repr(t.autograd.profiler.profile(use_device="cuda")))
    same(lambda t: repr(t.autograd.profiler.profile(use_device="nothing")))
    same(lambda t: t.autograd.profiler.profile().table())

    def legacy(t):
        with part(t, "autograd.profiler_legacy").profile() as prof:
            t.ones(2).sum()
        return "aten::sum" in [e.name for e in prof.function_events]

    agree(legacy)


def test_not_twice_and_not_inside_itself():
    """One profiler at a time; after an error another can run."""

    def twice(t):
        prof = t.autograd.profiler.profile()
        with prof:
            prof.__enter__()

    refuse(twice)
    assert len(profiled(ours, lambda: ours.ones(2).sum()).events()) >= 2

    def fails(t):
        try:
            profiled(t, lambda: t.ones(2).view(3))
        except RuntimeError:
            return len(profiled(t, lambda: t.ones(2)).events()) > 0

    agree(fails)


def test_ranges_decorate_and_cost_little_without_a_profiler():
    """A decorated function is a range; without a profiler nothing is kept of it."""

    @Profiler.record_function("named")
    def function():
        return ours.ones(2)

    prof = profiled(ours, lambda: [function(), function()])
    assert next(e for e in prof.key_averages() if e.key == "named").count == 2
    assert ours.core.ranges.active is None
    with Profiler.record_function("nobody") as block:
        assert block.record is None


def test_collection_can_be_switched():
    """While it is off, nothing is kept."""

    def run():
        ours.ones(2).add(1)
        prof.toggle_collection_dynamic(False, CPU)
        ours.ones(2).mul(1)
        prof.toggle_collection_dynamic(True, CPU)
        ours.ones(2).sub(1)

    with Profiler.profile(activities=CPU) as prof:
        run()
    names = {e.name for e in prof.events()}
    assert {"aten::add", "aten::sub"} <= names and "aten::mul" not in names


def test_execution_trace(tmp_path):
    """Each call is a node with what it was given."""
    path = tmp_path / "trace.json"
    observer = Profiler.ExecutionTraceObserver().register_callback(str(path))
    with Profiler.profile(activities=CPU, execution_trace_observer=observer):
        ours.nn.functional.linear(ours.ones(2, 3), ours.ones(4, 3))
    nodes = {n["name"]: n for n in json.loads(path.read_text())["nodes"]}
    assert nodes["aten::linear"]["inputs"]["shapes"][:2] == [[2, 3], [4, 3]]


def test_monitor_events():
    """Statistics tell a window when it is full, and handlers hear of it."""

    def told(t):
        from datetime import timedelta

        m, seen = t.monitor, []
        handle = m.register_event_handler(lambda e: seen.append((e.name, sorted(e.data.items()))))
        try:
            kinds = (m.Aggregation.SUM, m.Aggregation.COUNT, m.Aggregation.MEAN, m.Aggregation.MAX)
            stat = m.Stat("s", kinds, timedelta(hours=5), 3)
            counts = []
            for i in range(4):
                stat.add(i)
                counts.append(stat.count)
            last = sorted((str(k), v) for k, v in stat.get().items())
            return counts, last, stat.name, seen
        finally:
            m.unregister_event_handler(handle)

    agree(told)
    for wrong in (
        lambda t: t.monitor.Event("a", 3, {}),
        lambda t: t.monitor.register_event_handler(3),
        lambda t: t.monitor.log_event("a"),
    ):
        mine, theirs = (outcome(wrong, t)[0] for t in BOTH)
        assert mine == theirs and mine[0] == "TypeError"


# Names -------------------------------------------------------------------------------------------


SPACES = [
    "profiler",
    "profiler.profiler",
    "profiler.itt",
    "autograd.profiler",
    "autograd.profiler_util",
    "autograd.profiler_legacy",
]


@pytest.mark.parametrize("space", SPACES)
def test_names_and_signatures(space):
    """What torch's module names is there and is called the same way."""
    mine, theirs = part(ours, space), part(torch, space)
    for name in theirs.__all__:
        one, other = getattr(mine, name), getattr(theirs, name)
        pairs = [(one, other)]
        if (
            inspect.isclass(other)
            and other.__module__.startswith("torch.")
            and "_C" not in other.__module__
        ):
            assert one.__module__.replace("mindtorch", "torch") == other.__module__
            pairs = [(getattr(one, n), f) for n, f in vars(other).items() if inspect.isfunction(f)]
        for a, b in pairs:
            if inspect.isfunction(b):
                assert list(inspect.signature(a).parameters) == list(
                    inspect.signature(b).parameters
                ), (name, b.__name__)
