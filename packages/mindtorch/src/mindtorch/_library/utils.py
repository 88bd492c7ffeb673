"""``torch._library.utils``: questions about ops and their schemas, under torch's names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._ops import OpOverload
from ..core.tags import Tag
from . import schemas
from .lookup import lookup_op
from .lookup import split_name as parse_namespace

__all__ = [
    "fill_defaults",
    "get_device_arg_index",
    "has_kwarg_only_args",
    "has_kwarg_only_tensors",
    "has_tensor_arg",
    "is_builtin",
    "is_functional_schema",
    "is_inplace",
    "is_out",
    "is_tensor_like_type",
    "is_tensorlist_like_type",
    "lookup_op",
    "mutated_args_kwargs",
    "mutates_and_returns_first_arg",
    "parse_namespace",
    "zip_schema",
]

has_kwarg_only_tensors = schemas.keyword_only_tensors
has_tensor_arg = schemas.takes_tensors
get_device_arg_index = schemas.device_position
fill_defaults = schemas.filled


def is_builtin(op: OpOverload) -> bool:
    """Whether the op is torch's own."""
    return op.namespace in {"aten", "prim", "prims"}


def is_out(op: OpOverload) -> bool:
    """Whether the op is tagged as one that writes its results into arguments."""
    return Tag.out in op.tags


def is_inplace(op: OpOverload) -> bool:
    """Whether the op is tagged as one that changes its first argument."""
    return Tag.inplace in op.tags


def is_functional_schema(schema: Any, *, allow_valid_view: bool = False) -> bool:
    """Whether an op of *schema* returns something new and changes nothing.

    :param allow_valid_view: let an op pass that returns one view of its one tensor.
    """
    return schemas.is_functional(schema, views=allow_valid_view)


def is_tensor_like_type(typ: Any) -> bool:
    """Whether a type of a schema is a tensor, perhaps an optional one."""
    return str(typ) in ("Tensor", "Optional[Tensor]")


def is_tensorlist_like_type(typ: Any) -> bool:
    """Whether a type of a schema is a list of tensors, perhaps optional in part or whole."""
    return str(typ).replace("Optional[", "").rstrip("]") == "List[Tensor"


def has_kwarg_only_args(schema: Any) -> bool:
    """Whether an argument can be given by keyword only."""
    return any(a.kwarg_only for a in schema.arguments)


def mutates_and_returns_first_arg(op: OpOverload) -> bool:
    """Whether the op changes its first argument only, and returns just that."""
    schema = op._schema
    if op.namespace != "aten" and is_functional_schema(schema):
        return False
    arguments, returns = schema.arguments, schema.returns
    if len(returns) != 1 or not arguments:
        return False
    alias = returns[0].alias_info
    own = arguments[0].alias_info
    if alias is None or own is None or not own.is_write or alias.after_set != own.after_set:
        return False
    return not any(a.is_write for a in arguments[1:])


def mutated_args_kwargs(schema: Any) -> tuple[list[int], list[str]]:
    """The places of the positional arguments that an op changes, the names of the others."""
    places = [i for i, a in enumerate(schema.arguments) if a.is_write and not a.kwarg_only]
    names = [a.name for a in schema.arguments if a.is_write and a.kwarg_only]
    return places, names


def zip_schema(
    schema: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Iterator[tuple[Any, Any]]:
    """The arguments of *schema* that a call gave, with their values.

    Raises AssertionError for more values than arguments.
    """
    assert len(schema.arguments) >= len(args) + len(kwargs), (
        f"schema has {len(schema.arguments)} arguments but got {len(args)} args and "
        f"{len(kwargs)} kwargs"
    )
    for i, argument in enumerate(schema.arguments):
        if argument.kwarg_only or i >= len(args):
            if argument.name in kwargs:
                yield argument, kwargs[argument.name]
        else:
            yield argument, args[i]
