"""``torch.onnx.ops``: ops that are nodes of ONNX in a model that is exported."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from mindtorch_storage import DType

from ... import library
from ..._ops import ops
from ...aten import torch
from ...core.unavailable import COMPILER, offer, offer_listed
from ...tensor import Tensor

__all__ = ["aten_decompositions", "symbolic", "symbolic_multi_out"]

#: ONNX's numbers of dtypes, in order.
_NUMBERED = (
    "float32 uint8 int8 uint16 int16 int32 int64 string bool float16 float64 uint32 uint64 "
    "complex64 complex128 bfloat16 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz"
).split()


@cache
def _define() -> Any:
    """The operators that stand for nodes: they give zeros, whose numbers nobody looks at."""
    made = library.Library("onnx_symbolic", "DEF")

    def zeros(inputs: Any, node: str, dtype: DType, shape: Sequence[int]) -> Tensor:
        return torch.zeros(shape, dtype=dtype)

    def several(
        inputs: Any, node: str, dtypes: Sequence[int], shapes: Sequence[int], ranks: Sequence[int]
    ) -> list[Tensor]:
        found, begin = [], 0
        for number, rank in zip(dtypes, ranks, strict=True):
            size = shapes[begin : begin + rank]
            found.append(torch.zeros(size, dtype=_dtype(number)))
            begin += rank
        return found

    made.define("_symbolic(Tensor?[] inputs, str node, ScalarType dtype, SymInt[] shape) -> Tensor")
    made.define(
        "_symbolic_multi_out(Tensor?[] inputs, str node, int[] dtypes, SymInt[] shapes, "
        "int[] ranks) -> Tensor[]"
    )
    for name, function in (("_symbolic", zeros), ("_symbolic_multi_out", several)):
        made.impl(name, function, "CompositeExplicitAutograd")
        library.register_fake(f"onnx_symbolic::{name}", function, lib=made)
    return made


def _dtype(dtype: DType | int) -> DType:
    found: DType = getattr(torch, _NUMBERED[dtype - 1]) if isinstance(dtype, int) else dtype
    return found


def _node(domain_op: str, attrs: Mapping[str, Any] | None, version: int | None) -> str:
    domain, _, kind = domain_op.rpartition("::")
    attributes = {name: _plain(value) for name, value in (attrs or {}).items()}
    return json.dumps(
        {"domain": domain, "kind": kind, "attributes": attributes, "version": version}
    )


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, (list, tuple)) else value


def symbolic(
    domain_op: str,
    /,
    inputs: Sequence[Tensor | None],
    attrs: Mapping[str, Any] | None = None,
    *,
    dtype: DType | int,
    shape: Sequence[int],
    version: int | None = None,
    metadata_props: Mapping[str, str] | None = None,
) -> Tensor:
    """A node of ONNX where a model is exported; elsewhere zeros.

    :param domain_op: ``domain::operator``; *version* is the domain's.
    :param dtype: of the result, *shape* its sizes.
    """
    _define()
    node = _node(domain_op, attrs, version)
    found: Tensor = ops.onnx_symbolic._symbolic(list(inputs), node, _dtype(dtype), list(shape))
    return found


def symbolic_multi_out(
    domain_op: str,
    /,
    inputs: Sequence[Tensor | None],
    attrs: Mapping[str, Any] | None = None,
    *,
    dtypes: Sequence[DType | int],
    shapes: Sequence[Sequence[int]],
    version: int | None = None,
    metadata_props: Mapping[str, str] | None = None,
) -> Sequence[Tensor]:
    """As :func:`symbolic`, for a node of several results.

    Raises ValueError unless there are as many dtypes as shapes.
    """
    if len(shapes) != len(dtypes):
        raise ValueError(
            f"Number of shapes ({len(shapes)}) must match number of dtypes ({len(dtypes)})"
        )
    _define()
    numbers = [_NUMBERED.index(_dtype(dtype).name) + 1 for dtype in dtypes]
    sizes = [size for shape in shapes for size in shape]
    ranks = [len(shape) for shape in shapes]
    node = _node(domain_op, attrs, version)
    found: list[Tensor] = ops.onnx_symbolic._symbolic_multi_out(
        list(inputs), node, numbers, sizes, ranks
    )
    return found


def aten_decompositions() -> dict[Any, Any]:
    """No operator of this module is one of ATen's."""
    return {}


offer(globals(), COMPILER, "attention rotary_embedding")

offer_listed(globals())
