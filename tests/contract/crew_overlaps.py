"""Collectives whose result lies in the same memory as what a process gives."""

from __future__ import annotations

from typing import Any

from .crew_programs import said

CALLS = ("into a tensor", "into parts", "to one", "from one", "sums of parts")


def overlapping(t: Any, name: str, dtype: str, later: bool) -> Any:
    """What a collective makes where the own part of a whole is what is given or taken."""
    d = t.distributed
    rank, size = d.get_rank(), d.get_world_size()
    whole = t.zeros(size, 3).to(getattr(t, dtype))
    own = whole[rank]
    own.fill_(rank + 1)
    if name in ("from one", "sums of parts"):
        whole.copy_(t.arange(3 * size).view(size, 3) % 5 + rank)
    parts = list(whole)
    calls = {
        "into a tensor": lambda: d.all_gather_into_tensor(whole.view(-1), own, async_op=later),
        "into parts": lambda: d.all_gather(parts, own, async_op=later),
        "to one": lambda: d.gather(own, parts if rank == 1 else None, 1, async_op=later),
        "from one": lambda: d.scatter(own, parts if rank == 1 else None, 1, async_op=later),
        "sums of parts": lambda: d.reduce_scatter_tensor(own, whole.view(-1), async_op=later),
    }
    work = calls[name]()
    if later:
        work.wait()
    return said([whole, own], t)
