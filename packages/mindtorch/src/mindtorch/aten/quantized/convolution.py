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
from ...tensor.quantizer import PerChannel, PerTensor, quantizer_of, steps_of
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
        weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int,
        more: Any = None,
    ) -> ScriptObject:  # fmt: skip
        if weight.dtype.name != "qint8":
            raise RuntimeError(f"expected scalar type QInt8 but found {weight.dtype.scalar_type}")
        if n == 1:
            # A kernel of two sizes is taken as it is; of further numbers the second counts.
            weight = weight.unsqueeze(2) if weight.dim() == 3 else weight
            stride, padding = [1, stride[:2][-1]], [0, padding[:2][-1]]
            dilation = [1, dilation[:2][-1]]
            more = more and [0, more[:2][-1]]
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
        if more is not None and len(more) != places:
            raise RuntimeError(
                "quantized::conv_prepack: Specify top/left output padding only. bottom/right "
                "padding assumed to be equal to top/left"
            )
        if more is not None and isinstance(quantizer_of(weight), PerChannel):
            raise RuntimeError("Per Channel Quantization is currently disabled for transposed conv")
        channels = weight.shape[0] if more is None else weight.shape[1] * groups
        if bias is not None and bias.dim() != 1:
            raise RuntimeError("bias should be a vector (1D Tensor)")
        if bias is not None and bias.numel() != channels:
            raise RuntimeError(f"bias should have K elements: {channels}")
        kind = ConvWeight.of_dims(max(n, 2))
        return ScriptObject.of(kind(weight, bias, stride, padding, dilation, groups, more))

    return kernel


def _prepack_transposed(n: int) -> Callable[..., ScriptObject]:
    """The same of a transposed convolution."""
    prepack = _prepack(n)

    def kernel(
        weight: Any, bias: Any, stride: Any, padding: Any, output_padding: Any, dilation: Any,
        groups: int,
    ) -> ScriptObject:  # fmt: skip
        return prepack(weight, bias, stride, padding, dilation, groups, output_padding)

    return kernel


def _unpack(n: int) -> Callable[..., Any]:
    def kernel(packed_weights: ScriptObject) -> tuple[Any, Any]:
        weight, bias = _held(packed_weights).unpack()
        return (weight.squeeze(2) if n == 1 else weight), bias

    return kernel


def _told(name: str) -> Callable[..., Any]:
    """What a packed weight says of its convolution by the method *name*: a number, or a list."""

    def kernel(packed_weights: ScriptObject) -> Any:
        found = getattr(_held(packed_weights), name)()
        return found if isinstance(found, list) else int(found)

    return kernel


def _held(handle: ScriptObject) -> ConvWeight:
    return cast(ConvWeight, handle._bound)


def _check_images(qx: Any, n: int, relu: bool, weight: ConvWeight) -> None:
    """Refuse what is no ``quint8`` tensor of *n* places, in the words of the engine.

    Raises RuntimeError.
    """
    places, by_onednn = max(n, 2), weight.by_onednn
    name = f"quantized::conv{'_transpose' * weight.transpose()}{places}d{'_relu' * relu}"
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
    _check_channels(qx, n, name, weight)


def _check_bias(bias: Any) -> None:
    """Raise RuntimeError for another dtype than ``float32``, in the words of fbgemm.

    oneDNN in torch takes the bytes of other dtypes for floats, which nobody can want.
    """
    if bias is not None and bias.dtype.name != "float32":
        raise RuntimeError("[QConv3D] The 'bias' tensor must have 'torch.float' dtype")


