"""``torch.jit.frontend``: the errors of TorchScript's parser, for programs that catch them."""

from __future__ import annotations

import inspect
from typing import Any

from ..core.unavailable import COMPILER, offer_listed, refusals
from .internal import FunctionModifiers, should_drop

__all__ = [
    "FrontendError",
    "FrontendTypeError",
    "FunctionModifiers",
    "NotSupportedError",
    "UnsupportedNodeError",
    "get_default_args",
    "should_drop",
]


class FrontendError(Exception):
    """A source cannot be compiled."""

    def __init__(self, source_range: Any, msg: str) -> None:
        super().__init__(msg)
        self.source_range = source_range
        self.msg = msg

    def __str__(self) -> str:
        if self.source_range is None:
            return str(self.msg)
        return f"{self.msg}:\n{self.source_range.highlight()}"


class NotSupportedError(FrontendError):
    """A source uses what scripts do not have."""


class UnsupportedNodeError(NotSupportedError):
    """A source uses syntax that scripts do not have."""


class FrontendTypeError(FrontendError):
    """A source has a wrong annotation."""


def get_default_args(fn: Any) -> dict[str, Any]:
    """The defaults of the arguments of *fn*; {} for None."""
    if fn is None:
        return {}
    parameters = inspect.signature(fn).parameters.items()
    return {name: p.default for name, p in parameters if p.default is not p.empty}


globals().update(
    refusals("torch.jit.frontend", ("get_jit_class_def", "get_jit_def", "parse_def"), COMPILER)
)

offer_listed(globals())
