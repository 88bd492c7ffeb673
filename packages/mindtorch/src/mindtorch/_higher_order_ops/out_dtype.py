"""``torch._higher_order_ops.out_dtype``: an operator whose result has another dtype."""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import DispatchKey

from .._library.higher_order_operator import HigherOrderOperator
from .._ops import OpOverload, ops
from .._prims_common import ELEMENTWISE_TYPE_PROMOTION_KIND, elementwise_dtypes
from ..aten import torch
from ..utils._pytree import arg_tree_leaves, tree_map

__all__ = ["out_dtype"]

ALLOWABLE_OPS = [
    ops.aten.linear.default,
    ops.aten.mm.default,
    ops.aten.conv2d.default,
    ops.aten.convolution.default,
    ops.aten.mul.Tensor,
    ops.aten.mul.Scalar,
    ops.aten.div.Tensor,
    ops.aten.div.Scalar,
]


class OutDtypeOperator(HigherOrderOperator):
    """``torch.ops.higher_order.out_dtype``: computed in a dtype that holds operands and result."""

    def __init__(self) -> None:
        super().__init__("out_dtype")

    def __call__(self, op: OpOverload, output_dtype: torch.dtype, *args: Any) -> Any:
        """The result of *op* in *output_dtype*.

        Raises ValueError for an operator that is none of the few, or gives no single new tensor.
        """
        if not isinstance(op, OpOverload):
            raise ValueError("out_dtype's first argument must be an OpOverload")
        if op._schema.is_mutable:
            raise ValueError("out_dtype's first argument needs to be a functional operator")
        returns = op._schema.returns
        if len(returns) != 1 or str(returns[0].type) != "Tensor":
            raise ValueError(
                "out_dtype's can only apply to ops that return a single tensorInstead got "
                f"{[r.type for r in returns]}"
            )
        if op not in ALLOWABLE_OPS:
            raise ValueError(f"out_dtype only allows the following operators: {ALLOWABLE_OPS}.")
        return super().__call__(op, output_dtype, *args)


out_dtype = OutDtypeOperator()


@out_dtype.py_impl(DispatchKey.CompositeImplicitAutograd)
def _run(op: OpOverload, output_dtype: torch.dtype, *args: Any) -> Any:
    operands = [*arg_tree_leaves(*args), torch.ones(1, dtype=output_dtype)]
    computed, _ = elementwise_dtypes(
        *operands, type_promotion_kind=ELEMENTWISE_TYPE_PROMOTION_KIND.DEFAULT
    )
    wide = tree_map(lambda a: a.to(computed) if isinstance(a, torch.Tensor) else a, args)
    return op(*wide).to(output_dtype)
