"""Compiling statements in C++ for timers, which needs torch's C++."""

from __future__ import annotations

from typing import Any

from ... import cpp_extension

__all__ = ["compile_callgrind_template", "compile_timeit_template"]


def compile_timeit_template(*, stmt: str, setup: str, global_setup: str) -> Any:
    """Refuse: there is nothing to compile against."""
    return cpp_extension.load_inline(name="timeit", cpp_sources=[global_setup, setup, stmt])


def compile_callgrind_template(*, stmt: str, setup: str, global_setup: str) -> str:
    """Refuse: there is nothing to compile against."""
    found: str = cpp_extension.load_inline(
        name="callgrind", cpp_sources=[global_setup, setup, stmt]
    )
    return found


def get_compat_bindings() -> Any:
    """Refuse: there is nothing to compile against."""
    return cpp_extension.load_inline(name="callgrind_bindings", cpp_sources=[])
