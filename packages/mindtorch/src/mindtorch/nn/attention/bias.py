"""Causal masks for attention that are only made when they are needed."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import Any

from ...aten import torch
from ...core.warning import warn
from .. import functional as F

__all__ = ["CausalBias", "CausalVariant", "causal_lower_right", "causal_upper_left"]


class CausalVariant(IntEnum):
    """At which corner the diagonal of a mask that is not square ends."""

    UPPER_LEFT = auto()
    LOWER_RIGHT = auto()


class CausalBias(torch.Tensor):
    """A mask that lets a query see the keys up to its own place.

    :param variant: whether places count from the first key or from the last.
    """

    def __new__(cls, variant: CausalVariant, seq_len_q: int, seq_len_kv: int) -> Any:
        tensor: Any = torch.Tensor  # which has this method only when all is loaded
        return tensor._make_subclass(cls, torch.empty((seq_len_q, seq_len_kv)).bool())

    def __init__(self, variant: CausalVariant, seq_len_q: int, seq_len_kv: int) -> None:
        if not isinstance(variant, CausalVariant):
            raise AssertionError(f"variant must be a CausalVariant, got {type(variant).__name__}")
        self.variant = variant
        self.seq_len_q = seq_len_q
        self.seq_len_kv = seq_len_kv
        if seq_len_q > seq_len_kv and variant == CausalVariant.LOWER_RIGHT:
            warn(
                "Lower right causal bias will produce NaNs in the output when "
                "seq_len_q > seq_len_kv!",
            )

    def _upper_left(self, device: Any) -> Any:
        shape = (self.seq_len_q, self.seq_len_kv)
        return torch.tril(torch.ones(shape, device=device, dtype=torch.bool))

    def _lower_right(self, device: Any) -> Any:
        shape = (self.seq_len_q, self.seq_len_kv)
        ones = torch.ones(shape, device=device, dtype=torch.bool)
        return torch.tril(ones, diagonal=self.seq_len_kv - self.seq_len_q)

    def _materialize(self, device: Any = None) -> Any:
        """The mask: True where a query sees a key."""
        device = "cpu" if device is None else device
        upper = self.variant == CausalVariant.UPPER_LEFT
        return self._upper_left(device) if upper else self._lower_right(device)

    @staticmethod
    def _dispatch(
        query: Any,
        key: Any,
        value: Any,
        attn_mask: Any,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> Any:
        """Attention under the mask *attn_mask*."""
        if is_causal:
            raise ValueError("CausalBias should not be used with causal=True")
        square = attn_mask.seq_len_q == attn_mask.seq_len_kv
        causal = square or attn_mask.variant == CausalVariant.UPPER_LEFT
        return F.scaled_dot_product_attention(
            query,
            key,
            value,
            attn_mask=None if causal else attn_mask._materialize(query.device),
            dropout_p=dropout_p,
            is_causal=causal,
            scale=scale,
            enable_gqa=enable_gqa,
        )

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func is F.scaled_dot_product_attention:
            return cls._dispatch(*args, **kwargs)
        return super().__torch_function__(func, types, args, kwargs)

    # mypy takes the names of a dunder's arguments away, and then finds keywords without names.
    def __repr__(self, *, tensor_contents: Any = None) -> str:  # type: ignore[override]  # as a tensor's
        return repr(self._materialize())


def causal_upper_left(*size: int) -> CausalBias:
    """The mask whose diagonal begins at the first query and key."""
    if len(size) != 2:
        raise AssertionError("causal_upper_left only supports 2D tensors")
    return CausalBias(CausalVariant.UPPER_LEFT, size[0], size[1])


def causal_lower_right(*size: int) -> CausalBias:
    """The mask whose diagonal ends at the last query and key."""
    if len(size) != 2:
        raise AssertionError("causal_lower_right only supports 2D tensors")
    return CausalBias(CausalVariant.LOWER_RIGHT, size[0], size[1])
