"""The page of differences names what is missing: all of it, and nothing that is there."""

from __future__ import annotations

import pytest

from tests.missing_names import missing, section, shown


def test_names_that_are_missing_are_on_the_page():
    """``python -m tests.missing_names`` writes them."""
    torch = pytest.importorskip("torch")
    assert shown() == section(missing(torch))
