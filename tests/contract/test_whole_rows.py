"""Indices that name whole rows, expanded ones among them, few rows and many."""

from __future__ import annotations

from typing import Any

import pytest

from .helpers import assert_same_value, assert_torch_error, both

#: How many rows are named: few, and more than numpy's ``add.at`` is asked for.
COUNTS = (1, 5, 50)
SHAPES = ((6,), (6, 3), (4, 6, 3), (2, 3, 6))
DTYPES = (
    "float32",
    "float64",
    "complex64",
    "int64",
    "int32",
    "int8",
    "bool",
    "float16",
    "bfloat16",
)


def named(torch: Any, dim: int, shape: tuple[int, ...], count: int, wrong: bool = False) -> Any:
    """Row numbers, a source of so many rows, and a target."""
    rows = (torch.arange(count) * 7 + 3) % shape[dim]
    if wrong:
        rows[-1] = shape[dim]
    sizes = (*shape[:dim], count, *shape[dim + 1 :])
    numbers = torch.arange(1.0, 1 + torch.Size(sizes).numel()) % 11 - 4
    return rows, numbers.reshape(sizes), torch.arange(float(torch.Size(shape).numel())).view(shape)


def expanded(rows: Any, dim: int, like: Any) -> Any:
    """The index of all elements of the rows."""
    return rows.view([-1 if i == dim else 1 for i in range(like.dim())]).expand(like.shape)


WAYS: dict[str, Any] = {
    "index_add": lambda torch, dim, rows, source, t: t.index_add(dim, rows, source),
    "index_add, alpha": lambda torch, dim, rows, source, t: t.index_add(dim, rows, source, alpha=2),
    "index_put": lambda torch, dim, rows, source, t: t.movedim(dim, 0).index_put(
        (rows,), source.movedim(dim, 0), accumulate=True
    ),
    "scatter_add": lambda torch, dim, rows, source, t: t.scatter_add(
        dim, expanded(rows, dim, source), source
    ),
    "scatter_add, a part": lambda torch, dim, rows, source, t: t.scatter_add(
        dim, expanded(rows, dim, source), torch.cat([source, source], dim)
    ),
    "gather": lambda torch, dim, rows, source, t: t.gather(dim, expanded(rows, dim, source)),
    "negative": lambda torch, dim, rows, source, t: t.scatter_add(
        dim - t.dim(), expanded(rows, dim, source), source
    ),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("way", WAYS)
def test_rows_are_read_and_added_as_torch_does(way: str, dtype: str) -> None:
    """Values, rounding and strides, the first time and when the layout is known."""
    for shape in SHAPES:
        for dim in range(len(shape)):
            for count in COUNTS:

                def run(torch: Any, shape: Any = shape, dim: int = dim, count: int = count) -> Any:
                    rows, source, target = named(torch, dim, shape, count)
                    kind = getattr(torch, dtype)
                    source, target = source.to(kind), target.to(kind)
                    for _ in range(4):
                        got = WAYS[way](torch, dim, rows, source, target)
                    return got, got.stride()

                assert_same_value(*both(run))


@pytest.mark.parametrize("way", WAYS)
def test_rows_out_of_range_are_refused_in_torchs_words(way: str) -> None:
    """By the kernels for rows as by those for elements."""
    for count in COUNTS:

        def run(torch: Any, count: int = count) -> Any:
            rows, source, target = named(torch, 0, (6, 3), count, wrong=True)
            return WAYS[way](torch, 0, rows, source, target)

        assert_torch_error(*both(run))


@pytest.mark.parametrize("shape", [(6,), (6, 3), (6, 1), (6, 2, 3), (6, 3, 1)])
def test_a_mask_selects_rows(shape: tuple[int, ...]) -> None:
    """Of contiguous memory and of others, some rows, all and none."""

    def run(torch: Any) -> Any:
        found = []
        t = torch.arange(float(torch.Size(shape).numel())).view(shape)
        for base in (t, t.movedim(0, -1).contiguous().movedim(-1, 0), t[::2]):
            for keep in (lambda n: n % 2 == 0, lambda n: n >= 0):
                got = base[keep(torch.arange(len(base)))]
                found += [got, got.stride()]
            if 1 not in shape:  # of nothing, with a size of 1, torch's strides follow no rule
                found.append(base[torch.zeros(len(base), dtype=torch.bool)])
        return found

    assert_same_value(*both(run))
