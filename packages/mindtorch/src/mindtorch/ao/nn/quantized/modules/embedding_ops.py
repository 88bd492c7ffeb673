"""``torch.ao.nn.quantized.modules.embedding_ops``: embeddings whose tables hold bytes."""

from __future__ import annotations

from typing import Any

from ..... import nn
from ....._ops import ops
from .....aten import torch
from ...qat.modules import embedding_ops as qat
from .utils import WeightedQuantizedModule, _hide_packed_params_repr, _quantize_weight

__all__ = ["Embedding", "EmbeddingBag", "EmbeddingPackedParams"]


class EmbeddingPackedParams(nn.Module):
    """The table ``[num_embeddings, embedding_dim]`` of an embedding, packed for look-ups.

    Raises NotImplementedError for another *dtype* than ``torch.quint8``.
    """

    _version = 1

    def __init__(self, num_embeddings: int, embedding_dim: int, dtype: Any = torch.quint8) -> None:
        super().__init__()
        _check_dtype(dtype)
        self.dtype = dtype
        self.set_weight(_empty_table(num_embeddings, embedding_dim, dtype))

    def set_weight(self, weight: Any) -> None:
        """Pack *weight*, a table with a scale and a zero point for each row."""
        self._packed_weight = ops.quantized.embedding_bag_prepack(weight)

    def _weight(self) -> Any:
        return ops.quantized.embedding_bag_unpack(self._packed_weight)

    def forward(self, x: Any) -> Any:
        """*x*."""
        return x

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "dtype"] = self.dtype
        destination[prefix + "_packed_weight"] = self._weight()

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        self.dtype = state_dict.pop(prefix + "dtype")
        self.set_weight(state_dict.pop(prefix + "_packed_weight"))
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, False, missing_keys, unexpected_keys, error_msgs
        )

    def __repr__(self) -> str:
        return repr(self._weight())


def _check_dtype(dtype: Any) -> None:
    if dtype == torch.quint4x2:
        raise NotImplementedError("mindtorch has no tensors of quint4x2: use quint8")
    if dtype != torch.quint8:
        raise NotImplementedError(
            "Unsupported dtype on quantized embedding! Supports quint8 and quint4x2. Got dtype: "
            f"{dtype}"
        )


def _empty_table(rows: int, columns: int, dtype: Any) -> Any:
    return torch._empty_per_channel_affine_quantized(
        [rows, columns],
        scales=torch.ones(rows, dtype=torch.float),
        zero_points=torch.zeros(rows, dtype=torch.float),
        axis=0,
        dtype=dtype,
    )


