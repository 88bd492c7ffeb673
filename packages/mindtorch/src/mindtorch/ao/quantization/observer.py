"""``torch.ao.quantization.observer``: modules that pass tensors on and note what they hold.

From what they saw they calculate the scale and zero point that a quantized tensor would have.
"""

from __future__ import annotations

from typing import Any

from ... import nn
from ...aten import torch
from ...core.unavailable import offer_listed
from ...core.warning import warn
from .histograms import HistogramObserver
from .observing import (
    EPS,
    OF_TENSORS,
    FakeQuantizeBase,
    ObserverBase,
    UniformQuantizationObserverBase,
)

__all__ = [
    "FixedQParamsObserver",
    "HistogramObserver",
    "MinMaxObserver",
    "MovingAverageMinMaxObserver",
    "MovingAveragePerChannelMinMaxObserver",
    "NoopObserver",
    "ObserverBase",
    "PerChannelMinMaxObserver",
    "PlaceholderObserver",
    "RecordingObserver",
    "ReuseInputObserver",
    "UniformQuantizationObserverBase",
    "get_observer_state_dict",
    "load_observer_state_dict",
]

_ObserverBase = UniformQuantizationObserverBase


class MinMaxObserver(UniformQuantizationObserverBase):
    """Notes the least and the greatest element of all tensors together."""

    def __init__(
        self,
        dtype: Any = torch.quint8,
        qscheme: Any = torch.per_tensor_affine,
        reduce_range: bool = False,
        quant_min: int | None = None,
        quant_max: int | None = None,
        factory_kwargs: Any = None,
        eps: float = EPS,
        is_dynamic: bool = False,
        **kwargs: Any,
    ) -> None:
        if qscheme not in OF_TENSORS:
            raise NotImplementedError(
                "MinMaxObserver's qscheme only support torch.per_tensor_symmetric "
                "                    and torch.per_tensor_affine."
            )
        super().__init__(
            dtype, qscheme, reduce_range, quant_min, quant_max, factory_kwargs, eps, is_dynamic,
            **kwargs,
        )  # fmt: skip
        made = nn.factory_kwargs(factory_kwargs)
        self.register_buffer("min_val", torch.tensor(float("inf"), **made))
        self.register_buffer("max_val", torch.tensor(float("-inf"), **made))
        if (
            self.qscheme == torch.per_tensor_symmetric
            and self.reduce_range
            and self.dtype == torch.quint8
        ):
            raise NotImplementedError(
                "Cannot reduce range for symmetric                                        "
                "quantization for quint8"
            )

    def _merged_(self, low: Any, high: Any) -> tuple[Any, Any]:
        """The range so far and that of one more tensor."""
        return torch.min(low, self.min_val), torch.max(high, self.max_val)

    def forward(self, x_orig: Any) -> Any:
        """Note the range of *x_orig*, and return it."""
        if x_orig.numel() == 0:
            return x_orig
        x = x_orig.detach().to(self.min_val.dtype)
        low, high = self._merged_(*torch.aminmax(x))
        self.min_val.copy_(low)
        self.max_val.copy_(high)
        return x_orig

    def calculate_qparams(self) -> tuple[Any, Any]:
        """The scale and the zero point for what was seen."""
        return self._calculate_qparams(self.min_val, self.max_val)

    def extra_repr(self) -> str:
        """The range."""
        return f"min_val={self.min_val}, max_val={self.max_val}"

    def reset_min_max_vals(self) -> None:
        """Forget what was seen."""
        self.min_val.copy_(torch.tensor(float("inf")))
        self.max_val.copy_(torch.tensor(float("-inf")))


