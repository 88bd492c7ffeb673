"""``torch.ops.quantized``: convolutions of quantized images with packed weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from mindtorch_dispatch import DispatchKey as K
from mindtorch_storage.layout import channels_last_3d_strides, channels_last_strides

from ...core.operators import of
from ...core.script_object import ScriptObject
from ...tensor.construction import wrap
from ...tensor.quantizer import PerTensor, steps_of
from .kernels import of_one_scale
from .operators import define
from .packed_weights import ConvWeight
from .requantization import bytes_of_steps, steps_of_fbgemm, steps_of_onednn

__all__: list[str] = []

_CLASSES = {
    1: "__torch__.torch.classes.quantized.Conv2dPackedParamsBase",
    2: "__torch__.torch.classes.quantized.Conv2dPackedParamsBase",
    3: "__torch__.torch.classes.quantized.Conv3dPackedParamsBase",
}


def _prepack(n: int) -> Callable[..., ScriptObject]:
    """Pack the weight of a convolution over *n* dimensions; one over 1 becomes one over 2."""

    def kernel(
        weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
    ) -> ScriptObject:
        if weight.dtype.name != "qint8":
            raise RuntimeError(f"expected scalar type QInt8 but found {weight.dtype.scalar_type}")
        if n == 1:
            weight = weight.unsqueeze(2)
            stride, padding = [1, stride[0]], [0, padding[0]]
            dilation = [1, dilation[0]]
        places = max(n, 2)
        if weight.dim() != places + 2:
            raise RuntimeError(f"Weights are expected to have {places + 2} dimensions")
        for name, numbers in (("stride", stride), ("dilation", dilation)):
            if len(numbers) != places:
                raise RuntimeError(
                    f"{name} should contain {places} elements for {places}D convolution."
                )
        if len(padding) != places:
            raise RuntimeError(
                "Specify front/top/left padding only. end/bottom/right padding assumed to be equal "
                "to front/top/left"
            )
        if bias is not None and bias.numel() != weight.shape[0]:
            raise RuntimeError(f"bias should have K elements: {weight.shape[0]}")
        kind = ConvWeight.of_dims(max(n, 2))
        return ScriptObject.of(kind(weight, bias, stride, padding, dilation, groups))

    return kernel


def _unpack(n: int) -> Callable[..., Any]:
    def kernel(packed_weights: ScriptObject) -> tuple[Any, Any]:
        weight, bias = _held(packed_weights).unpack()
        return (weight.squeeze(2) if n == 1 else weight), bias

    return kernel


def _held(handle: ScriptObject) -> ConvWeight:
    return cast(ConvWeight, handle._bound)


def _check_images(qx: Any, n: int, relu: bool, by_onednn: bool) -> None:
    """Refuse what is no ``quint8`` tensor of *n* places, in the words of the engine.

    Raises RuntimeError.
    """
    places = max(n, 2)
    name = f"quantized::conv{places}d{'_relu' * relu}"
    if qx.dtype.name != "quint8" and by_onednn:
        raise RuntimeError(f"{name} (ONEDNN): data type of input should be QUint8.")
    if qx.dtype.name != "quint8":
        raise RuntimeError(
            "quantized::conv(FBGEMM): Expected activation data type QUInt8 but got "
            + qx.dtype.scalar_type
        )
    if qx.dim() != n + 2:
        raise RuntimeError(
            f"{name}{f'{places}d' * by_onednn}(): Expected activation tensor to have {places + 2} "
            f"dimensions, got {qx.dim() + (n == 1)}"
        )


def _convolve(n: int, relu: bool) -> Callable[..., Any]:
    def kernel(qx: Any, packed_weight: ScriptObject, scale: float, zero_point: int) -> Any:
        places, weight = max(n, 2), _held(packed_weight)
        _check_images(qx, n, relu, weight.by_onednn)
        given = of_one_scale(qx)
        away = steps_of(qx._a).astype(np.float64) - given.zero_point
        images = wrap(away[:, :, None] if n == 1 else away)
        exact = of(f"conv{places}d")(
            images,
            wrap(weight.steps),
            None,
            weight.stride(),
            weight.padding(),
            weight.dilation(),
            weight.groups(),
        )._a
        layout = channels_last_strides if places == 2 else channels_last_3d_strides
        strides = layout(exact.shape) if exact.size else None
        wanted = PerTensor(scale, zero_point)
        along = (-1, *([1] * places))
        scales, bias = weight.scales, weight.bias()
        scales = scales.reshape(along) if scales.ndim else scales
        bias = None if bias is None else bias._host().reshape(along)
        by = steps_of_onednn if weight.by_onednn else steps_of_fbgemm
        made = bytes_of_steps(by(exact, given, scales, bias, wanted), wanted, relu, strides)
        return made.squeeze(2) if n == 1 else made

    return kernel


def _legacy(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The overload that has the parameters of the convolution once more, and does not read them."""

    def call(
        qx: Any, weight: ScriptObject, stride: Any, padding: Any, dilation: Any, groups: int,
        scale: float, zero_point: int,
    ) -> Any:  # fmt: skip
        return kernel(qx, weight, scale, zero_point)

    return call


_HOW = "int[] stride, int[] padding, int[] dilation, int groups"
_OUT = "float output_scale, int output_zero_point"
_AT_QUANTIZED: dict[str, Callable[..., Any]] = {}
_ANYWHERE: dict[str, Callable[..., Any]] = {}
for _n, _class in _CLASSES.items():
    _AT_QUANTIZED[f"conv{_n}d_prepack(Tensor weight, Tensor? bias, {_HOW}) -> {_class}"] = _prepack(
        _n
    )
    _ANYWHERE[
        f"conv{_n}d_unpack({_class} packed_weights) -> (Tensor unpacked_weights, Tensor? B_origin)"
    ] = _unpack(_n)
    for _relu, _name in ((False, ""), (True, "_relu")):
        _kernel = _convolve(_n, _relu)
        _new = "" if _n == 1 else ".new"
        _AT_QUANTIZED[
            f"conv{_n}d{_name}{_new}(Tensor qx, {_class} packed_weight, {_OUT}) -> Tensor"
        ] = _kernel
        if _n > 1:
            _AT_QUANTIZED[
                f"conv{_n}d{_name}(Tensor qx, {_class} weight, {_HOW}, {_OUT}) -> Tensor"
            ] = _legacy(_kernel)
define(_AT_QUANTIZED, K.QuantizedCPU)
define(_ANYWHERE, K.CompositeImplicitAutograd)
