"""Weights of quantized layers, prepared for products: what ``linear_prepack`` gives programs.

Nothing is rearranged: products of integers are computed as products of floats that hold them
exactly, so what is prepared is the weight as floats, transposed.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, cast

import numpy as np

from ...core.script_object import Bound, ScriptObject
from ...tensor.construction import wrap
from ...tensor.quantizer import (
    PerChannel,
    PerTensor,
    Quantizer,
    as_quantized,
    quantizer_of,
    steps_of,
)

__all__ = ["CellParameters", "ConvWeight", "EmbeddingWeight", "LinearWeight", "class_of", "held"]


class LinearWeight(Bound):
    """A weight ``[out, in]`` and a bias of floats, or None.

    :ivar half: the weight holds floats that half precision has; else it is quantized.
    """

    full_name = "__torch__.torch.classes.quantized.LinearPackedParamsBase"
    methods = ("bias", "unpack")

    def __init__(self, weight: Any, bias: Any) -> None:
        self.half = not weight.is_quantized
        self.weight = weight if self.half else _in_single(weight)
        self._bias = bias

    def bias(self) -> Any:
        """The bias, or None."""
        return self._bias

    def unpack(self) -> tuple[Any, Any]:
        """Another copy of the weight, and the bias."""
        return self.weight.clone(), self._bias

    state = unpack

    @classmethod
    def from_state(cls, state: Any) -> Bound:
        """The weights of a file."""
        return cls(*state)

    @cached_property
    def steps(self) -> np.ndarray[Any, Any]:
        """The integers ``[in, out]`` away from their zero points, as float64."""
        return np.ascontiguousarray(_away(self.weight).T)

    @cached_property
    def scales(self) -> np.ndarray[Any, Any]:
        """The scale of each row of the weight, or one for all, in single precision."""
        return _scales(self.weight)


def _away(weight: Any) -> np.ndarray[Any, Any]:
    """The integers of a quantized *weight* away from their zero points, as float64."""
    quantizer, steps = quantizer_of(weight), steps_of(weight._a_).astype(np.float64)
    if isinstance(quantizer, PerChannel):
        return np.asarray(steps - quantizer.along(steps.ndim)[1])
    return np.asarray(steps - quantizer.zero_point)


def _scales(weight: Any) -> np.ndarray[Any, Any]:
    quantizer = quantizer_of(weight)
    if isinstance(quantizer, PerChannel):
        return quantizer.scales.astype(np.float32)
    return np.array(quantizer.scale, np.float32)


def _in_single(weight: Any) -> Any:
    """A copy of a quantized *weight*, of which what is packed keeps scales in single precision."""
    quantizer = quantizer_of(weight)
    kept: Quantizer
    if isinstance(quantizer, PerChannel):
        scales = quantizer.scales.astype(np.float32).astype(quantizer.scales.dtype)
        kept = PerChannel(scales, quantizer.zero_points, quantizer.axis)
    else:
        kept = PerTensor(float(np.float32(quantizer.scale)), quantizer.zero_point)
    return wrap(as_quantized(steps_of(weight._a_).copy("C"), kept))


class ConvWeight(Bound):
    """A quantized weight of a convolution, its bias and its parameters.

    The weight is ``[out, in / groups, …]``, of a transposed convolution, which alone has
    *output_padding*, ``[in, out / groups, …]``. Its subclasses are those over 2 and over 3
    dimensions.
    """

    methods = (
        *("weight", "bias", "unpack", "stride", "padding", "output_padding", "dilation", "groups"),
        "transpose",
    )
    places: ClassVar[int]

    def __init__(
        self, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int,
        output_padding: Any = None,
    ) -> None:  # fmt: skip
        self._weight, self._bias = _in_single(weight), bias
        self._how = list(stride), list(padding), list(dilation), groups
        self._more = None if output_padding is None else list(output_padding)

    @staticmethod
    def of_dims(n: int) -> type[ConvWeight]:
        """The class of those over *n* dimensions."""
        return Conv3dWeight if n == 3 else Conv2dWeight

    def weight(self) -> Any:
        """Another copy of the weight."""
        return self._weight.clone()

    def bias(self) -> Any:
        """The bias, or None."""
        return self._bias

    def unpack(self) -> tuple[Any, Any]:
        """Another copy of the weight, and the bias."""
        return self.weight(), self._bias

    def stride(self) -> list[int]:
        """The steps between windows."""
        return self._how[0]

    def padding(self) -> list[int]:
        """How many zeros stand around an image."""
        return self._how[1]

    def output_padding(self) -> list[int]:
        """How much larger a transposed convolution makes an image at its end; else zeros."""
        return self._more or [0] * self.places

    def dilation(self) -> list[int]:
        """The steps within a window."""
        return self._how[2]

    def groups(self) -> int:
        """Into how many groups channels are divided."""
        return self._how[3]

    def transpose(self) -> bool:
        """Whether the convolution is a transposed one."""
        return self._more is not None

    def state(self) -> tuple[str, list[Any], list[Any]]:
        """Torch's second version: the numbers as one tensor, and the weight; the bias."""
        stride, padding, dilation, groups = self._how
        numbers = [self.places, *stride, *padding, *dilation, *self.output_padding(), groups]
        numbers.append(int(self.transpose()))
        return "2", [wrap(np.array(numbers, np.int16)), self.weight()], [self._bias]

    @classmethod
    def from_state(cls, state: Any) -> Bound:
        """The weights of a file."""
        _, (config, weight), (bias,) = state
        n, *numbers = config.tolist()
        stride, padding, dilation, more = (numbers[i * n : (i + 1) * n] for i in range(4))
        groups, transposed = numbers[4 * n :]
        return cls(weight, bias, stride, padding, dilation, groups, more if transposed else None)

    @cached_property
    def steps(self) -> np.ndarray[Any, Any]:
        """The integers away from their zero points, as float64."""
        return _away(self._weight)

    @cached_property
    def scales(self) -> np.ndarray[Any, Any]:
        """The scale of each channel of outputs, or one for all, in single precision."""
        return _scales(self._weight)

    @cached_property
    def by_onednn(self) -> bool:
        """Whether torch's engine ``x86`` gives it to oneDNN: the integer 0 stands for zero.

        Source: torch aten/src/ATen/native/quantized/cpu/OnednnUtils.h, should_use_onednn_quant.
        """
        found = quantizer_of(self._weight)
        places = found.zero_points if isinstance(found, PerChannel) else found.zero_point
        return self.groups() <= 100 and not np.any(places)


