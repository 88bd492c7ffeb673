"""The operators ``profiler::…``: a named range that begins with one call and ends with another.

Programs and graphs call them as ``torch.ops.profiler``; the ``with`` block of the same is
:class:`~.profiler_ranges.record_function`. Source of the schemas: torch
csrc/autograd/record_function_ops.cpp.
"""

from __future__ import annotations

import itertools

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import registry

from ..aten import torch
from ..core.script_object import Bound, ScriptObject
from ..tensor import Tensor
from .profiler_ranges import record_function

_CLASS = "__torch__.torch.classes.profiler._RecordFunction"
_ARGUMENTS = "(str name, str? args=None)"

#: Ranges that an older program began, by the number that its tensor holds.
_OPEN: dict[int, record_function] = {}
_NUMBERS = itertools.count(1)


class _Range(Bound):
    """A range that has begun."""

    full_name = _CLASS

    def __init__(self, record: record_function) -> None:
        self.record = record


def _begun(name: str, args: str | None) -> record_function:
    return record_function(name, args).__enter__()


def _enter(name: str, args: str | None = None) -> Tensor:
    number = next(_NUMBERS)
    _OPEN[number] = _begun(name, args)
    return torch.tensor(list(number.to_bytes(8, "little")), dtype=torch.uint8)


def _enter_new(name: str, args: str | None = None) -> ScriptObject:
    return ScriptObject.of(_Range(_begun(name, args)))


def _exit(handle: Tensor) -> None:
    record = None
    if handle.dtype is torch.uint8 and handle.numel() == 8:
        record = _OPEN.pop(int.from_bytes(handle.tolist(), "little"), None)
    if record is None:
        raise RuntimeError("Expected temporary cpp type wrapper")
    record.__exit__(None, None, None)


def _exit_new(record: ScriptObject) -> None:
    bound = record._bound
    if isinstance(bound, _Range):
        bound.record.__exit__(None, None, None)


for _schema, _kernel in (
    (f"_record_function_enter{_ARGUMENTS} -> Tensor", _enter),
    (f"_record_function_enter_new{_ARGUMENTS} -> {_CLASS}", _enter_new),
    ("_record_function_exit(Tensor handle) -> ()", _exit),
    (f"_record_function_exit._RecordFunction({_CLASS} record) -> ()", _exit_new),
):
    registry.register_op(f"profiler::{_schema}", {K.CompositeExplicitAutograd: _kernel})
