"""``torch.jit._get_trace_graph``: the graph of one run, which counters of operations read."""

from __future__ import annotations

from typing import Any

from .both_frameworks import ours, outcome, part, torch


def _agree(program: Any) -> None:
    """The same comes of *program*; torch warns of sizes that it reads besides."""
    (kind, mine), _ = outcome(program, ours)
    assert (kind, mine) == outcome(program, torch)[0]
    assert kind == "value", mine


def _network(t: Any) -> Any:
    nn, f = t.nn, t.nn.functional

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv, self.norm = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)
            self.up = nn.ConvTranspose2d(4, 4, 2, stride=2)
            self.line, self.layers = nn.Linear(4, 2), nn.LayerNorm(2)
            self.attend = nn.MultiheadAttention(4, 2, batch_first=True)
            self.lstm, self.unused = nn.LSTM(4, 4), nn.Linear(2, 2)

        def forward(self, x: Any) -> Any:
            y = f.max_pool2d(self.up(self.norm(self.conv(x)).relu()), 2)
            y = f.adaptive_avg_pool2d(y, 1).flatten(1)
            y = y + self.attend(y[None], y[None], y[None])[0][0]
            y = f.dropout(y, 0.1, self.training)
            z = t.einsum("ij,kj->ik", y, y)
            u = t.cat([y, y], 1) @ t.ones(8, 2)
            w, _ = self.lstm(y[None])
            top, _ = y.topk(2)
            first, second = y.chunk(2, 1)
            found = f.softmax(self.layers(self.line(y)), -1), z, u.mean()
            return (*found, w * 2 + 1, top, first - second)

    return Network().eval()


def _watched(t: Any, module: Any) -> None:
    """Let each module inside open a scope of its name."""

    def enter(name: str) -> Any:
        return lambda *_: t._C._get_tracing_state().push_scope(name)

    def leave(*_: Any) -> None:
        t._C._get_tracing_state().pop_scope()

    for name, child in module.named_modules():
        child.register_forward_pre_hook(enter(name))
        child.register_forward_hook(leave)


def _read(t: Any, graph: Any) -> list[Any]:
    """Kind, scope, and what is known of what goes in and comes out, of each operator.

    Without what torch records of sizes that a program reads: these are numbers here.
    """

    def shown(value: Any) -> Any:
        if value.isCompleteTensor():
            kind = value.type()
            return (kind.sizes(), kind.scalarType(), kind.dim(), kind.kind(), kind.requires_grad())
        if value.node().kind() == "prim::ListConstruct":
            return [shown(v) for v in value.node().inputs()]
        constant = value.toIValue()
        return str(constant) if isinstance(constant, t.device) else constant

    found = []
    for node in graph.nodes():
        made = list(node.outputs())
        of_number = not any(v.isCompleteTensor() and v.type().dim() for v in made)
        if not node.kind().startswith("aten::") or of_number and "mean" not in node.kind():
            continue
        given = [shown(v) for v in node.inputs()]
        if node.kind().rpartition(":")[2] in ("reshape", "view", "zeros"):  # they take sizes
            given = given[:1] if "zeros" not in node.kind() else given[1:]
        found.append((node.kind(), node.scopeName(), given, [shown(v) for v in made]))
    return found


def test_operators_of_a_network_and_their_scopes() -> None:
    def run(t: Any) -> Any:
        t.manual_seed(0)
        network = _network(t)
        _watched(t, network)
        graph, found = part(t, "jit")._get_trace_graph(network, (t.randn(2, 3, 8, 8),))
        state = [v.type().sizes() for v in graph.inputs()]
        ends = [v.type().sizes() for v in graph.return_node().inputsAt(0).node().inputs()]
        return _read(t, graph), state, ends, [tuple(x.shape) for x in found]

    _agree(run)


def test_a_graph_is_printed_as_torch_prints_it() -> None:
    def run(t: Any) -> Any:
        def function(x: Any, y: Any) -> Any:
            return (x + y * 2).sum(1, dtype=t.float64), t.cat([x, y])

        given = t.ones(2, 3), t.ones(2, 3, requires_grad=True)
        graph, _ = part(t, "jit")._get_trace_graph(function, given)
        lines = [line.partition(" #")[0].strip() for line in str(graph).splitlines()]
        return "\n".join(lines).replace(" ", "").replace("y.1", "1")

    _agree(run)


def test_whether_a_trace_is_made() -> None:
    def run(t: Any) -> Any:
        seen = []

        def function(x: Any) -> Any:
            seen.append(t._C._get_tracing_state() is not None)
            return x + 1

        part(t, "jit").trace(function, t.ones(1), check_trace=False)
        part(t, "jit")._get_trace_graph(function, (t.ones(1),))
        function(t.ones(1))
        return seen

    _agree(run)
