"""Conditions on tensors that must hold; ``_assert_async`` is checked when the device comes to it.

The functional forms give a tensor that tells a compiler of the order: a copy of the one they get.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..backends.backend import Launch
from ..call.forms import NoFormula
from ..call.row import op
from ..core import signature as S
from ..core.backend_registry import backend_of
from ..core.dims import scalar_name
from ..core.errors import c_type_name
from ..core.layout_names import layout_name
from ..tensor.conversion import number_in
from .checked_numbers import check_range, check_range_of_size, check_truth

__all__: list[str] = []


def _check(a: Any, message: str) -> None:
    if not number_in(a.reshape(())):
        raise RuntimeError(message)


def _assert_async(self: Any, message: str) -> None:
    """Refuse zero: on the host at once, on a device in its turn.

    Raises RuntimeError at once for a tensor that is no single number.
    """
    if self._sig_ & S.META:
        return
    if self.numel() != 1:
        which = "no values" if self.numel() == 0 else "more than one value"
        raise RuntimeError(f"Boolean value of Tensor with {which} is ambiguous")
    if self._sig_ & S.PENDING:
        self._settle_()
    if self._sig_ & S.CPU:
        _check(self._a_, message)
        return
    backend = backend_of(self)
    if backend.read is not None:  # the host has no memory to look at
        _check(backend.read(self), message)
        return
    check = Launch(
        "_assert_async", None, [self._a_], [], lambda its: _check(its.values[0], message)
    )
    backend.run(check, self.device)


def _without_message(self: Any) -> None:
    _assert_async(self, "Expected Tensor with single nonzero value, but got zero")


def _with_message(self: Any, assert_msg: str) -> None:
    _assert_async(self, assert_msg or "Assertion is failed")


op(
    "_assert_async(Tensor self) -> ()",
    composite=_without_message,
    kinds={"functional": "tensors"},
    variants="function",
    samples="_assert_async",
)
op(
    "_assert_async.msg(Tensor self, str assert_msg) -> ()",
    composite=_with_message,
    kinds={"functional": "tensors"},
    variants="function",
    samples="_assert_async_msg",
)


def _assert_metadata(a: Any, size: Any, stride: Any, dtype: Any, device: Any, layout: Any) -> None:
    """Refuse a tensor that is not what was said of it."""
    for what, want, have in (
        ("sizes", size, lambda: tuple(a.shape)),
        ("strides", stride, lambda: tuple(a.stride())),
    ):
        if want is not None and tuple(want) != have():
            raise _mismatch(what, list(want), list(have()))
    if dtype is not None and a.dtype is not dtype:
        raise _mismatch("dtype", scalar_name(dtype), c_type_name(a.dtype))
    if device is not None and a.device != device:
        raise _mismatch("device", device, a.device)
    if layout is not None and a.layout != layout:
        raise _mismatch("layout", layout_name(layout), layout_name(a.layout))


def _mismatch(what: str, want: Any, have: Any) -> RuntimeError:
    return RuntimeError(f"Tensor {what} mismatch! Expected: {want}, Got: {have}")


op(
    "_assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? stride=None, "
    "ScalarType? dtype=None, *, Device? device=None, Layout? layout=None) -> ()",
    composite=_assert_metadata,
    kinds={"functional": "explicit"},
    variants="function",
    samples="_assert_tensor_metadata",
)


def _functional(check: Callable[..., None]) -> Callable[..., Any]:
    """*check*, with the token that it hands on as a copy: its last argument."""

    def composite(*args: Any) -> Any:
        check(*args[:-1])
        return args[-1].clone()

    return composite


for _schema, _checked, _kind, _samples in (
    (
        "_functional_assert_async.msg(Tensor self, str assert_msg, Tensor dep_token) -> Tensor",
        _with_message,
        "tensors",
        "_functional_assert_async",
    ),
    (
        "_functional_assert_scalar(Scalar self, str assert_msg, Tensor dep_token) -> Tensor",
        check_truth,
        "explicit",
        "_functional_assert_scalar",
    ),
    (
        "_functional_sym_constrain_range(Scalar size, int? min, int? max, Tensor dep_token) "
        "-> Tensor",
        check_range,
        "explicit",
        "_functional_range",
    ),
    (
        "_functional_sym_constrain_range_for_size(Scalar size, int? min, int? max, "
        "Tensor dep_token) -> Tensor",
        check_range_of_size,
        "explicit",
        "_functional_range",
    ),
):
    op(
        _schema,
        composite=_functional(_checked),
        kinds={"functional": _kind},
        variants="function",
        grad=NoFormula(),
        samples=_samples,
        tags=("loops: functional",),
    )
