"""``torch.masked`` of sparse tensors: what a mask keeps of them, and reductions of that."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from .test_masked import as_the_oracle_does

NAMES = "sum prod amax amin mean".split()
LAYOUTS = "coo csr hybrid".split()
DTYPES = "float32 float16 bfloat16 int32 int64 bool complex64".split()
DIMS = (None, 0, -1, (0, 1), (), 2, (0, 0))
MATRIX = [[-3.0, 0.0, -1.0], [0.0, 1.0, 2.0]]

#: Masks of such a matrix, by what a user would say of them.
MASKS: dict[str, Callable[[Any], Any]] = {
    "none": lambda t: None,
    "full": lambda t: t.tensor([[True, False, True], [True, False, False]]),
    "row": lambda t: t.tensor([True, True, False]),
    "column": lambda t: t.tensor([[True], [True]]),
    "scalar": lambda t: t.tensor(True),
    "all false": lambda t: t.zeros(2, 3, dtype=t.bool),
    "of numbers": lambda t: t.tensor([[0.0, 2.0, 1.0], [0.0, 0.0, 3.0]]),
    "sparse": lambda t: t.tensor([[True, False, True], [False, True, False]]).to_sparse(),
    "compressed": lambda t: t.tensor([[True, False, True], [False, True, False]]).to_sparse_csr(),
    "sparse row": lambda t: t.tensor([True, True, False]).to_sparse(),
    "sparse column": lambda t: t.tensor([[True], [True]]).to_sparse(),
    "compressed row": lambda t: t.tensor([[True, True, False]]).to_sparse_csr(),
    "with a false element": lambda t: t.sparse_coo_tensor(
        t.tensor([[1, 0, 0], [2, 1, 1]]), t.tensor([False, True, True]), (2, 3)
    ),
    "of too many dimensions": lambda t: t.ones(1, 2, 3, dtype=t.bool),
}


def given(t: Any, layout: str, dtype: str) -> Any:
    matrix = t.tensor(MATRIX).to(getattr(t, dtype))
    if layout == "csr":
        return matrix.to_sparse_csr()
    return matrix.to_sparse(1) if layout == "hybrid" else matrix.to_sparse()


def parts(result: Any) -> Any:
    """What a sparse result is made of; NotImplemented, which torch returns, by its name."""
    if result is NotImplemented:
        return "NotImplemented"
    kind = str(result.layout).removeprefix("torch.")
    if kind == "sparse_coo":
        made = result._indices().tolist(), result._values()
        return kind, result.shape, result.is_coalesced(), *made
    if kind == "sparse_csr":
        return (
            *(kind, result.shape, result.values()),
            *(result.crow_indices().long(), result.col_indices()),
        )
    return result


def calls(name: str, layout: str, dtype: str) -> Iterator[Callable[[Any], Any]]:
    def one(mask: Callable[[Any], Any], dim: Any, **options: Any) -> Callable[[Any], Any]:
        def run(t: Any) -> Any:
            said = {k: getattr(t, v) if k == "dtype" else v for k, v in options.items()}
            function = getattr(t.masked, name)
            return parts(function(given(t, layout, dtype), dim, mask=mask(t), **said))

        return run

    whole = dtype == "float32"
    for said, mask in MASKS.items() if whole else [(k, MASKS[k]) for k in ("none", "full", "row")]:
        # torch's own result is broken: values of empty rows, memory that nobody wrote
        broken = layout == "csr" and said in ("all false", "with a false element")
        for dim in (0,) if broken else DIMS if whole else (1, None):
            yield one(mask, dim)
            yield one(mask, dim, keepdim=True)
        yield one(mask, 0, dtype="float64", keepdim=True)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", NAMES)
def test_elements_that_are_not_kept_are_not_there(name: str, layout: str) -> None:
    for dtype in DTYPES:
        for run in calls(name, layout, dtype):
            as_the_oracle_does(run, rtol=2e-6)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", "argmax mean median norm var softmax cumsum normalize".split())
def test_others_refuse_sparse_tensors(name: str, layout: str) -> None:
    def run(t: Any) -> Any:
        first = (2.0,) if name in ("norm", "normalize") else ()
        mask = MASKS["full"](t)
        return parts(getattr(t.masked, name)(given(t, layout, "float32"), *first, 0, mask=mask))

    as_the_oracle_does(run)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("layout", [*LAYOUTS, "csc", "strided"])
@pytest.mark.parametrize("mask", MASKS)
def test_the_mask_is_brought_into_the_layout(mask: str, layout: str) -> None:
    def run(t: Any) -> Any:
        made = {
            "csc": lambda: t.tensor(MATRIX).to_sparse_csc(),
            "strided": lambda: t.tensor(MATRIX),
        }
        x = made.get(layout, lambda: given(t, layout, "float32"))()
        return parts(t.masked._input_mask(x, mask=MASKS[mask](t)))

    as_the_oracle_does(run)


def _hybrid(t: Any) -> Any:
    """A tensor of two sparse dimensions and, as torch's masks need, as many dense ones."""
    values = t.arange(12.0).view(2, 2, 3) - 6
    return t.sparse_coo_tensor(t.tensor([[2, 0], [0, 1]]), values, (3, 2, 2, 3))


