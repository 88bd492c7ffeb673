"""Modules split for an accelerator, searched for wrong nodes, and drawn: as the oracle does."""

from __future__ import annotations

import importlib
import re

import pytest

from .test_fx_symbolic import compare, outcome, text

FRAMEWORKS = ("torch", "mindtorch")


def module(framework, name):
    """A module of the framework's fx."""
    return importlib.import_module(f"{framework}.fx.{name}")


def programs(t):
    """Programs to split, with their inputs."""

    def diamond(a):
        return t.sin(a) + t.cos(a)

    def sizes(x, y):
        a = x + y
        size = a.size()
        b = t.relu(a)
        d = t.sigmoid(b.reshape(size))
        return d * 2, d + b

    def pieces(x, y):
        b = t.chunk(t.sin(x), 2)
        return t.sin(t.relu(t.cos(b[0] + b[1]))) + y.sum()

    class Layers(t.nn.Module):
        def __init__(self):
            super().__init__()
            t.manual_seed(0)
            self.l, self.m, self.r = t.nn.Linear(4, 4), t.nn.Linear(4, 4), t.nn.ReLU()
            self.p = t.nn.Parameter(t.ones(4))

        def forward(self, x):
            x = self.r(self.l(x))
            return t.cat([self.m(x * self.p), x]).sin()

    x = (t.arange(8.0) - 2).reshape(2, 4) / 4
    return [(diamond, (x,)), (sizes, (x, x)), (pieces, (x, x)), (Layers(), (x,))]


SUPPORTED = (
    "",
    "sin cos",
    "add mul",
    "relu size reshape sigmoid",
    "chunk getitem add",
    "Linear cat mul",
    "sin cos add mul relu size reshape sigmoid chunk getitem Linear ReLU cat sum",
)
SETTINGS = (
    {},
    {"min_acc_module_size": 2},
    {"skip_fusion": True},
    {"allow_non_tensor": True},
    {"max_acc_splits": 1},
    {"move_non_tensor_nodes_on_boundary": True, "allow_non_tensor": True},
)


def splitters(framework, supported, settings):
    """A splitter for each program, and its inputs."""
    t = importlib.import_module(framework)
    base = module(framework, "passes.splitter_base")

    class Support(module(framework, "passes.operator_support").OperatorSupportBase):
        def is_node_supported(self, submodules, node):
            called = submodules.get(node.target) if node.op == "call_module" else node.target
            name = getattr(called, "__name__", called if isinstance(called, str) else "")
            return (name or type(called).__name__) in supported.split()

    for program, inputs in programs(t):
        traced = t.fx.symbolic_trace(program)
        module(framework, "passes.shape_prop").ShapeProp(traced).propagate(*inputs)
        chosen = base._SplitterSettingBase(**settings)
        yield base._SplitterBase(traced, inputs, Support(), chosen), inputs


def named(nodes):
    """A dictionary of nodes by their names, in order."""
    return sorted((n.name, sorted(x.name for x in found)) for n, found in nodes.items() if found)


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: "-".join(s) or "plain")
def test_modules_are_split_as_by_the_oracle(settings, capsys):
    """Parts, their code, what needs what, what is said, and the results."""

    def lines(framework):
        for supported in SUPPORTED:
            for splitter, inputs in splitters(framework, supported, settings):
                yield text(sorted(n.name for n in splitter.acc_nodes))
                yield text([named(splitter.deps), named(splitter.fusions), supported])
                made = splitter()
                yield text([made.code, *(f"{n} {c.code}" for n, c in made.named_children())])
                yield text(sorted(splitter.get_node_submodule_map().items()))
                yield text([splitter.tags, made(*inputs)])
        yield text(capsys.readouterr().out)

    compare([list(lines(name)) for name in FRAMEWORKS])


def test_what_is_said_of_parts_is_the_oracles(capsys):
    """Previews, inputs of the parts, users of nodes, and parts that are extended."""

    def lines(framework):
        for supported in SUPPORTED:
            for splitter, _ in splitters(framework, supported, {}):
                yield outcome(splitter.node_support_preview)
                yield outcome(splitter.split_preview)
            for splitter, _ in splitters(framework, supported, {}):
                splitter.tag(splitter.put_nodes_into_subgraphs())
                for number in (None, 0, 1):
                    yield text(named(splitter.find_reverse_deps(number)))
                fused = splitter.find_reverse_deps()
                splitter.update_reverse_deps_for_fusions(fused)
                yield text(named(fused))
                for tag in splitter.tags:
                    parents = splitter.find_parent_nodes_of_subgraph(tag)
                    yield text(sorted(n.name for n in parents))
                for tag in splitter.tags:
                    if tag.startswith("_run_on_acc"):
                        splitter.extend_acc_subgraph(tag)
                nodes = splitter.module.graph.nodes
                yield text([getattr(node, "tag", None) for node in nodes])
            for settings in ({}, {"max_acc_splits": 1}):
                for splitter, _ in splitters(framework, supported, settings):
                    yield outcome(lambda s=splitter: s.generate_split_results()[1:])
        yield text(capsys.readouterr().out)

    compare([list(lines(name)) for name in FRAMEWORKS])


