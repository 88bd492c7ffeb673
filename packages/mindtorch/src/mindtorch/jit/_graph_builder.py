"""Adds nodes to a graph of a script: constants, operators, conversions of their arguments.

Source: torch/csrc/jit/frontend/schema_matching.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mindtorch_storage import Device, DType

from ..core.constants import LAYOUTS, MEMORY_FORMATS, layout, memory_format
from ..core.dtype_codes import code_of
from ..tensor import Tensor
from ._ir import Block, Graph, Node, Value
from ._operators import Argument, Schema, overloads
from ._source_range import SourceRange, compile_error
from ._types import (
    ANY,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INFERRED,
    INT,
    NONE,
    NUMBER,
    STR,
    TENSOR,
    FieldNames,
    Type,
    bound,
    is_subtype,
    list_of,
    match_variables,
    told,
    tuple_of,
)  # fmt: skip

__all__ = ["GraphBuilder", "constant_type"]

_PLAIN: tuple[tuple[type, Type], ...] = (
    (bool, BOOL), (int, INT), (float, FLOAT), (complex, COMPLEX), (str, STR), (type(None), NONE),
    (Device, DEVICE), (Tensor, TENSOR),
)  # fmt: skip
#: What an operator of a number and a tensor is made of, on the tensor first.
_REFLECTED = {
    f"aten::{name}": done.split() for name, done in {
        "add": "add", "mul": "mul", "sub": "neg add", "div": "reciprocal mul", "lt": "gt",
        "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne",
    }.items()
}  # fmt: skip
#: Operators under another name that do the same.
_SAME = {
    "absolute": "abs", "absolute_": "abs_", "clip": "clamp", "clip_": "clamp_", "det": "linalg_det",
    "divide": "div", "divide_": "div_", "true_divide": "div", "true_divide_": "div_",
    "greater": "gt", "greater_": "gt_", "greater_equal": "ge", "greater_equal_": "ge_",
    "less": "lt", "less_": "lt_", "less_equal": "le", "less_equal_": "le_", "multiply": "mul",
    "multiply_": "mul_", "negative": "neg", "negative_": "neg_", "not_equal": "ne",
    "not_equal_": "ne_", "subtract": "sub", "subtract_": "sub_", "row_stack": "vstack",
    "moveaxis": "movedim", "swapaxes": "transpose", "swapaxes_": "transpose_",
    "swapdims": "transpose", "swapdims_": "transpose_", "special_erf": "erf",
    "special_erfc": "erfc", "special_exp2": "exp2", "special_expm1": "expm1",
    "special_logit": "logit", "special_logsumexp": "logsumexp", "special_round": "round",
    "special_log1p": "log1p", "special_sinc": "sinc", "special_digamma": "digamma",
    "special_psi": "digamma", "special_i0": "i0", "special_xlogy": "xlogy",
    "special_log_softmax": "log_softmax", "orgqr": "linalg_householder_product",
    "special_multigammaln": "mvlgamma", "special_polygamma": "polygamma",
    "special_softmax": "softmax", "special_gammainc": "igamma", "special_gammaincc": "igammac",
    "special_gammaln": "lgamma", "concat": "cat", "concatenate": "cat", "linalg_matmul": "matmul",
    "inverse": "linalg_inv", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin",
    "arcsinh": "asinh", "arctan": "atan", "arctan2": "atan2", "arctanh": "atanh", "fix": "trunc",
}  # fmt: skip


def constant_type(value: Any) -> Type | None:
    """The type of a constant; None for what is none."""
    for kind, type_ in _PLAIN:
        if isinstance(value, kind):
            return type_
    if isinstance(value, (DType, layout, memory_format)):
        return INT
    if isinstance(value, tuple):
        kinds = [constant_type(each) for each in value]
        return None if None in kinds else tuple_of(kind for kind in kinds if kind)
    return None


def _plain(value: Any) -> Any:
    """*value*, and the number of a dtype, layout or memory format."""
    if isinstance(value, DType):
        return code_of(value)
    if isinstance(value, layout):
        return LAYOUTS.index(value)
    return MEMORY_FORMATS.index(value) if isinstance(value, memory_format) else value


class GraphBuilder:
    """Adds to one graph, at the end of the block that is open.

    :ivar where: the place of the program that what is added comes from.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph, self.block = graph, graph.block
        self.where: SourceRange | None = None

    @contextmanager
    def inside(self, block: Block) -> Iterator[None]:
        """Add to *block* meanwhile."""
        former, self.block = self.block, block
        try:
            yield
        finally:
            self.block = former

    def node(
        self, kind: str, inputs: list[Value], made: list[Type], constant: Any = None, **facts: Any
    ) -> Node:
        """Add a node."""
        node = Node(kind, list(inputs), "", constant)
        node.attributes, node.where = facts, self.where
        for type_ in made:
            self.graph.add_value(node, type_)
        return self.block.add(node)

    def value(self, kind: str, inputs: list[Value], type_: Type, **facts: Any) -> Value:
        """Add a node with one output; the output."""
        return self.node(kind, inputs, [type_], **facts).output()

    def constant(self, value: Any, type_: Type | None = None) -> Value:
        """A constant; a tuple or list is made of its elements."""
        value = _plain(value)
        if isinstance(value, tuple):
            return self.tuple([self.constant(each) for each in value])
        if isinstance(value, list) and type_ is not None:
            element = type_.element if type_.base == "List" else type_.element.element
            return self.list([self.constant(each, element) for each in value], element)
        enum = type_ is not None and type_.base == "Enum"
        known = type_ if enum else constant_type(value) or type_
        if type_ is not None and type_ == FLOAT and known == INT:
            value, known = float(value), FLOAT
        if known is None:
            raise compile_error(self.where, f"a {type(value).__name__} is no constant of a script")
        return self.node("prim::Constant", [], [known], value).output()

    def constant_function(self, function: Any) -> Value:
        """A function that was compiled, as a constant."""
        return self.node("prim::Constant", [], [Type("Function")], function).output()

    def attribute(self, owner: Value, name: str, type_: Type) -> Value:
        """Read an attribute of an object or module."""
        made = self.value("prim::GetAttr", [owner], type_, name=name)
        self.graph.set_name(made, name)
        return made

    def list(self, values: list[Value], element: Type) -> Value:
        """A list of these."""
        return self.value("prim::ListConstruct", values, list_of(element))

    def tuple(self, values: list[Value]) -> Value:
        """A tuple of these."""
        return self.value("prim::TupleConstruct", values, tuple_of(v.type() for v in values))

    def unpack(self, value: Value) -> list[Value]:
        """The elements of a tuple."""
        if value.node().kind() == "prim::TupleConstruct":
            return list(value.node().inputs())
        node = self.node("prim::TupleUnpack", [value], list(value.type().args))
        return list(node.outputs())

    # operators ------------------------------------------------------------------------------------

    def call(
        self,
        name: str,
        args: list[Value],
        kwargs: dict[str, Value] | None = None,
        receiver: Value | None = None,
    ) -> Value:
        """Call the operator *name*: its overload that takes these. Raises RuntimeError if none.

        :param receiver: the argument ``self``, whatever its place.
        """
        schemas = overloads(name)
        if not schemas:
            raise compile_error(
                self.where, f"Unknown builtin op: {name}.\nHere are some suggestions: \n"
            )
        reasons: list[str] = []
        for convert in (False, True):
            reasons = []
            for schema in schemas:
                made = self.matched(schema, args, kwargs or {}, receiver, convert)
                if not isinstance(made, str):
                    return self._operator(name, schema, *made)
                reasons.append(f"  {schema}:\n  {made}\n")
            if not convert and receiver is None and not kwargs:
                turned = self._reflected(name, args)
                if turned is not None:
                    return turned
        if len(schemas) == 1:
            raise compile_error(self.where, "\n" + reasons[0].replace("\n  ", "\n")[2:])
        if name in _REFLECTED and args:
            own = name.removeprefix("aten::")
            reasons += [
                f"  {own}({kind} a, Tensor b) -> Tensor:\n  Expected a value of type '{kind}' for "
                f"argument 'a' but instead found type '{told(args[0].type())}'.\n"
                for kind in ("float", "int", "complex")
            ]
        listed = "  \n".join(reasons) + ("" if name in _REFLECTED and args else "  ")
        text = "Arguments for call are not valid.\nThe following variants are available:\n  \n"
        raise compile_error(self.where, f"{text}{listed}\nThe original call is")

    def _reflected(self, name: str, args: list[Value]) -> Value | None:
        """An operator of a number and a tensor, which is one of the tensor and the number."""
        turned = _REFLECTED.get(name)
        if turned is None or [v.type().base for v in args[1:]] != ["Tensor"]:
            return None
        number, tensor = args
        if not is_subtype(number.type(), NUMBER):
            return None
        for each in turned[:-1]:
            tensor = self.call(f"aten::{each}", [tensor])
        return self.call(f"aten::{turned[-1]}", [tensor, number])

    def _operator(
        self, name: str, schema: Schema, values: list[Value], known: dict[str, Type]
    ) -> Value:
        library, _, own = name.partition("::")
        if library == "aten":
            name = f"aten::{_SAME.get(own, own)}"
        kinds = [bound(each, known) for each in schema.returns]
        if None in kinds:
            raise compile_error(self.where, f"the result of {schema} has no type")
        node = self.node(name, values, [kind for kind in kinds if kind])
        node.writes, node.schema = "!" in schema.text, schema
        found = list(node.outputs())
        if not found:
            return self.constant(None)
        if len(found) == 1:
            return found[0]
        names = FieldNames(_return_names(schema))
        kind = Type("Tuple", tuple(value.type() for value in found), "", names)
        return self.value("prim::TupleConstruct", found, kind)

    def matched(
        self,
        schema: Schema,
        args: list[Value],
        kwargs: dict[str, Value],
        receiver: Value | None,
        convert: bool,
    ) -> tuple[list[Value], dict[str, Type]] | str:
        """The inputs of a call and what the schema's variables are; why there are none, else."""
        before = len(self.block.items)
        found = self._match(schema, args, dict(kwargs), receiver, convert)
        if isinstance(found, str):
            del self.block.items[before:]
        return found

    def _match(
        self,
        schema: Schema,
        args: list[Value],
        kwargs: dict[str, Value],
        receiver: Value | None,
        convert: bool,
    ) -> tuple[list[Value], dict[str, Type]] | str:
        known: dict[str, Type] = {}
        inputs: list[Value] = []
        used = 0
        for i, argument in enumerate(schema.arguments):
            if argument.name == "self" and receiver is not None and i == _self_index(schema):
                given, receiver = receiver, None
            elif not argument.kwarg_only and used < len(args):
                if _takes_rest(schema, i) and args[used].type().base not in ("List", "Tuple"):
                    rest = self._rest(argument, args[used:], known, convert)
                    if rest is not None:
                        inputs.append(rest)
                        used = len(args)
                        continue
                given = args[used]
                used += 1
                if argument.name in kwargs:
                    return f"Argument '{argument.name}' specified twice in schema."
            elif argument.name in kwargs:
                given = kwargs.pop(argument.name)
            elif argument.has_default:
                inputs.append(self._default(argument))
                continue
            else:
                return f"Argument {argument.name} not provided."
            made = self._argument(argument, given, known, convert)
            if isinstance(made, str):
                return made
            inputs.append(made)
        if receiver is not None:
            return "Provided self argument not used in schema."
        if schema.vararg:
            inputs += args[used:]
            used = len(args)
        if used < len(args):
            return f"Expected at most {used} arguments but found {len(args)} positional arguments."
        if kwargs:
            return f"Keyword argument {next(iter(kwargs))} unknown."
        return inputs, known

    def _default(self, argument: Argument) -> Value:
        value = argument.default
        if argument.length and isinstance(value, (int, float)):
            value = [value] * argument.length
        if argument.type == INT and isinstance(value, str):
            value = 0
        kind = argument.type.element if argument.type.base == "Optional" else argument.type
        former, self.where = self.where, None
        if isinstance(value, list):  # what nobody wrote is a constant, not a list that is made
            made = self.node("prim::Constant", [], [kind], value).output()
        else:
            made = self.constant(value, kind)
        self.where = former
        return made

    def _rest(
        self, argument: Argument, values: list[Value], known: dict[str, Type], convert: bool
    ) -> Value | None:
        element = argument.type.element
        made = [self.converted(each, element, convert) for each in values]
        if all(is_subtype(each.type(), element) for each in made):
            return self.list(made, element)
        return None

    def _argument(
        self, argument: Argument, value: Value, known: dict[str, Type], convert: bool
    ) -> Value | str:
        wanted = argument.type
        listed = wanted.element if wanted.base == "Optional" else wanted
        if argument.length and listed.base == "List" and value.type() == listed.element:
            return self.list([value] * argument.length, listed.element)
        problem = match_variables(wanted, value.type(), known)
        if problem:
            return (
                f"Could not match type {told(value.type())} to {told(wanted)} in argument "
                f"'{argument.name}': {problem}."
            )
        kind = bound(wanted, known)
        if kind is None:
            if value.type() == NONE:
                return value
            return f"Type variables in type {wanted} could not be inferred from actual type "
            f"{value.type()}."
        made = self.converted(value, kind, convert)
        if not is_subtype(made.type(), kind):
            return _mismatch(argument, kind, made)
        return made

    def converted(self, value: Value, wanted: Type, convert: bool) -> Value:
        """*value* as one of *wanted*, where there is such a conversion; else as it is."""
        given: Type = value.type()
        if wanted.base == "Optional" and given.base not in ("Optional", "None"):
            return self.converted(value, wanted.element, convert)
        if value.node().kind() == "prim::EmptyListLiteral" and wanted.base == "List":
            return self.list([], wanted.element)
        if given.base in ("Tuple", "NamedTuple"):
            if wanted.base == "List" and all(is_subtype(e, wanted.element) for e in given.args):
                return self.list(self.unpack(value), wanted.element)
            if (
                wanted.base == "Tuple"
                and not is_subtype(given, wanted)
                and len(given.args) == len(wanted.args)
            ):
                pairs = zip(self.unpack(value), wanted.args, strict=True)
                return self.tuple([self.converted(each, kind, convert) for each, kind in pairs])
        if not convert:
            return value
        kind = _CONVERSIONS.get((given, wanted))
        if kind is not None:
            return self.value(f"aten::{kind}", [value], wanted)
        return value


