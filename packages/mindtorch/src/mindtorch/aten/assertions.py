"""``_assert_async``: what must not be zero, found out when the device comes to it."""

from __future__ import annotations

from typing import Any

from ..backends.backend import Launch
from ..call.row import op
from ..core import signature as S
from ..core.backend_registry import backend_of
from ..tensor.conversion import number_in

__all__: list[str] = []


def _check(a: Any, message: str) -> None:
    if not number_in(a.reshape(())):
        raise RuntimeError(message)


def _assert_async(self: Any, message: str) -> None:
    """Refuse zero: on the host at once, on a device in its turn.

    Raises RuntimeError at once for a tensor that is no single number.
    """
    if self._sig & S.META:
        return
    if self.numel() != 1:
        which = "no values" if self.numel() == 0 else "more than one value"
        raise RuntimeError(f"Boolean value of Tensor with {which} is ambiguous")
    if self._sig & S.PENDING:
        self._settle()
    if self._sig & S.CPU:
        _check(self._a, message)
        return
    backend = backend_of(self)
    if backend.read is not None:  # the host has no memory to look at
        _check(backend.read(self), message)
        return
    check = Launch("_assert_async", None, [self._a], [], lambda its: _check(its.values[0], message))
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
