"""The pages of the API reference: made of docstrings when the site is built."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", ROOT / ".ci/reference.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reference = _generator()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("reference")
    reference.write(folder)
    return {path.stem: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_the_site_shows_every_page(pages: dict[str, str]) -> None:
    nav: Any = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"]
    (shown,) = [entry["API"] for entry in nav if "API" in entry]
    paths = {path for entry in shown for path in entry.values()}
    assert paths == {f"reference/{stem}.md" for stem in pages}
    assert "docs/reference/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_a_function_is_shown_with_forms_facts_and_example(pages: dict[str, str]) -> None:
    section = pages["torch"].partition("## torch.sum {")[2].partition("\n## ")[0]
    assert "Return the sum of the elements, over all dimensions or the given ones." in section
    assert "    torch.sum(input, dim, keepdim=False, *, dtype=None, out=None) -> Tensor" in section
    assert "- Gradient: with respect to input." in section
    assert "```pycon\n>>> torch.sum(torch.tensor([[1, 2], [3, 4]]))\ntensor(10)\n" in section


def test_a_python_function_is_shown_with_its_signature(pages: dict[str, str]) -> None:
    section = pages["nn-functional"].partition("## torch.nn.functional.dropout {")[2]
    assert section.partition("\n## ")[0].count("torch.nn.functional.dropout(input, p=0.5, ") == 1


def test_links_of_the_index_lead_to_sections(pages: dict[str, str]) -> None:
    links = re.findall(r"\[[^]]+\]\(([\w-]+)\.md#([\w.]+)\)", pages["index"])
    anchors = {(stem, a) for stem, text in pages.items() for a in re.findall(r"\{ #(\S+) \}", text)}
    assert len(links) > 2000
    assert set(links) == anchors


def test_no_markup_of_docstrings_is_left(pages: dict[str, str]) -> None:
    left = [
        (stem, re.findall(r":\w+:`[^`]*`|^:param.*", text, re.M)) for stem, text in pages.items()
    ]
    assert not [(stem, found) for stem, found in left if found]


def test_fields_and_roles_become_markdown() -> None:
    assert reference.markdown("See :func:`x`, ``y``.\n\n:param z: that.") == (
        "See `x`, `y`.\n\n- **z**: that."
    )
