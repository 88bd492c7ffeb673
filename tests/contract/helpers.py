"""Compare mindtorch with the oracle: the same error, or the same value.

Both helpers run both sides and fail when the oracle is silent: a comparison with nothing is a
broken test, not a passing one::

    assert_torch_error(lambda: mt.ones(2).view(3), lambda: torch.ones(2).view(3))
    assert_same_value(lambda: mt.ones(2) + 1, lambda: torch.ones(2) + 1)

Where both sides read the same, ``both`` writes it once::

    assert_same_value(*both(lambda torch: torch.ones(2) + 1))
"""

from __future__ import annotations

import builtins
import importlib
import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

__all__ = ["assert_same_value", "assert_torch_error", "both", "describe", "differences"]

Thunk = Callable[[], Any]

#: Compared by ``==`` and type.
_PLAIN = (bool, int, str, bytes, type(None), type(Ellipsis), slice, range)
#: Classes of torch that are named values: compared by what they print.
_NAMED = frozenset({"device", "dtype", "layout", "memory_format"})
#: The dtypes of which numpy has the tensor's own memory.
_PLAINLY = frozenset({"torch.float32", "torch.float64", "torch.int64", "torch.bool"})
#: Dtypes that numpy lacks; float32 holds their values exactly.
_WIDENED = frozenset({"torch.bfloat16", "torch.float8_e4m3fn", "torch.float8_e5m2"})


def both(fn: Callable[[Any], Any]) -> tuple[Thunk, Thunk]:
    """``fn`` over mindtorch and over torch, as the two arguments of the asserts below."""
    ours = importlib.import_module("mindtorch")
    oracle = importlib.import_module("torch")
    return (lambda: fn(ours)), (lambda: fn(oracle))


def assert_torch_error(fn_mt: Thunk, fn_torch: Thunk) -> None:
    """Both sides raise an exception of the same name, built-in bases and full text."""
    __tracebackhide__ = True
    want = _raised(fn_torch)
    if want is None:
        raise AssertionError("the oracle raised nothing: there is no error to compare with")
    got = _raised(fn_mt)
    if got is None:
        raise AssertionError(f"nothing was raised, torch raises {_error_text(want)}")
    if type(got).__qualname__ != type(want).__qualname__ or _bases(got) != _bases(want):
        raise AssertionError(
            f"the exception's type differs\n ours: {_error_text(got)}\ntorch: {_error_text(want)}"
        ) from got
    if str(got) != str(want):
        raise AssertionError(
            f"the exception's text differs\n ours: {str(got)!r}\ntorch: {str(want)!r}"
        ) from got


def assert_same_value(
    fn_mt: Thunk,
    fn_torch: Thunk,
    *,
    rtol: float = 0.0,
    atol: float = 0.0,
    strides: bool = True,
    device: bool = True,
) -> None:
    """Both sides return the same: dtype, shape, strides, requires_grad, device type and numbers.

    Numbers are compared bit by bit (every NaN counts as the same) unless *rtol* or *atol* is
    given. Tuples, lists and dicts are compared inside, with the names of their types.

    :param strides: False where the oracle's strides depend on its build (MKL, oneDNN).
    :param device: False where ours runs on a device that the oracle lacks.
    """
    __tracebackhide__ = True
    try:
        want = fn_torch()
    except Exception as error:
        raise AssertionError(f"the oracle raised {_error_text(error)}") from error
    if want is None:
        raise AssertionError("the oracle returned None: there is no value to compare with")
    try:
        got = fn_mt()
    except Exception as error:
        raise AssertionError(
            f"ours raised {_error_text(error)}\ntorch returned {describe(want)}"
        ) from error
    found = differences(got, want, rtol=rtol, atol=atol, strides=strides, device=device)
    if found:
        raise AssertionError(
            "\n".join(found) + f"\n ours: {describe(got)}\ntorch: {describe(want)}"
        )


