"""READMEs and guides stay true: the paths they name exist and their examples run."""

from __future__ import annotations

import re

import pytest

from tests.workspace import PACKAGES, ROOT, run_python

PAGES = sorted(
    [ROOT / "README.md", *(ROOT / folder / "README.md" for folder in PACKAGES)]
    # Of docs/reference, which docs:build writes, the sources have the examples.
    + [p for p in (ROOT / "docs").rglob("*.md") if "reference" not in p.parts]
)
EXAMPLES = [
    pytest.param(page, match.group(1), id=f"{page.relative_to(ROOT).as_posix()}-{number}")
    for page in PAGES
    # tests/test_adding_an_op.py runs the blocks of that page, with the op that it adds.
    if page.name != "adding_an_op.md"
    for number, match in enumerate(
        # A block with a file's name is run by the commands below it, in the test of the page.
        re.finditer(r"^```python\n(?!# \w+\.py\n)(.*?)^```", page.read_text("utf-8"), re.S | re.M),
        1,
    )
]


def named_paths(text: str) -> set[str]:
    """Inline code that looks like a path of the repository."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    words = {w.rstrip("/") for code in re.findall(r"`([^`\n]+)`", prose) for w in code.split()}
    # A slash and only path characters, or a file name with a known ending.
    path = re.compile(r"\.?[\w.-]+(/[\w.-]+)+|[\w-]+\.(py|md|toml|json|sh)")
    return {w for w in words if path.fullmatch(w)}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_every_path_named_exists(page):
    """Relative to the page, the source or the root: a map to files that moved misleads."""
    bases = [ROOT, page.parent]
    for folder, name in PACKAGES.items():
        if page.is_relative_to(ROOT / folder):
            bases += [ROOT / folder / "src" / name, ROOT / folder / "src", ROOT / folder / "tests"]
    missing = [
        named
        for named in named_paths(page.read_text("utf-8"))
        if not any((base / named).exists() for base in bases)
    ]
    assert not missing, missing


def test_every_package_readme_has_an_example():
    """A README shows its package at work."""
    pages = {param.values[0] for param in EXAMPLES}
    lacking = [f for f in PACKAGES if f != "cli" and ROOT / f / "README.md" not in pages]
    assert not lacking


@pytest.mark.parametrize("folder, name", PACKAGES.items(), ids=list(PACKAGES))
def test_every_module_is_on_the_map(folder, name):
    """What lies at the top of a package is named in its README, files and folders."""
    named = set(re.findall(r"`([\w.]+/?)`", (ROOT / folder / "README.md").read_text("utf-8")))
    places = sorted((ROOT / folder / "src" / name).iterdir())
    lying = [f"{p.name}/" if p.is_dir() else p.name for p in places if p.suffix in ("", ".py")]
    assert len(lying) > 10
    missing = [n for n in lying if n not in named and not n.startswith("__")]
    assert not missing, missing


@pytest.mark.parametrize("page, code", EXAMPLES)
def test_example_runs(page, code):
    """What a page shows works when it is pasted into an interpreter."""
    done = run_python("-c", code)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    """Relative links between pages exist."""
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8"))
    missing = [link for link in links if not (page.parent / link).exists()]
    assert not missing, missing
