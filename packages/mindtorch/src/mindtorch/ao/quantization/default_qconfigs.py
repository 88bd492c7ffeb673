"""Which observers modules get by default: configurations, and how they are compared.

Observers that keep histograms refuse to be made.
"""

from __future__ import annotations

from collections import namedtuple
from functools import partial
from sys import modules
from typing import Any

from ... import nn
from ...aten import torch
from ...core.module_names import adopt
from ...core.warning import warn
from . import fake_quantize as _f
from . import observer as _o

__all__ = [
    "QConfig",
    "QConfigAny",
    "QConfigDynamic",
    "get_default_qat_qconfig",
    "get_default_qconfig",
    "qconfig_equals",
]


_HOME = __name__.rpartition(".")[0] + ".qconfig"


class QConfig(namedtuple("QConfig", ["activation", "weight"], module=_HOME)):
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


class QConfigDynamic(namedtuple("QConfigDynamic", ["activation", "weight"], module=_HOME)):
    """The older kind, of observers of activations that are made while the model runs.

    Raises ValueError for an observer where a class is meant.
    """

    __slots__ = ()

    def __new__(cls, activation: Any = nn.Identity, weight: Any = nn.Identity) -> QConfigDynamic:
        warn(
            "`QConfigDynamic` is going to be deprecated in PyTorch 1.12, please use `QConfig` "
            "instead",
            FutureWarning,
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
_half = _o.PlaceholderObserver.with_args(dtype=torch.float16)
float16_dynamic_qconfig = QConfig(
    _o.PlaceholderObserver.with_args(dtype=torch.float16, is_dynamic=True), _half
)
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
_symmetric = _o.HistogramObserver.with_args(dtype=torch.qint8, reduce_range=False, eps=2**-12)
default_symmetric_qnnpack_qconfig = QConfig(_symmetric, _o.weight_observer_range_neg_127_to_127)
default_per_channel_symmetric_qnnpack_qconfig = QConfig(
    _symmetric, _o.per_channel_weight_observer_range_neg_127_to_127
)
_trained = _f.FusedMovingAvgObsFakeQuantize.with_args(
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
_nothing = _o.NoopObserver.with_args(dtype=torch.float32)
default_embedding_qat_qconfig = QConfig(_nothing, _f.default_embedding_fake_quant)
default_embedding_qat_qconfig_4bit = QConfig(_nothing, _f.default_embedding_fake_quant_4bit)


#: The backends that defaults are for.
_BACKENDS = ["fbgemm", "x86", "qnnpack", "onednn"]


def _check_backend(backend: str) -> None:
    assert backend in _BACKENDS, (
        f"backend: {backend} not supported. backend must be one of {_BACKENDS}"
    )


def get_default_qconfig(backend: str = "x86", version: int = 0) -> QConfig:
    """The observers that are usual for a backend: histograms, and the range of weights.

    Raises AssertionError for another backend or version.
    """
    _check_backend(backend)
    assert version == 0, (
        f"Version number: {version} in get_default_qconfig is not supported. "
        "Version number must be 0"
    )
    if backend == "qnnpack":
        weight = _o.default_weight_observer
    else:
        weight = _o.default_per_channel_weight_observer
    reduced = backend in ("fbgemm", "x86")
    return QConfig(_o.HistogramObserver.with_args(reduce_range=reduced), weight)


def get_default_qat_qconfig(backend: str = "x86", version: int = 1) -> QConfig:
    """What rounds activations and weights in training for a backend.

    Raises AssertionError for another backend or version.
    """
    _check_backend(backend)
    assert version in (0, 1), (
        f"Version number: {version}in get_default_qat_qconfig is not supported. "
        "Version number must be 0 or 1"
    )
    kind = _f.FusedMovingAvgObsFakeQuantize if version else _f.FakeQuantize
    made: dict[str, Any] = {"observer": _o.MovingAverageMinMaxObserver}
    made |= {"quant_min": 0, "quant_max": 255}
    if backend != "onednn":
        made["reduce_range"] = backend in ("fbgemm", "x86")
    names = ("fused_wt", "weight") if backend == "qnnpack" else _PER_CHANNEL
    weight = getattr(_f, f"default_{names[0 if version else 1]}_fake_quant")
    return QConfig(kind.with_args(**made), weight)


_PER_CHANNEL = ("fused_per_channel_wt", "per_channel_weight")


def qconfig_equals(q1: Any, q2: Any) -> bool:
    """Whether two configurations make the same observers."""
    if q1 is None or q2 is None:
        return q1 == q2
    pairs = ((q1.activation, q2.activation), (q1.weight, q2.weight))
    return all(_makes_the_same(a, b) for a, b in pairs)


def _makes_the_same(one: Any, other: Any) -> bool:
    if hasattr(one, "p") and hasattr(other, "p"):
        return _makes_the_same(one.p, other.p)
    if isinstance(one, partial) and isinstance(other, partial):
        first, second = dict(one.keywords), dict(other.keywords)
        if "observer" in first and "observer" in second:
            if not _makes_the_same(first.pop("observer"), second.pop("observer")):
                return False
        return bool(_makes_the_same(one.func, other.func) and first == second)
    return bool(one == other)


def _add_module_to_qconfig_obs_ctr(qconfig: Any, module: Any) -> Any:
    """*qconfig*, whose observers are made on the device of *module*."""
    if module is None or qconfig is None or qconfig._fields != ("activation", "weight"):
        return qconfig

    def get_factory_kwargs_based_on_module_device() -> dict[str, Any] | None:
        devices = {p.device for p in module.parameters()} | {p.device for p in module.buffers()}
        device = next(iter(devices), None)
        return None if device is None else {"device": device}

    def placed(make: Any) -> Any:
        try:
            made = make.with_callable_args(factory_kwargs=get_factory_kwargs_based_on_module_device)
            made()
        except (AttributeError, TypeError):  # its observer takes no device, or it is none
            return make
        return made

    return type(qconfig)(placed(qconfig.activation), placed(qconfig.weight))


adopt(_HOME, modules[__name__])
__all__ += [name for name in globals() if name.startswith(("default_", "float", "per_"))]