class Embedding(WeightedQuantizedModule):
    """An embedding whose table holds bytes; rows that are looked up are float32.

    Parameters are those of :class:`torch.nn.Embedding`, most of which are of no use here. Raises
    NotImplementedError for another *dtype* than ``torch.quint8``, AssertionError for a *_weight* of
    another size.
    """

    _version = 1

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
        dtype: Any = torch.quint8,
    ) -> None:
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.dtype = dtype
        if _weight is None:
            _weight = _empty_table(num_embeddings, embedding_dim, dtype)
        elif list(_weight.shape) != [num_embeddings, embedding_dim]:
            raise AssertionError(
                "Shape of weight does not match num_embeddings and embedding_dim: expected "
                f"[{num_embeddings}, {embedding_dim}], got {list(_weight.shape)}"
            )
        self._packed_params = EmbeddingPackedParams(num_embeddings, embedding_dim, dtype)
        self._packed_params.set_weight(_weight)

    def forward(self, indices: Any) -> Any:
        """The rows at *indices*, of one or two dimensions: ``[*, embedding_dim]``."""
        return ops.quantized.embedding_byte(self._packed_params._packed_weight, indices)

    def _get_name(self) -> str:
        return "QuantizedEmbedding"

    def __repr__(self) -> str:
        return _hide_packed_params_repr(self, EmbeddingPackedParams)

    def extra_repr(self) -> str:
        """Sizes, dtype and scheme."""
        return (
            f"num_embeddings={self.num_embeddings}, embedding_dim={self.embedding_dim}, "
            f"dtype={self._packed_params.dtype}, qscheme={self.weight().qscheme()}"
        )

    def set_weight(self, w: Any) -> None:
        """Take *w*, a table with a scale and a zero point for each row."""
        self._packed_params.set_weight(w)

    def weight(self) -> Any:
        """A copy of the table."""
        return self._packed_params._weight()

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Any:
        """The layer with the table of *mod*, rounded as in training, or as its ``qconfig`` says.

        Raises AssertionError for another module, one without ``qconfig``, and an observer of
        another scheme or dtype.
        """
        kind = cls._float_kind_()
        if hasattr(mod, "weight_fake_quant"):
            cls._check_trained_(mod)
            observer = mod.weight_fake_quant
        elif type(mod) is not kind:
            raise AssertionError(f"nnq.{cls.__name__}.from_float only works for {kind.__name__}")
        elif not hasattr(mod, "qconfig"):
            raise AssertionError(f"{kind.__name__} input float module must have qconfig defined")
        else:
            observer = _observer_of(mod.qconfig)
        dtype = observer.dtype
        if observer.qscheme != torch.per_channel_affine_float_qparams:
            raise AssertionError(
                f"{kind.__name__} quantization is only supported with "
                "float_qparams_weight_only_qconfig."
            )
        if dtype not in (torch.quint8, torch.quint4x2):
            raise AssertionError(
                f"The only supported dtype for nnq.{kind.__name__} is torch.quint8 and "
                f"torch.quint4x2, got {dtype}"
            )
        observer(mod.weight)
        made = cls._like_(mod, dtype)
        made.set_weight(_quantize_weight(mod.weight.float(), observer))
        return made

    @classmethod
    def from_reference(cls, ref_embedding: Any) -> Any:  # type: ignore[override]  # torch's own
        """The layer of one that rounds floats."""
        made = cls._like_(ref_embedding, ref_embedding.weight_dtype)
        made.set_weight(ref_embedding.get_quantized_weight())
        return made

    @staticmethod
    def _float_kind_() -> type[nn.Module]:
        return nn.Embedding

    @staticmethod
    def _check_trained_(mod: Any) -> None:
        """Refuse what is no embedding that was trained with rounding. Raises AssertionError."""
        if type(mod) is not qat.Embedding:
            raise AssertionError(
                "nnq.Embedding.from_float with fake quant only works for Embedding"
            )

    @classmethod
    def _like_(cls, mod: Any, dtype: Any) -> Any:
        """A layer of the sizes of *mod*."""
        return cls(mod.num_embeddings, mod.embedding_dim, dtype=dtype)


def _observer_of(qconfig: Any) -> Any:
    """What follows the range of a table: that of *qconfig*, or bytes with scales of rows."""
    if qconfig is not None and qconfig.weight is not None:
        return qconfig.weight()
    # The package's mappings name the layers that call this.
    from ....quantization.default_qconfigs import float_qparams_weight_only_qconfig

    return float_qparams_weight_only_qconfig.weight()


class EmbeddingBag(Embedding):
    """Sums of rows of a table of bytes.

    Parameters are those of :class:`torch.nn.EmbeddingBag`. As in torch, *mode* is kept and not
    asked: rows are added up.
    """

    _version = 1

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "sum",
        sparse: bool = False,
        _weight: Any = None,
        include_last_offset: bool = False,
        dtype: Any = torch.quint8,
    ) -> None:
        super().__init__(num_embeddings, embedding_dim, _weight=_weight, dtype=dtype)
        self.mode = mode
        self.pruned_weights = False
        self.include_last_offset = include_last_offset

    def forward(
        self,
        indices: Any,
        offsets: Any = None,
        per_sample_weights: Any = None,
        compressed_indices_mapping: Any = None,
    ) -> Any:
        """The sums of the rows of each bag, ``[bags, embedding_dim]``.

        :param offsets: where bags begin among *indices* of one dimension; None where each row of
            *indices* is a bag.
        :param per_sample_weights: float32 factors of the rows.
        """
        return ops.quantized.embedding_bag_byte(
            self._packed_params._packed_weight,
            indices,
            offsets,
            False,
            0,
            self.pruned_weights,
            per_sample_weights,
            compressed_indices_mapping,
            self.include_last_offset,
        )

    def _get_name(self) -> str:
        return "QuantizedEmbeddingBag"

    @staticmethod
    def _float_kind_() -> type[nn.Module]:
        return nn.EmbeddingBag

    @staticmethod
    def _check_trained_(mod: Any) -> None:
        """Nothing: whatever has what a bag has is taken."""

    @classmethod
    def _like_(cls, mod: Any, dtype: Any) -> Any:
        return cls(
            mod.num_embeddings,
            mod.embedding_dim,
            max_norm=mod.max_norm,
            norm_type=mod.norm_type,
            scale_grad_by_freq=mod.scale_grad_by_freq,
            mode=mod.mode,
            sparse=mod.sparse,
            include_last_offset=mod.include_last_offset,
            dtype=dtype,
        )
