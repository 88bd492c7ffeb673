"""``torch._dynamo.testing``: backends that count and keep graphs, and helpers of tests."""

from __future__ import annotations

import contextlib
import functools
import random
import re
import unittest
from collections.abc import Callable, Sequence
from typing import Any
from unittest import mock

import numpy as np

from ..aten import torch
from ..tensor import Tensor
from .backends.registry import lookup_backend
from .utils import same

__all__ = ["same"]


class CompileCounter:
    """A backend that counts graphs and their calls."""

    def __init__(self) -> None:
        self.clear()

    def __call__(self, gm: Any, example_inputs: list[Any]) -> Callable[..., Any]:
        """Count *gm*, which runs as it is."""
        self.frame_count += 1
        self.op_count += sum("call" in node.op for node in gm.graph.nodes)
        return gm.forward  # type: ignore[no-any-return]

    def clear(self) -> None:
        """Begin anew."""
        self.frame_count = self.op_count = 0


class CompileCounterWithBackend(CompileCounter):
    """The same in front of another backend; it keeps the graphs."""

    def __init__(self, backend: str) -> None:
        super().__init__()
        self.backend = backend

    def __call__(self, gm: Any, example_inputs: list[Any]) -> Callable[..., Any]:
        """Count and keep *gm*, then let the backend have it."""
        super().__call__(gm, example_inputs)
        self.graphs.append(gm)
        backend: Callable[..., Any] = lookup_backend(self.backend)
        return backend(gm, example_inputs)  # type: ignore[no-any-return]

    def clear(self) -> None:
        """Begin anew."""
        super().clear()
        self.graphs: list[Any] = []


class EagerAndRecordGraphs:
    """A backend that keeps the graphs, which run as they are."""

    def __init__(self) -> None:
        self.graphs: list[Any] = []

    def __call__(self, gm: Any, example_inputs: list[Any]) -> Any:
        """Keep *gm*."""
        self.graphs.append(gm)
        return gm.forward


# Texts of graphs ----------------------------------------------------------------------------------


def strip_comment(code: str) -> str:
    """*code* without lines that are comments."""
    return re.sub(r"(?m)^ *#.*\n?", "", code)


def remove_trailing_space(code: str) -> str:
    """*code* without spaces at the ends of its lines."""
    return "\n".join([line.rstrip() for line in code.split("\n")])


def normalize_gm(gm_str: str) -> str:
    """The text of a graph without comments, and with one empty line where there are several."""
    lines = remove_trailing_space(strip_comment(gm_str)).split("\n")
    kept = [line for i, line in enumerate(lines) if line or not i or lines[i - 1]]
    return "\n".join(kept)


def empty_line_normalizer(code: str) -> str:
    """*code* without empty lines."""
    return re.sub(r"[\r\n]+", "\n", code)


def remove_optimized_module_prefix(name: str) -> str:
    """The name of a parameter in the module that was compiled."""
    return name.removeprefix("_orig_mod.")


# Tensors and models -------------------------------------------------------------------------------


def clone_me(x: Tensor | None) -> Tensor | None:
    """A copy of *x* that is a leaf."""
    return None if x is None else x.detach().clone().requires_grad_(x.requires_grad)


def rand_strided(
    size: Sequence[int],
    stride: Sequence[int],
    dtype: torch.dtype = torch.float32,
    device: str | torch.device = "cpu",
    extra_size: int = 0,
) -> Tensor:
    """A tensor of that layout: random numbers, zeros where the dtype is not floating."""
    needed = extra_size
    if all(s > 0 for s in size):
        needed += 1 + sum((n - 1) * step for n, step in zip(size, stride, strict=False))
    if not dtype.is_floating_point:
        memory = torch.zeros(needed, dtype=dtype, device=device)
    elif dtype.itemsize == 1:  # drawn as halves
        memory = torch.randn(needed, dtype=torch.float16, device=device).to(dtype)
    else:
        memory = torch.randn(needed, dtype=dtype, device=device)
    return torch.as_strided(memory, size, stride)


def requires_bwd_pass(out: Any) -> bool:
    """Whether a result has a gradient. Raises NotImplementedError for other kinds of results."""
    if isinstance(out, Tensor):
        return out.requires_grad
    if isinstance(out, (list, tuple)):
        return any(requires_bwd_pass(x) for x in out)
    if out is None or isinstance(out, int):
        return False
    raise NotImplementedError("Don't know how to reduce", type(out))


def reduce_to_scalar_loss(out: Any) -> Any:
    """The mean of all that a model gave. Raises NotImplementedError for other kinds of results."""
    if isinstance(out, Tensor):
        return out.sum() / out.numel()
    if isinstance(out, dict):
        out = list(out.values())
    if isinstance(out, (list, tuple)):
        return sum(reduce_to_scalar_loss(x) for x in out) / len(out)
    raise NotImplementedError("Don't know how to reduce", type(out))


def reset_rng_state(use_xla: bool = False) -> None:
    """Begin random numbers anew."""
    torch.manual_seed(1337)
    random.seed(1337)
    np.random.seed(1337)


# Tests --------------------------------------------------------------------------------------------


def expectedFailureDynamic(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a test that fails with symbolic sizes."""
    fn._expected_failure_dynamic = True  # type: ignore[attr-defined]
    return fn


def expectedFailureCodegenDynamic(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a test whose generated code fails with symbolic sizes."""
    fn._expected_failure_codegen_dynamic = True  # type: ignore[attr-defined]
    return fn


def expectedFailureDynamicWrapper(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a test whose generated wrapper fails with symbolic sizes."""
    fn._expected_failure_dynamic_wrapper = True  # type: ignore[attr-defined]
    return fn


def make_test_cls_with_patches(
    cls: type,
    cls_prefix: str,
    fn_suffix: str,
    *patches: Any,
    xfail_prop: str | None = None,
    decorator: Callable[[Callable[..., Any]], Callable[..., Any]] = lambda x: x,
) -> type:
    """A test case like *cls* whose tests run with other values in modules.

    :param patches: a module, a name and a value each.
    :param xfail_prop: tests with this attribute are expected to fail.
    """
    made: Any = type(f"{cls_prefix}{cls.__name__}", cls.__bases__, {})
    made.__qualname__ = made.__name__

    def patched(fn: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(fn)
        def _fn(*args: Any, **kwargs: Any) -> Any:
            with contextlib.ExitStack() as stack:
                for module, name, value in patches:
                    stack.enter_context(mock.patch.object(module, name, value))
                return fn(*args, **kwargs)

        _fn.__name__ = f"{fn.__name__}{fn_suffix}"
        if xfail_prop is not None and hasattr(fn, xfail_prop):
            return unittest.expectedFailure(_fn)
        return _fn

    for name in dir(cls):
        value = getattr(cls, name)
        if name.startswith("test_") and callable(value):
            setattr(made, f"{name}{fn_suffix}", decorator(patched(value)))
        elif name.startswith("test_") or not hasattr(made, name):
            setattr(made, name, value)
    return made  # type: ignore[no-any-return]
