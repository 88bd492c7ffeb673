"""Assertions about arrays: numpy's own, which see the arrays' memory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy.testing as _numpy_testing

from ...aten import torch
from .. import _dtypes
from .._array import ndarray
from .._ndarray import array, asarray

HAS_REFCOUNT = getattr(sys, "getrefcount", None) is not None
IS_WASM = False
suppress_warnings = _numpy_testing.suppress_warnings
assert_raises_regex = _numpy_testing.assert_raises_regex
assert_warns = _numpy_testing.assert_warns


def _seen(value: Any) -> Any:
    """The value with numpy's arrays in the place of arrays and tensors."""
    if isinstance(value, ndarray):
        value = value.tensor
    if isinstance(value, torch.Tensor):
        return value.detach().resolve_conj().resolve_neg().numpy()
    if isinstance(value, (list, tuple)):
        made = [_seen(one) for one in value]
        return type(value)(*made) if hasattr(value, "_fields") else type(value)(made)
    if isinstance(value, dict):
        return {name: _seen(one) for name, one in value.items()}
    return value


def assert_(val: Any, msg: Any = "") -> None:
    """Raise unless *val* is true, also where Python runs without assertions."""
    if not val:
        raise AssertionError(msg() if callable(msg) else msg)


def assert_equal(actual: Any, desired: Any, err_msg: Any = "", verbose: Any = True) -> None:
    """Raise unless both are equal."""
    _numpy_testing.assert_equal(_seen(actual), _seen(desired), err_msg, verbose)


def assert_almost_equal(
    actual: Any, desired: Any, decimal: Any = 7, err_msg: Any = "", verbose: Any = True
) -> None:
    """Raise unless both are equal up to so many decimals."""
    _numpy_testing.assert_almost_equal(
        _seen(actual), _seen(desired), decimal, str(err_msg), verbose
    )


def assert_array_equal(
    x: Any, y: Any, err_msg: Any = "", verbose: Any = True, *, strict: Any = False
) -> None:
    """Raise unless both have one shape and equal elements."""
    _numpy_testing.assert_array_equal(_seen(x), _seen(y), str(err_msg), verbose, strict=strict)


def assert_array_almost_equal(
    x: Any, y: Any, decimal: Any = 6, err_msg: Any = "", verbose: Any = True
) -> None:
    """Raise unless all elements are equal up to so many decimals."""
    _numpy_testing.assert_array_almost_equal(_seen(x), _seen(y), decimal, str(err_msg), verbose)


def assert_array_less(x: Any, y: Any, err_msg: Any = "", verbose: Any = True) -> None:
    """Raise unless every element of the first is smaller."""
    _numpy_testing.assert_array_less(_seen(x), _seen(y), str(err_msg), verbose)


def assert_allclose(
    actual: Any,
    desired: Any,
    rtol: Any = 1e-07,
    atol: Any = 0,
    equal_nan: Any = True,
    err_msg: Any = "",
    verbose: Any = True,
    check_dtype: Any = False,
) -> None:
    """Raise unless all elements are as near as the tolerances allow."""
    if check_dtype:
        one, other = (asarray(value) for value in (actual, desired))
        assert one.dtype == other.dtype
    _numpy_testing.assert_allclose(
        _seen(actual), _seen(desired), rtol, atol, equal_nan, str(err_msg), verbose
    )


def _gen_alignment_data(
    dtype: Any = _dtypes.float32, type: Any = "binary", max_size: Any = 24
) -> Iterator[Any]:
    """Arrays of every start and length, with what a message may say of them."""
    count = 2 if type == "unary" else 3
    names = ("out", "in1", "in2")
    for offset in range(3):
        for size in range(offset, max(offset + 2, max_size)):

            def made(start: int, length: int = size) -> ndarray:
                return array(range(length), dtype=dtype)[start:]  # type: ignore[index,no-any-return]

            inputs: list[Callable[[], ndarray]] = [
                (lambda start=offset: made(start)) for _ in range(count - 1)
            ]
            out = made(offset)
            what = f"{type} offset=({offset}), size={size}, dtype={dtype}"
            if count == 2:
                yield out, inputs[0], f"{what}, out of place, {names[0]}"
                values = inputs[0]()
                yield values, inputs[0], f"{what}, in place, {names[1]}"
            else:
                yield out, inputs[0], inputs[1], f"{what}, out of place, {names[0]}"
                values = inputs[0]()
                yield values, lambda made=values: made, inputs[1], f"{what}, in place1"
                yield values, inputs[0], lambda made=values: made, f"{what}, in place2"
