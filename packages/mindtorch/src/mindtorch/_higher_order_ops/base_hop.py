"""``torch._higher_order_ops.base_hop``: operators that call a function of tensors as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import DispatchKey

from .._library.higher_order_operator import HigherOrderOperator
from ..fx import GraphModule

__all__ = ["BaseHOP", "FunctionWithNoFreeVars"]


class FunctionWithNoFreeVars:
    """A function that uses nothing but its arguments."""

    def __init__(self, fn: Callable[..., Any]) -> None:
        self.fn = fn

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it."""
        return self.fn(*args, **kwargs)


class BaseHOP(HigherOrderOperator):
    """An operator that is ``subgraph(*operands)``; keywords are options of whoever compiles it."""

    def __init__(self, hop_name: str) -> None:
        super().__init__(hop_name)
        self.py_impl(DispatchKey.CompositeImplicitAutograd)(self._run)

    def __call__(self, subgraph: Any, *operands: Any, **kwargs: Any) -> Any:
        """Call *subgraph*. Raises RuntimeError for a function that may use more than arguments."""
        if not isinstance(subgraph, (GraphModule, FunctionWithNoFreeVars)):
            raise RuntimeError(
                f"{self._name}: when calling this API without torch.compile, we require that the "
                "subgraph be a torch.fx.GraphModule (or a function we know doesn't have free "
                "variables)."
            )
        return super().__call__(subgraph, *operands, **kwargs)

    def _run(self, subgraph: Callable[..., Any], *operands: Any, **kwargs: Any) -> Any:
        return subgraph(*operands)
