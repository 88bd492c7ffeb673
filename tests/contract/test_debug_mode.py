"""``torch.utils._debug_mode``: what is written down of calls, modules, ranges and exchanges."""

from __future__ import annotations

import contextlib
import itertools
import re

from .both_frameworks import part, same
from .fake_ranks import fake_rank


def debug(t):
    return part(t, "utils._debug_mode").DebugMode


def written(t, program, **options):
    """What a mode writes down of ``program()``; what has no name in torch loses its address."""
    with debug(t)(**options) as mode:
        program()
    return re.sub(r"<(method|built-in|function)[^>]*>", "<function>", mode.debug_string())


def network(t):
    return t.nn.Sequential(t.nn.Linear(2, 2), t.nn.ReLU())


def test_operators_are_written_down():
    def look(t):
        x = t.ones(2, 2)
        y = t.ones(2, requires_grad=True)

        def calls():
            t.mm(x, x).add_(1)
            t.split(x, 1)
            t.empty_like(x, dtype=t.int64).fill_(3)
            (x[0] * y).sum().backward()

        def marked():
            debug(t)._annotate("here")
            with t.profiler.record_function("range"):
                t.relu(x)

        return (
            written(t, calls),
            written(t, calls, record_ids=True, record_output=False),
            written(t, calls, record_tensor_attributes=["requires_grad", "device"]),
            written(t, calls, record_realtensor=False),
            written(t, lambda: t.sin(x), record_torchfunction=True).count("\n"),
            written(t, lambda: network(t)(x), record_nn_module=True),
            written(t, marked),
        )

    same(look)


def test_fake_tensors_are_written_down_if_asked_for():
    def look(t):
        with part(t, "_subclasses.fake_tensor").FakeTensorMode():
            x = t.ones(2, 3)
        return [written(t, lambda: t.sin(x), record_faketensor=flag) for flag in (True, False)]

    same(look)


def test_calls_can_be_read_one_by_one():
    def look(t):
        x = t.ones(2)
        with debug(t)(store_original_args=True) as mode:
            t.add(x, x, alpha=2)
        op, args, kwargs, depth = mode.operators[0]
        kept = args[0] is x, len(args), kwargs, depth, str(op)
        with debug(t)() as mode:
            t.add(x, x, alpha=2)
        texts = list(mode.logs[0])[1:], repr(mode.logs[0])
        mode.reset()
        active = part(t, "utils._debug_mode").get_active_debug_mode
        with debug(t)() as outer, debug(t)():
            found = active() is outer
        return kept, texts, mode.logs, found, active()

    same(look)


def test_hooks_say_more_of_calls():
    def look(t):
        x = t.arange(4.0)
        runs = []
        for factor in (1.0, 2.0):
            with debug(t)() as mode, debug(t).log_tensor_hashes("norm", hash_inputs=True):
                y = x + 1
                t.mul(y, factor)
            runs.append(mode.logs)
        with debug(t)() as mode, debug(t).record_outputs():
            t.split(x, 2)
        kept = [o.tolist() for o in mode.operators[-1].record["output"]]
        with debug(t)() as other, debug(t).dispatch_hooks(log_hook=lambda *a: {"n": len(a)}):
            t.neg(x)
        differ = debug(t).check_hash_mismatches(*runs, compare_inputs=True)
        refused = []
        for logs in (runs[0][:1], other.logs):
            try:
                debug(t).check_hash_mismatches(runs[0][: len(other.logs)], logs)
            except ValueError as error:
                refused.append(str(error))
        return [repr(call) for call in runs[0]], differ, kept, other.debug_string(), refused

    same(look)


def test_exchanges_are_written_down():
    def look(t):
        part(t, "distributed.tensor")
        dt = t.distributed.tensor
        line = dt.init_device_mesh("cpu", (4,))
        grid = dt.init_device_mesh("cpu", (2, 2))
        x = dt.distribute_tensor(t.ones(8, 8), line, [dt.Shard(0)])
        z = dt.distribute_tensor(t.ones(8, 8), line, [dt.Shard(1)])
        w = dt.distribute_tensor(t.ones(8, 8), grid, [dt.Shard(0), dt.Shard(0)])
        found = [
            written(t, lambda: x.mean(0).full_tensor()),
            written(t, lambda: t.mm(x, z)),
            written(t, lambda: w.redistribute(placements=[dt.Replicate()] * 2)),
            written(t, lambda: w.redistribute(placements=[dt.Shard(0), dt.Shard(1)])),
            written(t, lambda: w.sum().full_tensor()),
        ]
        # How an exchange is made of collectives is each framework's own affair.
        return [
            [line for line in text.splitlines() if "_c10d" not in line and "      a" not in line]
            for text in found
        ]

    with fake_rank(0, 4):
        same(look)


def test_placements_change_in_the_same_order():
    def look(t):
        part(t, "distributed.tensor")
        dt = t.distributed.tensor
        grid = dt.init_device_mesh("cpu", (2, 4))
        kinds = [dt.Shard(0), dt.Shard(1), dt.Replicate(), dt.Partial()]
        found = {}
        for have in itertools.product(kinds, repeat=2):
            x = dt.DTensor.from_local(t.ones(8, 8), grid, have, run_check=False)
            for want in itertools.product(kinds[:3], repeat=2):
                if have != want:
                    text = written(t, lambda x=x, want=want: x.redistribute(placements=want))
                    found[str((have, want))] = text.splitlines()[0]
        return found

    with fake_rank(0, 8):
        same(look)


