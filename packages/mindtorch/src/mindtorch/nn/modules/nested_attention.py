"""Attention of nested tensors to themselves: each sample's own, where nothing is recorded."""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import is_grad_enabled

from ...amp.switches import is_autocast_enabled
from ...backends import mha
from ...core.constants import strided
from ...core.operators import ops
from .. import functional as F

__all__ = ["attend"]


def _why_not(layer: Any, query: Any, key: Any, value: Any, masked: bool) -> str:
    """What torch's one op for the attention of a tensor to itself does not take; empty if all."""
    weight, bias = layer.in_proj_weight, layer.in_proj_bias
    given = (query, weight, bias, layer.out_proj.weight, layer.out_proj.bias)
    found = {
        "torch.backends.mha.get_fastpath_enabled() was not True": not mha.get_fastpath_enabled(),
        f"input not batched; expected query.dim() of 3 but got {query.dim()}": query.dim() != 3,
        "non-self attention was used (query, key, and value are not the same Tensor)": not (
            query is key is value
        ),
        "in_proj_weight was None": weight is None,
        "training is enabled": layer.training,
        "self.num_heads is not even": layer.num_heads % 2 != 0,
        "batch_first was not True": not layer.batch_first,
        "self.bias_k was not None": layer.bias_k is not None,
        "self.bias_v was not None": layer.bias_v is not None,
        "add_zero_attn was enabled": layer.add_zero_attn,
        "_qkv_same_embed_dim was not True": not layer._qkv_same_embed_dim,
        "supplying both src_key_padding_mask and src_mask at the same time"
        f"{' ' * 33}is not supported with NestedTensor input": masked,
        "autocast is enabled": is_autocast_enabled(),
        "some Tensor argument has_torch_function": query.layout is not strided,
        "grad is enabled and at least one of query or the input/output projection weights or "
        "biases requires_grad": is_grad_enabled()
        and any(t is not None and t.requires_grad for t in given),
    }
    for name, other in (("in_proj_bias", bias), ("in_proj_weight", weight)):
        if other is not None and query.dtype is not other.dtype:
            return f"dtypes of query ({query.dtype}) and self.{name} ({other.dtype}) don't match"
    return next((why for why, so in found.items() if so), "")


def attend(
    layer: Any, query: Any, key: Any, value: Any, masked: bool, weighted: bool, averaged: bool
) -> tuple[Any, Any]:
    """Return the attention of each sample to itself as *layer* has it, and the weights, padded.

    Raises AssertionError where torch's op does not take the call: there is no other for them.
    """
    why = _why_not(layer, query, key, value, masked)
    if why:
        raise AssertionError(
            "MultiheadAttention does not support NestedTensor outside of its fast path. "
            f"The fast path was not hit because {why}"
        )
    outputs: list[Any] = []
    weights: list[Any] = []
    for sample in query.unbind():
        output, weight = F.multi_head_attention_forward(
            sample, sample, sample, layer.embed_dim, layer.num_heads, layer.in_proj_weight,
            layer.in_proj_bias, None, None, False, 0.0, layer.out_proj.weight, layer.out_proj.bias,
            training=False, need_weights=weighted, average_attn_weights=averaged,
        )  # fmt: skip
        outputs.append(output)
        weights.append(weight)
    longest = max(len(o) for o in outputs)
    if not weighted:
        return query.of_samples(outputs), None
    padded = [F.pad(w, (0, longest - w.shape[-1]) * 2) for w in weights]
    return query.of_samples(outputs), ops.stack(padded)
