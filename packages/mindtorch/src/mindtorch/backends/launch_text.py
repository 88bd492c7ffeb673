"""The text of calls that launch kernels on a stream of the simulator, in parts.

To call a function for one of these parts would cost a tenth of a launch, so calls are written from
them as text. A part stands where its name stands alone on a line. It works with names of the call:

- ``lane``: of an operand, later of the result; see ``held.py``
- ``queue``, ``entries``: the stream, and what waits there
- ``x``: the array of an operand; ``out``: of the result, which takes ``nbytes`` and whose tensor
  has the signature ``sig``
- ``kernel(OPERANDS)`` makes ``out``, of operands of up to ``most`` bytes; SLOWLY does all of it by
  functions, now or later; FAIL is what is done about an ``error``

``strayed`` is not empty where this thread's current stream may not be the default one, or where
somebody looks at each launch.
"""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent, indent
from typing import Any

from mindtorch_npu import runtime
from mindtorch_npu.shared_books import ALL

from ..tensor import blank

__all__ = ["LITTLE", "MEDIUM", "TINY", "nothing", "written"]

#: numpy gives the interpreter's lock away for more elements.
TINY = 500
#: Memory of so many bytes is little: of so few numbers of four bytes.
LITTLE = 4 * TINY
#: Of two tensors in so many bytes even an outer product is not too large to find out afterwards,
#: if a number has four bytes or more.
MEDIUM = 1 << 15

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
    r = blank()
    r._a = out
    r._sig = sig
    r._edge = r._state = None
    made, walk, deferred = lane.own
    r._shared = alias = made()
    alias.value = 0
    alias.owner = out
    alias.lane = lane
    # Notes [Leaps] and [Who holds the state] in the allocator's walk.py: from the look to the
    # taking nothing is called, not even ``len``: after a call another thread may run.
    leap = walk.last.next
    if leap.key != nbytes or deferred != leap.deferred:
        leap = leap.other
        if leap.key != nbytes or deferred != leap.deferred:
            alias.__del__ = lane.take(nbytes).release if nbytes else nothing
            return r
        walk.last.next = leap
    del deferred[ALL]
    leap.count += 1.0
    walk.last = leap
    alias.__del__ = leap.release
    return r
"""

#: The same for use on the stream ``queue``.
_parts["HOLD_ON"] = (
    _parts["HOLD"]
    .replace("leap.key != nbytes", "leap.size != nbytes or leap.stream is not queue.handle")
    .replace("take(nbytes)", "take(nbytes, queue.handle)")
)

#: The kernel as the next one of an idle stream; see Note [Held streams] in workqueue.py: from the
#: look whether it is idle to the append nothing is called.
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
    if strayed:
        queue = state.queues[lane.index]
        if queue.special:
            return SLOWLY
    entries = queue.entries
    if entries or MUCH:
        return SLOWLY
    RUN
"""

#: The shortest ways, of what is not much; FEW does it of few numbers, for which no other kernel of
#: the stream comes in between.
_parts["SHORTLY"] = """
    if SAME:
        if strayed:
            queue = state.queues[lane.index]
            entries = queue.entries
            if not (entries or queue.special):
                if lane is lane.little and SPARSE:
                    FEW_ON
                elif lane is not lane.large:
                    RUN
                    RESULT
                    HOLD_ON
        elif SPARSE and not lane.busy:
            FEW
        elif not lane.waits:
            queue = lane.queue
            entries = lane.queued
            RUN
            RESULT
            HOLD
"""

#: A launch on any stream, which makes a tensor.
_parts["LAUNCH"] = """
    RUN_ON
    RESULT
    if strayed:
        HOLD_ON
    HOLD
"""

_parts["RESULT"] = """
    if out is None:
        return SLOWLY
    SIZE
"""


def _filled(text: str, parts: dict[str, str]) -> str:
    lines = []
    for line in dedent(text).splitlines(True):
        part = parts.get(line.strip())
        before = line[: len(line) - len(line.lstrip())]
        lines.append(line if part is None else indent(_filled(part, parts), before))
    return "".join(lines)


def written(
    parameters: str,
    text: str,
    *,
    few: str = "",
    result: str = _parts["RESULT"],
    same: str = "True",
    sparse: str = "True",
    operands: str = "x",
    much: str = "x.nbytes > most",
    slowly: str = "slowly(lane, queue, x, OPERANDS)",
    fail: str = "out = None  # once more there, where the error is kept",
    **names: Any,
) -> Callable[..., Any]:
    """A maker of the functions that *text* defines as ``call``.

    The maker takes what the text names besides, as *parameters*; *names* are the same for all that
    it makes. *few* is the part FEW, *result* the part RESULT, *same* the condition that the
    operands have one lane, *sparse* that what has little memory has few numbers, and *much* that
    this is too large.
    """
    parts = _parts | {"FEW": few, "FEW_ON": few.replace("HOLD", "HOLD_ON"), "RESULT": result}
    text = _filled(text, parts)
    words = {
        "SAME": same,
        "SPARSE": sparse,
        "MUCH": much,
        "FAIL": fail,
        "SLOWLY": slowly,
        "OPERANDS": operands,
    }
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    for limit, value in (("LITTLE", LITTLE), ("MEDIUM", MEDIUM), ("TINY", TINY)):
        text = text.replace(limit, str(value))
    text = f"def make({parameters}):\n{indent(text, '    ')}\n    return call"
    names |= {"__name__": __name__, "ALL": ALL}
    names |= {"blank": blank, "nothing": nothing, "state": runtime.tls, "strayed": runtime.strayed}
    exec(compile(text, "<launch>", "exec"), names)
    found: Callable[..., Any] = names["make"]
    return found
