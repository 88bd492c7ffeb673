"""Plans of composites: what an op that others make up does with arguments of one layout.

The Python of a composite runs once over :mod:`.call_tape`; what it came to is put into the call of
the entrance that asked (``call.known_call``) and stands in its table like any other call.
Composites that do what a tape cannot hold go on being called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from mindtorch_autograd import grad_mode

from ..call.overload import FUNCTIONAL, Overload
from ..call.specialize import stepping
from ..core import signature as S
from ..tensor import Tensor
from .array_calls import all_built
from .call_tape import Tape
from .stand_in import ODD, Untraceable

__all__ = ["CompositeText", "composite_text", "noted"]

#: Lists of more tensors are handed on by their composites.
_MANY = 64


class CompositeText(NamedTuple):
    """The lines of a call, the expression of its result, and the names in both."""

    lines: list[str]
    result: str
    cells: dict[str, Any]


def composite_text(
    overload: Overload,
    sig: int,
    composite: Callable[..., Any],
    args: tuple[Any, ...],
    texts: Sequence[str],
) -> CompositeText | None:
    """What *composite* does with arguments of the layouts of *args*, named in *texts*.

    None where it does what cannot be said for other numbers.

    :param sig: signature and state of a call of *overload*.
    """
    state = sig & S.GRAD_STATE
    odd = sig & ODD or sig >> S.TLS_SHIFT or state & ~grad_mode.GRAD_ENABLED
    if odd or overload.kind != FUNCTIONAL or not all_built(overload, sig):
        return None
    if stepping(overload, sig & ~S.VIEWS) is not None:
        return None
    if overload.tagged("asks_identity"):  # the call looks whether it is one tensor again
        texts = [texts[next(k for k, b in enumerate(args) if b is a)] for a in args]
    return noted(composite, state, args, texts)


def noted(
    code: Callable[..., Any], state: int, args: tuple[Any, ...], texts: Sequence[str]
) -> CompositeText | None:
    """What *code* does with arguments of the layouts of *args*, named in *texts*.

    :param state: the grad mode.
    """
    tape = Tape(state)
    try:
        stand_ins: dict[str, Any] = {}
        for a, text in zip(args, texts, strict=True):
            if text not in stand_ins:
                stand_ins[text] = _stand_in(tape, a, text)
        given = [stand_ins[text] for text in texts]
        made = tape.follow(code, *given)
        result = tape.result(made)
        return CompositeText(tape.needed(result), result, tape.cells)
    except Exception:  # whatever it is, the code says it in its own words
        return None


def _tensors_in(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if type(value) in (tuple, list):
        return [v for v in value if isinstance(v, Tensor)]
    return []


def _stand_in(tape: Tape, value: Any, text: str) -> Any:
    """What *composite* is given for an argument."""
    if isinstance(value, Tensor):
        return tape.given(value, text)
    if not _tensors_in(value):
        return value
    if any(isinstance(v, Tensor) or v is None for v in value) and len(value) <= _MANY:
        name = text if text.isidentifier() else tape.put(tape.name("l"), text)
        members = [
            tape.given(v, f"{name}[{i}]") if isinstance(v, Tensor) else v
            for i, v in enumerate(value)
        ]
        return type(value)(members)
    raise Untraceable(text)
