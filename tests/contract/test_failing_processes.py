"""What processes are told when others do not come, or make other calls: what gloo tells."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

from . import crew_programs as programs
from .both_frameworks import ours, torch
from .crew import crew, needs_mpi, once

pytestmark = needs_mpi


def plain(found):
    """Texts without the files that errors of exchanges name, and of times only hundreds."""
    shown = [[re.sub(r"\[[\w/][^]]*\.(cc|py)[^]]*\] ", "", t) for t in texts] for texts in found]
    return [[re.sub("waiting 4..ms", "waiting 500ms", t) for t in texts] for texts in shown]


def test_who_waits_in_vain_is_told_in_time():
    crews = [crew(t.__name__, 4) for t in (ours, torch)]
    with ThreadPoolExecutor() as pool:  # they wait at the same time
        got, want = map(plain, pool.map(lambda c: c.run(programs.late), crews))
    assert got == want and "nothing" not in got[0]


def test_who_gives_up_is_missed_at_once():
    found = crew(ours.__name__, 4).run(programs.given_up)
    assert found[1] is None and "Rank 1 failed to pass monitoredBarrier" in found[0][0][0]
    for rank in (2, 3):
        (text, closed), soon = found[rank]
        assert text.startswith(f"RuntimeError: Rank {rank} successfully reached monitoredBarrier")
        assert closed and soon


def test_calls_that_differ_are_told_in_detail():
    """With ``TORCH_DISTRIBUTED_DEBUG=DETAIL``, before anything is sent."""
    got, want = (
        once(t.__name__, 2, programs.mismatches, TORCH_DISTRIBUTED_DEBUG="DETAIL")
        for t in (ours, torch)
    )
    assert got == want
    assert got[0][0].startswith("RuntimeError: Detected mismatch between collectives on ranks.")
    assert got[0][-1] == "nothing"


def test_other_calls_are_told_in_detail():
    """gloo compares memory that is not there, and aborts."""
    found = once(ours.__name__, 2, programs.other_calls, TORCH_DISTRIBUTED_DEBUG="DETAIL")
    assert "Op type: BROADCASTvs ALLREDUCE" in found[0][0]
    assert "Op type: ALLREDUCEvs BROADCAST" in found[1][0]
    assert "Op type: ALLREDUCEvs BARRIER" in found[0][1]
