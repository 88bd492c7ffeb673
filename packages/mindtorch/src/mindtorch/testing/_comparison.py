"""``assert_close``: two values, or two structures of them, are close; else an error says where.

A structure is walked once; every leaf becomes a *pair*: of Nones, bools, numbers or things that
:func:`mindtorch.as_tensor` takes. Only when all pairs exist are they compared, so a structure that
cannot be compared is refused before the first number is looked at.

Tolerances (from the dtype, the wider of both): what torch documents for ``assert_close``.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..aten import torch
from ..core.layout_names import short_name
from ..core.warning import warn

__all__ = ["assert_allclose", "assert_close"]

#: ``(rtol, atol)`` by the dtype's name; ``(0, 0)`` for all others.
_TOLERANCES = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex32": (1e-3, 1e-5),
    "complex64": (1.3e-6, 1e-5),
    "complex128": (1e-7, 1e-7),
}
#: Quantized numbers are compared as the float32 numbers that they stand for.
_TOLERANCES |= dict.fromkeys(
    ("qint8", "quint8", "qint32", "quint4x2", "quint2x4"), _TOLERANCES["float32"]
)
#: The dtype whose tolerance a Python number has.
_DTYPE_OF_NUMBER = {int: "int64", float: "float64", complex: "complex128"}


class Mismatch(Exception):
    """Two leaves differ or cannot be compared: *error* is what the caller shall see."""

    def __init__(self, error: type[Exception], text: str, path: tuple[Any, ...] = ()):
        super().__init__(text)
        self.error = error
        self.path = path

    def raised(self, msg: str | Callable[[str], str] | None = None) -> Exception:
        """The error with the item's path, its text replaced or changed by *msg*."""
        text = str(self)
        if self.path:
            text += f"\n\nThe failure occurred for item {_item(self.path)}"
        if callable(msg):
            text = msg(text)
        elif isinstance(msg, str):
            text = msg
        return self.error(text)


class Options(NamedTuple):
    """What the caller wants checked, and how exactly."""

    allow_subclasses: bool
    rtol: float | None
    atol: float | None
    equal_nan: bool
    device: bool
    dtype: bool
    layout: bool
    stride: bool

    def tolerances(self, *dtypes: str) -> tuple[float, float]:
        """``(rtol, atol)``: the given ones, or the widest of *dtypes*."""
        if (self.rtol is None) ^ (self.atol is None):
            missing = "rtol" if self.rtol is None else "atol"
            text = "Both 'rtol' and 'atol' must be either specified or omitted, "
            raise Mismatch(ValueError, f"{text}but got no {missing}.")
        if self.rtol is not None and self.atol is not None:
            return self.rtol, self.atol
        found = [_TOLERANCES.get(name, (0.0, 0.0)) for name in dtypes]
        return max(r for r, _ in found), max(a for _, a in found)


@dataclass
class Pair(ABC):
    """Two leaves at one place of the structure."""

    actual: Any
    expected: Any
    path: tuple[Any, ...]
    options: Options

    @classmethod
    @abstractmethod
    def takes(cls, actual: Any, expected: Any, options: Options) -> bool:
        """Whether two leaves are of this kind."""

    def prepare(self) -> Any:
        """Bring both into the form that is compared, and find the tolerances."""
        return None

    @abstractmethod
    def compare(self) -> None:
        """Nothing if they are close, else :class:`Mismatch`."""

    def fail(self, text: str, error: type[Exception] = AssertionError) -> NoReturn:
        """They differ."""
        raise Mismatch(error, text, self.path)


class NonePair(Pair):
    """None is close to None alone."""

    @classmethod
    def takes(cls, actual: Any, expected: Any, options: Options) -> bool:
        return actual is None or expected is None

    def compare(self) -> None:
        if not (self.actual is None and self.expected is None):
            self.fail(f"None mismatch: {self.actual} is not {self.expected}")


class BooleanPair(Pair):
    """Two truth values, of Python or numpy."""

    @classmethod
    def takes(cls, actual: Any, expected: Any, options: Options) -> bool:
        return all(isinstance(v, (bool, np.bool_)) for v in (actual, expected))

    def compare(self) -> None:
        actual, expected = bool(self.actual), bool(self.expected)
        if actual is not expected:
            # torch names no item for bools.
            raise Mismatch(AssertionError, f"Booleans mismatch: {actual} is not {expected}")


