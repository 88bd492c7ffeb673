"""From a graph to Python source.

The layout of the text is torch.fx's (torch/fx/graph.py, CodeGen).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import Any, NamedTuple

import mindtorch_storage as st

import mindtorch

from ..tensor import Tensor
from ..utils import _pytree as pytree
from .node import Node, is_op, map_arg, qualified_name, type_text

__all__ = ["CodeGen", "PyTreeCodeGen", "PythonCode"]

_INFIX = {
    operator.add: "{} + {}", operator.sub: "{} - {}", operator.mul: "{} * {}",
    operator.floordiv: "{} // {}", operator.truediv: "{} / {}", operator.mod: "{} % {}",
    operator.lt: "{} < {}", operator.le: "{} <= {}", operator.eq: "{} == {}",
    operator.ne: "{} != {}", operator.gt: "{} > {}", operator.ge: "{} >= {}",
    operator.and_: "{} & {}", operator.or_: "{} | {}", operator.xor: "{} ^ {}",
    operator.getitem: "{}[{}]", operator.matmul: "{} @ {}", operator.pow: "{} ** {}",
    operator.lshift: "{} << {}", operator.rshift: "{} >> {}", operator.neg: "-{}",
    operator.pos: "+{}", operator.invert: "~{}",
}  # fmt: skip


class PythonCode(NamedTuple):
    """Source, and the objects that its names stand for."""

    src: str
    globals: dict[str, Any]


class CodeGen:
    """Writes ``forward`` of a graph."""

    def fn_def(self, args: list[str], returns: str = "") -> str:
        """The first lines of the function."""
        return f"def forward({', '.join(['self', *args])}){returns}:"

    def unpack(self, names: list[str], hints: list[str]) -> str:
        """What turns the inputs into the placeholders; nothing here."""
        return ""

    def output(self, value: str) -> str:
        """The expression that is returned."""
        return value

    def process_inputs(self, *args: Any) -> Any:
        """The values of the placeholders from the arguments of a call."""
        return args

    def process_outputs(self, outputs: Any) -> Any:
        """What a call returns from what the graph does."""
        return outputs

    def generate(
        self, nodes: Iterable[Node], root_module: str, *, verbose: bool = False
    ) -> PythonCode:
        """The source of the graph."""
        body: list[str] = []
        args: list[str] = []
        names: list[str] = []
        returns = ""
        listed = list(nodes)
        last_uses = _last_uses(listed)
        used: dict[str, Any] = {
            "torch": mindtorch,
            "device": st.Device,
            "inf": math.inf,
            "nan": math.nan,
            "NoneType": type(None),
            "fx_pytree": _FxPytree,
            "pytree": pytree,
        }
        for node in listed:
            if node.op == "placeholder":
                default = "" if not node.args else f" = {_text(node.args[0])}"
                kind = "" if node.type is None else f" : {_type_name(node.type, used)}"
                args.append(f"{node.target}{kind}{default}")
                names.append(node.name)
                target = node.target.lstrip("*")
                if target != node.name:
                    body.append(f"{node.name} = {target}\n")
                continue
            if node.op == "output":
                if node.type is not None:
                    returns = f" -> {_type_name(node.type, used)}"
                body.append(f"return {self.output(_text(node.args[0]))}\n")
                continue
            if verbose and not body:
                body.append("# No stacktrace found for following nodes\n")
            hint = _annotation(node) if verbose else ""
            body.append(f"{node.name}{hint} = {_expression(node, root_module, used)}")
            body.append(_deletions(node, last_uses))
        if not body:
            body.append("pass\n")
        hints = {n.name: _annotation(n) for n in listed} if verbose else {}
        args = [a if " = " in a else a + hints.get(a, "") for a in args]
        unpacked = self.unpack(names, [hints.get(n, "") for n in names])
        lines = "".join(body).split("\n")
        text = "\n".join("    " + line for line in lines)
        head = self.fn_def(args, returns)
        end = "" if text.endswith("    ") else "\n    "
        return PythonCode(f"\n\n\n{head}\n{unpacked}{text}{end}", used)


class PyTreeCodeGen(CodeGen):
    """Inputs and outputs that are nested: flattened on the way in, put together on the way out."""

    def __init__(self, orig_args: list[str], in_spec: Any, out_spec: Any) -> None:
        self.orig_args = orig_args
        self.in_spec = in_spec
        self.out_spec = out_spec

    def fn_def(self, args: list[str], returns: str = "") -> str:
        """The function takes the arguments as the caller has them."""
        return super().fn_def(self.orig_args, returns)

    def unpack(self, names: list[str], hints: list[str]) -> str:
        """The placeholders from the nested arguments; their types first, where they are shown."""
        if not names:
            return ""
        typed = "".join(f"{n}{h}; " for n, h in zip(names, hints, strict=True) if h)
        typed = f"    {typed}\n\n" if typed else ""
        given = ", ".join(self.orig_args)
        flatten = f"fx_pytree.tree_flatten_spec([{given}], self._in_spec)"
        return f"{typed}    {', '.join(names)}, = {flatten}\n"

    def process_inputs(self, *args: Any) -> Any:
        """The leaves of the arguments."""
        return _FxPytree.tree_flatten_spec(list(args), self.in_spec)

    def process_outputs(self, outputs: Any) -> Any:
        """The nested result."""
        return pytree.tree_unflatten(outputs, self.out_spec)

    def output(self, value: str) -> str:
        """The nested result from its leaves."""
        return f"pytree.tree_unflatten({value}, self._out_spec)"


class _FxPytree:
    """What generated code calls ``fx_pytree``."""

    @staticmethod
    def tree_flatten_spec(args: list[Any], spec: Any) -> list[Any]:
        """The leaves of *args*. Raises ValueError if they are nested otherwise than traced."""
        flat, found = pytree.tree_flatten(tuple(args))
        if found != spec:
            raise ValueError(f"expected inputs of structure {spec}, got {found}")
        return flat


def _last_uses(nodes: list[Node]) -> dict[Node, list[Node]]:
    """User -> the nodes that nobody needs after it."""
    seen: set[Node] = set()
    found: dict[Node, list[Node]] = {}

    for user in reversed(nodes):

        def last(n: Node, user: Node = user) -> Node:
            if n not in seen:
                seen.add(n)
                found.setdefault(user, []).append(n)
            return n

        map_arg(user.args, last)
        map_arg(user.kwargs, last)
    return found


def _deletions(node: Node, last_uses: dict[Node, list[Node]]) -> str:
    gone = [n.name for n in last_uses.get(node, [])]
    if not node.users:
        gone.append(node.name)
    return f";  {' = '.join([*gone, 'None'])}\n" if gone else "\n"


def _expression(node: Node, root_module: str, used: dict[str, Any]) -> str:
    if node.op == "get_attr":
        return _attribute(root_module, node.target)
    if node.op == "call_method":
        rest = _call_text(node.args[1:], node.kwargs)
        return f"{_receiver(node.args[0])}.{node.target}({rest})"
    if node.op == "call_module":
        call = _call_text(node.args, node.kwargs)
        return f"{_attribute(root_module, node.target)}({call})"
    target = node.target
    if not node.kwargs and target in _INFIX:
        return _INFIX[target].format(*(_text(a) for a in node.args))
    if target is getattr and len(node.args) == 2 and isinstance(node.args[1], str):
        return f"{_receiver(node.args[0])}.{node.args[1]}"
    name = _global_name(target, used)
    return f"{name}({_call_text(node.args, node.kwargs)})"


def _global_name(target: Any, used: dict[str, Any]) -> str:
    if is_op(target):
        return f"torch.ops.{target}"
    name = qualified_name(target)
    head, dot, rest = name.rpartition(".")
    if head == "torch" or head.startswith("torch.") or not dot:
        return name
    short = name.replace(".", "_")
    if head == "operator":  # whose own name is a module's, in torch's generated code too
        short = f"_{short}"
    used[short] = target
    return short


def _type_name(kind: Any, used: dict[str, Any]) -> str:
    name = type_text(kind)
    if isinstance(kind, type) and not name.startswith("torch.") and "." in name:
        short = name.replace(".", "_")
        used[short] = kind
        return short
    return name


def _attribute(base: str, target: str) -> str:
    text = base
    for part in target.split("."):
        text = f"{text}.{part}" if part.isidentifier() else f'getattr({text}, "{part}")'
    return text


def _receiver(value: Any) -> str:
    return _text(value) if isinstance(value, Node) else f"({_text(value)})"


def _call_text(args: Iterable[Any], kwargs: dict[str, Any]) -> str:
    parts = [_text(a) for a in args]
    parts += [f"{k} = {_text(v)}" for k, v in kwargs.items()]
    return ", ".join(parts)


def _text(value: Any) -> str:
    """A value as an expression."""
    if isinstance(value, Node):
        return value.name
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return repr(value)
        items = ", ".join(_text(v) for v in value)
        return f"({items},)" if len(value) == 1 else f"({items})"
    if isinstance(value, list):
        return f"[{', '.join(_text(v) for v in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, slice):
        return f"slice({_text(value.start)}, {_text(value.stop)}, {_text(value.step)})"
    if is_op(value):
        return f"torch.ops.{value}"
    return repr(value)


_SHORT = {
    "float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16", "complex64": "c64",
    "complex128": "c128", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "bool": "b8", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
}  # fmt: skip


def _annotation(node: Node) -> str:
    value = node.meta.get("val")
    if not isinstance(value, Tensor):
        return ""
    return f': "{_SHORT[value.dtype.name]}{list(value.shape)}"'
