"""``torch.sparse.semi_structured``: tensors with two zeros in every four elements, CUDA's alone.

What is here checks as torch does, which refuses every tensor that is not CUDA's.
"""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

from ..core.unavailable import refusal
from ..tensor import Tensor

__all__ = [
    "SparseSemiStructuredTensor",
    "SparseSemiStructuredTensorCUTLASS",
    "SparseSemiStructuredTensorCUSPARSELT",
    "to_sparse_semi_structured",
]

_REASON = "needs semi-structured sparse tensors, which are CUDA's"


class SparseSemiStructuredTensor(Tensor):
    """A tensor of which only the half that is not zero is stored; its parts are made on CUDA."""

    _refuses: ClassVar[str] = _REASON
    _DEFAULT_ALG_ID: ClassVar[int] = 0
    _FORCE_CUTLASS: ClassVar[bool] = False
    _FUSE_TRANSPOSE: ClassVar[bool] = False
    _PROTOTYPE_WARNING_SHOWN: ClassVar[bool] = False

    def __new__(
        cls,
        shape: Any,
        packed: Tensor | None,
        meta: Tensor | None,
        packed_t: Tensor | None,
        meta_t: Tensor | None,
        compressed_swizzled_bitmask: Tensor | None,
        fuse_transpose_cusparselt: bool = False,
        alg_id_cusparselt: int = 0,
        requires_grad: bool = False,
    ) -> Any:
        """Refuse: there are no such parts without CUDA."""
        if not SparseSemiStructuredTensor._PROTOTYPE_WARNING_SHOWN:
            warnings.warn(
                "The PyTorch API of SparseSemiStructuredTensor is in prototype stage and will "
                "change in the near future. Please open a Github issue for features requests and "
                "see our documentation on the torch.sparse module for further information about "
                "the project.",
                UserWarning,
                stacklevel=2,
            )
            SparseSemiStructuredTensor._PROTOTYPE_WARNING_SHOWN = True
        if packed is None and packed_t is None:
            raise ValueError("At least one of packed or packed_t must be provided")
        return refusal(f"torch.sparse.{cls.__name__}", _REASON)()

    @classmethod
    def from_dense(cls, original_tensor: Tensor, alg_id: int = 0) -> Any:
        """Refuse: the class of a library says how."""
        raise NotImplementedError

    @staticmethod
    def _validate_device_dim_dtype_shape(original_tensor: Tensor) -> None:
        """Raise RuntimeError for a tensor that is not CUDA's."""
        if not original_tensor.is_cuda:
            raise RuntimeError(
                f"Error original_tensor.device= {original_tensor.device} is not supported! Only "
                "CUDA tensors are currently supported."
            )


class _OfLibrary(SparseSemiStructuredTensor):
    """What the classes of both libraries share."""

    @classmethod
    def from_dense(cls, original_tensor: Tensor, alg_id: int = 0) -> Any:
        """Refuse a tensor that is not CUDA's with RuntimeError, as torch does."""
        cls._validate_device_dim_dtype_shape(original_tensor)
        return refusal(f"torch.sparse.{cls.__name__}.from_dense", _REASON)()


class SparseSemiStructuredTensorCUTLASS(_OfLibrary):
    """What is stored as CUTLASS has it."""

    _refuses = _REASON
    BACKEND = "cutlass"


class SparseSemiStructuredTensorCUSPARSELT(_OfLibrary):
    """What is stored as cuSPARSELt has it."""

    _refuses = _REASON
    BACKEND = "cusparselt"


def to_sparse_semi_structured(
    original_tensor: Tensor, transposed: bool = False, alg_id: int = 0
) -> SparseSemiStructuredTensor:
    """Store *original_tensor* in half; raises RuntimeError for one that is not CUDA's."""
    if transposed:
        warnings.warn(
            "Setting transpose from `to_sparse_semi_structured` is deprecated and will be removed "
            "in a future release. `SparseSemiStructuredTensor` only support contiguous input "
            "tensors.",
            FutureWarning,
            stacklevel=2,
        )
    of_cutlass = SparseSemiStructuredTensor._FORCE_CUTLASS
    kind = SparseSemiStructuredTensorCUTLASS if of_cutlass else SparseSemiStructuredTensorCUSPARSELT
    made: SparseSemiStructuredTensor = kind.from_dense(original_tensor, alg_id)
    return made
