"""What ``torch.use_deterministic_algorithms`` changes.

Kernels here are numpy's: deterministic, whatever the switch says. But while it is on, new memory is
filled with values that nobody takes for numbers, and ops complain whose kernel in torch depends on
an order where one index comes twice. Calls are resolved with that or without; the switch empties
the tables.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from ..core import signature as S
from ..core.warning import warn
from ..tensor.deterministic_fill import ELSEWHERE, fill_new, no_number, state
from .dispatch_entry import Call, forget_resolved_calls
from .overload import OUT, Overload

__all__ = ["alert_not_deterministic", "deterministic_call", "is_concerned", "state", "switch"]

#: The kernel that has complained, while its op runs.
_told: ContextVar[str] = ContextVar("mindtorch_nondeterministic", default="")


def is_concerned(overload: Overload) -> bool:
    """Whether the switch changes what the op does: its row has a tag for that."""
    return "new_memory" in overload.row.tags or bool(_complaint(overload))


def switch(enabled: bool, warn_only: bool) -> None:
    """Turn it on or off."""
    state.enabled, state.warn_only = enabled, warn_only
    forget_resolved_calls(is_concerned)


def deterministic_call(overload: Overload, call: Call) -> Call:
    """*call*, of a row that is concerned, as it is while the switch is on."""
    complaint = _complaint(overload)
    if complaint:
        return _complaining(overload, call, complaint)
    if overload.kind == OUT:

        def filled_out(*args: Any) -> Any:
            made = call(*args)
            if state.fills and not made._sig_ & ELSEWHERE:
                made.fill_(no_number(made.dtype))
            return made

        return filled_out

    def filled(*args: Any) -> Any:
        made = call(*args)
        fill_new(made)
        return made

    return filled


def _complaint(overload: Overload) -> str:
    """What its row says of the complaint: a name, and what spares one it."""
    for tag in overload.row.tags:
        word, _, what = tag.partition(": ")
        if word == "nondeterministic":
            return what
    return ""


def _complaining(overload: Overload, call: Call, complaint: str) -> Call:
    name, _, excuses = complaint.partition(" unless ")
    spared = excuses.split(" or ")
    places = [i for i, argument in enumerate(overload.names) if argument in spared]
    on_meta = "meta" in spared

    def complains(*args: Any) -> Any:
        excused = any(args[i] for i in places if i < len(args))
        if excused or on_meta and args[0]._sig_ & S.META or _told.get() == name:
            return call(*args)
        _alert(name)
        token = _told.set(name)  # arguments that are prepared first have the op called anew
        try:
            return call(*args)
        finally:
            _told.reset(token)

    return complains


def alert_not_deterministic(name: str) -> None:
    """Raise or warn, if only deterministic algorithms are wanted, that *name* has none."""
    if state.enabled:
        _alert(name)


def _alert(name: str) -> None:
    """Raise or warn. Source: torch aten/src/ATen/Context.cpp, alertNotDeterministic."""
    only = ", warn_only=True" if state.warn_only else ""
    text = (
        f"{name} does not have a deterministic implementation, but you set "
        f"'torch.use_deterministic_algorithms(True{only})'. "
    )
    ask = "ile an issue at https://github.com/pytorch/pytorch/issues to help us prioritize adding "
    ask += "deterministic support for this operation."
    if state.warn_only:
        warn(f"{text}You can f{ask}")
        return
    raise RuntimeError(
        f"{text}You can turn off determinism just for this operation, or you can use the "
        "'warn_only=True' option, if that's acceptable for your application. You can also "
        f"f{ask}"
    )
