"""``torch._higher_order_ops.flex_attention``: attention with functions of places, as operators.

``torch.nn.attention.flex_attention`` is what programs call. Logarithms are to the base 2 here, as
in torch's kernels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from mindtorch_dispatch import DispatchKey

from .._library.higher_order_operator import HigherOrderOperator
from ..aten import torch
from ..autograd import grad as gradients
from ..nn.attention.flex_attention import _attend

__all__ = ["flex_attention", "flex_attention_backward"]

_LN2 = math.log(2)


class FlexAttentionHOP(HigherOrderOperator):
    """``torch.ops.higher_order.flex_attention``: result, logarithm of sums, greatest scores."""

    def __init__(self) -> None:
        super().__init__("flex_attention", cacheable=True)

    def __call__(
        self,
        query: Any,
        key: Any,
        value: Any,
        score_mod: Callable[..., Any],
        block_mask: tuple[Any, ...],
        scale: float,
        kernel_options: dict[str, Any],
        score_mod_other_buffers: tuple[Any, ...] = (),
        mask_mod_other_buffers: tuple[Any, ...] = (),
    ) -> Any:
        """Attend.

        :param block_mask: the last entry says which pairs are seen; kernels use the others.
        :param score_mod_other_buffers: what *score_mod* takes beside a score and its place.
        """
        return super().__call__(
            query, key, value, score_mod, block_mask, scale, kernel_options,
            score_mod_other_buffers, mask_mod_other_buffers,
        )  # fmt: skip


class FlexAttentionBackwardHOP(HigherOrderOperator):
    """``torch.ops.higher_order.flex_attention_backward``: the gradients of queries, keys, values.

    And of the buffers that *fw_graph* takes.
    """

    def __init__(self) -> None:
        super().__init__("flex_attention_backward", cacheable=True)

    def __call__(
        self,
        query: Any,
        key: Any,
        value: Any,
        out: Any,
        logsumexp: Any,
        grad_out: Any,
        grad_logsumexp: Any,
        fw_graph: Callable[..., Any],
        joint_graph: Any,
        block_mask: tuple[Any, ...],
        scale: float,
        kernel_options: dict[str, Any],
        score_mod_other_buffers: tuple[Any, ...] = (),
        mask_mod_other_buffers: tuple[Any, ...] = (),
    ) -> Any:
        """Give the gradients; *joint_graph* is for compilers."""
        return super().__call__(
            query, key, value, out, logsumexp, grad_out, grad_logsumexp, fw_graph, joint_graph,
            block_mask, scale, kernel_options, score_mod_other_buffers, mask_mod_other_buffers,
        )  # fmt: skip


flex_attention = FlexAttentionHOP()
flex_attention_backward = FlexAttentionBackwardHOP()


@flex_attention.py_impl(DispatchKey.CompositeImplicitAutograd)
def _forward(
    query: Any, key: Any, value: Any, score_mod: Any, block_mask: Any, scale: float,
    kernel_options: Any, score_buffers: tuple[Any, ...], mask_buffers: tuple[Any, ...],
) -> tuple[Any, Any, Any]:  # fmt: skip
    queries, keys = query.size(0), key.size(0)
    if queries != keys and not (queries > 1 and keys == 1):
        raise RuntimeError(f"Bq and Bkv must broadcast. Got Bq={queries} and Bkv={keys}")
    out, lse, greatest = _attend(
        query, key, value, score_mod, block_mask[-1], scale, score_buffers, mask_buffers
    )
    return _as_query(out, query), lse / _LN2, greatest / _LN2


@flex_attention_backward.py_impl(DispatchKey.CompositeImplicitAutograd)
def _backward(
    query: Any, key: Any, value: Any, out: Any, logsumexp: Any, grad_out: Any,
    grad_logsumexp: Any, fw_graph: Any, joint_graph: Any, block_mask: Any, scale: float,
    kernel_options: Any, score_buffers: tuple[Any, ...], mask_buffers: tuple[Any, ...],
) -> tuple[Any, ...]:  # fmt: skip
    if not query.dtype == key.dtype == value.dtype:
        raise ValueError(
            "Backward pass with mixed query, key, and value dtype is not supported, got "
            f"query.dtype={query.dtype}, key.dtype={key.dtype}, and value.dtype={value.dtype}"
        )
    with torch.enable_grad():
        q, k, v = (t.detach().requires_grad_() for t in (query, key, value))
        buffers = [
            b.detach().requires_grad_() if isinstance(b, torch.Tensor) and b.requires_grad else b
            for b in score_buffers
        ]
        again, lse, _ = _forward(
            q, k, v, fw_graph, block_mask, scale, kernel_options, tuple(buffers), mask_buffers
        )
        wanted = [b for b in buffers if isinstance(b, torch.Tensor) and b.requires_grad]
        found = iter(
            gradients(
                [again, lse],
                [q, k, v, *wanted],
                [
                    torch.zeros_like(again) if grad_out is None else grad_out,
                    torch.zeros_like(lse) if grad_logsumexp is None else grad_logsumexp,
                ],
                allow_unused=True,
            )
        )
    plain = [_as_query(next(found), t) for t in (query, key, value)]

    def of_buffer(buffer: Any) -> Any:
        if not isinstance(buffer, torch.Tensor):
            return buffer
        return next(found) if buffer.requires_grad else None

    return (*plain, tuple(map(of_buffer, buffers)))


def _as_query(out: Any, like: Any) -> Any:
    """*out* with its dims in the order in memory of those of *like*, the last one innermost."""
    strides = like.stride()
    last = out.dim() - 1
    inwards = [d for d in sorted(range(out.dim()), key=strides.__getitem__) if d != last]
    return out.new_empty_strided(out.shape, _filled(out.shape, [last, *inwards])).copy_(out)


def _filled(sizes: Sequence[int], order: Sequence[int]) -> list[int]:
    """Strides of dims that lie in *order*, from the innermost on."""
    strides, step = [0] * len(sizes), 1
    for d in order:
        strides[d] = step
        step *= sizes[d]
    return strides
