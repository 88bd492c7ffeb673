"""Questions about an op's schema, and what a tag demands of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mindtorch_dispatch import FunctionSchema

from ..core.tags import Tag

__all__ = [
    "check_tags",
    "device_position",
    "filled",
    "is_functional",
    "keyword_only_tensors",
    "takes_tensors",
    "tensor_lists",
    "written",
]

_TENSORS = ("Tensor", "Optional[Tensor]")
_LISTS = (
    "List[Tensor]",
    "List[Optional[Tensor]]",
    "Optional[List[Tensor]]",
    "Optional[List[Optional[Tensor]]]",
)


def is_tensor(argument: Any) -> bool:
    """Whether an argument (or result) is a tensor, perhaps an optional one."""
    return str(argument.type) in _TENSORS


def is_tensor_list(argument: Any) -> bool:
    """Whether an argument (or result) is a list of tensors."""
    return str(argument.type) in _LISTS


def _tensor_like(schema: FunctionSchema) -> Iterator[Any]:
    return (a for a in schema.arguments if is_tensor(a) or is_tensor_list(a))


def takes_tensors(schema: FunctionSchema) -> bool:
    """Whether an argument is a tensor or a list of them."""
    return any(True for _ in _tensor_like(schema))


def keyword_only_tensors(schema: FunctionSchema) -> bool:
    """Whether a tensor argument can be given by keyword only."""
    return any(a.kwarg_only for a in _tensor_like(schema))


def tensor_lists(schema: FunctionSchema) -> bool:
    """Whether tensors come or go in lists."""
    return any(is_tensor_list(a) for a in (*schema.arguments, *schema.returns))


def written(schema: FunctionSchema) -> list[Any]:
    """The arguments that the op changes."""
    return [a for a in schema.arguments if a.is_write]


def device_position(schema: FunctionSchema) -> int | None:
    """The place of an argument ``Device device``; None if there is none."""
    for i, argument in enumerate(schema.arguments):
        if str(argument.type) == "Device" and argument.name == "device":
            return i
    return None


def is_functional(schema: FunctionSchema, *, views: bool = False) -> bool:
    """Whether the op returns something and changes nothing.

    :param views: let an op pass that returns one view of its one tensor argument.
    """
    if schema.is_mutable or not schema.returns:
        return False
    if any(r.alias_info is not None and not r.alias_info.is_write for r in schema.returns):
        plain = [sum(str(a.type) == "Tensor" for a in side)
                 for side in (schema.arguments, schema.returns)]  # fmt: skip
        return views and plain == [1, 1]
    return True


def filled(
    schema: FunctionSchema, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with the schema's defaults in place of those that were left out."""
    positional: list[Any] = list(args)
    keywords: dict[str, Any] = {}
    for i, argument in enumerate(schema.arguments):
        if argument.kwarg_only:
            keywords[argument.name] = kwargs.get(argument.name, argument.default_value)
        elif i >= len(args):
            positional.append(argument.default_value)
    return tuple(positional), keywords


# Tags ---------------------------------------------------------------------------------------------


def check_tags(schema: FunctionSchema, tags: Sequence[Tag]) -> None:
    """Raise torch's ValueError where *schema* is not what ``Tag.inplace`` or ``Tag.out`` say."""
    if Tag.out in tags:
        problem = _not_out(schema)
        if problem:
            raise ValueError(f"{problem} Got: {schema}")
    if Tag.inplace in tags:
        problem = _not_inplace(schema)
        if problem:
            raise ValueError(f"Schema tagged with torch.Tag.inplace {problem} Got: {schema}")


def _not_out(schema: FunctionSchema) -> str:
    mutable = written(schema)
    lead = "Schema tagged with torch.Tag.out"
    if not mutable:
        return f"{lead} must have at least one mutable argument."
    positional = [a.name for a in mutable if not a.kwarg_only]
    if positional:
        return (
            f"{lead} requires all mutable arguments to be keyword-only (after the *). Found "
            f"mutable positional args: {positional}."
        )
    unsupported = [a.name for a in mutable if str(a.type) != "Tensor"]
    if unsupported:
        return (
            f"{lead} only supports Tensor mutable arguments. Found unsupported mutable args: "
            f"{unsupported}."
        )
    if len(schema.returns) != len(mutable):
        return (
            f"{lead} must return all mutable arguments (got {len(mutable)} mutable args but "
            f"{len(schema.returns)} returns)."
        )
    for i, (given, argument) in enumerate(zip(schema.returns, mutable, strict=True)):
        alias, own = given.alias_info, argument.alias_info
        lead = f"Return {i} of schema tagged with torch.Tag.out must"
        if alias is None:
            return f"{lead} alias mutable arg '{argument.name}'."
        if not alias.is_write:
            return (
                f"{lead} be a mutable alias (e.g., Tensor(a!), not Tensor(a)) of arg "
                f"'{argument.name}'."
            )
        if alias.before_set != own.before_set:
            return (
                f"{lead} alias mutable arg '{argument.name}' (return aliases {alias.before_set} "
                f"but arg aliases {own.before_set})."
            )
    return ""


def _not_inplace(schema: FunctionSchema) -> str:
    arguments, returns = schema.arguments, schema.returns
    if not arguments or arguments[0].kwarg_only:
        return "must have at least one positional argument."
    first = arguments[0]
    if not first.is_write:
        return "requires the first positional argument to be mutable (e.g., Tensor(a!))."
    if str(first.type) != "Tensor":
        return (
            "requires the first positional argument to be a Tensor. Got type "
            f"'{first.type}' for arg '{first.name}'."
        )
    if len(returns) != 1:
        return f"must return exactly one value (the first argument). Got {len(returns)} returns."
    lead, given = "must return the first mutable argument", returns[0]
    if str(given.type) != "Tensor":
        return f"{lead} (return must be a Tensor, got type '{given.type}')."
    alias = given.alias_info
    if alias is None:
        return f"{lead} (return must alias the first argument)."
    if not alias.is_write:
        return f"{lead} (return must be a mutable alias, e.g., Tensor(a!))."
    if alias.before_set != first.alias_info.before_set:
        return (
            f"{lead} (return aliases {alias.before_set} but first arg aliases "
            f"{first.alias_info.before_set})."
        )
    others = [a.name for a in arguments[1:] if a.is_write]
    if others:
        return (
            "must only mutate the first positional argument. Found additional mutable args: "
            f"{others}."
        )
    return ""