def differences(
    got: Any,
    want: Any,
    *,
    rtol: float = 0.0,
    atol: float = 0.0,
    strides: bool = True,
    device: bool = True,
    at: str = "value",
) -> list[str]:
    """What differs between *got* (ours) and *want* (torch's), one line each; empty if nothing."""

    def inside(g: Any, w: Any, where: str) -> list[str]:
        return differences(
            g, w, rtol=rtol, atol=atol, strides=strides, device=device, at=f"{at}{where}"
        )

    if type(got).__name__ != type(want).__name__:
        return [f"{at}: type {type(got).__name__}, torch has {type(want).__name__}"]
    if _is_tensor(want):
        return _tensor_differences(got, want, rtol, atol, strides, device, at)
    if isinstance(want, dict):
        if list(got) != list(want):
            return [f"{at}: keys {list(got)}, torch has {list(want)}"]
        return [line for k in want for line in inside(got[k], want[k], f"[{k!r}]")]
    if isinstance(want, tuple | list):
        if len(got) != len(want):
            return [f"{at}: {len(got)} items, torch has {len(want)}"]
        pairs = enumerate(zip(got, want, strict=True))
        return [line for i, (g, w) in pairs for line in inside(g, w, f"[{i}]")]
    if isinstance(want, np.ndarray):
        lines = []
        if (got.dtype, got.shape) != (want.dtype, want.shape):
            lines.append(f"{at}: {got.dtype}{got.shape}, torch has {want.dtype}{want.shape}")
        return lines or _number_differences(got, want, rtol, atol, at)
    if isinstance(want, float | complex | np.generic):
        return _number_differences(np.asarray(got), np.asarray(want), rtol, atol, at)
    if isinstance(want, _PLAIN):
        return [] if got == want else [f"{at}: {got!r}, torch has {want!r}"]
    if isinstance(want, set | frozenset):
        return [] if got == want else [f"{at}: {got!r}, torch has {want!r}"]
    if type(want).__name__ in _NAMED:
        return [] if repr(got) == repr(want) else [f"{at}: {got!r}, torch has {want!r}"]
    raise TypeError(
        f"{at}: values of type {type(want).__name__} cannot be compared; return something that "
        "can (a tensor, a number, a str, or a tuple, list or dict of them)"
    )


def describe(value: Any) -> str:
    """*value* on one line, for messages."""
    if not _is_tensor(value) or _is_sparse(value):
        return repr(value)
    parts = [str(value.dtype), str(tuple(value.shape)), f"strides {tuple(value.stride())}"]
    if value.requires_grad:
        parts.append("requires_grad")
    if value.device.type != "cpu":
        parts.append(str(value.device))
    if value.device.type != "meta":
        parts.append(np.array2string(_numbers(value), threshold=40).replace("\n", " "))
    return " ".join(parts)


def _raised(fn: Thunk) -> Exception | None:
    try:
        fn()
    except Exception as error:
        return error
    return None


def _bases(error: Exception) -> list[type]:
    """The built-in classes that an ``except`` would catch *error* as."""
    return [c for c in type(error).__mro__ if getattr(builtins, c.__name__, None) is c]


def _error_text(error: BaseException) -> str:
    return f"{type(error).__qualname__}: {error}"


def _is_sparse(tensor: Any) -> bool:
    return str(tensor.layout).startswith("torch.sparse")


def _sparse_parts(tensor: Any) -> dict[str, Any]:
    """What a sparse tensor consists of, by name."""
    layout = str(tensor.layout)
    if layout == "torch.sparse_coo":
        parts = tensor._indices(), tensor._values()
        return dict(zip(("indices", "values"), parts, strict=True))
    by_column = layout.endswith("c")
    names = ("ccol_indices", "row_indices") if by_column else ("crow_indices", "col_indices")
    return {name: getattr(tensor, name)().detach() for name in (*names, "values")}


def _is_tensor(value: Any) -> bool:
    return _is_tensor_class(type(value))


@cache
def _is_tensor_class(kind: type) -> bool:
    return any(c.__name__ == "Tensor" for c in kind.__mro__) and hasattr(kind, "stride")


