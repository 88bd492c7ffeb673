"""``torch._guards``: what libraries ask of a running compilation: there is none."""

from __future__ import annotations

from mindtorch._subclasses.tracing_context import (
    TracingContext,
    active_fake_mode,
    detect_fake_mode,
    tracing,
)

__all__ = [
    "CompileContext",
    "Source",
    "TracingContext",
    "active_fake_mode",
    "detect_fake_mode",
    "tracing",
]


class CompileContext:
    """What a compilation is about."""

    @staticmethod
    def try_get() -> CompileContext | None:
        """The running compilation: None."""
        return None

    @staticmethod
    def current_compile_id() -> None:
        """The number of the running compilation: None."""
        return None


class Source:
    """Where a compiled value came from."""
