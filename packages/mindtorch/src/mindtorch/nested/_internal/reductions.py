"""Reductions: over all elements, over dimensions of each row, over rows of samples.

What keeps the ragged dimension is a nested tensor again. Along the ragged dimension alone, samples
are padded with a number that changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...aten import torch
from ...linalg import vector_norm
from .dims import reduced
from .nested_tensor import NestedTensor
from .ops import alike, handles
from .padding import unpadded
from .recording import values_of

__all__: list[str] = []


def _least(dtype: Any) -> Any:
    if dtype is torch.bool:
        return False
    return torch.finfo(dtype).min if dtype.is_floating_point else torch.iinfo(dtype).min


def _largest(dtype: Any) -> Any:
    if dtype is torch.bool:
        return True
    return torch.finfo(dtype).max if dtype.is_floating_point else torch.iinfo(dtype).max


#: What padding changes nothing, by the dtype.
_NEUTRAL: dict[str, Callable[[Any], Any]] = {
    "sum": lambda dtype: 0,
    "mean": lambda dtype: 0,
    "prod": lambda dtype: 1,
    "any": lambda dtype: False,
    "all": lambda dtype: True,
    "max": _least,
    "amax": _least,
    "argmax": _least,
    "min": _largest,
    "amin": _largest,
    "argmin": _largest,
    "logsumexp": lambda dtype: -torch.inf,
    "count_nonzero": lambda dtype: 0,
}


def _each(change: Callable[[Any], Any], result: Any) -> Any:
    """*result*, each of several, changed."""
    return (
        type(result)([change(r) for r in result]) if isinstance(result, tuple) else change(result)
    )


def over(
    name: str, run: Callable[..., Any], nt: NestedTensor, dim: Any, keepdim: bool = False
) -> Any:
    """Reduce *nt* over *dim* by ``run(tensor, dim, keepdim)``, for op *name*.

    Raises RuntimeError for combinations that leave no nested tensor, and no tensor either.
    """
    listed = isinstance(dim, (tuple, list))
    if dim is None or (listed and not dim):
        result = run(values_of(nt), dim, keepdim)
        return _each(lambda o: o.unsqueeze(nt._ragged_idx), result) if keepdim else result
    kinds = reduced(nt, dim if listed else [dim])
    inner = kinds.inner if listed else kinds.inner[0]
    if kinds.ragged and nt._lengths is not None:
        raise RuntimeError(
            f"{name}(): reducing across the ragged dimension is not supported "
            "for non-contiguous nested tensors with holes"
        )
    if kinds.ragged and kinds.batch:
        result = run(values_of(nt), inner, keepdim)
        return _each(lambda o: o.unsqueeze(0), result) if keepdim else result
    if kinds.ragged:
        if kinds.others:
            raise RuntimeError(
                f"{name}(): reducing along a ragged and non-batch dimension "
                "is not supported for nested tensors"
            )
        if name not in _NEUTRAL:
            raise RuntimeError(f"{name}(): not supported for NestedTensor on ragged dim")
        padded = nt.to_padded_tensor(_NEUTRAL[name](nt.dtype))
        return run(padded, [nt._ragged_idx] if listed else nt._ragged_idx, keepdim)
    if kinds.batch:
        raise RuntimeError(
            f"{name}(): reducing along the batch dimension but not "
            "the ragged dimension is not supported for nested tensors"
        )
    before = sum(d < nt._ragged_idx - 1 for d in kinds.inner)
    r = nt._ragged_idx - (0 if keepdim else before)
    return _each(lambda o: alike(nt, o, _ragged_idx=r), run(values_of(nt), inner, keepdim))


@handles("sum", "prod", "any", "all", "amax", "amin", "argmax", "argmin", "count_nonzero")
def of_dims(func: Any, self: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """Reductions that take *dim* and *keepdim*."""
    name = func._opname
    if isinstance(dim, torch.dtype):  # sum(dtype=...) has no other argument
        dim, dtype = None, dim
    how = {} if dtype is None else {"dtype": dtype}
    function = getattr(torch, name)

    def run(t: Any, d: Any, keep: bool) -> Any:
        if d is None or (isinstance(d, (tuple, list)) and not d):
            options = {"keepdim": keep} if keep and name not in ("sum", "prod") else {}
            return function(t, **how, **options)
        if name in ("any", "all") and isinstance(d, int):
            d = (d,)
        options = {} if name == "count_nonzero" else {"keepdim": keep}
        return function(t, d, **options, **how)

    return over(name, run, self, dim, keepdim)


@handles("max", "min")
def largest_or_least(func: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """The extreme of all, or along a dimension with its places."""
    name, function = func._opname, getattr(torch, func._opname)
    if func._overloadname in ("", "default"):
        return function(values_of(self))
    if func._overloadname == "other":
        return getattr(torch, f"{name}imum")(self, *args)
    dim, keepdim = (*args, kwargs.get("keepdim", False))[:2]
    return over(name, function, self, dim, keepdim)


@handles("mean")
def mean_dim(
    func: Any, self: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Any:
    """The mean; along the ragged dimension each sample's own."""
    if isinstance(dim, torch.dtype):
        dim, dtype = None, dim
    if dim is None:
        return torch.mean(values_of(self), dtype=dtype)
    listed = dim if isinstance(dim, (tuple, list)) else [dim]
    kinds = reduced(self, listed)
    if kinds.ragged and not kinds.batch:
        if kinds.others:
            raise AssertionError(
                "Cannot reduce on both ragged and non-batch dimensions without also reducing on "
                "batch"
            )
        total = over("mean", partial(torch.sum, dtype=dtype), self, [self._ragged_idx], True)
        lengths = self._seqlens()
        out = total / lengths.reshape(-1, *[1] * (total.dim() - 1))
        return out if keepdim else out.squeeze(self._ragged_idx)

    def run(t: Any, d: Any, keep: bool) -> Any:
        return torch.mean(t, d, keep, dtype=dtype)

    return over("mean", run, self, listed, keepdim)


