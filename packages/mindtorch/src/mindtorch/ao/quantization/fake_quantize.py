"""``torch.ao.quantization.fake_quantize``: modules that round as quantized tensors would.

A model that is trained with them learns to do with the numbers that it will have afterwards.
"""

from __future__ import annotations

from typing import Any

from ...aten import torch
from ...core.unavailable import offer_listed
from . import observer as _o
from .observing import FakeQuantizeBase
from .ranges import is_per_channel, is_per_tensor, limits

__all__ = [
    "FakeQuantize",
    "FakeQuantizeBase",
    "FixedQParamsFakeQuantize",
    "FusedMovingAvgObsFakeQuantize",
    "disable_fake_quant",
    "disable_observer",
    "enable_fake_quant",
    "enable_observer",
]


class FakeQuantize(FakeQuantizeBase):
    """Rounds by the scale that an observer finds.

    :param observer: its class; *observer_kwargs* are its arguments.
    :param quant_min: the least integer; that of the observer if it is not given.
    :param quant_max: the greatest integer.

    Raises AssertionError for a range that the dtype does not have.
    """

    scale: Any
    zero_point: Any
    activation_post_process: Any

    def __init__(
        self,
        observer: Any = _o.MovingAverageMinMaxObserver,
        quant_min: int | None = None,
        quant_max: int | None = None,
        is_dynamic: bool = False,
        **observer_kwargs: Any,
    ) -> None:
        super().__init__()
        if quant_min is not None and quant_max is not None:
            assert quant_min <= quant_max, "quant_min must be less than or equal to quant_max"
            dtype = observer_kwargs.get("dtype", torch.quint8)
            if hasattr(observer, "p"):  # a class with some of its arguments
                dtype = getattr(observer.p, "keywords", {}).get("dtype", dtype)
            low, high = limits(dtype)
            assert low <= quant_min, "quant_min out of bound"
            assert quant_max <= high, "quant_max out of bound"
            observer_kwargs.update({"quant_min": quant_min, "quant_max": quant_max})
        observer_kwargs["is_dynamic"] = is_dynamic
        self.activation_post_process = observer(**observer_kwargs)
        self.quant_min = self.activation_post_process.quant_min
        self.quant_max = self.activation_post_process.quant_max
        self.is_dynamic = self.activation_post_process.is_dynamic
        floating = self.activation_post_process.qscheme == torch.per_channel_affine_float_qparams
        zero = torch.float if floating else torch.int
        self.register_buffer("scale", torch.tensor([1.0], dtype=torch.float))
        self.register_buffer("zero_point", torch.tensor([0], dtype=zero))
        self.dtype = self.activation_post_process.dtype
        self.qscheme = self.activation_post_process.qscheme
        self.ch_axis = getattr(self.activation_post_process, "ch_axis", -1)
        assert is_per_channel(self.qscheme) or is_per_tensor(self.qscheme), (
            "Only per channel and per tensor quantization are supported in fake quantize got "
            f"qscheme: {self.qscheme}"
        )
        self.is_per_channel = is_per_channel(self.qscheme)

    def calculate_qparams(self) -> Any:
        """The scale and the zero point for what was seen."""
        return self.activation_post_process.calculate_qparams()

    def forward(self, X: Any) -> Any:
        """*X*, observed and rounded as the switches say."""
        if self.observer_enabled[0] == 1:
            self.activation_post_process(X.detach())
            scale, zero_point = self.calculate_qparams()
            scale, zero_point = scale.to(self.scale.device), zero_point.to(self.zero_point.device)
            if self.scale.shape != scale.shape:
                self.scale.resize_(scale.shape)
                self.zero_point.resize_(zero_point.shape)
            self.scale.copy_(scale)
            self.zero_point.copy_(zero_point)
        if self.fake_quant_enabled[0] != 1:
            return X
        limits = self.quant_min, self.quant_max
        if self.is_per_channel:
            return torch.fake_quantize_per_channel_affine(
                X, self.scale, self.zero_point, self.ch_axis, *limits
            )
        return torch.fake_quantize_per_tensor_affine(X, self.scale, self.zero_point, *limits)

    def extra_repr(self) -> str:
        """The switches, the range and the scale."""
        return (
            f"fake_quant_enabled={self.fake_quant_enabled}, "
            f"observer_enabled={self.observer_enabled}, "
            f"quant_min={self.activation_post_process.quant_min}, "
            f"quant_max={self.activation_post_process.quant_max}, "
            f"dtype={self.dtype}, qscheme={self.qscheme}, ch_axis={self.ch_axis}, "
            f"scale={self.scale}, zero_point={self.zero_point}"
        )

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *args: Any) -> None:
        # The number of channels is the saved one's.
        for name in ("scale", "zero_point"):
            saved = state_dict.get(prefix + name)
            if saved is not None:
                getattr(self, name).resize_(saved.shape)
        super()._load_from_state_dict(state_dict, prefix, *args)


