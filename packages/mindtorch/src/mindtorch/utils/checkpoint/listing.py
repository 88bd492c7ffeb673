"""``debug=True``: the operators of both runs of a checkpointed function, for an error's text."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any, NoReturn

from ...core.dtype_abbreviations import abbreviated
from ...tensor import Tensor
from .._python_dispatch import TorchDispatchMode
from .._pytree import tree_map
from .errors import CheckpointError

_RULE = "+" + "~" * 78 + "+\n"
_UNDER = "+" + "-" * 78 + "+\n"


class _Listing(TorchDispatchMode):
    """Notes each operator, and where it was called."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.traces: list[list[str]] = []
        self.numbers: dict[int, int] = {}
        self.kept: list[Any] = []  # so that ids stay true

    def number(self, t: Any) -> str:
        if id(t) not in self.numbers:
            self.numbers[id(t)] = len(self.numbers)
            self.kept.append(t)
        return f"${self.numbers[id(t)]}"

    def text(self, value: Any) -> str:
        return self.number(value) if isinstance(value, Tensor) else repr(value)

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        given = [self.text(a) for a in args] + [f"{k}={self.text(v)}" for k, v in kwargs.items()]
        out = func(*args, **kwargs)
        made: list[str] = []

        def note(t: Any) -> Any:
            if isinstance(t, Tensor):
                kind = abbreviated(t.dtype)
                made.append(f"{self.number(t)}: {kind}{list(t.shape)}")
            return t

        tree_map(note, out)
        self.lines.append(f"{', '.join(made)} = torch._ops.{func}({', '.join(given)})")
        frames = reversed(traceback.extract_stack()[:-1])
        self.traces.append([f"{f.filename}:{f.lineno}:{f.name}" for f in frames])
        return out


def _traced(label: str, listing: _Listing) -> str:
    text = ""
    for i, (line, trace) in enumerate(zip(listing.lines, listing.traces, strict=True), 1):
        text += f"{line}   ({i} of {len(listing.lines)} in {label})\n\n"
        text += "".join(f"{frame}\n" for frame in trace) + "\n\n"
    return text


def listing_contexts() -> tuple[Callable[[], Any], Callable[[Exception], NoReturn]]:
    """The context managers of the two runs, and what turns an error into one with their lists."""
    first, again = _Listing(), _Listing()

    def explain(error: Exception) -> NoReturn:
        listed, relisted = "\n".join(first.lines), "\n".join(again.lines)
        raise CheckpointError(
            " An error happened while unpacking tensors; dumping logs of latest computation\n"
            "because you passed `debug=True` to `torch.utils.checkpoint.checkpoint()`.\n"
            "Scroll all the way down for guidance on how to navigate these logs.\n\n"
            f"{_RULE}|        1. Stack traces of the operators that ran in the original forward"
            f"     |\n{_UNDER}\n{_traced('original', first)}\n"
            f"{_RULE}|        2. Stack traces of the operators that ran during recomputation"
            f"        |\n{_UNDER}\n{_traced('recompute', again)}\n"
            f"{_RULE}|       3. Log of operators in the original forward and recomputation"
            f"          |\n{_UNDER}(Scroll up to correlate stack traces with each operation listed "
            "below. This\n helps identify their source in the code.)\n\n"
            'IMPORTANT: Differences in "detach" calls between the original forward and the\n'
            "           recomputation are expected. They are introduced by the checkpointing\n"
            "           mechanism and can be ignored.\n\n"
            f"Operations executed during the original forward:\n\n{listed}\n\n"
            f"Operations executed during recomputation:\n\n{relisted}\n\n"
            f"{_UNDER} ERROR: Detected non-determinism while running activation checkpointing\n"
        ) from error

    return lambda: (first, again), explain
