"""Kernels of custom ops: the user's function, and a look at what it returned."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .._ops import OpOverload
from ..call.arguments import split_keywords
from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..core.tags import Tag
from . import schemas
from .aliasing import shares_memory
from .foreign import with_builder
from .results import result_converter

__all__ = ["check_of", "checked_kernel"]

Kernel = Callable[..., Any]
#: ``check(args, kwargs, result)``: what is wrong with the result; empty if nothing.
Check = Callable[[tuple[Any, ...], dict[str, Any], Any], str]

_NONE: dict[str, Any] = {}


def _twice(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def converted(result: Any) -> Any:
        return convert(convert(result))

    return converted


def checked_kernel(
    name: str, kernels: dict[str | None, Kernel], device_type: str | None, check: Check
) -> Kernel:
    """The kernel that runs ``kernels[device_type]``, whatever that is by then, and checks."""

    def kernel(*args: Any, **kwargs: Any) -> Any:
        fn = kernels[device_type]
        result = fn(*args, **kwargs)
        wrong = check(args, kwargs, result)
        if wrong:
            raise _refused(name, fn, wrong)
        return result

    def builder(overload: Overload, sig: int, mask: int) -> Call:
        convert = result_converter(overload.name, overload.schema)
        if len(overload.schema.returns) > 1:  # in torch the kernel for autograd returns it again
            convert = _twice(convert)
        if any(a.kwarg_only or a.has_default_value() for a in overload.schema.arguments):

            def call(*args: Any) -> Any:
                positional, keywords = split_keywords(overload, args)
                return convert(kernel(*positional, **keywords))

            return call
        if check is _own_memory:  # the usual case, a frame shorter

            def fresh(*args: Any) -> Any:
                fn = kernels[device_type]
                result = fn(*args)
                if shares_memory(args, _NONE, result):
                    raise _refused(name, fn, _ALIAS)
                return convert(result)

            return fresh
        return lambda *args: convert(kernel(*args))

    return with_builder(kernel, builder)


def check_of(op: OpOverload) -> Check:
    """What a kernel of *op* must return."""
    schema, tags = op._schema, op.tags
    if Tag.inplace in tags:
        return _first_argument
    if Tag.out in tags:
        return _outs([a.name for a in schemas.written(schema)])
    if schema._is_view_op():
        return lambda args, kwargs, result: ""
    return _own_memory


def _refused(name: str, fn: Kernel, wrong: str) -> RuntimeError:
    module = inspect.getmodule(inspect.unwrap(fn))
    return RuntimeError(f"{name} (with implementation in {module}): {wrong}")


def _first_argument(args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> str:
    if result is args[0]:
        return ""
    return "An operator tagged with torch.Tag.inplace must return its first argument."


def _outs(names: list[str]) -> Check:
    def check(args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> str:
        found = (result,) if len(names) == 1 else result
        if isinstance(found, tuple) and len(found) == len(names):
            if all(f is kwargs[n] for f, n in zip(found, names, strict=True)):
                return ""
        return (
            "An operator tagged with torch.Tag.out must return its mutable keyword-only arguments."
        )

    return check


_ALIAS = (
    "The output of this custom operator (1) must not also be an input to this custom operator and "
    "(2) may not alias any inputs to this custom operator or other returns. The most common way to "
    "trigger this error is if we have y = custom_op(x) and y and x are the same Tensor. Please "
    "instead return a clone of the offending output tensor(s) (e.g. return x.clone()) or refactor "
    "the custom operator to not return y."
)


def _own_memory(args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> str:
    return _ALIAS if shares_memory(args, kwargs, result) else ""
