"""``torch.utils.benchmark``: measurements, tables, inputs; and the small modules of utils."""

from __future__ import annotations

import importlib
import inspect
import sys

import pytest
import torch.utils.benchmark

from .both_frameworks import BOTH, agree, ours, outcome, refuse, same

TIMES = ([1e-6], [1e-6] * 3, [1e-6, 1.1e-6, 1.2e-6, 1e-6], [1, 2, 3, 4, 5.0], [1e-9, 3e-9, 4e-9])
SPECS = (
    {"stmt": "x + 1", "setup": "pass"},
    {"stmt": "a\nb", "setup": "s\nt", "label": "L", "sub_label": "S", "env": "E", "num_threads": 4},
    {"stmt": "z", "setup": "x = 1", "description": "only"},
)


def part(t, name):
    return importlib.import_module(f"{t.__name__}.utils.{name}")


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("times", TIMES)
def test_measurements(times, spec):
    """Median, spread, digits, warnings, and the text that shows them."""

    def facts(t):
        m = t.utils.benchmark.Measurement(
            10, [10 * x for x in times], t.utils.benchmark.TaskSpec(**spec)
        )
        numbers = m.median, m.mean, m.iqr, m.significant_figures, m.has_warnings
        names = m.title, m.as_row_name, m.env, m.task_spec.setup_str(), m.task_spec.summarize()
        return numbers, names, m.meets_confidence(), repr(m).partition("\n")[2]

    agree(facts)


def measured(t, env=None):
    b = t.utils.benchmark
    for i in range(3):
        for j in range(2):
            for threads in (1, 2):
                times = [1e-6 * (1 + i + j * 2) * (1 + 0.3 * k) for k in range(3)]
                spec = b.TaskSpec("s", "p", "", "lab", f"sub{i}", f"d{j}", env, threads)
                yield b.Measurement(1, times, spec)


def test_tables_of_measurements():
    """Rows, columns, digits, colours, warnings."""

    def tables(t):
        b = t.utils.benchmark
        compare = b.Compare([*measured(t)])
        found = [str(compare)]
        compare.trim_significant_figures()
        found.append(str(compare))
        for rowwise in (False, True):
            compare.colorize(rowwise=rowwise)
            found.append(str(compare))
        compare.highlight_warnings()
        found.append(str(compare))
        some = [*measured(t, "here"), *measured(t, "elsewhere")][:-2]
        merged = b.Measurement.merge(some[:3] + some[:1])
        return [*found, str(b.Compare(some))], [len(m.times) for m in merged]

    agree(tables)
    refuse(lambda t: t.utils.benchmark.Compare([3]))


class Clock:
    """A clock that goes on by a fixed step each time somebody looks."""

    now = 0.0

    def __call__(self):
        Clock.now += 0.125
        return Clock.now


def test_timers_run_what_they_are_given():
    """With a clock that is told what to say, all that comes out is known."""

    def ran(t):
        count = []
        timer = t.utils.benchmark.Timer(
            "f()", "x = 1", timer=Clock(), globals={"f": lambda: count.append(1)}, label="l"
        )
        m = timer.timeit(200)
        block = timer.blocked_autorange(min_run_time=0.1)
        adaptive = timer.adaptive_autorange(min_run_time=0.1, max_run_time=2.0)
        return m.raw_times, m.number_per_run, len(count) > 202, block.times, adaptive.times

    agree(ran)
    m = ours.utils.benchmark.Timer("torch.ones(2).add(1)").blocked_autorange(min_run_time=0.01)
    assert 0 < m.median < 0.1
    threads = ours.get_num_threads()
    ours.utils.benchmark.Timer("assert torch.get_num_threads() == 1").timeit(1)
    assert ours.get_num_threads() == threads


