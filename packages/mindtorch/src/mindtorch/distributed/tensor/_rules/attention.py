"""Rules of attention: samples and heads are independent."""

from __future__ import annotations

from collections.abc import Iterable

from .._sharding import Call, Choice, sharding_rule
from ..placement_types import Placement, Replicate, Shard

__all__: list[str] = []


@sharding_rule(
    "_scaled_dot_product_flash_attention_for_cpu",
    "_scaled_dot_product_flash_attention_for_cpu_backward",
    "_scaled_dot_product_efficient_attention",
    "_scaled_dot_product_efficient_attention_backward",
)
def _attention(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Cut along samples or heads; a mask has them too, or is the same for all."""
    masks = call.places.get("attn_mask") or call.places.get("attn_bias", [])
    for dim in (0, 1):
        cut: list[Placement] = [Shard(dim), Replicate()]  # the seeds of dropout are the same
        inputs = [cut[not spec.ndim] for spec in call.tensors]
        for i in masks:
            spec = call.tensors[i]
            own = dim - (4 - spec.ndim)
            spread = own < 0 or spec.shape[own] == 1
            inputs[i] = Replicate() if spread else Shard(own)
        outputs = [cut[meta is not None and not meta.shape] for meta in call.metas]
        yield call.choice(outputs, inputs)
