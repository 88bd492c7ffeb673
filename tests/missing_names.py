"""Names of torch that mindtorch lacks: ``python -m tests.missing_names`` writes them into the docs.

They stand in ``docs/differences.md``, by what they need; a test compares. Looked at are the public
names that torch defines in the namespaces of :data:`SPACES`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import mindtorch

from tests.workspace import ROOT

PAGE = ROOT / "docs" / "differences.md"
SPACES = (
    *("torch", "torch.Tensor", "torch.func", "torch.library", "torch.linalg", "torch.fft"),
    *("torch.special", "torch.nn", "torch.nn.init", "torch.optim", "torch.distributions"),
)
#: Why a name is missing, and some parts of the names for which that is so; the first that fits.
GROUPS = {
    "Methods of quantized and nested tensors": (
        "dequantize int_repr Tensor.q_ qscheme to_padded_tensor".split()
    ),
    "Names that torch itself no longer serves": (
        "Tensor.eig Tensor.lstsq Tensor.solve Tensor.symeig reinforce volatile".split()
    ),
    "Copies to what is not there": "to_mkldnn Tensor.ipu Tensor.mtia Tensor.xpu".split(),
    "Helpers of compilers and transforms": "triton debug_unwrap rearrange replace_all".split(),
    "Not written yet": [""],
}
BEGIN, END = "## Missing\n", "\n## Runs, without"
_INTRODUCTION = (
    "These names give an AttributeError; a program that only asks for them with `hasattr` is told "
    "that they are not there. `python -m tests.missing_names` writes the list."
)


def _found(root: Any, path: str) -> Any:
    for name in path.split(".")[1:]:
        root = getattr(root, name, None)
    return root


def _offered(torch: ModuleType, path: str) -> Iterator[str]:
    """The public names of a space that are no modules and no texts of the documentation."""
    space = _found(torch, path)
    for name in getattr(space, "__all__", None) or dir(space):
        value = getattr(space, name, None)
        home = getattr(value, "__module__", None)
        if value is None or isinstance(value, (ModuleType, dict)) or home == "typing":
            continue
        if not name.startswith("_"):
            yield name


def missing(torch: ModuleType) -> list[str]:
    """The names that *torch* has and mindtorch lacks, methods as ``Tensor.name``."""
    found = []
    for path in SPACES:
        ours = _found(mindtorch, path)
        lacks = (name for name in _offered(torch, path) if not hasattr(ours, name))
        found += [f"{path}.{name}".replace("torch.Tensor.", "Tensor.") for name in sorted(lacks)]
    return found


def section(names: list[str]) -> str:
    """What the page says of them."""
    groups: dict[str, list[str]] = {title: [] for title in GROUPS}
    for name in names:
        fits = (title for title, parts in GROUPS.items() if any(part in name for part in parts))
        groups[next(fits)].append(f"`{name}`")
    lines = [BEGIN, *textwrap.wrap(_INTRODUCTION, 110), ""]
    for title, members in groups.items():
        if members:
            text = f"- {title}: {', '.join(members)}."
            lines += textwrap.wrap(text, 110, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join([*lines, END])


def shown() -> str:
    """What the page shows."""
    page = PAGE.read_text("utf-8")
    return page[page.index(BEGIN) : page.index(END) + len(END)]


if __name__ == "__main__":
    import torch

    PAGE.write_text(PAGE.read_text("utf-8").replace(shown(), section(missing(torch))), "utf-8")
