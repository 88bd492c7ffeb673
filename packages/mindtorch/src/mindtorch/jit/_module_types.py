"""Types of modules: what attributes a module has in a script, which modules are of one type.

Source: torch/jit/_recursive.py, infer_concrete_type_builder.
"""

from __future__ import annotations

import enum
import inspect
import types
import typing
from typing import Any

from .. import nn
from ..tensor import Tensor
from ._annotation_types import AnnotationReader
from ._builtins import _find_builtin
from ._definitions import ModuleDefinition
from ._graph_builder import constant_type
from ._script_library import script_of
from ._types import NONE, TENSOR, Type, dict_of, list_of, tuple_of, unified
from .internal import FunctionModifiers, _qualified_name, get_torchscript_modifier, is_final

__all__ = ["ModuleTypes", "inferred"]

#: Attributes that every module has, of which a script knows few.
_OWN = frozenset(vars(nn.Module())) - {"training", "_is_full_backward_hook"}


def inferred(value: Any, scripts: Any = None) -> Type | str:
    """The type of a Python value, or why it has none."""
    if isinstance(value, Tensor):
        return TENSOR
    if isinstance(value, (list, tuple)) and not (
        isinstance(value, tuple) and hasattr(value, "_fields")
    ):
        if not value and isinstance(value, list):
            return "List trace inputs must have elements"
        kinds = [inferred(each, scripts) for each in value]
        wrong = next((kind for kind in kinds if isinstance(kind, str)), None)
        if wrong is not None:
            return wrong
        found = [kind for kind in kinds if isinstance(kind, Type)]
        if isinstance(value, tuple):
            return tuple_of(found)
        joined: Type | None = found[0]
        for kind in found[1:]:
            joined = joined and unified(joined, kind)
        return list_of(joined) if joined else "Could not infer type of list element: types differ"
    if isinstance(value, dict):
        if not value:
            return "Dictionary inputs must have entries"
        key, item = (
            inferred(next(iter(value)), scripts),
            inferred(next(iter(value.values())), scripts),
        )
        if isinstance(key, Type) and isinstance(item, Type):
            return dict_of(key, item)
        return key if isinstance(key, str) else str(item)
    plain = constant_type(value)
    if plain is not None:
        return plain
    if scripts is not None and not isinstance(value, (types.FunctionType, nn.Module, type, set)):
        kind = type(value)
        if isinstance(value, enum.Enum) or hasattr(value, "_fields") or kind in scripts.classes:
            return scripts.class_type(kind)  # type: ignore[no-any-return]  # a type
    return (
        "Only tensors and (possibly nested) tuples of tensors, lists, or dicts are supported as "
        "inputs or outputs of traced functions, but instead got value of type "
        f"{type(value).__name__}."
    )


