"""Contexts of a ``Function`` seen with other saved tensors, and gradients summed over a batch."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..aten import torch
from ..func import vmap
from ..utils._pytree import tree_flatten, tree_unflatten

__all__ = ["CtxWithSavedTensors", "VmapInfo", "WrappedCtx", "reductify", "reductify_leaf"]


class VmapInfo(NamedTuple):
    """What a Function's ``vmap`` is told of the batch."""

    batch_size: int
    randomness: str


class WrappedCtx:
    """A context that reads and writes another one's attributes.

    Raises RuntimeError for a context with attributes of the reserved names.
    """

    _pt_reserved_attrs: tuple[str, ...] = ("_pt_reserved_attrs", "_pt_inner_ctx")

    def __init__(self, ctx: Any) -> None:
        if not isinstance(ctx, WrappedCtx):
            reserved = type(self)._pt_reserved_attrs
            for name in reserved:
                if hasattr(ctx, name):
                    raise RuntimeError(
                        f"PyTorch reserves the {reserved} field on ctx. Please name your fields on "
                        "ctx something else to avoid name collision."
                    )
        self._pt_inner_ctx = ctx

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pt_inner_ctx, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in type(self)._pt_reserved_attrs:
            self.__dict__[name] = value
        else:
            setattr(self._pt_inner_ctx, name, value)


class CtxWithSavedTensors(WrappedCtx):
    """A context of which *new_saved_tensors* are the saved ones."""

    _pt_reserved_attrs = ("_pt_new_saved_tensors", *WrappedCtx._pt_reserved_attrs)

    def __init__(self, ctx: Any, new_saved_tensors: Any) -> None:
        super().__init__(ctx)
        self._pt_new_saved_tensors = new_saved_tensors

    @property
    def saved_tensors(self) -> Any:
        """What was given in place of the inner context's."""
        return self._pt_new_saved_tensors


def reductify(
    grad_input: Any,
    grad_input_bdim: Any,
    input_bdim: Any,
    batch_size: int,
    target_shape_without_bdim_to_reduce_to: Any = None,
) -> Any:
    """Each gradient as it belongs to an input with that batch dimension (:func:`reductify_leaf`).

    Single values may stand for tuples of one.
    """
    if not isinstance(grad_input, tuple):
        grad_input = (grad_input,)
    if not isinstance(grad_input_bdim, tuple):
        grad_input_bdim = (grad_input_bdim,)
    if not isinstance(input_bdim, tuple):
        input_bdim = (input_bdim,)
    shapes = target_shape_without_bdim_to_reduce_to or (None,) * len(grad_input)
    grads, spec = tree_flatten(grad_input)
    return tree_unflatten(
        [
            reductify_leaf(g, here, there, batch_size, shape)
            for g, here, there, shape in zip(
                grads, grad_input_bdim, input_bdim, shapes, strict=True
            )
        ],
        spec,
    )


def reductify_leaf(
    grad_input: Any,
    grad_input_bdim: int | None,
    input_bdim: int | None,
    batch_size: int,
    target_shape_without_bdim_to_reduce_to: Any = None,
) -> Any:
    """*grad_input* as the gradient of an input whose batch lies along *input_bdim*.

    Of an input without one the samples' gradients are summed; a gradient without one is repeated.

    :param target_shape_without_bdim_to_reduce_to: the input's shape, where it was broadcast.
    """
    if grad_input is None:
        return None
    if grad_input_bdim is None and input_bdim is None:
        return grad_input
    if input_bdim is None:
        return grad_input.sum(grad_input_bdim)
    shape = target_shape_without_bdim_to_reduce_to
    if grad_input_bdim is None:
        grad_input = grad_input.unsqueeze(input_bdim)
        size = list(grad_input.shape)
        size[input_bdim] = batch_size
        grad_input, grad_input_bdim = grad_input.expand(size), input_bdim
    if shape is not None:
        summed = vmap(
            torch.Tensor.sum_to_size, in_dims=(grad_input_bdim, None), out_dims=input_bdim
        )
        return summed(grad_input, shape)
    if input_bdim != grad_input_bdim:
        grad_input = grad_input.movedim(grad_input_bdim, input_bdim)
    return grad_input
