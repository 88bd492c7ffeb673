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


class ShortenTraceback(TorchDynamoException):
    """An error that says nothing of where in the compiler it was raised."""


class BackendCompilerFailed(ShortenTraceback):
    """A backend raised an error, or did not return a function."""

    def __init__(
        self, backend_fn: Any, inner_exception: Exception, first_useful_frame: Any = None
    ) -> None:
        self.backend_name = getattr(backend_fn, "__name__", None) or str(backend_fn)
        self.inner_exception = inner_exception
        super().__init__(
            f"backend={self.backend_name!r} raised:\n"
            f"{type(inner_exception).__name__}: {inner_exception}\n\n"
            "Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace (please do this especially if "
            "you're reporting a bug to PyTorch). For even more developer context, set "
            'TORCH_LOGS="+dynamo"\n'
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
        if case_name is not None:
            page = case_name.replace("_", "-")
            msg += (" " if msg.endswith(".") else "\n") + (
                "For more information about this error, see: "
                f"https://pytorch.org/docs/main/generated/exportdb/index.html#{page}"
            )
        super().__init__(msg)
        self.error_type = error_type
        self.msg = self.message = msg


class FailOnRecompileLimitHit(Exception):
    """A function was compiled too often."""


_DERIVED = (
    "CondOpArgsMismatchError InternalTorchDynamoError PackageError "
    "RecompileError ResetRequired RestartAnalysis SkipFrame StepUnsupported "
    "TorchRuntimeError UncapturedHigherOrderOpError InfiniteGeneratorError ObservedException"
).split()
globals().update(
    {
        name: type(name, (TorchDynamoException,), {"__module__": __name__, "__doc__": "See torch."})
        for name in _DERIVED
    }
)
