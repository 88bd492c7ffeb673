"""``torch.export.graph_signature``: what goes into an exported graph and comes out."""

from __future__ import annotations

from enum import Enum, auto

from ..core.unavailable import COMPILER, offer
from .exported_program import ExportBackwardSignature, ExportGraphSignature


class InputKind(Enum):
    """What an input of a graph is."""

    USER_INPUT = auto()
    PARAMETER = auto()
    BUFFER = auto()
    CONSTANT_TENSOR = auto()
    CUSTOM_OBJ = auto()
    TOKEN = auto()


class OutputKind(Enum):
    """What an output of a graph is."""

    USER_OUTPUT = auto()
    LOSS_OUTPUT = auto()
    BUFFER_MUTATION = auto()
    PARAMETER_MUTATION = auto()
    GRADIENT_TO_PARAMETER = auto()
    GRADIENT_TO_USER_INPUT = auto()
    USER_INPUT_MUTATION = auto()
    TOKEN = auto()


__all__ = ["ExportBackwardSignature", "ExportGraphSignature", "InputKind", "OutputKind"]
offer(
    globals(),
    COMPILER,
    classes="ConstantArgument CustomObjArgument InputSpec OutputSpec SymBoolArgument "
    "SymFloatArgument SymIntArgument TensorArgument TokenArgument",
)
