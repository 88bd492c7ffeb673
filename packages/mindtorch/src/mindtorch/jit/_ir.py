"""Graphs of operators as TorchScript has them: nodes of a kind, values with types.

They are read (``torch.jit._get_trace_graph`` makes them); nothing runs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..core.errors import scalar_type
from . import script_types

__all__ = ["Graph", "Node", "TensorType", "Value"]


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
    """What goes into nodes and comes out of one."""

    def __new__(cls, *args: Any) -> Value:
        """A value of a graph."""
        return object.__new__(cls)

    def __init__(self, name: str, node: Node, type_: TensorType | NamedType) -> None:
        self._name, self._node, self._type = name, node, type_

    def debugName(self) -> str:
        """The name, which no other value of the graph has."""
        return self._name

    def unique(self) -> int:
        """The number in the name."""
        return int(self._name)

    def node(self) -> Node:
        """The node that it comes out of."""
        return self._node

    def type(self) -> TensorType | NamedType:
        """What is known of it."""
        return self._type

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
    """One operator, constant or construction of a list.

    :ivar constant: the value of a constant.
    """

    def __new__(cls, *args: Any) -> Node:
        """A node of a graph."""
        return object.__new__(cls)

    def __init__(self, kind: str, inputs: list[Value], scope: str, constant: Any = None) -> None:
        self._kind, self._inputs, self._scope = kind, inputs, scope
        self._outputs: list[Value] = []
        self.constant = constant

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
        """``value``, of a constant that is not None."""
        return ["value"] if self._kind == "prim::Constant" and self.constant is not None else []

    def hasAttribute(self, name: str) -> bool:
        """Whether there is an attribute of that name."""
        return name in self.attributeNames()

    def _shown_constant(self) -> str:
        if self.constant is None:
            return ""
        value: Any = self.constant
        if isinstance(value, str):
            shown = f'"{value}"'
        elif isinstance(value, bool):
            shown = str(int(value))
        elif isinstance(value, float):
            shown = f"{value:.17g}"
        elif hasattr(value, "tolist"):
            number = value.tolist()
            shown = f"{{{number:g}}}" if isinstance(number, (int, float)) else "<Tensor>"
        else:
            shown = f'"{value}"' if str(self._outputs[0].type()) == "Device" else str(value)
        return f"[value={shown}]"

    def __str__(self) -> str:
        made = ", ".join(f"%{v.debugName()} : {v.type()}" for v in self._outputs)
        given = ", ".join(f"%{v.debugName()}" for v in self._inputs)
        shown = self._shown_constant() if self._kind == "prim::Constant" else ""
        return f"{made} = {self._kind}{shown}({given})\n"

    __repr__ = __str__


class Graph(script_types.Graph):  # type: ignore[misc]  # made as the list of names says
    """The nodes in order, what goes in and what comes out."""

    def __new__(cls) -> Graph:
        """A graph without nodes."""
        return object.__new__(cls)

    def __init__(self) -> None:
        self._param, self._return = Node("prim::Param", [], ""), Node("prim::Return", [], "")
        self._nodes: list[Node] = []
        self._count = 0

    def nodes(self) -> Iterator[Node]:
        """The nodes, in the order that they ran."""
        return iter(self._nodes)

    def inputs(self) -> Iterator[Value]:
        """What goes in: arguments, then parameters and buffers."""
        return self._param.outputs()

    def outputs(self) -> Iterator[Value]:
        """What comes out."""
        return self._return.inputs()

    def param_node(self) -> Node:
        """The node that what goes in comes out of."""
        return self._param

    def return_node(self) -> Node:
        """The node that what comes out goes into."""
        return self._return

    def findAllNodes(self, kind: str, recurse: bool = True) -> list[Node]:
        """The nodes of a kind."""
        return [node for node in self._nodes if node.kind() == kind]

    def findNode(self, kind: str, recurse: bool = True) -> Node | None:
        """The first node of a kind."""
        return next(iter(self.findAllNodes(kind)), None)

    def add_input(self, type_: TensorType) -> Value:
        """Let one more value go in."""
        return self._add_output(self._param, type_)

    def add_output(self, value: Value) -> None:
        """Let one more value come out."""
        self._return._inputs.append(value)

    def add_node(
        self,
        kind: str,
        inputs: list[Value],
        types: list[TensorType | NamedType],
        scope: str,
        constant: Any = None,
    ) -> list[Value]:
        """Add a node at the end; what comes out of it."""
        node = Node(kind, inputs, scope, constant)
        self._nodes.append(node)
        return [self._add_output(node, type_) for type_ in types]

    def drop_unused(self) -> None:
        """Leave out nodes of which nobody uses what comes out, but for those that write."""
        used = {id(value) for value in self.outputs()}
        kept = []
        for node in reversed(self._nodes):
            if node.kind().endswith("_") or any(id(value) in used for value in node.outputs()):
                kept.append(node)
                used.update(id(value) for value in node.inputs())
        self._nodes = kept[::-1]

    def _add_output(self, node: Node, type_: TensorType | NamedType) -> Value:
        made = Value(str(self._count), node, type_)
        self._count += 1
        node._outputs.append(made)
        return made

    def __str__(self) -> str:
        given = ",\n      ".join(f"%{v.debugName()} : {v.type()}" for v in self.inputs())
        body = "".join(f"  {node}" for node in self._nodes)
        found = ", ".join(f"%{v.debugName()}" for v in self.outputs())
        return f"graph({given}):\n{body}  return ({found})\n"

    __repr__ = __str__
