"""From a graph to Python source, in torch.fx's layout."""

from __future__ import annotations

import contextlib
import enum
import re
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import mindtorch_storage as st

from .._ops import OpOverload
from ..aten import torch
from ..tensor import Tensor
from ..utils import _pytree as pytree
from . import _pytree as fx_pytree
from .namespace import _custom_builtins, _Namespace, _register_custom_builtin
from .node import Node, _get_qualified_name, _type_repr, map_arg
from .tensor_text import annotation_of, paint

__all__ = ["CodeGen", "PythonCode"]

_register_custom_builtin("torch", "import torch", torch)
_register_custom_builtin("device", "from torch import device", st.Device)
_register_custom_builtin("fx_pytree", "import torch.fx._pytree as fx_pytree", fx_pytree)
_register_custom_builtin("pytree", "import torch.utils._pytree as pytree", pytree)

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


_ORIGINS: dict[Any, Any] = {
    list: list, dict: dict, set: set, frozenset: frozenset, tuple: tuple,
}  # fmt: skip


@dataclass
class PythonCode:
    """Source, and the objects that its names stand for."""

    src: str
    globals: dict[str, Any]
    _lineno_map: dict[int, int | None] | None
    _prologue_start: int = 0


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


def _is_from_torch(obj: Any) -> bool:
    """Whether torch's namespace has the object."""
    module = getattr(obj, "__module__", None)
    if isinstance(module, str):
        base, _, rest = module.partition(".")
        if base in ("torch", "mindtorch"):
            return not rest.startswith(("_dynamo", "_inductor"))
    return False


def _format_target(base: str, target: str) -> str:
    """The expression for an attribute of an attribute of *base*."""
    text = base
    for part in target.split("."):
        text = f"{text}.{part}" if part.isidentifier() else f'getattr({text}, "{part}")'
    return text


class _Writer:
    """What the source of one graph needs: its globals, and values as expressions."""

    def __init__(self, namespace: _Namespace, options: dict[str, Any]) -> None:
        self.namespace = namespace
        self.globals: dict[str, Any] = {}
        self.wrapped: dict[str, None] = {}
        self.colored: bool = options["colored"]
        self.verbose: bool = (
            options["verbose"] or options["include_stride"] or (options["include_device"])
        )
        self.options = options

    def add_global(self, hint: str, obj: Any) -> str:
        """The name under which the source finds *obj*."""
        if _is_from_torch(obj) and obj is not st.Device:
            qualified = _get_qualified_name(obj)
            if not qualified.startswith("torch.Tensor."):  # methods of a class are not found so
                return qualified
        name = self.namespace.create_name(hint, obj)
        if name in self.globals:
            assert self.globals[name] == obj or self.globals[name] is obj
            return name
        self.globals[name] = obj
        return name

    def type_text(self, o: Any) -> str:
        """A type as an expression, with the globals that it needs."""
        if isinstance(o, tuple) and not o:
            return "()"
        text = _type_repr(o)
        if isinstance(o, types.UnionType):
            return "|".join(self.type_text(a) for a in o.__args__)
        origin = getattr(o, "__origin__", None)
        if origin is not None:
            if isinstance(o, types.GenericAlias):
                shown = self.add_global(_type_repr(origin), origin)
            else:
                home = _TYPING.get(origin, origin)
                shown = self.add_global(_type_repr(home), home)
            args = getattr(o, "__args__", None)
            if args:
                return f"{shown}[{','.join(self.type_text(a) for a in args)}]"
            return shown
        return self.add_global(text, o)

    def text(self, value: Any) -> str:
        """A value as an expression."""
        if isinstance(value, Node):
            return repr(value)
        if isinstance(value, tuple):
            if hasattr(value, "_fields"):
                name = self.add_global(_get_qualified_name(type(value)), type(value))
                return f"{name}{tuple(value)!r}"
            items = ", ".join(self.text(v) for v in value)
            return f"({items},)" if len(value) == 1 else f"({items})"
        if isinstance(value, OpOverload):
            return self.add_global(_get_qualified_name(value), value)
        if isinstance(value, enum.Enum):
            return f"{self.add_global(type(value).__name__, type(value))}.{value.name}"
        if isinstance(value, Tensor):
            return f"torch.Tensor(size={list(value.shape)}, dtype={_dtype_name(value)})"
        if isinstance(value, slice):
            parts = map(self.text, (value.start, value.stop, value.step))
            return f"slice({', '.join(parts)})"
        if isinstance(value, list):
            return f"[{', '.join(self.text(v) for v in value)}]"
        return paint("blue", _torch_repr(value), self.colored)

    def call(self, args: Iterable[Any], kwargs: dict[str, Any]) -> str:
        """Arguments of a call."""
        parts = [self.text(a) for a in args]
        parts += [f"{k} = {self.text(v)}" for k, v in kwargs.items()]
        return ", ".join(parts)


