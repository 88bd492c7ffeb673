"""``torch.ao.quantization.fx.tracer``: how models are followed that are to be quantized."""

from __future__ import annotations

from typing import Any

from .... import nn
from ....fx._symbolic_trace import Tracer
from ....fx.proxy import ScopeContextManager
from ...nn.intrinsic.modules.fused import _FusedModule

__all__ = ["QuantizationTracer", "ScopeContextManager"]

#: Where the layers are that are quantized whole.
_LAYERS = ("mindtorch.nn", "mindtorch.ao.nn", "torch.nn", "torch.ao.nn")


class QuantizationTracer(Tracer):
    """A tracer that leaves alone the modules that are to be, and knows where nodes come from."""

    def __init__(self, skipped_module_names: list[str], skipped_module_classes: list[Any]) -> None:
        super().__init__()
        self.skipped_module_names = skipped_module_names
        self.skipped_module_classes = skipped_module_classes
        self.record_stack_traces = True

    def is_leaf_module(self, m: Any, module_qualified_name: str) -> bool:
        """Whether a module is one node: a layer, or one that is to be left alone."""
        layer = m.__module__.startswith(_LAYERS) and not isinstance(m, nn.Sequential)
        return (
            layer
            or module_qualified_name in self.skipped_module_names
            or type(m) in self.skipped_module_classes
            or isinstance(m, _FusedModule)
        )