class FixedQParamsFakeQuantize(FakeQuantize):
    """Rounds by a given scale: that of a :class:`FixedQParamsObserver`."""

    def __init__(self, observer: Any) -> None:
        super().__init__(observer=observer)
        assert type(self.activation_post_process) is _o.FixedQParamsObserver, (
            f"{self.__class__.__name__}'s observer must be a {_o.FixedQParamsObserver.__name__}"
        )
        self._observer_ctr = observer
        self.scale = self.activation_post_process.scale
        self.zero_point = self.activation_post_process.zero_point
        assert is_per_tensor(self.qscheme), (
            "Only per tensor quantization is supported FixedQParamsFakeQuantize module, got "
            f"qscheme:{self.qscheme}"
        )

    def calculate_qparams(self) -> tuple[Any, Any]:
        """What was given."""
        return self.scale, self.zero_point

    def extra_repr(self) -> str:
        """The switches, the scale and the range."""
        return (
            f"fake_quant_enabled={self.fake_quant_enabled}, "
            f"observer_enabled={self.observer_enabled}, "
            f"scale={self.scale}, zero_point={self.zero_point}, "
            f"dtype={self.dtype}, quant_min={self.activation_post_process.quant_min}, "
            f"quant_max={self.activation_post_process.quant_max}, qscheme={self.qscheme}"
        )


class FusedMovingAvgObsFakeQuantize(FakeQuantize):
    """Observes by moving averages and rounds, both in one operator.

    Raises AssertionError for an observer of another kind.
    """

    def __init__(
        self,
        observer: Any = _o.MovingAverageMinMaxObserver,
        quant_min: int = 0,
        quant_max: int = 255,
        **observer_kwargs: Any,
    ) -> None:
        super().__init__(observer, quant_min, quant_max, **observer_kwargs)
        assert isinstance(
            self.activation_post_process,
            (_o.MovingAverageMinMaxObserver, _o.MovingAveragePerChannelMinMaxObserver),
        ), (
            "Fused observer+fake_quant module only works with MovingAverageMinMaxObserver or "
            "MovingAveragePerChannelMinMaxObserver"
        )
        self.register_buffer("fake_quant_enabled", torch.tensor([1], dtype=torch.long))
        self.register_buffer("observer_enabled", torch.tensor([1], dtype=torch.long))
        self.is_symmetric_quant = self.qscheme in (
            torch.per_tensor_symmetric,
            torch.per_channel_symmetric,
        )

    def calculate_qparams(self) -> Any:
        """The scale and the zero point for what was seen."""
        return self.activation_post_process.calculate_qparams()

    def extra_repr(self) -> str:
        """The switches, the scale and the range."""
        seen = self.activation_post_process
        return (
            f"fake_quant_enabled={self.fake_quant_enabled}, "
            f"observer_enabled={self.observer_enabled}, scale={self.scale}, "
            f"zero_point={self.zero_point}, dtype={self.dtype}, quant_min={seen.quant_min}, "
            f"quant_max={seen.quant_max}, qscheme={self.qscheme}, reduce_range={seen.reduce_range}"
        )

    def forward(self, X: Any) -> Any:
        """*X*, observed and rounded as the switches say."""
        seen = self.activation_post_process
        return torch.fused_moving_avg_obs_fake_quant(
            X,
            self.observer_enabled,
            self.fake_quant_enabled,
            seen.min_val,
            seen.max_val,
            self.scale,
            self.zero_point,
            seen.averaging_constant,
            seen.quant_min,
            seen.quant_max,
            self.ch_axis,
            self.is_per_channel,
            self.is_symmetric_quant,
        )


