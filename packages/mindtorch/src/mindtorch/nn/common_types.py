# ruff: noqa: UP007, UP045  (they are subscripted, which X | Y cannot be)
"""``torch.nn.common_types``: names for the types of sizes that layers take."""

from __future__ import annotations

from typing import Optional, TypeAlias, TypeVar, Union

from ..aten.torch import Tensor

__all__: list[str] = []

T = TypeVar("T")
_scalar_or_tuple_any_t: TypeAlias = Union[T, tuple[T, ...]]
_scalar_or_tuple_1_t: TypeAlias = Union[T, tuple[T]]
_scalar_or_tuple_2_t: TypeAlias = Union[T, tuple[T, T]]
_scalar_or_tuple_3_t: TypeAlias = Union[T, tuple[T, T, T]]
_scalar_or_tuple_4_t: TypeAlias = Union[T, tuple[T, T, T, T]]
_scalar_or_tuple_5_t: TypeAlias = Union[T, tuple[T, T, T, T, T]]
_scalar_or_tuple_6_t: TypeAlias = Union[T, tuple[T, T, T, T, T, T]]

# Sizes, per number of dimensions.
_size_any_t: TypeAlias = _scalar_or_tuple_any_t[int]
_size_1_t: TypeAlias = _scalar_or_tuple_1_t[int]
_size_2_t: TypeAlias = _scalar_or_tuple_2_t[int]
_size_3_t: TypeAlias = _scalar_or_tuple_3_t[int]
_size_4_t: TypeAlias = _scalar_or_tuple_4_t[int]
_size_5_t: TypeAlias = _scalar_or_tuple_5_t[int]
_size_6_t: TypeAlias = _scalar_or_tuple_6_t[int]

# Sizes of which some may be None.
_size_any_opt_t: TypeAlias = _scalar_or_tuple_any_t[Optional[int]]
_size_2_opt_t: TypeAlias = _scalar_or_tuple_2_t[Optional[int]]
_size_3_opt_t: TypeAlias = _scalar_or_tuple_3_t[Optional[int]]

# Ratios to sizes.
_ratio_2_t: TypeAlias = _scalar_or_tuple_2_t[float]
_ratio_3_t: TypeAlias = _scalar_or_tuple_3_t[float]
_ratio_any_t: TypeAlias = _scalar_or_tuple_any_t[float]

_tensor_list_t: TypeAlias = _scalar_or_tuple_any_t[Tensor]
# What a pooling gives, with indices or without.
_maybe_indices_t: TypeAlias = _scalar_or_tuple_2_t[Tensor]
