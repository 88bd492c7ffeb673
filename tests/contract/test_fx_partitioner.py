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


def test_modules_are_cut_for_devices_as_by_the_oracle():
    """By size and as given, on devices of several sizes: submodules, where they run, errors."""
    devices = (
        [1000],
        [300, 300],
        [500, 300],
        [200, 200, 200],
        [100, 200, 300, 400],
        [250, 250, 250, 250, 250, 250],
        [60, 60],
        [10] * 40,
        [],
        [180, 180, 180, 180, 180],
    )

    modes = ("size_based", {}), ("size_based", {"saturate_host": True}), ("aot_based", {})

    def lines(framework):
        module = importlib.import_module(f"{framework}.fx.experimental.accelerator_partitioner")
        for sizes in devices:
            for mode, more in modes:
                utils, traced, nodes, _, made = parts(framework)
                given = [utils.Device(f"d{i}", 4 * size, i) for i, size in enumerate(sizes)]
                if mode == "aot_based":
                    more = {
                        "node_to_partition_mapping": {
                            node: min(i // 3, 2) for i, node in enumerate(nodes)
                        },
                        "partition_to_logical_device_mapping": {0: [0], 1: [1], 2: [0, 1]},
                    }
                config = utils.PartitionerConfig(given, utils.PartitionMode[mode], **more)

                def cut(traced=traced, config=config):
                    dag, split = module.Partitioner().partition_graph(traced, traced, config)
                    return [split.code, [
                        (str(n), n.input_nodes, n.output_nodes, n.logical_device_ids, n.size_bytes)
                        for n in dag.nodes
                    ]]  # fmt: skip

                yield outcome(cut)

    compare([list(lines(name)) for name in FRAMEWORKS])


def test_parts_are_put_together_as_by_the_oracle():
    """Their order, levels, circles, devices, and two combined."""

    def lines(framework):
        module = importlib.import_module(f"{framework}.fx.experimental.accelerator_partitioner")
        utils, _, nodes, _, made = parts(framework)
        module.reorganize_partitions(made)
        module.get_bfs_level_partition(made)

        def shown():
            return text([
                (str(p), p.bfs_level, sorted(map(str, p.parents)), sorted(map(str, p.children)),
                 p.logical_device_ids, p.used_mem_bytes, module.check_dependency(p))
                for p in made
            ])  # fmt: skip

        yield shown()
        for sizes in ([4000], [1200, 1200], [1500, 100], [100]):
            given = [utils.Device(f"d{i}", size, i) for i, size in enumerate(sizes)]
            yield text(module.get_device_to_partitions_mapping(made, given))
            yield shown()
            placed, left, without = module.get_device_partition_stats(made, given)
            yield text([[(d.name, sorted(map(str, p))) for d, p in placed.items()], left])
            yield text([sorted(map(str, without)), module.get_logical_id_to_device(given)])
            module.reset_partition_device(made)
        module.combine_two_partitions(made[0], made[2], made)
        module.get_bfs_level_partition(made[:0])
        yield shown()
        mapping = module.get_node_to_partition_mapping(made)
        yield text([mapping[node] for node in nodes])

    compare([list(lines(name)) for name in FRAMEWORKS])