default_fake_quant = FakeQuantize.with_args(
    observer=_o.MovingAverageMinMaxObserver,
    quant_min=0,
    quant_max=255,
    dtype=torch.quint8,
    qscheme=torch.per_tensor_affine,
    reduce_range=True,
)
default_weight_fake_quant = FakeQuantize.with_args(
    observer=_o.MovingAverageMinMaxObserver,
    quant_min=-128,
    quant_max=127,
    dtype=torch.qint8,
    qscheme=torch.per_tensor_symmetric,
    reduce_range=False,
)
default_dynamic_fake_quant = FakeQuantize.with_args(
    observer=_o.MovingAverageMinMaxObserver,
    quant_min=0,
    quant_max=255,
    is_dynamic=True,
    dtype=torch.quint8,
    averaging_constant=1,
)
default_fixed_qparams_range_neg1to1_fake_quant = FixedQParamsFakeQuantize.with_args(
    observer=_o.default_fixed_qparams_range_neg1to1_observer
)
default_fixed_qparams_range_0to1_fake_quant = FixedQParamsFakeQuantize.with_args(
    observer=_o.default_fixed_qparams_range_0to1_observer
)
default_symmetric_fixed_qparams_fake_quant = default_fixed_qparams_range_neg1to1_fake_quant
default_affine_fixed_qparams_fake_quant = default_fixed_qparams_range_0to1_fake_quant
default_per_channel_weight_fake_quant = FakeQuantize.with_args(
    observer=_o.MovingAveragePerChannelMinMaxObserver,
    quant_min=-128,
    quant_max=127,
    dtype=torch.qint8,
    qscheme=torch.per_channel_symmetric,
    reduce_range=False,
    ch_axis=0,
)
default_embedding_fake_quant = FakeQuantize.with_args(
    observer=_o.MovingAveragePerChannelMinMaxObserver,
    qscheme=torch.per_channel_affine_float_qparams,
    dtype=torch.quint8,
    quant_min=0,
    quant_max=255,
    ch_axis=0,
    averaging_constant=1,
)
default_embedding_fake_quant_4bit = FakeQuantize.with_args(
    observer=_o.MovingAveragePerChannelMinMaxObserver,
    qscheme=torch.per_channel_affine_float_qparams,
    ch_axis=0,
    dtype=torch.quint4x2,
    averaging_constant=1,
)
default_histogram_fake_quant = FakeQuantize.with_args(
    observer=_o.HistogramObserver,
    quant_min=0,
    quant_max=255,
    dtype=torch.quint8,
    qscheme=torch.per_tensor_affine,
    reduce_range=True,
)
default_fused_act_fake_quant = FusedMovingAvgObsFakeQuantize.with_args(
    observer=_o.MovingAverageMinMaxObserver, quant_min=0, quant_max=255, dtype=torch.quint8
)
default_fused_wt_fake_quant = FusedMovingAvgObsFakeQuantize.with_args(
    observer=_o.MovingAverageMinMaxObserver,
    quant_min=-128,
    quant_max=127,
    dtype=torch.qint8,
    qscheme=torch.per_tensor_symmetric,
)
default_fused_per_channel_wt_fake_quant = FusedMovingAvgObsFakeQuantize.with_args(
    observer=_o.MovingAveragePerChannelMinMaxObserver,
    quant_min=-128,
    quant_max=127,
    dtype=torch.qint8,
    qscheme=torch.per_channel_symmetric,
)
fused_wt_fake_quant_range_neg_127_to_127 = FusedMovingAvgObsFakeQuantize.with_args(
    observer=_o.MovingAverageMinMaxObserver,
    quant_min=-127,
    quant_max=127,
    dtype=torch.qint8,
    qscheme=torch.per_tensor_symmetric,
    eps=2**-12,
)
fused_per_channel_wt_fake_quant_range_neg_127_to_127 = FusedMovingAvgObsFakeQuantize.with_args(
    observer=_o.MovingAveragePerChannelMinMaxObserver,
    quant_min=-127,
    quant_max=127,
    dtype=torch.qint8,
    qscheme=torch.per_channel_symmetric,
    eps=2**-12,
)
__all__ += [name for name in globals() if name.startswith(("default_", "fused_"))]


def disable_fake_quant(mod: Any) -> None:
    """For ``Module.apply``: round no more."""
    if isinstance(mod, FakeQuantizeBase):
        mod.disable_fake_quant()


def enable_fake_quant(mod: Any) -> None:
    """For ``Module.apply``: round from now on."""
    if isinstance(mod, FakeQuantizeBase):
        mod.enable_fake_quant()


def disable_observer(mod: Any) -> None:
    """For ``Module.apply``: observe no more."""
    if isinstance(mod, FakeQuantizeBase):
        mod.disable_observer()


def enable_observer(mod: Any) -> None:
    """For ``Module.apply``: observe from now on."""
    if isinstance(mod, FakeQuantizeBase):
        mod.enable_observer()


offer_listed(globals())
