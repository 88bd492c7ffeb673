"""Primitives that make tensors from sizes and numbers, and that convert them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._prims_common import is_boolean_dtype, is_float_dtype, is_integer_dtype
from ..aten import torch
from ..core.tags import Tag
from .definition import RETURN_TYPE, define
from .elementwise import like

__all__ = ["TABLE"]

Tensor = torch.Tensor
Sizes = Sequence[int]

#: The primitives of this module by their names.
TABLE: dict[str, Any] = {}


# -- conversions -----------------------------------------------------------------------------------


def _converted(a: Tensor, dtype: torch.dtype) -> Tensor:
    made: Tensor = like(dtype, a)
    return made.copy_(a)


def _put(a: Tensor, device: Any, non_blocking: bool = False) -> Tensor:
    return a.to(device, non_blocking=non_blocking)


def _put_like(a: Tensor, device: Any, non_blocking: bool = False) -> Tensor:
    return a.to(device) if a.is_meta else torch.empty_like(a, device=device)


def _most(dtype: torch.dtype) -> Any:
    if is_boolean_dtype(dtype):
        return True
    return torch.iinfo(dtype).max if is_integer_dtype(dtype) else torch.finfo(dtype).max


def _least(dtype: torch.dtype) -> Any:
    if is_boolean_dtype(dtype):
        return False
    return torch.iinfo(dtype).min if is_integer_dtype(dtype) else torch.finfo(dtype).min


def _item(a: Tensor) -> Any:
    if a.numel() != 1:
        raise RuntimeError(f"a Tensor with {a.numel()} elements cannot be converted to Scalar")
    return a.item()


TABLE["convert_element_type"] = define(
    "convert_element_type(Tensor a, ScalarType dtype) -> Tensor",
    lambda a, dtype: like(dtype, a),
    _converted,
    tags=(Tag.pointwise,),
)
TABLE["device_put"] = define(
    "device_put(Tensor a, Device device, bool non_blocking=False) -> Tensor",
    _put_like,
    _put,
)
TABLE["item"] = define("item(Tensor a) -> Scalar", _item, None)
TABLE["maximum_value"] = define("maximum_value(ScalarType dtype) -> Scalar", _most, None)
TABLE["minimum_value"] = define("minimum_value(ScalarType dtype) -> Scalar", _least, None)


# -- from sizes and numbers ------------------------------------------------------------------------

_MADE = "ScalarType dtype, Device device, bool requires_grad"


def _empty_permuted(shape: Sizes, physical_layout: Sizes, **kept: Any) -> Tensor:
    if len(physical_layout) != len(shape):
        raise RuntimeError(
            "Number of dimensions in the tensor input does not match the length of the physical "
            f"layout; i.e. len(size) = {len(shape)} is not equal to len(physical_layout) = "
            f"{len(physical_layout)}"
        )
    return torch.empty_permuted(shape, physical_layout, **kept)


def _full_like(a: Tensor, fill_value: Any, **kept: Any) -> Tensor:
    return torch.full_like(a, fill_value, **kept)


def _scalar_tensor(s: Any, *, dtype: Any, device: Any) -> Tensor:
    if isinstance(s, complex) and not dtype.is_complex:
        raise TypeError("Complex scalar requires complex tensor dtype.")
    return torch.scalar_tensor(s, dtype=dtype, device=device)


def _iota(
    length: int, *, start: int, step: int, dtype: Any, device: Any, requires_grad: bool
) -> Tensor:
    if not is_integer_dtype(dtype) or is_boolean_dtype(dtype):
        raise RuntimeError("prims.iota only supports integer dtypes")
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if length < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {length}: [{length}]")
    return torch.arange(
        start,
        start + length * step,
        step,
        dtype=dtype,
        device=device,
        requires_grad=requires_grad,
    )


TABLE["empty"] = define(f"empty(SymInt[] shape, *, {_MADE}) -> Tensor", torch.empty, None)
TABLE["empty_strided"] = define(
    f"empty_strided(SymInt[] shape, SymInt[] strides, *, {_MADE}) -> Tensor",
    torch.empty_strided,
    None,
)
TABLE["empty_permuted"] = define(
    f"empty_permuted(SymInt[] shape, int[] physical_layout, *, {_MADE}) -> Tensor",
    _empty_permuted,
    None,
)
TABLE["full"] = define(
    f"full(SymInt[] shape, Scalar fill_value, *, {_MADE}) -> Tensor", torch.full, None
)
TABLE["full_like"] = define(
    f"full_like(Tensor a, Scalar fill_value, *, {_MADE}) -> Tensor", _full_like, None
)
TABLE["scalar_tensor"] = define(
    "scalar_tensor(Scalar s, *, ScalarType? dtype=None, Device? device=None) -> Tensor",
    _scalar_tensor,
    None,
)
TABLE["iota"] = define(
    f"iota(SymInt length, *, SymInt start, SymInt step, {_MADE}) -> Tensor", _iota, None
)


# -- random numbers --------------------------------------------------------------------------------


def _normal_like(
    shape: Sizes,
    *,
    mean: Any,
    std: Any,
    dtype: Any,
    device: Any,
    requires_grad: bool,
    generator: Any = None,
) -> Tensor:
    if not std >= 0.0:
        raise RuntimeError(f"expected non-negative standard deviation, but got std={std}")
    if not (is_float_dtype(dtype) or dtype.is_complex):
        raise RuntimeError(f"expected a floating-point or complex dtype, but got dtype={dtype}")
    return torch.empty(shape, dtype=dtype, device=device)


def _normal(
    shape: Sizes,
    *,
    mean: Any,
    std: Any,
    dtype: Any,
    device: Any,
    requires_grad: bool,
    generator: Any = None,
) -> Tensor:
    made = torch.empty(shape, dtype=dtype, device=device, requires_grad=requires_grad)
    with torch.no_grad():
        made.normal_(mean, std, generator=generator)
    return made


def _uniform_like(
    shape: Sizes,
    *,
    low: Any,
    high: Any,
    dtype: Any,
    device: Any,
    stride: Sizes,
    generator: Any = None,
) -> Tensor:
    return torch.empty_strided(shape, stride, dtype=dtype, device=device)


def _uniform(
    shape: Sizes,
    *,
    low: Any,
    high: Any,
    dtype: Any,
    device: Any,
    stride: Sizes,
    generator: Any = None,
) -> Tensor:
    made = torch.empty_strided(shape, stride, dtype=dtype, device=device)
    return made.uniform_(low, high, generator=generator)


_RANDOM = (Tag.nondeterministic_seeded, Tag.pt2_compliant_tag)
TABLE["normal"] = define(
    f"normal(SymInt[] shape, *, Scalar mean, Scalar std, {_MADE}, Generator? generator=None) "
    "-> Tensor",
    _normal_like,
    _normal,
    tags=_RANDOM,
)
TABLE["_uniform_helper"] = define(
    "uniform(SymInt[] shape, *, Scalar low, Scalar high, ScalarType dtype, Device device, "
    "SymInt[] stride, Generator? generator=None) -> Tensor",
    _uniform_like,
    _uniform,
    tags=(Tag.generated, *_RANDOM),
)


# -- tokens, which order effects -------------------------------------------------------------------


def _token() -> Tensor:
    return torch.empty(0)


def _sink(tokens: Sequence[Tensor]) -> None:
    """Nothing: the tokens were there to be waited for."""


TABLE["_make_token"] = define("_make_token() -> Tensor", _token, None)
TABLE["_sink_tokens"] = define("_sink_tokens(Tensor[] tokens) -> ()", _sink, None, RETURN_TYPE.NONE)
