"""The page of differences names what is missing: all of it, and nothing that is there."""

from __future__ import annotations

import re
from types import ModuleType

import mindtorch
import pytest

from tests.workspace import ROOT

torch = pytest.importorskip("torch")

PAGE = (ROOT / "docs" / "differences.md").read_text("utf-8")
#: Where names are looked for.
SPACES = ("torch", "torch.Tensor", "torch.func", "torch.library", "torch.linalg", "torch.fft")
SPACES += ("torch.special", "torch.nn", "torch.nn.init", "torch.optim", "torch.distributions")


def found(root, path):
    """What *path* names below *root*, or None."""
    for name in path.split(".")[1:]:
        root = getattr(root, name, None)
    return root


def offered(path):
    """The public names that torch defines in a space, and does not only import there."""
    space = found(torch, path)
    for name in getattr(space, "__all__", None) or dir(space):
        value = getattr(space, name, None)
        home = getattr(value, "__module__", None) or ""
        if name.startswith("_") or isinstance(value, (ModuleType, dict)) or home == "typing":
            continue
        yield f"{path}.{name}".replace("torch.Tensor.", "Tensor."), value


def test_names_that_are_missing_are_on_the_page():
    """Name by name; a name that was added has to be taken off the page."""
    section = PAGE[PAGE.index("## Missing") :]
    section = section[: section.index("\n## ")]
    listed = set(re.findall(r"`((?:torch|Tensor)[\w.]*)`", section))
    missing = set()
    for path in SPACES:
        space = found(mindtorch, path)
        names = (name for name, value in offered(path) if value is not None)
        missing |= {name for name in names if not hasattr(space, name.rpartition(".")[2])}
    assert listed == missing, (sorted(listed - missing), sorted(missing - listed))
