"""``torch.ao.quantization.qconfig``: which observers a module gets."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from mindtorch import nn

from ..._unavailable import QUANTIZED, offer

__all__ = ["QConfig", "QConfigAny"]


class QConfig(namedtuple("QConfig", ["activation", "weight"])):
    """The classes of observers of activations and of weights.

    Raises ValueError for an observer where a class is meant.
    """

    __slots__ = ()

    def __new__(cls, activation: Any, weight: Any) -> QConfig:
        if isinstance(activation, nn.Module) or isinstance(weight, nn.Module):
            raise ValueError(
                "QConfig received observer instance, please pass observer class instead. "
                "Use MyObserver.with_args(x=1) to override arguments to constructor if needed"
            )
        return super().__new__(cls, activation, weight)


QConfigAny = QConfig | None
offer(
    globals(),
    QUANTIZED,
    "get_default_qat_qconfig get_default_qat_qconfig_dict get_default_qconfig "
    "get_default_qconfig_dict qconfig_equals",
)