class Conv2dWeight(ConvWeight):
    """That of a convolution over 2 dimensions; one over 1 has another of size 1."""

    full_name = "__torch__.torch.classes.quantized.Conv2dPackedParamsBase"
    places = 2


class Conv3dWeight(ConvWeight):
    """That of a convolution over 3 dimensions."""

    full_name = "__torch__.torch.classes.quantized.Conv3dPackedParamsBase"
    places = 3


class CellParameters(Bound):
    """The weights of one direction of a recurrent layer: of inputs and of the hidden state.

    :ivar kind: ``"quantized_dynamic"`` or ``"quantized_fp16"``.
    """

    full_name = "__torch__.torch.classes.rnn.CellParamsBase"

    def __init__(
        self, kind: str, w_ih: Any, w_hh: Any, biases: list[Any], reduce_range: bool
    ) -> None:
        self.kind, self.w_ih, self.w_hh = kind, w_ih, w_hh
        self.biases, self.reduce_range = biases, reduce_range

    def state(self) -> tuple[Any, ...]:
        """The kind, tensors, floats, integers and packed weights."""
        if self.kind == "quantized_fp16":
            return self.kind, [], [], [], [self.w_ih, self.w_hh]
        return self.kind, self.biases, [], [int(self.reduce_range)], [self.w_ih, self.w_hh]

    @classmethod
    def from_state(cls, state: Any) -> Bound:
        """Those of a file."""
        kind, tensors, _, integers, weights = state
        return cls(kind, *weights, tensors, bool(integers and integers[0]))


class EmbeddingWeight(Bound):
    """A table ``[rows, columns]`` of bytes, whose rows have scales and zero points of floats."""

    full_name = "__torch__.torch.classes.quantized.EmbeddingPackedParamsBase"
    methods = ("bit_rate", "unpack", "version")

    def __init__(self, weight: Any) -> None:
        self._weight = weight

    def unpack(self) -> Any:
        """Another copy of the table."""
        return self._weight.clone()

    def bit_rate(self) -> int:
        """How many bits a number has."""
        return 8

    def version(self) -> int:
        """That of what files hold."""
        return 1

    @cached_property
    def table(self) -> tuple[Any, Any, Any]:
        """The integers; and of each row its scale, and what is added to products with it."""
        quantizer = cast(PerChannel, quantizer_of(self._weight))
        scales = quantizer.scales.astype(np.float32)
        biases = quantizer.zero_points.astype(np.float32) * scales * np.float32(-1)
        return steps_of(self._weight._a_), scales, biases

    def state(self) -> tuple[Any, ...]:
        """The version, tensors, floats and integers."""
        return self.version(), [self.unpack()], [], [self.bit_rate()]

    @classmethod
    def from_state(cls, state: Any) -> Bound:
        """The table of a file."""
        return cls(state[1][0])


_KINDS: tuple[type[Bound], ...] = (
    LinearWeight,
    Conv2dWeight,
    Conv3dWeight,
    CellParameters,
    EmbeddingWeight,
)
_CLASSES = {kind.full_name: kind for kind in _KINDS}


def class_of(name: str) -> type[Bound]:
    """The class of a full name. Raises RuntimeError where there is none."""
    found = _CLASSES.get(name)
    if found is None:
        raise RuntimeError(f"there is no class {name} here")
    return found


def held(handle: ScriptObject) -> LinearWeight:
    """The weights that a handle stands for."""
    return cast(LinearWeight, handle._bound)
