"""``torch.backends.xnnpack``: whether XNNPACK is used, which is not here."""

from __future__ import annotations

import sys
from typing import Any

from .switching import SwitchModule


class XNNPACKEngine(SwitchModule):
    """The class of this module: what it says cannot be set."""

    @property
    def enabled(self) -> bool:
        """False: there is no XNNPACK here."""
        return False

    @enabled.setter
    def enabled(self, value: Any) -> None:
        raise RuntimeError("Assignment not supported")


sys.modules[__name__].__class__ = XNNPACKEngine
