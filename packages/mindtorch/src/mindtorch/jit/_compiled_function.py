"""One function or method of a script: its signature, its graph, its source.

Source: torch/jit/frontend.py (get_jit_def), torch/csrc/jit/frontend/ir_emitter.cpp (emitDef).
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from typing import Any

from ._annotation_types import AnnotationReader, broadcast_length, type_comment
from ._frontend_errors import not_supported
from ._graph_builder import GraphBuilder, constant_type
from ._graph_passes import clean_up
from ._ir import Graph
from ._operators import MISSING, Argument, Schema
from ._script_constants import Constants, constant_text
from ._script_printer import ScriptPrinter
from ._source_range import Source, SourceRange, compile_error
from ._statement_emitter import StatementEmitter
from ._sugared_value import Simple, Sugared
from ._types import (
    FLOAT,
    INFERRED,
    INFERRED_TENSOR,
    INT,
    NUMBER,
    Type,
    is_subtype,
    members,
    told,
)  # fmt: skip

__all__ = ["CompiledFunction", "source_of"]

_VARIABLE = (
    "Compiled functions can't take variable number of arguments or use keyword-only arguments with "
    "defaults"
)


def source_of(fn: Any) -> tuple[Source, ast.FunctionDef]:
    """The text of a function and its syntax. Raises OSError if there is no text."""
    try:
        lines, first = inspect.getsourcelines(fn)
    except OSError as error:
        raise OSError(
            f"Can't get source for {fn}. TorchScript requires source access in order to carry out "
            "compilation, make sure original .py files are available."
        ) from error
    file = inspect.getsourcefile(fn) or ""
    text = "".join(lines)
    dedented = textwrap.dedent(text)
    indent = len(text.splitlines()[0]) - len(dedented.splitlines()[0])
    source = Source(dedented, file, first or 1, indent)
    try:
        tree = ast.parse(dedented)
    except SyntaxError:
        tree = ast.Module([], [])
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef):
        raise RuntimeError(
            f"Expected a single top-level function:\n{SourceRange(source, 1, 0, 1, 1).highlight()}"
        )
    return source, tree.body[0]


class CompiledFunction:
    """A function that is compiled.

    :param owner: the definition of the class of ``self``; None for a function.
    """

    def __init__(self, scripts: Any, fn: Any, qualified_name: str, owner: Any = None) -> None:
        self.scripts, self.fn, self.owner = scripts, fn, owner
        self.qualified_name = qualified_name
        self.name = qualified_name.rpartition(".")[2]
        self.schema: Schema | None = None
        self.graph: Any = None

    # names ----------------------------------------------------------------------------------------

    def lookup(self, name: str) -> Any:
        """The Python object that *name* stands for in the function. Raises KeyError if none."""
        fn = inspect.unwrap(self.fn)
        code = fn.__code__
        if name in code.co_freevars and fn.__closure__ is not None:
            cell = fn.__closure__[code.co_freevars.index(name)]
            try:
                return cell.cell_contents
            except ValueError:
                raise KeyError(name) from None
        if name in fn.__globals__:
            return fn.__globals__[name]
        builtins: Any = fn.__globals__.get("__builtins__", {})
        names = vars(builtins) if isinstance(builtins, types.ModuleType) else builtins
        return names[name]

    # compiling ------------------------------------------------------------------------------------

    def ensure_defined(self) -> CompiledFunction:
        """Make the graph. Raises an error for what scripts do not have."""
        fn = inspect.unwrap(self.fn)
        self._source, node = source_of(fn)
        reader = AnnotationReader(self.lookup, self.scripts.class_type)
        reader.where = self._source.range_of(node)
        graph = Graph()
        builder = GraphBuilder(graph)
        emitter = StatementEmitter(builder, self.scripts, self._source, self._outside, reader)
        arguments, result = self._signature(node, reader, fn)
        emitter.declared = result
        if self.owner is not None:
            own = graph.add_input(self.owner.type)
            graph.set_name(own, "self")
            emitter.env.frame.sugared[node.args.args[0].arg] = self.scripts.self_value(
                own, self.owner
            )
        for argument in arguments:
            value = graph.add_input(argument.type)
            graph.set_name(value, argument.name)
            emitter.at(node)
            emitter.env.set(argument.name, Simple(value))
        former = getattr(self.owner, "compiling", None)
        if former is not None:
            self.owner.compiling = self.name
        emitter.statements(node.body)
        emitter.finish(node)
        if former is not None:
            self.owner.compiling = former
        merged = emitter.merged
        assert merged is not None
        clean_up(graph, merged)
        self.schema = Schema(self.name, "", tuple(arguments), (merged,))
        self.graph = graph
        return self

    def _outside(self, name: str) -> Sugared | None:
        found: Sugared | None = self.scripts.global_name(name)
        if found is not None:
            return found
        try:
            value = self.lookup(name)
        except KeyError:
            return None
        found = self.scripts.sugared(None, value, name, False)
        return found

    def _signature(
        self, node: ast.FunctionDef, reader: AnnotationReader, fn: Any
    ) -> tuple[list[Argument], Type | None]:
        spec = node.args
        if spec.vararg is not None or spec.kwarg is not None:
            raise not_supported(
                self._source,
                spec,
                _VARIABLE,
            )
        for each in spec.kw_defaults:
            if each is not None:
                raise not_supported(self._source, each, _VARIABLE)
        parameters = [*spec.posonlyargs, *spec.args]
        if self.owner is not None:
            parameters = parameters[1:]
        named = spec.kwonlyargs
        comment = type_comment(self._source.text) if "type:" in self._source.text else None
        defaults = self._defaults(fn)
        found = []
        given: list[Any] = [each.annotation for each in (*parameters, *named)]
        result: Any = node.returns
        if comment is not None:
            given, result = comment
            if len(given) == len(parameters) + 1 and self.owner is not None:
                given = given[1:]
        for each, annotation in zip((*parameters, *named), given, strict=True):
            if annotation is not None:
                reader.where = self._source.range_of(annotation)
            kind = INFERRED_TENSOR if annotation is None else reader.read(annotation)
            default = defaults.get(each.arg, MISSING)
            if isinstance(default, (list, dict)):
                raise compile_error(self._source.range_of(node), _mutable(default, each.arg))
            length = broadcast_length(annotation)
            found.append(Argument(each.arg, kind, default, each in named, length))
            if wrong := _wrong_default(found[-1]):
                raise compile_error(self._source.range_of(node), wrong)
        return found, None if result is None else reader.read(result)

    def _defaults(self, fn: Any) -> dict[str, Any]:
        parameters = inspect.signature(fn).parameters.values()
        return {each.name: each.default for each in parameters if each.default is not each.empty}

    # source ---------------------------------------------------------------------------------------

    def code(self, constants: Constants, level: int = 0, owner_type: bool = False) -> str:
        """The function as source.

        :param level: how far it stands in.
        :param owner_type: whether the type of ``self`` is written.
        """
        assert self.schema is not None
        printer = ScriptPrinter(self.graph, level, constants)
        names = printer.arguments()
        shown = []
        arguments = list(self.schema.arguments)
        if self.owner is not None:
            own = names.pop(0)
            shown.append(f"{own}: {self.owner.type.annotation_str}" if owner_type else own)
        for name, argument in zip(names, arguments, strict=True):
            text = f"{name}: {argument.type.annotation_str}"
            if argument.has_default:
                text += f"={_default_text(argument)}"
            shown.append(text)
        pad = "  " * level
        head = f"{pad}def {self.name}({(',' + chr(10) + pad + '    ').join(shown)})"
        if level:
            head = head.replace(f"\n{pad}    ", "\n    ")
        head += f" -> {self.schema.returns[0].annotation_str}:"
        return "\n".join([head, *printer.body()]) + "\n"


def _wrong_default(argument: Argument) -> str:
    """Why the default of an argument is none of its type; nothing if it is."""
    value, kind = argument.default, argument.type
    given = constant_type(value)
    number = given == INT and FLOAT in (*members(kind), NUMBER)
    if value is MISSING or given is None or number or is_subtype(given, kind) or argument.length:
        return ""
    text = f'Expected a default value of type {told(kind)} on parameter "{argument.name}".'
    if kind.definition is INFERRED:
        text += (
            f'Because "{argument.name}" was not annotated with an explicit type it is assumed to '
            "be type 'Tensor'."
        )
    return text


def _default_text(argument: Argument) -> str:
    value = argument.default
    if argument.type.base == "float" and isinstance(value, int):
        value = float(value)
    if argument.length and isinstance(value, (int, float)):
        value = [value] * argument.length
    return constant_text(value)


def _mutable(value: Any, name: str) -> str:
    return (
        "Mutable default parameters are not supported because Python binds them to the function "
        "and "
        "they persist across function calls.\n As a workaround, make the default None and "
        "instantiate the default parameter within the body of the function. Found "
        f"{type(value)} on parameter {name}"
    )
