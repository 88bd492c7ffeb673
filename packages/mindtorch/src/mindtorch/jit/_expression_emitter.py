"""Emits the expressions of a script into its graph.

Source: torch/csrc/jit/frontend/ir_emitter.cpp.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ._call_forms import call_special
from ._condition import Condition, canonical_none, none_refinements
from ._environment import Environment
from ._frontend_errors import not_supported, unsupported
from ._graph_builder import GraphBuilder
from ._ir import Block, Value
from ._literal_emitter import dict_literal, list_literal
from ._source_range import Source, SourceRange, compile_error
from ._subscript_emitter import subscript
from ._sugared_value import Arguments, Several, Simple, Special, Sugared
from ._types import (
    ANY,
    BOOL,
    INT,
    STR,
    TENSOR,
    Type,
    dict_of,
    is_subtype,
    list_of,
    unified,
)  # fmt: skip

__all__ = ["ExpressionEmitter"]

_BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Mod: "remainder",
    ast.FloorDiv: "floordiv", ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "__and__",
    ast.BitOr: "__or__", ast.BitXor: "__xor__", ast.LShift: "__lshift__",
    ast.RShift: "__rshift__",
}  # fmt: skip
_COMPARE = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
    ast.Is: "__is__", ast.IsNot: "__isnot__", ast.In: "__contains__", ast.NotIn: "__contains__",
}  # fmt: skip
_OVERLOADABLE = {
    "add": "__add__", "sub": "__sub__", "mul": "__mul__", "div": "__truediv__", "eq": "__eq__",
    "ne": "__ne__", "lt": "__lt__", "le": "__le__", "gt": "__gt__", "ge": "__ge__",
    "remainder": "__mod__", "floordiv": "__floordiv__", "pow": "__pow__", "matmul": "__matmul__",
    "__contains__": "__contains__", "__and__": "__and__", "__or__": "__or__",
}  # fmt: skip


class ExpressionEmitter:
    """What functions and methods are compiled with: one per function.

    :ivar scripts: all that is compiled with it.
    :ivar read: reads annotations.
    """

    def __init__(
        self,
        builder: GraphBuilder,
        scripts: Any,
        source: Source,
        outside: Callable[[str], Sugared | None],
        reader: Any,
    ) -> None:
        self.builder, self.scripts, self.source, self.reader = builder, scripts, source, reader
        self.env = Environment(builder, outside)
        self.exited: set[int] = set()

    @property
    def where(self) -> SourceRange | None:
        """The place that is being compiled."""
        return self.builder.where

    def at(self, node: ast.AST) -> None:
        """Say which place is being compiled."""
        self.builder.where = self.reader.where = self.source.range_of(node)

    def python_value(self, value: Any, name: str = "") -> Sugared:
        """What a Python object is in a script."""
        found: Sugared = self.scripts.sugared(self, value, name)
        return found

    # expressions ----------------------------------------------------------------------------------

    def value(self, node: ast.expr, hint: Type | None = None) -> Value:
        """What *node* computes, as a value of the graph."""
        made = self.sugared(node, hint)
        self.at(node)
        return made.as_value(self)

    def sugared(self, node: ast.expr, hint: Type | None = None) -> Sugared:
        """What *node* is."""
        self.at(node)
        match node:
            case ast.Name(id=name):
                return self.env.get(name)
            case ast.Attribute(value=base, attr=name):
                owner = self.sugared(base)
                self.at(node)
                return owner.attr(self, name)
            case ast.Call():
                return self._call(node, hint)
            case ast.Subscript():
                return subscript(self, node, hint)
            case ast.Tuple(elts=items):
                hints = hint.args if hint is not None and hint.base == "Tuple" else ()
                return self._tuple(items, hints)
        return Simple(self._plain(node, hint))

    def _tuple(self, items: list[ast.expr], hints: tuple[Type, ...]) -> Sugared:
        found: list[Sugared] = []
        for i, item in enumerate(items):
            if isinstance(item, ast.Starred):
                found += self.sugared(item.value).unpacked(self, None)
            else:
                found.append(self.sugared(item, hints[i] if i < len(hints) else None))
        return (
            Simple(Several(found).as_value(self))
            if all(isinstance(each, Simple) for each in found)
            else Several(found)
        )

    def _plain(self, node: ast.expr, hint: Type | None) -> Value:
        build = self.builder
        match node:
            case ast.Constant(value=value):
                if value is Ellipsis or isinstance(value, bytes):
                    raise unsupported(self.source, node)
                return build.constant(value)
            case ast.BinOp(left=left, op=op, right=right):
                return self._operator(_BINARY[type(op)], node, left, right)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return build.constant(-number)
            case ast.UnaryOp(op=ast.Not()) | ast.BoolOp() | ast.Compare():
                return self._condition_value(node)
            case ast.UnaryOp(op=op, operand=operand):
                given = self.value(operand)
                self.at(node)
                if isinstance(op, ast.UAdd):
                    return given
                own = "neg" if isinstance(op, ast.USub) else "bitwise_not"
                if given.type().base == "Class":
                    special = "__neg__" if own == "neg" else "__invert__"
                    return (
                        Simple(given)
                        .attr(self, special)
                        .call(self, Arguments([], {}))
                        .as_value(self)
                    )
                return build.call(f"aten::{own}", [given])
            case ast.List(elts=items):
                return list_literal(self, node, items, hint)
            case ast.Dict(keys=keys, values=values):
                return dict_literal(self, keys, values, hint)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.if_expression(
                    self.condition(test),
                    lambda: self.value(body, hint),
                    lambda: self.value(orelse, hint),
                    hint,
                )
            case (
                ast.ListComp(generators=[ast.comprehension() as loop])
                | ast.GeneratorExp(generators=[ast.comprehension() as loop])
            ) if not loop.ifs:
                return self._list_comprehension(node, loop, hint)
            case ast.DictComp(generators=[ast.comprehension() as loop]) if not loop.ifs:
                return self._dict_comprehension(node, loop, hint)
            case ast.JoinedStr(values=parts):
                return self._joined(node, parts)
        raise unsupported(self.source, node)

    def _operator(self, name: str, node: ast.expr, left: ast.expr, right: ast.expr) -> Value:
        first, second = self.value(left), self.value(right)
        self.at(node)
        return self.binary(name, first, second)

    def binary(self, name: str, first: Value, second: Value) -> Value:
        """An operator of two values; the method of a class, where the first is of one."""
        if first.type().base == "Class" and name in _OVERLOADABLE:
            method = Simple(first).attr(self, _OVERLOADABLE[name])
            return method.call(self, Arguments([Simple(second)], {})).as_value(self)
        if name == "remainder" and first.type() == STR:
            return self.builder.call("aten::percentFormat", [first, second])
        if name == "floordiv" and first.type() == TENSOR:
            name = "floor_divide"
        return self.builder.call(f"aten::{name}", [first, second])

    def _joined(self, node: ast.expr, parts: list[ast.expr]) -> Value:
        template, given = "", []
        for part in parts:
            match part:
                case ast.Constant(value=str() as text):
                    template += text
                case ast.FormattedValue(value=inner, conversion=-1, format_spec=None):
                    template += "{}"
                    given.append(self.value(inner))
                case ast.FormattedValue(format_spec=None):
                    text = "Don't support conversion in JoinedStr"
                    raise not_supported(self.source, part, text)
                case _:
                    text = "Don't support formatting in JoinedStr"
                    raise not_supported(self.source, part, text)
        self.at(node)
        if not given:
            return self.builder.constant(template)
        return self.builder.call("aten::format", [self.builder.constant(template), *given])

    # calls ----------------------------------------------------------------------------------------

    def _call(self, node: ast.Call, hint: Type | None) -> Sugared:
        called = self.sugared(node.func)
        self.at(node)
        if isinstance(called, Special):
            found = call_special(self, called, node, hint)
            if found is not None:
                return found
        if getattr(called, "name", "") == "aten::tolist":
            if hint is None:
                raise compile_error(self.where, "Expected type hint for result of tolist()")
            return Simple(self.builder.value("prim::tolist", [called.receiver], hint))  # type: ignore[attr-defined]  # a method of a tensor
        args, kwargs = self.arguments(node)
        self.at(node)
        return called.call(self, Arguments(args, kwargs))

    def arguments(self, node: ast.Call) -> tuple[list[Sugared], dict[str, Sugared]]:
        """What stands between the brackets of a call."""
        args: list[Sugared] = []
        for each in node.args:
            if isinstance(each, ast.Starred):
                args += self.sugared(each.value).unpacked(self, None)
            else:
                args.append(self.sugared(each))
        kwargs = {}
        for word in node.keywords:
            if word.arg is None:
                text = "keyword-arg expansion is not supported"
                raise not_supported(self.source, word.value, text)
            kwargs[word.arg] = self.sugared(word.value)
        return args, kwargs

    # branches -------------------------------------------------------------------------------------

    def condition(self, node: ast.expr) -> Condition:
        """What *node* decides, and what is known of names where it holds."""
        self.at(node)
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                found = self.condition(operand)
                self.at(node)
                return found.negated(self)
            case ast.BoolOp(op=op, values=[*values]):
                return self._logical(node, isinstance(op, ast.Or), values)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(node, left, op, right)
            case ast.Compare(left=left, ops=ops, comparators=rights):
                parts: list[ast.expr] = []
                for op, right in zip(ops, rights, strict=True):
                    parts.append(ast.copy_location(ast.Compare(left, [op], [right]), node))
                    left = right
                return self._logical(node, False, parts)
            case ast.Call(func=func):
                called = self.sugared(func)
                if isinstance(called, Special):
                    decided = call_special(self, called, node, None)
                    if isinstance(decided, Condition):
                        return decided
        return self._truth(self.value(node))

    def _truth(self, value: Value) -> Condition:
        known = value.toIValue()
        if value.type() != BOOL:
            if value.type().base == "Class":
                method = Simple(value).attr(self, "__bool__")
                return Condition(method.call(self, Arguments([], {})).as_value(self))
            if value.type().base not in ("Tensor", "int", "float"):
                raise compile_error(
                    self.where,
                    f"Could not cast value of type {value.type().annotation_str} to bool",
                )
            value = self.builder.call("aten::Bool", [value])
            known = None
        static = known if isinstance(known, bool) else None
        return Condition(value, static=static)

    def _condition_value(self, node: ast.expr) -> Value:
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if not isinstance(
                op, (ast.Is, ast.IsNot)
            ):
                return self._comparison(node, left, op, right)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                found = self.condition(operand)
                self.at(node)
                return found.negated(self).value(self)
        return self.condition(node).value(self)

    def _comparison(self, node: ast.expr, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Value:
        first, second = self.value(left), self.value(right)
        self.at(node)
        if isinstance(op, (ast.In, ast.NotIn)):
            first, second = second, first
        found = self.binary(_COMPARE[type(op)], first, second)
        return self.builder.call("aten::__not__", [found]) if isinstance(op, ast.NotIn) else found

    def _compared(
        self, node: ast.expr, left: ast.expr, op: ast.cmpop, right: ast.expr
    ) -> Condition:
        if not isinstance(op, (ast.Is, ast.IsNot)):
            return self._truth(self._comparison(node, left, op, right))
        first, second = self.value(left), self.value(right)
        self.at(node)
        is_ = isinstance(op, ast.Is)
        known = canonical_none(first.type(), second.type())
        if known is not None:
            return Condition(static=known == is_)
        value = self.builder.call(f"aten::{_COMPARE[type(op)]}", [first, second])
        return none_refinements(value, left, first, right, second, is_)

    def _logical(self, node: ast.expr, is_or: bool, parts: list[ast.expr]) -> Condition:
        found = self.condition(parts[0])
        for i, part in enumerate(parts[1:], 1):
            if found.static is not None:
                if found.static == is_or:
                    return found
                found = found.joined(self.condition(part), is_or)
                continue
            rest = part if i == len(parts) - 1 else part
            found = self._short_circuit(node, is_or, found, rest)
        return found

    def _short_circuit(
        self, node: ast.expr, is_or: bool, first: Condition, rest: ast.expr
    ) -> Condition:
        learnt: list[Condition] = []

        def other() -> Value:
            learnt.append(self.condition(rest))
            return learnt[0].value(self)

        def fixed() -> Value:
            return self.builder.constant(is_or)

        self.at(node)
        branches = (fixed, other) if is_or else (other, fixed)
        value = self.if_expression(first, *branches, BOOL)
        return first.joined(learnt[0], is_or).with_value(value)

    def if_expression(
        self,
        condition: Condition,
        body: Callable[[], Value],
        orelse: Callable[[], Value],
        hint: Type | None,
    ) -> Value:
        """One of two expressions."""
        if condition.static is not None:
            self.refine(condition.when(condition.static))
            return body() if condition.static else orelse()
        where = self.where
        node = self.builder.node("prim::If", [condition.value(self)], [])
        found = []
        for holds, emit in ((True, body), (False, orelse)):
            block = Block(self.builder.graph, node)
            node._blocks.append(block)
            self.env.push(block)
            with self.builder.inside(block):
                self.refine(condition.when(holds))
                made = emit()
                block.returned._inputs.append(made)
                found.append(made)
            self.env.pop()
        self.builder.where = where
        kind = unified(found[0].type(), found[1].type(), True)
        if hint is not None and all(is_subtype(each.type(), hint) for each in found):
            kind = hint
        if kind is None or (kind.base == "Union" and hint is None):
            raise compile_error(
                where,
                f"Type mismatch: ternary: true branch has type {found[0].type()} but false branch "
                f"has type {found[1].type()}",
            )
        return self.builder.graph.add_value(node, kind)

    def refine(self, known: dict[str, Type]) -> None:
        """Let names be of the types that a condition says."""
        for name, kind in known.items():
            former = self.env.get(name).as_value(self)
            where, self.builder.where = self.where, None
            made = self.builder.value("prim::unchecked_cast", [former], kind)
            self.env.set(name, Simple(made))
            self.builder.where = where

    # loops of expressions -------------------------------------------------------------------------

    def _list_comprehension(self, node: Any, loop: ast.comprehension, hint: Type | None) -> Value:
        made = self.builder.value("prim::ListConstruct", [], hint or list_of(ANY))
        first = [hint is None]

        def step() -> None:
            item = self.value(node.elt, hint.element if hint else None)
            self.at(node)
            if first[0]:
                made.set_type(list_of(item.type()))
                first[0] = False
            self.builder.call("aten::append", [made, item])

        self.loop_over(node, loop.target, loop.iter, step)
        return made

    def _dict_comprehension(self, node: Any, loop: ast.comprehension, hint: Type | None) -> Value:
        made = self.builder.value("prim::DictConstruct", [], hint or dict_of(STR, TENSOR))
        first = [hint is None]

        def step() -> None:
            key, item = self.value(node.key), self.value(node.value)
            self.at(node)
            if first[0]:
                made.set_type(dict_of(key.type(), item.type()))
                first[0] = False
            self.builder.call("aten::_set_item", [made, key, item])

        self.loop_over(node, loop.target, loop.iter, step)
        return made

    def loop_over(
        self, node: ast.AST, target: ast.expr, over: ast.expr, step: Callable[[], None]
    ) -> None:
        """Emit *step* for each element of *over*: once each, where they are known."""
        iterated = self.sugared(over).iterated(self)
        self.at(node)
        items = iterated.elements(self)
        if items is not None:
            frame = self.env.push(self.builder.block)
            for item in items:
                self.assign(target, item)
                step()
            self.env.pop()
            del frame
            return
        self.at(node)
        count = iterated.length(self)
        made = self.builder.node("prim::Loop", [count], [])
        entry, body = Block(self.builder.graph, made), Block(self.builder.graph, made)
        made._blocks += [entry, body]
        with self.builder.inside(entry):
            entry.returned._inputs.append(self.builder.constant(True))
        index = self.builder.graph.add_value(body.param, INT)
        self.env.push(body, True)
        with self.builder.inside(body):
            self.assign(target, iterated.item(self, index))
            step()
        self.env.pop()

    def assign(self, target: ast.expr, value: Sugared) -> None:
        """Set a name, or several."""
        raise NotImplementedError
