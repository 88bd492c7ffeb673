"""Autograd between nested tensors and the values they hold: see Note [Nested tensors]."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...aten import torch
from ...autograd.function import Function
from ...core import signature as S

__all__ = ["change", "forget", "values_of", "wrapped_values"]


class NestedGetValues(Function):
    """From a nested tensor to its values."""

    @staticmethod
    def forward(ctx: Any, nt: Any) -> Any:
        ctx.kind, ctx.structure = type(nt), nt._structure()
        return nt._values.detach()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return wrapped_values(grad, ctx.kind, ctx.structure)


class NestedViewFromJagged(Function):
    """From values to a nested tensor."""

    @staticmethod
    def forward(ctx: Any, values: Any, kind: Any, told: dict[str, Any]) -> Any:
        return kind(values.detach(), **told)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return values_of(grad), None, None


def _recorded(t: Any) -> bool:
    return t.requires_grad and torch.is_grad_enabled()


def values_of(nt: Any) -> Any:
    """The values of *nt*, with its history."""
    return NestedGetValues.apply(nt) if _recorded(nt) else nt._values.detach()


def wrapped_values(values: Any, kind: Any, told: dict[str, Any]) -> Any:
    """The nested tensor of class *kind* of *values*, with their history, and of what is told."""
    if _recorded(values):
        return NestedViewFromJagged.apply(values, kind, told)
    return kind(values.detach() if values.requires_grad else values, **told)


def change(nt: Any, run: Callable[[Any], Any], others: Iterable[Any] = ()) -> Any:
    """Change *nt* by ``run(values)``: its memory, or what it holds where something is recorded.

    :param others: the tensors that *run* reads.

    Raises RuntimeError for a leaf that requires a gradient.
    """
    if _recorded(nt) and nt.is_leaf:
        raise RuntimeError(
            "a leaf Variable that requires grad is being used in an in-place operation."
        )
    if not any(_recorded(t) for t in (nt, *others)):
        run(nt._values)
        return nt
    made = wrapped_values(run(values_of(nt).clone()), type(nt), nt._structure())
    nt._values = made._values
    nt._edge_, nt._sig_, nt._meta_ = made._edge_, made._sig_, S.STALE
    return nt


def forget(nt: Any) -> Any:
    """Take the history off *nt*: ``detach_``."""
    nt._edge_, nt._sig_, nt._meta_ = None, nt._sig_ & ~S.REQUIRES_GRAD, S.STALE
    return nt
