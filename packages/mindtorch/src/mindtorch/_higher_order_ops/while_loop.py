"""``torch.while_loop``: a loop as an op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import DispatchKey

from .._library.higher_order_operator import HigherOrderOperator
from ..aten import torch
from ..utils._pytree import tree_flatten, tree_leaves, tree_unflatten

__all__ = ["while_loop", "while_loop_op", "while_loop_stack_output_op"]


class _Loop(HigherOrderOperator):
    """A loop over a flat tuple of what is carried."""

    def __call__(
        self,
        cond_fn: Callable[..., Any],
        body_fn: Callable[..., Any],
        carried_inputs: Any,
        additional_inputs: Any,
        /,
    ) -> Any:
        """Loop. Raises RuntimeError where inputs are no sequences."""
        _refuse_no_sequence(carried_inputs=carried_inputs, additional_inputs=additional_inputs)
        return super().__call__(cond_fn, body_fn, carried_inputs, additional_inputs)


class WhileLoopOp(_Loop):
    """``torch.ops.higher_order.while_loop``: a loop that gives what is carried at its end."""

    def __init__(self) -> None:
        super().__init__("while_loop")


while_loop_op = WhileLoopOp()


@while_loop_op.py_impl(DispatchKey.CompositeImplicitAutograd)
def _loop(cond_fn: Any, body_fn: Any, carried: Any, additional: Any) -> Any:
    """What is carried when the condition is not true any more."""
    while _truth(cond_fn(*carried, *additional)):
        after = body_fn(*carried, *additional)
        if len(after) != len(carried):
            raise AssertionError(
                "body_fn should return the same number of elements as carried_inputs"
            )
        carried = after
    return carried


def while_loop(
    cond_fn: Callable[..., Any], body_fn: Callable[..., Any], carried_inputs: Any
) -> Any:
    """Apply *body_fn* to what is carried as long as *cond_fn* of it is true; returns what is left.

    Raises RuntimeError for other than functions, and for a condition that is no single truth.
    """
    if not callable(cond_fn) or not callable(body_fn):
        raise RuntimeError("Expect cond_fn and body_fn to be callable.")
    flat, spec = tree_flatten(carried_inputs)

    def condition(*leaves: Any) -> Any:
        return cond_fn(*tree_unflatten(list(leaves), spec))

    def body(*leaves: Any) -> tuple[Any, ...]:
        return tuple(tree_leaves(body_fn(*tree_unflatten(list(leaves), spec))))

    return tree_unflatten(list(while_loop_op(condition, body, tuple(flat), ())), spec)


def _refuse_no_sequence(**inputs: Any) -> None:
    for name, given in inputs.items():
        if not isinstance(given, (tuple, list)):
            raise RuntimeError(f"{name} must be a tuple or list, got {type(given)}")


class WhileLoopStackOutputOp(_Loop):
    """``torch.ops.higher_order.while_loop_stack_output``: a loop that gives what it passed through.

    For each of what is carried a tensor with a first dim of the turns.
    """

    def __init__(self) -> None:
        super().__init__("while_loop_stack_output")


while_loop_stack_output_op = WhileLoopStackOutputOp()


@while_loop_stack_output_op.py_impl(DispatchKey.CompositeImplicitAutograd)
def _stacked(cond_fn: Any, body_fn: Any, carried: Any, additional: Any) -> Any:
    """Loop, and keep each turn's results; those of no turn are the inputs, as if it were one."""
    turns: list[Any] = []
    while _truth(cond_fn(*carried, *additional)):
        after = body_fn(*carried, *additional)
        if not isinstance(after, tuple):
            raise AssertionError(f"body_fn should return a tuple but got {type(after)}")
        if len(after) != len(carried):
            raise AssertionError(
                "body_fn should return the same number of elements as carried_inputs, got "
                f"{len(after)} vs {len(carried)}"
            )
        turns.append(after)
        carried = after
    if not turns:
        return tuple(
            each.unsqueeze(0).clone() if isinstance(each, torch.Tensor) else each
            for each in carried
        )
    return tuple(torch.stack(each, dim=0) for each in zip(*turns, strict=True))


def _truth(found: Any) -> bool:
    if isinstance(found, torch.Tensor):
        if found.dtype != torch.bool or found.numel() != 1:
            raise RuntimeError(
                f"cond_fn must return a boolean scalar tensor or a boolean but got {found}"
            )
        return bool(found)
    if not isinstance(found, bool):
        raise RuntimeError(
            f"cond_fn must return a boolean scalar tensor or a boolean but got {type(found)}"
        )
    return found
