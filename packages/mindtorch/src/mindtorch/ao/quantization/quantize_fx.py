"""``torch.ao.quantization.quantize_fx``: models that are quantized by their graphs."""

from __future__ import annotations

from typing import Any

from ...core.unavailable import offer_listed
from ...fx import symbolic_trace
from ...fx.graph_module import GraphModule
from .backend_config import BackendConfig
from .fx.custom_config import FuseCustomConfig
from .fx.fuse import as_config, fuse

__all__ = ["attach_preserved_attrs_to_model", "fuse_fx"]


def attach_preserved_attrs_to_model(model: Any, preserved_attrs: dict[str, Any]) -> None:
    """Give *model* attributes, which are kept when it is converted."""
    model.meta[_KEPT] = dict(preserved_attrs)
    for name, value in preserved_attrs.items():
        setattr(model, name, value)


_KEPT = "_user_preserved_attributes"


def fuse_fx(
    model: Any,
    fuse_custom_config: FuseCustomConfig | dict[str, Any] | None = None,
    backend_config: BackendConfig | dict[str, Any] | None = None,
) -> GraphModule:
    """The graph of *model* with one layer where a backend computes several at once.

    :param model: in evaluation.
    :param fuse_custom_config: which attributes are kept.
    :param backend_config: what becomes one; torch's own kernels by default.
    """
    custom = as_config(fuse_custom_config, FuseCustomConfig, "fuse_custom_config", "fuse_fx")
    kept = {n: getattr(model, n) for n in custom.preserved_attributes if hasattr(model, n)}
    traced = symbolic_trace(model)
    for node in traced.graph.nodes:
        if not hasattr(node, "meta"):
            node.meta = {}
    fused = fuse(traced, False, custom, backend_config)
    attach_preserved_attrs_to_model(fused, kept)
    return fused


offer_listed(globals())
