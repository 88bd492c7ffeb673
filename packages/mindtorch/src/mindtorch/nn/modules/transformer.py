"""Transformers: stacks of layers, and both stacks together."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

from ...core.operators import ops
from ...core.warning import warn, warn_nested
from ...tensor import Tensor as Tensor
from .. import functional as F
from .. import init
from ..functional.multihead import _canonical_mask, _none_or_dtype
from ..init import xavier_uniform_ as xavier_uniform_
from .attention import MultiheadAttention as MultiheadAttention
from .container import ModuleList
from .dropout import Dropout as Dropout
from .linear import Linear as Linear
from .module import Module
from .normalization import LayerNorm
from .transformer_layers import TransformerDecoderLayer, TransformerEncoderLayer
from .transformer_layers import _get_activation_fn as _get_activation_fn

__all__ = ["Transformer", "TransformerDecoder", "TransformerEncoder"]


def _generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Any:
    """A mask that lets each position see itself and those before it."""
    return ops.triu(ops.full((sz, sz), -math.inf, dtype=dtype, device=device), 1)


def _detect_is_causal_mask(
    mask: Any, is_causal: bool | None = None, size: int | None = None
) -> bool:
    """Whether *mask* is the causal one; looked up where the caller does not say."""
    if is_causal is not None or mask is None:
        return is_causal is True
    n = mask.size(0) if size is None else size
    causal = _generate_square_subsequent_mask(n, mask.device, mask.dtype)
    return mask.size() == causal.size() and bool((mask == causal).all())


def _get_seq_len(src: Any, batch_first: bool) -> int | None:
    """The number of positions of *src*, with a batch or without."""
    sizes = src.size()
    places: int = sizes[1 if batch_first and len(sizes) != 2 else 0]
    return places


def _get_clones(module: Module, N: int) -> ModuleList:
    """*N* copies of *module*."""
    return ModuleList([copy.deepcopy(module) for _ in range(N)])


def _leaves_padding_out(layer: Any) -> bool:
    """Whether padded positions of this layer need not be computed; warns if not, and says why."""
    reason = "was not TransformerEncoderLayer"
    if isinstance(layer, TransformerEncoderLayer):
        attention = layer.self_attn
        hints = {
            ".norm_first was True": layer.norm_first,
            ".self_attn.batch_first was not True(use batch_first for better inference "
            "performance)": not attention.batch_first,
            ".self_attn._qkv_same_embed_dim was not True": not attention._qkv_same_embed_dim,
            ".self_attn was passed bias=False": attention.in_proj_bias is None,
            ".activation_relu_or_gelu was not True": not layer.activation_relu_or_gelu,
            ".norm1.eps was not equal to encoder_layer.norm2.eps": layer.norm1.eps
            != layer.norm2.eps,
            ".self_attn.num_heads is odd": attention.num_heads % 2,
        }
        reason = next((text for text, holds in hints.items() if holds), "")
        if not reason:
            return True
    else:
        reason = " " + reason
    warn(
        "enable_nested_tensor is True, but self.use_nested_tensor is False because encoder_layer"
        + reason
    )
    return False


class TransformerEncoder(Module):
    """Copies of one encoder layer, one after the other.

    :param enable_nested_tensor: positions of padding at the ends of samples give zeros where
        nothing is recorded, as torch's nested tensors do.
    :param mask_check: look whether padding is at the ends; else it is taken for granted.
    """

    __constants__ = ["norm"]

    def __init__(
        self,
        encoder_layer: TransformerEncoderLayer,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        self.layers = _get_clones(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        self.use_nested_tensor = enable_nested_tensor and _leaves_padding_out(encoder_layer)
        self.mask_check = mask_check

    def forward(
        self, src: Any, mask: Any = None, src_key_padding_mask: Any = None,
        is_causal: bool | None = None,
    ) -> Any:  # fmt: skip
        padding = _canonical_mask(
            src_key_padding_mask, "src_key_padding_mask", _none_or_dtype(mask), "mask", src.dtype
        )
        mask = _canonical_mask(mask, "mask", None, "", src.dtype, False)
        batch_first = self.layers[0].self_attn.batch_first
        is_causal = _detect_is_causal_mask(mask, is_causal, _get_seq_len(src, batch_first))
        left_out = None
        if padding is not None and mask is None:
            left_out = self._left_out_(src, padding != 0)
        if left_out is not None:
            padding = left_out
        x = src
        for layer in self.layers:
            x = layer(x, src_mask=mask, is_causal=is_causal, src_key_padding_mask=padding)
        if left_out is not None:
            x = x.masked_fill(left_out.unsqueeze(-1), 0.0)
        return x if self.norm is None else self.norm(x)

    def _left_out_(self, src: Any, padded: Any) -> Any:
        """A mask of the positions that are not computed, the last ones; None: all are computed.

        torch leaves them out by a nested tensor, and says so. Raises RuntimeError where there is
        nothing but padding.
        """
        if not (self.use_nested_tensor and padded.dim() == 2 and self.layers[0]._at_once_(src)):
            return None
        if self.mask_check and bool((padded[:, 1:] < padded[:, :-1]).any()):
            return None
        warn_nested()
        if bool(padded.all()):
            raise RuntimeError(
                "to_padded_tensor: at least one constituent tensor should have non-zero numel"
            )
        places = ops.arange(padded.size(1), device=padded.device)
        return places >= padded.logical_not().sum(1, keepdim=True)


class TransformerDecoder(Module):
    """Copies of one decoder layer, one after the other."""

    __constants__ = ["norm"]

    def __init__(
        self, decoder_layer: TransformerDecoderLayer, num_layers: int, norm: Module | None = None
    ) -> None:
        super().__init__()
        self.layers = _get_clones(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Any:
        batch_first = self.layers[0].self_attn.batch_first
        tgt_is_causal = _detect_is_causal_mask(
            tgt_mask, tgt_is_causal, _get_seq_len(tgt, batch_first)
        )
        x = tgt
        for layer in self.layers:
            x = layer(
                x,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=tgt_is_causal,
                memory_is_causal=memory_is_causal,
            )
        return x if self.norm is None else self.norm(x)


class Transformer(Module):
    """An encoder, and a decoder that attends to what it gives.

    Raises RuntimeError for batches or widths that do not fit.
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Any], Any] = F.relu,
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        where = {"device": device, "dtype": dtype}
        super().__init__()
        shape = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps)
        order = (batch_first, norm_first, bias)
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            first = TransformerEncoderLayer(*shape, *order, **where)
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
            self.encoder = TransformerEncoder(first, num_encoder_layers, norm)
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            second = TransformerDecoderLayer(*shape, *order, **where)
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
            self.decoder = TransformerDecoder(second, num_decoder_layers, norm)
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def _reset_parameters(self) -> None:
        """Draw all matrices anew."""
        for p in self.parameters():
            if p.dim() > 1:
                init.xavier_uniform_(p)

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Any:
        """The mask (sz, sz) under which a position sees itself and those before it."""
        return _generate_square_subsequent_mask(sz, device, dtype)

    def forward(
        self,
        src: Any,
        tgt: Any,
        src_mask: Any = None,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        src_key_padding_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Any:
        if src.dim() == 3:
            batch = 0 if self.batch_first else 1
            if src.size(batch) != tgt.size(batch):
                raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(
            src,
            mask=src_mask,
            src_key_padding_mask=src_key_padding_mask,
            is_causal=src_is_causal,
        )
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )
