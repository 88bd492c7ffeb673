"""What an entry of a pipeline's queue computes, as data: a flush calls it, a pass can read it.

An entry's ``op`` is the overload, and so the row; its ``run`` is a :class:`.launch.Launch` (a
kernel, its operands and the memory of its results), or what hands one to the stream of an
accelerator, and has it as ``launch``. :func:`recorded` says the same of both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mindtorch_dispatch import Entry

from .launch import Launch

__all__ = ["Recorded", "recorded"]


class Recorded(NamedTuple):
    """An entry of the queue: what is computed of what, and where it goes.

    :ivar op: the overload of a row; the name of an operator without one.
    :ivar operands: arrays, and the arguments that are no tensors, in the order of the schema; of
        an operator without a row tensors, and keywords in a dict at the end.
    :ivar results: the arrays that are written; None for those that are absent.
    """

    op: Any
    operands: tuple[Any, ...]
    results: tuple[Any, ...]


def recorded(entry: Entry) -> Recorded | None:
    """What *entry* holds; None if it has run, or holds what only its recorder knows."""
    run = entry.run
    launch = getattr(run, "launch", run)
    if not isinstance(launch, Launch):
        return None
    return Recorded(entry.op, tuple(launch.values), tuple(launch.targets))
