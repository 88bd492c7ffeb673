"""``torch.backends.quantized``: which engine quantized programs are made for.

An engine chooses among observers and settings of ``torch.ao.quantization``. Kernels are the same,
whichever is set: they round as torch's of ``x86`` and ``fbgemm``.
"""

from __future__ import annotations

import sys
from typing import Any

from .switching import SwitchModule

__all__ = ["QuantizedEngine"]

_ENGINES = ("none", "fbgemm", "qnnpack", "onednn", "x86")
_NAMES = dict(zip(_ENGINES, ("NoQEngine", "FBGEMM", "QNNPACK", "ONEDNN", "X86")))


def _get_qengine_id(qengine: str) -> int:
    if qengine in ("", None):
        qengine = "none"
    if qengine not in _ENGINES:
        raise RuntimeError(f"{qengine} is not a valid value for quantized engine")
    return _ENGINES.index(qengine)


def _get_qengine_str(qengine: int) -> str:
    return _ENGINES[qengine] if 0 <= qengine < len(_ENGINES) else "*undefined"


class QuantizedEngine(SwitchModule):
    """The class of this module: the engine is a switch, and the list of engines read only."""

    _engine = "x86"

    @property
    def engine(self) -> str:
        """The engine that is set."""
        return self._engine

    @engine.setter
    def engine(self, value: str) -> None:
        name = _ENGINES[_get_qengine_id(value)]
        if name == "none":
            raise RuntimeError(f"quantized engine {_NAMES[name]} is not supported")
        type(self)._engine = name

    @property
    def supported_engines(self) -> list[str]:
        """The engines that can be set."""
        return ["qnnpack", "onednn", "x86", "fbgemm"]

    @supported_engines.setter
    def supported_engines(self, value: Any) -> None:
        raise RuntimeError("Assignment not supported")


sys.modules[__name__].__class__ = QuantizedEngine
