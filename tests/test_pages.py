"""Pages show what their commands really print: ``python -m tests.pages --write`` writes it."""

from __future__ import annotations

import os

import pytest

from tests.pages import PAGES, comparable, printed, shown_in
from tests.workspace import ROOT


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.parametrize("name", PAGES)
def test_outputs_are_what_the_commands_print(name, tmp_path):
    """All lines of every block, but for times, sizes of files and the like."""
    page = (ROOT / name).read_text("utf-8")
    blocks = shown_in(page)
    assert any(block.output for block in blocks)
    for block, said in zip(blocks, printed(page, tmp_path), strict=True):
        if block.output:
            assert comparable("\n".join(block.output)) == comparable(said), block.commands


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
