"""torch.distributed.rpc between processes: calls, references, gradients, modules."""

from __future__ import annotations

import pytest

from . import rpc_programs as programs
from .both_frameworks import BOTH
from .crew import needs_mpi, once

pytestmark = needs_mpi
SIZE = 3
PROGRAMS = (
    ("values_go", ()),
    ("calls", ()),
    ("errors", ()),
    ("references", ()),
    ("contexts_end", ()),
    ("exchanges", ()),
    ("modules", ()),
    ("calls_of_operators", ()),
    ("first_error_ends", ()),
    ("safe_references", ()),
    ("profiles", ()),
    ("profiled_gradients", ()),
    *(("gradients", (kind,)) for kind in ("call", "remote", "twice", "passed on")),
)
#: Whose result torch gives too late at times: it notes what a call ran after it has answered.
LAST = ("profiles_of_servers", ())


@pytest.fixture(scope="module")
def worlds(tmp_path_factory):
    """What all programs gave to the workers of both frameworks."""
    made = []
    for t in BOTH:
        path = tmp_path_factory.mktemp("rpc") / t.__name__
        made.append(once(t.__name__, SIZE, programs.world, str(path), [*PROGRAMS, LAST]))
    return made


@pytest.mark.parametrize(
    "number", range(len(PROGRAMS)), ids=[" ".join([name, *args]) for name, args in PROGRAMS]
)
def test_workers_do_what_torchs_do(worlds, number):
    got, want = ([worker[number] for worker in world] for world in worlds)
    for mine, theirs in zip(got, want, strict=True):
        assert mine == theirs
    for result in want:
        assert isinstance(result, list), result


def test_servers_show_what_others_call(worlds):
    for worker in worlds[0]:
        assert worker[-1] == [["aten::sub"], ["aten::add", "aten::sub"]]