def _numbers(tensor: Any) -> np.ndarray:
    """The elements of a tensor of either framework, as an ndarray."""
    if any(size < 0 for size in tensor.shape):  # a few calls of the oracle give such tensors
        return np.empty(0)
    tensor = tensor.detach()
    if tensor.device.type == "cpu" and str(tensor.dtype) in _PLAINLY and not tensor.is_neg():
        return np.asarray(tensor.numpy(force=True))  # zero tensors have no memory
    tensor = tensor.cpu()
    if tensor.is_complex():
        tensor = tensor.resolve_conj()
    if hasattr(tensor, "resolve_neg"):
        tensor = tensor.resolve_neg()
    if str(tensor.dtype) == "torch.complex32":
        tensor = tensor.cfloat()
    if str(tensor.dtype) in _WIDENED:
        tensor = tensor.float()
    return np.asarray(tensor.numpy(force=True))


def _tensor_differences(
    got: Any, want: Any, rtol: float, atol: float, strides: bool, device: bool, at: str
) -> list[str]:
    facts = {
        "dtype": lambda t: str(t.dtype),
        "shape": lambda t: tuple(t.shape),
        "requires_grad": lambda t: t.requires_grad,
    }
    if strides and not _is_sparse(want):
        facts["strides"] = lambda t: tuple(t.stride())
    facts["layout"] = lambda t: str(t.layout)
    if device:
        facts["device"] = lambda t: t.device.type
    lines = [
        f"{at}.{name}: {fact(got)}, torch has {fact(want)}"
        for name, fact in facts.items()
        if fact(got) != fact(want)
    ]
    if _is_sparse(want) and _is_sparse(got) and not lines:
        pairs = zip(_sparse_parts(got).items(), _sparse_parts(want).values(), strict=True)
        return [
            line
            for (name, g), w in pairs
            for line in _tensor_differences(g, w, rtol, atol, False, device, f"{at}.{name}")
        ]
    same_layout = not any(line.startswith((f"{at}.dtype", f"{at}.shape")) for line in lines)
    if same_layout and "meta" not in (got.device.type, want.device.type):
        lines += _number_differences(_numbers(got), _numbers(want), rtol, atol, at)
    return lines


def _number_differences(
    got: np.ndarray, want: np.ndarray, rtol: float, atol: float, at: str
) -> list[str]:
    """One line that counts the elements that differ and shows the first and the worst."""
    if got.dtype == want.dtype and got.shape == want.shape and got.tobytes() == want.tobytes():
        return []  # the usual case, by far
    with np.errstate(all="ignore"):
        same = _same_bits(got, want)
        if (rtol or atol) and not same.all():
            same |= np.isclose(got, want, rtol=rtol, atol=atol, equal_nan=True)
        if same.all():
            return []
        where = tuple(int(i) for i in np.argwhere(~same)[0]) if got.ndim else ()
        line = (
            f"{at}: {int((~same).sum())} of {same.size} elements differ, "
            f"first at {list(where)}: {got[where]!r}, torch has {want[where]!r}"
        )
        if got.dtype.kind in "fc":
            gap = np.abs(got[~same].astype(np.complex128) - want[~same].astype(np.complex128))
            worst = float(np.max(gap, initial=0.0))
            line += f"; worst gap {worst:.3g}" if math.isfinite(worst) else ""
    return [line]


def _same_bits(got: np.ndarray, want: np.ndarray) -> np.ndarray:
    """Elementwise: equal with the sign of zero, or both NaN (part by part for complex)."""
    if got.dtype.kind == "c":
        return _same_bits(got.real, want.real) & _same_bits(got.imag, want.imag)
    same = np.asarray(got == want)
    if got.dtype.kind == "f":
        same &= np.signbit(got) == np.signbit(want)
        same |= np.isnan(got) & np.isnan(want)
    return same


def dispatch_key(torch: Any, name: str) -> Any:
    """The key *name* of a framework."""
    return torch._C._dispatch_key_parse(name)
