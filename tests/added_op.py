"""Adds the op of ``docs/adding_an_op.md`` to this process, and checks all that follows from a row.

    python -m tests.added_op

prints the name of each check and what was wrong, as JSON: those of ``row_checks``, and that the
page shows what happens. The page's first block of Python goes to the end of the file that it
names, as that file is imported; nothing is written.
"""

from __future__ import annotations

import doctest
import json
import re
import sys
import traceback
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from typing import Any

from tests.row_checks import CHECKS, check, public
from tests.workspace import ROOT

PAGE = ROOT / "docs" / "adding_an_op.md"
_BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.S | re.M)


def blocks(kind: str) -> list[str]:
    """The page's blocks of Python, or of text."""
    return [text for of, text in _BLOCK.findall(PAGE.read_text("utf-8")) if of == kind]


def block() -> tuple[str, str]:
    """The file that the page adds its row to, and the source of the row."""
    source = blocks("python")[0]
    found = re.match(r"# (packages/\S+\.py), at the end\n", source)
    assert found is not None, "the page's first block does not say which file it belongs to"
    return found[1], source


class _Longer(SourceFileLoader):
    """Loads a module with more source at its end, and keeps no bytecode of that."""

    more = ""

    def path_stats(self, path: Any) -> Any:
        raise OSError  # no bytecode is looked for, and none is written

    def get_data(self, path: Any) -> bytes:
        return super().get_data(path) + self.more.encode()


class Adding(MetaPathFinder):
    """Finds the module of the file *path* with *more* at its end."""

    def __init__(self, path: str, more: str) -> None:
        self.path, self.more = path, more
        self.module = path.partition("/src/")[2].removesuffix(".py").replace("/", ".")

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name != self.module:
            return None
        spec = PathFinder.find_spec(name, path, target)
        assert spec is not None and spec.origin == str(ROOT / self.path)
        loader = _Longer(name, spec.origin)
        loader.more = self.more
        spec.loader = loader
        return spec


@check
def docstring_says_what_the_row_says(row: Any) -> None:
    """The page shows it as it is; its example runs."""
    import mindtorch

    text = public(row).__doc__
    assert text.strip() in [shown.strip() for shown in blocks("text")], text
    found = doctest.DocTestParser().get_doctest(text, {"torch": mindtorch}, row.base, None, None)
    assert found.examples
    _run(found)
    assert getattr(mindtorch.Tensor, row.base).__doc__


@check
def page_shows_what_happens(row: Any) -> None:
    """Each block of the page, in order."""
    scope: dict[str, Any] = {}
    for number, text in enumerate(blocks("python")[1:]):
        found = doctest.DocTestParser().get_doctest(text, scope, f"block {number}", None, 0)
        found.globs = scope
        assert found.examples
        _run(found)


def _run(found: doctest.DocTest) -> None:
    said: list[str] = []
    runner = doctest.DocTestRunner()
    assert not runner.run(found, out=said.append, clear_globs=False).failed, "".join(said)


def run_all() -> dict[str, str]:
    """The name of each check, and what was wrong: empty where it holds."""
    path, source = block()
    sys.meta_path.insert(0, Adding(path, source))
    from mindtorch.call.row import ROWS  # with the package, and so with the row

    added = [r for r in ROWS.values() if Path(r.where[0]) == ROOT / path and "own" in r.tags]
    assert added, "the block adds no row of its own"
    wrong = {}
    for name, function in CHECKS.items():
        wrong[name] = ""
        for row in added:
            try:
                function(row)
            except Exception:
                wrong[name] += traceback.format_exc(limit=-4)
    return wrong


if __name__ == "__main__":
    print(json.dumps(run_all()))
