"""Attention of several heads as a layer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindtorch_autograd import is_grad_enabled
from mindtorch_dispatch.modes import DISPATCH

from ...amp.switches import is_autocast_enabled
from ...backends import mha
from ...core import signature as S
from ...core.operators import ops
from .. import functional as F
from .. import init
from ..functional.multihead import _canonical_mask, _none_or_dtype
from ..parameter import Parameter
from .linear import NonDynamicallyQuantizableLinear
from .module import Module
from .nested_attention import attend

__all__ = ["MultiheadAttention"]


def _is_written_down() -> bool:
    """Whether a mode writes what is called into a graph, which is to have the steps."""
    modes = [DISPATCH.at(i) for i in range(len(DISPATCH))]
    return any(getattr(mode, "_writes_graph_", False) for mode in modes)


class MultiheadAttention(Module):
    """Several attentions side by side, each on its part of the projected inputs.

    :param kdim: the width of keys, where it is not *embed_dim*; *vdim* that of values.
    :param add_bias_kv: one more key and value that are learnt.
    :param add_zero_attn: one more key and value that are zero.
    :param batch_first: inputs are (N, L, E), not (L, N, E).

    Raises ValueError or AssertionError for sizes that do not divide.
    """

    __constants__ = ["batch_first"]

    bias_k: Any
    bias_v: Any

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                "embed_dim and num_heads must be greater than 0, "
                f"got embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")

        def fresh(*size: int) -> Parameter:
            return Parameter(ops.empty(size, device=device, dtype=dtype))

        if self._qkv_same_embed_dim:
            self.in_proj_weight = fresh(3 * embed_dim, embed_dim)
            for name in ("q_proj_weight", "k_proj_weight", "v_proj_weight"):
                self.register_parameter(name, None)
        else:
            self.q_proj_weight = fresh(embed_dim, embed_dim)
            self.k_proj_weight = fresh(embed_dim, self.kdim)
            self.v_proj_weight = fresh(embed_dim, self.vdim)
            self.register_parameter("in_proj_weight", None)
        if bias:
            self.in_proj_bias = fresh(3 * embed_dim)
        else:
            self.register_parameter("in_proj_bias", None)
        self.out_proj = NonDynamicallyQuantizableLinear(
            embed_dim, embed_dim, bias=bias, device=device, dtype=dtype
        )
        if add_bias_kv:
            self.bias_k = fresh(1, 1, embed_dim)
            self.bias_v = fresh(1, 1, embed_dim)
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        """Draw the weights anew; the biases are zero."""
        if self._qkv_same_embed_dim:
            init.xavier_uniform_(self.in_proj_weight)
        else:
            init.xavier_uniform_(self.q_proj_weight)
            init.xavier_uniform_(self.k_proj_weight)
            init.xavier_uniform_(self.v_proj_weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)
        if self.bias_k is not None:
            init.xavier_normal_(self.bias_k)
        if self.bias_v is not None:
            init.xavier_normal_(self.bias_v)

    def __setstate__(self, state: dict[str, Any]) -> None:
        state.setdefault("_qkv_same_embed_dim", True)
        super().__setstate__(state)

    def forward(
        self,
        query: Any,
        key: Any,
        value: Any,
        key_padding_mask: Any = None,
        need_weights: bool = True,
        attn_mask: Any = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Any, Any]:
        masks = attn_mask, key_padding_mask
        if query.is_nested or key.is_nested or value.is_nested:
            masked = attn_mask is not None or key_padding_mask is not None
            return attend(self, query, key, value, masked, need_weights, average_attn_weights)
        if (
            query is key is value
            and not any(m.is_floating_point() for m in masks if m is not None)
            and self._at_once_(query, self._weights_())
        ):
            padding = _canonical_mask(
                key_padding_mask, "key_padding_mask", _none_or_dtype(attn_mask), "attn_mask",
                query.dtype,
            )  # fmt: skip
            mask = _canonical_mask(attn_mask, "attn_mask", None, "", query.dtype, False)
            merged, kind = self.merge_masks(mask, padding, query)
            output, weights = ops._native_multi_head_attention(
                query, key, value, self.embed_dim, self.num_heads, *self._weights_(), merged,
                need_weights, average_attn_weights, kind,
            )  # fmt: skip
            return output, weights
        swapped = self.batch_first and query.dim() == 3
        if swapped:  # what was one tensor stays one, so that its projections are one product
            turned: dict[int, Any] = {}
            for x in (query, key, value):
                if id(x) not in turned:
                    turned[id(x)] = x.transpose(1, 0)
            query, key, value = (turned[id(x)] for x in (query, key, value))
        separate: dict[str, Any] = (
            {}
            if self._qkv_same_embed_dim
            else {
                "use_separate_proj_weight": True,
                "q_proj_weight": self.q_proj_weight,
                "k_proj_weight": self.k_proj_weight,
                "v_proj_weight": self.v_proj_weight,
            }
        )
        output, weights = F.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
            **separate,
        )
        if swapped:
            output = output.transpose(1, 0)
        return output, weights

    def merge_masks(
        self, attn_mask: Any, key_padding_mask: Any, query: Any
    ) -> tuple[Any, int | None]:
        """Both masks as one of (N, heads, L, L), and its kind.

        The kind is 2 where *attn_mask* is part of it, 1 for padding alone, None for no mask.
        """
        if attn_mask is None:
            return key_padding_mask, None if key_padding_mask is None else 1
        batch, length, _ = query.shape
        if attn_mask.dim() == 3:
            merged = attn_mask.view(batch, -1, length, length)
        else:
            merged = attn_mask.view(1, 1, length, length).expand(batch, self.num_heads, -1, -1)
        if key_padding_mask is not None:
            padding = key_padding_mask.view(batch, 1, 1, length)
            merged = merged + padding.expand(-1, self.num_heads, -1, -1)
        return merged, 2

    def _weights_(self) -> tuple[Any, ...]:
        """The weights and biases, as the operator takes them."""
        out = self.out_proj
        return self.in_proj_weight, self.in_proj_bias, out.weight, out.bias

    def _at_once_(self, x: Any, weights: Iterable[Any]) -> bool:
        """Whether one operator does the attention of *x* to itself: where nothing is recorded.

        Its softmax is the plain one: a query that sees no key gets NaN, and not zeros as from
        ``scaled_dot_product_attention``.
        """
        if not (
            mha.get_fastpath_enabled()
            and x.dim() == 3
            and not self.training
            and self.batch_first
            and self.num_heads % 2 == 0
            and self._qkv_same_embed_dim
            and self.in_proj_bias is not None
            and self.bias_k is None
            and not self.add_zero_attn
            and x.dtype is self.in_proj_weight.dtype
            and not is_autocast_enabled()
            and not _is_written_down()
        ):
            return False
        given = (x, *weights)
        sig = 0
        for t in given:
            sig |= t._sig_
        if sig & S.META or F.has_torch_function(given if sig & S.FUNCTION else ()):
            return False
        return not (is_grad_enabled() and (sig & S.REQUIRES_GRAD or x.requires_grad))
