"""``torch._higher_order_ops._invoke_quant``: a part of a program that is quantized as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .base_hop import BaseHOP, FunctionWithNoFreeVars

__all__ = ["InvokeQuant", "invoke_quant", "invoke_quant_packed"]


class InvokeQuantTracer(BaseHOP):
    """``torch.ops.higher_order.invoke_quant_packed``: of any function."""

    def __init__(self) -> None:
        super().__init__("invoke_quant_packed")

    def __call__(
        self, subgraph: Any, *operands: Any, scheme: str | None = None, quant_options: Any = None
    ) -> Any:
        """Call *subgraph*."""
        return super().__call__(
            FunctionWithNoFreeVars(subgraph), *operands, scheme=scheme, quant_options=quant_options
        )


class InvokeQuantUnpacked(BaseHOP):
    """``torch.ops.higher_order.invoke_quant``."""

    def __init__(self) -> None:
        super().__init__("invoke_quant")


invoke_quant_packed = InvokeQuantTracer()
invoke_quant = InvokeQuantUnpacked()


@dataclass(frozen=True)
class InvokeQuant:
    """Calls a function that a compiler keeps as a whole; there is none, so the function is called.

    :param codegen_low_precision: whether that compiler may compute in the dtypes of the function.
    """

    codegen_low_precision: bool = True

    def __call__(self, *args: Any, scheme: str | None = None, **kwargs: Any) -> Any:
        """Call the first argument with the others."""
        return args[0](*args[1:], **kwargs)
