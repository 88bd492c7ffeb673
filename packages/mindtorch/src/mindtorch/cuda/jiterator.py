"""Kernels from C++ text. Calling one raises: there is no CUDA here."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .. import _C, cuda
from ..tensor import Tensor

__all__: list[str] = []


def __dir__() -> list[str]:
    return ["_create_jit_fn", "_create_multi_output_jit_fn"]


class _CodeParser:
    """The parts of a function's text.

    Raises Exception for text that is no function template.
    """

    def __init__(self, code_string: str) -> None:
        found = re.match(
            r"\s*template\s*<(?P<template_params>.+?)>\s*(?P<return_type>\w+)\s+"
            r"(?P<function_name>\w+)\s*\((?P<function_params>.+)\)\s*(?P<function_body>\{.+\})",
            code_string,
            re.DOTALL,
        )
        if found is None:
            raise Exception(f"Couldn't parse code, please check correctness:\n {code_string}")
        self.template_params = found["template_params"]
        self.return_type = found["return_type"]
        self.function_name = found["function_name"]
        self.function_params = found["function_params"]
        self.function_body = found["function_body"]


class _JittedFunction:
    """A kernel; calling it needs a device."""

    def __init__(
        self, code_string: str, return_by_ref: bool, num_outputs: int, **kwargs: Any
    ) -> None:
        self.code_string = code_string
        if not (return_by_ref or num_outputs == 1):
            raise AssertionError("Return by value only works for single output.")
        self.return_by_ref = return_by_ref
        self.num_outputs = num_outputs
        self.kernel_name = _CodeParser(code_string).function_name
        self.kwargs_dict = kwargs
        self.is_cuda_available = cuda.is_available()

    def __call__(self, *tensors: Tensor, **kwargs: Any) -> Tensor:
        if not self.is_cuda_available:
            raise AssertionError(
                "Jiterator is only supported on CUDA and ROCm GPUs, none are available."
            )
        launch = _C._cuda_jiterator_compile_and_launch_kernel
        code = (self.code_string, self.kernel_name)
        return launch(*code, self.return_by_ref, self.num_outputs, tensors, kwargs)


def _create_jit_fn(code_string: str, **kwargs: Any) -> Callable[..., Any]:
    return _JittedFunction(code_string, return_by_ref=False, num_outputs=1, **kwargs)


def _create_multi_output_jit_fn(
    code_string: str, num_outputs: int, **kwargs: Any
) -> Callable[..., Any]:
    return _JittedFunction(code_string, return_by_ref=True, num_outputs=num_outputs, **kwargs)
