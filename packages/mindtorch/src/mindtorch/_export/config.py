"""``torch._export.config``: options of exporting; checked and told back."""

from __future__ import annotations

from ..compat.configuration import install

install(__name__, __file__)
