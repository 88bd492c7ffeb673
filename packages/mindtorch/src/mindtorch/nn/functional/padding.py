"""Padding at the ends of the last dimensions."""

from __future__ import annotations

from typing import Any

from ...core.operators import ops


def pad(input: Any, pad: Any, mode: str = "constant", value: float | None = None) -> Any:
    """*input* with ``pad[0]``, ``pad[1]`` elements before and after the last dimension, and so on
    backwards; negative numbers cut off.

    :param mode: ``constant`` (with *value*), ``reflect``, ``replicate`` or ``circular``.
    """
    return ops.pad(input, pad, mode, value)
