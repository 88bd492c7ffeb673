"""What functions that take expanded weights share: checks of a call, and sums for each sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ....aten import torch
from ....tensor import Tensor
from .expanded_weights_impl import ExpandedWeight

__all__ = [
    "check_batch",
    "forward_helper",
    "is_batch_first",
    "maybe_scale_by_batch_size",
    "set_grad_sample_if_exists",
    "standard_kwargs",
    "sum_over_all_but_batch_and_last_n",
    "unpack_expanded_weight_or_tensor",
]


def is_batch_first(expanded_args_and_kwargs: Iterable[Any]) -> bool | None:
    """Whether all expanded weights have samples first; None where there is no such weight."""
    found: bool | None = None
    for each in expanded_args_and_kwargs:
        if not isinstance(each, ExpandedWeight):
            continue
        if not found:
            found = each.batch_first
        elif each.batch_first != found:
            raise RuntimeError("Got conflicting batch_first arguments in the same layer")
    return found


def standard_kwargs(
    kwarg_names: Sequence[str], expanded_args: tuple[Any, ...]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments before the last ones, and these by their names."""
    count = len(expanded_args) - len(kwarg_names)
    return expanded_args[:count], dict(zip(kwarg_names, expanded_args[count:], strict=True))


def forward_helper(
    func: Callable[..., Any], expanded_args: tuple[Any, ...], expanded_kwargs: dict[str, Any]
) -> Any:
    """Call *func* with the parameters in place of expanded weights.

    Raises RuntimeError where the first argument is no batch of the samples that these are for.
    """
    sample = expanded_args[0]
    if not isinstance(sample, Tensor):
        raise RuntimeError(
            "Expanded Weights requires a Tensor as the first input to get the batch dimension, "
            f"got {type(sample).__name__} in function {func.__name__}"
        )
    check_batch(func, sample, (*expanded_args[1:], *expanded_kwargs.values()))
    plain = [_parameter_of(each) for each in expanded_args]
    named = {name: _parameter_of(each) for name, each in expanded_kwargs.items()}
    return func(*plain, **named)


def _parameter_of(value: Any) -> Any:
    return value.orig_weight if isinstance(value, ExpandedWeight) else value


def check_batch(func: Any, sample: Any, others: Iterable[Any]) -> None:
    """Raise where the input is no batch, or another than that of the weights among *others*."""
    name = func.__name__
    if isinstance(sample, ExpandedWeight):
        raise RuntimeError(
            "Expanded Weights do not support inputs that are also ExpandedWeights. "
            f"Input must be a Tensor, got {type(sample).__name__} in function {name}"
        )
    if sample.dim() == 0:
        raise RuntimeError(
            "Expanded Weights requires a batch dimension but got an input of size 0 in "
            f"function {name}"
        )
    if sample.shape[0] == 0:
        raise RuntimeError(
            "0 is not a valid batch size for Expanded Weights but got input tensor of "
            f"{sample} in function {name}"
        )
    weights = [each for each in others if isinstance(each, ExpandedWeight)]
    for weight in weights:
        size = sample.shape[0 if weight.batch_first else 1]
        fits = size <= weight.batch_size if weight.allow_smaller_batches else False
        if not fits and weight.batch_size != size:
            raise RuntimeError(
                "Expected ExpandedWeights to have batch size matching input but got input batch "
                f"size of {size} with ExpandedWeight of batch size {weight.batch_size}"
            )
    for weight in weights:
        if weight.loss_reduction != weights[0].loss_reduction:
            raise RuntimeError(
                "Expected ExpandedWeights to all have the same loss_reduction argument but got "
                f"onewith {weights[0].loss_reduction} and one with {weight.loss_reduction}"
            )


def maybe_scale_by_batch_size(grad_sample: Any, expanded_weight: ExpandedWeight) -> Any:
    """Gradients of samples of a mean loss, as those of each sample's own loss."""
    if expanded_weight.loss_reduction == "mean":
        return grad_sample * expanded_weight.batch_size
    return grad_sample


def set_grad_sample_if_exists(
    maybe_expanded_weight: Any, per_sample_grad_fn: Callable[[Any], Any]
) -> None:
    """Add what *per_sample_grad_fn* makes of an expanded weight's parameter to its gradients."""
    unpacked = unpack_expanded_weight_or_tensor(maybe_expanded_weight)
    if not isinstance(maybe_expanded_weight, ExpandedWeight):
        return
    found = maybe_scale_by_batch_size(per_sample_grad_fn(unpacked), maybe_expanded_weight)
    missing = maybe_expanded_weight.batch_size - found.shape[0]
    if missing > 0:  # of a packed sequence, whose last samples have ended
        found = torch.cat([found, found.new_zeros((missing, *found.shape[1:]))])
    before = getattr(unpacked, "grad_sample", None)
    unpacked.grad_sample = found if before is None else before + found


def unpack_expanded_weight_or_tensor(
    maybe_expanded_weight: Any, func: Callable[[Any], Any] = lambda x: x
) -> Any:
    """*func* of an expanded weight's parameter or of a tensor; None for anything else.

    Raises RuntimeError for a tensor that requires a gradient and is not expanded.
    """
    if isinstance(maybe_expanded_weight, ExpandedWeight):
        return func(maybe_expanded_weight.orig_weight)
    if not isinstance(maybe_expanded_weight, Tensor):
        return None
    if maybe_expanded_weight.requires_grad:
        raise RuntimeError(
            "ExpandedWeights currently does not support a mixture of ExpandedWeight parameters "
            "and normal Parameters. Please file and issue with pytorch/pytorch"
        )
    return func(maybe_expanded_weight)


def sum_over_all_but_batch_and_last_n(tensor: Tensor, n_dims: int) -> Tensor:
    """The sum over all dimensions but the first and the last *n_dims*."""
    if tensor.dim() == n_dims + 1:
        return tensor
    return tensor.sum(dim=list(range(1, tensor.dim() - n_dims)))
