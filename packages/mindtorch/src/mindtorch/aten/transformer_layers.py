"""Layers of transformers as one operator: attention of several heads, and a layer of an encoder.

They are what ``nn.MultiheadAttention`` and ``nn.TransformerEncoderLayer`` call where nothing is
trained. Source of checks and texts: torch aten/src/ATen/native/transformers.
"""

from __future__ import annotations

import math
from typing import Any

from ..call.elementwise_meta import not_implemented
from ..call.forms import OutForm
from ..call.row import op
from ..core.dims import size_at
from ..core.operators import of, ops
from .derivatives import not_implemented_for

__all__: list[str] = []

_FLOATS = ("float32", "float64", "float16", "bfloat16")
_EXPLICIT_OUT = OutForm(function=False)


def _heads(qkv: Any, qkv_bias: Any, num_heads: int) -> tuple[Any, Any, Any]:
    """Add the bias, give each head its part, and scale the queries."""
    batch, length, width = qkv.shape[0], qkv.shape[1], size_at(qkv, 2) // 3
    if width % num_heads:
        raise RuntimeError(
            "Expected D % num_head == 0 to be true, but got false.  (Could this error message be "
            "improved?  If so, please report an enhancement request to PyTorch.)"
        )
    if qkv.dtype.name not in _FLOATS:
        raise not_implemented("transform_bias_rescale_qkv", qkv.dtype)
    each = width // num_heads
    parts = (qkv + qkv_bias).view((batch, length, 3, num_heads, each))
    out = parts.permute((2, 0, 3, 1, 4)).contiguous()
    return out[0] * (1.0 / math.sqrt(each)), out[1], out[2]


op(
    "_transform_bias_rescale_qkv(Tensor qkv, Tensor qkv_bias, int num_heads)"
    " -> (Tensor, Tensor, Tensor)",
    says="Return queries, keys and values of each head, the queries divided by the root of their"
    " width, from all of them side by side.",
    composite=_heads,
    kinds={"functional": "backends", "out": "explicit"},
    grad=not_implemented_for("_transform_bias_rescale_qkv", "qkv", "qkv_bias"),
    variants="function",
    out=_EXPLICIT_OUT,
)


def _check(query: Any, key: Any, value: Any, embed_dim: int, num_head: int, *weights: Any) -> None:
    qkv_weight, qkv_bias = weights
    if query.dim() != 3:
        raise RuntimeError(f"expected 3-D `query`, got {query.dim()}-D tensor")
    if query.shape[2] != embed_dim:
        raise RuntimeError(
            f"passed-in embed_dim {embed_dim} didn't match last dim of query {query.shape[2]}"
        )
    for name, tensor in (("key", key), ("value", value)):
        if tensor.dim() != 3:
            raise RuntimeError(f"expected 3-D `{name}`, got {tensor.dim()}-D tensor")
    if not query.shape == key.shape == value.shape:
        raise RuntimeError("expected `query`/`key`/`value` shapes to match")
    if qkv_weight.dim() != 2:
        raise RuntimeError(f"expected 2-D `qkv_weight`, got {qkv_weight.dim()}-D tensor")
    if qkv_weight.shape[0] != 3 * embed_dim:
        raise RuntimeError("expected `qkv_weight` first dim to be 3x embed_dim")
    if qkv_weight.shape[1] != embed_dim:
        raise RuntimeError("expected `qkv_weight` second dim to be embed_Dim")
    if qkv_bias.dim() != 1:
        raise RuntimeError(f"expected 1-D `qkv_bias`, got {qkv_bias.dim()}-D tensor")
    if qkv_bias.shape[0] != 3 * embed_dim:
        raise RuntimeError("expected `qkv_bias` first dim and first dim of query to be equal")
    if embed_dim % num_head:
        raise RuntimeError("`embed_dim` must divide evenly by `num_heads`")


def _projected(query: Any, key: Any, value: Any, weight: Any) -> Any:
    """Queries, keys and values, side by side, without bias."""
    if query is key is value:
        return ops.linear(query, weight)
    parts = weight.chunk(3, 0)
    return ops.cat([ops.linear(t, w) for t, w in zip((query, key, value), parts, strict=True)], 2)