@handles("var", "std")
def variance(func: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """The variance or standard deviation: of all, or along dimensions of each row."""
    function = getattr(torch, func._opname)
    given = list(args)
    dim = kwargs.pop("dim", None)
    if given and not isinstance(given[0], bool):
        dim = given.pop(0)
    if given:
        kwargs["unbiased"] = given.pop(0)
    keepdim = given.pop(0) if given else kwargs.pop("keepdim", False)
    if dim is None:
        return function(values_of(self), **kwargs)
    return over(
        func._opname, lambda t, d, keep: function(t, d, keepdim=keep, **kwargs), self, dim, keepdim
    )


@handles("logsumexp")
def logsumexp(func: Any, self: Any, dim: Any, keepdim: bool = False) -> Any:
    """The logarithm of the sum of exponentials."""
    return over("logsumexp", torch.logsumexp, self, dim, keepdim)


@handles("norm", "linalg_vector_norm")
def norm(
    func: Any, self: Any, p: Any = 2, dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Any:
    """The vector norm of all elements, or along dimensions of each row."""

    def run(t: Any, d: Any, keep: bool) -> Any:
        return vector_norm(t, 2 if p is None else p, d, keep, dtype=dtype)

    return over("norm", run, self, dim or None, keepdim)


@handles("_is_all_true", "_is_any_true")
def truth(func: Any, self: Any) -> Any:
    """Whether all are true, or any."""
    return (torch.all if "all" in func._opname else torch.any)(values_of(self))


@handles("cumsum", "cumprod")
def running(func: Any, self: Any, dim: int, dtype: Any = None) -> Any:
    """Running sums or products along a dimension of each row."""
    kinds = reduced(self, [dim])
    if kinds.ragged or kinds.batch:
        raise RuntimeError(f"{func._opname}(): not supported for NestedTensor on ragged dim")
    return alike(self, getattr(torch, func._opname)(values_of(self), kinds.inner[0], dtype=dtype))


@handles("softmax", "_softmax", "log_softmax", "_log_softmax")
def softmax(func: Any, self: Any, dim: int, dtype: Any = None) -> Any:
    """Softmax along a dimension of each row, or over the rows of each sample."""
    name = func._opname.removeprefix("_")
    how = {} if isinstance(dtype, bool) or dtype is None else {"dtype": dtype}
    if isinstance(dim, tuple):
        raise RuntimeError(
            f"{name}(): not supported for dimensions of type 'tuple' for NestedTensor"
        )
    kinds = reduced(self, [dim])
    function, r = getattr(torch, name), self._ragged_idx
    if kinds.batch:
        raise RuntimeError(
            f"{name}(): not supported when reducing across the batch dimension for NestedTensor"
        )
    if kinds.ragged and name == "log_softmax":
        raise RuntimeError(
            "log_softmax(): not supported when reducing along the ragged dimension for NestedTensor"
        )
    if kinds.ragged and r > 1:
        raise RuntimeError(
            "softmax(): not supported when reducing along the ragged dimension for ragged_idx > 1 "
            "for NestedTensor"
        )
    if kinds.ragged and self._lengths is not None:
        raise RuntimeError(
            "softmax(): not supported where lengths is not None "
            "if reducing across the ragged dimension for NestedTensor"
        )
    if kinds.ragged:
        padded = function(self.to_padded_tensor(-torch.inf), r, **how)
        return alike(self, values_of(unpadded(padded, self)))
    return alike(self, function(values_of(self), kinds.inner[0], **how))
