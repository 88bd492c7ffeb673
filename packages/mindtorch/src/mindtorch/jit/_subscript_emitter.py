"""Emits indexing: of tensors, lists, dicts, tuples and strings, and what is set by it.

Source: torch/csrc/jit/frontend/ir_emitter.cpp, emitSubscript.
"""

from __future__ import annotations

import ast
from typing import Any

from ..aten import torch
from ..core.dtype_codes import code_of
from ._ir import Value
from ._source_range import compile_error
from ._sugared_value import Arguments, Simple, Sugared
from ._types import (
    INT,
    NONE,
    TENSOR,
    Type,
    is_subtype,
    optional_of,
    unified,
)

__all__ = ["set_item", "subscript", "tensor_item"]

_INDEX = optional_of(TENSOR)


def subscript(e: Any, node: ast.Subscript, hint: Type | None) -> Sugared:
    """``owner[…]``."""
    owner: Sugared = e.sugared(node.value)
    e.at(node)
    if not isinstance(owner, Simple):
        return _of_several(e, owner, node)
    kind = owner.type
    if kind == TENSOR:
        value, indices = tensor_item(e, node, owner.value)
        if not indices:
            return Simple(value)
        made = e.builder.list(indices, _INDEX)
        return Simple(e.builder.call("aten::index", [value, made]))
    if isinstance(node.slice, ast.Slice):
        return Simple(_slice(e, node, owner.value))
    if kind.base in ("Tuple", "NamedTuple"):
        return Simple(_tuple_item(e, node, owner.value))
    index = e.value(node.slice)
    e.at(node)
    found: Sugared = owner.item(e, index)
    return found


def _of_several(e: Any, owner: Sugared, node: ast.Subscript) -> Sugared:
    """An element of a tuple or a list of modules."""
    if isinstance(node.slice, ast.Slice):
        items = owner.unpacked(e, None)
        bounds = [
            None if part is None else e.value(part).toIValue()
            for part in (node.slice.lower, node.slice.upper, node.slice.step)
        ]
        from_items = type(owner)
        made: Any = items[slice(*bounds)]
        return _several(made) if from_items else owner
    index = e.value(node.slice)
    e.at(node)
    return owner.item(e, index)


def _several(items: list[Sugared]) -> Sugared:
    from ._sugared_value import Several

    return Several(items)


def _bound(e: Any, node: ast.expr | None) -> Value:
    if node is None:
        made: Value = e.builder.constant(None)
        return made
    value: Value = e.value(node)
    return value


def _slice(e: Any, node: ast.Subscript, owner: Value, dim: int | None = None) -> Value:
    part = node.slice
    assert isinstance(part, ast.Slice)
    kind: Type = owner.type()
    if kind.base in ("Tuple", "NamedTuple"):
        bounds = [
            None if each is None else e.value(each).toIValue()
            for each in (part.lower, part.upper, part.step)
        ]
        items = e.builder.unpack(owner)[slice(*bounds)]
        made: Value = e.builder.tuple(items)
        return made
    return sliced(e, owner, part, dim, node)


def sliced(e: Any, owner: Value, part: ast.Slice, dim: int | None, node: ast.AST) -> Value:
    """``owner[a:b:c]``."""
    given = [owner] if dim is None else [owner, e.builder.constant(dim)]
    given += [_bound(e, part.lower), _bound(e, part.upper)]
    given.append(e.value(part.step) if part.step is not None else e.builder.constant(1))
    e.at(node)
    made: Value = e.builder.call("aten::slice", given)
    return made


def _tuple_item(e: Any, node: ast.Subscript, owner: Value) -> Value:
    index = e.value(node.slice)
    e.at(node)
    args: tuple[Type, ...] = owner.type().args
    at = _static_int(index)
    if at is None:
        joined: Type | None = args[0]
        for each in args:
            joined = joined and unified(joined, each)
        if joined is None or index.type() != INT:
            raise compile_error(
                e.where,
                "Cannot index into a tuple with a non-integer literal because we cannot resolve "
                "the "
                "output type",
            )
        made: Value = e.builder.value("prim::TupleIndex", [owner, index], joined)
        return made
    if not -len(args) <= at < len(args):
        raise compile_error(e.where, _range(args, at))
    made = e.builder.value("prim::TupleIndex", [owner, index], args[at])
    return made


