"""Traces with shapes, and passes that are observed: as the oracle does."""

from __future__ import annotations

import copy
import importlib
import re

import pytest

from .test_fx_symbolic import compare, outcome, text

FRAMEWORKS = ("torch", "mindtorch")

#: Functions of one input of shape (3, 2), as source.
FUNCTIONS = """
a.shape[1] * a
a.shape
a.device
t.ones(2, device=a.device) + a
a.view(a.size(0) * a.size(1))
a.foo
a.T.shape[0]
[r for r in a]
len(a)
a.new_zeros(3).size(0)
t.abs(a).size(1)
a if a.size(1) == 2 else -a
a if a.sum() > 0 else -a
a.add_(1)
a[0].size(0)
t.nn.functional.relu(a).dim()
t.nn.functional.relu(a, inplace=True).dim()
t.cat([a, a]).shape[0]
t.where(a > 0, a, a).dim()
t.abs(a).reshape(-1).shape
a.is_cuda
a.dtype
a.size()
a.unknown_method()
t.zeros(a.shape) + t.eye(a.dim()).sum() + t.arange(a.shape[0]).sum() + a
t.nn.ReLU()(a).shape
t.nn.Linear(2, 2)(a)
""".strip().splitlines()


@pytest.mark.filterwarnings("ignore:Could not compute metadata")
@pytest.mark.parametrize("source", FUNCTIONS)
def test_a_trace_with_shapes_is_the_oracles(source):
    """Or its error."""
    texts = []
    for name in FRAMEWORKS:
        t = importlib.import_module(name)
        tracer = importlib.import_module(f"{name}.fx.experimental.meta_tracer")
        function = eval(f"lambda a: {source}", {"t": t})
        for device in ("meta", "cpu"):
            args = {"a": t.ones(3, 2, device=device)}
            texts.append(outcome(lambda m=tracer, f=function, a=args: m.symbolic_trace(f, a).graph))
        texts.append(outcome(lambda m=tracer, f=function: m.symbolic_trace(f, {}).graph))
        texts.append(outcome(lambda m=tracer, f=function: m.symbolic_trace(f).graph))
    half = len(texts) // 2
    compare([texts[:half], texts[half:]])


@pytest.mark.filterwarnings("ignore:Could not compute metadata")
def test_a_module_is_traced_along_shapes():
    """Embeddings, layers and decisions; what cannot be computed warns."""

    def lines(name):
        t = importlib.import_module(name)
        tracer = importlib.import_module(f"{name}.fx.experimental.meta_tracer")

        class Net(t.nn.Module):
            def __init__(self):
                super().__init__()
                t.manual_seed(0)
                self.e, self.n, self.r = t.nn.Embedding(5, 4), t.nn.LayerNorm(4), t.nn.ReLU()

            def forward(self, i):
                x = self.r(self.n(self.e(i)))
                if x.dim() == 3:
                    x = x.reshape(x.shape[0], x.shape[1] * x.shape[2])
                return t.zeros(x.shape[0], x.shape[1]) + x

        ids = t.zeros(2, 3, dtype=t.long, device="meta")
        made = tracer.symbolic_trace(Net(), {"i": ids})
        yield text(made.graph)
        yield text(made(t.tensor([[0, 1, 2], [2, 3, 4]])))
        yield text([sorted(made.graph._tracer_extras), type(made).__name__])
        with pytest.warns(UserWarning, match="Could not compute metadata for call_method"):
            tracer.symbolic_trace(lambda x: x.absent(), {"x": ids})
        w, original = tracer.gen_constructor_wrapper(t.ones)
        yield text([original is t.ones, w(2), tracer.proxys_to_metas(3)])
        layer = t.nn.Embedding(3, 4)
        made = tracer.embedding_override(layer, t.zeros(2, dtype=t.long))
        yield text([made.shape, made.device, len(tracer.manual_meta_overrides)])

    compare([list(lines(name)) for name in FRAMEWORKS])


def passes(t):
    """What passes do to ``(x + 1).relu()``."""

    def put_before(gm):
        node = list(gm.graph.nodes)[1]
        with gm.graph.inserting_before(node):
            made = gm.graph.call_function(t.sin, (gm.graph.call_function(t.neg, node.args[:1]),))
        node.replace_all_uses_with(made)

    def take_out(gm):
        _, node, last, _ = gm.graph.nodes
        last.replace_all_uses_with(node)
        gm.graph.erase_node(last)

    def both(gm):
        put_before(gm)
        gm.graph.eliminate_dead_code()

    def make_and_erase(gm):
        with gm.graph.inserting_before(list(gm.graph.nodes)[1]):
            gm.graph.erase_node(gm.graph.call_function(t.neg, (1,)))

    def change_a_copy(gm):
        put_before(copy.deepcopy(gm))

    def fail(gm):
        raise ValueError("of the pass")

    return put_before, take_out, both, make_and_erase, change_a_copy, fail


def test_passes_are_observed_as_by_the_oracle(tmp_path):
    """What is noted in nodes, drawn (where pydot is installed), and left behind."""

    def lines(name):
        t = importlib.import_module(name)
        observer = importlib.import_module(f"{name}.fx.passes.graph_transform_observer")
        observer = observer.GraphTransformObserver
        begin = observer.get_current_pass_count()
        for i, change in enumerate(passes(t)):
            for folder in (None, tmp_path / f"{name}{i}"):
                gm = t.fx.symbolic_trace(lambda x: (x + 1).relu())
                if folder is not None:
                    folder.mkdir()
                seen = []

                def run(gm=gm, change=change, folder=folder, seen=seen):
                    with observer(gm, "pass", log_url=folder and str(folder)) as watching:
                        change(gm)
                        seen += sorted(getattr(watching, "created_nodes", ()))
                        seen += sorted(getattr(watching, "erased_nodes", ()))

                yield outcome(run)
                yield text(seen)
                for node in gm.graph.nodes:
                    yield re.sub("graph_id=[0-9]+", "", f"{node} {node.meta.get('from_node')}")
                for file in sorted(folder.iterdir()) if folder else ():
                    yield f"{file.name[6:]} {text(file.read_text())}"
                hooks = gm._create_node_hooks, gm._erase_node_hooks, gm._replace_hooks
                yield text([hooks, observer.get_current_pass_count() - begin])
        watching = observer(gm, "pass")
        yield text([watching.apply_gm_pass(lambda m: 5), watching.apply_graph_pass(lambda g: 6)])

    compare([list(lines(name)) for name in FRAMEWORKS])