def test_timers_refuse():
    """In torch's words; what has to be compiled is refused when it is run."""
    for options in ({"stmt": 3}, {"language": "java"}, {"global_setup": "x"}):
        refuse(lambda t, o=options: t.utils.benchmark.Timer(**o))
    refuse(lambda t: t.utils.benchmark.Timer().repeat())
    refuse(lambda t: t.utils.benchmark.Timer().autorange())
    with pytest.raises(RuntimeError, match="Extensions cannot be built"):
        ours.utils.benchmark.Timer("1;", language="cpp").timeit(1)
    with pytest.raises(OSError):
        ours.utils.benchmark.Timer().collect_callgrind(1)


def test_random_inputs():
    """Parameters, sizes, strides and values are those of torch for a seed."""

    def drawn(t):
        b = t.utils.benchmark
        fuzzer = b.Fuzzer(
            [b.FuzzedParameter("k", 16, 64, "loguniform"), b.FuzzedParameter("s", 1, 2, "uniform")],
            [
                b.FuzzedTensor("x", ("k", 3, 2), ("s", 1, 1), 0.5, 10, 400),
                b.FuzzedTensor("y", ("k",), dtype=t.int64),
            ],
            constraints=[lambda p: p["k"] > 20],
            seed=5,
        )
        found = []
        for tensors, facts, params in fuzzer.take(4):
            for name, value in tensors.items():
                found.append((name, value.stride(), value.tolist(), facts[name]["numel"]))
            found.append(params)
        return found, fuzzer.rejection_rate

    agree(drawn)
    refuse(lambda t: t.utils.benchmark.FuzzedParameter("k", distribution="foo"))
    chosen = ours.utils.benchmark.FuzzedParameter("k", distribution={1: 0.5, 2: 0.5})
    assert chosen._distribution == {1: 0.5, 2: 0.5}


# The small modules --------------------------------------------------------------------------------


def test_ordered_sets():
    """They keep the order, and are sets beside."""

    def facts(t):
        made = part(t, "_ordered_set").OrderedSet
        o = made([3, 1, 2])
        results = [o | {5}, o - {1}, o & {2, 3}, o ^ {1, 9}, o.union([7], [8]), o.copy()]
        results += [o.difference([1]), o.intersection([2, 3]), o.symmetric_difference([3, 4])]
        flags = o == {1, 2, 3}, o == made([1, 2, 3]), o.issubset([1, 2, 3, 4]), o.issuperset([1])
        last = o.pop()
        o.update([9], [1])
        o -= {3}
        return [repr(r) for r in results], flags, last, repr(o), list(reversed(o)), len(o)

    agree(facts)
    refuse(lambda t: hash(part(t, "_ordered_set").OrderedSet()))


def test_decorating_contexts():
    """Functions and generators run inside, classes with a warning."""

    def facts(t):
        module, seen = part(t, "_contextlib"), []

        class Noted(module._DecoratorContextManager):
            def __enter__(self):
                seen.append("in")

            def __exit__(self, *args):
                seen.append("out")

        @Noted()
        def generator():
            seen.append("body")
            got = yield 1
            seen.append(got)
            return 2

        g = generator()
        seen.append(next(g))
        try:
            g.send("sent")
        except StopIteration as e:
            seen.append(e.value)

        @Noted()
        class Decorated:
            pass

        Decorated()
        return seen

    same(facts)


def test_counts_and_locks(tmp_path):
    """Calls that are counted, a file that is a lock, switches."""

    def facts(t):
        stats = part(t, "_stats")
        stats.simple_call_counter.clear()
        stats.count(len)([])
        stats.count_label("x")
        path = str(tmp_path / f"lock{t.__name__}")
        baton, other = part(t, "file_baton").FileBaton(path), part(t, "file_baton").FileBaton(path)
        taken = baton.try_acquire(), other.try_acquire()
        baton.release()
        other.wait()
        switch = part(t, "backcompat").keepdim_warning
        switch.enabled = True
        on = switch.enabled
        switch.enabled = False
        return list(stats.simple_call_counter.items()), taken, on, switch.enabled

    agree(facts)
    same(lambda t: part(t, "_typing_utils").not_none(None))
    same(lambda t: part(t, "throughput_benchmark").format_time(time_ms=1500.0))
    same(lambda t: part(t, "throughput_benchmark").format_time())
    same(lambda t: part(t, "_triton").has_triton_package())