def _range(args: tuple[Type, ...], at: int) -> str:
    return f"Tuple index out of range. Tuple is length {len(args)} and index is {at}"


def _static_int(index: Value) -> int | None:
    found = index.toIValue()
    if found is None and index.node().kind() == "aten::neg":
        inner = index.node().input().toIValue()
        found = -inner if isinstance(inner, int) else None
    return found if isinstance(found, int) else None


def tensor_item(e: Any, node: ast.Subscript, owner: Value) -> tuple[Value, list[Value]]:
    """A view of a tensor, and the tensors that index it."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    dims, found = [0] * len(parts), [None] * len(parts)
    ellipsis = next((i for i, part in enumerate(parts) if _is_ellipsis(part)), len(parts))
    dim = 0
    for i in range(ellipsis):
        dims[i] = dim
        dim += _looked_at(e, parts, found, i)
    dim = -1
    for i in range(len(parts) - 1, ellipsis, -1):
        if _is_ellipsis(parts[i]):
            raise compile_error(e.where, "An index can only have a single ellipsis ('...')")
        dims[i] = dim
        step = _looked_at(e, parts, found, i, True)
        dim -= step
    e.at(node)
    indices: list[Value | None] = []
    for i, part in enumerate(parts):
        index: Any = found[i]
        if isinstance(part, ast.Slice):
            owner = sliced(e, owner, part, dims[i], node)
        elif index is None:
            continue
        elif index.type() == NONE:
            owner = e.builder.call("aten::unsqueeze", [owner, e.builder.constant(dims[i])])
        elif index.type() == INT:
            owner = e.builder.call("aten::select", [owner, e.builder.constant(dims[i]), index])
        else:
            indices += [None] * (dims[i] + 1 - len(indices))
            indices[dims[i]] = index
    return owner, [e.builder.constant(None) if each is None else each for each in indices]


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _looked_at(e: Any, parts: list[ast.expr], found: list[Any], i: int, back: bool = False) -> int:
    """Emit one index; how many dimensions it goes on."""
    if isinstance(parts[i], ast.Slice):
        return 1
    index: Value = e.value(parts[i])
    if index.type().base == "List":
        dtype = e.builder.constant(code_of(torch.int64))
        index = e.builder.call("aten::tensor", [index], {"dtype": dtype})
    found[i] = index
    if index.type() == NONE:
        return 0 if back else 1
    if index.type() == INT:
        return 1 if back else 0
    if is_subtype(index.type(), _INDEX):
        if back:
            raise compile_error(
                e.where, "Ellipses followed by tensor indexing is currently not supported"
            )
        return 1
    raise compile_error(
        e.where,
        "Unsupported operation: indexing tensor with unsupported index type "
        f"'{index.type().annotation_str}'. Only ints, slices, lists and tensors are supported",
    )


def set_item(e: Any, node: ast.Subscript, value: Value) -> None:
    """``owner[…] = value``."""
    owner = e.sugared(node.value)
    e.at(node)
    held: Value = owner.as_value(e)
    kind: Type = held.type()
    if kind == TENSOR:
        view, indices = tensor_item(e, node, held)
        e.at(node)
        value = _as_tensor(e, view, value)
        if indices:
            made = e.builder.list(indices, _INDEX)
            e.builder.call("aten::index_put_", [view, made, value])
        else:
            e.builder.call("aten::copy_", [view, value])
        return
    if isinstance(node.slice, ast.Slice):
        raise compile_error(
            e.where,
            f"Sliced expression not yet supported for subscripted assignment. "
            f"Sliced expressions are only supported for Tensors, got {kind}",
        )
    index = e.value(node.slice)
    e.at(node)
    if kind.base == "Class":
        given = Arguments([Simple(index), Simple(value)], {})
        Simple(held).attr(e, "__setitem__").call(e, given)
        return
    if kind.base == "List":
        value = e.builder.converted(value, kind.element, True)
    e.builder.call("aten::_set_item", [held, index, value])


def _as_tensor(e: Any, view: Value, value: Value) -> Value:
    """*value* as a tensor that goes into *view*."""
    if is_subtype(value.type(), TENSOR):
        return value
    where, e.builder.where = e.builder.where, None
    dtype, device = (e.builder.call(f"prim::{n}", [view]) for n in ("dtype", "device"))
    made: Value = e.builder.call("aten::tensor", [value], {"dtype": dtype, "device": device})
    e.builder.where = where
    return made
