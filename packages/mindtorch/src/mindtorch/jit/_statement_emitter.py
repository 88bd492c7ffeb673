"""Emits the statements of a function into its graph.

Source: torch/csrc/jit/frontend/ir_emitter.cpp.
"""

from __future__ import annotations

import ast
from typing import Any

from ._condition import Condition
from ._environment import Frame
from ._expression_emitter import ExpressionEmitter
from ._frontend_errors import not_supported, unsupported
from ._ir import Block, Value
from ._source_range import compile_error
from ._subscript_emitter import set_item, tensor_item
from ._sugared_value import (
    Arguments,
    ExceptionClass,
    ExceptionMessage,
    Several,
    Simple,
    Sugared,
)  # fmt: skip
from ._types import NONE, TENSOR, Type, is_subtype, optional_of, unified

__all__ = ["StatementEmitter"]

_AUGMENTED = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Mod: "remainder",
    ast.FloorDiv: "floordiv", ast.Pow: "pow", ast.BitAnd: "__and__", ast.BitOr: "__or__",
    ast.BitXor: "__xor__", ast.LShift: "__lshift__", ast.RShift: "__rshift__",
    ast.MatMult: "matmul",
}  # fmt: skip
#: Operators that change a tensor where it is.
_IN_PLACE = frozenset(
    "add sub mul div remainder pow __and__ __or__ __xor__ __lshift__ __rshift__".split()
)
_IN_PLACE_NAMES = {
    "__and__": "__iand__", "__or__": "__ior__", "__xor__": "__ixor__",
    "__lshift__": "__ilshift__", "__rshift__": "__irshift__",
}  # fmt: skip
_NO_VALUE = "Return value was annotated as having type {} but is actually of type {}"