def test_captured_tracebacks():
    """The frames of the caller, outermost first."""

    def facts(t):
        found = part(t, "_traceback").CapturedTraceback.extract()
        last = found.summary()[-1]
        shorter = part(t, "_traceback").CapturedTraceback.extract(skip=1).summary()
        return last.name, last.filename == __file__, len(found.summary()) - len(shorter)

    agree(facts)


def test_environment_report():
    """The report has torch's lines."""

    def shape(t):
        module = part(t, "collect_env")
        info = module.SystemEnv(*[None] * len(module.SystemEnv._fields))
        info = info._replace(pip_version="pip3", pip_packages="a==1\nb==2", cpu_info="c")
        info = info._replace(caching_allocator_config={}, torch_version="v")
        return module.pretty_str(info), module.env_info_fmt

    agree(shape)
    module = part(ours, "collect_env")
    assert module.run(f"{sys.executable} -c 'print(3)'") == (0, "3", "")
    assert module.get_pip_packages(module.run)[1].count("mindtorch") >= 1


def test_what_needs_torchs_cpp_is_refused_when_called():
    """Imports succeed; building, TorchScript and oneDNN are refused."""
    c = part(ours, "cpp_extension")
    for build in (c.load, c.load_inline):
        with pytest.raises(RuntimeError, match="Extensions cannot be built"):
            build("name", [])
    assert c.CUDA_HOME is None and isinstance(c.include_paths(), list)
    refuse(lambda t: part(t, "mobile_optimizer").optimize_for_mobile(3))
    refuse(lambda t: part(t, "bundled_inputs").bundle_inputs(3, []))
    with pytest.raises(RuntimeError, match="MKL-DNN build is disabled"):
        part(ours, "mkldnn").to_mkldnn(ours.nn.Linear(1, 1))
    for t in BOTH:
        result, _ = outcome(lambda t: part(t, "cpp_extension").CUDAExtension("a", ["a.cu"]), t)
        assert result[0] == "OSError"


NAMES = {
    "benchmark.utils.common": None,
    "benchmark.utils.compare": None,
    "benchmark.utils.fuzzer": None,
    "benchmark.utils.timer": None,
    "_contextlib": ["context_decorator", "_DecoratorContextManager"],
    "_traceback": ["format_frame", "format_traceback_short", "shorten_filename"],
    "collect_env": ["get_env_info", "pretty_str", "get_pretty_env_info", "run", "main"],
    "cpp_extension": ["load", "load_inline", "CppExtension", "CUDAExtension", "include_paths"],
    "file_baton": ["FileBaton"],
    "flop_counter": ["FlopCounterMode", "register_flop_formula", "conv_flop_count"],
    "module_tracker": None,
    "throughput_benchmark": ["ThroughputBenchmark", "ExecutionStats", "format_time"],
}


@pytest.mark.parametrize("space", NAMES)
def test_names_and_signatures(space):
    """What torch's module names is there and is called the same way."""
    mine, theirs = part(ours, space), part(torch, space)
    for name in NAMES[space] or theirs.__all__:
        one, other = getattr(mine, name), getattr(theirs, name)
        pairs = [(one, other)]
        if inspect.isclass(other):
            pairs = [(getattr(one, n), f) for n, f in vars(other).items() if inspect.isfunction(f)]
        for a, b in pairs:
            if inspect.isfunction(b):
                assert list(inspect.signature(a).parameters) == list(
                    inspect.signature(b).parameters
                ), (name, b.__name__)
