"""What a group of the ``fake`` backend is made with."""

from __future__ import annotations

from ....distributed._c10d.stores import FakeStore

__all__ = ["FakeStore"]
