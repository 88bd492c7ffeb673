"""What was scripted, compiled when it is asked for: its source, its graph, its archive."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from keyword import iskeyword
from typing import Any

from .. import nn
from ..tensor import Tensor
from . import internal
from ._compiled_function import CompiledFunction
from ._definitions import ClassDefinition, EnumDefinition, ModuleDefinition, NamedTupleDefinition
from ._script_archive import Member, Tagged, script_class, write_archive
from ._script_constants import Constants, constant_text
from ._scripts import Scripts
from ._types import Type
from .internal import FunctionModifiers

__all__ = ["CompiledModule", "compiled_function"]

#: Methods of modules that are no part of a script by themselves.
_INDENT = "  "


def compiled_function(fn: Any) -> CompiledFunction:
    """*fn* compiled. Raises an error for what scripts do not have."""
    return Scripts().function(fn)


def write_function(fn: Any, file: Any, extra_files: dict[str, Any] | None) -> None:
    """Write the archive of a function."""
    scripts = Scripts()
    function = scripts.function(fn)
    constants = Constants()
    name = "__torch__.PlaceholderModule"
    data = script_class(name)()
    data.script_state = {"training": True}
    lines = ["__parameters__ = []", "__buffers__ = []", "training : bool"]
    head = _written("class PlaceholderModule(Module)", lines)
    body = _as_method(function, name, constants)
    scripts.order.remove(function)
    sources = _sources(scripts, constants)
    own = "code/__torch__.py"
    sources[own] = head + body + sources.get(own, "")
    write_archive(file, data, tuple(constants.tensors), sources, extra_files)


def _as_method(function: CompiledFunction, owner: str, constants: Constants) -> str:
    """A function as the method ``forward`` of a module that has nothing."""
    lines = function.code(constants, 1).splitlines()
    first = lines[0].partition("(")[2]
    given = f"self: {owner}" + ("" if first.startswith(")") else f",\n    {first}")
    lines[0] = f"  def forward({given if not first.startswith(')') else given + first}"
    return "\n".join(lines) + "\n"


class CompiledModule:
    """A module that was scripted, compiled.

    Raises an error for what scripts do not have.
    """

    def __init__(self, module: nn.Module) -> None:
        self.module, self.scripts = module, Scripts()
        self.definition = self.scripts.modules.of(module)
        _compile(module, self.scripts, set())

    def method(self, name: str) -> CompiledFunction:
        """A method that was compiled."""
        found: CompiledFunction = self.definition.method(name)
        return found

    def write(self, file: Any, extra_files: dict[str, Any] | None) -> None:
        """Write the archive."""
        constants = Constants()
        sources = _sources(self.scripts, constants)
        data = _Data(self.scripts).of(self.module)
        write_archive(file, data, tuple(constants.tensors), sources, extra_files)


def _compile(module: nn.Module, scripts: Scripts, seen: set[int]) -> None:
    """Compile what modules of the type run, those within first."""
    if id(module) in seen:
        return
    seen.add(id(module))
    for child in module._modules.values():
        if child is not None:
            _compile(child, scripts, seen)
    if module._forward_hooks or module._forward_pre_hooks:
        raise NotImplementedError("a hook of a scripted module has no source in an archive")
    definition = scripts.modules.of(module)
    for name in _entries(definition):
        definition.method(name)


def _entries(definition: ModuleDefinition) -> Iterator[str]:
    """The methods that a program may call: ``forward`` and those that are exported."""
    forward = definition.static("forward")
    ignored = (FunctionModifiers.IGNORE, FunctionModifiers._DROP)
    if forward is not None and internal.get_torchscript_modifier(forward) not in ignored:
        yield from definition.overloads_of("forward")
    for name in sorted({name for each in definition.sources for name in vars(each)}):
        found = definition.static(name)
        if (
            callable(found)
            and internal.get_torchscript_modifier(found) == FunctionModifiers.EXPORT
            or name == "__len__"
            and hasattr(definition.sources[-1], "script_library_")
        ):
            yield name


# -- source ----------------------------------------------------------------------------------------


def _sources(scripts: Scripts, constants: Constants) -> dict[str, str]:
    """The texts of source files, by their records."""
    texts: dict[str, str] = {}
    for each in scripts.order:
        if isinstance(each, CompiledFunction):
            name, text = each.qualified_name, each.code(constants)
        else:
            name, text = each.name, _class_text(each, constants)
        where = name.rpartition(".")[0]
        record = f"code/{where.replace('.', '/')}.py"
        texts[record] = texts.get(record, "") + text
    return texts


def _class_text(made: Any, constants: Constants) -> str:
    own = made.name.rpartition(".")[2]
    match made:
        case NamedTupleDefinition():
            fields = zip(made.names, made.types, strict=True)
            lines = [f"{name} : {kind.annotation_str}" for name, kind in fields]
            return _written(f"class {own}(NamedTuple)", lines)
        case EnumDefinition():
            lines = [f"{m.name} = {constant_text(m.value)}" for m in made.python]
            return _written(f"class {own}(Enum)", lines)
        case ClassDefinition():
            lines = [_declaration(n, kind) for n, kind in made.attributes.items()]
            return _written(f"class {own}", lines) + _methods(made, constants)
    lines = [
        f"__{group}__ = [" + "".join(f'"{n}", ' for n in names) + "]"
        for group, names in (("parameters", made.parameters), ("buffers", made.buffers))
    ]
    lines += [_declaration(n, kind) for n, kind in made.attributes.items()]
    lines += [_declaration(n, kind) for n, kind in made.modules.items()]
    lines += [
        f"{n} : Final[{_constant_type(v)}] = {_constant_source(v)}"
        for n, v in made.constants.items()
    ]
    return _written(f"class {own}(Module)", lines) + _methods(made, constants)


def _written(head: str, lines: list[str]) -> str:
    return f"{head}:\n" + "".join(f"{_INDENT}{line}\n" for line in lines)


def _declaration(name: str, kind: Type) -> str:
    if name.isidentifier() and not iskeyword(name):
        return f"{name} : {kind.annotation_str}"
    return f'__annotations__["{name}"] = {kind.annotation_str}'


def _constant_type(value: Any) -> str:
    from ._module_types import inferred

    kind = inferred(value)
    return kind.annotation_str if isinstance(kind, Type) else "Tuple[()]"


def _constant_source(value: Any) -> str:
    from ._graph_builder import _plain

    return constant_text(_plain(value))


def _methods(made: Any, constants: Constants) -> str:
    return "".join(each.code(constants, 1, True) for each in made.methods.values())


# -- data ------------------------------------------------------------------------------------------


def _attribute(module: nn.Module, name: str) -> Any:
    if name == "_flat_weights_names":  # a recurrent layer here has them in their layers
        return [each for names in vars(module)["_all_weights"] for each in names]
    if name == "_flat_weights":
        names = _attribute(module, "_flat_weights_names")
        return [getattr(module, each) for each in names]
    return getattr(module, name, None)


class _Data:
    """What stands in an archive for values; each object once."""

    def __init__(self, scripts: Scripts) -> None:
        self._scripts = scripts
        self._made: dict[int, Any] = {}

    def of(self, value: Any, kind: Type | None = None) -> Any:
        """*value*, which is of a type *kind* in the script, as it is pickled."""
        if isinstance(value, nn.Module):
            return self._module(value)
        if isinstance(value, enum.Enum):
            return Member(self._scripts.class_type(type(value)).name, value.value)
        if kind is not None and kind.base == "Optional" and value is not None:
            kind = kind.element
        inner = kind.args if kind is not None and kind.base in ("List", "Dict", "Tuple") else ()
        if inner and kind is not None and kind.base == "List":
            return Tagged([self.of(each, inner[0]) for each in value], kind.annotation_str)
        if inner and kind is not None and kind.base == "Dict":
            made = {self.of(k, inner[0]): self.of(v, inner[1]) for k, v in value.items()}
            return Tagged(made, kind.annotation_str)
        if isinstance(value, tuple):
            kinds = inner or (None,) * len(value)
            return tuple(self.of(*pair) for pair in zip(value, kinds, strict=True))
        if isinstance(value, list):
            return [self.of(item) for item in value]
        if isinstance(value, dict):
            return {self.of(key): self.of(item) for key, item in value.items()}
        known = self._scripts.classes.get(type(value))
        if known is not None and not isinstance(value, Tensor):
            state = {n: getattr(value, n) for n in known.attributes}
            return self._object(value, known.name, state, known.attributes)
        return value

    def _module(self, module: nn.Module) -> Any:
        definition = self._scripts.modules.of(module)
        state = {}
        for name in definition.attributes:
            state[name] = _attribute(module, name)
        for name in definition.modules:
            state[name] = module._modules[name]
        return self._object(module, definition.name, state, definition.attributes)

    def _object(self, value: Any, name: str, state: dict[str, Any], kinds: dict[str, Type]) -> Any:
        made = self._made.get(id(value))
        if made is None:
            made = self._made[id(value)] = script_class(name)()
            made.script_state = {n: self.of(each, kinds.get(n)) for n, each in state.items()}
        return made
