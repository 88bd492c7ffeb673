"""Ranges with names, which profilers see."""

from __future__ import annotations

from contextlib import ContextDecorator
from typing import Any

from mindtorch_npu.annotations import named_ranges

from ..core import ranges
from ..futures._future import Future

__all__ = [
    "record_function",
]


class record_function(ContextDecorator):
    """Show a ``with`` block, or a function that is decorated, in profiles.

    :param name: what it is called.
    :param args: what else is to be said of it.
    """

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name: str = name
        self.args: str | None = args
        self.run_callbacks_on_exit: bool = True
        self.record: Any = None

    def __enter__(self) -> record_function:
        if type(self.name) is not str or self.args is not None and type(self.args) is not str:
            _refuse_range(self.name, self.args)
        if named_ranges.on:
            named_ranges.note(self.name, "START")
        source = ranges.active
        if source is not None:
            found = source(self.name, () if self.args is None else (self.args,), None)
            if found is not None:
                self.record = found
                found.__enter__()
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        if not self.run_callbacks_on_exit:
            return
        if named_ranges.on:
            named_ranges.note(self.name, "END")
        record = self.record
        if record is not None:
            self.record = None
            record.__exit__(exc_type, exc_value, traceback)

    def _call_end_callbacks_on_future(self, fut: Any) -> Any:
        """End the range when *fut* is done; a future that is done after that."""
        if not self.run_callbacks_on_exit:
            raise RuntimeError("_call_end_callbacks_on_future can only be called once.")
        self.run_callbacks_on_exit = False
        record, self.record = self.record, None
        return ending_with(record, fut)


def ending_with(record: Any, future: Any) -> Any:
    """A future of what *future* gives or raises, done after it and after the range *record*.

    :param record: None where nobody follows the thread.
    """
    after = Future(future._devices)
    if record is not None:
        record.leave_open()

    def ends() -> None:
        if record is not None:
            record.end()
        try:
            value, error = future.value(), None
        except Exception as raised:
            value, error = None, raised
        after._complete(value, error)

    future._when_done(ends)
    return after


def _refuse_range(name: Any, args: Any) -> None:
    """Raise what the operator of the range says of wrong types, unless they are right."""
    for position, (value, argument, kind) in enumerate(
        ((name, "name", "str"), (args, "args", "Optional[str]"))
    ):
        if isinstance(value, str) or position and value is None:
            continue
        to = "'std::string'" if position == 0 else "'std::string'"
        raise RuntimeError(
            f"profiler::_record_function_enter_new() Expected a value of type '{kind}' for "
            f"argument '{argument}' but instead found type '{type(value).__name__}'.\n"
            f"Position: {position}\nValue: {value!r}\n"
            "Declaration: profiler::_record_function_enter_new(str name, str? args=None) -> "
            "__torch__.torch.classes.profiler._RecordFunction\n"
            "Cast error details: Unable to cast Python instance of type "
            f"{type(value)} to C++ type {to}"
        )
