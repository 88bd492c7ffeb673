"""FunctionSchema: what describes an operator, and how two schemas of one op relate.

``str`` of it is what torch prints. Texts are read by
:func:`mindtorch_dispatch.schema.parse_schema`.
"""

from __future__ import annotations

from .schema_types import AliasInfo, Argument, SchemaType

__all__ = ["FunctionSchema", "difference", "is_subtype"]


class FunctionSchema:
    """An operator's schema: qualified name, overload name, arguments, returns."""

    __slots__ = ("arguments", "is_vararg", "is_varret", "name", "overload_name", "returns")

    def __init__(
        self,
        name: str,
        overload_name: str,
        arguments: list[Argument],
        returns: list[Argument],
        is_vararg: bool = False,
        is_varret: bool = False,
    ) -> None:
        #: with its namespace where the text gives one: ``"aten::add"``.
        self.name = name
        self.overload_name = overload_name
        self.arguments, self.returns = arguments, returns
        self.is_vararg, self.is_varret = is_vararg, is_varret

    @property
    def is_mutable(self) -> bool:
        """Whether it writes to any of its arguments."""
        for argument in self.arguments:
            alias = argument.alias_info
            if alias is not None and alias.is_write:
                return True
        return False

    def _is_view_op(self) -> bool:
        """Whether a result aliases an argument that is not written to."""
        for argument in self.arguments:
            alias = argument.alias_info
            if alias is not None and not alias.is_write:
                return True
        return False

    def is_backward_compatible_with(self, old: FunctionSchema, /) -> bool:
        """Whether every call of *old* is one of this schema."""
        return is_backward_compatible(self, old)

    def check_forward_compatible_with(self, old: FunctionSchema, /) -> tuple[bool, str]:
        """Whether calls without the arguments that *old* lacks are calls of it; if not, why."""
        return check_forward_compatible(self, old)

    def __str__(self) -> str:
        text = f"{self.name}.{self.overload_name}" if self.overload_name else self.name
        parts = []
        keyword = False
        for argument in self.arguments:
            if argument.kwarg_only and not keyword:
                keyword = True
                parts.append("*")
            parts.append(str(argument))
        if self.is_vararg:
            parts.append("...")
        returns = [str(r) for r in self.returns]
        if self.is_varret:
            returns.append("...")
        result = ", ".join(returns)
        # a lone list of tuples keeps its parentheses: "-> ((str, t)[])"
        if len(returns) != 1 or result.startswith("("):
            result = f"({result})"
        return f"{text}({', '.join(parts)}) -> {result}"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FunctionSchema) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def difference(wanted: FunctionSchema, inferred: FunctionSchema) -> str:
    """Why *inferred*, read off a function, does not fit *wanted*; empty if it does.

    Only numbers and types of arguments and returns count. The words are torch's.
    Source: torch ATen/core/op_registration/infer_schema.cpp, findSchemaDifferences.
    """
    for one, many, ours, theirs in (
        ("argument", "arguments", wanted.arguments, inferred.arguments),
        ("return", "returns", wanted.returns, inferred.returns),
    ):
        if len(ours) != len(theirs):
            return f"The number of {many} is different. {len(ours)} vs {len(theirs)}."
        for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            if a.type is not b.type:
                return f"Type mismatch in {one} {i + 1}: {a.type.str()} vs {b.type.str()}."
    return ""


def is_subtype(one: SchemaType, other: SchemaType) -> bool:
    """Whether a value of type *one* may stand where *other* is asked for."""
    if one is other or other.kind() == "AnyType":
        return True
    if other.kind() == "OptionalType":
        inner = other.getElementType()
        if one.kind() == "OptionalType":
            return is_subtype(one.getElementType(), inner)
        return one.kind() == "NoneType" or is_subtype(one, inner)
    return other.kind() == "NumberType" and one.kind() in ("IntType", "FloatType", "ComplexType")


