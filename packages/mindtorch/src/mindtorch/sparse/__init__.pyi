# Written by `python -m tests.stubs --write`; see tests/stubs.
from collections.abc import Sequence
from mindtorch.tensor.types import Number, _DTypeLike, _bool, _complex, _int, _layout, _str
from typing import overload
from . import gradients as gradients
from . import semi_structured as semi_structured
from collections.abc import Callable
from mindtorch.sparse.gradients import as_sparse_gradcheck as as_sparse_gradcheck
from mindtorch.sparse.semi_structured import SparseSemiStructuredTensor as SparseSemiStructuredTensor
from mindtorch.sparse.semi_structured import SparseSemiStructuredTensorCUSPARSELT as SparseSemiStructuredTensorCUSPARSELT
from mindtorch.sparse.semi_structured import SparseSemiStructuredTensorCUTLASS as SparseSemiStructuredTensorCUTLASS
from mindtorch.sparse.semi_structured import to_sparse_semi_structured as to_sparse_semi_structured
from mindtorch.tensor import Tensor
from typing import Any

BFloat16Tensor: Any
ByteTensor: Any
CharTensor: Any
DoubleTensor: Any
FloatTensor: Any
HalfTensor: Any
IntTensor: Any
LongTensor: Any
ShortTensor: Any
def _spsolve(input: Tensor, other: Tensor, *, left: bool=True) -> Tensor: ...
def _sum(input: Tensor, dim: int | tuple[int, ...] | None=None, dtype: Any=None) -> Tensor: ...
def addmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    *,
    beta: Number | _complex = 1,
    alpha: Number | _complex = 1,
) -> Tensor: ...
class check_sparse_tensor_invariants:
    state: Any
    saved_state: bool | None

    @staticmethod
    def is_enabled() -> bool:
        ...

    @staticmethod
    def enable() -> None:
        ...

    @staticmethod
    def disable() -> None:
        ...

    def __init__(self, enable: bool=True) -> None:
        ...

    def __enter__(self) -> None:
        ...

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        ...

    def __call__(self, mth: Callable[..., Any]) -> Callable[..., Any]:
        ...
def log_softmax(input: Tensor, dim: _int, dtype: _DTypeLike | None = None) -> Tensor: ...
@overload
def mm(sparse: Tensor, dense: Tensor) -> Tensor: ...
@overload
def mm(sparse: Tensor, dense: Tensor, reduce: _str) -> Tensor: ...
def sampled_addmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    *,
    beta: Number | _complex = 1,
    alpha: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
def softmax(input: Tensor, dim: _int, dtype: _DTypeLike | None = None) -> Tensor: ...
def spdiags(
    diagonals: Tensor, offsets: Tensor, shape: Sequence[_int], layout: _layout | None = None
) -> Tensor: ...
def spsolve(input: Tensor, other: Tensor, *, left: _bool = True) -> Tensor: ...
def sum(input: Tensor, dim: _int | tuple[_int, ...] | None = None, dtype: Any = None) -> Tensor: ...
