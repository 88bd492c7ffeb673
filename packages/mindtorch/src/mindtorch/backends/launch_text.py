"""The text of calls that launch kernels on a stream of the simulator, in parts.

To call a function for one of these parts would cost a tenth of a launch, so calls are written from
them as text. A part stands where its name stands alone on a line. It works with names of the call:

- ``lane``: of an operand, later of the result; see ``held.py``
- ``queue``, ``entries``: the stream, and what waits there
- ``a``: an operand; ``out``: the array of the result, which takes ``nbytes`` and whose tensor has
  the signature ``sig``
- ``kernel(OPERANDS)`` makes ``out``; SLOWLY does all of it by functions, now or later; FAIL is
  what is done about an ``error``
- ``rest``: what is needed now and then, as how many bytes are too many to compute at once

Each word costs: a bytecode is 0.3 % of a launch, and so are two names that a function has from
where it was made. Where a jump goes far behind a comparison, CPython 3.11 compares by a longer way.
"""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent, indent
from typing import Any

from mindtorch_npu import thread_state
from mindtorch_npu.locked_allocator import ALL
from mindtorch_npu.memo_states import LITTLE, MEDIUM

from ..call.code import function
from ..tensor import blank

__all__ = ["LITTLE", "MEDIUM", "TINY", "nothing", "written"]

#: numpy gives the interpreter's lock away for more elements.
TINY = 500

nothing = bool
_parts: dict[str, str] = {}

_parts["SIZE"] = """
    nbytes = out.nbytes
    if nbytes <= LITTLE:
        lane = lane.little
    elif nbytes <= MEDIUM:
        lane = lane.medium
    else:
        lane = lane.large
"""

#: Returns a tensor over ``out``, in memory for use on the default stream.
_parts["HOLD"] = """
    MAKE
    TAKE
"""

#: The same of few numbers if the request was expected; else they need ``TAKE``.
_parts["HOLD_FEW"] = """
    MAKE
    leap = walk.last.next
    if leap.little == out.nbytes and deferred == leap.deferred:
        LEAP
"""

#: The same in medium memory, as the operand's; also if the request was not expected.
_parts["HOLD_MEDIUM"] = """
    MAKE
    leap = walk.last.next
    if leap.medium == out.nbytes and deferred == leap.deferred:
        LEAP
    SIZE
    AFTER
    alias.lane = lane
    TAKE
"""

_parts["MAKE"] = """
    r = blank()
    r._a = out
    r._sig = sig
    r._edge = r._state = None
    made, walk, deferred = lane.own
    r._shared = alias = made()
    alias.value = 0
    alias.owner = out
    alias.lane = lane
"""

# Notes [Leaps] and [Who holds the state] in the allocator_memo.py: from the look to the taking
# nothing is called, not even ``len``: after a call another thread may run.

_parts["TAKE"] = """
    leap = walk.last.next
    if leap.key != nbytes or deferred != leap.deferred:
        leap = leap.other
        if leap.key != nbytes or deferred != leap.deferred:
            alias.__del__ = lane.take(nbytes).release if nbytes else nothing
            return r
        walk.last.next = leap
    LEAP
"""

_parts["LEAP"] = """
    del deferred[ALL]
    leap.count += 1.0
    walk.last = leap
    alias.__del__ = leap.release
    return r
"""

_ON = {
    "leap.key != nbytes": "leap.size != nbytes or leap.queue is not queue",
    "leap.little == out.nbytes": "leap.size == out.nbytes and leap.little_on is queue",
    "leap.medium == out.nbytes": "leap.size == out.nbytes and leap.medium_on is queue",
    "take(nbytes)": "take(nbytes, queue.handle, queue)",
    "HOLD_FEW": "HOLD_FEW_ON",
    "HOLD_MEDIUM": "HOLD_MEDIUM_ON",
    "TAKE": "TAKE_ON",
}


def _on(text: str) -> str:
    """The same on the stream ``queue``."""
    for this, other in _ON.items():
        text = text.replace(this, other)
    return text


for _part in ("HOLD", "HOLD_FEW", "HOLD_MEDIUM", "TAKE"):
    _parts[f"{_part}_ON"] = _on(_parts[_part])

#: The kernel as the next one of an idle stream: from the look whether it is idle to the append
#: nothing is called (Note [Held streams] in inline_launch.py).
_parts["RUN"] = """
    held = queue.held
    try:
        entries.append(held)
        out = kernel(OPERANDS)
    except Exception as error:
        FAIL
    finally:
        if queue.held is held:
            entries.popleft()
"""

#: The same on this thread's stream, whatever that is.
_parts["RUN_ON"] = """
    queue = lane.queue
    if lane.gate:
        try:
            queue = lane.here.queue
        except AttributeError:
            queue = bound_queue(lane.index)
    entries = queue.entries
    if queue.busy or MUCH:
        return SLOWLY
    RUN
"""

