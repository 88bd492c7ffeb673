"""What processes are told when others do not come, or make other calls: what gloo tells."""

from __future__ import annotations

import re

from . import crew_programs as programs
from .both_frameworks import ours, torch
from .crew import crew, needs_mpi, once

pytestmark = needs_mpi


def plain(found):
    """Texts without the files that errors of exchanges name."""
    return [
        [re.sub(r"\[[\w/][^]]*\.(cc|py)[^]]*\] ", "", text) for text in texts] for texts in found
    ]


def test_who_waits_in_vain_is_told_in_time():
    got, want = (plain(crew(t.__name__, 4).run(programs.late)) for t in (ours, torch))
    assert got == want and "nothing" not in got[0]


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
