"""Operators that fill tensors, written in core ones."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from .._ops import ops
from ..core.constants import preserve_format
from ..tensor import Tensor
from .decomposition_table import Decompositions, cast, number_like, options_of, steps

__all__ = ["FACTORIES"]

aten = ops.aten
FACTORIES = Decompositions()


def _filled(number: int, size: Sequence[int], **options: Any) -> Any:
    like = aten.empty.memory_format([], **options)
    return aten.full.default(list(size), number, **options_of(like))


def _filled_like(number: int, self: Tensor, **options: Any) -> Any:
    given = {key: value for key, value in options.items() if value is not None}
    given = {"memory_format": preserve_format, **given, "pin_memory": False}
    return aten.full_like.default(self, number, **given)


def _new(number: Any, self: Tensor, size: Sequence[int], **options: Any) -> Any:
    given = {key: value for key, value in options.items() if value is not None}
    return aten.full.default(list(size), number, **{**options_of(self), **given})


for _number_filled, _name in ((0, "zeros"), (1, "ones")):
    FACTORIES[getattr(aten, _name).default] = functools.partial(_filled, _number_filled)
    FACTORIES[getattr(aten, f"{_name}_like").default] = functools.partial(
        _filled_like, _number_filled
    )
    FACTORIES[getattr(aten, f"new_{_name}").default] = functools.partial(_new, _number_filled)


@FACTORIES.register(aten.new_empty.default)
def _new_empty(self: Tensor, size: Sequence[int], **options: Any) -> Any:
    given = {key: value for key, value in options.items() if value is not None}
    return aten.empty.memory_format(list(size), **{**options_of(self), **given})


@FACTORIES.register(aten.new_full.default)
def _new_full(self: Tensor, size: Sequence[int], fill_value: Any, **options: Any) -> Any:
    return _new(fill_value, self, size, **options)


@FACTORIES.register(aten.arange.default)
def _arange(end: Any, **options: Any) -> Any:
    return _arange_from(0, end, **options)


@FACTORIES.register(aten.arange.start)
def _arange_from(start: Any, end: Any, **options: Any) -> Any:
    like = aten.empty.memory_format([], **{k: v for k, v in options.items() if k != "dtype"})
    kept = {key: value for key, value in options_of(like).items() if key != "dtype"}
    if options.get("dtype") is not None:
        kept = {"dtype": options["dtype"], **kept}
    return aten.arange.start_step(start, end, **kept)


@FACTORIES.register(aten.fill.Scalar)
def _fill(self: Tensor, value: Any) -> Any:
    return aten.full_like.default(self, value, pin_memory=False)


@FACTORIES.register(aten.masked_fill.Scalar)
def _masked_fill(self: Tensor, mask: Tensor, value: Any) -> Any:
    return aten.where.self(mask, number_like(value, self), self)


@FACTORIES.register(aten.masked_fill.Tensor)
def _masked_fill_tensor(self: Tensor, mask: Tensor, value: Tensor) -> Any:
    return aten.where.self(mask, cast(value, self.dtype), self)


def _triangle(keeps: Any, self: Tensor, diagonal: int) -> Any:
    columns = aten.unsqueeze.default(steps(0, self.shape[-1], self), -2)
    rows = aten.unsqueeze.default(steps(0, self.shape[-2], self), -1)
    kept = keeps(aten.sub.Tensor(columns, rows), diagonal)
    return aten.where.self(kept, self, number_like(0, self))


@FACTORIES.register(aten.tril.default)
def _tril(self: Tensor, diagonal: int = 0) -> Any:
    return _triangle(aten.le.Scalar, self, diagonal)


@FACTORIES.register(aten.triu.default)
def _triu(self: Tensor, diagonal: int = 0) -> Any:
    return _triangle(aten.ge.Scalar, self, diagonal)