class ModuleTypes:
    """The types of modules of one script."""

    def __init__(self, scripts: Any) -> None:
        self._scripts = scripts
        self._known: dict[Any, ModuleDefinition] = {}
        self._of: dict[int, ModuleDefinition] = {}
        self._declared: dict[type, dict[str, Type]] = {}
        self.all: list[ModuleDefinition] = []

    def of(self, module: nn.Module) -> ModuleDefinition:
        """The type of *module*: that of another where both have the same attributes."""
        found = self._of.get(id(module))
        if found is not None:
            return found
        made = self._described(module)
        key = (
            made.python, tuple(made.attributes.items()), tuple(made.parameters),
            tuple(made.buffers), tuple(made.modules.items()),
            tuple((n, type(v).__name__, repr(v)) for n, v in sorted(made.constants.items())),
            tuple((n, id(v)) for n, v in made.others.items()),
            tuple(made.hooks),
        )  # fmt: skip
        known = self._known.get(key)
        if known is None:
            made.name = self._scripts.free_name(_qualified_name(made.python))
            made.type = Type("Module", (), made.name, made)
            known = self._known[key] = made
            self.all.append(made)
            self._scripts.order.append(made)
        self._of[id(module)] = known
        return known

    def _described(self, module: nn.Module) -> ModuleDefinition:
        python = module.__dict__.get("_original_class", type(module))
        if "_writer" in vars(module):
            raise NotImplementedError(
                "a module that was traced or loaded, inside of one that was scripted, is not "
                "written"
            )
        sources = _sources(python)
        made = ModuleDefinition(self._scripts, python, sources)
        declared = {n: k for each in reversed(sources) for n, k in self.declared(each).items()}
        constants = set(getattr(python, "__constants__", ()))
        constants |= {
            n
            for each in python.__mro__
            for n, said in vars(each).get("__annotations__", {}).items()
            if _is_final(said)
        }
        for names, group in (
            (made.parameters, module._parameters),
            (made.buffers, module._buffers),
        ):
            for name, tensor in group.items():
                names.append(name)
                kind = NONE if tensor is None else TENSOR
                made.attributes[name] = declared.get(name, kind)
        for name, child in module._modules.items():
            if child is not None:
                made.modules[name] = self.of(child).type
            else:
                made.attributes[name] = declared.get(name, NONE)
        for name in made.static("script_extra_") or ():
            made.attributes[name] = declared[name]
        for name, value in {**self._class_constants(python, constants), **vars(module)}.items():
            if (
                name in _OWN
                or name in made.attributes
                or name in made.modules
                or name.endswith("_")
                and name.startswith("_")
                and name not in declared
            ):
                continue
            if name in ("_original_class", "_writer"):
                continue
            self._attribute(made, name, value, name in constants, declared)
        return made

    def _class_constants(self, python: type, constants: set[str]) -> dict[str, Any]:
        return {n: getattr(python, n) for n in constants if hasattr(python, n)}

    def _attribute(
        self,
        made: ModuleDefinition,
        name: str,
        value: Any,
        constant: bool,
        declared: dict[str, Type],
    ) -> None:
        if constant:
            if _is_constant(value):
                made.constants[name] = value
            else:
                made.failed[name] = ""
            return
        if type(value).__name__ == "Attribute" and hasattr(value, "type"):
            reader = AnnotationReader({}.__getitem__, self._scripts.class_type)
            made.attributes[name] = reader.of(value.type)
            return
        if name in declared:
            made.attributes[name] = declared[name]
            return
        if isinstance(value, types.FunctionType) or _find_builtin(value):
            if get_torchscript_modifier(value) != FunctionModifiers.IGNORE:
                made.others[name] = value
            return
        if callable(value) and hasattr(value, "_torchdynamo_inline"):
            made.others[name] = value
            return
        kind = inferred(value, self._scripts)
        if isinstance(kind, Type):
            made.attributes[name] = kind
        else:
            made.failed[name] = (
                "(This attribute exists on the Python module, but we failed to convert Python "
                "type: "
                f"'{type(value).__name__}' to a TorchScript type. {kind}. Its type was inferred; "
                "try adding a type annotation for the attribute.)"
            )

    def declared(self, python: type) -> dict[str, Type]:
        """The types that a class says of attributes, without what its bases say."""
        found = self._declared.get(python)
        if found is None:
            own = python.__module__.startswith("mindtorch")
            known = not own or hasattr(python, "script_library_") or hasattr(python, "_fields")
            found = self._declared[python] = self._annotations(python) if known else {}
        return found

    def _annotations(self, python: type) -> dict[str, Type]:
        found: dict[str, Type] = {}
        said = vars(python).get("__annotations__", {})
        if not said:
            return found
        module = inspect.getmodule(python)
        names = {**vars(typing), **(vars(module) if module is not None else {})}
        names |= _closure(python)
        reader = AnnotationReader(names.__getitem__, self._scripts.class_type)
        for name, annotation in said.items():
            if _is_final(annotation) or str(annotation).startswith(("ClassVar", "typing.ClassVar")):
                continue
            try:
                found[name] = reader.of(annotation)
            except RuntimeError:
                continue
        return found


def _sources(python: type) -> tuple[type, ...]:
    """The classes that the methods of a class come from: of the library's, their scripts."""
    found: list[type] = []
    for each in python.__mro__:
        if each is nn.Module:
            break
        written = None
        if each.__module__.startswith("mindtorch"):
            written = script_of(_qualified_name(each))
        for one in written.__mro__[:-1] if written is not None else (each,):
            if one not in found:
                found.append(one)
        if written is not None:
            break  # the script says all that the bases of the layer do
    return tuple(found)


def _closure(python: type) -> dict[str, Any]:
    """The names that the methods of a class see around it."""
    found: dict[str, Any] = {}
    for fn in vars(python).values():
        if isinstance(fn, types.FunctionType) and fn.__closure__:
            for name, cell in zip(fn.__code__.co_freevars, fn.__closure__, strict=True):
                try:
                    found[name] = cell.cell_contents
                except ValueError:
                    continue
    return found


def _is_final(annotation: Any) -> bool:
    return is_final(annotation) or str(annotation).rpartition(".")[2].startswith("Final")


def _is_constant(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_is_constant, value))
    return constant_type(value) is not None and not isinstance(value, Tensor)
