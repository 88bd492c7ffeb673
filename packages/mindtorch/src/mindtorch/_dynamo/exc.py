"""``torch._dynamo.exc``: the errors of torch's compiler, for programs that catch them."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any


class TorchDynamoException(RuntimeError):
    """Whatever goes wrong in compiling."""


class Unsupported(TorchDynamoException):
    """A program does what cannot be compiled."""

    def __init__(self, msg: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(msg)
        self.msg = msg


class InvalidBackend(TorchDynamoException):
    """There is no backend of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Invalid backend: {name!r}, see `torch._dynamo.list_backends()` for available "
            "backends."
        )


class UserErrorType(Enum):
    """What is wrong with a program."""

    DYNAMIC_CONTROL_FLOW = auto()
    ANTI_PATTERN = auto()
    STANDARD_LIBRARY = auto()
    CONSTRAINT_VIOLATION = auto()
    DYNAMIC_DIM = auto()
    INVALID_INPUT = auto()
    INVALID_OUTPUT = auto()
    UNSUPPORTED_ALIASED_MUTATED_DYNAMIC_INPUTS = auto()


class UserError(TorchDynamoException):
    """A program is wrong."""

    def __init__(self, error_type: UserErrorType, msg: str, case_name: str | None = None) -> None:
        super().__init__(msg)
        self.error_type = error_type
        self.message = msg


class FailOnRecompileLimitHit(Exception):
    """A function was compiled too often."""


_DERIVED = (
    "BackendCompilerFailed CondOpArgsMismatchError InternalTorchDynamoError PackageError "
    "RecompileError ResetRequired RestartAnalysis ShortenTraceback SkipFrame StepUnsupported "
    "TorchRuntimeError UncapturedHigherOrderOpError InfiniteGeneratorError ObservedException"
).split()
globals().update(
    {
        name: type(name, (TorchDynamoException,), {"__module__": __name__, "__doc__": "See torch."})
        for name in _DERIVED
    }
)
