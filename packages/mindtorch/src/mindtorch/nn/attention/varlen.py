"""Attention over sequences of different lengths, packed one after another."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["AuxRequest", "varlen_attn", "varlen_attn_out"]


class AuxRequest(NamedTuple):
    """What else than the result is wanted.

    :param lse: the logarithm of the sums of exponentials.
    """

    lse: bool = False


def varlen_attn(
    query: Any,
    key: Any,
    value: Any,
    cu_seq_q: Any,
    cu_seq_k: Any,
    max_q: int,
    max_k: int,
    *,
    return_aux: AuxRequest | None = None,
    scale: float | None = None,
    window_size: tuple[int, int] = (-1, -1),
    enable_gqa: bool = False,
    seqused_k: Any = None,
    block_table: Any = None,
    num_splits: int | None = None,
) -> Any:
    """Raises RuntimeError: there is a kernel for accelerators alone."""
    raise RuntimeError("varlen_attn is only supported on CUDA and XPU devices")


def varlen_attn_out(
    out: Any,
    query: Any,
    key: Any,
    value: Any,
    cu_seq_q: Any,
    cu_seq_k: Any,
    max_q: int,
    max_k: int,
    *,
    return_aux: AuxRequest | None = None,
    scale: float | None = None,
    window_size: tuple[int, int] = (-1, -1),
    enable_gqa: bool = False,
    seqused_k: Any = None,
    block_table: Any = None,
    num_splits: int | None = None,
) -> Any:
    """Raises RuntimeError: there is a kernel for accelerators alone."""
    raise RuntimeError("varlen_attn is only supported on CUDA and XPU devices")
