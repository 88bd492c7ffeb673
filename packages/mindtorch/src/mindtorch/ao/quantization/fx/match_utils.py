"""``torch.ao.quantization.fx.match_utils``: where patterns of operators are in a graph."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from mindtorch.nn.utils.parametrize import type_before_parametrizations

from .... import nn
from ....fx.node import Node
from ..utils import MatchAllNode

__all__: list[str] = []


def _is_match(
    modules: dict[str, Any], node: Any, pattern: Any, max_uses: int = sys.maxsize
) -> bool:
    """Whether what leads to *node* is *pattern*: the last operator, and what comes into it.

    What is within a pattern has no use but that.
    """
    own, *inputs = pattern if isinstance(pattern, tuple) else (pattern,)
    if isinstance(own, type) and issubclass(own, MatchAllNode):
        return True
    if not isinstance(node, Node) or len(node.users) > max_uses:
        return False
    if isinstance(own, type) and issubclass(own, nn.Module):
        if node.op != "call_module":
            return False
        if type_before_parametrizations(modules[str(node.target)]) != own:
            return False
    elif callable(own):
        if node.op != "call_function" or node.target is not own:
            return False
        if own is getattr and node.args[1] != pattern[1]:
            return False
    elif isinstance(own, str):
        if node.op != "call_method" or node.target != own:
            return False
    elif node.target != own:
        return False
    if not inputs:
        return True
    if len(inputs) != len(node.args):
        return False
    pairs = zip(node.args, inputs, strict=True)
    return all(_is_match(modules, arg, wanted, 1) for arg, wanted in pairs)


def _length(pattern: Any) -> int:
    """How many operators a pattern is of."""
    return sum(map(_length, pattern)) if isinstance(pattern, tuple) else 1


def longest_first(patterns: dict[Any, Any]) -> dict[Any, Any]:
    """Patterns with the longest ones first, which count before others."""
    order = sorted(patterns, key=_length, reverse=True)
    return {pattern: patterns[pattern] for pattern in order}


def matched_nodes(pattern: Any, node: Any, record: Callable[[Any, Any], bool]) -> Any:
    """The nodes of *pattern* at *node*, arranged as it is.

    *record* is called with each node and its part; where it says False the node is left out.
    """
    found: list[Any] = []
    _collect(pattern, node, record, found)
    if isinstance(pattern, tuple):
        return found[0]
    return found


def _collect(pattern: Any, node: Any, record: Callable[[Any, Any], bool], found: list[Any]) -> None:
    if isinstance(pattern, tuple):
        own, *inputs = pattern
        inner: list[Any] = []
        _collect(own, node, record, inner)
        if own is not getattr:
            for part, arg in zip(inputs, node.args, strict=True):
                _collect(part, arg, record, inner)
        found.append(tuple(inner))
    elif record(node, pattern):
        found.append(node)


def first_root(pattern: Any) -> Any:
    """The node that a pattern of nodes begins with: what comes last in it."""
    if pattern is None:
        return None
    while not isinstance(pattern, Node):
        pattern = pattern[-1]
    return pattern
