"""``torch._custom_op.autograd``: gradients of ops whose backward gives them by name."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NoReturn

from mindtorch._C import _AutoDispatchBelowAutograd
from mindtorch._library.schemas import is_tensor, is_tensor_list
from mindtorch.aten import torch
from mindtorch.autograd import Function
from mindtorch.tensor import Tensor
from mindtorch.utils import _pytree as pytree

_Kernel = Callable[..., Any]


def autograd_kernel_indirection(custom_op: Any) -> _Kernel:
    """The kernel at Autograd: the formula once it was registered, before that a refusal."""
    fallback = autograd_not_implemented(custom_op)

    def inner(*args: Any, **kwargs: Any) -> Any:
        if custom_op._has_impl("autograd"):
            return custom_op._get_impl("autograd").func(*args, **kwargs)
        halves = ("save_for_backward", "backward")
        found = [kind for kind in halves if custom_op._has_impl(kind)]
        if found:
            missing = next(kind for kind in halves if kind not in found)
            raise RuntimeError(
                f"We found a '{found[0]}' registration for {custom_op} at "
                f"{custom_op._get_impl(found[0]).location} but were unable to find a '{missing}' "
                "registration. To use the CustomOp API to register a backward formula, please "
                "provide us both a backward function and a 'save for backward' function via "
                "`impl_backward` and `impl_save_for_backward` respectively."
            )
        return fallback(*args, **kwargs)

    return inner


def autograd_not_implemented(custom_op: Any) -> _Kernel:
    """A kernel that refuses what would need a gradient."""

    def kernel(*args: Any, **kwargs: Any) -> Any:
        if torch.is_grad_enabled() and pytree.tree_any(
            lambda x: isinstance(x, Tensor) and x.requires_grad, (args, kwargs)
        ):
            raise RuntimeError("Autograd has not been implemented for operator")
        with _AutoDispatchBelowAutograd():
            return custom_op(*args, **kwargs)

    return kernel


def mark_non_differentiable(ctx: Any, output: Any, output_differentiability: Any) -> None:
    """Tell *ctx* which results have no gradient. Raises RuntimeError for one that can have none."""
    if output_differentiability is None:
        return
    outputs = output if isinstance(output, tuple) else (output,)
    if len(output_differentiability) != len(outputs):
        raise AssertionError(
            f"output_differentiability length {len(output_differentiability)} != output length "
            f"{len(outputs)}"
        )
    without: list[Any] = []
    for i, (differentiable, out) in enumerate(zip(output_differentiability, outputs, strict=True)):
        if isinstance(out, (Tensor, list)):
            if not differentiable:
                without += out if isinstance(out, list) else [out]
        elif differentiable:
            raise RuntimeError(
                f"With output_differentiability={output_differentiability}. At idx {i}, we "
                f"received an object of type {type(out)} that is not a Tensor, so it cannot have "
                "be marked as differentiable in output_differentiability."
            )
    if without:
        ctx.mark_non_differentiable(*without)


def construct_autograd_kernel(
    schema: Any,
    output_differentiability: list[bool] | None,
    custom_op: Any,
    op_overload: _Kernel,
    save_for_backward_fn: _Kernel,
    backward_fn: _Kernel,
) -> _Kernel:
    """The kernel at Autograd that records a node which runs *backward_fn*.

    :param save_for_backward_fn: gets the arguments by name and the result, and gives what is
        kept, any tree of tensors and other values.
    :param backward_fn: ``backward_fn(ctx, saved, *grads)`` gives gradients by argument.
    """

    def apply(*args: Any) -> Any:
        flat_args, spec = pytree.tree_flatten(args)
        out_spec: Any = None

        def forward(ctx: Any, *flat_args: Any) -> Any:
            nonlocal out_spec
            ctx.set_materialize_grads(True)
            args = pytree.tree_unflatten(list(flat_args), spec)
            with _AutoDispatchBelowAutograd():
                output = op_overload(*args)
            kinds = namedtuple_args(schema, pytree.tree_map(type, args))
            to_save = save_for_backward_fn(namedtuple_args(schema, args), output)
            save_pytree_for_backward(ctx, (to_save, kinds))
            mark_non_differentiable(ctx, output, output_differentiability)
            flat_output, out_spec = pytree.tree_flatten(output)
            return tuple(flat_output)

        def backward(ctx: Any, *flat_grads: Any) -> Any:
            grads = pytree.tree_unflatten(list(flat_grads), out_spec)
            saved, kinds = unpack_saved(ctx)
            # A context of which nothing is offered.
            given = backward_fn(object(), saved, *(grads if isinstance(grads, tuple) else (grads,)))
            validate_grad_inputs_dict(given, custom_op, kinds)
            return grad_inputs_dict_to_flat_tuple(given, kinds)

        function = gen_autograd_function(f"{custom_op._opname}_customop", forward, backward)
        flat_output = function.apply(*flat_args)
        return pytree.tree_unflatten(list(flat_output), out_spec)

    return apply


def gen_autograd_function(name: str, forward: _Kernel, backward: _Kernel) -> Any:
    """An ``autograd.Function`` called *name*."""
    body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type(name, (Function,), body)


@lru_cache
def namedtuple_args_cls(schema: Any) -> Any:
    """The named tuple of the arguments of an op."""
    return namedtuple(f"{schema.name}_args", [a.name for a in schema.arguments])  # type: ignore[misc]


def namedtuple_args(schema: Any, args: Any) -> Any:
    """Arguments by name."""
    if not isinstance(args, tuple):
        raise AssertionError(f"expected tuple, got {type(args)}")
    return namedtuple_args_cls(schema)(*args)


# -- what a backward gives -------------------------------------------------------------------------


def validate_grad_inputs_dict(grad_inputs_dict: Any, forward_op: Any, args_info: Any) -> None:
    """Raise RuntimeError if gradients do not fit the arguments, of which *args_info* has types."""

    def error(what: str) -> NoReturn:
        raise RuntimeError(
            f"In the backward function defined for {forward_op} at "
            f"{forward_op._get_impl('backward').location} using the CustomOp API, {what}"
        )

    if not isinstance(grad_inputs_dict, dict):
        error(
            "expected the output of the backward function to be a dict but got "
            f"{type(grad_inputs_dict)}"
        )
    expected = {a.name for a in forward_op._schema.arguments if is_tensor(a) or is_tensor_list(a)}
    if expected != grad_inputs_dict.keys():
        error(
            f"expected the returned grad_input dict to have keys {expected} but got "
            f"{grad_inputs_dict.keys()}. The backward function must return a gradient (can be "
            "None) for each arg to the CustomOp that may be a Tensor or Sequence[Tensor]. Args "
            "declared to be non-Tensor-like types should not appear in the grad_input dict"
        )
    for name, grad in grad_inputs_dict.items():
        kind = getattr(args_info, name)
        if isinstance(kind, list):
            _check_list(name, grad, kind, error)
        elif grad is not None and not isinstance(grad, Tensor):
            error(
                f"got object of type {type(grad)} as the gradient for input '{name}', but expected "
                "the gradient to be either None or a Tensor"
            )
        elif grad is not None and not issubclass(kind, Tensor):
            error(
                f"got a Tensor as the gradient for input '{name}' but expected None as the "
                f"gradient because input '{name}' was not a Tensor (it was type {kind})."
            )


def _check_list(name: str, grads: Any, kinds: list[Any], error: Callable[[str], NoReturn]) -> None:
    """The same for an argument that is a list of tensors."""
    start = f"for input '{name}' expected the grad_input dict to hold a list of"
    if not isinstance(grads, (tuple, list)):
        error(f"{start} gradients but got object of type {type(grads)}.")
    if len(grads) != len(kinds):
        error(f"{start} {len(kinds)} gradients but got {len(grads)}")
    for i, (grad, kind) in enumerate(zip(grads, kinds, strict=True)):
        if grad is None:
            continue
        if not isinstance(grad, Tensor):
            error(f"{start} None or Tensor gradients but got object of {type(grad)} at index {i}")
        if not issubclass(kind, Tensor):
            error(
                f"for input '{name}', got a Tensor as the gradient for the {i}-th value but "
                f"expected None because the {i}-th value was not a Tensor (it was type {kinds}"
            )


def grad_inputs_dict_to_flat_tuple(grad_inputs_dict: dict[str, Any], args_info: Any) -> Any:
    """A gradient, or None, for each leaf of the arguments."""
    found = [
        grad_inputs_dict[name]
        if name in grad_inputs_dict
        else pytree.tree_map(lambda _: None, kind)
        for name, kind in args_info._asdict().items()
    ]
    return tuple(pytree.tree_leaves(found))


# -- what is kept ----------------------------------------------------------------------------------


def save_pytree_for_backward(ctx: Any, stuff: Any) -> None:
    """Keep a tree: its tensors as autograd keeps them, all else beside."""
    flat, ctx.spec = pytree.tree_flatten(stuff)
    places = [isinstance(thing, Tensor) for thing in flat]
    ctx.num_elts = len(flat)
    ctx.tensor_idxs = [i for i, is_tensor in enumerate(places) if is_tensor]
    ctx.non_tensor_idxs = [i for i, is_tensor in enumerate(places) if not is_tensor]
    ctx.saved_non_tensors = [flat[i] for i in ctx.non_tensor_idxs]
    ctx.save_for_backward(*(flat[i] for i in ctx.tensor_idxs))


def unpack_saved(ctx: Any) -> Any:
    """The tree that :func:`save_pytree_for_backward` kept."""
    flat: list[Any] = [None] * ctx.num_elts
    for values, places in (
        (ctx.saved_tensors, ctx.tensor_idxs),
        (ctx.saved_non_tensors, ctx.non_tensor_idxs),
    ):
        for value, i in zip(values, places, strict=True):
            flat[i] = value
    return pytree.tree_unflatten(flat, ctx.spec)