WHERE: dict[str, Callable[[Any], Any]] = {
    "compressed": lambda t: (MASKS["compressed"](t), given(t, "csr", "float32")),
    "unsorted": lambda t: (
        MASKS["sparse"](t).coalesce(),
        t.sparse_coo_tensor(t.tensor([[1, 0, 1], [1, 2, 1]]), t.ones(3), (2, 3)),
    ),
    "dense dimensions": lambda t: (
        t.sparse_coo_tensor(
            t.tensor([[0, 0, 1], [0, 1, 1]]),
            t.tensor([[[1, 0, 1]] * 2, [[0, 1, 0]] * 2, [[0, 0, 0]] * 2]).bool(),
            (3, 2, 2, 3),
        ).coalesce(),
        _hybrid(t),
    ),
    "nothing specified": lambda t: (
        MASKS["sparse"](t).coalesce(),
        t.sparse_coo_tensor(t.zeros(2, 0, dtype=t.int64), t.ones(0), (2, 3)),
    ),
    "of one dimension": lambda t: (
        MASKS["sparse row"](t).coalesce(),
        t.tensor([0.0, 2.0, 3.0]).to_sparse(),
    ),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("case", WHERE)
def test_what_a_mask_keeps(case: str) -> None:
    def run(t: Any) -> Any:
        return parts(t.masked._ops._where(*WHERE[case](t), t.tensor(7.0)))

    as_the_oracle_does(run)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", "sum prod amax".split())
def test_dense_dimensions(name: str) -> None:
    for dim in (0, 1, 2, (0, 1), (1, 2), (0, 1, 3), None):
        for keepdim in (False, True):

            def run(t: Any, dim: Any = dim, keepdim: bool = keepdim) -> Any:
                x = _hybrid(t)
                mask = (x.to_dense() > -5).to_sparse(2)
                return parts(getattr(t.masked, name)(x, dim, keepdim=keepdim, mask=mask))

            as_the_oracle_does(run)


def test_rows_without_elements_have_no_value() -> None:
    import mindtorch as t

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = t.tensor([[1.0, 2.0], [0.0, 0.0], [0.0, 3.0]]).to_sparse_csr()
        found = t.masked.amax(x, 1, keepdim=True, mask=x.to_dense() > 0)
    assert (found.crow_indices().tolist(), found.values().tolist()) == ([0, 1, 1, 2], [2.0, 3.0])


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", "sum prod".split())
def test_gradient(name: str) -> None:
    def run(t: Any) -> Any:
        x = given(t, "coo", "float64").requires_grad_()
        result = getattr(t.masked, name)(x, 1, mask=MASKS["full"](t))
        result.to_dense().sum().backward()
        return x.grad.to_dense()

    as_the_oracle_does(run)