class MovingAverageMinMaxObserver(MinMaxObserver):
    """Follows the least and the greatest element of each tensor.

    :param averaging_constant: how much the newest tensor weighs.
    """

    def __init__(
        self,
        averaging_constant: float = 0.01,
        dtype: Any = torch.quint8,
        qscheme: Any = torch.per_tensor_affine,
        reduce_range: bool = False,
        quant_min: int | None = None,
        quant_max: int | None = None,
        eps: float = EPS,
        is_dynamic: bool = False,
        **kwargs: Any,
    ) -> None:
        if qscheme not in OF_TENSORS:
            raise NotImplementedError(
                "MovingAverageMinMaxObserver's qscheme only support "
                "                torch.per_tensor_symmetric and torch.per_tensor_affine. "
                f"                but got: {qscheme}"
            )
        self.averaging_constant = averaging_constant
        if is_dynamic and self.averaging_constant != 1:
            raise NotImplementedError(
                "MovingAverageMinMaxObserver doesn't support dynamic quantization for "
                f"averaging constant of {self.averaging_constant}"
            )
        super().__init__(
            dtype=dtype,
            qscheme=qscheme,
            reduce_range=reduce_range,
            quant_min=quant_min,
            quant_max=quant_max,
            eps=eps,
            is_dynamic=is_dynamic,
            **kwargs,
        )

    def _merged_(self, low: Any, high: Any) -> tuple[Any, Any]:
        if self.min_val == float("inf") and self.max_val == float("-inf"):
            return low, high
        return _followed(self.min_val, low, self), _followed(self.max_val, high, self)


def _followed(before: Any, now: Any, observer: Any) -> Any:
    return before + observer.averaging_constant * (now - before)


class PerChannelMinMaxObserver(UniformQuantizationObserverBase):
    """Notes the least and the greatest element of each channel.

    :param ch_axis: the dimension of the channels.
    """

    def __init__(
        self,
        ch_axis: int = 0,
        dtype: Any = torch.quint8,
        qscheme: Any = torch.per_channel_affine,
        reduce_range: bool = False,
        quant_min: int | None = None,
        quant_max: int | None = None,
        factory_kwargs: Any = None,
        eps: float = EPS,
        is_dynamic: bool = False,
        **kwargs: Any,
    ) -> None:
        if qscheme in OF_TENSORS:
            raise NotImplementedError(
                "PerChannelMinMaxObserver's qscheme only support "
                "                    torch.per_channel_symmetric, torch.per_channel_affine and "
                "torch.per_channel_affine_float_qparams."
            )
        if is_dynamic:
            raise NotImplementedError(
                "PerChannelMinMaxObserver doesn't support dynamic quantization"
            )
        super().__init__(
            dtype, qscheme, reduce_range, quant_min, quant_max, factory_kwargs, eps, is_dynamic,
            **kwargs,
        )  # fmt: skip
        made = nn.factory_kwargs(factory_kwargs)
        self.ch_axis = ch_axis
        self.register_buffer("min_val", torch.tensor([], **made))
        self.register_buffer("max_val", torch.tensor([], **made))
        if (
            self.qscheme == torch.per_channel_symmetric
            and self.reduce_range
            and self.dtype == torch.quint8
        ):
            raise NotImplementedError("Cannot reduce range for symmetric quantization for quint8")

    def _merged_(self, low: Any, high: Any) -> tuple[Any, Any]:
        """The ranges so far and those of one more tensor."""
        return torch.min(low, self.min_val), torch.max(high, self.max_val)

    def forward(self, x_orig: Any) -> Any:
        """Note the ranges of *x_orig*, and return it."""
        if x_orig.numel() == 0:
            return x_orig
        x = x_orig.detach()
        order = list(range(x.dim()))
        order[self.ch_axis], order[0] = 0, self.ch_axis
        rows = torch.flatten(x.permute(order).to(self.min_val.dtype), start_dim=1)
        low, high = torch.aminmax(rows, dim=1)
        if self.min_val.numel():
            low, high = self._merged_(low, high)
        self.min_val.resize_(low.shape)
        self.max_val.resize_(high.shape)
        self.min_val.copy_(low)
        self.max_val.copy_(high)
        return x_orig

    def calculate_qparams(self) -> tuple[Any, Any]:
        """The scales and the zero points for what was seen."""
        return self._calculate_qparams(self.min_val, self.max_val)

    def extra_repr(self) -> str:
        """The ranges."""
        return f"min_val={self.min_val}, max_val={self.max_val}"

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *args: Any) -> None:
        # The number of channels is the saved one's.
        for name in ("min_val", "max_val"):
            saved = state_dict.get(prefix + name)
            if saved is not None:
                getattr(self, name).resize_(saved.shape)
        super()._load_from_state_dict(state_dict, prefix, *args)

    def reset_min_max_vals(self) -> None:
        """Forget what was seen."""
        self.min_val = torch.rand(0)
        self.max_val = torch.rand(0)


