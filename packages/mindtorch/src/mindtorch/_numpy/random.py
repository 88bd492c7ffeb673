"""numpy's random numbers, of torch's generator or of numpy's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from math import sqrt
from typing import Any

import numpy as _numpy

from .._dynamo import config as _config
from ..aten import torch
from . import _dtypes_impl, _util
from ._normalizations import ArrayLike, array_or_scalar, normalizer

__all__ = [
    "choice",
    "normal",
    "rand",
    "randint",
    "randn",
    "random",
    "random_sample",
    "sample",
    "seed",
    "shuffle",
    "uniform",
]


def use_numpy_random() -> bool:
    """Whether numpy's generator is asked for."""
    return bool(_config.use_numpy_random_stream)


def deco_stream(func: Callable[..., Any]) -> Any:
    """Let a function draw from numpy's generator where that is asked for."""

    @wraps(func)
    def inner(*args: Any, **kwds: Any) -> Any:
        if not use_numpy_random():
            return func(*args, **kwds)
        plain = [_as_numpy(value) for value in args]
        named = {name: _as_numpy(value) for name, value in kwds.items()}
        value = getattr(_numpy.random, func.__name__)(*plain, **named)
        if func.__name__ == "shuffle":
            args[0].tensor.copy_(torch.as_tensor(plain[0]))
            return None
        if isinstance(value, _numpy.ndarray):
            return array_or_scalar(torch.as_tensor(value))
        return value

    return inner


def _as_numpy(value: Any) -> Any:
    """The numpy array of an array, anything else as it is."""
    tensor = getattr(value, "tensor", None)
    return value if tensor is None else tensor.numpy()


@deco_stream
def seed(seed: Any = None) -> None:
    """Begin the random numbers anew."""
    if seed is not None:
        torch.manual_seed(seed)


@deco_stream
def random_sample(size: Any = None) -> Any:
    """Numbers from 0 to 1."""
    if size is None:
        size = ()
    values = torch.empty(size, dtype=_dtypes_impl.default_dtypes().float_dtype).uniform_()
    return array_or_scalar(values, return_scalar=size == ())


def rand(*size: Any) -> Any:
    """Numbers from 0 to 1, in a shape."""
    return random_sample(None if size == () else size)


sample = random_sample
random = random_sample


@deco_stream
def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    """Numbers between two limits."""
    if size is None:
        size = ()
    values = torch.empty(size, dtype=_dtypes_impl.default_dtypes().float_dtype).uniform_(low, high)
    return array_or_scalar(values, return_scalar=size == ())


@deco_stream
def randn(*size: Any) -> Any:
    """Normal numbers, in a shape."""
    values = torch.randn(size, dtype=_dtypes_impl.default_dtypes().float_dtype)
    return array_or_scalar(values, return_scalar=size == ())


@deco_stream
def normal(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """Normal numbers of a mean and a spread."""
    if size is None:
        size = ()
    dtype = _dtypes_impl.default_dtypes().float_dtype
    values = torch.empty(size, dtype=dtype).normal_(loc, scale)
    return array_or_scalar(values, return_scalar=size == ())


@deco_stream
def shuffle(x: Any) -> None:
    """Put the elements along the first axis in a random order, in place."""
    tensor = getattr(x, "tensor", x)
    if not isinstance(tensor, torch.Tensor):
        raise NotImplementedError("We do not random.shuffle lists in-place")
    order = torch.randperm(tensor.shape[0])
    tensor.copy_(tensor[order])


@deco_stream
def randint(low: Any, high: Any = None, size: Any = None) -> Any:
    """Whole numbers from one up to another."""
    if size is None:
        size = ()
    if not isinstance(size, (tuple, list)):
        size = (size,)
    if high is None:
        low, high = 0, low
    values = torch.randint(low, high, size=size)
    return array_or_scalar(values, int, return_scalar=size == ())


@deco_stream
@normalizer
def choice(a: ArrayLike, size: Any = None, replace: Any = True, p: ArrayLike | None = None) -> Any:
    """Elements drawn from an array, each with its probability."""
    if a.numel() == 1:
        a = torch.arange(a)
    if size is None:
        size = 1
    if not isinstance(size, tuple):
        size = (size,)
    count = 1
    for one in size:
        count *= one
    if p is not None:
        atol = sqrt(torch.finfo(p.dtype).eps)
        if abs(p.sum() - 1.0) > atol:
            raise ValueError("probabilities do not sum to 1.")
    else:
        p = torch.ones_like(a, dtype=torch.float64) / a.shape[0]
    places = torch.multinomial(_util.cast_if_needed(p, torch.float64), count, replacement=replace)
    return a[places.reshape(size)]
