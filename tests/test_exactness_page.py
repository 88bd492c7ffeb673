"""The page of exactness names the bounds that the comparisons really use, and tests that exist."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from tests.contract import bounds

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "exactness.md").read_text("utf-8")


def _table(heading: str) -> list[list[str]]:
    """The rows of the table that begins with *heading*; an empty cell is the one above it."""
    found: list[list[str]] = []
    lines = iter(PAGE.split(heading, 1)[1].splitlines()[2:])
    for line in lines:
        if not line.startswith("|"):
            break
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        found.append([cell or found[-1][i] for i, cell in enumerate(cells)])
    return found


def _row(base: str, tags: tuple[str, ...]) -> SimpleNamespace:
    facts = {"view": None, "promote": "float", "half": True, "ufunc": None, "schema": f"{base}()"}
    return SimpleNamespace(base=base, tags=tags, **facts)


def _bound(what: str, dtype: str) -> tuple[float, float]:
    if what.startswith("gradients"):
        return bounds.GRADIENT
    return bounds.bound(_row("any", () if what.startswith("sums") else ("pointwise",)), dtype)


def test_bounds_are_those_of_the_comparisons() -> None:
    """Relative and absolute, for every dtype."""
    rows = _table("| What | dtype | relative | absolute |")
    assert len(rows) == 11
    for what, dtype, *shown in rows:
        assert shown == [f"{number:.2e}" for number in _bound(what, dtype)], (what, dtype)


def test_functions_with_a_bound_of_their_own() -> None:
    """All of them stand in the table, with their units."""
    shown = {}
    for names, units, _ in _table("| Function | Units | Why |"):
        shown[re.findall(r"`(\w+)`", names)[0]] = float(units)
    assert shown == bounds.WIDER
    for base, units in shown.items():
        assert bounds.bound(_row(base, ("pointwise",)), "float32")[0] == units * 2.0**-23


def test_what_is_exact_has_no_bound() -> None:
    """Addition of real numbers, but not with ``alpha``; comparisons; copies."""
    add = _row("add", ("pointwise",))
    add.ufunc = np.add
    assert bounds.bound(add, "float64") == (0.0, 0.0)
    add.schema = "add(Tensor self, Tensor other, *, Scalar alpha=1)"
    assert bounds.bound(add, "float64") != (0.0, 0.0)
    compared, copied = _row("eq", ("pointwise",)), _row("clone", ())
    compared.promote, copied.promote, copied.half = "bool", None, False
    assert bounds.bound(compared, "float32") == bounds.bound(copied, "float32") == (0.0, 0.0)


def test_tests_that_the_page_names_exist() -> None:
    """Each file stands among the contract tests."""
    for name in set(re.findall(r"`(?:tests/contract/)?(\w+\.py)`", PAGE)):
        assert (ROOT / "tests" / "contract" / name).exists(), name
