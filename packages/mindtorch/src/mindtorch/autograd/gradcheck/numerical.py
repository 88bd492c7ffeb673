"""Derivatives by central differences.

Of a complex input the real and the imaginary part are moved, and what comes of it is put together
as torch's gradients of real functions are: d/dx + i d/dy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core.operators import ops
from ...tensor import Tensor
from ...tensor.generator import Generator
from .sparse import sites


def as_tuple(x: Any) -> tuple[Any, ...]:
    """*x* as a tuple."""
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def is_differentiable(t: Any) -> bool:
    """Whether *t* is a tensor of numbers that have derivatives."""
    return isinstance(t, Tensor) and (t.is_floating_point() or t.is_complex())


def watched(inputs: Sequence[Any]) -> list[int]:
    """The positions of the inputs that require gradients."""
    return [i for i, t in enumerate(inputs) if isinstance(t, Tensor) and t.requires_grad]


def _check_alike(a: Any, b: Any, eps: Any, index: Any) -> None:
    on_index = "" if index is None else f"on index {index} "
    perturbed = f"when inputs are perturbed {on_index}by {eps}, but got: "
    if a.shape != b.shape:
        raise AssertionError(
            "Expected `func` to return outputs with the same shape "
            f"{perturbed}shapes {a.shape} and {b.shape}."
        )
    if a.dtype != b.dtype:
        raise AssertionError(
            "Expected `func` to return outputs with the same dtype "
            f"{perturbed}dtypes {a.dtype} and {b.dtype}."
        )


class Differences:
    """Differences of the outputs of *fn* when *moved*, one of the inputs, is moved."""

    def __init__(self, fn: Callable[..., Any], inputs: Sequence[Any], moved: Any, eps: float):
        self.fn, self.inputs, self.eps = fn, inputs, eps
        self.moved = moved.data  # the memory of the input

    def outputs(self) -> tuple[Any, ...]:
        """The outputs now."""
        return tuple([t.clone() for t in as_tuple(self.fn(*self.inputs))])

    def along(self, entry: Any, step: Any, index: Any) -> list[Any]:
        """(f(x + step) - f(x - step)) / 2 eps, flat, where *entry* is a part of the input."""
        before = entry.clone()
        entry.copy_(before - step)
        low = self.outputs()
        entry.copy_(before + step)
        high = self.outputs()
        entry.copy_(before)
        made = []
        for a, b in zip(low, high, strict=True):
            _check_alike(a, b, self.eps, index)
            made.append(((b - a) / (2 * self.eps)).detach().reshape(-1))
        return made

    def both_parts(self, entry: Any, steps: tuple[Any, Any], index: Any, forward: bool) -> Any:
        """The same for a real step, or for the two of a complex input."""
        real = self.along(entry, steps[0], index)
        if not self.moved.is_complex():
            assert forward or not any(t.is_complex() for t in real)
            return real
        imaginary = self.along(entry, steps[1] * 1j, index)
        return [x + y * 1j for x, y in zip(real, imaginary, strict=True)]


def jacobian_of_input(
    fn: Callable[..., Any],
    at: int,
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    eps: float,
    forward: bool = False,
    moved: Any = None,
) -> list[Any]:
    """Per differentiable output the matrix of derivatives: a row per element of input *at*.

    :param moved: in place of that input.
    """
    x = inputs[at] if moved is None else moved
    differences = Differences(fn, inputs, x, eps)
    found = [
        t.new_zeros((x.numel(), t.numel()), dtype=x.dtype if x.is_complex() else t.dtype)
        for t in outputs
        if is_differentiable(t)
    ]
    shape = x.shape
    for row, entry in sites(x):
        index = _index(row, shape)
        made = differences.both_parts(entry, (eps, eps), index, forward)
        kept = [m for m, t in zip(made, outputs, strict=False) if is_differentiable(t)]
        for matrix, values in zip(found, kept, strict=True):
            matrix[row] = values
    return found


def _index(row: int, shape: Sequence[int]) -> tuple[int, ...]:
    """Where the element number *row* of a tensor of *shape* stands."""
    index: list[int] = []
    for n in reversed(shape):
        row, at = divmod(row, n)
        index.insert(0, at)
    return tuple(index)


def jacobians(
    fn: Callable[..., Any],
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    eps: float,
    forward: bool = False,
) -> list[list[Any]]:
    """Those of all inputs that require gradients."""
    return [
        jacobian_of_input(fn, i, inputs, outputs, eps, forward)
        for i in watched(inputs)
        if is_differentiable(inputs[i])
    ]


def directional(
    fn: Callable[..., Any],
    at: int,
    inputs: Sequence[Any],
    u: Any,
    eps: float,
    forward: bool = False,
) -> list[Any]:
    """The derivatives of the outputs when input *at* moves along *u*, flat."""
    differences = Differences(fn, inputs, inputs[at], eps)
    data = differences.moved
    parts = u if isinstance(u, tuple) else (u, u)
    steps = tuple([part.reshape(data.shape) * eps for part in parts])
    return differences.both_parts(data, steps, None, forward)


def vector(t: Any, dtype: Any, numbers: Generator) -> Any:
    """A random direction with an entry per element of *t*, of length one."""
    v = ops.rand((t.numel(),), generator=numbers).to(dtype).to(t.device)
    return v / v.norm()


def zeros_of(t: Any) -> Any:
    """Contiguous zeros like *t*."""
    return ops.zeros(t.shape, dtype=t.dtype, device=t.device)
