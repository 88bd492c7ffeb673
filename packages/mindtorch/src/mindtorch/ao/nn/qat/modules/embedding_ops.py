"""``torch.ao.nn.qat.modules.embedding_ops``: embeddings that round their rows."""

from __future__ import annotations

from typing import Any

from ..... import nn
from .....aten import torch
from ..rounded_weight import checked_qconfig, qconfig_of

__all__ = ["Embedding", "EmbeddingBag"]


def _weight_of(kind: str, qconfig: Any, device: Any, dtype: Any) -> Any:
    """What rounds a weight. Raises AssertionError for another scheme than embeddings have."""
    wanted = torch.per_channel_affine_float_qparams
    qscheme = checked_qconfig(qconfig).weight().qscheme
    assert qscheme == wanted, f"{kind} weights requires a qscheme of {wanted} Got {qscheme}"
    return qconfig.weight(factory_kwargs={"device": device, "dtype": dtype})


class Embedding(nn.Embedding):
    """An embedding whose weight passes through ``weight_fake_quant``.

    :param qconfig: a :class:`QConfig`, whose ``weight`` is used.
    """

    _FLOAT_MODULE = nn.Embedding

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
        qconfig: Any = None,
    ) -> None:
        super().__init__(
            num_embeddings, embedding_dim, padding_idx, max_norm, norm_type, scale_grad_by_freq,
            sparse, _weight, device=device, dtype=dtype,
        )  # fmt: skip
        checked_qconfig(qconfig)
        self.qconfig = qconfig
        self.weight_fake_quant = _weight_of("Embedding", qconfig, device, dtype)

    def forward(self, input: Any) -> Any:
        """The rows that *input* names, rounded."""
        return nn.functional.embedding(
            input,
            self.weight_fake_quant(self.weight),
            self.padding_idx,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.sparse,
        )

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Any:
        """The embedding that has the weight and the ``qconfig`` of *mod*."""
        refusal = f" qat.{cls.__name__}.from_float only works for {cls._FLOAT_MODULE.__name__}"
        assert type(mod) is cls._FLOAT_MODULE, refusal
        qconfig = qconfig_of(mod, cls._FLOAT_MODULE, refusal)
        return cls(
            mod.num_embeddings, mod.embedding_dim, mod.padding_idx, mod.max_norm, mod.norm_type,
            mod.scale_grad_by_freq, mod.sparse, mod.weight, qconfig=qconfig,
        )  # fmt: skip

    def to_float(self) -> Any:
        """The embedding of floats with this weight."""
        made = nn.Embedding(
            self.num_embeddings, self.embedding_dim, self.padding_idx, self.max_norm,
            self.norm_type, self.scale_grad_by_freq, self.sparse, None,
        )  # fmt: skip
        made.weight = nn.Parameter(self.weight.detach())
        made.train(self.training)
        return made


class EmbeddingBag(nn.EmbeddingBag):
    """Sums of rows of an embedding whose weight passes through ``weight_fake_quant``.

    :param qconfig: a :class:`QConfig`, whose ``weight`` is used.
    """

    _FLOAT_MODULE = nn.EmbeddingBag

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
        qconfig: Any = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            num_embeddings, embedding_dim, max_norm, norm_type, scale_grad_by_freq, mode, sparse,
            _weight, include_last_offset, padding_idx, device=device, dtype=dtype,
        )  # fmt: skip
        self.qconfig = checked_qconfig(qconfig)
        self.weight_fake_quant = _weight_of("Embedding Bag", qconfig, device, dtype)

    def forward(self, input: Any, offsets: Any = None, per_sample_weights: Any = None) -> Any:
        """The sums of the rows that *input* names, rounded."""
        return nn.functional.embedding_bag(
            input,
            self.weight_fake_quant(self.weight),
            offsets,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.mode,
            self.sparse,
            per_sample_weights,
            self.include_last_offset,
            self.padding_idx,
        )

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Any:
        """The embedding that has the weight and the ``qconfig`` of *mod*."""
        refusal = f" qat.{cls.__name__}.from_float only works for {cls._FLOAT_MODULE.__name__}"
        assert type(mod) is cls._FLOAT_MODULE, refusal
        qconfig = qconfig_of(mod, cls._FLOAT_MODULE, refusal)
        return cls(
            mod.num_embeddings, mod.embedding_dim, mod.max_norm, mod.norm_type,
            mod.scale_grad_by_freq, mod.mode, mod.sparse, mod.weight, mod.include_last_offset,
            mod.padding_idx, qconfig=qconfig,
        )  # fmt: skip

    def to_float(self) -> Any:
        """The embedding of floats with this weight."""
        made = nn.EmbeddingBag(
            self.num_embeddings, self.embedding_dim, self.max_norm, self.norm_type,
            self.scale_grad_by_freq, self.mode, self.sparse, None, self.include_last_offset,
            self.padding_idx,
        )  # fmt: skip
        made.weight = nn.Parameter(self.weight.detach())
        made.train(self.training)
        return made
