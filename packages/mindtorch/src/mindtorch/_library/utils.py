"""``torch._library.utils``: questions about ops and their schemas, under torch's names."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .._ops import OpOverload
from ..core.tags import Tag
from ..tensor import Tensor
from ..utils._pytree import tree_unflatten
from . import schemas
from .lookup import lookup_op
from .lookup import split_name as parse_namespace

__all__ = [
    "Kernel",
    "MutationChecker",
    "RegistrationHandle",
    "can_generate_trivial_fake_impl",
    "fill_defaults",
    "get_device_arg_index",
    "get_source",
    "has_kwarg_only_args",
    "has_kwarg_only_tensors",
    "has_tensor_arg",
    "hash_tensor",
    "is_builtin",
    "is_functional_schema",
    "is_inplace",
    "is_out",
    "is_tensor_like_type",
    "is_tensorlist_like_type",
    "iter_tensors",
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


def can_generate_trivial_fake_impl(op: OpOverload) -> bool:
    """Whether it follows from the op's schema what it does on tensors without data."""
    if is_builtin(op):
        return False
    return is_out(op) or is_inplace(op) or op._schema.is_mutable and not op._schema.returns


def iter_tensors(
    args: tuple[Any, ...], kwargs: dict[str, Any], allowed_nesting: int = 1
) -> Iterator[Tensor]:
    """The tensors among arguments, and in lists of these, to a depth."""
    for value in (*args, *kwargs.values()):
        if isinstance(value, Tensor):
            yield value
        elif allowed_nesting > 0 and isinstance(value, (tuple, list)):
            yield from iter_tensors(tuple(value), {}, allowed_nesting - 1)


# -- registrations ---------------------------------------------------------------------------------


@dataclass
class Kernel:
    """A function and where it was registered."""

    func: Callable[..., Any]
    source: str

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it."""
        return self.func(*args, **kwargs)


class RegistrationHandle:
    """What takes a registration back."""

    def __init__(self, on_destroy: Callable[[], Any]) -> None:
        self._on_destroy = on_destroy

    def destroy(self) -> None:
        """Take it back."""
        self._on_destroy()


def get_source(stacklevel: int) -> str:
    """The line that runs, *stacklevel* frames above this function: ``file:line``."""
    frame = sys._getframe(stacklevel)
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


# -- changes ---------------------------------------------------------------------------------------


def hash_tensor(t: Tensor) -> Tensor:
    """A number that tells whether *t* was changed, most of the time."""
    return t.detach().float().mean()


class MutationChecker:
    """Whether an op changes what its schema says: made before a call, asked after it."""

    def __init__(self, op: OpOverload, flat_args: list[Any], args_spec: Any) -> None:
        self.op = op
        self.args_spec = args_spec
        self.flat_args = flat_args
        self.real_pre_hashes = self._hashes()

    def _hashes(self) -> list[Tensor | None]:
        return [hash_tensor(a) if isinstance(a, Tensor) else None for a in self.flat_args]

    def check(self) -> None:
        """Raise RuntimeError for an argument that was changed, or not, against the schema."""

        def differs(before: Tensor | None, after: Tensor | None) -> bool | None:
            if before is None or after is None:
                return None
            same = before.equal(after) or bool(before.isnan().all() and after.isnan().all())
            return not same

        pairs = zip(self.real_pre_hashes, self._hashes(), strict=True)
        args, kwargs = tree_unflatten([differs(*pair) for pair in pairs], self.args_spec)
        for argument, changed in zip_schema(self.op._schema, args, kwargs):
            for each in changed if is_tensorlist_like_type(argument.type) else (changed,):
                if each is not None and each != argument.is_write:
                    self._refuse(argument)

    def _refuse(self, argument: Any) -> None:
        does = "mutates" if argument.is_write else "does not mutate"
        raise RuntimeError(
            f"{self.op._name}: for argument '{argument.name}': the operator's schema "
            f"{self.op._schema} specified that the operator {does} the argument, but this seems to "
            "be empirically wrong. Please make the schema and operator behavior consistent. You "
            "can specify that an operator mutates a Tensor by e.g. changing its schema type from "
            "'Tensor name' to 'Tensor(a!) name'(use different identifiers (a, b, c, ...) for "
            "different Tensors)"
        )
