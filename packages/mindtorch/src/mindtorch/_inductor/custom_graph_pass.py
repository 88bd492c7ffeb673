"""``torch._inductor.custom_graph_pass``: classes of a program's own passes over graphs."""

from __future__ import annotations

import abc
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["CustomGraphModulePass", "CustomGraphPass", "CustomPassBase", "get_hash_for_files"]


class CustomPassBase(abc.ABC):
    """A pass that tells itself apart from others, for what is compiled with it."""

    @abc.abstractmethod
    def uuid(self) -> Any:
        """What is the same as long as the pass does the same; None: keep nothing."""


class CustomGraphPass(CustomPassBase):
    """A pass over a graph."""

    @abc.abstractmethod
    def __call__(self, graph: Any) -> None:
        """Change *graph*."""


class CustomGraphModulePass(CustomPassBase):
    """A pass over a module that was made of a graph."""

    @abc.abstractmethod
    def __call__(self, gm: Any) -> None:
        """Change *gm*."""


def get_hash_for_files(paths: Sequence[str], extra: str = "") -> bytes:
    """A hash of these files' contents, and of *extra*."""
    found = hashlib.sha256(extra.encode("utf-8"))
    for path in paths:
        found.update(Path(path).read_bytes())
    return found.digest()