def test_functions_are_called_as_modules_come_and_go():
    def look(t):
        tracker = part(t, "distributed._tools.mod_tracker").ModTracker()
        net, heard = network(t), []

        def tell(what):
            return lambda module, *args: heard.append(
                (what, tracker.get_known_fqn(module), sorted(tracker.parents))
            )

        kinds = ("pre_fw_hook", "post_fw_hook", "pre_bw_hook", "post_bw_hook")
        tracker.register_user_hooks(**{kind: tell(kind) for kind in kinds})
        with tracker:
            net(t.ones(1, 2, requires_grad=True)).sum().backward()
        try:
            tracker.register_user_hooks(pre_fw_hook=print)
        except AssertionError as error:
            heard.append(str(error))
        tracker.clear_user_hooks()
        return heard, sorted(tracker.parents), tracker.is_bw

    same(look)


def test_exchanges_must_be_asked_for_where_that_is_wanted():
    def look(t):
        dt = part(t, "distributed.tensor")
        explicit = part(t, "distributed.tensor._utils").ExplicitRedistributionContext
        grid = dt.init_device_mesh("cpu", (4,))
        rows, columns = (
            dt.distribute_tensor(t.ones(8, 8), grid, [dt.Shard(dim)]) for dim in (0, 1)
        )
        whole = dt.distribute_tensor(t.ones(8, 8), grid, [dt.Replicate()])

        def text(program, *contexts):
            try:
                with contextlib.ExitStack() as stack:
                    for context in contexts:
                        stack.enter_context(context)
                    return str(program().placements)
            except RuntimeError as error:
                return str(error)

        def gathers():
            return t.mm(rows, columns)

        return (
            text(gathers),
            text(gathers, explicit()),
            text(gathers, explicit(), explicit(enable=False)),
            text(lambda: rows + whole, explicit()),
            text(lambda: rows + whole, explicit(strict=True)),
            text(lambda: rows.redistribute(placements=[dt.Replicate()]), explicit(strict=True)),
            text(lambda: rows + 1, explicit(strict=True)),
        )

    with fake_rank(0, 4):
        same(look)


def test_plans_of_distributed_calls_are_counted():
    def look(t):
        dt = part(t, "distributed.tensor")
        debug = part(t, "distributed.tensor.debug")
        x = dt.distribute_tensor(t.ones(8), dt.init_device_mesh("cpu", (4,)), [dt.Shard(0)])
        debug._clear_fast_path_sharding_prop_cache()
        debug._clear_python_sharding_prop_cache()
        found = []
        for _ in range(3):
            t.add(x, x)
            found.append(debug._get_fast_path_sharding_prop_cache_stats())
        return found, debug._get_python_sharding_prop_cache_info()._fields

    with fake_rank(0, 4):
        same(look)


def test_sizes_that_change_are_found():
    def look(t):
        dynamism = part(t, "fx.experimental._dynamism")

        class Part(t.nn.Module):
            def __init__(self, size):
                super().__init__()
                self.linear, self.number = t.nn.Linear(size, 3), size

        examples = [
            {"self": Part(n), "a": t.ones(n, 2), "b": [t.ones(1), 3.5], "c": {"d": n, "e": "x"}}
            for n in (2, 3, 4)
        ]
        return (
            dynamism.track_dynamism_across_examples(examples),
            dynamism.normalize_source_name("L.a.b_1[0].c"),
            str(dynamism.clone_and_convert_to_meta([t.ones(2), 3])[0].device),
        )

    same(look)


def test_the_first_process_writes_what_several_would():
    def look(t):
        part(t, "distributed.checkpoint")
        planner = part(t, "distributed.checkpoint.planner")
        index = part(t, "distributed.checkpoint.metadata").MetadataIndex
        dedup = part(t, "distributed.checkpoint._dedup_tensors").dedup_tensors

        def plan(*names):
            kind = planner.WriteItemType.BYTE_IO
            return planner.SavePlan([planner.WriteItem(index(n), kind) for n in names])

        plans = [plan("a", "b"), plan("b", "c"), plan("d")]
        made = dedup(plans)
        names = [[item.index.fqn for item in p.items] for p in made]
        return names, [a is b for a, b in zip(made, plans, strict=True)]

    same(look)


def test_ranges_are_operators_too():
    def look(t):
        part(t, "fx")
        space = t.ops.profiler
        names = ("_record_function_enter", "_record_function_enter_new", "_record_function_exit")
        schemas = [
            str(getattr(getattr(space, n), o)._schema)
            for n in names
            for o in getattr(space, n).overloads()
        ]

        def ranges():
            outer = space._record_function_enter_new("outer")
            inner = space._record_function_enter_new("inner")
            t.ones(2)
            space._record_function_exit(inner)
            space._record_function_exit(outer)
            return str(outer)

        graph = t.fx.Graph()
        begun = graph.call_function(space._record_function_enter_new, ("r",))
        graph.call_function(space._record_function_exit, (begun,))
        graph.output(None)
        graph.eliminate_dead_code()
        try:
            space._record_function_enter_new(3)
        except RuntimeError as error:
            refused = str(error).splitlines()[0]
        handle = space._record_function_enter("older", "more")
        space._record_function_exit(handle)
        older = handle.dtype == t.uint8, handle.dim()
        return schemas, ranges(), written(t, ranges), older, str(graph), refused

    same(look)
