"""Pages show what their commands really print: ``python -m tests.pages --write`` writes it."""

from __future__ import annotations

import os

import pytest

from tests.pages import NEEDS, PAGES, Terminal, differences, shown_in
from tests.workspace import ROOT


@pytest.fixture(scope="module")
def terminal():
    """One for all pages: it has the command loaded."""
    if not hasattr(os, "fork"):
        pytest.skip("forks")
    with Terminal() as made:
        yield made


@pytest.mark.parametrize("name", PAGES)
def test_outputs_are_what_the_commands_print(name, terminal, tmp_path):
    """All lines of every block, but for times, sizes of files and the like."""
    page = (ROOT / name).read_text("utf-8")
    assert any(block.output for block in shown_in(page))
    found = differences(page, terminal.printed(page, tmp_path))
    assert not found, "\n".join(found)


def test_pages_are_listed_once_each():
    """A page that shows the output of a command of ours is compared."""
    shown = {
        path.relative_to(ROOT).as_posix()
        for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
        if any(
            block.output and block.commands[0].startswith("mindtorch ")
            for block in shown_in(path.read_text("utf-8"))
        )
    }
    assert shown == set(PAGES)


def test_scripts_with_needs_exist():
    """What is left out for want of a library is an example."""
    assert all((ROOT / "examples" / name).exists() for name in NEEDS)
