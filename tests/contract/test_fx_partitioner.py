"""Parts of graphs for several devices: their memory and time are the oracle's."""

from __future__ import annotations

import importlib

from .test_fx_symbolic import compare, outcome, text

FRAMEWORKS = ("torch", "mindtorch")


def parts(framework):
    """A traced module with sizes and seconds, cut into three parts."""
    t = importlib.import_module(framework)
    utils = importlib.import_module(f"{framework}.fx.experimental.partitioner_utils")
    sizes = importlib.import_module(f"{framework}.fx.passes.graph_manipulation")

    class Net(t.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = t.nn.Linear(4, 8), t.nn.Linear(8, 4)
            self.scale = t.nn.Parameter(t.ones(4))

        def forward(self, x):
            a = self.first(x).relu()
            b = self.second(a)
            return b * self.scale + a.sum() + x

    traced = t.fx.symbolic_trace(Net())
    sizes.get_size_of_all_nodes(traced, [t.ones(2, 4)])
    nodes = [n for n in traced.graph.nodes if n.op not in ("placeholder", "get_attr", "output")]
    seconds = {n: utils.NodeLatency(0.5 * i, 2.0 - 0.25 * i) for i, n in enumerate(nodes)}
    made = [utils.Partition(i) for i in range(3)]
    for i, node in enumerate(nodes):
        made[min(i // 3, 2)].add_node(node)
    for above, below in zip(made, made[1:], strict=False):
        above.children.add(below)
        below.parents.add(above)
    return utils, traced, nodes, seconds, made


def test_memory_and_time_of_parts_are_the_oracles():
    """Nodes taken in and left out, the longest ways, transfers, and what is not known."""

    def lines(framework):
        utils, traced, nodes, seconds, made = parts(framework)
        for part in made:
            yield text([str(part), sorted(n.name for n in part.nodes), part.used_mem_bytes])
            yield text(utils.get_latency_of_one_partition(part, seconds))
        mapping = utils.get_partition_to_latency_mapping(made, seconds)
        yield text(sorted((str(part), found) for part, found in mapping.items()))
        for devices in (([], [], []), ([0], [0], [1]), ([0], [1], [2])):
            for part, ids in zip(made, devices, strict=True):
                part.logical_device_ids = ids
            for above, below in ((0, 1), (1, 2), (0, 2), (2, 0)):
                yield text(utils.get_comm_latency_between(made[above], made[below], 8.0))
            yield text(utils.get_latency_of_partitioned_graph(made, mapping, 8.0))
        for node in nodes:
            yield text([utils.get_extra_size_of(node, set()), utils.get_extra_size_of(
                node, set(traced.graph.nodes))])  # fmt: skip
            made[0].remove_node(node)
            yield text([sorted(n.name for n in made[0].nodes), made[0].used_mem_bytes])
        yield text(utils.get_latency_of_one_partition(utils.Partition(9), seconds))
        yield outcome(lambda: utils.get_extra_size_of(traced.graph.output_node(), set()))
        config = utils.PartitionerConfig([utils.Device("a", 10, 0)])
        yield text([config, list(utils.PartitionMode), vars(utils.Partition(3))])

    compare([list(lines(name)) for name in FRAMEWORKS])
