"""Passes over graphs, and graphs rewritten: what they make of a module is what torch's make."""

from __future__ import annotations

import importlib
import operator

import pytest

from .both_frameworks import BOTH, agree, outcome, refuse


def space(t, path):
    """A module of fx of framework *t*."""
    return importlib.import_module(f"{t.__name__}.fx.{path}")


def shown(module):
    """Graph and code of a module, and of those inside."""
    inner = [f"{n}: {m.code}" for n, m in module.named_children() if hasattr(m, "code")]
    return "\n".join([str(module.graph), module.code, *inner])


def branching(t):
    """A module with submodules, a parameter and two results."""

    class Branching(t.nn.Module):
        def __init__(self):
            super().__init__()
            self.lin = t.nn.Linear(3, 3)
            self.w = t.nn.Parameter(t.zeros(3))
            self.sub = t.nn.Sequential(t.nn.ReLU(), t.nn.Linear(3, 3))

        def forward(self, x, y=2):
            a = self.lin(x)
            d = self.sub(a + self.w).relu() + a
            e, f = d.chunk(2)
            return {"a": e, "b": (f, x)}

    return Branching()


def trace(t):
    return t.fx.symbolic_trace(branching(t))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"keep_original_order": True},
        {"partition_affix": "q"},
        {"tuple_return": True},
        {"keep_original_node_name": True},
        {"keep_original_input_name": False},
    ],
    ids=str,
)
def test_a_module_is_split_by_what_a_function_says(options):
    def run(t):
        count, names = iter(range(99)), {}
        split = space(t, "passes.split_module").split_module
        made = split(trace(t), None, lambda n: next(count) // 4, names, **options)
        return shown(made), names

    agree(run)


def test_parts_that_need_each_other_are_refused():
    def run(t):
        count = iter(range(99))
        split = space(t, "passes.split_module").split_module
        return shown(split(trace(t), None, lambda n: next(count) % 2))

    refuse(run)


@pytest.mark.parametrize("options", [{}, {"return_fqn_mapping": True}, {"return_tuple": True}])
def test_a_module_is_split_by_tags(options):
    def run(t):
        module = trace(t)
        calls = [n for n in module.graph.nodes if n.op.startswith("call")]
        for i, n in enumerate(calls):
            n.tag = "abc"[i // 4]
        made = space(t, "passes.split_utils").split_by_tags(module, ["a", "b", "c"], **options)
        return (shown(made[0]), made[1]) if isinstance(made, tuple) else shown(made)

    agree(run)


@pytest.mark.parametrize("options", [{}, {"allows_single_node_partition": True}], ids=str)
def test_what_a_backend_supports_is_fused(options):
    def program(a, b, c):
        z = (a + b + c).relu()
        w = (z + a + b) * 2
        return w + z, a + b + w

    def run(t):
        support = space(t, "passes.operator_support").create_op_support(
            lambda modules, n: n.op == "call_function" and n.target is operator.add
        )
        module = t.fx.symbolic_trace(program)
        made = space(t, "passes.infra.partitioner").CapabilityBasedPartitioner(
            module, support, **options
        )
        found = made.propose_partitions()
        names = [sorted(n.name for n in p.nodes) for p in found]
        return names, shown(made.fuse_partitions(found))

    agree(run)


def test_shapes_and_sizes_are_noted():
    def run(t):
        module = t.fx.symbolic_trace(t.nn.Sequential(t.nn.Linear(3, 2), t.nn.ReLU()))
        space(t, "passes.graph_manipulation").get_size_of_all_nodes(module, [t.ones(4, 3)])
        nodes = [n for n in module.graph.nodes if n.op != "output"]
        return [(tuple(n.size_bytes), str(n.meta["tensor_meta"].dtype)) for n in nodes]

    agree(run)


def test_common_subexpressions_are_computed_once():
    def run(t):
        def program(x):
            return (t.add(x, 1) + t.add(x, 1)).relu() + (t.add(x, 1) + t.add(x, 1)).relu()

        made = space(t, "passes.dialect.common.cse_pass").CSEPass()(t.fx.symbolic_trace(program))
        return made.modified, made.graph_module.code

    agree(run)


@pytest.mark.parametrize("literals", [False, True])
def test_a_pattern_is_found_where_torch_finds_it(literals):
    def run(t):
        wanted = t.fx.symbolic_trace(lambda x, y: t.add(x, y).relu())
        graph = t.fx.symbolic_trace(
            lambda x, y: (t.add(x, y).relu(), t.add(y, 1).relu(), t.add(x, x).relu())
        ).graph
        matcher = space(t, "passes.utils.matcher_utils").SubgraphMatcher
        found = matcher(wanted.graph, ignore_literals=literals).match(graph)
        return [[(str(a), str(b)) for a, b in m.nodes_map.items()] for m in found]

    agree(run)


def test_a_replacement_with_a_filter_and_a_callback():
    def run(t):
        rewriter = space(t, "subgraph_rewriter")
        module = t.fx.symbolic_trace(lambda x, y: t.add(x, y).relu() + t.add(y, y + 1).relu())

        def only_placeholders(match, graph, pattern):
            return all(n.op == "placeholder" for n in match.placeholder_nodes)

        def pattern(x, y):
            return t.add(x, y).relu()

        done = rewriter.replace_pattern_with_filters(
            module, pattern, lambda x, y: t.sub(x, y), [only_placeholders]
        )
        return [str(d.replacements) for d in done], shown(module)

    agree(run)


@pytest.mark.parametrize("kind", ["good", "raising", "no result"])
def test_the_pass_manager_runs_passes(kind):
    def run(t):
        managers = space(t, "passes.infra.pass_manager")

        def repl(gm):
            for n in gm.graph.nodes:
                if n.target is t.add:
                    n.target = t.mul

        def bad(gm):
            raise ValueError("x")

        wrap = managers.pass_result_wrapper
        passes = {"good": [wrap(repl)], "raising": [wrap(repl), wrap(bad)], "no result": [repl]}
        module = t.fx.symbolic_trace(lambda x: t.add(x, x))
        return managers.PassManager(passes=passes[kind])(module).graph_module.code

    (agree if kind == "good" else refuse)(run)


def test_passes_are_brought_into_an_order():
    def run(t):
        managers = space(t, "passes.infra.pass_manager")
        before = managers.this_before_that_pass_constraint
        return managers._topological_sort_passes([1, 2, 3], [before(3, 1), before(1, 2)])

    assert agree(run) == [3, 1, 2]


def test_constants_are_folded():
    def run(t):
        class Constants(t.nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b = t.nn.Parameter(t.ones(2)), t.nn.Parameter(t.ones(2))

            def forward(self, x):
                c = self.a + self.b
                return (x * c - self.a).relu() + c

        made = space(t, "experimental.const_fold").split_const_subgraphs(Constants())
        return (
            made.code,
            made.const_subgraph_module.code,
            made(t.ones(2)),
            made.has_folding_been_run,
        )

    agree(run)


def test_arguments_are_normalized():
    def run(t):
        def program(x, y):
            return t.nn.functional.relu(t.add(x, y)).sum() + t.cat([x, y])

        module = t.fx.symbolic_trace(program)
        space(t, "passes.shape_prop").ShapeProp(module).propagate(t.ones(1), t.ones(1))
        return space(t, "experimental.normalize").NormalizeArgs(module).transform().code

    agree(run)


def test_batch_norms_are_fused_and_dropouts_removed():
    """torch's module warns when it is imported: it makes TorchScript."""

    def run(t):
        t.manual_seed(0)
        layers = [t.nn.Conv2d(1, 1, 1), t.nn.BatchNorm2d(1), t.nn.Dropout(), t.nn.ReLU()]
        model = t.nn.Sequential(*layers).eval()
        tools = space(t, "experimental.optimization")
        return tools.fuse(model).code, tools.remove_dropout(model).code

    ours, torchs = (outcome(run, t)[0] for t in BOTH)
    assert ours == torchs
    assert ours[0] == "value"
