"""``torch._higher_order_ops.inline_asm_elementwise``: assembly of a GPU for each element."""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import DispatchKey

from .._library.higher_order_operator import HigherOrderOperator
from .._prims_common import compute_elementwise_output_logical_to_physical_perm
from .._subclasses.fake_tensor import FakeTensorMode
from ..aten import torch

__all__ = ["inline_asm_elementwise"]


class InlineAsmElementwiseOp(HigherOrderOperator):
    """``torch.ops.higher_order.inline_asm_elementwise``: for CUDA, which there is not."""

    def __init__(self) -> None:
        super().__init__("inline_asm_elementwise")

    def __call__(
        self,
        *inputs: Any,
        asm_str: str,
        constraints: str,
        dtype: torch.dtype,
        is_pure: bool = True,
        pack: int = 1,
    ) -> Any:
        """Refuse; on fake tensors, say what the result looks like.

        Raises ValueError for code with side effects, RuntimeError for tensors that are not CUDA's.
        """
        if not is_pure:
            raise ValueError("inline_asm_elementwise only supports is_pure=True")
        return super().__call__(
            *inputs, asm_str=asm_str, constraints=constraints, dtype=dtype, pack=pack
        )


inline_asm_elementwise = InlineAsmElementwiseOp()


@inline_asm_elementwise.py_impl(DispatchKey.CompositeImplicitAutograd)
def _run(*inputs: Any, **options: Any) -> Any:
    if not inputs:
        raise ValueError("inline_asm_elementwise requires at least one input tensor")
    torch.broadcast_tensors(*inputs)
    raise RuntimeError("inline_asm_elementwise only supports CUDA tensors")


@inline_asm_elementwise.py_impl(FakeTensorMode)
def _shaped(mode: Any, *inputs: Any, dtype: torch.dtype, **options: Any) -> Any:
    with mode:
        operands = torch.broadcast_tensors(*inputs)
        order, _ = compute_elementwise_output_logical_to_physical_perm(*operands)
        first = operands[0]
        return torch.empty_permuted(first.shape, order, dtype=dtype, device=first.device)