class StatementEmitter(ExpressionEmitter):
    """Emits a function's statements.

    :ivar declared: the type that the function says it returns; None where it says nothing.
    :ivar merged: the type of what it returns.
    """

    declared: Type | None = None
    merged: Type | None = None
    _current: ast.AST = ast.Pass()

    def statements(self, body: list[ast.stmt]) -> None:
        """Emit all that is reached."""
        for statement in body:
            if id(self.env.frame.block) in self.exited:
                return
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """Emit one."""
        self._current = node
        self.at(node)
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value=value):
                self._expression(value)
            case ast.Assign(targets=[target], value=value):
                hint = self._declared_type(target)
                self._assign_expression(target, value, hint, None)
            case ast.AnnAssign(target=target, annotation=annotation, value=value):
                if value is None:
                    raise unsupported(self.source, node, "without assigned value")
                kind = self.reader.read(annotation)
                self._assign_expression(target, value, kind, kind)
            case ast.AugAssign():
                self._augmented(node)
            case ast.Return(value=value):
                self._return(node, value)
            case ast.If(test=test, body=body, orelse=orelse):
                self._if(node, self.condition(test), body, orelse)
            case ast.While(test=test, body=body, orelse=[]):
                self._while(node, test, body)
            case ast.For(target=target, iter=over, body=body, orelse=[]):
                self._for(node, target, over, body)
            case ast.Break() | ast.Continue():
                self._leave_loop(node)
            case ast.Assert(test=test, msg=message):
                self._assert(node, test, message)
            case ast.Raise(exc=error):
                self._raise(node, error)
            case ast.With(items=items, body=body):
                self._with(node, items, body)
            case ast.Delete(targets=targets):
                for target in targets:
                    self._delete(target)
            case ast.While() | ast.For():
                kind = "while" if isinstance(node, ast.While) else "for"
                text = f"else branches of {kind} loops aren't supported"
                raise not_supported(self.source, node, text)
            case _:
                raise unsupported(self.source, node)

    def _expression(self, node: ast.expr) -> None:
        if isinstance(node, ast.Compare):
            self._condition_value(node)
            return
        found = self.sugared(node)
        if isinstance(found, Condition):
            return

    # assignment -----------------------------------------------------------------------------------

    def _declared_type(self, target: ast.expr) -> Type | None:
        """The type that is known of what is assigned to."""
        if isinstance(target, ast.Name):
            found = self.env.frame.find(target.id)
            return (
                None if not isinstance(found, Type) else found if found.base != "Tensor" else None
            )
        return None

    def _assign_expression(
        self, target: ast.expr, node: ast.expr, hint: Type | None, annotated: Type | None
    ) -> None:
        if isinstance(target, ast.Attribute):
            owner = self.sugared(target.value)
            known = getattr(owner, "attribute_type", lambda name: None)(target.attr)
            hint = hint or known
        value = self.sugared(node, hint)
        self.at(node)
        if annotated is not None:
            value = Simple(value.as_value(self))
        self.assign(target, value, annotated)

    def assign(self, target: ast.expr, value: Sugared, annotated: Type | None = None) -> None:
        """Set a name, an attribute, an element or several."""
        match target:
            case ast.Name(id=name):
                self.at(target)
                self.env.set(name, value, annotated)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self._unpack(target, targets, value)
            case ast.Attribute(value=owner, attr=name):
                made = value.as_value(self)
                held = self.sugared(owner)
                self.at(self._current)
                held.set_attr(self, name, made)
            case ast.Subscript():
                set_item(self, target, value.as_value(self))
            case _:
                raise unsupported(self.source, target)

    def _unpack(self, node: ast.expr, targets: list[ast.expr], value: Sugared) -> None:
        star = next((i for i, t in enumerate(targets) if isinstance(t, ast.Starred)), None)
        count = len(targets) if star is None else None
        items = value.unpacked(self, count)
        if star is not None:
            after = len(targets) - star - 1
            middle = items[star : len(items) - after]
            items = [*items[:star], Several(middle), *items[len(items) - after :]]
            if all(isinstance(each, Simple) for each in middle):
                items[star] = Simple(items[star].as_value(self))
        if len(items) != len(targets):
            self.at(node)
            short = len(items) < len(targets)
            few = f"need {len(targets)} values to unpack but found only {len(items)}"
            many = f"too many values to unpack: need {len(targets)} but found {len(items)}"
            raise compile_error(self.where, few if short else many)
        for each, item in zip(targets, items, strict=True):
            self.assign(each.value if isinstance(each, ast.Starred) else each, item)

    def _augmented(self, node: ast.AugAssign) -> None:
        name, target = _AUGMENTED[type(node.op)], node.target
        if isinstance(target, ast.Subscript):
            self._augmented_item(node, name, target)
            return
        read: Any = ast.copy_location(
            ast.Name(target.id, ast.Load())
            if isinstance(target, ast.Name)
            else ast.Attribute(target.value, target.attr, ast.Load()),
            target,
        )
        former, other = self.value(read), self.value(node.value)
        self.at(node)
        made = self._in_place(name, former, other)
        self.assign(target, Simple(made))

    def _in_place(self, name: str, former: Value, other: Value) -> Value:
        kind = former.type()
        if kind == TENSOR and name in _IN_PLACE:
            own = _IN_PLACE_NAMES.get(name, f"{name}_")
            return self.builder.call(f"aten::{own}", [former, other])
        if kind.base == "List" and name in ("add", "mul"):
            return self.builder.call(f"aten::{name}_", [former, other])
        if kind.base == "Class":
            own = f"__i{name}__"
            if kind.definition.has(own):
                found = Simple(former).attr(self, own).call(self, Arguments([Simple(other)], {}))
                return found.as_value(self)
        return self.binary(name, former, other)

    def _augmented_item(self, node: ast.AugAssign, name: str, target: ast.Subscript) -> None:
        owner = self.value(target.value)
        self.at(target)
        if owner.type() == TENSOR:
            view, indices = tensor_item(self, target, owner)
            if indices:
                made = self.builder.list(indices, optional_of(TENSOR))
                former = self.builder.call("aten::index", [view, made])
                other = self.value(node.value)
                self.at(node)
                changed = self._in_place(name, former, other)
                self.builder.call("aten::index_put_", [view, made, changed])
                return
            other = self.value(node.value)
            self.at(node)
            self._in_place(name, view, other)
            return
        index = self.value(target.slice)
        former = Simple(owner).item(self, index).as_value(self)
        other = self.value(node.value)
        self.at(node)
        changed = self._in_place(name, former, other)
        self.builder.call("aten::_set_item", [owner, index, changed])

    def _delete(self, target: ast.expr) -> None:
        match target:
            case ast.Subscript(value=owner, slice=index):
                given = [self.value(owner), self.value(index)]
                self.at(target)
                self.builder.call("aten::Delete", given)
            case ast.Name(id=name):
                for table in (self.env.frame.types, self.env.frame.sugared):
                    table.pop(name, None)  # type: ignore[attr-defined]  # either table
            case _:
                raise compile_error(
                    self.where,
                    "del statements are only supported for deleting variables and list or dict "
                    "elements",
                )

    # leaving --------------------------------------------------------------------------------------

    def _return(self, node: ast.AST, value: ast.expr | None) -> None:
        wanted = self.declared
        made = self.builder.constant(None) if value is None else self.value(value, wanted)
        self.at(node)
        if made.node().kind() == "prim::EmptyListLiteral":
            made = self.builder.list(
                [], wanted.element if wanted and wanted.base == "List" else TENSOR
            )
        if wanted is not None:
            if not (wanted == TENSOR and made.type() == NONE):
                made = self.builder.converted(made, wanted, True)
            if not is_subtype(made.type(), wanted):
                raise compile_error(
                    self.where,
                    _NO_VALUE.format(wanted.annotation_str, made.type().annotation_str),
                )
            self.merged = wanted
        else:
            both = made.type() if self.merged is None else unified(self.merged, made.type())
            if both is None:
                assert self.merged is not None
                raise compile_error(
                    self.where,
                    f"Previous return statement returned a value of type "
                    f"{self.merged.annotation_str}"
                    f" but this return statement returns a value of type "
                    f"{made.type().annotation_str}",
                )
            self.merged = both
        self.builder.node("prim::ReturnStmt", [made], [])
        self.exited.add(id(self.env.frame.block))

    def finish(self, node: Any) -> None:
        """Return None at the end, where the end is reached."""
        if id(self.builder.block) not in self.exited:
            if self.declared not in (None, NONE):
                raise compile_error(
                    self.source.range_of(node),
                    "Function was not annotated as having type None, but does not return along all "
                    "paths",
                )
            self.builder.where = None
            self.builder.node("prim::ReturnStmt", [self.builder.constant(None)], [])
            self.merged = unified(self.merged, NONE) if self.merged else NONE
        elif self.merged is None:
            self.merged = self.declared or NONE

    def _leave_loop(self, node: ast.stmt) -> None:
        is_break = isinstance(node, ast.Break)
        if not self.env.in_loop():
            word = "Break" if is_break else "Continue"
            raise compile_error(self.where, f"SyntaxError: '{word.lower()}' outside loop")
        self.builder.node("prim::BreakStmt" if is_break else "prim::ContinueStmt", [], [])
        self.exited.add(id(self.env.frame.block))

    def _assert(self, node: ast.stmt, test: ast.expr, message: ast.expr | None) -> None:
        text = message or ast.Constant("")
        name = ast.Name("AssertionError", ast.Load())
        fail = ast.Raise(ast.Call(name, [text], []), None)
        for each in (name, fail, fail.exc, *(() if message else (text,))):
            ast.copy_location(each, node)  # type: ignore[type-var]  # the call is there
        self._if(node, self.condition(test), [], [fail])

    def _raise(self, node: ast.stmt, error: ast.expr | None) -> None:
        if error is None:
            raise unsupported(self.source, node)
        found = self.sugared(error)
        self.at(node)
        if isinstance(found, ExceptionClass):
            found = found.call(self, Arguments([], {}))
        if not isinstance(found, ExceptionMessage):
            raise compile_error(self.where, "exceptions must derive from BaseException")
        name = self.builder.constant(found.name or None)
        self.builder.node("prim::RaiseException", [found.message, name], [])
        self.exited.add(id(self.env.frame.block))

    # blocks ---------------------------------------------------------------------------------------

    def _if(
        self, node: ast.stmt, condition: Condition, body: list[ast.stmt], orelse: list[ast.stmt]
    ) -> None:
        if condition.static is not None:
            self.refine(condition.when(condition.static))
            self.statements(body if condition.static else orelse)
            return
        value = condition.value(self)
        self.at(node)
        made = self.builder.node("prim::If", [value], [])
        frames = [
            self._branch(made, condition.when(holds), branch)
            for holds, branch in ((True, body), (False, orelse))
        ]
        self._join(node, made, frames)

    def _branch(self, node: Any, known: dict[str, Type], body: list[ast.stmt]) -> Frame:
        block = Block(self.builder.graph, node)
        node._blocks.append(block)
        self.env.push(block)
        with self.builder.inside(block):
            self.refine(known)
            self.statements(body)
        return self.env.pop()

    def _join(self, statement: ast.stmt, node: Any, frames: list[Frame]) -> None:
        """Say what the names that a branch sets are afterwards."""
        gone = [id(frame.block) in self.exited for frame in frames]
        if all(gone):
            self.exited.add(id(self.env.frame.block))
            return
        names = set()
        for i, frame in enumerate(frames):
            other = frames[1 - i]
            for name in frame.types:
                if gone[1 - i] or isinstance(other.find(name), Type):
                    names.add(name)
                elif other.find(name) is None:
                    branch = "false" if i == 0 else "true"
                    where = self.source.range_of(statement).highlight()
                    text = f"\n{name} is not defined in the {branch} branch:\n{where}"
                    self.env.frame.errors[name] = text
        for name in sorted(names):
            kinds = [frame.find(name) for frame in frames]
            if any(gone):
                at = gone.index(True)
                kind = kinds[1 - at]
                if not isinstance(kind, Type):
                    continue
                with self.builder.inside(frames[at].block):
                    empty = self.builder.value("prim::Uninitialized", [], kind)
                    self.builder.node("prim::Store", [empty], [], name=name, type=kind)
                frames[at].types[name] = kind
                joined: Type | None = kind
            else:
                outer = self.env.frame.find(name)
                joined = unified(kinds[0], kinds[1])  # type: ignore[arg-type]  # both are types
                if joined is None and isinstance(outer, Type):
                    joined = outer
            if joined is None:
                said = " and ".join(f"{kind}" for kind in kinds)
                where = self.source.range_of(statement).highlight()
                self.env.frame.errors[name] = (
                    f"Type mismatch: {name} is of types {said} in the branches:\n{where}"
                )
                for frame in frames:
                    frame.types.pop(name, None)
                continue
            self.env.frame.types[name] = joined
            self.env.frame.sugared.pop(name, None)

    def _while(self, node: ast.stmt, test: ast.expr, body: list[ast.stmt]) -> None:
        most = self.builder.constant((1 << 63) - 1)
        self._loop(node, most, test, lambda index: self.statements(body))

    def _for(self, node: ast.stmt, target: ast.expr, over: ast.expr, body: list[ast.stmt]) -> None:
        iterated = self.sugared(over).iterated(self)
        self.at(node)
        items = iterated.elements(self)
        if items is not None:
            for item in items:
                self.at(node)
                self.assign(target, item)
                self.statements(body)
            return
        count = iterated.length(self)

        def step(index: Value) -> None:
            self.assign(target, iterated.item(self, index))
            self.statements(body)

        self._loop(node, count, None, step)

    def _loop(self, node: ast.stmt, count: Value, test: ast.expr | None, step: Any) -> None:
        from ._types import INT

        self.at(node)
        made = self.builder.node("prim::Loop", [count], [])
        entry, body = Block(self.builder.graph, made), Block(self.builder.graph, made)
        made._blocks += [entry, body]
        known: dict[str, Type] = {}
        self.env.push(entry)
        with self.builder.inside(entry):
            if test is None:
                value = self.builder.constant(True)
            else:
                condition = self.condition(test)
                value, known = condition.value(self), condition.when(True)
            entry.returned._inputs.append(value)
        self.env.pop()
        index = self.builder.graph.add_value(body.param, INT)
        self.env.push(body, True)
        with self.builder.inside(body):
            self.refine(known)
            self.at(node)
            step(index)
        self.env.pop()

    def _with(self, node: ast.stmt, items: list[ast.withitem], body: list[ast.stmt]) -> None:
        if not items:
            self.statements(body)
            return
        value = self.value(items[0].context_expr)
        self.at(node)
        kind: Type = value.type()
        if kind.base != "Class" or not kind.definition.has("__enter__"):
            raise compile_error(self.where, "With item expression must return an object")
        made = self.builder.node("prim::With", [value], [])
        block = Block(self.builder.graph, made)
        made._blocks.append(block)
        entered = kind.definition.method_result(self, "__enter__")
        kind.definition.method_result(self, "__exit__")
        bound = self.builder.graph.add_value(block.param, entered)
        if items[0].optional_vars is not None:
            with self.builder.inside(block):
                self.assign(items[0].optional_vars, Simple(bound))
        with self.builder.inside(block):
            outer = self.env.frame.block
            self.env.frame.block = block
            self._with(node, items[1:], body)
            self.env.frame.block = outer
        if id(block) in self.exited:
            self.exited.add(id(outer))
