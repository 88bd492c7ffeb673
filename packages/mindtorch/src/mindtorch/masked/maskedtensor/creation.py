"""What makes masked tensors."""

from __future__ import annotations

from typing import Any

from .core import MaskedTensor

__all__ = ["as_masked_tensor", "masked_tensor"]


def masked_tensor(data: Any, mask: Any, requires_grad: bool = False) -> MaskedTensor:
    """Return a leaf of *data* and *mask*, which are copied.

    :param data: a tensor of real numbers or bools.
    :param mask: a boolean tensor of its shape, true where an element counts.

    Raises TypeError or ValueError where the two do not belong together.
    """
    return MaskedTensor(data, mask, requires_grad)


def as_masked_tensor(data: Any, mask: Any) -> MaskedTensor:
    """Return a masked tensor of *data* and *mask* through which *data* is differentiated."""
    return MaskedTensor._from_values(data, mask)
