"""``torch.export``: programs as graphs."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import IO, Any

from mindtorch.utils import _pytree

from .._dynamo.exc import UserError
from ..core.submodules import reached as _reached
from ..core.unavailable import COMPILER, offer
from ..fx.experimental._shape_errors import (
    ConstraintViolationError,
    GuardOnDataDependentSymNode,
)
from ..jit import ScriptModule
from ..nn import Module
from ._data_dependence import tell_where
from ._trace import AFTER_ERROR, export_module
from .decomp_utils import CustomDecompTable
from .dynamic_shapes import AdditionalInputs, Constraint, Dim, ShapesCollection, dims
from .exported_program import (
    ExportedProgram,
    ModuleCallEntry,
    ModuleCallSignature,
    default_decompositions,
)
from .graph_signature import ExportBackwardSignature, ExportGraphSignature
from .pt2_archive._package import load_program, save_program
from .unflatten import FlatArgsAdapter, UnflattenedModule, unflatten

__all__ = [
    "AdditionalInputs",
    "Constraint",
    "CustomDecompTable",
    "Dim",
    "ExportBackwardSignature",
    "ExportGraphSignature",
    "ExportedProgram",
    "FlatArgsAdapter",
    "ModuleCallEntry",
    "ModuleCallSignature",
    "ShapesCollection",
    "UnflattenedModule",
    "default_decompositions",
    "dims",
    "export",
    "load",
    "register_dataclass",
    "save",
    "unflatten",
]


def export(
    mod: Module,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic_shapes: dict[str, Any] | tuple[Any, ...] | list[Any] | None = None,
    strict: bool = False,
    preserve_module_call_signature: tuple[str, ...] = (),
    prefer_deferred_runtime_asserts_over_guards: bool = False,
) -> ExportedProgram:
    """The program that a call of *mod* comes to, as a graph of operators.

    The module runs once, on tensors without numbers: parameters, buffers and arguments of the
    graph have the dtypes that they have in this call, and sizes but those that vary.

    :param args: example arguments, *kwargs* those by keyword. Values that are no tensors are
        constants of the program.
    :param dynamic_shapes: which sizes vary, nested as the arguments are, or by their names: for
        each tensor a dict or list of :class:`Dim`, ``Dim.AUTO``, ``Dim.DYNAMIC`` or None.
    :param strict: accepted: the operators are traced, whatever Python does besides.
    :param prefer_deferred_runtime_asserts_over_guards: says how sizes that vary are checked.

    Raises ValueError for what is no module or for arguments that no graph can take, UserError
    where sizes do not vary as was said, and what *mod* raises.
    """
    if isinstance(mod, ScriptModule):
        raise ValueError(
            "Exporting a ScriptModule is not supported. Maybe try converting your ScriptModule to "
            "an ExportedProgram using `TS2EPConverter(mod, args, kwargs).convert()` instead."
        )
    if not isinstance(mod, Module):
        raise ValueError(f"Expected `mod` to be an instance of `torch.nn.Module`, got {type(mod)}.")
    said: Any = dynamic_shapes
    if isinstance(said, (ShapesCollection, AdditionalInputs)):
        said = said.dynamic_shapes(mod, args, dict(kwargs or {}))
    try:
        return export_module(
            mod,
            args,
            kwargs,
            said,
            preserve_module_call_signature,
            prefer_deferred_runtime_asserts_over_guards,
        )
    except (UserError, ConstraintViolationError, GuardOnDataDependentSymNode) as error:
        if isinstance(error, GuardOnDataDependentSymNode):
            tell_where(error)
        if not str(error).endswith(AFTER_ERROR):
            error.args = (f"{error}{AFTER_ERROR}",)
        raise


def save(
    ep: ExportedProgram,
    f: str | PathLike[str] | IO[bytes],
    *,
    extra_files: dict[str, Any] | None = None,
    opset_version: dict[str, int] | None = None,
    pickle_protocol: int = 2,
) -> None:
    """Write a program to a file, ``.pt2``, which torch reads, too.

    :param f: a path, or an object with ``write``.
    :param extra_files: further texts by name.
    :param opset_version: the operators' version is torch's own, whatever is asked for.

    Raises TypeError for what is no program.
    """
    if not isinstance(ep, ExportedProgram):
        raise TypeError(
            "The 'ep' parameter must be an instance of 'ExportedProgram', got "
            f"'{type(ep).__name__}' instead."
        )
    save_program(ep, f, extra_files or {}, pickle_protocol)


def load(
    f: str | PathLike[str] | IO[bytes],
    *,
    extra_files: dict[str, Any] | None = None,
    expected_opset_version: dict[str, int] | None = None,
) -> ExportedProgram:
    """Read a program from a file, also one that torch wrote, with sizes that vary.

    :param extra_files: names of further texts; the texts come in place of what is there.
    :param expected_opset_version: the operators' version is torch's own, whatever is expected.

    Raises FileNotFoundError, zipfile.BadZipFile, RuntimeError for what is no such file, and
    NotImplementedError for a program with operators that are not here.
    """
    return load_program(f, {} if extra_files is None else extra_files)


def register_dataclass(cls: type, *, serialized_type_name: str | None = None) -> None:
    """Let pytrees look into a dataclass. Raises AssertionError for another class."""
    import dataclasses

    if not dataclasses.is_dataclass(cls):
        raise AssertionError(f"Only dataclasses can be registered with this function: {cls}")
    names = [f.name for f in dataclasses.fields(cls) if f.init]

    def flatten(value: object) -> tuple[list[object], list[str]]:
        return [getattr(value, name) for name in names], names

    def unflatten(values: object, context: list[str]) -> object:
        return cls(**dict(zip(context, values)))  # type: ignore[call-overload]  # as many as names

    _pytree.register_pytree_node(cls, flatten, unflatten, serialized_type_name=serialized_type_name)


offer(
    globals(),
    COMPILER,
    "draft_export",
)


def __dir__() -> list[str]:
    return sorted(__all__)


__getattr__ = _reached(__name__, ("custom_ops", "graph_signature"))
