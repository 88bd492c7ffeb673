"""One layer of a transformer, of either kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.module_names import spelled_out
from ...core.operators import ops
from .. import functional as F
from ..functional.multihead import _canonical_mask, _none_or_dtype
from .activation import GELU, ReLU
from .attention import MultiheadAttention
from .dropout import Dropout
from .linear import Linear
from .module import Module
from .normalization import LayerNorm

__all__ = ["TransformerDecoderLayer", "TransformerEncoderLayer"]


def _get_activation_fn(activation: str) -> Callable[[Any], Any]:
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    found: Callable[[Any], Any] = getattr(F, activation)
    return found


@spelled_out("__init__", "__setstate__")
class _Layer(Module):
    """What both kinds share: their parts, the feed-forward block, and self-attention.

    Each attention, and the feed-forward block, has a norm and a dropout of its own.
    """

    __constants__ = ["norm_first"]
    _attentions_: tuple[str, ...]

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Any], Any] = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        where = {"device": device, "dtype": dtype}
        super().__init__()
        options = {"dropout": dropout, "bias": bias, "batch_first": batch_first, **where}
        for name in self._attentions_:
            setattr(self, name, MultiheadAttention(d_model, nhead, **options))
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **where)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **where)
        self.norm_first = norm_first
        blocks = range(1, len(self._attentions_) + 2)
        for i in blocks:
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
            setattr(self, f"norm{i}", norm)
        for i in blocks:
            setattr(self, f"dropout{i}", Dropout(dropout))
        if isinstance(activation, str):
            activation = _get_activation_fn(activation)
        self._activate_by_(activation)

    def _activate_by_(self, activation: Callable[[Any], Any]) -> None:
        self.activation = activation

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if not hasattr(self, "activation"):
            self.activation = F.relu

    def _sa_block(
        self, x: Any, attn_mask: Any, key_padding_mask: Any, is_causal: bool = False
    ) -> Any:
        x = self.self_attn(
            x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, is_causal=is_causal,
            need_weights=False,
        )[0]  # fmt: skip
        return self.dropout1(x)

    def _ff_block(self, x: Any) -> Any:
        x = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return getattr(self, f"dropout{len(self._attentions_) + 1}")(x)


class TransformerEncoderLayer(_Layer):
    """Self-attention and a feed-forward block, each with a residual and a norm.

    :param activation: ``"relu"``, ``"gelu"`` or a function.
    :param norm_first: norms come before the blocks, not after the residuals.
    """

    _attentions_ = ("self_attn",)

    def _activate_by_(self, activation: Callable[[Any], Any]) -> None:
        known = {F.relu: 1, F.gelu: 2, ReLU: 1, GELU: 2}
        layer = next((each for each in (ReLU, GELU) if isinstance(activation, each)), activation)
        self.activation_relu_or_gelu = known.get(layer, 0)
        self.activation = activation

    def forward(
        self,
        src: Any,
        src_mask: Any = None,
        src_key_padding_mask: Any = None,
        is_causal: bool = False,
    ) -> Any:
        padding = _canonical_mask(
            src_key_padding_mask,
            "src_key_padding_mask",
            _none_or_dtype(src_mask),
            "src_mask",
            src.dtype,
        )
        mask = _canonical_mask(src_mask, "src_mask", None, "", src.dtype, False)
        if not src.is_nested and self._at_once_(src) and not self._has_hooks_():
            attention, (norms, blocks) = self.self_attn, self._weights_()
            return ops._transformer_encoder_layer_fwd(
                src, attention.embed_dim, attention.num_heads, *attention._weights_(),
                self.activation_relu_or_gelu == 2, self.norm_first, self.norm1.eps, *norms, *blocks,
                *attention.merge_masks(mask, padding, src),
            )  # fmt: skip
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), mask, padding, is_causal)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(x + self._sa_block(x, mask, padding, is_causal))
        return self.norm2(x + self._ff_block(x))

    def _weights_(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The weights and biases of the norms, and of the feed-forward block."""
        one, two = self.norm1, self.norm2
        first, second = self.linear1, self.linear2
        norms = one.weight, one.bias, two.weight, two.bias
        return norms, (first.weight, first.bias, second.weight, second.bias)

    def _has_hooks_(self) -> bool:
        """Whether somebody wants to hear when a part of the layer is called."""
        parts: list[Module] = [self]
        for part in parts:
            if part._forward_hooks or part._forward_pre_hooks:
                return True
            parts += [p for p in part._modules.values() if p is not None]
        return False

    def _at_once_(self, src: Any) -> bool:
        """Whether one operator does the whole layer; see ``MultiheadAttention._at_once_``."""
        if not self.activation_relu_or_gelu or self.training or self.norm1.eps != self.norm2.eps:
            return False
        attention, (norms, blocks) = self.self_attn, self._weights_()
        return attention._at_once_(src, (*attention._weights_(), *norms, *blocks))


class TransformerDecoderLayer(_Layer):
    """Self-attention, attention to the encoder's memory and a feed-forward block.

    :param activation: ``"relu"``, ``"gelu"`` or a function.
    :param norm_first: norms come before the blocks, not after the residuals.
    """

    _attentions_ = ("self_attn", "multihead_attn")

    def forward(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Any:
        own = tgt_mask, tgt_key_padding_mask, tgt_is_causal
        others = memory, memory_mask, memory_key_padding_mask, memory_is_causal
        x = tgt
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), *own)
            x = x + self._mha_block(self.norm2(x), *others)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(x + self._sa_block(x, *own))
        x = self.norm2(x + self._mha_block(x, *others))
        return self.norm3(x + self._ff_block(x))

    def _mha_block(
        self, x: Any, mem: Any, attn_mask: Any, key_padding_mask: Any, is_causal: bool = False
    ) -> Any:
        x = self.multihead_attn(
            x, mem, mem, attn_mask=attn_mask, key_padding_mask=key_padding_mask,
            is_causal=is_causal, need_weights=False,
        )[0]  # fmt: skip
        return self.dropout2(x)
