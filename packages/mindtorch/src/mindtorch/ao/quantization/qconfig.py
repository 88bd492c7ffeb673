"""``torch.ao.quantization.qconfig``: which observers a module gets.

The settings are real; the observers in them refuse to be made.
"""

from __future__ import annotations

import warnings
from collections import namedtuple
from functools import partial
from typing import Any

import mindtorch as torch
from mindtorch import nn

from ..._unavailable import offer_listed
from . import fake_quantize as _f
from . import observer as _o

__all__ = ["QConfig", "QConfigAny", "QConfigDynamic"]


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


class QConfigDynamic(namedtuple("QConfigDynamic", ["activation", "weight"])):
    """The older kind, of observers of activations that are made while the model runs.

    Raises ValueError for an observer where a class is meant.
    """

    __slots__ = ()

    def __new__(cls, activation: Any = nn.Identity, weight: Any = nn.Identity) -> QConfigDynamic:
        warnings.warn(
            "`QConfigDynamic` is going to be deprecated in PyTorch 1.12, please use `QConfig` "
            "instead",
            FutureWarning,
            stacklevel=2,
        )
        if isinstance(weight, nn.Module):
            raise ValueError(
                "QConfigDynamic received observer instance, please pass observer class instead. "
                "Use MyObserver.with_args(x=1) to override arguments to constructor if needed"
            )
        return super().__new__(cls, activation, weight)


QConfigAny = QConfig | None
default_qconfig = QConfig(_o.default_observer, _o.default_weight_observer)
default_debug_qconfig = QConfig(_o.default_debug_observer, _o.default_weight_observer)
default_per_channel_qconfig = QConfig(_o.default_observer, _o.default_per_channel_weight_observer)
default_dynamic_qconfig = QConfig(_o.default_dynamic_quant_observer, _o.default_weight_observer)
_half = partial(_o.PlaceholderObserver, dtype=torch.float16)
float16_dynamic_qconfig = QConfig(partial(_half, is_dynamic=True), _half)
float16_static_qconfig = QConfig(_half, _half)
per_channel_dynamic_qconfig = QConfig(
    _o.default_dynamic_quant_observer, _o.default_per_channel_weight_observer
)
float_qparams_weight_only_qconfig = QConfig(
    _o.default_placeholder_observer, _o.default_float_qparams_observer
)
float_qparams_weight_only_qconfig_4bit = QConfig(
    _o.default_placeholder_observer, _o.default_float_qparams_observer_4bit
)
default_qat_qconfig = QConfig(_f.default_fake_quant, _f.default_weight_fake_quant)
default_dynamic_qat_qconfig = QConfig(_f.default_dynamic_fake_quant, _f.default_weight_fake_quant)
default_weight_only_qconfig = QConfig(nn.Identity, _f.default_weight_fake_quant)
default_activation_only_qconfig = QConfig(_f.default_fake_quant, nn.Identity)
default_qat_qconfig_v2 = QConfig(_f.default_fused_act_fake_quant, _f.default_fused_wt_fake_quant)
default_reuse_input_qconfig = QConfig(_o.default_reuse_input_observer, _o.NoopObserver)
default_quint8_weight_qconfig = QConfig(_o.HistogramObserver, _o.MinMaxObserver)
_symmetric = partial(_o.HistogramObserver, dtype=torch.qint8, reduce_range=False, eps=2**-12)
default_symmetric_qnnpack_qconfig = QConfig(_symmetric, _o.weight_observer_range_neg_127_to_127)
default_per_channel_symmetric_qnnpack_qconfig = QConfig(
    _symmetric, _o.per_channel_weight_observer_range_neg_127_to_127
)
_trained = partial(
    _f.FusedMovingAvgObsFakeQuantize,
    observer=_o.MovingAverageMinMaxObserver,
    quant_min=-128,
    quant_max=127,
    dtype=torch.qint8,
    reduce_range=False,
    eps=2**-12,
)
default_symmetric_qnnpack_qat_qconfig = QConfig(
    _trained, _f.fused_wt_fake_quant_range_neg_127_to_127
)
default_per_channel_symmetric_qnnpack_qat_qconfig = QConfig(
    _trained, _f.fused_per_channel_wt_fake_quant_range_neg_127_to_127
)
_nothing = partial(_o.NoopObserver, dtype=torch.float32)
default_embedding_qat_qconfig = QConfig(_nothing, _f.default_embedding_fake_quant)
default_embedding_qat_qconfig_4bit = QConfig(_nothing, _f.default_embedding_fake_quant_4bit)

offer_listed(globals())
__all__ += [name for name in globals() if name.startswith(("default_", "float", "per_"))]