class NumberPair(Pair):
    """Two Python or numpy numbers."""

    @classmethod
    def takes(cls, actual: Any, expected: Any, options: Options) -> bool:
        return all(isinstance(v, (int, float, complex, np.number)) for v in (actual, expected))

    def prepare(self) -> Any:
        if any(isinstance(v, bool) for v in (self.actual, self.expected)):
            raise RuntimeError(_unexpected_pair(self))
        self.actual, self.expected = _python(self.actual), _python(self.expected)
        kinds = type(self.actual), type(self.expected)
        names = [_DTYPE_OF_NUMBER[kind] for kind in kinds]
        self.rtol, self.atol = self.options.tolerances(*names)

    def compare(self) -> None:
        actual, expected = type(self.actual), type(self.expected)
        if self.options.dtype and actual is not expected:
            self.fail(f"The (d)types do not match: {actual} != {expected}.")
        if not self._is_close():
            self.fail(_scalars(self.actual, self.expected, self.rtol, self.atol))

    def _is_close(self) -> bool:
        a, b = self.actual, self.expected
        if a == b or (self.options.equal_nan and a != a and b != b):
            return True
        difference = abs(a - b)
        return math.isfinite(difference) and difference <= self.atol + self.rtol * abs(b)


class TensorLikePair(Pair):
    """Two tensors, or two values of related types that ``as_tensor`` takes."""

    @classmethod
    def takes(cls, actual: Any, expected: Any, options: Options) -> bool:
        if not isinstance(actual, type(expected)) and not isinstance(expected, type(actual)):
            return False
        if not options.allow_subclasses and type(actual) is not type(expected):
            return False
        return all(_has_tensor(v) for v in (actual, expected))

    def prepare(self) -> Any:
        self.actual, self.expected = _tensor(self.actual), _tensor(self.expected)
        names = [str(t.dtype).removeprefix("torch.") for t in (self.actual, self.expected)]
        self.rtol, self.atol = self.options.tolerances(*names)

    def compare(self) -> None:
        actual, expected, check = self.actual, self.expected, self.options
        self._same("shape", actual.shape, expected.shape)
        self._same("is_quantized", actual.is_quantized, expected.is_quantized)
        if actual.is_quantized:
            self._same("qscheme()", actual.qscheme(), expected.qscheme())
        if check.layout:
            self._same("layout", actual.layout, expected.layout)
        if check.stride and actual.stride() != expected.stride():
            self._same("stride()", actual.stride(), expected.stride())
        if check.device:
            self._same("device", actual.device, expected.device)
        if check.dtype:
            self._same("dtype", actual.dtype, expected.dtype)
        if actual.is_meta or expected.is_meta:
            return  # no numbers
        if actual.layout != expected.layout:
            actual, expected = actual.to_dense(), expected.to_dense()
        if actual.device != expected.device:
            actual, expected = actual.cpu(), expected.cpu()
        if actual.dtype != expected.dtype:
            common = torch.promote_types(actual.dtype, expected.dtype)
            actual, expected = actual.to(common), expected.to(common)
        if actual.is_quantized:
            numbers = actual.dequantize(), expected.dequantize()
            self._compare_values(*numbers, (self.rtol, self.atol), "Quantized ")
        elif actual.layout is torch.jagged:
            # Equal shapes have the same lengths: those of one symbol.
            self._compare_values(actual.values(), expected.values(), (self.rtol, self.atol))
        elif actual.layout is torch.strided:
            if _is_float_of_a_byte(actual) and (self.rtol or self.atol):
                self.fail(
                    f"Rtol={self.rtol} and atol={self.atol} are not supported for bitwise "
                    "comparison of low dimensional floats. Please use rtol=0.0 and atol=0.0."
                )
            self._compare_values(actual, expected, (self.rtol, self.atol))
        else:
            self._compare_parts(actual, expected)

    def _compare_parts(self, actual: Any, expected: Any) -> None:
        """What sparse tensors consist of."""
        one, two = actual._content, expected._content
        kind = short_name(actual.layout).upper()
        if kind == "COO" and one.sparse_dim != two.sparse_dim:
            self.fail(
                "The number of sparse dimensions in sparse COO tensors does not match: "
                f"{one.sparse_dim} != {two.sparse_dim}"
            )
        if one.nnz != two.nnz:
            self.fail(
                f"The number of specified values in sparse {kind} tensors does not match: "
                f"{one.nnz} != {two.nnz}"
            )
        for (name, got), (_, wanted) in zip(one.named_parts(), two.named_parts(), strict=True):
            closeness = self.rtol, self.atol
            if name != "values":  # indices are to be equal, in whichever dtype they are
                common = torch.promote_types(got.dtype, wanted.dtype)
                got, wanted, closeness = got.to(common), wanted.to(common), (0.0, 0.0)
            self._compare_values(got, wanted, closeness, f"Sparse {kind} {name}", whole=True)

    def _same(self, name: str, actual: Any, expected: Any) -> None:
        if actual != expected:
            self.fail(f"The values for attribute '{name}' do not match: {actual} != {expected}.")

    def _compare_values(
        self,
        actual: Any,
        expected: Any,
        closeness: tuple[float, float],
        name: str = "",
        whole: bool = False,
    ) -> None:
        """*name* is what the text calls them: *whole*, or before what it does anyway."""
        rtol, atol = closeness
        equal_nan = self.options.equal_nan
        close = torch.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan)
        if bool(close.all()):
            return
        if actual.dim() == 0:
            kind, text = "Scalars", _scalars(actual.item(), expected.item(), rtol, atol)
        else:
            kind, text = "Tensor-likes", _elements(actual, expected, close, rtol, atol)
        if name:
            text = text.replace(kind, name if whole else name + kind.lower(), 1)
        self.fail(text)


