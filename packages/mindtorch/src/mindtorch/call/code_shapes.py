"""Texts of :mod:`.code` as compiled code. Written by ``hatch run shapes``: do not edit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: Digest of a text -> what makes its function.
MAKERS: dict[int, Callable[..., Any]] = {}
