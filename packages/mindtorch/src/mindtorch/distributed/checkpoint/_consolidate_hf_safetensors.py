"""Safetensors files of several processes as one; not available yet."""

from __future__ import annotations

from typing import Any

__all__ = ["consolidate_safetensors_files", "consolidate_safetensors_files_on_every_rank"]


def consolidate_safetensors_files(
    input_dir: str,
    output_dir: str,
    fqn_to_index_mapping: dict[str, int],
    num_threads: int = 1,
) -> None:
    """Refuse: safetensors checkpoints are not available yet."""
    raise NotImplementedError("consolidating safetensors checkpoints is not available yet")


def consolidate_safetensors_files_on_every_rank(*args: Any, **kwargs: Any) -> None:
    """Refuse: safetensors checkpoints are not available yet."""
    raise NotImplementedError("consolidating safetensors checkpoints is not available yet")
