"""``quantized::embedding_byte`` and its kin: rows of a table of bytes, each with its own scale."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from mindtorch_dispatch import DispatchKey as K

from ...core.errors import not_as_expected
from ...core.script_object import ScriptObject
from ...tensor.construction import wrap
from ...tensor.quantizer import PerChannel, quantizer_of
from .operators import define
from .packed_weights import EmbeddingWeight

__all__: list[str] = []

_PACKED = EmbeddingWeight.full_name
_INDICES = ("int32", "int64")


def _prepack(weight: Any) -> ScriptObject:
    if weight.dim() != 2:
        raise RuntimeError("quantized::embedding_bag_prepack weight tensor rank should be 2")
    if weight.dtype.name != "quint8":
        raise RuntimeError(
            "qembedding_bag_prepack currently only supports quint8 and quint4x2 weights"
        )
    quantizer = quantizer_of(weight)
    if not isinstance(quantizer, PerChannel) or not quantizer.floating:
        raise RuntimeError(
            "Expect embedding_bag weights to be quantized using kPerChannelAffineFloatQParams"
        )
    return ScriptObject.of(EmbeddingWeight(weight.clone()))


def _of(handle: ScriptObject) -> EmbeddingWeight:
    return cast(EmbeddingWeight, handle._bound)


def _checked(t: Any, what: str) -> np.ndarray[Any, Any]:
    """The numbers of *t*, indices or offsets. Raises RuntimeError for another dtype."""
    if t.dtype.name not in _INDICES:
        raise RuntimeError(f"Expect 32 or 64 bit {what}, but found {t.dtype.scalar_type} instead.")
    return np.asarray(t._host_())


def _embedding(weight: ScriptObject, indices: Any, pruned_weights: bool = False) -> Any:
    if indices.dim() not in (1, 2):
        raise RuntimeError(
            f"qembedding/qembedding_bag operator supports 1 or 2d indices, got {indices.dim()}"
        )
    wanted = _checked(indices, "indices")
    made = _sums(_of(weight).table, wanted.reshape(-1), np.arange(wanted.size + 1), None)
    return wrap(made.reshape(*wanted.shape, made.shape[1]))


def _embedding_bag(
    weight: ScriptObject,
    indices: Any,
    offsets: Any = None,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    pruned_weights: bool = False,
    per_sample_weights: Any = None,
    compressed_indices_mapping: Any = None,
    include_last_offset: bool = False,
) -> Any:
    """The sums of rows: torch, too, knows no other *mode* here, and takes none into account."""
    if indices.dim() not in (1, 2):
        raise RuntimeError(
            f"qembedding/qembedding_bag operator supports 1 or 2d indices, got {indices.dim()}"
        )
    if indices.dim() == 1 and offsets is None:
        raise RuntimeError("embedding_bag_byte expects offsets to be set for 1D indices.")
    if indices.dim() == 2 and offsets is not None:
        raise RuntimeError(
            "embedding_bag_byte operator: input is 2D, then offsets has to be None, as input is "
            "treated is a mini-batch of fixed length sequences."
        )
    wanted = _checked(indices, "indices")
    if offsets is None:
        bounds = np.arange(wanted.shape[0] + 1) * wanted.shape[1]
    else:
        bounds = _checked(offsets, "offsets")
        if bounds.ndim != 1:
            raise not_as_expected("offsets.dim() == 1")
        if not include_last_offset:
            bounds = np.append(bounds, wanted.size)
    if (bounds > wanted.size).any():
        raise not_as_expected("i < index_size")
    if (bounds[1:] < bounds[:-1]).any() or bounds.size and not 0 <= bounds[0]:
        raise RuntimeError("embedding_bag_byte expects offsets that do not fall")
    factors = None
    if per_sample_weights is not None:
        if per_sample_weights.dtype.name != "float32":
            found = per_sample_weights.dtype.scalar_type
            raise RuntimeError(f"expected scalar type Float but found {found}")
        factors = per_sample_weights._host_().reshape(-1)
    wanted = wanted.reshape(-1)
    if pruned_weights and compressed_indices_mapping is not None:
        wanted = _checked(compressed_indices_mapping, "indices")[wanted]
        kept = wanted >= 0  # of rows that are gone there is nothing
        before = np.concatenate(([0], np.cumsum(kept)))
        wanted, bounds = wanted[kept], before[bounds]
        factors = None if factors is None else factors[kept]
    return wrap(_sums(_of(weight).table, wanted, bounds, factors))


def _sums(
    table: tuple[Any, Any, Any], wanted: np.ndarray[Any, Any], bounds: np.ndarray[Any, Any],
    factors: np.ndarray[Any, Any] | None,
) -> np.ndarray[Any, Any]:  # fmt: skip
    """The sums of the rows *wanted* between each two *bounds*, in single precision.

    Rows are added one after the other, each by one fused multiplication and addition, as in
    torch. Raises RuntimeError for a row that is not there.
    """
    steps, scales, biases = table
    outside = np.flatnonzero((wanted < 0) | (wanted >= len(steps)))
    for i in outside[:1]:
        raise RuntimeError(f"Index {i} is out of bounds: {wanted[i]}, range 0 to {len(steps)}")
    scales, biases = scales[wanted], biases[wanted]
    if factors is not None:
        scales, biases = scales * factors, biases * factors
    out = np.zeros((len(bounds) - 1, steps.shape[1]), np.float32)
    begin, length = bounds[:-1], bounds[1:] - bounds[:-1]
    for i in range(int(length.max(initial=0))):
        bags = np.flatnonzero(length > i)
        at = begin[bags] + i
        products = steps[wanted[at]].astype(np.float64) * scales[at, None].astype(np.float64)
        out[bags] = (products + (out[bags] + biases[at, None])).astype(np.float32)
    return out


define(
    {f"embedding_bag_prepack(Tensor weight) -> {_PACKED} W_prepack": _prepack},
    K.QuantizedCPU,
)
define(
    {
        f"embedding_byte({_PACKED} weight, Tensor indices, bool pruned_weights=False) -> Tensor": (
            _embedding
        ),
        f"embedding_bag_byte({_PACKED} weight, Tensor indices, Tensor? offsets=None, "
        "bool scale_grad_by_freq=False, int mode=0, bool pruned_weights=False, "
        "Tensor? per_sample_weights=None, Tensor? compressed_indices_mapping=None, "
        "bool include_last_offset=False) -> Tensor": _embedding_bag,
    },
    K.CPU,
)
define(
    {
        f"embedding_bag_unpack({_PACKED} W_prepack) -> Tensor W_origin": (
            lambda W_prepack: _of(W_prepack).unpack()
        )
    },
    K.CompositeImplicitAutograd,
)
