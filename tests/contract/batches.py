"""Many small cases in one test: what pytest does around a test costs more than most of them.

``@every("dtype", DTYPES)`` above a test runs it for each dtype, in one item. What differs is
reported together; an error that is no comparison ends the test at once. A skipped case is counted
only if all are. The comparisons that are known not to hold are listed case by case in
``open_differences.txt`` and must go on failing. ``pytest --rows 'add*'`` runs the cases of these
rows alone, where the argument is called ``name``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import mindtorch
import pytest
import torch

OPEN = Path(__file__).with_name("open_differences.txt")
#: The pattern of ``--rows``.
wanted = "*"


def begin_anew() -> None:
    """Forget what lasts for the life of a process, on either side: before each test and case.

    What is warned of once is warned of each time, and the same numbers are drawn, so that nothing
    depends on what ran before.
    """
    for home in (mindtorch, torch):
        home.set_warn_always(True)
        home.storage._reset_warn_typed_storage_removal()
    mindtorch.manual_seed(67280421310721)


@cache
def listed() -> frozenset[str]:
    """The comparisons with torch that do not hold yet: ``file.py::test[case]``."""
    lines = OPEN.read_text("utf-8").splitlines()
    return frozenset(line for line in lines if line[:1] not in ("", "#"))


def unlisted(case: str, lines: list[str]) -> list[str]:
    """How *case* differs, which is part of a test, less what ``open_differences.txt`` says.

    A case that is listed and does not differ is told of, too.
    """
    if case not in listed():
        return lines
    return [] if lines else [f"{case} holds now: delete its line"]


def every(argument: str, values: Iterable[Any]) -> Callable[[Any], Any]:
    """Run the decorated test for all *values* of one of its arguments.

    In ``open_differences.txt`` a case has the values of all arguments, this one's last:
    ``test_x[add.Tensor-float32]``.
    """
    cases = [(getattr(value, "__name__", None) or str(value), value) for value in values]

    def decorate(test: Any) -> Any:
        signature = inspect.signature(test)
        others = [p for name, p in signature.parameters.items() if name != argument]
        where = f"{Path(inspect.getfile(inspect.unwrap(test))).name}::{test.__name__}"

        def all_cases(**given: Any) -> None:
            __tracebackhide__ = True
            failures, skipped = [], []
            chosen = cases
            if argument == "name":
                chosen = [case for case in cases if fnmatchcase(case[0], wanted)]
                if not chosen:
                    pytest.skip(f"no row is called {wanted}")
            for label, value in chosen:
                begin_anew()
                case = "-".join([str(given[p.name]) for p in others] + [label])
                fails = f"{where}[{case}]" in listed()
                try:
                    test(**given, **{argument: value})
                except pytest.skip.Exception as skip:
                    skipped.append(skip)
                except Exception as error:
                    if not isinstance(error, AssertionError):
                        error.add_note(f"{argument}: {label}")
                        raise
                    if not fails:
                        failures.append(f"{argument} {label}: {error}")
                else:
                    if fails:
                        failures.append(f"{argument} {label} holds now: delete its line")
            if failures:
                raise AssertionError("\n".join(failures))
            if len(skipped) == len(chosen):
                raise skipped[0]

        all_cases.__name__, all_cases.__doc__ = test.__name__, test.__doc__
        all_cases.__wrapped__ = test
        all_cases.__module__, all_cases.__qualname__ = test.__module__, test.__qualname__
        all_cases.__signature__ = signature.replace(parameters=others)
        all_cases.pytestmark = getattr(test, "pytestmark", [])
        return all_cases

    return decorate
