"""Fitting a gradient to the value it is for: its shape, its dtype, its device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_autograd import errors as autograd_errors

from ..core import signature as S
from ..core.key_sets import seen_by_python, tls_state
from ..core.operators import ops
from ..tensor.tensor_meta import AnyDtype, Facts
from .arguments import full_arguments
from .dispatch_entry import OVERLOADS, run


def conform(grad: Any, facts: Facts, node: Any, index: int) -> Any:
    """Sum *grad* down to the shape it was broadcast from, cast and move it if need be.

    Raises torch's error, which names *node* and *index*, for a shape that was never broadcast.
    """
    a = grad._a_
    if a.shape != facts.sizes:
        check_shape(a.shape, facts.sizes, node, index)
        grad = sum_to(grad, facts.sizes)
    elif a.dtype is facts.np_dtype and grad._sig_ & facts.sig & S.CPU:
        return grad
    if type(facts.np_dtype) is AnyDtype:
        if not facts.np_dtype.is_complex and grad.is_complex():
            grad = ops.real(grad)
    elif a.dtype is not facts.np_dtype and a.dtype != facts.np_dtype:
        dtype = facts.dtype
        if grad.is_complex() and not dtype.is_complex:
            grad = ops.real(grad)
        if grad.dtype is not dtype:
            grad = cast(grad, dtype)
    if fits_device(grad._sig_ | facts.sig):
        return grad
    if grad.device != facts.device:
        grad = grad._to_(facts.device)
    return grad


def fits_device(sig: int) -> bool:
    """Whether a gradient surely lies where it has to, by both signatures.

    Everything lies on the host, or one of both has a class that sees operators: what device that
    is on is the business of the class.
    """
    return sig & S.BACKENDS == S.CPU or bool(sig & S.PYTHON)


def check_shape(have: Sequence[int], want: Sequence[int], node: Any, index: int) -> None:
    """Raise torch's error, which names *node* and *index*, for a shape that was never broadcast."""
    lead = len(have) - len(want)
    if lead < 0 or any(w not in (1, h) for h, w in zip(have[lead:], want, strict=True)):
        raise autograd_errors.invalid_gradient(
            node.name(),
            index,
            f"got {list(have)} but expected shape compatible with {list(want)}",
        )


def cast(t: Any, dtype: Any) -> Any:
    """*t* in another dtype."""
    if seen_by_python(t._sig_ | tls_state()):
        to_copy = OVERLOADS["aten::_to_copy"]
        return run(to_copy, full_arguments(to_copy, (t,), {"dtype": dtype}))
    return t._to_(None, dtype)


def sum_to(grad: Any, shape: tuple[int, ...]) -> Any:
    """Undo a broadcast: sum over the dimensions that *shape* lacks or has with size 1."""
    have = grad._a_.shape
    lead = len(have) - len(shape)
    if lead < 0:
        return grad.expand(shape)
    if not shape:
        return ops.sum(grad)
    dims = list(range(lead))
    dims += [i for i in range(lead, len(have)) if shape[i - lead] == 1 and have[i] != 1]
    if dims:
        # A tuple, so that what its meta said is found again.
        grad = run(OVERLOADS["aten::sum.dim_IntList"], (grad, tuple(dims), True, None))
    if lead:
        grad = grad.reshape(shape)
    if grad._a_.shape != shape:
        return grad.expand(shape)
    return grad
