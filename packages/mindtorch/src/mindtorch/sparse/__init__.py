"""``torch.sparse``: tensors of which few elements are there, as coordinates or by rows.

The functions that only sparse tensors have; what all tensors have works on them, too, as far as
torch has it. See ``aten.sparse`` for what they are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from .._C._sparse import _sparse_addmm as addmm
from .._C._sparse import _sparse_log_softmax as log_softmax
from .._C._sparse import _sparse_mm as mm
from .._C._sparse import _sparse_softmax as softmax
from .._C._sparse import _spdiags as spdiags
from .._C._sparse import sparse_sampled_addmm as sampled_addmm
from ..aten import torch
from ..call.intercept import overridable
from ..core.operators import operator_named
from ..core.sparse_invariants import checks
from ..core.submodules import reached as _reached
from ..tensor import Tensor
from ..tensor.legacy import TENSOR_TYPES, tensor_type
from .gradients import as_sparse_gradcheck
from .semi_structured import (
    SparseSemiStructuredTensor,
    SparseSemiStructuredTensorCUSPARSELT,
    SparseSemiStructuredTensorCUTLASS,
    to_sparse_semi_structured,
)

#: What a program imports from here.
__all__ = [
    "SparseSemiStructuredTensor",
    "SparseSemiStructuredTensorCUSPARSELT",
    "SparseSemiStructuredTensorCUTLASS",
    "addmm",
    "as_sparse_gradcheck",
    "check_sparse_tensor_invariants",
    "log_softmax",
    "mm",
    "sampled_addmm",
    "softmax",
    "spdiags",
    "spsolve",
    "sum",
    "to_sparse_semi_structured",
]


def _sum(input: Tensor, dim: int | tuple[int, ...] | None = None, dtype: Any = None) -> Tensor:
    """The sum of the elements of a COO tensor, over all dimensions or over *dim*.

    Sparse, unless no sparse dimension is left. Its gradient has the places of *input* alone.
    """
    if dtype is None:
        if dim is None:
            return torch._sparse_sum(input)
        return torch._sparse_sum(input, dim)
    if dim is None:
        return torch._sparse_sum(input, dtype=dtype)
    return torch._sparse_sum(input, dim, dtype=dtype)


_sum.__name__ = _sum.__qualname__ = "sum"
sum = overridable(_sum)


def _spsolve(input: Tensor, other: Tensor, *, left: bool = True) -> Tensor:
    """Refuse: there is no solver of sparse systems for the CPU, as in torch."""
    return operator_named("aten::_spsolve")(input, other, left=left)


_spsolve.__name__ = _spsolve.__qualname__ = "spsolve"
spsolve = overridable(_spsolve)


class check_sparse_tensor_invariants:
    """Whether new sparse tensors are checked: a switch, a block, or a decorator.

    A check looks at all indices: whether they lie inside, and whether rows are in order.
    """

    @staticmethod
    def is_enabled() -> bool:
        """Whether they are."""
        return bool(checks.enabled)

    @staticmethod
    def enable() -> None:
        """Check them."""
        checks.enabled = True

    @staticmethod
    def disable() -> None:
        """Do not check them."""
        checks.enabled = False

    def __init__(self, enable: bool = True) -> None:
        self.state = enable
        self.saved_state: bool | None = None

    def __enter__(self) -> None:
        if self.saved_state is not None:
            raise RuntimeError(
                "This context manager instance is already activated. Use a different context "
                "manager instance for context nesting."
            )
        self.saved_state = self.is_enabled()
        checks.enabled = self.state

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        checks.enabled = bool(self.saved_state)
        self.saved_state = None

    def __call__(self, mth: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(mth)
        def test_mth(*args: Any, **kwargs: Any) -> Any:
            with type(self)(self.state):
                return mth(*args, **kwargs)

        return test_mth


_module = _reached(__name__, ("semi_structured",))


def __getattr__(name: str) -> Any:
    if name not in TENSOR_TYPES or name == "BoolTensor":
        return _module(name)
    found = globals()[name] = tensor_type(name, layout=torch.sparse_coo)
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *TENSOR_TYPES} - {"BoolTensor"})
