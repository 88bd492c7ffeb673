"""``torch._dynamo.backends.common``: what backends are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from ...aten import torch
from ...core.unavailable import COMPILER

__all__ = ["AotAutograd", "aot_autograd", "device_from_inputs", "dtype_from_inputs"]


class AotAutograd:
    """A backend of compilers for the forward and the backward graph, which refuses graphs.

    :ivar kwargs: the compilers and their options.
    """

    def __init__(self, **kwargs: Any) -> None:
        self.__name__ = "compiler_fn"
        self.kwargs = kwargs

    def __call__(self, gm: Any, example_inputs: Iterable[Any], **kwargs: Any) -> NoReturn:
        raise NotImplementedError(f"torch._dynamo.backends.common.aot_autograd {COMPILER}")


def aot_autograd(**kwargs: Any) -> AotAutograd:
    """Return a backend of compilers for the forward and the backward graph."""
    return AotAutograd(**kwargs)


def device_from_inputs(example_inputs: Iterable[Any]) -> torch.device:
    """The device of the first input that has one, or the CPU."""
    return next((x.device for x in example_inputs if hasattr(x, "device")), torch.device("cpu"))


def dtype_from_inputs(example_inputs: Iterable[Any]) -> torch.dtype:
    """The dtype of the first input that has one, or float32."""
    return next((x.dtype for x in example_inputs if hasattr(x, "dtype")), torch.float32)