_TYPING: dict[Any, Any] = {
    list: list, dict: dict, set: set, frozenset: frozenset,
    tuple: tuple,
}  # fmt: skip


def _torch_repr(value: Any) -> str:
    text = repr(value)
    return text.replace("mindtorch.tensor.", "torch.").replace("mindtorch", "torch")


def _dtype_name(value: Tensor) -> str:
    return str(value.dtype).removeprefix("torch.")


class CodeGen:
    """Writes ``forward`` of a graph."""

    #: How a symbolic number is written.
    _sym_repr: Any = staticmethod(repr)

    def __init__(self) -> None:
        self._body_transformer: Callable[[list[str]], list[str]] | None = None
        self._func_name = "forward"

    def gen_fn_def(
        self, free_vars: list[str], maybe_return_annotation: str, *, expanded_def: bool = False
    ) -> str:
        """The first lines of the function."""
        if not free_vars or free_vars[0] != "self":
            free_vars.insert(0, "self")
        if expanded_def:
            lines = "".join(f"    {arg},\n" for arg in free_vars)
            return f"def {self._func_name}(\n{lines}){maybe_return_annotation}:"
        return f"def {self._func_name}({', '.join(free_vars)}){maybe_return_annotation}:"

    def generate_output(
        self,
        output_args: Any,
        *,
        descs: Sequence[str] | None = None,
        repr_fn: Callable[[Any], str] | None = None,
    ) -> str:
        """The statement that returns."""
        return f"return {(repr_fn or repr)(output_args)}"

    def process_inputs(self, *args: Any) -> Any:
        """The values of the placeholders from the arguments of a call."""
        return args

    def process_outputs(self, outputs: Any) -> Any:
        """What a call returns from what the graph does."""
        return outputs

    def additional_globals(self) -> list[tuple[str, Any]]:
        """More names that the source uses, and their objects."""
        return []

    def _output(self, value: Any, writer: _Writer) -> str:
        try:
            return self.generate_output(value, repr_fn=writer.text)
        except TypeError:  # an override that knows of no such option
            return self.generate_output(value)

    def _head(self, free_vars: list[str], returns: str, expanded: bool) -> str:
        if expanded:
            return self.gen_fn_def(free_vars, returns, expanded_def=True)
        return self.gen_fn_def(free_vars, returns)

    def _gen_python_code(
        self,
        nodes: Iterable[Node],
        root_module: str,
        namespace: _Namespace,
        *,
        verbose: bool = False,
        include_stride: bool = False,
        include_device: bool = False,
        colored: bool = False,
        expanded_def: bool = False,
        record_func: bool = False,
        additional_meta: list[str] | None = None,
    ) -> PythonCode:
        """The source of the nodes."""
        options = {
            "verbose": verbose,
            "include_stride": include_stride,
            "include_device": include_device,
            "colored": colored,
        }
        w = _Writer(namespace, options)
        for name, builtin in _custom_builtins.items():
            w.add_global(name, builtin.obj)
            w.globals.setdefault(name, builtin.obj)
            namespace._used_names.add(name)
        for name, obj in self.additional_globals():
            w.add_global(name, obj)
            w.globals.setdefault(name, obj)
        body = _Body(self, w, root_module, record_func, additional_meta)
        for index, node in enumerate(list(nodes)):
            body.add(node, index)
        lines = body.finished()
        wraps = "".join(f'torch.fx._symbolic_trace.wrap("{name}")\n' for name in w.wrapped).rstrip(
            "\n"
        )
        if self._body_transformer:
            lines = self._body_transformer(lines)
        prologue = self._head(body.free_vars, body.returns, expanded_def)
        code, numbers = _without_counters("".join(lines).lstrip("\n"), prologue)
        text = "\n".join("    " + line for line in code.split("\n"))
        source = f"\n{wraps}\n\n{prologue}\n{text}"
        start = (wraps.count("\n") if wraps else 0) + 4
        return PythonCode(source, w.globals, numbers, start)


