"""Texts of torch's argument parsers: what a stream, an event or a binding does not take."""

from __future__ import annotations

from typing import Any

from mindtorch_npu.naming import TYPE

__all__ = [
    "accelerator_device",
    "accelerator_settings",
    "accelerator_stream",
    "argument_must_be",
    "bool_expected",
    "cannot_pickle",
    "history_arguments",
    "int_overflow",
    "legacy_history_arguments",
    "memory_metadata",
    "not_a_device",
    "not_an_argument",
    "too_many_positional",
    "unexpected_keyword",
]


_NUMBER = "typing.SupportsInt | typing.SupportsIndex"


def _no_overload(function: str, signature: str, *got: Any) -> TypeError:
    """pybind11, of torch csrc/DeviceAccelerator.cpp and csrc/cuda/Module.cpp."""
    return TypeError(
        f"{function}(): incompatible function arguments. The following argument types "
        f"are supported:\n    1. {signature}\n\nInvoked with: {', '.join(map(repr, got))}"
    )


def history_arguments(*got: Any) -> TypeError:
    """torch csrc/cuda/Module.cpp, _record_memory_history."""
    kinds = ("str | None", "str | None", "str", _NUMBER, *["bool"] * 3)
    listed = [f"arg{i}: {kind}" for i, kind in enumerate((*kinds, "collections.abc.Sequence[str]"))]
    return _no_overload(f"_{TYPE}_record_memory_history", f"({', '.join(listed)}) -> None", *got)


def legacy_history_arguments(*got: Any) -> TypeError:
    """torch csrc/cuda/Module.cpp, _record_memory_history_legacy."""
    kinds = ("bool", "bool", _NUMBER, *["bool"] * 5, "collections.abc.Sequence[str]")
    listed = ", ".join([f"arg{i}: {kind}" for i, kind in enumerate(kinds)])
    return _no_overload(f"_{TYPE}_record_memory_history_legacy", f"({listed}) -> None", *got)


def memory_metadata(got: Any) -> TypeError:
    """torch csrc/cuda/Module.cpp, _cuda_setMemoryMetadata."""
    return _no_overload(f"_{TYPE}_setMemoryMetadata", "(arg0: str) -> None", got)


def accelerator_stream(got: Any) -> TypeError:
    """torch csrc/DeviceAccelerator.cpp."""
    return _no_overload("_accelerator_setStream", "(arg0: torch.Stream) -> None", got)


def accelerator_device(got: Any) -> TypeError:
    """torch csrc/DeviceAccelerator.cpp."""
    return _no_overload("_accelerator_exchangeDevice", f"(arg0: {_NUMBER}) -> int", got)


def accelerator_settings(got: Any) -> TypeError:
    """torch csrc/DeviceAccelerator.cpp."""
    return _no_overload("_accelerator_setAllocatorSettings", "(arg0: str) -> None", got)


def not_a_device(function: str, got: str, by_position: bool) -> TypeError:
    """torch csrc/utils/python_arg_parser.cpp."""
    name = "'device' (position 1)" if by_position else "'device'"
    return TypeError(f"{function}(): argument {name} must be torch.device, not {got}")


def too_many_positional(function: str, count: int) -> TypeError:
    """torch csrc/utils/python_arg_parser.cpp."""
    return TypeError(f"{function}() takes from 0 to 1 positional arguments but {count} were given")


def argument_must_be(function: str, name: str, kind: str, got: str) -> TypeError:
    """torch csrc/utils/python_arg_parser.cpp."""
    return TypeError(f"{function}(): argument '{name}' must be {kind}, not {got}")


def unexpected_keyword(function: str, name: str) -> TypeError:
    """torch csrc/utils/python_arg_parser.cpp."""
    return TypeError(f"{function}() got an unexpected keyword argument '{name}'")


def cannot_pickle(value: object) -> TypeError:
    """CPython, of objects that are written in C; names of torch's own classes have the module."""
    kind = type(value)
    name = f"torch.{kind.__name__}" if kind.__module__ == "torch" else kind.__name__
    return TypeError(f"cannot pickle '{name}' object")


def not_an_argument(name: str) -> TypeError:
    """CPython, of functions that are written in C."""
    return TypeError(f"'{name}' is an invalid keyword argument for this function")


def bool_expected(function: str, got: object) -> RuntimeError:
    """torch csrc/cuda/Module.cpp, THCPModule_cudaCachingAllocator_enable."""
    return RuntimeError(f"{function} expects a bool, but got {type(got).__name__}")


def int_overflow(number: int) -> OverflowError:
    """CPython, of arguments that are an ``int`` in C."""
    if not -(1 << 63) <= number < 1 << 63:
        return OverflowError("Python int too large to convert to C long")
    what = "greater than maximum" if number > 0 else "less than minimum"
    return OverflowError(f"signed integer is {what}")