def _check_channels(qx: Any, n: int, name: str, weight: ConvWeight) -> None:
    """Refuse images of other channels than *weight* has, in the words of the engine.

    Those of oneDNN for what is not transposed are of its own innards: the convolution refuses.
    """
    first, second, *window = weight.steps.shape
    groups, transposed = weight.groups(), weight.transpose()
    wanted, made = (first, second * groups) if transposed else (second * groups, first)
    given = qx.shape[1]
    if given == wanted or weight.by_onednn and not transposed:
        return
    if weight.by_onednn:
        raise RuntimeError(
            f"{name} (ONEDNN): input channel number should be {wanted}, but got {given}"
        )
    sizes = [*qx.shape[:2], 1, *qx.shape[2:]] if n == 1 else list(qx.shape)
    layout = "NCHW" if len(window) == 2 else "NCDHW"
    raise RuntimeError(
        f"[QConv{len(window)}D] Given groups={groups}, weight of size "
        f"{', '.join(map(str, (made, *window, wanted)))}, expected input ({layout}) "
        f"{', '.join(map(str, sizes))} to have {wanted} channels, but got {given} channels instead"
    )


def _convolve(n: int, relu: bool) -> Callable[..., Any]:
    def kernel(qx: Any, packed_weight: ScriptObject, scale: float, zero_point: int) -> Any:
        places, weight = max(n, 2), _held(packed_weight)
        _check_images(qx, n, relu, weight)
        _check_bias(weight.bias())
        given = of_one_scale(qx)
        away = steps_of(qx._a_).astype(np.float64) - given.zero_point
        images = wrap(away[:, :, None] if n == 1 else away)
        how = weight.stride(), weight.padding()
        if weight.transpose():
            op = of(f"conv_transpose{places}d.input")
            how += weight.output_padding(), weight.groups(), weight.dilation()
        else:
            op = of(f"conv{places}d")
            how += weight.dilation(), weight.groups()
        exact = op(images, wrap(weight.steps), None, *how)._a_
        layout = channels_last_strides if places == 2 else channels_last_3d_strides
        strides = layout(exact.shape) if exact.size else None
        wanted = PerTensor(scale, zero_point)
        along = (-1, *([1] * places))
        scales, bias = weight.scales, weight.bias()
        scales = scales.reshape(along) if scales.ndim else scales
        bias = None if bias is None else bias._host_().reshape(along)
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
_HOW_TRANSPOSED = _HOW.replace("int[] dilation", "int[] output_padding, int[] dilation")
_OUT = "float output_scale, int output_zero_point"
_AT_QUANTIZED: dict[str, Callable[..., Any]] = {}
_ANYWHERE: dict[str, Callable[..., Any]] = {}
for _n, _class in _CLASSES.items():
    _AT_QUANTIZED[f"conv{_n}d_prepack(Tensor weight, Tensor? bias, {_HOW}) -> {_class}"] = _prepack(
        _n
    )
    _AT_QUANTIZED[
        f"conv_transpose{_n}d_prepack(Tensor weight, Tensor? bias, {_HOW_TRANSPOSED}) -> {_class}"
    ] = _prepack_transposed(_n)
    _AT_QUANTIZED[f"conv_transpose{_n}d(Tensor qx, {_class} packed_weight, {_OUT}) -> Tensor"] = (
        _convolve(_n, False)
    )
    for _kind in ("conv", "conv_transpose"):
        _ANYWHERE[
            f"{_kind}{_n}d_unpack({_class} packed_weights) -> (Tensor unpacked_weights, "
            "Tensor? B_origin)"
        ] = _unpack(_n)
        for _told_of in ("stride", "padding", "output_padding", "dilation", "groups", "transpose"):
            _gives = "int" if _told_of in ("groups", "transpose") else "int[]"
            if _n > 1:  # sequences are packed as images
                _ANYWHERE[f"{_kind}{_n}d_{_told_of}({_class} packed_weights) -> {_gives}"] = _told(
                    _told_of
                )
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
# By their names of old.
_AT_QUANTIZED[f"conv_prepack(Tensor weight, Tensor? bias, {_HOW}) -> {_CLASSES[2]}"] = _prepack(2)
_ANYWHERE[
    f"conv_unpack({_CLASSES[2]} packed_weights) -> (Tensor unpacked_weights, Tensor? B_origin)"
] = _unpack(2)
define(_AT_QUANTIZED, K.QuantizedCPU)
define(_ANYWHERE, K.CompositeImplicitAutograd)
