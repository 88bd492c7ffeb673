"""The page on the NPU shows all commands of ``mindtorch npu``."""

from __future__ import annotations

from mindtorch_cli.npu import app

from tests.pages import shown_in
from tests.workspace import ROOT

PAGE = (ROOT / "docs" / "npu.md").read_text("utf-8")
BLOCKS = shown_in(PAGE)


def test_every_command_has_its_block():
    """All of ``mindtorch npu`` are shown."""
    shown = {line.split()[2] for block in BLOCKS for line in block.commands}
    assert shown == set(app.info.cls.members)
