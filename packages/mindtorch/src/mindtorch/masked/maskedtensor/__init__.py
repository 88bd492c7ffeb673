"""``torch.masked.maskedtensor``: tensors that carry a mask through operators."""

from __future__ import annotations

from . import _ops_refs  # it fills the tables of handlers
from .binary import _apply_native_binary, _is_native_binary
from .core import MaskedTensor, is_masked_tensor
from .passthrough import _apply_pass_through_fn, _is_pass_through_fn
from .reductions import _apply_reduction, _is_reduction
from .unary import _apply_native_unary, _is_native_unary

__all__ = ["MaskedTensor", "is_masked_tensor"]
