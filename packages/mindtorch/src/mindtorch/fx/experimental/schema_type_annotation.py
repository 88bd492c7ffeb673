"""Types of nodes, from the signatures of what they call."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

from ... import nn
from ...aten import torch
from ..graph_module import GraphModule
from ..interpreter import Transformer

__all__ = ["AnnotateTypesWithSchema"]


class AnnotateTypesWithSchema(Transformer):
    """Gives nodes the type that the signature of what they call says.

    :param annotate_functionals: those that call functions.
    :param annotate_modules: those that call modules.
    :param annotate_get_attrs: those that read attributes.
    """

    def __init__(
        self,
        module: GraphModule,
        annotate_functionals: bool = True,
        annotate_modules: bool = True,
        annotate_get_attrs: bool = True,
    ) -> None:
        super().__init__(module)
        self.annotate_functionals = annotate_functionals
        self.annotate_modules = annotate_modules
        self.annotate_get_attrs = annotate_get_attrs

    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a function."""
        kind = None
        name = getattr(target, "__name__", "")
        functional = getattr(nn.functional, name, None) is target
        if self.annotate_functionals and functional and isinstance(target, FunctionType):
            if getattr(torch, name, None) is not target:
                kind = self._extract_python_return_type(target)
        proxy = super().call_function(target, args, kwargs)
        proxy.node.type = proxy.node.type or kind
        return proxy

    def call_module(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a submodule."""
        submodule = self.fetch_attr(target)
        kind = None
        if self.annotate_modules and hasattr(submodule.__class__, "__name__"):
            name = submodule.__class__.__name__
            if getattr(nn, name, None) is submodule.__class__:
                kind = self._extract_python_return_type(submodule.forward)
        proxy = super().call_module(target, args, kwargs)
        proxy.node.type = proxy.node.type or kind
        return proxy

    def get_attr(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """An attribute."""
        proxy = super().get_attr(target, args, kwargs)
        if self.annotate_get_attrs:
            value: Any = self.module
            for i, atom in enumerate(atoms := target.split(".")):
                if not hasattr(value, atom):
                    raise RuntimeError(f"Node referenced nonextent target {'.'.join(atoms[:i])}!")
                value = getattr(value, atom)
            if isinstance(value, torch.Tensor):
                proxy.node.type = proxy.node.type or type(value)
        return proxy

    def _extract_python_return_type(self, target: Any) -> Any:
        assert callable(target)
        try:
            annotation = inspect.signature(target).return_annotation
        except (ValueError, TypeError):
            return None
        if annotation is inspect.Signature.empty:
            return None
        if isinstance(annotation, str):  # not evaluated yet
            return torch.Tensor if annotation.rpartition(".")[2] == "Tensor" else None
        return annotation
