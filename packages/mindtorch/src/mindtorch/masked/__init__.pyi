# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any

MaskedTensor: Any
def amax(
    input: Any, dim: Any = None, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any: ...
def amin(
    input: Any, dim: Any = None, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any: ...
def argmax(
    input: Any, dim: Any = None, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any: ...
def argmin(
    input: Any, dim: Any = None, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any: ...
def as_masked_tensor(data: Any, mask: Any) -> Any: ...
def cumprod(input: Any, dim: Any, *, dtype: Any = None, mask: Any = None) -> Any: ...
def cumsum(input: Any, dim: Any, *, dtype: Any = None, mask: Any = None) -> Any: ...
def is_masked_tensor(obj: Any, /) -> bool: ...
def log_softmax(input: Any, dim: Any, *, dtype: Any = None, mask: Any = None) -> Any: ...
def logaddexp(
    input: Any, other: Any, *, dtype: Any = None, input_mask: Any = None, other_mask: Any = None
) -> Any: ...
def logsumexp(
    input: Any, dim: Any = None, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any: ...
def masked_tensor(data: Any, mask: Any, requires_grad: Any = False) -> Any: ...
def mean(
    input: Any, dim: Any = None, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any: ...
def median(
    input: Any, dim: Any = -1, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any: ...
def norm(
    input: Any,
    ord: Any = 2.0,
    dim: Any = None,
    *,
    keepdim: Any = False,
    dtype: Any = None,
    mask: Any = None,
) -> Any: ...
def normalize(
    input: Any, ord: Any, dim: Any, *, eps: Any = 1e-12, dtype: Any = None, mask: Any = None
) -> Any: ...
def prod(
    input: Any, dim: Any = None, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any: ...
def softmax(input: Any, dim: Any, *, dtype: Any = None, mask: Any = None) -> Any: ...
def softmin(input: Any, dim: Any, *, dtype: Any = None, mask: Any = None) -> Any: ...
def std(
    input: Any,
    dim: Any = None,
    unbiased: Any = None,
    *,
    correction: Any = None,
    keepdim: Any = False,
    dtype: Any = None,
    mask: Any = None,
) -> Any: ...
def sum(
    input: Any, dim: Any = None, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any: ...
def var(
    input: Any,
    dim: Any = None,
    unbiased: Any = None,
    *,
    correction: Any = None,
    keepdim: Any = False,
    dtype: Any = None,
    mask: Any = None,
) -> Any: ...