def _attention(
    query: Any, key: Any, value: Any, embed_dim: int, num_head: int, qkv_weight: Any, qkv_bias: Any,
    proj_weight: Any, proj_bias: Any, mask: Any, need_weights: bool, average_attn_weights: bool,
    mask_type: int | None,
) -> tuple[Any, Any]:  # fmt: skip
    _check(query, key, value, embed_dim, num_head, qkv_weight, qkv_bias)
    batch, length, width = query.shape
    q, k, v = ops._transform_bias_rescale_qkv(
        _projected(query, key, value, qkv_weight), qkv_bias, num_head
    )
    scores = q.matmul(k.transpose(-2, -1))
    if mask is None:
        weights = ops.softmax(scores, 3)
    else:
        if mask_type is None:
            raise RuntimeError("Mask Type should be defined")
        if mask.dtype is not ops.bool:
            mask = mask.to(ops.bool)
        weights = ops._masked_softmax(scores, mask, 3, mask_type)
    joined = weights.matmul(v).transpose(1, 2).reshape((batch * length, width))
    out = ops.addmm(proj_bias, joined, proj_weight.t())
    out = ops._unsafe_view(out, (batch, length, out.shape[1]))
    if not need_weights:
        return out, None
    return out, of("mean.dim")(weights, (1,)) if average_attn_weights else weights


_LAYER = "Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias"
op(
    "_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, "
    f"int num_head, {_LAYER}, Tensor? mask=None, bool need_weights=True, "
    "bool average_attn_weights=True, int? mask_type=None) -> (Tensor, Tensor)",
    says="Return the attention of several heads, and the weights, where they are wanted.",
    composite=_attention,
    kinds={"functional": "tensors", "out": "explicit"},
    grad=not_implemented_for(
        "_native_multi_head_attention",
        *("query", "key", "value", "qkv_weight", "qkv_bias", "proj_weight", "proj_bias"),
    ),
    variants="function",
    out=_EXPLICIT_OUT,
    tags=("product", "asks_identity"),
    autocast=("lower precision", ""),
)


def _added(x: Any, other: Any) -> Any:
    """``x + other`` in the dtype of *x*, which autocast lowers: torch adds to *x* itself."""
    return (x + other).to(x.dtype)


def _encoder_layer(
    src: Any, embed_dim: int, num_heads: int, qkv_weight: Any, qkv_bias: Any, proj_weight: Any,
    proj_bias: Any, use_gelu: bool, norm_first: bool, eps: float, norm_weight_1: Any,
    norm_bias_1: Any, norm_weight_2: Any, norm_bias_2: Any, ffn_weight_1: Any, ffn_bias_1: Any,
    ffn_weight_2: Any, ffn_bias_2: Any, mask: Any, mask_type: int | None,
) -> Any:  # fmt: skip
    def first_norm(x: Any) -> Any:
        return ops.layer_norm(x, (embed_dim,), norm_weight_1, norm_bias_1, eps)

    def second_norm(x: Any) -> Any:
        return ops.layer_norm(x, (embed_dim,), norm_weight_2, norm_bias_2, eps)

    x = first_norm(src) if norm_first else src
    x = ops._native_multi_head_attention(
        x, x, x, embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias, mask, False,
        True, mask_type,
    )[0]  # fmt: skip
    x = _added(x, src)
    if not norm_first:
        x = first_norm(x)
    before = x
    if norm_first:
        x = second_norm(x)
    x = ops.linear(x, ffn_weight_1, ffn_bias_1)
    x = ops.linear(ops.gelu(x) if use_gelu else x.relu(), ffn_weight_2, ffn_bias_2)
    x = _added(x, before)
    return x if norm_first else second_norm(x)


op(
    f"_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, {_LAYER}, "
    "bool use_gelu, bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, "
    "Tensor norm_weight_2, Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, "
    "Tensor ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None) -> Tensor",
    says="Return what a layer of a transformer's encoder makes of a batch of sequences.",
    composite=_encoder_layer,
    kinds={"functional": "tensors", "out": "explicit"},
    grad=not_implemented_for(
        "_transformer_encoder_layer_fwd",
        *("src", "qkv_weight", "qkv_bias", "proj_weight", "proj_bias", "norm_weight_1"),
        *("norm_bias_1", "norm_weight_2", "norm_bias_2", "ffn_weight_1", "ffn_bias_1"),
        *("ffn_weight_2", "ffn_bias_2"),
    ),
    variants="function",
    out=_EXPLICIT_OUT,
    tags=("product",),
)
