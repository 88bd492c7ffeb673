"""``python -m tests.stubs --write | --check``; see the package."""

from __future__ import annotations

import sys
from pathlib import Path

from . import returned
from .facade import Facade
from .homes import file_of, sources
from .namespaces import RESULTS, facades


def stubs() -> dict[Path, str]:
    """The text of every stub, by its file."""
    texts = {module: Facade(module).text() for module in facades()}
    texts[RESULTS] = returned.text()
    return {file_of(module).with_suffix(".pyi"): text for module, text in texts.items()}


def main(arguments: list[str]) -> int:
    """Write the stubs, or tell of those that are out of date."""
    if arguments not in (["--write"], ["--check"]):
        print(__doc__)
        return 2
    made = stubs()
    wrong = [p for p, t in made.items() if not p.exists() or p.read_text("utf-8") != t]
    folder = sources()["mindtorch"].parent
    old = [path for path in folder.rglob("*.pyi") if path not in made]
    for path in wrong:
        if arguments == ["--write"]:
            path.write_text(made[path], "utf-8")
        print(path.relative_to(folder.parent))
    for path in old:
        if arguments == ["--write"]:
            path.unlink()
        print(path.relative_to(folder.parent), "stands for nothing")
    if arguments == ["--write"]:
        return 0
    if wrong or old:
        print("are out of date: `hatch run stubs` writes them")
    return bool(wrong or old)


sys.exit(main(sys.argv[1:]))
