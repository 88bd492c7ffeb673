"""Dims and sizes where there is nothing, or nothing to choose: results and refusals."""

from __future__ import annotations

from typing import Any

import mindtorch
import pytest
import torch

from .batches import every
from .rows import error_text, report

Size = tuple[int, ...]


def came_to(call: Any, t: Any) -> Any:
    """The sizes of a result, or the error."""
    try:
        found = call(t)
    except (IndexError, RuntimeError, ValueError) as error:
        return error_text(error)
    parts = found if isinstance(found, tuple) else (found,)
    return [(tuple(p.shape), p.stride()) for p in parts]


def compared(calls: dict[str, Any]) -> None:
    """All *calls* come to the same in both frameworks."""
    pairs = {name: (came_to(c, mindtorch), came_to(c, torch)) for name, c in calls.items()}
    report(f"{n}: {ours}, torch {theirs}" for n, (ours, theirs) in pairs.items() if ours != theirs)


@every("size", [(), (4,), (2, 4), (0, 4), (4, 0)])
def test_unflattening(size: Size) -> None:
    parts = ((2, 2), (2, -1), (-1, -1), (4,), (), (3, 2), (0, -1), (0, 2))
    compared(
        {
            f"{dim}, {sizes}": lambda t, dim=dim, sizes=sizes: t.unflatten(t.ones(size), dim, sizes)
            for dim in (0, 1, -1, 5)
            for sizes in parts
        }
    )


@pytest.mark.parametrize("name", ["cummax", "cummin", "cumsum", "cumprod", "logcumsumexp"])
@every("size", [(), (0,), (2, 0), (0, 3), (2, 3)])
def test_running_results_along_a_dim(name: str, size: Size) -> None:
    compared(
        {
            str(dim): lambda t, dim=dim: getattr(t, name)(t.ones(size), dim)
            for dim in (0, 1, 2, -1, -2, -3)
        }
    )


@every("n", [1, 2, 3])
def test_transposed_convolutions_that_are_told_a_size(n: int) -> None:
    def call(dims: int, size: Size) -> Any:
        def run(t: Any) -> Any:
            layer = getattr(t.nn, f"ConvTranspose{n}d")(2, 2, 2, stride=2)
            return layer(t.ones([2] * dims), output_size=size)

        return run

    sizes = [(), (2,), *[(5,) * (n + more) for more in range(4)]]
    compared({f"{d} dims, {s}": call(d, s) for d in range(7) for s in sizes})


@every("size", [(4,), (2, 4), (2, 3, 4), (2, 3)])
def test_an_adaptive_softmax_of_other_sizes(size: Size) -> None:
    def call(target: Size) -> Any:
        def run(t: Any) -> Any:
            layer = t.nn.AdaptiveLogSoftmaxWithLoss(4, 5, [2])
            return layer(t.ones(size), t.ones(target, dtype=t.int64)).output

        return run

    compared({str(target): call(target) for target in ((), (1,), (2,), (3,), (2, 2))})
