"""Classes that take calls whole: before autograd, and before composite ops fall apart."""

from __future__ import annotations

from typing import Any

import mindtorch as mt
import pytest
from mindtorch.utils._pytree import tree_map


def holder(whole: bool, seen: list[str]) -> Any:
    """A class that holds a tensor and answers for its sizes; it may take calls whole."""

    class Holder(mt.Tensor):
        _takes_calls_whole = whole
        inner: Any

        @staticmethod
        def __new__(cls: Any, inner: Any) -> Any:
            made = mt.Tensor._make_wrapper_subclass(
                cls, inner.size(), dtype=inner.dtype, dispatch_sizes_strides_policy="sizes"
            )
            made.inner = inner
            return made

        def __init__(self, inner: Any) -> None:
            pass

        @classmethod
        def __torch_dispatch__(
            cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            if str(func) in ("aten.sym_size.default", "aten.dim.default"):
                shape = args[0].inner.shape
                return shape if "size" in str(func) else len(shape)
            seen.append(str(func))
            bare = tree_map(lambda a: a.inner if isinstance(a, Holder) else a, args)
            return Holder(func(*bare, **(kwargs or {})))

    return Holder


@pytest.mark.parametrize("whole", [True, False])
def test_a_composite_op_stays_whole_where_the_class_says_so(whole: bool) -> None:
    seen: list[str] = []
    kind = holder(whole, seen)
    result = mt.nn.functional.linear(kind(mt.ones(2, 3)), mt.ones(4, 3))
    assert type(result) is kind
    assert (seen == ["aten.linear.default"]) is whole


def test_autograd_is_on_in_a_handler_of_whole_calls() -> None:
    kind = holder(True, [])
    weight = mt.ones(4, 3, requires_grad=True)
    result = mt.nn.functional.linear(kind(mt.ones(2, 3)), weight)
    result.inner.sum().backward()
    assert weight.grad.tolist() == [[2.0] * 3] * 4


def test_such_a_tensor_may_be_any_argument_and_in_a_list() -> None:
    seen: list[str] = []
    kind = holder(True, seen)
    x = kind(mt.ones(2))
    assert type(mt.ones(2) + x) is kind
    assert type(x.add_(1)) is kind
    assert type(mt.cat([mt.ones(2), x])) is kind
    assert seen == ["aten.add.Tensor", "aten.add_.Tensor", "aten.cat.default"]
