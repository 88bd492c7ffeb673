"""The types of sparse tensors on CUDA's devices: names alone, as nothing can be made of them."""

from __future__ import annotations

from typing import Any

from mindtorch.tensor.legacy import TENSOR_TYPES, tensor_type

__all__: list[str] = []


def __getattr__(name: str) -> Any:
    if name not in TENSOR_TYPES or name == "BoolTensor":
        raise AttributeError(f"module 'torch.cuda.sparse' has no attribute '{name}'")
    found = globals()[name] = tensor_type(name, "cuda.sparse")
    return found