_KINDS: tuple[type[Pair], ...] = (NonePair, BooleanPair, NumberPair, TensorLikePair)


def _pairs(actual: Any, expected: Any, path: tuple[Any, ...], options: Options) -> Iterator[Pair]:
    """Every pair of leaves of two structures, in order."""
    if _is_sequence(actual) and _is_sequence(expected):
        if len(actual) != len(expected):
            text = f"The length of the sequences mismatch: {len(actual)} != {len(expected)}"
            raise Mismatch(AssertionError, text, path)
        for place in range(len(actual)):
            yield from _pairs(actual[place], expected[place], (*path, place), options)
    elif isinstance(actual, Mapping) and isinstance(expected, Mapping):
        missing, extra = set(expected) - set(actual), set(actual) - set(expected)
        if missing or extra:
            text = "The keys of the mappings do not match:\n"
            text += f"Missing keys in the actual mapping: {sorted(missing)}\n"
            text += f"Additional keys in the actual mapping: {sorted(extra)}"
            raise Mismatch(AssertionError, text, path)
        for key in _in_order(actual):
            yield from _pairs(actual[key], expected[key], (*path, key), options)
    else:
        yield _leaf(actual, expected, path, options)


def _leaf(actual: Any, expected: Any, path: tuple[Any, ...], options: Options) -> Pair:
    for kind in _KINDS:
        if kind.takes(actual, expected, options):
            pair = kind(actual, expected, path, options)
            try:
                pair.prepare()
            except Mismatch as mismatch:
                mismatch.path = path
                raise
            return pair
    text = "No comparison pair was able to handle inputs of type "
    raise Mismatch(TypeError, f"{text}{type(actual)} and {type(expected)}.", path)


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """Assert ``|actual - expected| <= atol + rtol * |expected|`` for every number of two values.

    :param actual: a tensor, number, bool, None, anything :func:`mindtorch.as_tensor` takes, or a
        sequence or mapping of those.
    :param expected: the same structure; leaves are of the same or a related type.
    :param rtol: relative tolerance; with *atol* or not at all. Unset: from the dtype
        (``1.3e-6`` and ``1e-5`` for float32, 0 for integers).
    :param equal_nan: whether NaN is close to NaN.
    :param msg: the text of the error, or what makes it from the text that would be used.
    :raises AssertionError: something differs; the text says by how much, and where.
    :raises TypeError: two leaves cannot be compared with each other.
    :raises ValueError: only one of *rtol* and *atol* is given.
    """
    __tracebackhide__ = True
    options = Options(
        allow_subclasses, rtol, atol, equal_nan, check_device, check_dtype, check_layout,
        check_stride,
    )  # fmt: skip
    try:
        pairs = list(_pairs(actual, expected, (), options))
    except Mismatch as mismatch:  # cannot be compared: *msg* is for what differs
        raise mismatch.raised() from None
    try:
        for pair in pairs:
            pair.compare()
    except Mismatch as mismatch:
        raise mismatch.raised(msg) from None


