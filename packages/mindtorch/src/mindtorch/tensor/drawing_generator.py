"""Whom kernels draw random numbers from where their call names no generator."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from .default_generator import default_generator
from .generator import Generator

__all__ = ["DEFAULT", "check_generator", "drawing_from", "generator_or_default"]


class _Default(threading.local):
    """Whom this thread's kernels draw from if no generator is given."""

    generator: Generator = default_generator


DEFAULT = _Default()


def generator_or_default(generator: Generator | None) -> Generator:
    """The generator to draw from. Raises RuntimeError for one of another kind of device."""
    default = DEFAULT.generator
    if generator is None or generator is default:
        return default
    check_generator(generator, default.device.type)
    return generator


def check_generator(generator: Generator, kind: str) -> None:
    """Source: torch aten/src/ATen/core/Generator.h, check_generator."""
    if generator.device.type != kind:
        raise RuntimeError(
            f"Expected a '{kind}' device type for generator but found '{generator.device.type}'"
        )


def drawing_from(generator: Generator, run: Callable[..., Any]) -> Callable[..., Any]:
    """*run*, whose kernels draw from *generator* if they are given none."""

    def drawing(*args: Any) -> Any:
        before, DEFAULT.generator = DEFAULT.generator, generator
        try:
            return run(*args)
        finally:
            DEFAULT.generator = before

    return drawing
