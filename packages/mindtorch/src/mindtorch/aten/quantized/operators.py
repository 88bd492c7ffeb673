"""How ops of the namespace ``quantized`` come to be: they are no rows, as in torch they have no
functions but those of ``torch.ops.quantized``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import registry

__all__ = ["define"]


def define(ops: Mapping[str, Callable[..., Any]], key: K, *, namespace: str = "quantized") -> None:
    """Register ops by their schemas, each with its kernel at *key*."""
    for schema, kernel in ops.items():
        registry.register_op(f"{namespace}::{schema}", {key: kernel})
