"""``ExpandedWeight``: a parameter in whose place each sample of a batch has a gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....call.subclass import make_subclass
from ....tensor import Tensor

__all__ = ["HANDLED_FUNCTIONS", "ExpandedWeight"]

#: What a function does that is called with expanded weights: it gets the function and all of them.
HANDLED_FUNCTIONS: dict[Any, Callable[..., Any]] = {}


class ExpandedWeight(Tensor):
    """A parameter for a batch of *batch_size* samples, which only some layers can be called with.

    :param loss_reduction: ``"mean"`` where the loss is the mean over the batch: gradients of
        samples are then those of each sample's own loss.
    """

    #: Whether samples lie along the first dimension, or the second.
    batch_first: bool
    #: Whether a call may have the leading samples only.
    allow_smaller_batches: bool
    handled_functions = HANDLED_FUNCTIONS

    def __new__(cls, orig_weight: Any, batch_size: int, loss_reduction: str) -> ExpandedWeight:
        """*orig_weight* as this class has it, with no history."""
        if not isinstance(orig_weight, Tensor):
            kind = type(orig_weight).__name__
            raise RuntimeError(f"Can only make Expanded Weights of Tensors, got {kind}")
        if not orig_weight.requires_grad:
            raise RuntimeError(
                "Can only build ExpandedWeights objects of tensors that requires_grad"
            )
        return make_subclass(cls, orig_weight, True)

    def __init__(self, orig_weight: Tensor, batch_size: int, loss_reduction: str) -> None:
        self.batch_size = batch_size
        self.batch_first = True
        self.allow_smaller_batches = False
        self.orig_weight = orig_weight
        self.loss_reduction = loss_reduction

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call a layer's function; no other is known to keep samples apart."""
        handled = HANDLED_FUNCTIONS.get(func)
        if handled is None:
            raise RuntimeError(
                f"Expanded Weights encountered but cannot handle function {func.__name__}"
            )
        return handled(func, *args, **(kwargs or {}))

    # What modules ask of their parameters before they call a function.
    dtype = property(lambda self: self.orig_weight.dtype)
    data = property(lambda self: self.orig_weight.data)
    shape = property(lambda self: self.orig_weight.shape)
    device = property(lambda self: self.orig_weight.device)
    is_cuda = property(lambda self: self.orig_weight.is_cuda)

    def data_ptr(self) -> int:
        """Where the parameter's first element lies."""
        return self.orig_weight.data_ptr()

    def get_device(self) -> int:
        """The index of the parameter's device."""
        return self.orig_weight.get_device()

    def set_allow_smaller_batches(self, is_allow_smaller_batches: bool) -> None:
        """Say whether calls may have the leading samples only, as packed sequences do."""
        self.allow_smaller_batches = is_allow_smaller_batches

    def set_batch_first(self, is_batch_first: bool = True) -> None:
        """Say whether samples lie along the first dimension of inputs, or the second."""
        self.batch_first = is_batch_first
