"""The operators ``profiler::…``: ranges with names that a graph may hold.

Source of the schemas: torch csrc/autograd/record_function_ops.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, ClassVar

from .._library.library import Library
from ..aten import torch
from ..core.script_object import Bound, ScriptObject
from .profiler_ranges import record_function

__all__: list[str] = []

_HANDLE = "__torch__.torch.classes.profiler._RecordFunction"
#: Ranges that are open, by the number that is in their tensor.
_OPEN: dict[int, record_function] = {}
_numbers = count(1)


class _RecordFunction(Bound):
    """A range that is open."""

    full_name: ClassVar[str] = _HANDLE

    def __init__(self, held: record_function) -> None:
        self.held: record_function | None = held


def _begun(name: str, args: str | None) -> record_function:
    held = record_function(name, args)
    held.__enter__()
    return held


def _enter(name: str, args: str | None = None) -> Any:
    number = next(_numbers)
    _OPEN[number] = _begun(name, args)
    return torch.tensor([*number.to_bytes(8, "little")], dtype=torch.uint8)


def _enter_new(name: str, args: str | None = None) -> ScriptObject:
    return ScriptObject.of(_RecordFunction(_begun(name, args)))


def _exit(handle: Any) -> None:
    held = _OPEN.pop(int.from_bytes(bytes(handle.tolist()), "little"), None)
    if held is not None:
        held.__exit__(None, None, None)


def _exit_record(record: Any) -> None:
    bound = record._bound
    held, bound.held = bound.held, None
    if held is not None:
        held.__exit__(None, None, None)


_library = Library("profiler", "FRAGMENT")


def _define(schema: str, kernel: Callable[..., Any]) -> None:
    """An operator that runs the same at every key."""
    name = schema.partition("(")[0]
    _library.define(schema)
    _library.impl(name, kernel, "CompositeExplicitAutograd")


_define("_record_function_enter(str name, str? args=None) -> Tensor", _enter)
_define(f"_record_function_enter_new(str name, str? args=None) -> {_HANDLE}", _enter_new)
_define("_record_function_exit(Tensor handle) -> ()", _exit)
_define(f"_record_function_exit._RecordFunction({_HANDLE} record) -> ()", _exit_record)
