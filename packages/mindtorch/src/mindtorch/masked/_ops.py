"""The reductions and normalizations of ``torch.masked``.

Each computes the function of ``torch`` of its name as though elements with a false mask were not
there: they are replaced by a number that changes nothing (0 in a sum, ``-inf`` in a maximum). Of
sparse tensors they are no longer specified.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten import torch
from ..linalg import vector_norm
from ..nn import functional as F
from ..tensor import Tensor
from . import _identities, _masks
from ._masks import _canonical_dim, _combine_input_and_mask, _input_mask
from ._sparse import reduced
from .maskedtensor.core import MaskedTensor

__all__ = [
    "amax",
    "amin",
    "argmax",
    "argmin",
    "cumprod",
    "cumsum",
    "log_softmax",
    "logsumexp",
    "mean",
    "median",
    "norm",
    "normalize",
    "prod",
    "softmax",
    "softmin",
    "std",
    "sum",
    "var",
]

# torch has them here, and programs import them from here.
_any, _output_mask, _where = _masks._any, _masks._output_mask, _masks._where
_reduction_identity = _identities._reduction_identity

_NARROW = frozenset((torch.uint8, torch.bool, torch.int8, torch.int16, torch.int32))


#: Those that torch has of sparse tensors, too: in which layouts.
_SPARSE = {name: (torch.sparse_coo, torch.sparse_csr) for name in ("sum", "prod", "amax", "amin")}


def _kept(op: Callable[..., Any], name: str, input: Any, mask: Any, *args: Any) -> Tensor:
    """*input* with neutral numbers for *op* where *mask* is false; a sparse one without those."""
    found = _combine_input_and_mask(op, input, mask, *args)
    if found.layout is not torch.strided and found.layout not in _SPARSE.get(name, ()):
        layouts = "strided, sparse_coo or sparse_csr" if name in _SPARSE else "strided"
        raise ValueError(f"masked {name} expects {layouts} tensor (got {found.layout} tensor)")
    return found


def _reduced(
    op: Callable[..., Any], kept: Tensor, mask: Any, dims: Any, keepdim: Any, dtype: Any
) -> Tensor:
    """*op* of a sparse tensor. Without a mask its zeros count, which only sums do not change.

    Raises ValueError for others without a mask.
    """
    if mask is None and op is not torch.sum:
        name, layout = op.__name__, str(kept.layout).removeprefix("torch.")
        if op is torch.amin and kept.layout is torch.sparse_coo:
            name = "amax"  # as torch says
        raise ValueError(f"masked {name} expects explicit mask for {layout} tensor input")
    return reduced(op, kept, dims, bool(keepdim), dtype)


def _summed(dtype: Any, input: Any) -> Any:
    """The dtype of a sum or product: that asked for; else narrow integers count in int64."""
    return dtype or (torch.int64 if input.dtype in _NARROW else input.dtype)


def sum(
    input: Tensor | MaskedTensor,
    dim: int | tuple[int, ...] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the sum of the elements along *dim* that *mask* keeps; 0 where it keeps none.

    :param dim: the dimensions that go; None for all.
    :param keepdim: whether they stay with size 1.
    :param dtype: of the result; by default that of *input*, int64 for narrower integers.
    :param mask: which elements count; broadcasts to the shape of *input*.
    """
    dims = _canonical_dim(dim, input.ndim)
    kept, dtype = _kept(sum, "sum", input, mask), _summed(dtype, input)
    if kept.layout is not torch.strided:
        return _reduced(torch.sum, kept, mask, dims, keepdim, dtype)
    return torch.sum(kept, dims, bool(keepdim), dtype=dtype)


