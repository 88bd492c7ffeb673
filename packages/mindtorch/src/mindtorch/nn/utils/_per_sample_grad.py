"""Gradients of each sample of a batch, as private training and influence of samples need them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...func import functional_call
from ...tensor import Tensor
from ...utils import _pytree as pytree
from ..modules.module import Module
from ._expanded_weights import ExpandedWeight

__all__ = ["call_for_per_sample_grads"]


def call_for_per_sample_grads(
    module: Module,
    *,
    batch_size: int | None = None,
    loss_reduction: str = "sum",
    batch_first: bool = True,
) -> Callable[..., Any]:
    """A function that calls *module*; its backward fills ``grad_sample`` of the parameters.

    Each parameter that is trained gets a tensor of one gradient a sample, in place of ``grad``.
    The module may use linear, convolution, embedding and normalization layers; a function that
    has no gradients of samples raises.

    :param batch_size: how many samples a batch has; the arguments' first dimension if not given.
    :param loss_reduction: how the loss sums over the batch, ``"sum"`` or ``"mean"``.
    :param batch_first: whether arguments have their samples in the first dimension, or the second.
    """
    if not isinstance(module, Module):
        raise RuntimeError(f"Module passed must be nn.Module, got {type(module).__name__}")
    if not (batch_size is None or isinstance(batch_size, int)):
        raise RuntimeError(
            f"Batch size passed must be None or an integer, got {type(batch_size).__name__}"
        )
    if batch_size is not None and batch_size < 1:
        raise RuntimeError(f"Batch size must be positive, got {batch_size}")
    if loss_reduction not in ("sum", "mean"):
        raise RuntimeError(
            f"Expected loss_reduction argument to be sum or mean, got {loss_reduction}"
        )
    trained = {name: each for name, each in module.named_parameters() if each.requires_grad}
    for each in trained.values():
        if getattr(each, "grad_sample", None) is not None:
            raise RuntimeError(
                "Current Expanded Weights accumulates the gradients, which will be incorrect for "
                "multiple calls without clearing gradients. Please clear out the grad_sample "
                f"parameter of {each} or post an issue to pytorch/pytorch to prioritize correct "
                "behavior"
            )

    def call(*args: Any, **kwargs: Any) -> Any:
        size = _batch_size(args, kwargs, batch_first) if batch_size is None else batch_size
        expanded = {
            name: ExpandedWeight(each, size, loss_reduction) for name, each in trained.items()
        }
        return functional_call(module, expanded, args, kwargs)

    return call


def _batch_size(args: tuple[Any, ...], kwargs: dict[str, Any], batch_first: bool) -> int:
    """How many samples all tensors among the arguments have."""
    found: int | None = None
    for each in pytree.tree_leaves((args, kwargs)):
        if not isinstance(each, Tensor):
            continue
        size: int = each.shape[0 if batch_first else 1]
        if found is not None and size != found:
            raise RuntimeError(
                f"When computing batch size, found at least one input with batch size {found} "
                f"and one with batch size {size}. Please specify it explicitly using the batch "
                "size kwarg in call_for_per_sample_grads"
            )
        found = size
    if found is None:
        raise RuntimeError(
            "Unable to find a tensor in the passed args and kwargs. They may not be pytree-able "
            "and so ExpandedWeights cannot compute the batch size from the inputs. Please specify "
            "it explicitly"
        )
    return found
