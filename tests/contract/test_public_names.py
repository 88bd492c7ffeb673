"""Every public module and name of torch is there, of the same kind and with the same parameters.

What is not is listed in ``public_names.txt``, each group with its reason. The list is exact: a new
gap fails, and so does a line for one that is filled.
"""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path

import pytest
import torch

from .public_names import PRIVATE, imported, kind, modules, names, parameters

pytestmark = pytest.mark.oracle

GAPS = Path(__file__).with_name("public_names.txt")


@cache
def listed() -> frozenset[str]:
    """The gaps that are known."""
    lines = GAPS.read_text("utf-8").splitlines()
    return frozenset(line for line in lines if line[:1] not in ("", "#"))


def gaps_of(name):
    """What mindtorch lacks of torch's module *name*: ``module``, or ``module:name what``."""
    theirs = imported(name)
    if theirs is None:
        return
    ours = imported(name.replace("torch", "mindtorch", 1))
    if ours is None:
        yield name
        return
    for each in names(theirs):
        if not hasattr(theirs, each):
            continue
        want = getattr(theirs, each)
        if not hasattr(ours, each):
            yield f"{name}:{each} is absent"
        elif kind(getattr(ours, each)) != kind(want):
            yield f"{name}:{each} is a {kind(getattr(ours, each))}, not a {kind(want)}"
        elif kind(want) == "function" and parameters(want) is not None:
            if parameters(getattr(ours, each)) != parameters(want):
                yield f"{name}:{each} has other parameters"


@cache
def found():
    """All gaps there are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return frozenset(gap for name in (*modules(torch), *PRIVATE) for gap in gaps_of(name))


def test_no_public_name_is_missing_that_is_not_listed():
    """A module, a name in it, a kind or a parameter."""
    assert sorted(found() - listed()) == []


def test_no_listed_gap_is_filled():
    """The list can only shrink."""
    assert sorted(listed() - found()) == []
