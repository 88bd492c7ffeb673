"""Groups of one process in both frameworks."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator

from .both_frameworks import BOTH

for _t in BOTH:
    importlib.import_module(f"{_t.__name__}.distributed")
    importlib.import_module(f"{_t.__name__}.nn.parallel")


def begin(t, backend="gloo"):
    """The namespace of *t*, with a default group of this process."""
    d = t.distributed
    if not d.is_initialized():
        d.init_process_group(backend, store=d.HashStore(), rank=0, world_size=1)
    return d


def end() -> None:
    """Neither framework has a group."""
    for t in BOTH:
        if t.distributed.is_initialized():
            t.distributed.destroy_process_group()


@contextlib.contextmanager
def groups_of_one() -> Iterator[None]:
    """Both frameworks have a default group of this process."""
    for t in BOTH:
        begin(t)
    try:
        yield
    finally:
        end()


def x(t):
    """What collectives are called with."""
    return t.arange(4.0)