def prod(
    input: Tensor | MaskedTensor,
    dim: int | tuple[int, ...] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the product of the elements along *dim* that *mask* keeps; 1 where it keeps none.

    The arguments are those of :func:`sum`.
    """
    dims = _canonical_dim(dim, input.ndim)
    result, dtype = _kept(prod, "prod", input, mask), _summed(dtype, input)
    if result.layout is not torch.strided:
        return _reduced(torch.prod, result, mask, dims, keepdim, dtype)
    result = result.to(dtype=dtype)
    for d in reversed(dims):
        result = result.prod(dim=d, keepdim=bool(keepdim))
    return result


def cumsum(
    input: Tensor, dim: int, *, dtype: torch.dtype | None = None, mask: Tensor | None = None
) -> Tensor:
    """Return running sums along *dim*, in which elements with a false *mask* count 0."""
    dtype, d = dtype or input.dtype, _canonical_dim(dim, input.ndim)[0]
    return torch.cumsum(_kept(sum, "cumsum", input, mask), d, dtype=dtype).to(dtype=dtype)


def cumprod(
    input: Tensor, dim: int, *, dtype: torch.dtype | None = None, mask: Tensor | None = None
) -> Tensor:
    """Return running products along *dim*, in which elements with a false *mask* count 1."""
    dtype, d = dtype or input.dtype, _canonical_dim(dim, input.ndim)[0]
    return torch.cumprod(_kept(prod, "cumprod", input, mask), d, dtype=dtype).to(dtype=dtype)


def amax(
    input: Tensor | MaskedTensor,
    dim: int | tuple[int, ...] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the largest element along *dim* that *mask* keeps; the least number if there is none.

    The arguments are those of :func:`sum`; *dtype* is by default that of *input*.
    """
    kept = _kept(amax, "amax", input, mask)
    dims = _canonical_dim(dim, kept.ndim)
    if kept.layout is not torch.strided:
        return _reduced(torch.amax, kept, mask, dims, keepdim, dtype or input.dtype)
    return torch.amax(kept, dims, bool(keepdim)).to(dtype=dtype or input.dtype)


def amin(
    input: Tensor | MaskedTensor,
    dim: int | tuple[int, ...] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the least element along *dim* that *mask* keeps; the largest number if there is none.

    The arguments are those of :func:`sum`; *dtype* is by default that of *input*.
    """
    kept = _kept(amin, "amin", input, mask)
    dims = _canonical_dim(dim, kept.ndim)
    if kept.layout is not torch.strided:
        return _reduced(torch.amin, kept, mask, dims, keepdim, dtype or input.dtype)
    return torch.amin(kept, dims, bool(keepdim)).to(dtype=dtype or input.dtype)


def argmax(
    input: Tensor | MaskedTensor,
    dim: int | None = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the position along *dim* of the largest element that *mask* keeps.

    As in torch, *dtype* is that of *input* by default, so positions come in it.
    """
    kept = _kept(argmax, "argmax", input, mask)
    return torch.argmax(kept, dim, bool(keepdim)).to(dtype=dtype or input.dtype)


def argmin(
    input: Tensor | MaskedTensor,
    dim: int | None = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the position along *dim* of the least element that *mask* keeps.

    As in torch, *dtype* is that of *input* by default, so positions come in it.
    """
    kept = _kept(argmin, "argmin", input, mask)
    return torch.argmin(kept, dim, bool(keepdim)).to(dtype=dtype or input.dtype)


def _total_and_count(
    input: Any, dim: Any, keepdim: Any, dtype: Any, mask: Any
) -> tuple[Tensor, Tensor, Any]:
    """The sum of what *mask* keeps, the number of such elements, and the mask in full."""
    if mask is None:
        ones = torch.ones(input.shape, dtype=torch.int64, device=input.device)
        return sum(input, dim, keepdim=keepdim, dtype=dtype), sum(ones, dim, keepdim=keepdim), None
    full = _input_mask(input, mask=mask)
    count = full.sum(dim=dim, keepdim=bool(keepdim))
    return sum(input, dim, keepdim=keepdim, dtype=dtype, mask=full), count, full


def mean(
    input: Tensor | MaskedTensor,
    dim: int | tuple[int, ...] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the mean of the elements along *dim* that *mask* keeps; NaN where it keeps none.

    Raises ValueError for a dtype that is neither floating-point nor complex.
    """
    source, found = ("Input", input.dtype) if dtype is None else ("Optional", dtype)
    if not (found.is_floating_point or found.is_complex):
        raise ValueError(
            f"mean(): Could not infer output dtype. {source} dtype must be either a floating point "
            f"or complex dtype. Got: {found}"
        )
    if input.layout is torch.sparse_csr:
        kept = _combine_input_and_mask(mean, input, mask)
        return _reduced(torch.mean, kept, mask, _canonical_dim(dim, kept.ndim), keepdim, found)
    if input.layout is not torch.strided:
        raise ValueError(
            f"masked mean expects strided or sparse_csr tensor (got {input.layout} tensor)"
        )
    total, count, _ = _total_and_count(input, dim, keepdim, found, mask)
    return total / count


def median(
    input: Tensor | MaskedTensor,
    dim: int = -1,
    *,
    keepdim: bool = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the median along *dim* of the elements that *mask* keeps; NaN where it keeps none.

    Raises ValueError where it keeps none and the dtype has no NaN.
    """
    dtype, d = dtype or input.dtype, _canonical_dim(dim, input.ndim)[0]
    exact = not torch.is_floating_point(input)
    if exact:
        input = input.to(dtype=torch.float32)
    result = torch.nanmedian(_kept(median, "median", input, mask), d, keepdim).values
    if not exact:
        return result
    if torch.isnan(result).any():
        raise ValueError(
            "masked median expects no fully masked out rows if dtype is not floating point"
        )
    return result.to(dtype=dtype)


def logsumexp(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    *,
    keepdim: bool = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the logarithm of the sum of exponentials along *dim* of what *mask* keeps."""
    dims = _canonical_dim(dim, input.ndim)
    kept = _kept(logsumexp, "logsumexp", input, mask)
    return torch.logsumexp(kept, dims, keepdim=keepdim).to(dtype=dtype or input.dtype)


def logaddexp(
    input: Tensor | MaskedTensor,
    other: Tensor | MaskedTensor,
    *,
    dtype: torch.dtype | None = None,
    input_mask: Tensor | None = None,
    other_mask: Tensor | None = None,
) -> Tensor:
    """Return log(exp(input) + exp(other)); an element that its mask drops adds nothing.

    The operands broadcast, each with a mask of its own.
    """
    if input.layout is not torch.strided or other.layout is not torch.strided:
        raise ValueError(
            f"masked logaddexp expects strided tensors (got {input.layout} tensor for input, "
            f"{other.layout} for other)"
        )
    first = _combine_input_and_mask(logaddexp, input, input_mask)
    second = _combine_input_and_mask(logaddexp, other, other_mask)
    return torch.logaddexp(first, second).to(dtype=dtype or input.dtype)


def norm(
    input: Tensor | MaskedTensor,
    ord: float | None = 2.0,
    dim: int | tuple[int, ...] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the vector norm of order *ord* along *dim* of the elements that *mask* keeps."""
    kept = _kept(norm, "norm", input, mask, ord)
    dims = _canonical_dim(dim, input.ndim)
    return vector_norm(kept, ord, dims, bool(keepdim), dtype=dtype or input.dtype)


def _variance(
    input: Any, dim: Any, unbiased: Any, correction: Any, keepdim: Any, dtype: Any, mask: Any
) -> Tensor:
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    less = float(correction) if correction is not None else 0.0 if unbiased is False else 1.0
    dtype = dtype or input.dtype
    numbers = dtype.is_floating_point or dtype.is_complex
    if input.layout is not torch.strided:
        raise ValueError(f"masked std/var expects strided tensor (got {input.layout} tensor)")
    computed = dtype if numbers else torch.float32
    if dtype is input.dtype:
        dtype = computed
    total, count, full = _total_and_count(input, dim, True, dtype, mask)
    off = torch.subtract(input, torch.divide(total, count))
    squares = sum(off * off.conj(), dim, keepdim=keepdim, dtype=computed, mask=full)
    if not keepdim:
        count = count.reshape(squares.shape)
    if less != 0:
        count = torch.subtract(count.to(computed.to_real()), less)
        count = torch.maximum(count, count.new_zeros([]))
    return torch.divide(squares, count).to(dtype=dtype)


def var(
    input: Tensor | MaskedTensor,
    dim: int | tuple[int, ...] | None = None,
    unbiased: bool | None = None,
    *,
    correction: int | float | None = None,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the variance along *dim* of the elements that *mask* keeps.

    :param unbiased: whether their number is lessened by 1 in the quotient; True by default.
    :param correction: by how much it is, in place of *unbiased*.
    """
    return _variance(input, dim, unbiased, correction, keepdim, dtype, mask)


def std(
    input: Tensor | MaskedTensor,
    dim: int | tuple[int, ...] | None = None,
    unbiased: bool | None = None,
    *,
    correction: int | None = None,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the standard deviation along *dim* of what *mask* keeps, as :func:`var` does."""
    return torch.sqrt(_variance(input, dim, unbiased, correction, keepdim, dtype, mask))


def softmax(
    input: Tensor | MaskedTensor,
    dim: int,
    *,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return softmax along *dim* over the elements that *mask* keeps; 0 elsewhere."""
    d = _canonical_dim(dim, input.ndim)[0]
    return F.softmax(_kept(amax, "softmax", input, mask), d, dtype=dtype or input.dtype)


def log_softmax(
    input: Tensor | MaskedTensor,
    dim: int,
    *,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the logarithm of :func:`softmax`; ``-inf`` where *mask* is false."""
    d = _canonical_dim(dim, input.ndim)[0]
    return F.log_softmax(_kept(amax, "log_softmax", input, mask), d, dtype=dtype or input.dtype)


def softmin(
    input: Tensor | MaskedTensor,
    dim: int,
    *,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return softmax of the negated elements along *dim* that *mask* keeps; 0 elsewhere."""
    d = _canonical_dim(dim, input.ndim)[0]
    return F.softmin(_kept(amin, "softmin", input, mask), d, dtype=dtype or input.dtype)


def normalize(
    input: Tensor | MaskedTensor,
    ord: float,
    dim: int,
    *,
    eps: float = 1e-12,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the elements that *mask* keeps over their norm along *dim*, *eps* at least."""
    kept = _kept(sum, "normalize", input, mask)
    length = norm(input, ord, dim, keepdim=True, dtype=dtype or input.dtype, mask=mask)
    return torch.divide(kept, torch.maximum(length, length.new_full([], eps)))
