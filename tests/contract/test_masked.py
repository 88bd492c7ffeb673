"""Reductions and normalizations of ``torch.masked``, and what their masks are made of."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from .helpers import assert_same_value, assert_torch_error, both

REDUCTIONS = "sum prod amax amin argmax argmin mean median logsumexp norm var std".split()
NORMALIZATIONS = "softmax log_softmax softmin cumsum cumprod normalize".split()
DTYPES = "float32 float64 float16 int64 int32 bool complex64".split()
DIMS = (None, 0, -1, (0, 1), (), 2, (0, 0))
#: The masks, by what a user would say of them.
MASKS: dict[str, Callable[[Any], Any]] = {
    "none": lambda t: None,
    "full": lambda t: t.tensor([[True, False, True], [False, False, False]]),
    "row": lambda t: t.tensor([True, False, True]),
    "column": lambda t: t.tensor([[True], [False]]),
    "scalar": lambda t: t.tensor(True),
    "of numbers": lambda t: t.tensor([0.0, 2.0, 1.0]),
    "sparse": lambda t: t.tensor([[True, False, True], [False, True, False]]).to_sparse(),
    "compressed": lambda t: t.tensor([[True, False, True], [False, True, False]]).to_sparse_csr(),
    "of too many dimensions": lambda t: t.ones(1, 2, 3, dtype=t.bool),
}


def given(t: Any, dtype: str) -> Any:
    return t.tensor([[-3.0, -2.0, -1.0], [0.0, 1.0, 2.0]]).to(getattr(t, dtype))


def calls(name: str, dtype: str) -> Iterator[Callable[[Any], Any]]:
    """The function *name* of every mask, over dimensions, with each of its options."""
    first = (3.0,) if name in ("norm", "normalize") else ()

    def one(mask: Callable[[Any], Any], dim: Any, **options: Any) -> Callable[[Any], Any]:
        def run(t: Any) -> Any:
            said = {k: getattr(t, v) if k == "dtype" else v for k, v in options.items()}
            function = getattr(t.masked, name)
            return function(given(t, dtype), *first, dim, mask=mask(t), **said)

        return run

    for mask in MASKS.values():
        for dim in DIMS:
            yield one(mask, dim)
        yield one(mask, 1, dtype="float64")
        if name in REDUCTIONS:
            yield one(mask, 1, keepdim=True)
            yield one(mask, (1, 0), keepdim=True)
        if name in ("var", "std"):
            for option in ({"unbiased": False}, {"correction": 2}, {"correction": 0}):
                yield one(mask, 1, **option)
            yield one(mask, 1, unbiased=True, correction=1)


def as_the_oracle_does(run: Callable[[Any], Any], **bounds: Any) -> None:
    """The same value, or the same error where the oracle raises one."""
    ours, oracle = both(run)
    try:
        oracle()
    except Exception:
        assert_torch_error(ours, oracle)
    else:
        assert_same_value(ours, oracle, **bounds)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", REDUCTIONS + NORMALIZATIONS)
def test_elements_without_mask_do_not_count(name: str, dtype: str) -> None:
    exact = 2e-3 if dtype == "float16" else 2e-6
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for run in calls(name, dtype):
            as_the_oracle_does(run, rtol=exact, atol=exact)


@pytest.mark.parametrize("name", [n for n in REDUCTIONS if "arg" not in n] + NORMALIZATIONS)
def test_gradients_reach_what_the_mask_keeps(name: str) -> None:
    def run(t: Any) -> Any:
        x = given(t, "float64").requires_grad_()
        first = (2.0,) if name in ("norm", "normalize") else ()
        result = getattr(t.masked, name)(x, *first, 1, mask=MASKS["full"](t))
        result.nan_to_num(neginf=0.0).sum().backward()
        return x.grad, result.grad_fn.name()

    assert_same_value(*both(run), rtol=1e-9, atol=1e-11)


def test_logaddexp_has_two_masks() -> None:
    def runs(**options: Any) -> Callable[[Any], Any]:
        def run(t: Any) -> Any:
            x, m = given(t, "float32"), MASKS["full"](t)
            masks = {k: m if v else ~m for k, v in options.items()}
            return t.masked.logaddexp(x, x * 2, **masks), t.masked.logaddexp(x, x, dtype=t.float64)

        return run

    for options in ({}, {"input_mask": 1}, {"other_mask": 1}, {"input_mask": 1, "other_mask": 0}):
        assert_same_value(*both(runs(**options)), rtol=1e-6)


@pytest.mark.parametrize("dtype", "float32 int64 uint8 bool complex64".split())
@pytest.mark.parametrize("name", [*REDUCTIONS, "logaddexp", "cumsum", "cumprod", "sort"])
def test_identity_of_a_reduction(name: str, dtype: str) -> None:
    def run(t: Any) -> Any:
        found = t.masked._reduction_identity(name, t.zeros(2, dtype=getattr(t, dtype)))
        return "none" if found is None else found

    as_the_oracle_does(run)


#: What libraries call of the module of the reductions.
HELPERS: dict[str, Callable[[Any], Any]] = {
    "dims": lambda t: [t.masked._canonical_dim(d, 3) for d in (None, (), 1, (-1, 0))],
    "dims of a scalar": lambda t: [t.masked._canonical_dim(d, 0) for d in (None, 0, -1)],
    "dim out of range": lambda t: t.masked._canonical_dim(3, 3),
    "where": lambda t: t.masked._ops._where(
        t.tensor([True, False]), t.ones(2), t.tensor(float("inf"))
    ),
    "no mask": lambda t: t.masked._input_mask(t.ones(2)),
    "input mask": lambda t: t.masked._input_mask(t.ones(2, 3), mask=t.tensor([0, 1, 2])),
    "output mask of a sum": lambda t: t.masked._output_mask(
        t.masked.sum, t.ones(2, 3), 1, mask=MASKS["full"](t)
    ),
    "output mask with keepdim": lambda t: t.masked._output_mask(
        t.masked.amax, t.ones(2, 3), 1, keepdim=True, mask=MASKS["full"](t)
    ),
    "output mask of a norm": lambda t: t.masked._output_mask(
        t.masked.norm, t.ones(2, 3), 2.0, 0, mask=MASKS["full"](t)
    ),
    "output mask of softmax": lambda t: t.masked._output_mask(
        t.masked.softmax, t.ones(2, 3), 1, mask=MASKS["row"](t)
    ),
    "output mask of another function": lambda t: t.masked._output_mask(
        print, t.ones(2, 3), 1, mask=MASKS["row"](t)
    ),
    "output mask of no function": lambda t: t.masked._output_mask(
        3, t.ones(2, 3), mask=MASKS["row"](t)
    ),
    "combined": lambda t: t.masked._combine_input_and_mask(
        t.masked.amin, t.ones(2, 3), MASKS["full"](t)
    ),
    "combined by no function": lambda t: t.masked._combine_input_and_mask(
        3, t.ones(2, 3), MASKS["full"](t)
    ),
    "norm of order -inf": lambda t: t.masked.norm(
        t.ones(2, 3), float("-inf"), 1, mask=MASKS["full"](t)
    ),
    "norm of order -inf of integers": lambda t: t.masked.norm(
        t.ones(2, 3, dtype=t.int64), float("-inf"), 1, mask=MASKS["full"](t)
    ),
    "eps": lambda t: t.masked.normalize(t.zeros(2), 2.0, 0, eps=0.5),
}


@pytest.mark.parametrize("case", HELPERS)
def test_helper(case: str) -> None:
    as_the_oracle_does(HELPERS[case])
