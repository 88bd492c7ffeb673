"""``torch.export``: programs as graphs. The names are here; refused when called."""

from __future__ import annotations

from mindtorch.utils import _pytree

from ..core.submodules import reached as _reached
from ..core.unavailable import COMPILER, offer
from .decomp_utils import CustomDecompTable
from .dynamic_shapes import AdditionalInputs, Constraint, Dim, ShapesCollection, dims
from .exported_program import (
    ExportBackwardSignature,
    ExportedProgram,
    ExportGraphSignature,
    ModuleCallEntry,
    ModuleCallSignature,
    default_decompositions,
)
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
    "register_dataclass",
    "unflatten",
]


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
    "draft_export export load save",
)


def __dir__() -> list[str]:
    return sorted(__all__)


__getattr__ = _reached(__name__, ("custom_ops", "graph_signature"))
