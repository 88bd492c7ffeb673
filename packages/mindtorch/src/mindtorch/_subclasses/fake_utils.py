"""``torch._subclasses.fake_utils``: what results share with arguments and among each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import _C
from ..tensor import Tensor
from ..utils._pytree import tree_leaves
from .fake_errors import MetadataMismatchError

__all__ = ["MetadataMismatchError"]


def _memories(tree: Any) -> Iterator[int]:
    """Which memory each tensor of *tree* lies in, of those that have any."""
    for leaf in tree_leaves(tree):
        if isinstance(leaf, Tensor) and _C._has_storage(leaf):
            yield leaf.untyped_storage()._cdata


def outputs_alias_inputs(outputs: Any, inputs: Any) -> bool:
    """Whether a tensor of *outputs* lies in the memory of one of *inputs*."""
    return not set(_memories(inputs)).isdisjoint(_memories(outputs))


def outputs_are_inputs(outputs: Any, inputs: Any) -> bool:
    """Whether a tensor of *outputs* is one of *inputs*."""
    given = {id(t) for t in tree_leaves(inputs) if isinstance(t, Tensor)}
    return any(isinstance(t, Tensor) and id(t) in given for t in tree_leaves(outputs))


def output_alias_each_other(outputs: Any) -> bool:
    """Whether two tensors of *outputs* lie in the same memory."""
    found = list(_memories(outputs))
    return len(set(found)) < len(found)
