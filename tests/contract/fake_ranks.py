"""One rank of many in both frameworks: groups of the ``fake`` backend, which carry nothing."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator

from .both_frameworks import BOTH

for _t in BOTH:
    importlib.import_module(f"{_t.__name__}.distributed.tensor.parallel")
    importlib.import_module(f"{_t.__name__}.testing._internal.distributed.fake_pg")


@contextlib.contextmanager
def fake_rank(rank: int, world_size: int) -> Iterator[None]:
    """In both frameworks this process is *rank* of *world_size*."""
    for t in BOTH:
        store = t.testing._internal.distributed.fake_pg.FakeStore()
        t.distributed.init_process_group("fake", rank=rank, world_size=world_size, store=store)
    try:
        yield
    finally:
        for t in BOTH:
            t.distributed.destroy_process_group()
