"""A process that a signal ends tells where it was, if it is asked to."""

from __future__ import annotations

import pytest

from tests.workspace import run_python

from .both_frameworks import agree

PROGRAM = """
import faulthandler, os, sys, mindtorch as torch
torch._C._set_print_stack_traces_on_fatal_signal({first})
torch._C._set_print_stack_traces_on_fatal_signal({last})
os.abort()
"""


@pytest.mark.parametrize(("first", "last"), [(False, True), (True, True), (True, False)])
def test_stacks_are_printed_while_asked_for(first, last):
    done = run_python("-c", PROGRAM.format(first=first, last=last))
    assert ("Current thread" in done.stderr) is last


def test_the_switch_returns_nothing():
    agree(lambda t: t._C._set_print_stack_traces_on_fatal_signal(False))
