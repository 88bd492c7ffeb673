"""``torch._C._autograd.CreationMeta``: how a view came to be, which in-place ops on it ask."""

from __future__ import annotations

from enum import IntEnum

from ..core import signature as S
from ..functionality.view_history import creation_of
from ..tensor import Tensor
from ..tensor.tensor_impl import state_of

__all__ = ["CreationMeta", "_get_creation_meta", "_set_creation_meta"]


class CreationMeta(IntEnum):
    """Where a view was made; in-place ops are refused unless it is the default."""

    DEFAULT = 0
    IN_CUSTOM_FUNCTION = 1
    MULTI_OUTPUT_NODE = 2
    NO_GRAD_MODE = 3
    INFERENCE_MODE = 4

    def __str__(self) -> str:
        return f"CreationMeta.{self.name}"


_WORDS = {
    CreationMeta.DEFAULT: "",
    CreationMeta.IN_CUSTOM_FUNCTION: "function",
    CreationMeta.MULTI_OUTPUT_NODE: "multi",
    CreationMeta.NO_GRAD_MODE: "no_grad",
    CreationMeta.INFERENCE_MODE: "inference",
}
_METAS = {word: meta for meta, word in _WORDS.items()}


def _get_creation_meta(tensor: Tensor, /) -> CreationMeta:
    """How *tensor*, a view, was made. Raises RuntimeError for other tensors."""
    _check_view(tensor)
    return _METAS[creation_of(tensor)]


def _set_creation_meta(tensor: Tensor, meta: CreationMeta, /) -> None:
    """Say that *tensor*, a view, was made so. Raises RuntimeError for other tensors."""
    _check_view(tensor)
    state_of(tensor).creation = _WORDS[meta]
    tensor._sig_ &= ~S.NO_GRAD_VIEW
    tensor._meta_ = S.STALE


def _check_view(tensor: Tensor) -> None:
    if not tensor._is_view():
        raise RuntimeError(
            "Expected meta != nullptr to be true, but got false.  (Could this error message be "
            "improved?  If so, please report an enhancement request to PyTorch.)"
        )
