"""Functions made of the source of a graph, and the imports that the source needs."""

from __future__ import annotations

import itertools
import linecache
import sys
from collections.abc import Callable
from typing import Any

from ..aten import torch
from ..core.source_code import run_source
from .namespace import _custom_builtins


class _EvalCacheLoader:
    """Sources of generated functions, for tracebacks and ``inspect``."""

    def __init__(self) -> None:
        self.eval_cache: dict[str, str] = {}
        self._numbers = itertools.count()

    def cache(
        self, src: str, globals: dict[str, Any], co_fields: dict[str, Any] | None = None
    ) -> str:
        """Keep a source; returns the name of its file."""
        key = self._get_key()
        if co_fields:
            if "co_filename" in co_fields:
                key += f" from {co_fields['co_filename']}:{co_fields['co_firstlineno']}"
            key += f" in {co_fields['co_name']}"
        self.eval_cache[key] = src
        copied = globals.copy()
        copied["__file__"] = copied["__name__"] = key
        copied["__loader__"] = self
        linecache.lazycache(key, copied)
        return key

    def get_source(self, module_name: str) -> str | None:
        """The source of a file."""
        return self.eval_cache.get(module_name)

    def _get_key(self) -> str:
        return f"<eval_with_key>.{next(self._numbers)}"


_loader = _EvalCacheLoader()


def _exec_with_source(
    src: str, globals: dict[str, Any], co_fields: dict[str, Any] | None = None
) -> None:
    key = _loader.cache(src, globals, co_fields)
    run_source(src, globals, key)


def _method_from_src(
    method_name: str,
    src: str,
    globals: dict[str, Any],
    co_fields: dict[str, Any] | None = None,
) -> Callable[..., Any]:
    scope = globals.copy()
    _exec_with_source(src, scope, co_fields)
    method: Callable[..., Any] = scope[method_name]
    return method


def _forward_from_src(
    src: str, globals: dict[str, Any], co_fields: dict[str, Any] | None = None
) -> Callable[..., Any]:
    return _method_from_src("forward", src, globals, co_fields)


def _format_import_statement(name: str, obj: Any, importer: Any = None) -> str:
    if name in _custom_builtins:
        return _custom_builtins[name].import_str
    if getattr(obj, "__name__", None) == "mindtorch" or obj is torch:
        return "import torch"
    module, attribute = _where(obj)
    return f"from {module} import {attribute} as {name}"


def _where(obj: Any) -> tuple[str, str]:
    """A module, and the name that it has for *obj*."""
    name = getattr(obj, "__qualname__", None) or getattr(obj, "__name__", None) or repr(obj)
    module = getattr(obj, "__module__", None)
    if module == "_operator":
        module = "operator"
    if module is None:
        module = next(
            (n for n, m in list(sys.modules.items()) if getattr(m, name, None) is obj), "__main__"
        )
    return module, name


def _format_import_block(globals: dict[str, Any], importer: Any = None) -> str:
    statements = {_format_import_statement(n, o, importer) for n, o in globals.items()}
    return "\n".join(sorted(statements))