def test_decisions_about_nodes_are_noted(monkeypatch, tmp_path, capsys):
    """In the files and on the screen, as the mode says."""

    def lines(framework):
        t, base = importlib.import_module(framework), module(framework, "passes.splitter_base")
        traced = t.fx.symbolic_trace(programs(t)[1][0])
        a, b, *_ = traced.graph.nodes
        monkeypatch.setenv("FX_NET_ACC_SPLITTER_TRACKER_TRACKED_NODES", f"{b.name}")
        for mode in range(4):
            prefix = tmp_path / f"{framework}{mode}"
            tracker = base.NodeEventTracker(mode, str(prefix))
            tracker.add(a, "first")
            tracker.add(b, "second", a)
            tracker.dump()
            yield text([tracker.to_dict(), capsys.readouterr().out])
            yield text(
                sorted(
                    (p.name.removeprefix(framework), p.read_text())
                    for p in tmp_path.glob(f"{framework}{mode}*")
                )
            )
        tracker.print_all()
        yield capsys.readouterr().out

    compare([list(lines(name)) for name in FRAMEWORKS])


WRONG = (((), ()), (("neg",), ()), (("neg", "relu"), ()), ((), ("sub",)), (("sign", "mul"), ()))
METHODS = "sequential binary accumulate block skip defined nonsense".split()


def minimizer(framework, method, wrong, failing, excluded, **settings):
    """A search in a module of which the second way gets some nodes wrong; what it exports."""
    t, base = importlib.import_module(framework), module(framework, "passes.net_min_base")

    def program(x, y):
        a = t.relu(x + y)
        c = (a * 2).chunk(2)
        return t.sign(t.neg(c[0] + c[1]) - 1) + a.sum()

    class Second(t.fx.Interpreter):
        def run_node(self, n):
            if n.name in failing:
                raise ValueError(f"in {n.name}")
            value = super().run_node(n)
            return value + 1 if n.name in wrong else value

    class Search(base._MinimizerBase):
        def run_a(self, mod, inputs, report_idx=-1):
            return mod(*inputs)

        def run_b(self, mod, inputs, report_idx=-1):
            if {n.name for n in mod.graph.nodes} & {*wrong, *failing}:
                return Second(mod).run(*inputs)
            return mod(*inputs)

    def distance(a, b, names):
        pairs = zip(a, b, strict=True) if isinstance(a, (tuple, list)) else [(a, b)]
        found = max([float((x - y).abs().max()) for x, y in pairs], default=0.0)
        return found, found < 0.5

    def exclude(nodes, start, end):
        nodes[:] = [node for node in nodes if node.name != excluded]

    x, exported = (t.arange(8.0) - 3).reshape(2, 4), []
    search = Search(
        t.fx.symbolic_trace(program),
        (x, x),
        distance,
        base._MinimizerSettingBase(traverse_method=method, **settings),
        lambda inputs, mod, name: exported.append((len(inputs), name)),
        exclude if excluded else None,
    )
    return search, exported


def in_order(said):
    """Sets of names, sorted."""
    names = r"\{((?:[a-z_0-9]+(?:, )?)+)\}"
    return re.sub(names, lambda m: f"{{{', '.join(sorted(m[1].split(', ')))}}}", text(said))


@pytest.mark.parametrize("method", METHODS)
def test_wrong_nodes_are_found_as_by_the_oracle(method, capsys):
    """What is printed, reported, exported and found, by each method and with each setting."""
    settings = ({}, {"find_all": True}, {"accumulate_error": True}, {"all_outputs": True})
    cases = [(w, f, s, None) for w, f in WRONG for s in settings]
    cases += [(w, f, {}, "neg") for w, f in WRONG]
    extra = {"skip": {"skip_nodes": ["mul", "neg"]}}.get(method, {})

    def lines(framework):
        for wrong, failing, chosen, excluded in cases:
            search, exported = minimizer(framework, method, wrong, failing, excluded, **chosen)
            found = outcome(lambda s=search: sorted(n.name for n in s.minimize(**extra)))
            yield in_order([found, exported, search.results, search.iteration])
            yield in_order([search.reports, sorted(search.a_outputs), sorted(search.b_outputs)])
            yield in_order(capsys.readouterr().out)

    compare([list(lines(name)) for name in FRAMEWORKS])


def test_some_nodes_are_compared_as_by_the_oracle(capsys):
    """``run_nodes``, parts of a search, and the errors of what is not overridden."""

    def lines(framework):
        for start, end in ((None, None), ("mul", "sub"), ("neg", None), (None, "absent")):
            search, _ = minimizer(framework, "sequential", ("neg",), (), None)
            search.run_nodes(start, end)
            search.print_reports()
            yield in_order([search.results, capsys.readouterr().out])
            yield in_order(sorted(n.name for n in search.minimize(start, end)))
            yield in_order(capsys.readouterr().out)
        base = module(framework, "passes.net_min_base")._MinimizerBase
        for call in (base.run_a, base.run_b):
            yield outcome(lambda c=call, s=search: c(s, s.module, ()))
        yield str(search.settings)

    compare([list(lines(name)) for name in FRAMEWORKS])


def test_graphs_are_drawn_as_by_the_oracle():
    """Nodes, labels and edges, with each setting; without pydot both say what is missing."""
    settings = (
        {},
        {"ignore_getattr": True},
        {"ignore_parameters_and_buffers": True},
        {"skip_node_names_in_args": False},
        {"dot_graph_shape": "box"},
        {"normalize_args": True},
    )

    def lines(framework):
        t, drawer = importlib.import_module(framework), module(framework, "passes.graph_drawer")
        for program, inputs in programs(t):
            for chosen in settings:
                traced = t.fx.symbolic_trace(program)
                for prop in (False, "sizes" not in str(program)):
                    if prop:
                        module(framework, "passes.shape_prop").ShapeProp(traced).propagate(*inputs)
                    yield outcome(
                        lambda m=traced, k=chosen: (
                            drawer.FxGraphDrawer(m, "name", **k).get_dot_graph().to_string()
                        )
                    )

    compare([list(lines(name)) for name in FRAMEWORKS])
