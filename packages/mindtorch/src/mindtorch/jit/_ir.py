"""Graphs of operators as TorchScript has them: nodes of a kind, values with types, blocks.

A trace gives one (``torch.jit._get_trace_graph``), and the compiler of scripts; nothing runs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..aten import torch
from ..core.errors import scalar_type
from . import script_types
from ._text import float_text

__all__ = ["Block", "Graph", "NamedType", "Node", "TensorType", "Value"]


class TensorType(script_types.TensorType):  # type: ignore[misc]  # made as the list of names says
    """What a graph knows of a tensor: all but the numbers."""

    def __new__(cls, *args: Any) -> TensorType:
        """The type of a tensor."""
        return object.__new__(cls)

    def __init__(self, tensor: Any, requires_grad: bool | None = None) -> None:
        self._dtype = tensor.dtype
        self._sizes, self._strides = list(tensor.shape), list(tensor.stride())
        self._device = tensor.device
        differentiable = tensor.is_floating_point() or tensor.is_complex()
        wanted = tensor.requires_grad if requires_grad is None else requires_grad
        self._requires_grad = bool(wanted and differentiable)

    def kind(self) -> str:
        """``TensorType``."""
        return "TensorType"

    def scalarType(self) -> str:
        """The dtype, as C++ calls it."""
        return scalar_type(self._dtype)

    def dtype(self) -> Any:
        """The dtype."""
        return self._dtype

    def sizes(self) -> list[int]:
        """The sizes."""
        return list(self._sizes)

    def strides(self) -> list[int]:
        """The strides."""
        return list(self._strides)

    def dim(self) -> int:
        """How many dimensions there are."""
        return len(self._sizes)

    def requires_grad(self) -> bool:
        """Whether gradients are wanted."""
        return bool(self._requires_grad)

    def device(self) -> Any:
        """The device."""
        return self._device

    @property
    def annotation_str(self) -> str:
        """``Tensor``."""
        return "Tensor"

    def __str__(self) -> str:
        parts = [str(size) for size in self._sizes]
        if parts:
            parts.append("strides=[" + ", ".join(map(str, self._strides)) + "]")
        parts += [f"requires_grad={int(self._requires_grad)}", f"device={self._device}"]
        return f"{self.scalarType()}({', '.join(parts)})"

    __repr__ = __str__


class NamedType:
    """The type of a value that is no tensor."""

    def __init__(self, name: str) -> None:
        self._name = name

    def kind(self) -> str:
        """The name of the class of such types."""
        kinds = {"str": "StringType", "NoneType": "NoneType", "Device": "DeviceObjType"}
        if self._name.endswith("[]"):
            return "ListType"
        if self._name.startswith("("):
            return "TupleType"
        return kinds.get(self._name, self._name.capitalize() + "Type")

    @property
    def annotation_str(self) -> str:
        """The type as source writes it."""
        if self._name.endswith("[]"):
            return f"List[{self._name[:-2]}]"
        return self._name

    def __str__(self) -> str:
        return self._name

    __repr__ = __str__


class Value(script_types.Value):  # type: ignore[misc]  # made as the list of names says
    """What goes into nodes and comes out of one.

    :ivar named: whether a variable of the program gave it its name.
    """

    def __new__(cls, *args: Any) -> Value:
        """A value of a graph."""
        return object.__new__(cls)

    def __init__(self, name: str, node: Node, type_: Any) -> None:
        self._name, self._node, self._type = name, node, type_
        self.named = False

    def debugName(self) -> str:
        """The name, which no other value of the graph has."""
        return self._name

    def unique(self) -> int:
        """The number in the name."""
        return int(self._name)

    def node(self) -> Node:
        """The node that it comes out of."""
        return self._node

    def type(self) -> Any:
        """What is known of it."""
        return self._type

    def set_type(self, type_: Any) -> None:
        """Say what is known of it now."""
        self._type = type_

    def isCompleteTensor(self) -> bool:
        """Whether it is a tensor of which all but the numbers is known."""
        return isinstance(self._type, TensorType)

    def requires_grad(self) -> bool:
        """Whether it is a tensor that wants gradients."""
        return isinstance(self._type, TensorType) and self._type.requires_grad()

    def toIValue(self) -> Any:
        """The constant that it is; None for another value."""
        return self._node.constant if self._node.kind() == "prim::Constant" else None

    def __str__(self) -> str:
        return f"{self._name} defined in ({str(self._node).rstrip()})"

    def __repr__(self) -> str:
        return str(self)


class Node(script_types.Node):  # type: ignore[misc]  # made as the list of names says
    """One operator, constant, construction of a list, or statement with blocks.

    :ivar constant: the value of a constant.
    :ivar attributes: what belongs to it that is no value, by name.
    :ivar block: where it stands.
    :ivar where: the place in the program that it comes from; None if there is none.
    :ivar writes: whether it changes what goes in.
    :ivar schema: the overload of the operator that it is.
    """

    def __new__(cls, *args: Any) -> Node:
        """A node of a graph."""
        return object.__new__(cls)

    def __init__(self, kind: str, inputs: list[Value], scope: str, constant: Any = None) -> None:
        self._kind, self._inputs, self._scope = kind, inputs, scope
        self._outputs: list[Value] = []
        self._blocks: list[Block] = []
        self.constant = constant
        self.attributes: dict[str, Any] = {}
        self.block: Block | None = None
        self.where: Any = None
        self.writes = False
        self.schema: Any = None

    def kind(self) -> str:
        """``aten::add``, ``prim::Constant``."""
        return self._kind

    def scopeName(self) -> str:
        """The scopes that it was recorded in, with slashes between."""
        return self._scope

    def inputs(self) -> Iterator[Value]:
        """What goes in."""
        return iter(self._inputs)

    def outputs(self) -> Iterator[Value]:
        """What comes out."""
        return iter(self._outputs)

    def blocks(self) -> Iterator[Block]:
        """The blocks of a branch or loop."""
        return iter(self._blocks)

    def inputsSize(self) -> int:
        """How many values go in."""
        return len(self._inputs)

    def outputsSize(self) -> int:
        """How many values come out."""
        return len(self._outputs)

    def inputsAt(self, i: int) -> Value:
        """One of those that go in."""
        return self._inputs[i]

    def outputsAt(self, i: int) -> Value:
        """One of those that come out."""
        return self._outputs[i]

    def input(self) -> Value:
        """The only one that goes in."""
        (found,) = self._inputs
        return found

    def output(self) -> Value:
        """The only one that comes out."""
        (found,) = self._outputs
        return found

    def attributeNames(self) -> list[str]:
        """``value``, of a constant that is not None; ``name``, of an attribute that is read."""
        if self._kind != "prim::Constant":
            return list(self.attributes)
        return ["value"] if self.constant is not None else []

    def hasAttribute(self, name: str) -> bool:
        """Whether there is an attribute of that name."""
        return name in self.attributeNames()

    def s(self, name: str) -> str:
        """The text of an attribute."""
        found = self.constant if self._kind == "prim::Constant" else self.attributes[name]
        if not isinstance(found, str):
            raise RuntimeError(f"required attribute {name} is no text")
        return found

    def sourceRange(self) -> str:
        """The place in the program that it comes from."""
        return "" if self.where is None else str(self.where)

    def _shown_constant(self) -> str:
        if self.constant is None:
            return ""
        value: Any = self.constant
        if hasattr(value, "qualified_name"):
            return f'[name="{value.name}"]'
        if isinstance(value, bool):
            shown = str(int(value))
        elif isinstance(value, float):
            shown = float_text(value)
        elif isinstance(value, str):
            shown = '"' + value.encode("unicode_escape").decode().replace('"', '\\"') + '"'
        elif isinstance(value, torch.Tensor):
            number = value.tolist()
            shown = f"{{{number:g}}}" if isinstance(number, (int, float)) else "<Tensor>"
        else:
            shown = f'"{value}"' if str(self._outputs[0].type()) == "Device" else str(value)
        return f"[value={shown}]"

    def _shown_attributes(self) -> str:
        if self._kind == "prim::Constant":
            return self._shown_constant()
        shown = [
            f'{k}="{v}"' if isinstance(v, str) else f"{k}={v}" for k, v in self.attributes.items()
        ]
        return f"[{', '.join(shown)}]" if shown else ""

    def __str__(self) -> str:
        return self.shown("")

    def shown(self, indent: str) -> str:
        """Its lines, each after *indent*."""
        made = ", ".join(f"%{v.debugName()} : {v.type()}" for v in self._outputs)
        given = ", ".join(f"%{v.debugName()}" for v in self._inputs)
        where = "" if self.where is None else f" # {self.where}"
        text = f"{indent}{made} = {self._kind}{self._shown_attributes()}({given}){where}\n"
        for i, block in enumerate(self._blocks):
            text += block.shown(f"{indent}  ", i)
        return text

    __repr__ = __str__


class Block:
    """Nodes in order, what goes in and what comes out: of a graph, a branch or the body of a loop.

    :ivar items: the nodes.
    :ivar owner: the node that has the block; None for a graph's own.
    """

    def __init__(self, graph: Graph, owner: Node | None = None) -> None:
        self.graph, self.owner = graph, owner
        self.param, self.returned = Node("prim::Param", [], ""), Node("prim::Return", [], "")
        self.param.block = self.returned.block = self
        self.items: list[Node] = []

    def nodes(self) -> Iterator[Node]:
        """The nodes, in the order that they run."""
        return iter(self.items)

    def inputs(self) -> Iterator[Value]:
        """What goes in."""
        return self.param.outputs()

    def outputs(self) -> Iterator[Value]:
        """What comes out."""
        return self.returned.inputs()

    def add(self, node: Node, at: int | None = None) -> Node:
        """Put *node* at the end, or before the node at an index."""
        node.block = self
        self.items.insert(len(self.items) if at is None else at, node)
        return node

    def shown(self, indent: str, number: int) -> str:
        """Its lines, as one of the blocks of a node."""
        given = ", ".join(f"%{v.debugName()} : {v.type()}" for v in self.inputs())
        found = ", ".join(f"%{v.debugName()}" for v in self.outputs())
        body = "".join(node.shown(f"{indent}  ") for node in self.items)
        return f"{indent}block{number}({given}):\n{body}{indent}  -> ({found})\n"


class Graph(script_types.Graph):  # type: ignore[misc]  # made as the list of names says
    """The nodes in order, what goes in and what comes out."""

    def __new__(cls) -> Graph:
        """A graph without nodes."""
        return object.__new__(cls)

    def __init__(self) -> None:
        self.block = Block(self)
        self._count = 0
        self._names: dict[str, Value] = {}
        self._suffixes: dict[str, int] = {}

    def nodes(self) -> Iterator[Node]:
        """The nodes, in the order that they ran."""
        return self.block.nodes()

    def inputs(self) -> Iterator[Value]:
        """What goes in: arguments, then parameters and buffers."""
        return self.block.inputs()

    def outputs(self) -> Iterator[Value]:
        """What comes out."""
        return self.block.outputs()

    def param_node(self) -> Node:
        """The node that what goes in comes out of."""
        return self.block.param

    def return_node(self) -> Node:
        """The node that what comes out goes into."""
        return self.block.returned

    def findAllNodes(self, kind: str, recurse: bool = True) -> list[Node]:
        """The nodes of a kind, those in blocks of others too."""
        return [node for node in self._all(self.block, recurse) if node.kind() == kind]

    def _all(self, block: Block, recurse: bool) -> Iterator[Node]:
        for node in block.items:
            yield node
            for inner in node.blocks() if recurse else ():
                yield from self._all(inner, recurse)

    def findNode(self, kind: str, recurse: bool = True) -> Node | None:
        """The first node of a kind."""
        return next(iter(self.findAllNodes(kind, recurse)), None)

    def add_input(self, type_: Any) -> Value:
        """Let one more value go in."""
        return self.add_value(self.block.param, type_)

    def add_output(self, value: Value) -> None:
        """Let one more value come out."""
        self.block.returned._inputs.append(value)

    def add_node(
        self, kind: str, inputs: list[Value], types: list[Any], scope: str, constant: Any = None
    ) -> list[Value]:
        """Add a node at the end; what comes out of it."""
        node = self.block.add(Node(kind, inputs, scope, constant))
        return [self.add_value(node, type_) for type_ in types]

    def drop_unused(self) -> None:
        """Leave out nodes of which nobody uses what comes out, but for those that write."""
        used = {id(value) for value in self.outputs()}
        kept = []
        for node in reversed(self.block.items):
            if node.kind().endswith("_") or any(id(value) in used for value in node.outputs()):
                kept.append(node)
                used.update(id(value) for value in node.inputs())
        self.block.items = kept[::-1]

    def add_value(self, node: Node, type_: Any) -> Value:
        """One more value that comes out of *node*."""
        made = Value(str(self._count), node, type_)
        self._count += 1
        node._outputs.append(made)
        return made

    def set_name(self, value: Value, name: str) -> None:
        """Name *value*; the value that had the name gets one with a number behind it."""
        if not name.isidentifier():
            name = "_" + "".join(c if c.isalnum() else "_" for c in name)
        self._names.pop(value._name, None)
        former = self._names.get(name)
        value.named, value._name = True, name
        self._names[name] = value
        if former is not None and former is not value:
            base = name.partition(".")[0]
            number = self._suffixes.get(base, 1)
            while f"{base}.{number}" in self._names:
                number += 1
            self._suffixes[base] = number + 1
            former._name = f"{base}.{number}"
            self._names[former._name] = former

    def __str__(self) -> str:
        given = ",\n      ".join(f"%{v.debugName()} : {v.type()}" for v in self.inputs())
        body = "".join(node.shown("  ") for node in self.block.items)
        found = ", ".join(f"%{v.debugName()}" for v in self.outputs())
        return f"graph({given}):\n{body}  return ({found})\n"

    __repr__ = __str__
