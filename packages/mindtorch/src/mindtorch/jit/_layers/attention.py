"""Attention."""

from __future__ import annotations

from ..._ops import ops
from ...aten import torch
from ...tensor import Tensor
from .layer import Layer, stand_for_layers

aten = ops.aten


class MultiheadAttention(Layer):
    bias_k: Tensor | None
    bias_v: Tensor | None

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        batched = query.dim() == 3
        if not batched:
            query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
            if key_padding_mask is not None:
                key_padding_mask = key_padding_mask.unsqueeze(0)
        elif self.batch_first:
            query, key, value = query.transpose(1, 0), key.transpose(1, 0), value.transpose(1, 0)
        q, k, v = self._projected(query, key, value)
        length, samples = q.size(0), q.size(1)
        bias_k, bias_v = self.bias_k, self.bias_v
        mask = self._masked(attn_mask, key_padding_mask, q, is_causal)
        if bias_k is not None and bias_v is not None:
            k = aten.cat([k, bias_k.repeat(1, samples, 1)])
            v = aten.cat([v, bias_v.repeat(1, samples, 1)])
            if mask is not None:
                mask = aten.pad(mask, [0, 1])
        heads, size = self.num_heads, self.head_dim
        q = q.reshape(length, samples * heads, size).transpose(0, 1)
        k = k.reshape(k.size(0), samples * heads, size).transpose(0, 1)
        v = v.reshape(v.size(0), samples * heads, size).transpose(0, 1)
        if self.add_zero_attn:
            zeros = aten.zeros([samples * heads, 1, size], dtype=k.dtype, device=k.device)
            k, v = aten.cat([k, zeros], 1), aten.cat([v, zeros], 1)
            if mask is not None:
                mask = aten.pad(mask, [0, 1])
        dropout = self.dropout if self.training else 0.0
        weights: Tensor | None = None
        if need_weights:
            scaled = q * (1.0 / float(size)) ** 0.5
            scores = aten.bmm(scaled, k.transpose(-2, -1))
            if mask is not None:
                scores = scores + mask.expand(samples, heads, -1, -1).reshape(scores.size())
            shares = scores.softmax(-1)
            if dropout > 0.0:
                shares = aten.dropout(shares, dropout, True)
            found = aten.bmm(shares, v).transpose(0, 1).contiguous()
            kept = shares.view(samples, heads, length, k.size(1))
            if average_attn_weights:
                kept = kept.mean(1)
            if not batched:
                kept = kept.squeeze(0)
            weights = kept
        else:
            q = q.view(samples, heads, length, size)
            k = k.view(samples, heads, k.size(1), size)
            v = v.view(samples, heads, v.size(1), size)
            found = aten.scaled_dot_product_attention(q, k, v, mask, dropout, False)
            found = found.permute(2, 0, 1, 3).contiguous()
        found = found.view(length * samples, self.embed_dim)
        found = aten.linear(found, self.out_proj.weight, self.out_proj.bias)
        found = found.view(length, samples, found.size(1))
        if not batched:
            found = found.squeeze(1)
        elif self.batch_first:
            found = found.transpose(1, 0)
        return found, weights

    def _projected(
        self, query: Tensor, key: Tensor, value: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        bias = self.in_proj_bias
        size = self.embed_dim
        if self._qkv_same_embed_dim:
            w = self._same_weight()
            q_weight, k_weight, v_weight = w[:size], w[size : 2 * size], w[2 * size :]
        else:
            q_weight, k_weight, v_weight = self._own_weights()
        if bias is None:
            return (
                aten.linear(query, q_weight),
                aten.linear(key, k_weight),
                aten.linear(value, v_weight),
            )
        return (
            aten.linear(query, q_weight, bias[:size]),
            aten.linear(key, k_weight, bias[size : 2 * size]),
            aten.linear(value, v_weight, bias[2 * size :]),
        )

    def _same_weight(self) -> Tensor:
        weight = self.in_proj_weight
        assert weight is not None
        return weight

    def _own_weights(self) -> tuple[Tensor, Tensor, Tensor]:
        q, k, v = self.q_proj_weight, self.k_proj_weight, self.v_proj_weight
        assert q is not None
        assert k is not None
        assert v is not None
        return q, k, v

    def _added(self, mask: Tensor, like: Tensor) -> Tensor:
        """A mask as what is added to the scores."""
        if mask.dtype != torch.bool:
            return mask.to(like.dtype)
        return aten.zeros_like(mask, dtype=like.dtype).masked_fill_(mask, float("-inf"))

    def _masked(
        self,
        attn_mask: Tensor | None,
        key_padding_mask: Tensor | None,
        like: Tensor,
        is_causal: bool,
    ) -> Tensor | None:
        """Both masks as one that is added to scores of (samples, heads, length, length)."""
        found: Tensor | None = None
        if is_causal and attn_mask is None:
            raise RuntimeError(
                "Need attn_mask if specifying the is_causal hint. Use the Transformer module "
                "method "
                "`generate_square_subsequent_mask` to create this mask."
            )
        samples = like.size(1)
        if attn_mask is not None:
            added = self._added(attn_mask, like)
            if added.dim() == 2:
                found = added.unsqueeze(0).unsqueeze(0)
            else:
                found = added.view(samples, self.num_heads, added.size(1), added.size(2))
        if key_padding_mask is not None:
            left_out = self._added(key_padding_mask, like)
            padding = left_out.view(samples, 1, 1, left_out.size(1))
            if found is None:
                found = padding
            else:
                found = found + padding
        return found


class NonDynamicallyQuantizableLinear(Layer):
    def forward(self, input: Tensor) -> Tensor:
        return aten.linear(input, self.weight, self.bias)


stand_for_layers(globals())
