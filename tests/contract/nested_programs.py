"""Nested tensors in terms that both frameworks share, and what makes them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from .helpers import assert_same_value, assert_torch_error, both

__all__ = ["as_the_oracle_does", "jagged", "numbers", "strided", "told"]


def numbers(t: Any, *shape: int, scale: float = 1.0) -> Any:
    """The same numbers between -1 and 1 in both frameworks."""
    count = math.prod(shape)
    return (t.arange(count, dtype=t.float64).reshape(shape) * 0.37 * scale).sin()


def samples(t: Any, lengths: tuple[int, ...], width: int) -> list[Any]:
    return [numbers(t, n, width, scale=i + 1) for i, n in enumerate(lengths)]


def jagged(t: Any, lengths: tuple[int, ...] = (2, 3, 1), width: int = 4, grad: bool = False) -> Any:
    """A nested tensor of the jagged layout."""
    listed = samples(t, lengths, width)
    return t.nested.nested_tensor(listed, layout=t.jagged, requires_grad=grad)


def strided(
    t: Any, lengths: tuple[int, ...] = (2, 3, 1), width: int = 4, grad: bool = False
) -> Any:
    """The same of the strided layout."""
    return t.nested.nested_tensor(samples(t, lengths, width), requires_grad=grad)


def told(value: Any, t: Any) -> Any:
    """*value*, of nested tensors the samples, and the shape with ``j`` for nested ints."""
    if isinstance(value, t.Tensor) and value.is_nested:
        shape = "strided"
        if value.layout is t.jagged:
            shape = str(["j" if isinstance(n, t.SymInt) else n for n in value.shape])
        parts = [part.detach() for part in value.detach().unbind()]
        return ["nested", shape, value.requires_grad, *parts]
    if isinstance(value, (tuple, list)):
        return [told(v, t) for v in value]
    return "nothing" if value is None else value


def as_the_oracle_does(run: Callable[[Any], Any], rtol: float = 1e-9, atol: float = 1e-11) -> None:
    """The same value, or the same error where the oracle raises one.

    Nested ints are numbered as they come, which tells nothing.
    """

    def unnumbered(t: Any) -> Any:
        try:
            return told(run(t), t)
        except (RuntimeError, ValueError, NotImplementedError, AssertionError) as error:
            text = re.sub(r"\bj\d+", "j", str(error)).replace("mindtorch.", "torch.")
            raise type(error)(text) from error

    ours, oracle = both(unnumbered)
    try:
        oracle()
    except Exception:
        assert_torch_error(ours, oracle)
    else:
        assert_same_value(ours, oracle, rtol=rtol, atol=atol, strides=False)
