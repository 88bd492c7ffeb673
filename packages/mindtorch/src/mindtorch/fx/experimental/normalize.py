"""Calls brought into one form."""

from __future__ import annotations

import operator
from typing import Any

from ...aten import torch
from ..graph_module import GraphModule
from ..interpreter import Transformer
from ..node import Node, Target, map_aggregate  # noqa: F401  # torch's module has Target
from ..operator_schemas import create_type_hint, normalize_function, normalize_module
from ..proxy import Proxy
from .schema_type_annotation import AnnotateTypesWithSchema

__all__ = ["NormalizeArgs", "NormalizeOperators"]


class NormalizeArgs(Transformer):
    """Gives arguments by keyword, with the defaults filled in.

    :param normalize_to_only_use_kwargs: all by keyword; else only those that were.
    """

    def __init__(self, module: GraphModule, normalize_to_only_use_kwargs: bool = True) -> None:
        super().__init__(module)
        self.node_map: dict[Proxy, Node] = {}
        self.normalize_to_only_use_kwargs = normalize_to_only_use_kwargs

    def run_node(self, n: Node) -> Any:
        """A node in its new form."""
        if n.op == "call_function":
            out = self.call_function(n.target, *self.fetch_args_kwargs_from_env(n), *_kinds(n))
        else:
            out = super().run_node(n)
        if n.op == "output":
            return out
        self.node_map[out] = n
        made = out.node
        made.type, made.meta = n.type, n.meta
        return out

    def call_function(
        self,
        target: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        arg_types: Any = None,
        kwarg_types: Any = None,
    ) -> Any:
        """A call of a function."""
        new = normalize_function(
            target, args, kwargs, arg_types, kwarg_types, self.normalize_to_only_use_kwargs
        )
        if new is None:
            return super().call_function(target, args, kwargs)
        args_, kwargs_ = self.tracer.create_arg(new.args), self.tracer.create_arg(new.kwargs)
        return self.tracer.create_proxy("call_function", target, args_, kwargs_)

    def call_module(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a submodule."""
        new = normalize_module(self.module, target, args, kwargs, self.normalize_to_only_use_kwargs)
        if new is None:
            return super().call_module(target, args, kwargs)
        return super().call_module(target, new.args, new.kwargs)


def _kinds(n: Node) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The types of a node's arguments, as far as they are known."""

    def kind(arg: Any) -> Any:
        return arg.meta.get("type") if isinstance(arg, Node) else type(arg)

    found: Any = map_aggregate(n.args, kind)
    return tuple(map(create_type_hint, found)), {k: kind(v) for k, v in n.kwargs.items()}


class NormalizeOperators(AnnotateTypesWithSchema):
    """Functions of torch become the operators of Python that do the same."""

    binary_magic_method_remap: dict[Any, Any] = {
        torch.add: operator.add,
        torch.mul: operator.mul,
        torch.sub: operator.sub,
        torch.div: operator.truediv,
        torch.floor_divide: operator.floordiv,
        torch.remainder: operator.mod,
        torch.eq: operator.eq,
        torch.ne: operator.ne,
        torch.lt: operator.lt,
        torch.le: operator.le,
        torch.gt: operator.gt,
        torch.ge: operator.ge,
    }

    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a function."""
        if target in self.binary_magic_method_remap:
            if len(args) != 2:
                return super().call_function(target, args, kwargs)
            return super().call_function(self.binary_magic_method_remap[target], args, {})
        return super().call_function(target, args, kwargs)