#: The operators that make one of the second type of one of the first, without being asked.
_CONVERSIONS = {
    (TENSOR, FLOAT): "FloatImplicit", (TENSOR, INT): "IntImplicit",
    (TENSOR, COMPLEX): "ComplexImplicit", (TENSOR, NUMBER): "ScalarImplicit",
    (NUMBER, FLOAT): "Float", (NUMBER, INT): "Int", (NUMBER, COMPLEX): "Complex",
    (STR, DEVICE): "device",
}  # fmt: skip


def _mismatch(argument: Argument, kind: Type, value: Value) -> str:
    text = (
        f"Expected a value of type '{kind.annotation_str}' for argument '{argument.name}' but "
        f"instead found type '{told(value.type())}'."
    )
    if value.type().definition is INFERRED:
        text += (
            f"\n  Inferred the value for argument '{argument.name}' to be of type 'Tensor' because "
            "it was not annotated with an explicit type."
        )
    if value.type() == list_of(TENSOR):
        text += (
            "\n  Empty lists default to List[Tensor]. Add a variable annotation to the assignment "
            "to create an empty list of another type (torch.jit.annotate(List[T, []]) where T is "
            "the type of elements in the list for Python 2)"
        )
    return text


def _self_index(schema: Schema) -> int:
    return next((i for i, each in enumerate(schema.arguments) if each.name == "self"), -1)


def _takes_rest(schema: Schema, i: int) -> bool:
    """Whether the positional arguments from *i* on may be the elements of the list there."""
    argument = schema.arguments[i]
    last = i + 1 == len(schema.arguments) or schema.arguments[i + 1].kwarg_only
    kind = argument.type
    return (
        last
        and kind.base == "List"
        and not argument.length
        and kind.element.base != "Var"
        and kind.element != ANY
    )


def _return_names(schema: Schema) -> list[str]:
    results = schema.text.rpartition("->")[2]
    return re.findall(r"[\w)\]?]\s+(\w+)(?=[,)])", results)
