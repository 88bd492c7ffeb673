"""Writes the pages of the API reference from docstrings: ``docs/reference``, a page a namespace.

They are made before the site is built and stand in no commit: what a page says of a function is
what ``help`` shows of it.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

#: Page -> the namespace that it shows, as users name it.
PAGES = {
    "torch": "torch",
    "tensor": "torch.Tensor",
    "nn": "torch.nn",
    "nn-functional": "torch.nn.functional",
    "nn-init": "torch.nn.init",
    "nn-utils": "torch.nn.utils",
    "nn-utils-rnn": "torch.nn.utils.rnn",
    "optim": "torch.optim",
    "optim-lr-scheduler": "torch.optim.lr_scheduler",
    "autograd": "torch.autograd",
    "autograd-functional": "torch.autograd.functional",
    "func": "torch.func",
    "linalg": "torch.linalg",
    "fft": "torch.fft",
    "special": "torch.special",
    "signal-windows": "torch.signal.windows",
    "random": "torch.random",
    "distributions": "torch.distributions",
    "amp": "torch.amp",
    "npu": "torch.npu",
    "accelerator": "torch.accelerator",
    "library": "torch.library",
    "utils-data": "torch.utils.data",
    "utils-checkpoint": "torch.utils.checkpoint",
    "profiler": "torch.profiler",
    "fx": "torch.fx",
    "testing": "torch.testing",
}
_ROLE = re.compile(r":(?:\w+:)?(?:func|meth|class|mod|attr|data|exc|obj|ref):`~?([^`]+)`")
_FIELD = re.compile(r":(?:param|raises|returns?)\s*([^:]*):\s*")
_FORM = re.compile(r"^    \S+\(.*\) -> ", re.MULTILINE)


def namespace(name: str) -> Any:
    """The module or class that users call *name*."""
    import mindtorch

    if name == "torch":
        return mindtorch
    if name == "torch.Tensor":
        return mindtorch.Tensor
    return import_module(f"mindtorch.{name.removeprefix('torch.')}")


def members(owner: Any) -> Iterator[tuple[str, Any]]:
    """What a namespace offers that has a docstring of its own, by name."""
    for name in sorted(dir(owner), key=lambda n: (n.lower(), n)):
        if name.startswith("_"):
            continue
        value = getattr(owner, name)
        shown = callable(value) or isinstance(value, property)
        if isinstance(value, ModuleType) or not shown:
            continue
        home = getattr(value, "__module__", None) or "torch"
        if home.startswith(("mindtorch", "torch")) and inspect.getdoc(value):
            yield name, value


def markdown(doc: str) -> str:
    """A docstring as Markdown: roles and literals as code, fields as lists, examples as code."""
    lines: list[str] = []
    example = False
    for line in _ROLE.sub(r"`\1`", doc).replace("``", "`").splitlines():
        prompt = line.lstrip().startswith(">>> ")
        if prompt and not example:
            lines += ["```pycon"]
            example = True
        elif example and not line.strip():
            lines += ["```"]
            example = False
        field = _FIELD.match(line)
        if field:
            line = f"- **{field[1]}**: {line[field.end() :]}" if field[1] else line[field.end() :]
            if lines and lines[-1] and not lines[-1].startswith(("- ", "  ")):
                lines.append("")
        elif re.match(r"(Shapes|Dtypes|Memory|Gradient|Random numbers): |Raises \w+Error ", line):
            line = f"- {line}"
        lines.append(line.removeprefix("    ") if example else line)
    return "\n".join([*lines, *(["```"] if example else [])])


def signature(name: str, value: Any) -> str:
    """The call of a function or class without annotations; "" where Python does not know it."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    bare = [p.replace(annotation=p.empty) for p in found.parameters.values()]
    return f"{name}{found.replace(parameters=bare, return_annotation=found.empty)}"


def entry(name: str, value: Any) -> str:
    """The section of one function, method, property or class."""
    doc = inspect.getdoc(value) or ""
    parts = [f"## {name} {{ #{name} }}"]
    if callable(value) and not _FORM.search(doc):
        call = re.sub(r" at 0x[0-9a-f]+", "", signature(name, value))
        parts += [f"```python\n{call}\n```"] if call else []
    return "\n\n".join([*parts, markdown(doc)])


def page(name: str) -> tuple[str, list[str]]:
    """The page of the namespace *name*, and the names on it."""
    owner = namespace(name)
    found = list(members(owner))
    about = markdown(inspect.getdoc(owner) or "") if name != "torch" else ""
    sections = [entry(f"{name}.{n}", value) for n, value in found]
    return "\n\n".join([f"# {name}", about, *sections]) + "\n", [n for n, _ in found]


def write(folder: Path) -> int:
    """Write all pages and the index of names into *folder*; returns how many names there are."""
    folder.mkdir(parents=True, exist_ok=True)
    index = ["# API reference", "Every name, by namespace. The search knows them, too."]
    count = 0
    for stem, name in PAGES.items():
        text, names = page(name)
        (folder / f"{stem}.md").write_text(text, encoding="utf-8")
        links = [f"[{n}]({stem}.md#{name}.{n})" for n in names]
        index += [f"## [{name}]({stem}.md)", " · ".join(links)]
        count += len(names)
    (folder / "index.md").write_text("\n\n".join(index) + "\n", encoding="utf-8")
    return count


if __name__ == "__main__":
    target = (
        Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "docs/reference"
    )
    print(f"{write(target)} names in {target}")
