"""What a row says of a result before it is computed: its layout, or where it lies in its base."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Out", "ViewOf"]


class Out(NamedTuple):
    """What ``meta`` says of one result: shape (elements), dtype, strides (elements).

    ``strides=None`` means contiguous.
    """

    shape: tuple[int, ...]
    dtype: Any
    strides: tuple[int, ...] | None = None


class ViewOf(NamedTuple):
    """What ``view`` says of one result: where it lies in its base's storage, in elements.

    ``offset`` counts from the first element of the argument that is viewed, not of the storage.
    ``dtype`` is given only by views that read the bytes as another dtype, ``flips`` (a bit of the
    signature, ``CONJ`` or ``NEG``) by those that toggle what the bytes stand for.
    """

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0
    dtype: Any = None
    flips: int = 0
