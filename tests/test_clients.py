"""Programs that only know torch do what they do with torch; those of libraries are run by
``hatch run clients``."""

from __future__ import annotations

import pytest

from tests.clients.__main__ import PROGRAMS, compare, differs


@pytest.mark.parametrize(
    "name",
    ["script_classics", "script_language", "script_modes", "script_own_parts", "script_state"],
)
def test_a_script_gives_what_it_gives_with_torch(name):
    outcome = compare(PROGRAMS / f"{name}.py", quiet=True)
    assert outcome.steps >= 9
    assert not outcome.different


def test_a_difference_is_told_with_its_place():
    assert differs({"a": [1.0, 2.0]}, {"a": [1.0, 2.00001]}) == ""
    assert differs({"a": [1.0, 2.0]}, {"a": [1.0, 2.1]}) == "['a'][1]: 2.0, torch 2.1"
    assert differs([1], [1, 2]) == ": 1 elements, torch 2"
    assert differs("x", "y") == ": 'x', torch 'y'"
    assert differs(float("nan"), float("nan")) == ""
