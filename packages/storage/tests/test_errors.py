"""Texts copied from torch have one home each, with a source."""

from __future__ import annotations

import inspect
from pathlib import Path

import mindtorch_storage
from mindtorch_storage import errors, storage_errors

SOURCES = Path(mindtorch_storage.__file__).parent


def texts() -> dict[str, object]:
    """The texts, by the name under which they are raised."""
    return {
        f"{module.__name__.rpartition('.')[2]}.{name}": f
        for module in (errors, storage_errors)
        for name, f in inspect.getmembers(module, inspect.isfunction)
        if not name.startswith("_") and f.__module__ == module.__name__
    }


def test_every_text_names_its_source():
    """A path of torch or CPython, to look the text up when either changes."""
    lacking = [n for n, f in texts().items() if not (f.__doc__ or "").startswith(("torch", "CPy"))]
    assert not lacking


def test_every_text_is_used():
    """A text that nothing raises would only grow old."""
    code = "".join(
        p.read_text("utf-8") for p in SOURCES.glob("*.py") if not p.name.endswith("errors.py")
    )
    unused = [n for n in texts() if n not in code]
    assert not unused
