"""``torch.testing``: ``assert_close`` and ``make_tensor``, which tests of libraries use."""

from __future__ import annotations

from ..core.submodules import reached as _reached
from ._comparison import assert_allclose, assert_close
from ._creation import make_tensor
from .file_check import FileCheck

__all__ = ["FileCheck", "assert_allclose", "assert_close", "make_tensor"]


def __dir__() -> list[str]:
    return sorted(__all__)


__getattr__ = _reached(__name__, ("_internal", "_utils"))
