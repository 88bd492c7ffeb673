"""What observers have in common: classes with some of their arguments, dtypes, schemes, ranges."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from typing import Any

from ... import nn
from ...aten import torch
from ...core.module_names import living_in
from ...core.warning import warn
from .ranges import calculate_qmin_qmax, observed_qparams, validate_qmin_qmax

__all__ = [
    "EPS",
    "OF_TENSORS",
    "FakeQuantizeBase",
    "ObserverBase",
    "UniformQuantizationObserverBase",
    "with_args",
]

#: The least scale, unless another is given.
EPS = torch.finfo(torch.float32).eps
_DTYPES = (
    *(torch.qint8, torch.quint8, torch.quint4x2, torch.qint32, torch.int8, torch.uint8),
    *(torch.int16, torch.int32, torch.float8_e5m2, torch.float8_e4m3fn, torch.uint16),
)
#: The schemes with one scale for a whole tensor.
OF_TENSORS = (torch.per_tensor_affine, torch.per_tensor_symmetric)
#: Of the lines that torch's texts were broken into.
_GAP = " " * 16


class _PartialWrapper:
    """A class with some of its arguments, which may be given more."""

    def __init__(self, p: Any) -> None:
        self.p = p
        self.callable_args: dict[str, Any] = {}

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        for name, make in self.callable_args.items():
            if name not in keywords:
                keywords = {**keywords, name: make()}
        return self.p(*args, **keywords)

    def __repr__(self) -> str:
        return repr(self.p) + repr(self.callable_args)

    def with_args(self, **kwargs: Any) -> _PartialWrapper:
        """The same with more arguments."""
        return with_args(self, **kwargs)

    def with_callable_args(self, **kwargs: Any) -> _PartialWrapper:
        """The same with arguments that are made for each object, by calling them."""
        made = _PartialWrapper(partial(self.p))
        made.callable_args = {**self.callable_args, **kwargs}
        return made


def with_args(cls_or_self: Any, **kwargs: Any) -> _PartialWrapper:
    """A class with some of its arguments, to be called for an object like it."""
    made = _PartialWrapper(partial(cls_or_self, **kwargs))
    return made


def _with_callable_args(cls_or_self: Any, **kwargs: Any) -> _PartialWrapper:
    return _PartialWrapper(partial(cls_or_self)).with_callable_args(**kwargs)


class ObserverBase(ABC, nn.Module):
    """A module that notes what passes through it.

    :param dtype: that of the quantized tensor which is planned for.
    :param is_dynamic: whether the scale is found anew for every tensor.
    """

    def __init__(self, dtype: Any, is_dynamic: bool = False) -> None:
        super().__init__()
        self.dtype = dtype
        self.is_dynamic = is_dynamic

    @abstractmethod
    def forward(self, x: Any) -> Any:
        """Note what *x* holds, and return it."""

    @abstractmethod
    def calculate_qparams(self, **kwargs: Any) -> Any:
        """The scale and the zero point for what was seen."""

    with_args = classmethod(with_args)
    with_callable_args = classmethod(_with_callable_args)


class FakeQuantizeBase(ABC, nn.Module):
    """A module that rounds, and has switches for rounding and for observing."""

    fake_quant_enabled: Any
    observer_enabled: Any

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("fake_quant_enabled", torch.tensor([1], dtype=torch.uint8))
        self.register_buffer("observer_enabled", torch.tensor([1], dtype=torch.uint8))

    @abstractmethod
    def forward(self, x: Any) -> Any:
        """*x*, rounded."""

    @abstractmethod
    def calculate_qparams(self, **kwargs: Any) -> Any:
        """The scale and the zero point."""

    def enable_fake_quant(self, enabled: bool = True) -> None:
        """Round from now on, or do not."""
        self.fake_quant_enabled[0] = 1 if enabled else 0

    def disable_fake_quant(self) -> None:
        """Round no more."""
        self.enable_fake_quant(False)

    def enable_observer(self, enabled: bool = True) -> None:
        """Observe from now on, or do not."""
        self.observer_enabled[0] = 1 if enabled else 0

    def disable_observer(self) -> None:
        """Observe no more: the scale stays."""
        self.enable_observer(False)

    @classmethod
    def with_args(cls, **kwargs: Any) -> Any:
        """The class with some of its arguments, to be called for an object."""
        made = with_args(cls, **kwargs)
        made.__module__ = "torch.ao.quantization.fake_quantize"
        return made


class UniformQuantizationObserverBase(ObserverBase):
    """What observers of least and greatest values have in common.

    :param qscheme: whether a scale is for a tensor or a channel, and whether zero is the middle.
    :param reduce_range: use a bit less.
    :param quant_min: the least integer; that of *dtype* if it is not given.
    :param quant_max: the greatest integer.
    :param eps: the least scale.

    Raises AssertionError for another dtype or scheme, and for a range that lacks zero.
    """

    _version = 3
    eps: Any
    min_val: Any
    max_val: Any

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
        made = nn.factory_kwargs(factory_kwargs)
        super().__init__(dtype=dtype, is_dynamic=is_dynamic, **kwargs)
        self.qscheme = qscheme
        if reduce_range:
            warn(
                f"Please use quant_min and quant_max to specify the range for observers. {_GAP}    "
                "reduce_range will be deprecated in a future release of PyTorch.",
            )
        self.reduce_range = reduce_range
        self.register_buffer("eps", torch.tensor([eps], **made))
        assert self.qscheme in (
            *OF_TENSORS,
            torch.per_channel_affine,
            torch.per_channel_symmetric,
            torch.per_channel_affine_float_qparams,
        ), (
            f"Default Observer only works for per_tensor_affine, {_GAP}per_tensor_symmetric, "
            f"per_channel_affine, {_GAP}per_channel_symmetric and per_channel_float_qparams "
            "quantization scheme"
        )
        assert self.dtype in _DTYPES, f"Default Observer only works for {_DTYPES} data type"
        self.has_customized_qrange = quant_min is not None and quant_max is not None
        if quant_min is not None and quant_max is not None:
            validate_qmin_qmax(quant_min, quant_max)
        self.quant_min, self.quant_max = calculate_qmin_qmax(
            quant_min or 0,  # which nobody reads where the range is the dtype's
            quant_max or 0,
            self.has_customized_qrange,
            self.dtype,
            self.reduce_range,
        )

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, *told: Any
    ) -> None:
        if local_metadata.get("version", None) in (None, 1):  # the least scale was not written
            state_dict[prefix + "eps"] = torch.tensor([EPS])
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *told)

    def _validate_qmin_qmax(self, quant_min: int, quant_max: int) -> None:
        validate_qmin_qmax(quant_min, quant_max)

    def _calculate_qparams(self, min_val: Any, max_val: Any) -> tuple[Any, Any]:
        return observed_qparams(
            min_val,
            max_val,
            self.quant_min,
            self.quant_max,
            self.dtype,
            self.eps,
            self.has_customized_qrange,
            self.qscheme,
        )

    def reset_min_max_vals(self) -> None:
        """Forget what was seen."""
        raise NotImplementedError("Cannot reset min/max values in the given observer.")


living_in("mindtorch.ao.quantization.observer", ObserverBase, UniformQuantizationObserverBase)
living_in("mindtorch.ao.quantization.fake_quantize", FakeQuantizeBase)
