"""Long reasons are Notes that others cite: each that is cited stands somewhere, and once."""

from __future__ import annotations

import re
from collections import Counter

from tests.workspace import PACKAGES, ROOT, sources

#: ``Note [Name]`` at the start of a line of a docstring or comment: that is the Note itself.
WRITTEN = re.compile(r"^(?:#|\"\"\")?\s*Note \[([^\]]+)\](?:[.:]|$)")
#: torch's own, named as the source of a rule.
OF_TORCH = {"Streaming backwards"}


def test_every_note_that_is_cited_exists():
    """A name is enough to find it, so no two have the same in one package."""
    written: Counter[tuple[str, str]] = Counter()
    cited: dict[str, list[str]] = {}
    for folder in PACKAGES:
        for path in sources(folder):
            for line in path.read_text("utf-8").splitlines():
                note = WRITTEN.match(line.strip())
                if note:
                    written[folder, note[1]] += 1
                for name in re.findall(r"Note \[([^\]]+)\]", line):
                    cited.setdefault(name, []).append(path.relative_to(ROOT).as_posix())
    names = {name for _, name in written} | OF_TORCH
    assert len(names) > 20
    assert {name: places for name, places in cited.items() if name not in names} == {}
    assert [note for note, count in written.items() if count > 1] == []
