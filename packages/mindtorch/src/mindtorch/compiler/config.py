"""``torch.compiler.config``: options of a compiler that is not here; checked and told back."""

from __future__ import annotations

from ..compat.configuration import install

install(__name__, __file__)
