"""Searches for the nodes to blame: one by one, by halves, in blocks."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from ..node import Node
from .tools_common import NodeList, NodeSet

__all__ = ["MinimizerSearches"]

_LOGGER = logging.getLogger(f"{__package__}.net_min_base")


class MinimizerSearches:
    """How ``_MinimizerBase`` goes through nodes; it says which of them are to blame.

    Each search leaves reports, and gives the nodes that it found. ``_MinimizerBase`` defines
    ``_blamed`` and ``_is_numeric``, which compare results.
    """

    settings: Any
    exclusion_fn: Any
    fusions: dict[Node, NodeSet]
    reports: list[list[str]]
    iteration: int

    def _blamed(
        self, nodes: Iterable[Node], outputs: list[str], report_idx: int = -1
    ) -> Exception | None:
        """The error of these nodes as a submodule; None where both ways agree."""
        raise NotImplementedError

    def _is_numeric(self, error: Exception | None) -> bool:
        """Whether *error* says that results differ, not that a way raised."""
        raise NotImplementedError

    def _new_report(self, *lines: str) -> list[str]:
        """A report that stands with the others."""
        report = list(lines)
        self.reports.append(report)
        return report

    def _left(self, nodes: NodeList, start: int = -1, end: int = -1) -> NodeList:
        """The nodes without those that are excluded."""
        if self.exclusion_fn is not None:
            self.exclusion_fn(nodes, start, end)
        return nodes

    def print_report(self, report: list[str]) -> None:
        """Print the lines of a report."""
        for i, line in enumerate(report):
            print(f" . {line}" if i else line)

    def _binary_search_impl(self, all_nodes: NodeList, start_idx: int, end_idx: int) -> NodeSet:
        """The nodes of a part to blame: of its first half, else of its second."""
        nodes = self._left(all_nodes[start_idx:end_idx], start_idx, end_idx)
        if not nodes:
            self._new_report("All nodes are excluded by user")
            return set()
        self.iteration += 1
        report = self._new_report(
            f"Binary search iteration {self.iteration}",
            f"From node index {start_idx}:{nodes[0].name} to {end_idx - 1}:{nodes[-1].name}. "
            f"Size of the interested node list is {len(nodes)}",
        )
        if self._blamed(nodes, [nodes[-1].name]) is None:
            report.append("No discrepancy found.")
            self.print_report(report)
            return set()
        if len(nodes) == 1:
            report.append(
                "This is the last node in the sub-module. Search in the current branch is "
                f"successful with culprit = {set(nodes)}."
            )
            self.print_report(report)
            return set(nodes)
        report.append(
            "Proceed to split and lower the halves of the current sub-module individually."
        )
        self.print_report(report)
        middle = start_idx + len(nodes) // 2
        found: NodeSet = set()
        for start, end in ((start_idx, middle), (middle, end_idx)):
            if not found or self.settings.find_all:
                found = self._binary_search_impl(all_nodes, start, end)
        if not found:
            report.append(
                "Further split and lowering found no errors. Unable to minimize the submodule "
                f"with list of nodes: {nodes}"
            )
            self.print_report(report)
        return found

    def _binary_traverse(self, nodes: NodeList) -> NodeSet:
        """Search by halves."""
        return self._binary_search_impl(nodes, 0, len(nodes))

    def _sequential_traverse(self, nodes: NodeList) -> NodeSet:
        """Try the nodes one by one."""
        found: NodeSet = set()
        for node in nodes:
            self.iteration += 1
            report = self._new_report(
                f"Sequential traverse iteration {self.iteration}.", f"Visit node: {node.name}"
            )
            _LOGGER.info("Visit node: %s", node.name)
            if not self._left([node]):
                report.append(f"User exclusion : {node.name}")
                self.print_report(report)
                if self.settings.find_all:
                    continue
                return found
            together = self.fusions.get(node, {node})
            error = self._blamed(together, [node.name])
            if self._is_numeric(error):
                found.add(node)
                report.append(f"Found culprit from numeric error: {node}")
            elif error is not None:
                found |= together
                report.append(f"Found culprit from run error: {node}")
            self.print_report(report)
            if error is not None and not self.settings.find_all:
                break
        return found

    def _block_traverse_impl(
        self, nodes: NodeList, start_idx: int, end_idx: int, find_last_node: bool
    ) -> int | None:
        """The place of the last node of a block that is to blame, or of its first."""
        middle = (start_idx + end_idx) // 2
        tried = self._left(nodes[: middle + 1] if find_last_node else nodes[middle:])
        if not tried:
            self._new_report("All nodes are excluded by user")
            return None
        word, target = ("last", tried[-1]) if find_last_node else ("first", tried[0])
        self.iteration += 1
        report = self._new_report(
            "=" * 30,
            f"Block search iteration {self.iteration}",
            f"Search for {word} node in culprits",
            f"From node index {start_idx}:{nodes[start_idx].name} to "
            f"{end_idx}:{nodes[end_idx].name}. ",
            f"Subgraph constructed by {tried[0].name} to {tried[-1].name}",
            f"Targeting node: {target.name}",
            f"Size of the interested node list is {end_idx - start_idx + 1}",
        )
        blamed = self._blamed(tried, [tried[-1].name], len(self.reports) - 1) is not None
        if blamed:
            report.append(f"Culprits found from node {tried[0].name} to {tried[-1].name}.")
        else:
            report.append(f"Culprits not found from node start to {middle}:{nodes[middle].name}.")
        if start_idx < end_idx:
            report.append(
                "Proceed to split and lower the halves of the current sub-module individually."
            )
            self.print_report(report)
            if blamed == find_last_node:
                return self._block_traverse_impl(nodes, start_idx, middle, find_last_node)
            return self._block_traverse_impl(nodes, middle + 1, end_idx, find_last_node)
        beside = start_idx + (1 if find_last_node else -1)
        if not blamed and 0 <= beside < len(nodes):
            return beside  # with the node beside it they differed
        if blamed:
            report += [
                "This is the last node in the sub-module. ",
                "Search in the current branch is successful with node :",
                f"{start_idx}, node name: {nodes[start_idx].name}.",
            ]
        else:
            report.append(f"At {word} node, no culprits found.")
        self.print_report(report)
        return start_idx if blamed else None

    def _block_traverse(self, nodes: NodeList, find_last_node: bool | None) -> NodeSet:
        """Find the last node to blame, and the first: what lies between them is."""
        report = self._new_report(f"Block search from {nodes[0].name} to {nodes[-1].name}")
        report.append("*" * 50)
        first, last = 0, len(nodes) - 1
        if find_last_node is not False:
            report.append("Start searching for last node in culprit")
            self.print_report(report)
            found = self._block_traverse_impl(nodes, first, last, True)
            if found is None:
                return self._no_block(report)
            last = found
            report += ["Finish Pass 1", f"Find end_idx = {last}:{nodes[last].name}"]
            self.print_report(report)
        if find_last_node is not True:
            second = ["Start searching for first node in culprit"]
            self.print_report(second)
            found = self._block_traverse_impl(nodes, first, last, False)
            if found is None:
                return self._no_block(report)
            first = found
            second += ["*" * 50, "Finish Pass 2", f"Find start_idx = {first}:{nodes[first].name}"]
            self.reports.append(second)
            self.print_report(second)
        whole = f"Finish searching, found minimum block ({nodes[first]},{nodes[last]})"
        self.print_report(self._new_report(whole))
        return set(nodes[first : last + 1])

    def _no_block(self, report: list[str]) -> NodeSet:
        report.append("No culprits found")
        self.print_report(report)
        return set()

    def _defined_traverse(self, nodes: NodeList) -> NodeSet:
        """Try all nodes as one."""
        head = f"Defined graph from {nodes[0].name} to {nodes[-1].name}"
        tried = self._left(list(nodes))
        if not tried:
            self._new_report("All nodes are excluded by user")
            return set()
        report = [head]
        if self._blamed(tried, [nodes[-1].name]) is not None:
            report.append(f"Found culprit {set(tried)}")
        self.print_report(report)
        return set()

    def _accumulate_traverse(self, nodes: NodeList) -> NodeSet:
        """Try the first node, the first two, and so on."""
        if self.settings.find_all:
            print("'Find All' mode is not supported in accumulate traversal.")
            return set()
        tried: NodeList = []
        for node in nodes:
            self.iteration += 1
            report = self._new_report(
                f"Accumulate traverse iteration {self.iteration}.", f"Add node: {node.name}"
            )
            tried.append(node)
            blamed = self._blamed(tried, [node.name]) is not None
            if blamed:
                report.append(f"Found culprit {node}")
            self.print_report(report)
            if blamed:
                return {node}
        return set()

    def _skip_traverse_impl(self, all_nodes: NodeList, start_idx: int, end_idx: int) -> NodeSet:
        """The nodes of a part, if they are to blame together."""
        nodes = self._left(all_nodes[start_idx:end_idx], start_idx, end_idx)
        self.iteration += 1
        report = self._new_report(
            f" Nodes block {self.iteration}.",
            f"From node index {start_idx} to {end_idx - 1}. Size of the interested node list is "
            f"{len(nodes)}",
        )
        if not nodes:
            return set()
        error = self._blamed(nodes, [nodes[-1].name])
        if error is None:
            report.append("No discrepancy found.")
        else:
            numeric = self._is_numeric(error)
            report.append(
                f"Found culprit from {'numeric' if numeric else 'run'} error: {set(nodes)}"
            )
        self.print_report(report)
        return set() if error is None else set(nodes)

    def _skip_traverse(self, all_nodes: NodeList, skip_nodes: list[str]) -> NodeSet:
        """Try what lies between the nodes that are skipped."""
        skipped = [i for i, node in enumerate(all_nodes) if node.name in skip_nodes]
        ends = [-1, *skipped, len(all_nodes)]
        found: NodeSet = set()
        for before, after in zip(ends, ends[1:], strict=False):
            if after - before > 1:
                found = self._skip_traverse_impl(all_nodes, before + 1, after)
        return found
