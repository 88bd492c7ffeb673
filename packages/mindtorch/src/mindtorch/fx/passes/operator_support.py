"""Which nodes a backend supports."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from typing import Any

from .._compatibility import compatibility
from ..node import Node
from .shape_prop import TensorMetadata
from .tools_common import CALLABLE_NODE_OPS, get_node_target

__all__ = [
    "OpSupports", "OperatorSupport", "OperatorSupportBase", "any_chain", "chain",
    "create_op_support",
]  # fmt: skip

SupportedArgumentDTypes = Any
SupportDict = Mapping[str, SupportedArgumentDTypes]

_UNKNOWN = object()


@compatibility(is_backward_compatible=False)
class OperatorSupportBase(abc.ABC):
    """Says of a node whether it is supported."""

    @abc.abstractmethod
    def is_node_supported(self, submodules: Mapping[str, Any], node: Node) -> bool:
        """Whether the node is."""
        raise NotImplementedError


@compatibility(is_backward_compatible=False)
class OperatorSupport(OperatorSupportBase):
    """By the name of what is called, and the dtypes of its arguments.

    :param support_dict: name -> None, for any dtype, or the dtypes of each positional argument and
        of each keyword argument.
    """

    _support_dict: SupportDict

    def __init__(self, support_dict: SupportDict | None = None) -> None:
        self._support_dict = support_dict or {}

    def is_node_supported(self, submodules: Mapping[str, Any], node: Node) -> bool:
        """Whether the node is; only calls can be."""
        if node.op not in CALLABLE_NODE_OPS:
            return True
        limits = self._support_dict.get(get_node_target(submodules, node), _UNKNOWN)
        if limits is None or limits is _UNKNOWN:
            return limits is None
        by_place, by_name = limits
        limited = [
            *zip(node.args, by_place, strict=False),
            *((node.kwargs.get(name), dtypes) for name, dtypes in by_name.items()),
        ]
        return all(
            _get_arg_dtype(arg) in dtypes for arg, dtypes in limited if isinstance(arg, Node)
        )


@compatibility(is_backward_compatible=False)
def create_op_support(is_node_supported: Callable[..., bool]) -> OperatorSupportBase:
    """The answer of a function as an object."""

    class FunctionalOperatorSupport(OperatorSupportBase):
        """Asks the function."""

        def is_node_supported(self, submodules: Mapping[str, Any], node: Node) -> bool:
            return is_node_supported(submodules, node)

    return FunctionalOperatorSupport()


@compatibility(is_backward_compatible=False)
def chain(*op_support: OperatorSupportBase) -> OperatorSupportBase:
    """Supported where all say so."""

    def _chain(submods: Any, node: Node) -> bool:
        return all(x.is_node_supported(submods, node) for x in op_support)

    return create_op_support(_chain)


@compatibility(is_backward_compatible=False)
def any_chain(*op_support: OperatorSupportBase) -> OperatorSupportBase:
    """Supported where one says so."""

    def _any_chain(submods: Any, node: Node) -> bool:
        return any(x.is_node_supported(submods, node) for x in op_support)

    return create_op_support(_any_chain)


@compatibility(is_backward_compatible=False)
class OpSupports:
    """Answers that are often wanted."""

    @classmethod
    def decline_if_input_dtype(cls, dtype: Any) -> OperatorSupportBase:
        """No for nodes with an argument of a dtype."""

        def supported(submodules: Any, node: Node) -> bool:
            return all(_get_arg_dtype(arg) != dtype for arg in node.all_input_nodes)

        return create_op_support(supported)

    @classmethod
    def decline_if_node_in_names(cls, disallow_set: set[str]) -> OperatorSupportBase:
        """No for nodes of these names."""

        def supported(submodules: Any, node: Node) -> bool:
            return node.name not in disallow_set

        return create_op_support(supported)


def _get_arg_dtype(arg: Node) -> Any:
    assert isinstance(arg, Node)
    meta = arg.meta.get("tensor_meta")
    return meta.dtype if isinstance(meta, TensorMetadata) else arg.meta["type"]
