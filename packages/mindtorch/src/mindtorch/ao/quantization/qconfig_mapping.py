"""``torch.ao.quantization.qconfig_mapping``: which configuration which part of a model gets."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ... import nn
from ...aten import torch
from ...core.unavailable import offer_listed
from . import fake_quantize as _f
from . import observer as _o
from .default_qconfigs import (
    QConfig,
    default_reuse_input_qconfig,
    get_default_qat_qconfig,
    get_default_qconfig,
)

__all__ = ["QConfigMapping", "get_default_qat_qconfig_mapping", "get_default_qconfig_mapping"]

_GLOBAL, _TYPES, _REGEXES = "", "object_type", "module_name_regex"
_NAMES, _ORDERS = "module_name", "module_name_object_type_order"
_STYLES = (
    *("global_qconfig", "object_type_qconfigs", "module_name_regex_qconfigs"),
    *("module_name_qconfigs", "module_name_object_type_order_qconfigs"),
)


class QConfigMapping:
    """Configurations for a whole model, for types, for names, and for places among equals.

    The later of these count before the earlier.
    """

    def __init__(self) -> None:
        self.global_qconfig: Any = None
        self.object_type_qconfigs: OrderedDict[Any, Any] = OrderedDict()
        self.module_name_regex_qconfigs: OrderedDict[str, Any] = OrderedDict()
        self.module_name_qconfigs: OrderedDict[str, Any] = OrderedDict()
        self.module_name_object_type_order_qconfigs: OrderedDict[Any, Any] = OrderedDict()

    def set_global(self, global_qconfig: Any) -> QConfigMapping:
        """Set the configuration of what has none of its own."""
        self.global_qconfig = global_qconfig
        return self

    def set_object_type(
        self, object_type: Callable[..., Any] | str, qconfig: Any
    ) -> QConfigMapping:
        """Set that of modules of a class, or of calls of a function or method."""
        self.object_type_qconfigs[object_type] = qconfig
        return self

    def set_module_name_regex(self, module_name_regex: str, qconfig: Any) -> QConfigMapping:
        """Set that of modules whose names match; of several patterns the first that does counts."""
        self.module_name_regex_qconfigs[module_name_regex] = qconfig
        return self

    def set_module_name(self, module_name: str, qconfig: Any) -> QConfigMapping:
        """Set that of the module of a name."""
        self.module_name_qconfigs[module_name] = qconfig
        return self

    def set_module_name_object_type_order(
        self, module_name: str, object_type: Callable[..., Any], index: int, qconfig: Any
    ) -> QConfigMapping:
        """Set that of the *index*-th call of its kind within a module."""
        self.module_name_object_type_order_qconfigs[(module_name, object_type, index)] = qconfig
        return self

    def __repr__(self) -> str:
        text = "QConfigMapping ("
        for style in _STYLES:
            text += f"\n {style}"
            found = getattr(self, style)
            if isinstance(found, OrderedDict) and found:
                text += "".join(f"\n  {key}: {value}" for key, value in found.items())
            else:
                text += f"\n  {found}"
        return text + "\n)"

    def to_dict(self) -> dict[str, Any]:
        """The configurations as a dict of lists."""
        return {
            _GLOBAL: self.global_qconfig,
            _TYPES: list(self.object_type_qconfigs.items()),
            _REGEXES: list(self.module_name_regex_qconfigs.items()),
            _NAMES: list(self.module_name_qconfigs.items()),
            _ORDERS: [(*k, v) for k, v in self.module_name_object_type_order_qconfigs.items()],
        }

    @classmethod
    def from_dict(cls, qconfig_dict: dict[str, Any]) -> QConfigMapping:
        """The mapping of such a dict."""
        made = cls()
        if _GLOBAL in qconfig_dict:
            made.set_global(qconfig_dict[_GLOBAL])
        for kind, qconfig in qconfig_dict.get(_TYPES, []):
            made.set_object_type(kind, qconfig)
        for name, qconfig in qconfig_dict.get(_REGEXES, []):
            made.set_module_name_regex(name, qconfig)
        for name, qconfig in qconfig_dict.get(_NAMES, []):
            made.set_module_name(name, qconfig)
        for name, kind, index, qconfig in qconfig_dict.get(_ORDERS, []):
            made.set_module_name_object_type_order(name, kind, index, qconfig)
        return made


def _default(of_all: Any, is_qat: bool, backend: str) -> QConfigMapping:
    """The usual mapping around one configuration *of_all*."""
    functional = nn.functional
    weight = _f.default_weight_fake_quant if is_qat else _o.default_weight_observer
    transposed = QConfig(activation=of_all.activation, weight=weight)
    normed = QConfig(activation=of_all.activation, weight=_o.default_placeholder_observer)
    plain = _o.HistogramObserver, _o.MinMaxObserver
    single = QConfig(activation=plain[0], weight=plain[1])
    made = (
        QConfigMapping().set_global(of_all).set_object_type("reshape", default_reuse_input_qconfig)
    )
    for name in ("ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"):
        made.set_object_type(getattr(nn, name), transposed)
    for name in ("conv_transpose1d", "conv_transpose2d", "conv_transpose3d"):
        made.set_object_type(getattr(functional, name), transposed)
    made.set_object_type(functional.layer_norm, normed).set_object_type(nn.LayerNorm, normed)
    made.set_object_type(nn.PReLU, single)
    prefix = "default_fixed_qparams_range_"
    source, suffix = (_f, "_fake_quant") if is_qat else (_o, "_observer")
    for span, targets in _KNOWN:
        fixed = QConfig(getattr(source, f"{prefix}{span}{suffix}"), weight)
        for target in targets(torch, functional):
            made.set_object_type(target, fixed)
    return made


_KNOWN: tuple[tuple[str, Callable[[Any, Any], tuple[Any, ...]]], ...] = (
    (
        "0to1",
        lambda t, f: (
            *(t.nn.Hardsigmoid, f.hardsigmoid, "hardsigmoid", "hardsigmoid_"),
            *(t.nn.Sigmoid, t.sigmoid, "sigmoid", "sigmoid_", t.nn.Softmax),
        ),
    ),
    ("neg1to1", lambda t, f: (t.nn.Tanh, t.tanh, "tanh", "tanh_")),
)


def get_default_qconfig_mapping(backend: str = "x86", version: int = 0) -> QConfigMapping:
    """The usual configurations for a model that is observed."""
    return _default(get_default_qconfig(backend, version), False, backend)


def get_default_qat_qconfig_mapping(backend: str = "x86", version: int = 1) -> QConfigMapping:
    """The usual configurations for a model that is trained with rounding."""
    return _default(get_default_qat_qconfig(backend, version), True, backend)


offer_listed(globals())
