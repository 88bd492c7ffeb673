"""Padding at the ends of the last dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.operators import ops
from ...tensor import Tensor


def pad(
    input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None
) -> Tensor:
    """*input* with ``pad[0]``, ``pad[1]`` elements before and after the last dimension, and so on
    backwards; negative numbers cut off.

    :param mode: ``constant`` (with *value*), ``reflect``, ``replicate`` or ``circular``.
    """
    return ops.pad(input, pad, mode, value)