class MovingAveragePerChannelMinMaxObserver(PerChannelMinMaxObserver):
    """Follows the least and the greatest element of each channel.

    :param averaging_constant: how much the newest tensor weighs.
    """

    def __init__(
        self,
        averaging_constant: float = 0.01,
        ch_axis: int = 0,
        dtype: Any = torch.quint8,
        qscheme: Any = torch.per_channel_affine,
        reduce_range: bool = False,
        quant_min: int | None = None,
        quant_max: int | None = None,
        eps: float = EPS,
        is_dynamic: bool = False,
        **kwargs: Any,
    ) -> None:
        if qscheme in OF_TENSORS:
            raise NotImplementedError(
                "MovingAveragePerChannelMinMaxObserver's qscheme only support "
                "                    torch.per_channel_symmetric, torch.per_channel_affine and "
                "torch.per_channel_affine_float_qparams."
            )
        if is_dynamic:
            raise NotImplementedError(
                "MovingAveragePerChannelMinMaxObserver doesn't support dynamic quantization"
            )
        super().__init__(
            ch_axis=ch_axis,
            dtype=dtype,
            qscheme=qscheme,
            reduce_range=reduce_range,
            quant_min=quant_min,
            quant_max=quant_max,
            eps=eps,
            is_dynamic=is_dynamic,
            **kwargs,
        )
        self.averaging_constant = averaging_constant

    def _merged_(self, low: Any, high: Any) -> tuple[Any, Any]:
        return _followed(self.min_val, low, self), _followed(self.max_val, high, self)


class FixedQParamsObserver(ObserverBase):
    """Looks at nothing: its scale and zero point are given."""

    scale: Any
    zero_point: Any

    def __init__(
        self,
        scale: float,
        zero_point: int,
        dtype: Any = torch.quint8,
        qscheme: Any = torch.per_tensor_affine,
        quant_min: int = 0,
        quant_max: int = 255,
        is_dynamic: bool = False,
        **kwargs: Any,
    ) -> None:
        if is_dynamic:
            raise NotImplementedError("FixedQParamsObserver doesn't support dynamic quantization")
        super().__init__(dtype=dtype, is_dynamic=is_dynamic, **kwargs)
        self.quant_min, self.quant_max = quant_min, quant_max
        self.register_buffer("scale", torch.tensor([scale], dtype=torch.float))
        self.register_buffer("zero_point", torch.tensor([zero_point], dtype=torch.int))
        self.dtype = dtype
        self.qscheme = qscheme

    def forward(self, X: Any) -> Any:
        """*X*."""
        return X

    def calculate_qparams(self) -> tuple[Any, Any]:
        """What was given."""
        return self.scale, self.zero_point


class _Unobserving(ObserverBase):
    """What observers that find no scale have in common."""

    def forward(self, x: Any) -> Any:
        """*x*."""
        return x

    def calculate_qparams(self) -> Any:
        """Refuse: there is none."""
        raise Exception(f"calculate_qparams should not be called for {type(self).__name__}")


class PlaceholderObserver(_Unobserving):
    """Looks at nothing: it only says what is wanted, as the dtype of a conversion."""

    def __init__(
        self,
        dtype: Any = torch.float32,
        custom_op_name: str = "",
        compute_dtype: Any = None,
        quant_min: int | None = None,
        quant_max: int | None = None,
        qscheme: Any = None,
        eps: float | None = None,
        is_dynamic: bool = False,
    ) -> None:
        super().__init__(dtype=dtype, is_dynamic=is_dynamic)
        self.qscheme = torch.per_tensor_affine if qscheme is None else qscheme
        self.quant_min, self.quant_max = quant_min, quant_max
        self.eps = EPS if eps is None else eps
        self.custom_op = custom_op_name
        if compute_dtype:
            is_dynamic = True
            warn(
                "Please use `is_dynamic` instead of `compute_dtype`.                     "
                "`compute_dtype` will be deprecated in a future release                     "
                "of PyTorch.",
            )

    def extra_repr(self) -> str:
        """The dtype, and whether the scale is found anew."""
        return f"dtype={self.dtype}, is_dynamic={self.is_dynamic}"


class RecordingObserver(_Unobserving):
    """Keeps a copy of every tensor."""

    def __init__(self, dtype: Any = torch.quint8) -> None:
        super().__init__(dtype=dtype, is_dynamic=False)
        self.tensor_val: list[Any] = []

    def forward(self, x: Any) -> Any:
        """Keep a copy of *x*, and return it."""
        self.tensor_val.append(x.clone())
        return x

    def get_tensor_value(self) -> list[Any]:
        """The copies."""
        return self.tensor_val


