"""The sample calls of every op row, with which rows are tested and measured.

They are made for mindtorch and for the oracle alike. A row names a generator:
``op(..., samples="binary")``. It lives in one of the modules here, by family, and takes a
*maker*::

    def binary(make):                        # good calls
        yield call(make(3, 4), make(4))
        yield call(make(3, 4), make(3, 4), alpha=2)

    def bad_binary(make):                    # calls that must raise, with torch's type and text
        yield call(make(3), make(4))

* ``call(*args, **kwargs)`` is a :class:`Call`; the test runs ``fn(*args, **kwargs)``.
* ``make(*shape, dtype=None, low=-2, high=2, noncontiguous=False, values=None)`` gives a tensor of
  the framework under test, the same numbers for each framework. ``dtype`` is a name; ``None`` is
  the dtype under test (``make.dtype``), so the same generator serves every dtype. ``values``
  gives the numbers outright. Where ``make.grad`` is true, floating tensors of the dtype under
  test require grad; ``make(..., grad=False)`` opts out.
* ``make.type("int64")`` is the framework's dtype, ``make.torch`` its namespace (for generators,
  ``make.torch.Generator()``, devices); anything else in a call is plain Python data.
* Generators are deterministic: they may look at ``make.kind`` (``"float"``, ``"complex"``,
  ``"int"``, ``"bool"``), never at results. In-place tests copy the first argument themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from importlib import import_module
from inspect import isgeneratorfunction
from pkgutil import iter_modules
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Call", "Maker", "call", "find", "kind_of"]


class Call(NamedTuple):
    """The arguments of one call."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def call(*args: Any, **kwargs: Any) -> Call:
    """The call ``fn(*args, **kwargs)``."""
    return Call(args, kwargs)


def find(name: str, *, bad: bool = False) -> Callable[[Maker], Iterator[Call]] | None:
    """The generator *name* (or, with *bad*, its counterpart of wrong calls), None if absent."""
    return _generators().get("bad_" + name if bad else name)


@cache
def _generators() -> dict[str, Callable[[Maker], Iterator[Call]]]:
    """Every generator by its name, which one module alone may define."""
    found: dict[str, Callable[[Maker], Iterator[Call]]] = {}
    for info in iter_modules(__path__):
        module = import_module(f"{__name__}.{info.name}")
        for name, value in vars(module).items():
            # Samples import each other's helpers; a generator belongs to the module it stands in.
            if not isgeneratorfunction(value) or value.__module__ != module.__name__:
                continue
            if name in found:
                raise ImportError(f"{name} is defined in {found[name].__module__}, {info.name}")
            found[name] = value
    return found


class Maker:
    """Makes the tensors of samples in one framework; two makers make equal tensors."""

    def __init__(self, torch: Any, dtype: str = "float32", grad: bool = False, seed: int = 0):
        self.torch = torch
        self.dtype = dtype
        self.grad = grad
        self._seed = seed
        self._count = 0

    @property
    def kind(self) -> str:
        """Which sort of number the dtype under test holds."""
        return kind_of(self.dtype)

    def type(self, name: str) -> Any:
        """The framework's dtype called *name*."""
        return getattr(self.torch, name)

    def __call__(
        self,
        *shape: int,
        dtype: str | None = None,
        low: float = -2,
        high: float = 2,
        noncontiguous: bool = False,
        values: Any = None,
        grad: bool = True,
    ) -> Any:
        """A tensor; see the module's docstring."""
        name = dtype or self.dtype
        if values is None:
            self._count += 1
            seed = (self._seed, self._count)
            tensor = _drawn(self.torch, name, seed, shape, low, high, noncontiguous).clone()
        else:
            tensor = _tensor_of(self.torch, name, np.array(values), noncontiguous)
        if noncontiguous and tensor.ndim and tensor.numel():
            tensor = tensor[..., ::2]
        if self.grad and grad and dtype in (None, self.dtype) and self.kind in ("float", "complex"):
            tensor = tensor.detach().requires_grad_(True)
        return tensor


def kind_of(name: str) -> str:
    """``"float"``, ``"complex"``, ``"int"`` or ``"bool"`` for the name of a dtype."""
    if name == "bool":
        return "bool"
    if name.startswith("complex"):
        return "complex"
    return "float" if "float" in name else "int"


@lru_cache(1 << 14)  # a test after the other asks
def _drawn(
    torch: Any,
    name: str,
    seed: tuple[int, int],
    shape: tuple[int, ...],
    low: float,
    high: float,
    gapped: bool,
) -> Any:
    """What :func:`_tensor_of` makes of random numbers, the same for each framework."""
    array = _numbers(seed, shape, kind_of(name), low, high)
    return _tensor_of(torch, name, np.abs(array) if name.startswith("u") else array, gapped)


def _tensor_of(torch: Any, name: str, array: Any, gapped: bool) -> Any:
    """A contiguous tensor of an array's numbers; with *gapped*, each number twice in a row."""
    # float64 and int64 hold what every other dtype holds (but complex); the cast is the
    # framework's own, so that bfloat16 needs no numpy dtype here.
    if array.dtype.kind == "f":
        array = array.astype(np.float64)
    elif array.dtype.kind in "iu":
        array = array.astype(np.int64)
    if not array.size:  # numpy and torch disagree on strides where there are no elements
        return torch.empty(array.shape, dtype=getattr(torch, name))
    if gapped and array.ndim:
        array = np.repeat(array, 2, axis=-1)
    shape, array = array.shape, np.array(array, order="C", ndmin=1)
    return torch.from_numpy(array).to(getattr(torch, name)).reshape(shape)


def _numbers(
    seed: tuple[int, int], shape: tuple[int, ...], kind: str, low: float, high: float
) -> Any:
    rng = np.random.default_rng(seed)
    if kind == "bool":
        return rng.random(shape) < 0.5
    if kind == "int":
        return rng.integers(int(low), max(int(high), int(low)) + 1, shape)
    if kind == "complex":
        return rng.uniform(low, high, shape) + 1j * rng.uniform(low, high, shape)
    return rng.uniform(low, high, shape)
