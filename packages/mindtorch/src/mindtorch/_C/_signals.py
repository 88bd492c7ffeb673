"""What a process says when a signal ends it."""

from __future__ import annotations

import faulthandler

__all__ = ["_set_print_stack_traces_on_fatal_signal"]

#: Whether the stacks are printed because of the function below.
_asked = False


def _set_print_stack_traces_on_fatal_signal(print: bool) -> None:
    """Print the stack of every thread before a signal such as SIGSEGV ends the process, or not."""
    global _asked
    if print and not faulthandler.is_enabled():
        faulthandler.enable(all_threads=True)
        _asked = True
    elif _asked and not print:  # where the program asked for it itself, it keeps it
        faulthandler.disable()
        _asked = False
