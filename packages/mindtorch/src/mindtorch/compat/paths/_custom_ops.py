"""``torch._custom_ops``: ops that are made in steps, by name.

``torch.library.custom_op`` took its place; programs that were written for it run as they did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mindtorch_storage.device import CUDA

from mindtorch.library import get_ctx, register_fake

from ._custom_op.impl import (
    _check_function,
    _check_name,
    _custom_op_with_schema,
    _find_custom_op,
    infer_schema,
    parse_qualname,
    validate_namespace,
)

__all__ = [
    "custom_op",
    "get_ctx",
    "impl",
    "impl_abstract",
    "impl_backward",
    "impl_save_for_backward",
]

_Kernel = Callable[..., Any]


def custom_op(qualname: str, func_or_schema: _Kernel | str | None = None) -> Any:
    """Define an op by a schema, or by a function with annotations; without both a decorator.

    The function is never called: what the op does comes by :func:`impl`.
    """
    ns, _ = parse_qualname(qualname)
    validate_namespace(ns)

    def inner(func: _Kernel) -> _Kernel:
        _check_function(qualname, func)
        _check_name(qualname, func)
        _custom_op_with_schema(qualname, infer_schema(func, mutates_args=()))
        return func

    if func_or_schema is None:
        return inner
    if isinstance(func_or_schema, str):
        _custom_op_with_schema(qualname, func_or_schema)
        return None
    return inner(func_or_schema)


def impl(
    qualname: str,
    *,
    device_types: str | Iterable[str] = ("cpu", CUDA),
    func: _Kernel | None = None,
) -> Any:
    """Register what an op does on some types of devices; without *func* a decorator."""

    def inner(func: _Kernel) -> _Kernel:
        found = _find_custom_op(qualname, also_check_torch_library=True)
        found.impl(device_types, _stacklevel=3)(func)
        return func

    return inner if func is None else inner(func)


def impl_abstract(qualname: str, *, func: _Kernel | None = None) -> Any:
    """Register what an op does on tensors without data; without *func* a decorator."""
    return register_fake(qualname, func, _stacklevel=2)


def impl_save_for_backward(qualname: str, *, func: _Kernel | None = None) -> Any:
    """Register what an op keeps: ``func(inputs, output)``; without *func* a decorator."""

    def inner(func: _Kernel) -> _Kernel:
        found = _find_custom_op(qualname, also_check_torch_library=True)
        found.impl_save_for_backward(_stacklevel=3)(func)
        return func

    return inner if func is None else inner(func)


def impl_backward(
    qualname: str,
    output_differentiability: list[bool] | None = None,
    *,
    func: _Kernel | None = None,
) -> Any:
    """Register gradients by argument: ``func(ctx, saved, *grads)``; without *func* a decorator.

    :param output_differentiability: whether each result has a gradient; None: all.
    """

    def inner(func: _Kernel) -> _Kernel:
        found = _find_custom_op(qualname, also_check_torch_library=True)
        found.impl_backward(output_differentiability, _stacklevel=3)(func)
        return func

    return inner if func is None else inner(func)


def _destroy(qualname: str) -> None:
    """Take an op out of the world."""
    _find_custom_op(qualname)._destroy()
