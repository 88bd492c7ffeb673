"""Pairs of leaves that ``assert_close`` compares: of Nones, bools, numbers, tensors, other objects.

Test suites have kinds of pairs of their own: a class that derives from :class:`Pair` and raises
:class:`UnsupportedInputs` for leaves that it does not take.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from ..aten import torch
from ..core.layout_names import short_name
from ._mismatch import (
    ErrorMeta,
    is_float_of_a_byte,
    make_scalar_mismatch_msg,
    make_tensor_mismatch_msg,
)
from ._tolerances import get_tolerances

__all__ = [
    "BooleanPair",
    "NonePair",
    "NumberPair",
    "ObjectPair",
    "Pair",
    "TensorLikePair",
    "UnsupportedInputs",
]

Place = tuple[Any, ...]


class UnsupportedInputs(Exception):
    """A kind of pair does not take these leaves; another may."""


class Pair(ABC):
    """Two leaves at one place of two structures.

    :param id: the place, from the outside in.
    :param unknown_parameters: options that other kinds of pairs have.
    """

    def __init__(
        self, actual: Any, expected: Any, *, id: Place = (), **unknown_parameters: Any
    ) -> None:
        self.actual, self.expected, self.id = actual, expected, id
        self._unknown_parameters = unknown_parameters

    @staticmethod
    def _inputs_not_supported() -> NoReturn:
        raise UnsupportedInputs

    @staticmethod
    def _check_inputs_isinstance(actual: Any, expected: Any, cls: type | tuple[type, ...]) -> None:
        """Refuse leaves unless both are instances of *cls*."""
        if not (isinstance(actual, cls) and isinstance(expected, cls)):
            Pair._inputs_not_supported()

    def _fail(self, type: type[Exception], msg: str, *, id: Place = ()) -> NoReturn:
        """They differ, or cannot be compared."""
        # The constructor of a subclass may say so before there is a place.
        raise ErrorMeta(type, msg, id=id or getattr(self, "id", ()))

    @abstractmethod
    def compare(self) -> None:
        """Nothing if they are close, else :class:`ErrorMeta`."""

    def extra_repr(self) -> Sequence[str | tuple[str, Any]]:
        """What else the text of a pair shows: names of attributes, or names and values."""
        return []

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__}("]
        for shown in ("id", "actual", "expected", *self.extra_repr()):
            name, value = shown if isinstance(shown, tuple) else (shown, getattr(self, shown))
            lines.append(f"    {name}={value!s},")
        return "\n".join([*lines, ")"])


class ObjectPair(Pair):
    """Any two objects: they are equal, or not."""

    def compare(self) -> None:
        """By ``==``."""
        if self.actual != self.expected:
            self._fail(AssertionError, f"{self.actual} != {self.expected}")


class NonePair(Pair):
    """None is close to None alone."""

    def __init__(self, actual: Any, expected: Any, **other_parameters: Any) -> None:
        if not (actual is None or expected is None):
            self._inputs_not_supported()
        super().__init__(actual, expected, **other_parameters)

    def compare(self) -> None:
        """Both are None."""
        if not (self.actual is None and self.expected is None):
            text = f"None mismatch: {self.actual} is not {self.expected}"
            self._fail(AssertionError, text)


class BooleanPair(Pair):
    """Two truth values, of Python or numpy."""

    def __init__(self, actual: Any, expected: Any, *, id: Place, **other_parameters: Any) -> None:
        # No place is kept: torch names no item for bools.
        actual, expected = self._process_inputs(actual, expected, id=id)
        super().__init__(actual, expected, **other_parameters)

    @property
    def _supported_types(self) -> tuple[type, ...]:
        return bool, np.bool_

    def _process_inputs(self, actual: Any, expected: Any, *, id: Place) -> tuple[bool, bool]:
        self._check_inputs_isinstance(actual, expected, cls=self._supported_types)
        return self._to_bool(actual, id=id), self._to_bool(expected, id=id)

    def _to_bool(self, bool_like: Any, *, id: Place) -> bool:
        if not isinstance(bool_like, self._supported_types):
            raise ErrorMeta(TypeError, f"Unknown boolean type {type(bool_like)}.", id=id)
        return bool(bool_like)

    def compare(self) -> None:
        """Both are the same."""
        if self.actual is not self.expected:
            text = f"Booleans mismatch: {self.actual} is not {self.expected}"
            self._fail(AssertionError, text)


class NumberPair(Pair):
    """Two Python or numpy numbers, with the tolerances of int64, float64 or complex128."""

    _TYPE_TO_DTYPE: Mapping[type, Any] = {
        int: torch.int64,
        float: torch.float64,
        complex: torch.complex128,
    }
    _NUMBER_TYPES = tuple(_TYPE_TO_DTYPE)

    def __init__(
        self,
        actual: Any,
        expected: Any,
        *,
        id: Place = (),
        rtol: float | None = None,
        atol: float | None = None,
        equal_nan: bool = False,
        check_dtype: bool = False,
        **other_parameters: Any,
    ) -> None:
        actual, expected = self._process_inputs(actual, expected, id=id)
        super().__init__(actual, expected, id=id, **other_parameters)
        dtypes = [self._TYPE_TO_DTYPE[type(number)] for number in (actual, expected)]
        self.rtol, self.atol = get_tolerances(*dtypes, rtol=rtol, atol=atol, id=id)
        self.equal_nan, self.check_dtype = equal_nan, check_dtype

    @property
    def _supported_types(self) -> tuple[type, ...]:
        return (*self._NUMBER_TYPES, np.number)

    def _process_inputs(self, actual: Any, expected: Any, *, id: Place) -> tuple[Any, Any]:
        self._check_inputs_isinstance(actual, expected, cls=self._supported_types)
        return self._to_number(actual, id=id), self._to_number(expected, id=id)

    def _to_number(self, number_like: Any, *, id: Place) -> Any:
        if isinstance(number_like, np.number):
            return number_like.item()
        if not isinstance(number_like, self._NUMBER_TYPES):
            raise ErrorMeta(TypeError, f"Unknown number type {type(number_like)}.", id=id)
        return number_like

    def compare(self) -> None:
        """They are of one type where that is asked for, and close."""
        a, b = self.actual, self.expected
        if self.check_dtype and type(a) is not type(b):
            self._fail(AssertionError, f"The (d)types do not match: {type(a)} != {type(b)}.")
        if a == b or (self.equal_nan and a != a and b != b):
            return
        difference = abs(a - b)
        if not (math.isfinite(difference) and difference <= self.atol + self.rtol * abs(b)):
            text = make_scalar_mismatch_msg(a, b, rtol=self.rtol, atol=self.atol)
            self._fail(AssertionError, text)

    def extra_repr(self) -> Sequence[str]:
        """The options."""
        return ["rtol", "atol", "equal_nan", "check_dtype"]


class TensorLikePair(Pair):
    """Two tensors, or two values of related types that ``as_tensor`` takes."""

    def __init__(
        self,
        actual: Any,
        expected: Any,
        *,
        id: Place = (),
        allow_subclasses: bool = True,
        rtol: float | None = None,
        atol: float | None = None,
        equal_nan: bool = False,
        check_device: bool = True,
        check_dtype: bool = True,
        check_layout: bool = True,
        check_stride: bool = False,
        **other_parameters: Any,
    ) -> None:
        actual, expected = self._process_inputs(
            actual, expected, id=id, allow_subclasses=allow_subclasses
        )
        super().__init__(actual, expected, id=id, **other_parameters)
        self.rtol, self.atol = get_tolerances(actual, expected, rtol=rtol, atol=atol, id=id)
        self.equal_nan = equal_nan
        self.check_device, self.check_dtype = check_device, check_dtype
        self.check_layout, self.check_stride = check_layout, check_stride

    def _process_inputs(
        self, actual: Any, expected: Any, *, id: Place, allow_subclasses: bool
    ) -> tuple[Any, Any]:
        if not isinstance(actual, type(expected)) and not isinstance(expected, type(actual)):
            self._inputs_not_supported()
        if not allow_subclasses and type(actual) is not type(expected):
            self._inputs_not_supported()
        actual, expected = self._to_tensor(actual), self._to_tensor(expected)
        for tensor in (actual, expected):
            self._check_supported(tensor, id=id)
        return actual, expected

    def _to_tensor(self, tensor_like: Any) -> Any:
        if isinstance(tensor_like, torch.Tensor):
            return tensor_like
        try:
            return torch.as_tensor(tensor_like)
        except Exception:
            self._inputs_not_supported()

    def _check_supported(self, tensor: Any, *, id: Place) -> None:
        """Raise :class:`ErrorMeta` for a layout whose numbers cannot be compared."""
        if tensor.layout is torch._mkldnn:
            raise ErrorMeta(ValueError, f"Unsupported tensor layout {tensor.layout}", id=id)

    def compare(self) -> None:
        """They have the same attributes, where these are asked for, and numbers that are close."""
        actual, expected = self.actual, self.expected
        self._compare_attributes(actual, expected)
        if actual.is_meta or expected.is_meta:
            return  # no numbers
        self._compare_values(*self._equalize_attributes(actual, expected))

    def _compare_attributes(self, actual: Any, expected: Any) -> None:
        self._same("shape", actual.shape, expected.shape)
        self._same("is_quantized", actual.is_quantized, expected.is_quantized)
        if actual.is_quantized:
            self._same("qscheme()", actual.qscheme(), expected.qscheme())
        if self.check_layout:
            self._same("layout", actual.layout, expected.layout)
        if self.check_stride and actual.stride() != expected.stride():
            self._same("stride()", actual.stride(), expected.stride())
        if self.check_device:
            self._same("device", actual.device, expected.device)
        if self.check_dtype:
            self._same("dtype", actual.dtype, expected.dtype)

    def _same(self, name: str, actual: Any, expected: Any) -> None:
        if actual != expected:
            text = f"The values for attribute '{name}' do not match: {actual} != {expected}."
            self._fail(AssertionError, text)

    def _equalize_attributes(self, actual: Any, expected: Any) -> tuple[Any, Any]:
        """Both in one layout, on one device, in one dtype."""
        if actual.layout != expected.layout:
            actual, expected = actual.to_dense(), expected.to_dense()
        if actual.device != expected.device:
            actual, expected = actual.cpu(), expected.cpu()
        if actual.dtype != expected.dtype:
            common = torch.promote_types(actual.dtype, expected.dtype)
            actual, expected = actual.to(common), expected.to(common)
        return actual, expected

    def _compare_values(self, actual: Any, expected: Any) -> None:
        closeness = self.rtol, self.atol
        if actual.is_quantized:
            numbers = actual.dequantize(), expected.dequantize()
            self._compare_numbers(*numbers, closeness, lambda usual: f"Quantized {usual.lower()}")
        elif actual.layout is torch.jagged:
            # Equal shapes have the same lengths: those of one symbol.
            self._compare_numbers(actual.values(), expected.values(), closeness)
        elif actual.layout is torch.strided:
            if is_float_of_a_byte(actual) and any(closeness):
                self._fail(
                    AssertionError,
                    f"Rtol={self.rtol} and atol={self.atol} are not supported for bitwise "
                    "comparison of low dimensional floats. Please use rtol=0.0 and atol=0.0.",
                )
            self._compare_numbers(actual, expected, closeness)
        else:
            self._compare_parts(actual, expected)

    def _compare_parts(self, actual: Any, expected: Any) -> None:
        """What sparse tensors consist of."""
        one, two = actual._content_, expected._content_
        kind = short_name(actual.layout).upper()
        if kind == "COO" and one.sparse_dim != two.sparse_dim:
            self._fail(
                AssertionError,
                "The number of sparse dimensions in sparse COO tensors does not match: "
                f"{one.sparse_dim} != {two.sparse_dim}",
            )
        if one.nnz != two.nnz:
            self._fail(
                AssertionError,
                f"The number of specified values in sparse {kind} tensors does not match: "
                f"{one.nnz} != {two.nnz}",
            )
        for (name, got), (_, wanted) in zip(one.named_parts(), two.named_parts(), strict=True):
            closeness = self.rtol, self.atol
            if name != "values":  # indices are to be equal, in whichever dtype they are
                common = torch.promote_types(got.dtype, wanted.dtype)
                got, wanted, closeness = got.to(common), wanted.to(common), (0.0, 0.0)
            self._compare_numbers(got, wanted, closeness, f"Sparse {kind} {name}")

    def _compare_numbers(
        self,
        actual: Any,
        expected: Any,
        closeness: tuple[float, float],
        identifier: str | Callable[[str], str] | None = None,
    ) -> None:
        rtol, atol = closeness
        close = torch.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=self.equal_nan)
        if bool(close.all()):
            return
        if actual.dim() == 0:
            a, b = actual.item(), expected.item()
            text = make_scalar_mismatch_msg(a, b, rtol=rtol, atol=atol, identifier=identifier)
        else:
            text = make_tensor_mismatch_msg(
                actual, expected, close, rtol=rtol, atol=atol, identifier=identifier
            )
        self._fail(AssertionError, text)

    def extra_repr(self) -> Sequence[str]:
        """The options."""
        checks = [f"check_{name}" for name in ("device", "dtype", "layout", "stride")]
        return ["rtol", "atol", "equal_nan", *checks]