def _without_counters(code: str, prologue: str) -> tuple[str, dict[int, int | None]]:
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


_COUNTER = re.compile(r"# COUNTER: (\d+)")


class _Body:
    """The lines of a function, node by node."""

    def __init__(
        self, codegen: CodeGen, w: _Writer, root: str, record: bool, more: list[str] | None
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
            self.last_uses = _last_uses(list(node.graph.nodes))
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
            return self.codegen._output(args[0], w)
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


class _BoxedCodeGen(CodeGen):
    """The arguments come in one list, which the function empties."""

    def gen_fn_def(
        self, free_vars: list[str], maybe_return_annotation: str, *, expanded_def: bool = False
    ) -> str:
        """The function takes the list."""
        head = f"def {self._func_name}(self, args_list){maybe_return_annotation}:"
        names = [v.split(":")[0].split("=")[0].strip() for v in free_vars]
        if not names:
            return f"{head}\n    args_list.clear()"
        return f"{head}\n    {', '.join(names)}, = args_list\n    args_list.clear()"


class _PyTreeInfo(NamedTuple):
    """How the arguments are named, and how they and the result are nested."""

    orig_args: list[str]
    in_spec: Any
    out_spec: Any


class _PyTreeCodeGen(CodeGen):
    """Inputs and outputs that are nested: flattened on the way in, put together on the way out."""

    def __init__(self, pytree_info: _PyTreeInfo) -> None:
        super().__init__()
        self.pytree_info = pytree_info

    def process_inputs(self, *inputs: Any) -> Any:
        """The leaves of the arguments."""
        return pytree.arg_tree_leaves(*inputs)

    def process_outputs(self, out: Any) -> Any:
        """The nested result."""
        spec = None if self.pytree_info is None else self.pytree_info.out_spec
        if spec is None:
            return out
        leaves = out if isinstance(out, (list, tuple)) else [out]
        return pytree.tree_unflatten(leaves, spec)

    def gen_fn_def(
        self, free_vars: list[str], maybe_return_annotation: str, *, expanded_def: bool = False
    ) -> str:
        """The function takes the arguments as the caller has them."""
        info = self.pytree_info
        if info is None:
            return super().gen_fn_def(free_vars, maybe_return_annotation, expanded_def=expanded_def)
        given = list(info.orig_args)
        own = bool(given) and given[0] == "self"
        if own:
            free_vars.insert(0, "self")
        head = super().gen_fn_def(given[:], maybe_return_annotation, expanded_def=expanded_def)
        if free_vars:
            names = [v.split(":")[0].split("=")[0].strip() for v in free_vars]
            typed = "".join(v.split(" = ")[0] + "; " for v in free_vars if ":" in v)
            if typed:
                head += f"\n    {typed}\n"
            head += f"\n    {self._bindings(given, names)}"
        return head

    def _bindings(self, given: list[str], names: list[str]) -> str:
        spec = self.pytree_info.in_spec
        parts = spec.children() if spec.type is tuple else []
        if len(parts) == 2 and parts[0].type is tuple and parts[1].type is dict:
            n = len(parts[0].children())
            pairs = zip(parts[1].context, given[n:], strict=False)
            keywords = ", ".join(f"'{k}':{v}" for k, v in pairs)
            tree = f"([{', '.join(given[:n])}], {{{keywords}}})"
        else:
            tree = f"[{', '.join(given)}]"
        return f"{', '.join(names)}, = fx_pytree.tree_flatten_spec({tree}, self._in_spec)"

    def generate_output(
        self,
        output_args: Any,
        *,
        descs: Sequence[str] | None = None,
        repr_fn: Callable[[Any], str] | None = None,
    ) -> str:
        """The nested result from its leaves."""
        text = (repr_fn or repr)(output_args)
        if self.pytree_info and self.pytree_info.out_spec:
            return f"return pytree.tree_unflatten({text}, self._out_spec)"
        return f"return {text}"


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


@contextlib.contextmanager
def renamed(nodes: Iterable[Node], namespace: _Namespace) -> Iterator[None]:
    """Inside, nodes are written with names that no global of the source has."""
    listed = list(nodes)
    before = [n._repr_fn for n in listed]

    def name(node: Node) -> str:
        return namespace.create_name(node.name, node)

    for node in listed:
        node._repr_fn = name
    try:
        yield
    finally:
        for node, fn in zip(listed, before, strict=True):
            node._repr_fn = fn
