"""Common subexpressions: what is computed twice is computed once."""

from __future__ import annotations

from typing import Any

from ....._ops import ops
from ....graph import Graph
from ....graph_module import GraphModule
from ....node import Node, Target  # noqa: F401  # torch's module has Target
from ...infra.pass_base import PassBase, PassResult

_ops: Any = ops
aten = _ops.aten


def _packets(names: str) -> set[Any]:
    return {getattr(aten, n) for n in names.split() if hasattr(aten, n)}


rand_ops = _packets(
    "dropout _fused_dropout _standard_gamma bernoulli multinomial native_dropout normal poisson "
    "binomial rrelu rand_like rand randint randn randperm"
)
inplace_ops = _packets(
    "add_ sub_ mul_ div_ pow_ lerp_ relu_ sigmoid_ tanh_ clamp_ exp_ sqrt_ neg_ abs_ fill_ zero_ "
    "copy_ masked_fill_ index_put_ scatter_ scatter_add_ index_add_ unsqueeze_ squeeze_ "
    "transpose_ t_ normal_ uniform_ bernoulli_ random_ addmm_ addcmul_ addcdiv_ detach_ set_"
)


def get_CSE_banned_ops() -> set[Any]:
    """Operators whose calls are never the same: random ones, and those that change arguments."""
    return rand_ops | inplace_ops


class CSEPass(PassBase):
    """Calls of one function with the same arguments become one.

    :param banned_ops: operators that are left alone.
    """

    def __init__(self, banned_ops: set[Any] | None = None) -> None:
        self.banned_ops = set() if banned_ops is None else banned_ops
        super().__init__()

    def call(self, graph_module: Any) -> PassResult:
        """The module with the new graph, and whether it is another."""
        modified = False
        graph = Graph()
        env: dict[Node, Node] = {}
        known: dict[Any, Node] = {}
        for n in graph_module.graph.nodes:
            if n.op in ("placeholder", "output", "get_attr") or self._banned(n):
                env[n] = graph.node_copy(n, lambda x: env[x])
                continue
            key = (n.target, _key(n.args, env), _key(n.kwargs, env))
            try:
                before = known.get(key)
            except TypeError:  # an argument that has no hash
                env[n] = graph.node_copy(n, lambda x: env[x])
                continue
            if before is not None:
                modified = True
                env[n] = before
                continue
            env[n] = known[key] = graph.node_copy(n, lambda x: env[x])
        graph._codegen = graph_module.graph._codegen
        return PassResult(GraphModule(graph_module, graph), modified)

    def _banned(self, n: Node) -> bool:
        target: Any = n.target
        return getattr(target, "overloadpacket", None) in self.banned_ops or (
            target in self.banned_ops
        )


def _key(a: Any, env: dict[Any, Node]) -> Any:
    """Nested arguments as something that can be compared; the nodes are those of the new graph."""
    if isinstance(a, Node):
        return env[a]
    if isinstance(a, (list, tuple)):
        return (type(a).__name__, *[_key(x, env) for x in a])
    if isinstance(a, dict):
        return tuple((k, _key(v, env)) for k, v in a.items())
    if isinstance(a, slice):
        return ("slice", *[_key(x, env) for x in (a.start, a.stop, a.step)])
    return (type(a), a)
