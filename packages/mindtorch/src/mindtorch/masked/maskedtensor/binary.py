"""Operators of two masked tensors, element by element: their masks have to be equal."""

from __future__ import annotations

from typing import Any

from ..._ops import ops
from ...aten import torch
from ...core.layout_names import short_name
from ...tensor import Tensor
from .core import OPERATORS, _map_mt_args_kwargs, _masks_match, _wrap_result, is_masked_tensor
from .layouts import elements, placed, same_places

__all__: list[str] = []

BINARY_NAMES = (
    "add atan2 arctan2 bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift "
    "div divide floor_divide fmod logaddexp logaddexp2 mul multiply nextafter remainder sub "
    "subtract true_divide eq ne le ge greater greater_equal gt less_equal lt less maximum minimum "
    "fmax fmin not_equal"
).split()
INPLACE_BINARY_NAMES = [
    f"{n}_"
    for n in BINARY_NAMES
    if n not in ("logaddexp", "logaddexp2", "fmin", "minimum", "maximum", "fmax")
]


def _get_at_least_one_mask(a: Any, b: Any) -> Any:
    if not is_masked_tensor(a) and not is_masked_tensor(b):
        raise TypeError("At least one of `a` and `b` must be a MaskedTensor")
    if not _masks_match(a, b):
        raise ValueError("a and b must have matching masks")
    return a.get_mask() if is_masked_tensor(a) else b.get_mask()


def _binary_helper(fn: Any, args: Any, kwargs: Any, inplace: bool) -> Any:
    if kwargs:
        raise ValueError("len(kwargs) must equal 0")
    if any(isinstance(a, Tensor) for a in args[2:]):
        raise TypeError(
            "MaskedTensor binary ops do not support Tensor arguments aside from the lhs and rhs"
        )
    if not _masks_match(*args[:2]):
        raise ValueError(
            "Input masks must match. If you need support for this, please open an issue on Github."
        )
    data_args, _ = _map_mt_args_kwargs(args, kwargs, lambda x: x.get_data())
    first, second = data_args[:2]
    if isinstance(second, Tensor) and first.layout == second.layout:
        if not same_places(first, second):
            raise ValueError(
                f"sparse_{short_name(first.layout)} indices must match. If you need support for "
                "this, please open an issue on Github."
            )
        if first.layout is torch.sparse_coo and first.size() != second.size():
            raise ValueError("input1 and input2 must have the same size for binary functions.")
        second = elements(second)
    if isinstance(first, Tensor):
        result = placed(fn(elements(first), second, *data_args[2:]), first)
    else:
        result = fn(*data_args)
    if inplace:
        mask_args, _ = _map_mt_args_kwargs(args, kwargs, lambda x: x.get_mask())
        args[0]._set_data_mask(result, mask_args[0])
        return args[0]
    result_mask = _get_at_least_one_mask(*args[:2])
    if result.layout is torch.strided:
        result_mask = result_mask.expand_as(result)
    return _wrap_result(result, result_mask)


NATIVE_BINARY_FNS = [getattr(ops.aten, name) for name in BINARY_NAMES]
NATIVE_INPLACE_BINARY_FNS = [getattr(ops.aten, name) for name in INPLACE_BINARY_NAMES]


def _is_native_binary(fn: Any) -> bool:
    """Whether the operator *fn* is of two tensors, element by element."""
    return fn in NATIVE_BINARY_FNS or fn in NATIVE_INPLACE_BINARY_FNS


def _apply_native_binary(fn: Any, *args: Any, **kwargs: Any) -> Any:
    """Run *fn* on the data of its arguments; NotImplemented for other operators."""
    if fn in NATIVE_BINARY_FNS:
        return _binary_helper(fn, args, kwargs, inplace=False)
    if fn in NATIVE_INPLACE_BINARY_FNS:
        return _binary_helper(fn, args, kwargs, inplace=True)
    return NotImplemented


def _handler(fn: Any, inplace: bool) -> Any:
    return lambda *args, **kwargs: _binary_helper(fn, args, kwargs, inplace)


OPERATORS.update((fn, _handler(fn, False)) for fn in NATIVE_BINARY_FNS)
OPERATORS.update((fn, _handler(fn, True)) for fn in NATIVE_INPLACE_BINARY_FNS)