class NoopObserver(_Unobserving):
    """Looks at nothing."""

    def __init__(self, dtype: Any = torch.float16, custom_op_name: str = "") -> None:
        super().__init__(dtype=dtype, is_dynamic=False)
        self.dtype = dtype
        self.custom_op = custom_op_name


class ReuseInputObserver(_Unobserving):
    """Says that a result has the scale of its input, as that of a reshape has."""

    def __init__(self) -> None:
        super().__init__(torch.quint8, is_dynamic=False)


def _observes(module: Any) -> bool:
    """Whether *module* is an observer, or a module that rounds by what one saw."""
    return isinstance(module, (ObserverBase, FakeQuantizeBase))


_is_activation_post_process = _observes


def get_observer_state_dict(mod: Any) -> dict[str, Any]:
    """The part of the state of *mod* that belongs to observers."""
    own = mod.state_dict()
    found = type(own)(
        (name, value) for name, value in own.items() if "activation_post_process" in name
    )
    found._metadata = {
        name: value for name, value in own._metadata.items() if "activation_post_process" in name
    }
    return found


def load_observer_state_dict(mod: Any, obs_dict: dict[str, Any]) -> None:
    """Load the state of observers into *mod*. Raises RuntimeError for what does not fit."""
    missing: list[str] = []
    unexpected: list[str] = []
    for name, module in mod.named_modules():
        prefix = f"{name}."
        if _observes(module):
            module._load_from_state_dict(obs_dict, prefix, {}, False, missing, unexpected, [])
    for names, what in ((missing, "missing"), (unexpected, "unexpected")):
        for key in names:
            if "observer" in key or "activation_post_process" in key:
                raise RuntimeError(f"{what.capitalize()} keys for observer {key} in state_dict")


default_observer = MinMaxObserver.with_args(quant_min=0, quant_max=127)
default_placeholder_observer = PlaceholderObserver
default_debug_observer = RecordingObserver
default_weight_observer = MinMaxObserver.with_args(
    dtype=torch.qint8, qscheme=torch.per_tensor_symmetric
)
weight_observer_range_neg_127_to_127 = MinMaxObserver.with_args(
    dtype=torch.qint8,
    qscheme=torch.per_tensor_symmetric,
    quant_min=-127,
    quant_max=127,
    eps=2**-12,
)
default_histogram_observer = HistogramObserver.with_args(quant_min=0, quant_max=127)
default_per_channel_weight_observer = PerChannelMinMaxObserver.with_args(
    dtype=torch.qint8, qscheme=torch.per_channel_symmetric
)
per_channel_weight_observer_range_neg_127_to_127 = PerChannelMinMaxObserver.with_args(
    dtype=torch.qint8,
    qscheme=torch.per_channel_symmetric,
    quant_min=-127,
    quant_max=127,
    eps=2**-12,
)
default_dynamic_quant_observer = PlaceholderObserver.with_args(
    dtype=torch.quint8, quant_min=0, quant_max=255, is_dynamic=True
)
default_float_qparams_observer = PerChannelMinMaxObserver.with_args(
    dtype=torch.quint8, qscheme=torch.per_channel_affine_float_qparams, ch_axis=0
)
default_float_qparams_observer_4bit = PerChannelMinMaxObserver.with_args(
    dtype=torch.quint4x2, qscheme=torch.per_channel_affine_float_qparams, ch_axis=0
)
default_fixed_qparams_range_neg1to1_observer = FixedQParamsObserver.with_args(
    scale=2.0 / 256.0, zero_point=128, dtype=torch.quint8, quant_min=0, quant_max=255
)
default_fixed_qparams_range_0to1_observer = FixedQParamsObserver.with_args(
    scale=1.0 / 256.0, zero_point=0, dtype=torch.quint8, quant_min=0, quant_max=255
)
default_symmetric_fixed_qparams_observer = default_fixed_qparams_range_neg1to1_observer
default_affine_fixed_qparams_observer = default_fixed_qparams_range_0to1_observer
default_reuse_input_observer = ReuseInputObserver
__all__ += [name for name in globals() if name.startswith(("default_", "weight_", "per_channel_"))]

offer_listed(globals())
