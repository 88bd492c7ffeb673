"""Helpers that distributions share: broadcasting, probabilities and logits, lazy properties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any, Final, Generic, TypeVar, overload

from .. import nn
from ..aten import torch
from ..aten.torch import Tensor
from ..overrides import is_tensor_like

__all__ = [
    "broadcast_all",
    "logits_to_probs",
    "clamp_probs",
    "probs_to_logits",
    "lazy_property",
    "tril_matrix_to_vec",
    "vec_to_tril_matrix",
]

Number = int | float | bool
#: What ``isinstance`` takes for a Python number.
_Number = (int, float, bool)
Device = torch.device | str | int | None
#: The shape of a single draw.
_NO_DIMS: Final = torch.Size()

#: The Euler-Mascheroni constant.
euler_constant: Final = 0.57721566490153286060

T = TypeVar("T", contravariant=True)
R = TypeVar("R", covariant=True)


def broadcast_all(*values: Tensor | Number) -> tuple[Tensor, ...]:
    """Broadcast tensors and numbers to one shape.

    Numbers become tensors like the first tensor among the values, or of the default dtype.
    """
    if not all(is_tensor_like(v) or isinstance(v, _Number) for v in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects "
            "implementing __torch_function__."
        )
    options: dict[str, Any] = {"dtype": torch.get_default_dtype()}
    for value in values:
        if isinstance(value, Tensor):
            options = {"dtype": value.dtype, "device": value.device}
            break
    tensors = [v if is_tensor_like(v) else torch.tensor(v, **options) for v in values]
    return tuple(torch.broadcast_tensors(*tensors))


def _only_given(**parameters: Any) -> tuple[str, Any] | None:
    """The one parameter that is given, behind its name; None for none and for several."""
    given = [pair for pair in parameters.items() if pair[1] is not None]
    return given[0] if len(given) == 1 else None


def _given_of(probs: Any, logits: Any) -> tuple[str, Any]:
    """That one of two parameters which is given, behind its name."""
    given = _only_given(probs=probs, logits=logits)
    if given is None:
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")
    return given


def _given_matrix(kind: type[Exception], **matrices: Tensor | None) -> tuple[str, Tensor]:
    """That one of the matrices of a normal distribution which is given, behind its name."""
    given = _only_given(**matrices)
    if given is None:
        raise kind(
            "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
        )
    return given


def _standard_normal(shape: Sequence[int], dtype: torch.dtype | None, device: Device) -> Tensor:
    """Normal numbers of mean 0 and variance 1."""
    return torch.empty(shape, dtype=dtype, device=device).normal_()


def _sum_rightmost(value: Tensor, dim: int) -> Tensor:
    """Sum over the last *dim* dimensions."""
    return value if dim == 0 else value.reshape(value.shape[:-dim] + (-1,)).sum(-1)


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """Probabilities from log odds (*is_binary*) or from unnormalised log probabilities."""
    if is_binary:
        return torch.sigmoid(logits)
    return nn.functional.softmax(logits, dim=-1)


def clamp_probs(probs: Tensor) -> Tensor:
    """Keep probabilities one epsilon away from 0 and 1."""
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """Log odds (*is_binary*) or log probabilities of probabilities kept off 0 and 1."""
    inner = clamp_probs(probs)
    if is_binary:
        return torch.log(inner) - torch.log1p(-inner)
    return torch.log(inner)


class lazy_property(Generic[T, R]):
    """Decorator of a method whose result replaces it on the instance the first time."""

    def __init__(self, wrapped: Callable[[T], R]) -> None:
        self.wrapped: Callable[[T], R] = wrapped
        update_wrapper(self, wrapped)

    @overload
    def __get__(
        self, instance: None, obj_type: Any = None
    ) -> _lazy_property_and_property[T, R]: ...

    @overload
    def __get__(self, instance: T, obj_type: Any = None) -> R: ...

    def __get__(self, instance: T | None, obj_type: Any = None) -> Any:
        compute = self.wrapped
        if instance is None:
            return _lazy_property_and_property(compute)
        with torch.enable_grad():
            found = compute(instance)
        setattr(instance, compute.__name__, found)  # from now on found before this property
        return found


class _lazy_property_and_property(lazy_property[T, R], property):
    """What a class shows of a lazy property: a property, for tools that read documentation."""

    def __init__(self, wrapped: Callable[[T], R]) -> None:
        property.__init__(self, wrapped)


def _tril_mask(n: int, diag: int, device: Any) -> Tensor:
    steps = torch.arange(n, device=device)
    return steps < steps.view(-1, 1) + (diag + 1)


def tril_matrix_to_vec(mat: Tensor, diag: int = 0) -> Tensor:
    """The entries on and below diagonal *diag* of (batches of) square matrices, row by row."""
    n = mat.shape[-1]
    if diag < -n or diag >= n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    return mat[..., _tril_mask(n, diag, mat.device)]


def vec_to_tril_matrix(vec: Tensor, diag: int = 0) -> Tensor:
    """(Batches of) square matrices with the entries of *vec* on and below diagonal *diag*."""
    # D (D + 1) / 2 + D diag entries, less those that a negative diagonal cuts off, solved for D
    linear = 1 + 2 * diag
    size = (-linear + (linear**2 + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    if round(size) - size > torch.finfo(vec.dtype).eps:
        raise ValueError(
            f"The size of last dimension is {vec.shape[-1]} which cannot be expressed as "
            "the lower triangular part of a square D x D matrix."
        )
    n = round(size)
    mat = vec.new_zeros(vec.shape[:-1] + torch.Size((n, n)))
    mat[..., _tril_mask(n, diag, vec.device)] = vec
    return mat
