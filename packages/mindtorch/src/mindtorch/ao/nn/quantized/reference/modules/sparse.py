"""``torch.ao.nn.quantized.reference.modules.sparse``: embeddings with rounded weights."""

from __future__ import annotations

from typing import Any

from ...... import nn
from .utils import ReferenceQuantizedModule

__all__ = ["Embedding", "EmbeddingBag"]


class Embedding(nn.Embedding, ReferenceQuantizedModule):
    """An embedding of floats that looks up what the quantized one would."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Any = None,
        device: Any = None,
        dtype: Any = None,
        weight_qparams: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(
            num_embeddings, embedding_dim, padding_idx, max_norm, norm_type, scale_grad_by_freq,
            sparse, _weight, device=device, dtype=dtype,
        )  # fmt: skip
        self._init_weight_qparams(weight_qparams, device)

    def _get_name(self) -> str:
        return "QuantizedEmbedding(Reference)"

    def forward(self, input: Any) -> Any:
        """The rounded rows at *input*."""
        return nn.functional.embedding(
            input, self.get_weight(), self.padding_idx, self.max_norm, self.norm_type,
            self.scale_grad_by_freq, self.sparse,
        )  # fmt: skip

    @classmethod
    def from_float(cls, mod: Any, weight_qparams: dict[str, Any]) -> Any:
        """The layer with the weight of *mod*, and how it is rounded."""
        return cls(
            mod.num_embeddings, mod.embedding_dim, mod.padding_idx, mod.max_norm, mod.norm_type,
            mod.scale_grad_by_freq, mod.sparse, mod.weight.detach(), mod.weight.device,
            mod.weight.dtype, weight_qparams,
        )  # fmt: skip


class EmbeddingBag(nn.EmbeddingBag, ReferenceQuantizedModule):
    """Bags of embeddings of floats that are what the quantized ones would be."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Any = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: Any = None,
        weight_qparams: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(
            num_embeddings, embedding_dim, max_norm, norm_type, scale_grad_by_freq, mode, sparse,
            _weight, include_last_offset, padding_idx, device, dtype,
        )  # fmt: skip
        self._init_weight_qparams(weight_qparams, device)

    def _get_name(self) -> str:
        return "QuantizedEmbedding(Reference)"

    def forward(self, input: Any, offsets: Any = None, per_sample_weights: Any = None) -> Any:
        """What bags of the rounded rows are."""
        return nn.functional.embedding_bag(
            input, self.get_weight(), offsets, self.max_norm, self.norm_type,
            self.scale_grad_by_freq, self.mode, self.sparse, per_sample_weights,
            self.include_last_offset, self.padding_idx,
        )  # fmt: skip

    @classmethod
    def from_float(
        cls, mod: Any, weight_qparams: dict[str, Any], use_precomputed_fake_quant: bool = False
    ) -> Any:
        """The layer with the weight of *mod*, and how it is rounded."""
        return cls(
            mod.num_embeddings, mod.embedding_dim, mod.max_norm, mod.norm_type,
            mod.scale_grad_by_freq, mod.mode, mod.sparse, mod.weight.detach(),
            mod.include_last_offset, mod.padding_idx, mod.weight.device, mod.weight.dtype,
            weight_qparams,
        )  # fmt: skip
