"""The statements of a graph's source: one for each node, and where its values end."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .node import Node, _get_qualified_name, map_arg
from .tensor_text import annotation_of, paint
from .value_text import ValueWriter, _format_target, _torch_repr

__all__ = ["FunctionBody", "last_uses", "without_counters"]

#: Operators by name, and how they are written.
magic_methods = {
    "eq": "{} == {}", "ne": "{} != {}", "lt": "{} < {}", "gt": "{} > {}", "le": "{} <= {}",
    "ge": "{} >= {}", "pos": "+{}", "neg": "-{}", "invert": "~{}", "add": "{} + {}",
    "sub": "{} - {}", "mul": "{} * {}", "floordiv": "{} // {}", "truediv": "{} / {}",
    "div": "{} / {}", "mod": "{} % {}", "pow": "{} ** {}", "lshift": "{} << {}",
    "rshift": "{} >> {}", "and_": "{} & {}", "or_": "{} | {}", "xor": "{} ^ {}",
    "getitem": "{}[{}]", "matmul": "{} @ {}",
}  # fmt: skip
reflectable_magic_methods = {
    name: magic_methods[name]
    for name in (
        "add sub mul floordiv truediv div mod pow lshift rshift and_ or_ xor getitem matmul"
    ).split()
}
inplace_methods = {
    "iadd": "{} += {}", "iand": "{} &= {}", "ifloordiv": "{} //= {}", "ilshift": "{} <<= {}",
    "imod": "{} %= {}", "imul": "{} *= {}", "imatmul": "{} @= {}", "ior": "{} |= {}",
    "ipow": "{} **= {}", "irshift": "{} >>= {}", "isub": "{} -= {}", "itruediv": "{} /= {}",
    "ixor": "{} ^= {}", "setitem": "{}[{}] = {}",
}  # fmt: skip


@dataclass(frozen=True)
class _ParsedStackTrace:
    """The innermost frame of a stack trace."""

    file: str
    lineno: str
    name: str
    code: str

    def get_summary_str(self) -> str:
        """One line that says where."""
        return f"File: {self.file}:{self.lineno} in {self.name}, code: {self.code}"


def _parse_stack_trace(
    stack_trace: str, filter_fn: Callable[[str, str, str], bool] | None = None
) -> _ParsedStackTrace | None:
    """The last frame of a trace that *filter_fn* of file, name and code lets pass."""
    if stack_trace is None:
        return None
    frame = re.compile(r'^File "(.+)", line (\d+), in (.+)$')
    lines = stack_trace.strip().split("\n")
    for i in range(len(lines) - 2, -1, -1):
        found = frame.match(lines[i].strip())
        if found is None:
            continue
        file, lineno, name = found.groups()
        code = lines[i + 1].strip()
        if filter_fn is None or filter_fn(file, name, code):
            return _ParsedStackTrace(file, lineno, name, code)
    return None


_COUNTER = re.compile(r"# COUNTER: (\d+)")


def without_counters(code: str, prologue: str) -> tuple[str, dict[int, int | None]]:
    """The code without the marks of nodes, and which node each line is of."""
    at: int | None = None
    numbers: dict[int, int | None] = {}
    kept: list[str] = []
    first = prologue.count("\n") + 1
    for line in code.split("\n"):
        mark = _COUNTER.match(line)
        if mark:
            at = int(mark[1])
            continue
        if not kept and not line:
            continue
        kept.append(line)
        numbers[len(kept) + first - 1] = at
    return "\n".join(kept), numbers


class FunctionBody:
    """The lines of a function, node by node."""

    def __init__(
        self, codegen: Any, w: ValueWriter, root: str, record: bool, more: list[str] | None
    ) -> None:
        self.codegen, self.w, self.root, self.record, self.more = codegen, w, root, record, more
        self.lines: list[str] = []
        self.free_vars: list[str] = []
        self.returns = ""
        self.last_uses: dict[Node, list[Node]] | None = None
        self.trace: str | None = None
        if record:
            self.lines.append(_RECORD.format("_rf", "ENTER_GRAPH_PLACEHOLDER_KEY"))

    def add(self, node: Node, index: int) -> None:
        """Write one node."""
        if self.last_uses is None:
            self.last_uses = last_uses(list(node.graph.nodes))
        w = self.w
        if w.verbose and node.op not in ("placeholder", "output"):
            self.say_where(node)
        self.lines.append(f"# COUNTER: {index}\n")
        recorded = self.record and node.op in ("call_function", "call_method", "call_module")
        if recorded:
            self.lines.append(_RECORD.format(f"_rf_{node.name}", index))
        text = self.statement(node)
        if text:
            self.lines.append(text)
        if node.op != "placeholder":
            self.lines.append(self.deletions(node))
        if recorded:
            self.lines.append(f"_rf_{node.name}.__exit__(None, None, None)\n")

    def finished(self) -> list[str]:
        """All lines."""
        if not any(x.strip() and not _COUNTER.match(x) for x in self.lines):
            self.lines.append("pass\n")
        if self.record:
            self.lines.append("_rf.__exit__(None, None, None)\n")
        return self.lines

    def say_where(self, node: Node) -> None:
        """A comment with the line of the program, where it is another than before."""
        trace = node.stack_trace
        meta = "".join(
            f"# {k}: {_torch_repr(node.meta[k])} " for k in self.more or () if k in node.meta
        )
        if trace:
            if trace != self.trace:
                self.trace = trace
                found = _parse_stack_trace(trace)
                said = found.get_summary_str() if found is not None else ""
                note = paint("dim", f"{meta}# {said}", self.w.colored)
                self.lines.append(f"\n{note}\n")
        elif self.trace != "":
            self.trace = ""
            note = paint("dim", f"{meta}# No stacktrace found for following nodes", self.w.colored)
            self.lines.append(f"\n{note}\n")
        elif meta:
            self.lines.append(f"\n{meta}\n")

    def deletions(self, node: Node) -> str:
        """What lets go of values that nobody needs after the node."""
        if node.op == "output":
            return "\n"
        assert self.last_uses is not None
        gone = list(self.last_uses.get(node, []))
        if not node.users:
            gone.append(node)
        if not gone:
            return "\n"
        text = " = ".join([*map(repr, gone), "None"])
        return f";  {paint('dim', text, self.w.colored)}\n"

    def statement(self, node: Node) -> str:
        """The node as a statement."""
        w, args = self.w, node.args
        hint = "" if node.type is None else f" : {w.type_text(node.type)}"
        if w.verbose:
            o = w.options
            known = annotation_of(node, o["include_stride"], o["include_device"], o["colored"])
            if known:
                hint = f': "{known}"'
        name = repr(node)
        if node.op == "placeholder":
            default = "" if not args else f" = {w.text(args[0])}"
            self.free_vars.append(f"{node.target}{hint}{default}")
            raw = node.target.replace("*", "")
            return "" if raw == name else f"{name} = {raw}\n"
        if node.op == "output":
            if node.type is not None:
                self.returns = f" -> {w.type_text(node.type)}"
            return self.codegen._output_(args[0], w)
        if node.op == "get_attr":
            return f"{name}{hint} = {_format_target(self.root, node.target)}"
        if node.op == "call_method":
            target = _format_target(w.text(args[0]), node.target)
            return f"{name}{hint} = {target}({w.call(args[1:], node.kwargs)})"
        if node.op == "call_module":
            target = _format_target(self.root, node.target)
            return f"{name}{hint} = {target}({w.call(args, node.kwargs)})"
        return self.function_call(node, name, hint)

    def function_call(self, node: Node, name: str, hint: str) -> str:
        """A call of a function, or an operator."""
        w, args, target = self.w, node.args, node.target
        if getattr(target, "__module__", None) == "_operator":
            if target.__name__ in magic_methods:
                return f"{name}{hint} = {magic_methods[target.__name__].format(*map(w.text, args))}"
            if target.__name__ in inplace_methods:
                done = inplace_methods[target.__name__].format(*map(w.text, args))
                return f"{done};  {name}{hint} = {w.text(args[0])}"
        called = w.add_global(_get_qualified_name(target), target)
        if (
            called == "getattr"
            and len(args) == 2
            and isinstance(args[1], str)
            and args[1].isidentifier()
        ):
            return f"{name}{hint} = {_format_target(w.text(args[0]), args[1])}"
        if node.meta.get("is_wrapped", False):
            w.wrapped.setdefault(called)
        return f"{name}{hint} = {called}({w.call(args, node.kwargs)})"


_RECORD = "{0} = torch._C._profiler._RecordFunctionFast('## {1} ##'); {0}.__enter__()\n"


def last_uses(nodes: list[Node]) -> dict[Node, list[Node]]:
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
