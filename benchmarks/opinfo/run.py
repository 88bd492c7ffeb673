"""All operators of torch's table, in several processes."""

from __future__ import annotations

import importlib
import signal
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from fnmatch import fnmatchcase
from multiprocessing import get_context
from typing import Any
from unittest import mock

from .figures import Count, Difference, OpResult

__all__ = ["run", "table", "Unavailable"]

_TABLE = "torch.testing._internal.common_methods_invocations"
#: An operator that takes longer is given up: seconds.
_LONGEST = 240


class Unavailable(Exception):
    """Torch's table cannot be loaded; the text says why."""


def table() -> list[Any]:
    """Torch's table of operators.

    :raises Unavailable: if a package that it needs is not there.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            # The import would freeze the switches of torch.backends for the rest of the process.
            switches = importlib.import_module("torch.backends")
            with mock.patch.object(switches, "disable_global_flags", lambda: None):
                importlib.import_module("torch.testing._internal.common_utils")
            found: list[Any] = importlib.import_module(_TABLE).op_db
            # Who asks for samples is looked for in the stack, which takes longer than the samples.
            for module in ("common_utils", "opinfo.core"):
                named = importlib.import_module(f"torch.testing._internal.{module}")
                named.extract_test_fn = lambda: None
        except ImportError as error:
            raise Unavailable(f"torch's table of operators cannot be loaded: {error}") from None
    return found


def matching(patterns: Sequence[str]) -> list[int]:
    """The places in the table of operators that are called like one of *patterns*; all if none."""
    from .checks import name_of

    names = [(op.name, name_of(op)) for op in table()]
    return [
        place
        for place, (name, whole) in enumerate(names)
        if not patterns or any(p == name or fnmatchcase(whole, p) for p in patterns)
    ]


def run(
    places: Sequence[int], most: int, jobs: int, on_op: Callable[[str], None] = lambda name: None
) -> list[OpResult]:
    """Look at the operators at *places* of the table; results have that order.

    :param most: samples of each dtype.
    :param jobs: processes; with 0 the work is done in this one.
    :param on_op: told the name of each operator that is done.
    """
    found: dict[int, OpResult] = {}
    if not jobs:
        for place in places:
            found[place] = _look(place, most)
            on_op(found[place].name)
        return [found[place] for place in places]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin) as pool:
        waiting = {pool.submit(_look, place, most): place for place in places}
        for future in as_completed(waiting):
            found[waiting[future]] = future.result()
            on_op(future.result().name)
    return [found[place] for place in places]


def _begin() -> None:
    importlib.import_module("torch").set_num_threads(1)
    signal.signal(signal.SIGALRM, _too_long)


def _too_long(*args: Any) -> None:
    raise TimeoutError(f"took longer than {_LONGEST} s")


def _look(place: int, most: int) -> OpResult:
    from .checks import check, name_of

    op = table()[place]
    signal.alarm(_LONGEST)
    try:
        return check(op, most)
    except TimeoutError as error:
        text = Difference("forward", "", "", str(error))
        return OpResult(name_of(op), "present", {"forward": Count(0, 1)}, (text,), _LONGEST)
    finally:
        signal.alarm(0)
