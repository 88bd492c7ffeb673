"""From a graph to Python source, in torch.fx's layout."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..utils import _pytree as pytree
from .function_body import FunctionBody, without_counters
from .namespace import _custom_builtins, _Namespace
from .node import Node
from .value_text import ValueWriter

__all__ = ["CodeGen", "PythonCode"]


@dataclass
class PythonCode:
    """Source, and the objects that its names stand for."""

    src: str
    globals: dict[str, Any]
    _lineno_map: dict[int, int | None] | None
    _prologue_start: int = 0


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

    def _output_(self, value: Any, writer: ValueWriter) -> str:
        try:
            return self.generate_output(value, repr_fn=writer.text)
        except TypeError:  # an override that knows of no such option
            return self.generate_output(value)

    def _head_(self, free_vars: list[str], returns: str, expanded: bool) -> str:
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
        w = ValueWriter(namespace, options)
        for name, builtin in _custom_builtins.items():
            w.add_global(name, builtin.obj)
            w.globals.setdefault(name, builtin.obj)
            namespace._used_names.add(name)
        for name, obj in self.additional_globals():
            w.add_global(name, obj)
            w.globals.setdefault(name, obj)
        body = FunctionBody(self, w, root_module, record_func, additional_meta)
        for index, node in enumerate(list(nodes)):
            body.add(node, index)
        lines = body.finished()
        wraps = "".join(f'torch.fx._symbolic_trace.wrap("{name}")\n' for name in w.wrapped).rstrip(
            "\n"
        )
        if self._body_transformer:
            lines = self._body_transformer(lines)
        prologue = self._head_(body.free_vars, body.returns, expanded_def)
        code, numbers = without_counters("".join(lines).lstrip("\n"), prologue)
        text = "\n".join("    " + line for line in code.split("\n"))
        source = f"\n{wraps}\n\n{prologue}\n{text}"
        start = (wraps.count("\n") if wraps else 0) + 4
        return PythonCode(source, w.globals, numbers, start)


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