def _same_alias(one: AliasInfo | None, other: AliasInfo | None) -> bool:
    if one is None or other is None:
        return one is other
    return (one.is_write, one.before_set, one.after_set) == (
        other.is_write,
        other.before_set,
        other.after_set,
    )


def _same_default(one: Argument, other: Argument) -> bool:
    return (
        one.has_default_value() == other.has_default_value()
        and one.default_value == other.default_value
    )


def _alike(new: Argument, old: Argument) -> bool:
    """Name, size and alias set, and not by keyword alone where that was not asked before."""
    return (
        new.name == old.name
        and new.N == old.N
        and _same_alias(new.alias_info, old.alias_info)
        and (old.kwarg_only or not new.kwarg_only)
    )


def _serves(new: Argument, old: Argument) -> bool:
    """Whether what was passed for *old* may be passed for *new*."""
    return (
        _alike(new, old)
        and is_subtype(old.type, new.type)
        and (not old.has_default_value() or _same_default(new, old))
    )


def _served(new: Argument, old: Argument) -> bool:
    """Whether what is passed for *new* could have been passed for *old*."""
    return _alike(new, old) and is_subtype(new.type, old.type) and _same_default(new, old)


def _out_start(schema: FunctionSchema) -> int:
    """Where the trailing ``out`` arguments begin."""
    start = len(schema.arguments)
    while start and schema.arguments[start - 1].is_out:
        start -= 1
    return start


def _same_form(new: FunctionSchema, old: FunctionSchema) -> bool:
    return (
        new.name == old.name
        and new.overload_name == old.overload_name
        and new.is_vararg == old.is_vararg
        and new.is_varret == old.is_varret
        and len(new.returns) == len(old.returns)
    )


def is_backward_compatible(new: FunctionSchema, old: FunctionSchema) -> bool:
    """Whether every call of *old* is one of *new*, with results that may stand for the old ones.

    Source: torch ATen/core/function_schema.cpp, isBackwardCompatibleWith.
    """
    if not _same_form(new, old) or len(new.arguments) < len(old.arguments):
        return False
    for after, before in zip(new.returns, old.returns, strict=True):
        if not (
            after.name == before.name
            and after.N == before.N
            and _same_alias(after.alias_info, before.alias_info)
            and is_subtype(after.type, before.type)
        ):
            return False
    start, end = _out_start(old), _out_start(new)
    if start > end:
        return False
    return (
        all(_serves(a, b) for a, b in zip(new.arguments[:start], old.arguments, strict=False))
        and all(a.has_default_value() for a in new.arguments[start:end])
        and all(
            _serves(a, b) for a, b in zip(new.arguments[end:], old.arguments[start:], strict=False)
        )
    )


def check_forward_compatible(new: FunctionSchema, old: FunctionSchema) -> tuple[bool, str]:
    """Whether calls of *new* that leave its new arguments out are calls of *old*; if not, why.

    Source: torch ATen/core/function_schema.cpp, isForwardCompatibleWith.
    """
    if not _same_form(new, old):
        return False, ""
    start, end = _out_start(old), _out_start(new)
    if len(old.arguments) - start != len(new.arguments) - end:
        return False, "Function schema should have the same number of out arguments"
    for a, b in zip(new.arguments[:end], old.arguments[:start], strict=False):
        if not _served(a, b):
            return (
                False,
                f"'{a.name}' is not forward compatible with the older version of the schema",
            )
    for a in new.arguments[start:end]:
        text = (
            "Function schema is not forward compatible since the new argument"
            f" '{a.name}' of type {a.type.str()}"
        )
        if not a.has_default_value():
            return False, f"{text} did not provide a default value."
        if isinstance(a.default_value, list):
            return False, f"{text} has a container type as its default value."
    for a, b in zip(new.arguments[end:], old.arguments[start:], strict=True):
        if not _served(a, b):
            return False, f"Out argument ''{a.name} is not FC with the older version of the schema"
    return True, ""
