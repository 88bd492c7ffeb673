"""The sources of modules in the old format: kept beside the class, compared when it is loaded."""

from __future__ import annotations

import difflib
import inspect
import textwrap
from typing import Any

from ..aten.functions import typename
from ..core.warning import warn
from ..nn.modules.module import Module
from .errors import SourceChangeWarning


def module_id(obj: Any, written: set[Any]) -> tuple[Any, ...] | None:
    """The persistent id of a class of modules; None for anything else, and from the second time.

    :param written: the classes that have had theirs.
    """
    if not isinstance(obj, type) or not issubclass(obj, Module) or obj in written:
        return None
    written.add(obj)
    file, source = _source_of(obj)
    return ("module", obj, file, source)


def check_source(kind: Any, file: Any, source: Any) -> None:
    """Warn if the source of the class *kind* is no longer *source*, which came from *file*.

    With ``dump_patches`` the difference goes into a file that ``patch`` takes.
    """
    if not file or not source:
        return
    _, now = _source_of(kind)
    if now is None or now == source:
        return
    if kind.dump_patches:
        advice = _save_patch(kind.__name__ + ".patch", now, source, file)
    else:
        advice = (
            "you can retrieve the original source code by accessing the object's source attribute "
            "or set `torch.nn.Module.dump_patches = True` and use the patch tool to revert the "
            "changes."
        )
    warn(
        f"source code of class '{typename(kind)}' has changed. {advice}",
        SourceChangeWarning,
    )


def _source_of(kind: Any) -> tuple[str | None, str | None]:
    """File and text of the class *kind*; a warning and None where there are none."""
    try:
        lines, _ = inspect.getsourcelines(kind)
        return inspect.getsourcefile(kind), textwrap.dedent("".join(lines))
    except (OSError, TypeError):
        warn(
            f"Couldn't retrieve source code for container of type {kind.__name__}. It won't be "
            "checked for correctness upon loading.",
            UserWarning,
        )
        return None, None


def _save_patch(name: str, now: str, before: str, file: str) -> str:
    """Write what changes *now* back into *before*; returns what to tell the user."""
    lines = difflib.unified_diff(now.split("\n"), before.split("\n"), file, file, lineterm="")
    text = "\n".join(lines)
    try:
        with open(name, "a+") as f:
            size = f.seek(0, 2)
            f.seek(0)
            if not size:
                f.write(text)
            elif size != len(text) or f.read() != text:
                raise OSError(f"{name} holds something else")
    except OSError:
        return (
            f"Tried to save a patch, but couldn't create a writable file {name}. Make sure it "
            "doesn't exist and your working directory is writable."
        )
    return f"Saved a reverse patch to {name}. Run `patch -p0 < {name}` to revert your changes."