def assert_allclose(
    actual: Any,
    expected: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
    msg: str = "",
) -> None:
    """The deprecated forerunner of :func:`assert_close`: wider tolerances, any dtype and device."""
    warn(
        "`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a "
        "future release. Please use `torch.testing.assert_close()` instead. You can find detailed "
        "upgrade instructions in https://github.com/pytorch/pytorch/issues/61844.",
        FutureWarning,
    )
    if not isinstance(actual, torch.Tensor):
        actual = torch.tensor(actual)
    if not isinstance(expected, torch.Tensor):
        expected = torch.tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        names = [str(t.dtype).removeprefix("torch.") for t in (actual, expected)]
        found = [_ALLCLOSE_TOLERANCES.get(name, (0.0, 0.0)) for name in names]
        rtol, atol = max(r for r, _ in found), max(a for _, a in found)
    assert_close(
        actual,
        expected,
        rtol=rtol,
        atol=atol,
        equal_nan=equal_nan,
        check_device=True,
        check_dtype=False,
        check_stride=False,
        msg=msg or None,
    )


#: The tolerances of :func:`assert_allclose`.
_ALLCLOSE_TOLERANCES = {
    "float16": (1e-3, 1e-3),
    "float32": (1e-4, 1e-5),
    "float64": (1e-5, 1e-8),
}


# -- texts -----------------------------------------------------------------------------------------


def _scalars(actual: Any, expected: Any, rtol: float, atol: float) -> str:
    difference = abs(actual - expected)
    relative = math.inf if expected == 0 else difference / abs(expected)
    equal = not rtol and not atol
    return (
        f"Scalars are not {'equal' if equal else 'close'}!\n\n"
        f"Expected {expected} but got {actual}.\n"
        f"Absolute difference: {difference}{_allowed(atol, equal)}\n"
        f"Relative difference: {relative}{_allowed(rtol, equal)}"
    )


def _is_float_of_a_byte(x: Any) -> bool:
    """Whether *x* has a dtype without arithmetic, of which numbers are the same or not."""
    return bool(x.is_floating_point() and x.element_size() == 1)


def _elements(actual: Any, expected: Any, close: Any, rtol: float, atol: float) -> str:
    if not (actual.is_floating_point() or actual.is_complex()):
        actual, expected = actual.to(torch.int64), expected.to(torch.int64)
    count = close.numel()
    wrong = count - int(close.sum())
    mismatched = f"Mismatched elements: {wrong} / {count} ({wrong / count:.1%})"
    if _is_float_of_a_byte(actual):
        first = tuple(torch.nonzero(~close)[0].tolist())
        return (
            f"Tensor-likes are not 'equal'!\n\n{mismatched}\n"
            f"The first mismatched element is at index {first}."
        )
    absolute = torch.abs(actual - expected)
    relative = absolute / torch.abs(expected)
    equal = not rtol and not atol
    lines = [
        f"Tensor-likes are not {'equal' if equal else 'close'}!",
        "",
        mismatched,
    ]
    for name, difference, allowed in (("absolute", absolute, atol), ("relative", relative, rtol)):
        # Only what is not close can be the greatest.
        difference = difference.masked_fill(close, 0)
        most, place = torch.max(difference.flatten(), dim=0)
        index = tuple(int(i) for i in np.unravel_index(place.item(), tuple(close.shape)))
        text = f"Greatest {name} difference: {most.item()} at index {index}"
        lines.append(text + _allowed(allowed, equal))
    return "\n".join(lines)


def _item(path: tuple[Any, ...]) -> str:
    return "".join(f"[{part!r}]" for part in path)


def _allowed(tolerance: float, equal: bool) -> str:
    return "" if equal else f" (up to {tolerance} allowed)"


def _unexpected_pair(pair: Pair) -> str:
    parts = [f"{type(v).__name__}(): {v}" for v in (pair.actual, pair.expected)]
    return (
        f"Originating a {type(pair).__name__}() at item {_item(pair.path)} with\n\n"
        f"{parts[0]}\n\nand\n\n{parts[1]}\n\n"
        "resulted in the unexpected exception above. If you are a user and see this message during "
        "normal operation please file an issue at https://github.com/pytorch/pytorch/issues. If "
        "you are a developer and working on the comparison functions, please except the previous "
        "error and raise an expressive `ErrorMeta` instead."
    )


# -- kinds of values -------------------------------------------------------------------------------


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _in_order(mapping: Mapping[Any, Any]) -> list[Any]:
    """The keys: sorted if they can be, so that the first failure does not depend on the order."""
    try:
        return sorted(mapping)
    except TypeError:
        return list(mapping)


def _python(number: Any) -> Any:
    return number.item() if isinstance(number, np.number) else number


def _tensor(value: Any) -> Any:
    return value if isinstance(value, torch.Tensor) else torch.as_tensor(value)


def _has_tensor(value: Any) -> bool:
    try:
        _tensor(value)
    except Exception:
        return False
    return True
