"""Graphs of scripts as source.

Source: torch/csrc/jit/serialization/python_print.cpp.
"""

from __future__ import annotations

from collections.abc import Iterable
from keyword import iskeyword
from typing import Any

from ._ir import Block, Graph, Node, Value
from ._operators import MISSING, Schema, overloads
from ._script_constants import Constants, constant_text
from ._types import Type

__all__ = ["ScriptPrinter"]

#: From this length on an expression gets a line of its own.
_LONG = 40
_MOST = (1 << 63) - 1
_CASTS = {
    "aten::Int": "int",
    "aten::Float": "float",
    "aten::Bool": "bool",
    "aten::Complex": "complex",
    "aten::str": "str",
}
_IMPLICIT = frozenset(f"aten::{k}Implicit" for k in ("Int", "Float", "Scalar", "Complex"))
_RESERVED = frozenset(
    "and as assert async await break class continue def del elif else except False finally for "
    "from global if import in is lambda None nonlocal not or pass raise return True try while "
    "with yield uninitialized unchecked_cast as ops inf nan infj nanj CONSTANTS fork "
    "attribute getattr annotate".split()
)


class ScriptPrinter:
    """Writes the body of one function.

    :param level: how far its ``def`` stands in.
    """

    def __init__(self, graph: Graph, level: int, constants: Constants) -> None:
        self._graph, self._constants = graph, constants
        self._level = level + 1
        self._text: dict[int, str] = {}
        self._inline: set[int] = set()
        self._used: set[str] = set()
        self._next: dict[str, int] = {}
        self._annotated: set[int] = set()
        self._split: dict[int, int] = {}
        self._uses: dict[int, list[tuple[Node, int]]] = {}
        self.lines: list[str] = []
        self._collect(graph.block)

    def _collect(self, block: Block) -> None:
        for node in (*block.items, block.returned):
            for at, value in enumerate(node.inputs()):
                self._uses.setdefault(id(value), []).append((node, at))
            for inner in node.blocks():
                self._collect(inner)

    def arguments(self) -> list[str]:
        """The names of what goes in."""
        for value in self._graph.inputs():
            self._name_value(value)
        return [self._text[id(value)] for value in self._graph.inputs()]

    def body(self) -> list[str]:
        """The lines, without what is before the body."""
        self._scan_block(self._graph.block)
        for node in self._constants_of(self._graph.block, []):
            self._node(node, True)
        self._block(self._graph.block, True)
        self._node(self._graph.block.returned)
        return self.lines

    def _constants_of(self, block: Block, found: list[Node]) -> list[Node]:
        for node in (*block.items, block.returned):
            for value in node.inputs():
                made = value.node()
                if made.kind() == "prim::Constant" and made not in found:
                    if node.kind() != "prim::forkedCall" or made.constant is None:
                        found.append(made)
            for inner in node.blocks():
                self._constants_of(inner, found)
        return found

    # what stands in an expression -----------------------------------------------------------------

    def _can_inline(self, value: Value) -> bool:
        node = value.node()
        uses = self._uses.get(id(value), [])
        if node.outputsSize() != 1 or len(uses) != 1 or node._blocks:
            return False
        user, at = uses[0]
        if value.named and user.kind() != "prim::Return":
            return False
        if user.kind() == "prim::Loop" and at >= 2:
            return False
        return node.kind() != "prim::isinstance" and user.kind() != "prim::forkedCall"

    def _scan_block(self, block: Block) -> None:
        self._scan_node(block.returned, block)
        for node in reversed(list(block.items)):
            self._scan_node(node, block)

    def _previous(self, node: Node, block: Block) -> Node | None:
        items = block.items
        at = len(items) if node is block.returned else items.index(node)
        while at > 0:
            at -= 1
            if items[at].kind() != "prim::Constant":
                return items[at]
        return None

    def _scan_node(self, node: Node, block: Block) -> Node | None:
        if id(node) in self._inline:
            return node
        for inner in node.blocks():
            self._scan_block(inner)
        point = self._previous(node, block)
        for value in reversed(list(node.inputs())):
            point = self._scan_value(point, value, block)
        return point

    def _scan_value(self, point: Node | None, value: Value, block: Block) -> Node | None:
        node = value.node()
        if node is point and self._can_inline(value):
            point = self._scan_node(node, block)
            self._inline.add(id(node))
        elif node.kind() == "prim::Constant":
            self._inline.add(id(node))
        return point

    # names ----------------------------------------------------------------------------------------

    def _free_name(self, wanted: str) -> str:
        name = wanted
        while name in self._used or name in _RESERVED or iskeyword(name):
            number = self._next.get(wanted, 0)
            self._next[wanted] = number + 1
            name = f"{wanted}{number}"
        self._used.add(name)
        return name

    def _temporary(self) -> str:
        number = self._next.get("_", 0)
        while f"_{number}" in self._used:
            number += 1
        self._next["_"] = number + 1
        self._used.add(f"_{number}")
        return f"_{number}"

    def _name_value(self, value: Value) -> str:
        if value.named:
            base = value.debugName().partition(".")[0]
            name = self._free_name(base)
        else:
            name = self._temporary()
        self._text[id(value)] = name
        return name

    def _of(self, value: Value) -> str:
        found = self._text.get(id(value))
        if found is None and value.node().kind() == "prim::Constant":
            found = self._text[id(value)] = self._right(value.node())
        if found is None:
            raise AssertionError(f"a value without a name: {value}")
        return found

    def _list(self, values: Iterable[Value]) -> str:
        return ", ".join(map(self._of, values))

    # statements -----------------------------------------------------------------------------------

    def _add(self, line: str) -> None:
        self.lines.append("  " * self._level + line)

    def _is_long(self, text: str) -> bool:
        return len(text) + self._level * 2 >= _LONG

    def _split_long(self, node: Node) -> None:
        """Give a line of their own to inputs that are long, and to what runs before them."""
        for at, value in enumerate(node.inputs()):
            if self._is_inline(value) and self._is_long(self._of(value)):
                found: list[Node] = []
                self._before(node, at, found)
                for each in reversed(found):
                    self._define(each, self._of(each.output()))

    def _before(self, user: Node, at: int, found: list[Node]) -> None:
        """The nodes in an expression up to an input of *user*, the last first."""
        seen = self._split.get(id(user))
        for i in range(at, -1 if seen is None else seen, -1):
            if self._is_inline(user._inputs[i]):
                found.append(user._inputs[i].node())
        self._split[id(user)] = at
        if seen is None and id(user) in self._inline:
            outer, place = self._uses[id(user.output())][0]
            self._before(outer, place - 1, found)  # what is being written cannot be split

    def _is_inline(self, value: Value) -> bool:
        node = value.node()
        return id(node) in self._inline and node.kind() != "prim::Constant"

    def _define(self, node: Node, text: str) -> None:
        if node.outputsSize():
            names = ", ".join(self._name_value(value) for value in node.outputs())
            text = f"{names} = {text}"
        self._add(text)

    def _block(self, block: Block, other: bool) -> None:
        if not other and all(n.kind() == "prim::Constant" for n in block.items):
            self._add("pass")
        start = self._level
        for node in block.items:
            self._node(node)
        self._level = start

    def _node(self, node: Node, constant: bool = False) -> None:
        kind = node.kind()
        if kind == "prim::Constant" and not constant:
            return
        self._split_long(node)
        match kind:
            case "prim::Return":
                if node._inputs:
                    self._add(f"return {self._list(node.inputs())}")
            case "prim::Loop":
                self._loop(node)
            case "prim::If":
                self._if(node)
            case "prim::TupleUnpack" | "prim::ListUnpack":
                names = "".join(f"{self._name_value(value)}, " for value in node.outputs())
                text = self._of(node.input())
                self._add(f"{names}= {text}" if names else text)
            case "prim::SetAttr":
                owner, value = map(self._of, node.inputs())
                self._add(f"{owner}.{node.attributes['name']} = {value}")
            case "prim::Enter":
                name = (
                    ""
                    if not self._uses.get(id(node.output()))
                    else f" as {self._name_value(node.output())}"
                )
                self._add(f"with {self._of(node.input())}{name}:")
                self._level += 1
            case "prim::Exit":
                self._level -= 1
            case _:
                text = self._right(node)
                if id(node) not in self._inline or (
                    kind == "prim::Constant" and self._is_long(text)
                ):
                    self._define(node, text)
                else:
                    self._text[id(node.output())] = text

    def _assign(self, targets: list[Value], values: list[Value], annotate: bool = True) -> None:
        if not targets:
            return
        names = ", ".join(map(self._of, targets))
        if annotate and len(targets) == 1:
            target = targets[0]
            kind: Type = target.type()
            if id(target) not in self._annotated and kind.base in ("Optional", "Union"):
                names += f" : {kind.annotation_str}"
                self._annotated.add(id(target))
        self._add(f"{names} = {self._list(values)}")

    def _if(self, node: Node) -> None:
        outputs = list(node.outputs())
        for value in outputs:
            self._name_value(value)
        self._add(f"if {self._of(node._inputs[0])}:")
        for i, block in enumerate(node.blocks()):
            if i:
                self._add("else:")
            self._level += 1
            self._block(block, bool(outputs))
            self._split_long(block.returned)
            self._assign(outputs, list(block.outputs()))
            self._level -= 1

    def _loop(self, node: Node) -> None:
        (body,) = node.blocks()
        most, start = node._inputs[:2]
        again = body.returned._inputs[0]
        counted = start.toIValue() is True and again.toIValue() is True
        if not counted and most.toIValue() != _MOST:
            raise AssertionError("a loop that counts and asks")
        index, *inner = body.inputs()
        outputs = list(node.outputs())
        for outer, value in zip(outputs, inner, strict=True):
            self._text[id(value)] = self._name_value(outer)
        for target, value in zip(outputs, node._inputs[2:], strict=True):
            kind: Type = target.type()
            said = f": {kind.annotation_str}" if kind != value.type() else ""
            self._add(f"{self._of(target)}{said} = {self._of(value)}")
        if counted:
            name = self._name_value(index)
            self._add(f"for {name} in range({self._of(most)}):")
        else:
            name = self._name_value(index)
            self._add(f"{name} = {self._of(start)}")
            self._add(f"while {name}:")
        self._level += 1
        offset = 1 if counted else 0
        targets = [index, *inner][offset:]
        self._block(body, bool(targets))
        self._split_long(body.returned)
        self._assign(targets, body.returned._inputs[offset:], False)
        self._level -= 1

    # expressions ----------------------------------------------------------------------------------

    def _right(self, node: Node) -> str:
        kind = node.kind()
        given = [] if kind == "prim::Constant" else [self._of(value) for value in node.inputs()]
        type_: Any = node._outputs[0].type() if node._outputs else None
        match kind:
            case "prim::Constant":
                return self._constant(node, type_)
            case "prim::TupleConstruct":
                if type_.base == "NamedTuple":
                    return f"{type_.name}({', '.join(given)})"
                return f"({given[0]},)" if len(given) == 1 else f"({', '.join(given)})"
            case "prim::TupleIndex" | "aten::__getitem__" if self._is_item(node):
                own = given[0]
                plain = kind == "aten::__getitem__" and own.isidentifier()
                return f"{own}[{given[1]}]" if plain else f"({own})[{given[1]}]"
            case "prim::ListConstruct":
                items = f"[{', '.join(given)}]"
                if not given or not _inferred(type_.element):
                    return f"annotate({type_.annotation_str}, {items})"
                return items
            case "prim::DictConstruct":
                pairs = ", ".join(f"{k}: {v}" for k, v in zip(given[::2], given[1::2], strict=True))
                if not given or not all(map(_inferred, type_.args)):
                    return f"annotate({type_.annotation_str}, {{{pairs}}})"
                return f"{{{pairs}}}"
            case "prim::CreateObject":
                return f"{type_.name}.__new__({type_.name})"
            case "prim::GetAttr":
                name = node.attributes["name"]
                if name.isidentifier() and not iskeyword(name):
                    return f"{given[0]}.{name}"
                return f'getattr({given[0]}, "{name}")'
            case "prim::CallFunction":
                return f"{given[0]}({''.join(f'{each}, ' for each in given[1:])})"
            case "prim::CallMethod":
                rest = "".join(f"{each}, " for each in given[1:])
                return f"({given[0]}).{node.attributes['name']}({rest})"
            case "prim::forkedCall":
                return self._fork(node, given)
            case "prim::unchecked_cast" | "prim::Uninitialized" | "prim::tolist":
                if kind == "prim::tolist":
                    return f"annotate({type_.annotation_str}, {given[0]}.tolist())"
                return f"{kind[6:].lower()}({', '.join([type_.annotation_str, *given])})"
            case "prim::isinstance":
                types = [_tested(each) for each in node.attributes["types"]]
                shown = types[0] if len(types) == 1 else f"[{', '.join(types)}]"
                return f"isinstance({given[0]}, {shown})"
            case "prim::Print":
                return f"print({', '.join(given)})"
            case "prim::EnumName" | "prim::EnumValue":
                return f"{given[0]}.{kind[10:].lower()}"
        if kind in _CASTS:
            return f"{_CASTS[kind]}({', '.join(given)})"
        if kind in _IMPLICIT:
            return f"annotate({type_.annotation_str.replace('number', 'number')}, {given[0]})"
        return self._operator(node, given)

    def _is_item(self, node: Node) -> bool:
        return node.kind() == "prim::TupleIndex" or node._inputs[0].type().base in (
            "List",
            "Dict",
            "str",
        )

    def _constant(self, node: Node, type_: Type) -> str:
        value = node.constant
        if type_.base in ("Optional",) and value is None:
            return f"annotate({type_.annotation_str}, None)"
        if value == [] or (isinstance(value, list) and not _inferred(type_)):
            return f"annotate({type_.annotation_str}, {value})"
        if type_.base == "Enum":
            return f"{type_.name}.{value.name}"
        return constant_text(value, self._constants)

    def _fork(self, node: Node, given: list[str]) -> str:
        """A function of its own that calls what is forked."""
        made: Node = node.attributes["call"].node
        name = self._free_name("__forked_function")
        self._add(f"def {name}():")
        self._level += 1
        rest = "".join(f"{each}, " for each in given[1:])
        called = given[0]
        if made.kind() == "prim::CallMethod":
            called = f"({called}).{made.attributes['name']}"
        elif self._is_long(called):
            called = self._temporary()
            self._add(f"{called} = {given[0]}")
        self._add(f"return {called}({rest})")
        self._level -= 1
        return f"fork({name})"

    def _operator(self, node: Node, given: list[str]) -> str:
        library, _, name = node.kind().partition("::")
        function = f"torch.{name}" if library == "aten" else f"ops.{library}.{name}"
        schema = _schema_of(node)
        if schema is None or schema.vararg:
            return f"{function}({', '.join(given)})"
        count = len(given)
        while count and self._is_default(node, schema, count - 1):
            count -= 1
        shown = []
        for at, argument in enumerate(schema.arguments[:count]):
            shown.append(f"{argument.name}={given[at]}" if argument.kwarg_only else given[at])
        return f"{function}({', '.join(shown)})"

    def _is_default(self, node: Node, schema: Schema, at: int) -> bool:
        argument, value = schema.arguments[at], node._inputs[at]
        default = argument.default
        if default is MISSING:
            return False
        if argument.length and isinstance(default, (int, float)):
            default = [default] * argument.length
        found = _literal(value)
        return found is not MISSING and type(found) is type(default) and found == default


def _literal(value: Value) -> Any:
    """A constant; MISSING for another value, lists that are made among them."""
    node = value.node()
    return node.constant if node.kind() == "prim::Constant" else MISSING


def _schema_of(node: Node) -> Schema | None:
    """The schema that the node was made by."""
    found = node.schema
    if found is None:
        schemas = [s for s in overloads(node.kind()) if len(s.arguments) == node.inputsSize()]
        found = schemas[0] if schemas else None
    return found  # type: ignore[no-any-return]  # a schema


def _inferred(kind: Type) -> bool:
    """Whether the type of a list says itself what is in it."""
    return kind.base not in ("Optional", "Union", "Any", "Interface") and all(
        map(_inferred, kind.args if kind.base in ("List", "Tuple", "Dict") else ())
    )


def _tested(kind: Type) -> str:
    if kind.base in ("List", "Tuple", "Dict") and not kind.args:
        return {"List": "list", "Tuple": "tuple", "Dict": "dict"}[kind.base]
    return kind.annotation_str