#: The shortest ways, of what is not much; FEW does it of few numbers, for which no other kernel of
#: the stream comes in between.
_parts["SHORTLY"] = """
    if SAME:
        if SPARSE and not lane.busy:
            FEW
        elif not lane.waits:
            queue = lane.queue
            entries = lane.queued
            RUN
            if REFUSED:
                return SLOWLY
            HOLD_SHORTLY
        else:
            ASTRAY
"""

#: The same in a thread that has probably left its default streams.
_parts["SHORTLY_ASTRAY"] = """
    if SAME:
        ASTRAY
"""

_parts["ASTRAY"] = """
    try:
        queue = lane.next.queue
    except AttributeError:
        queue = bound_queue(lane.index)
    if SPARSE and not queue.busy:
        FEW_ON
    else:
        try:
            queue = lane.near.queue
        except AttributeError:
            queue = bound_queue(lane.index)
        entries = queue.busy
        if not entries:
            RUN
            if REFUSED:
                return SLOWLY
            HOLD_SHORTLY_ON
"""

#: Few numbers written in place, for which no other kernel of the stream comes in between.
_parts["SHORTLY_INTO"] = """
    if not lane.gate:
        kernel(OPERANDS)
        return a
    try:
        queue = lane.here.queue
    except AttributeError:
        queue = bound_queue(lane.index)
    if not queue.busy:
        kernel(OPERANDS)
        return a
"""

#: A launch on any stream, which makes a tensor.
_parts["LAUNCH"] = """
    RUN_ON
    if REFUSED:
        return SLOWLY
    SIZE
    AFTER
    if queue.handle:
        HOLD_ON
    HOLD
"""


def _filled(text: str, parts: dict[str, str]) -> str:
    lines = []
    for line in dedent(text).splitlines(True):
        part = parts.get(line.strip())
        before = line[: len(line) - len(line.lstrip())]
        lines.append(line if part is None else indent(_filled(part, parts), before))
    return "".join(lines)


class Maker:
    """Makes functions of one text, which names its parameters and what is the same for all."""

    def __init__(self, text: str, parameters: str, names: dict[str, Any]) -> None:
        self._text = text
        self._parameters = parameters.split(", ")
        self._names = names

    def __call__(self, *values: Any) -> Callable[..., Any]:
        given = dict(zip(self._parameters, values, strict=True))
        found: Callable[..., Any] = function(self._text, {**self._names, **given})
        return found


def written(
    parameters: str,
    text: str,
    *,
    few: str = "pass\n",
    refused: str = "out is None",
    after: str = "",
    same: str = "True",
    sparse: str = "True",
    operands: str = "a._a",
    much: str = "a._a.nbytes > rest.most",
    slowly: str = "rest.slowly(lane, queue, a._a, OPERANDS)",
    fail: str = "out = None  # once more there, where the error is kept",
    **names: Any,
) -> tuple[Maker, Maker]:
    """Makers of the functions that *text* defines as ``call``.

    The second one is for threads that have probably left their default streams: its functions do
    the same on any stream, but look at once which is current.

    A maker takes what the text names besides, as *parameters*; *names* are the same for all that
    it makes. *few* is the part FEW. Conditions are *same*, that the operands have one lane;
    *sparse*, that what has little memory has few numbers; *much*, that this is too large; and
    *refused*, that the kernel gave no result. *after* is done when the result's size is known.
    """
    shortly = "HOLD_MEDIUM" if sparse == "True" else "SIZE\nAFTER\nHOLD"
    parts = _parts | {"FEW": few, "FEW_ON": _on(few), "AFTER": after}
    parts |= {"HOLD_SHORTLY": shortly + "\n", "HOLD_SHORTLY_ON": shortly + "_ON\n"}
    words = {
        "SAME": same,
        "SPARSE": sparse,
        "MUCH": much,
        "FAIL": fail,
        "REFUSED": refused,
        "SLOWLY": slowly,
        "OPERANDS": operands,
        "LITTLE": str(LITTLE),
        "MEDIUM": str(MEDIUM),
        "TINY": str(TINY),
    }
    names |= {"ALL": ALL}
    names |= {"blank": blank, "nothing": nothing, "bound_queue": thread_state.bound_queue}

    def maker(shortly: str) -> Maker:
        whole = _filled(text, parts | {"SHORTLY": parts[shortly]})
        for word, meaning in words.items():
            whole = whole.replace(word, meaning)
        return Maker(f"{whole}\nreturn call", parameters, names)

    return maker("SHORTLY"), maker("SHORTLY_ASTRAY")
