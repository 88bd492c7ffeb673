"""``torch.ao.nn.quantized.modules.conv``: convolutions of quantized images."""

from __future__ import annotations

from typing import Any

from mindtorch.core.unavailable import offer_listed

from ..... import nn
from ....._ops import ops
from .....aten import torch
from .....nn.utils.fusion import fuse_conv_bn_weights
from ...intrinsic.modules import fused
from ...intrinsic.qat.modules import conv_fused
from .utils import WeightedQuantizedModule, _quantize_weight

__all__ = ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"]

_PADDING = ("zeros", "reflect")
_SHAPES = {1: "`(N, C, L)`", 2: "`(N, C, H, W)`", 3: "`(N, C, D, H, W)`"}


def _several(value: Any, n: int) -> Any:
    if isinstance(value, str):
        return value
    return tuple(value) if isinstance(value, tuple | list) else (value,) * n


class _ConvNd(WeightedQuantizedModule):
    """What convolutions share.

    :ivar scale: with ``zero_point``, what outputs are quantized by.

    Raises ValueError for channels that groups do not divide, and for a ``padding_mode`` that
    quantized images have not.
    """

    _PLACES_: int
    #: Of the ops: ``conv_transpose`` of transposed ones.
    _OP_ = "conv"
    #: Of the op that computes outputs: ``_relu`` where it keeps the positive ones.
    _KIND_ = ""
    _FLOAT_MODULE: Any
    _NNIQAT_CONV_BN_MODULE: Any = None
    _NNI_CONV_RELU_MODULE: Any = None
    _NNI_CONV_ADD_MODULE: Any = None
    _NNI_CONV_ADD_RELU_MODULE: Any = None

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self._init(
            *(in_channels, out_channels, kernel_size, stride, padding, dilation),
            *(False, 0, groups, bias, padding_mode, device),
        )

    def _init(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any, padding: Any,
        dilation: Any, transposed: bool, output_padding: Any, groups: int, bias: bool,
        padding_mode: str, device: Any,
    ) -> None:  # fmt: skip
        """Take the parameters, and a weight and a bias of zeros."""
        n = self._PLACES_
        if out_channels <= 0:
            raise ValueError(f"out_channels must be greater than 0, got {out_channels}")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size = _several(kernel_size, n)
        self.stride, self.padding = _several(stride, n), _several(padding, n)
        self.dilation = _several(dilation, n)
        self.transposed, self.output_padding = transposed, _several(output_padding, n)
        self.groups = groups
        if padding_mode not in _PADDING:
            raise ValueError(
                f"'padding_mode' {padding_mode} is not supported by quantized convolution"
            )
        self.padding_mode = padding_mode
        channels = in_channels, out_channels // groups
        if not transposed:
            channels = out_channels, in_channels // groups
        weight = torch._empty_affine_quantized(
            [*channels, *self.kernel_size], scale=1, zero_point=0, dtype=torch.qint8, device=device
        )
        zeros = torch.zeros(out_channels, dtype=torch.float, device=device) if bias else None
        self.set_weight_bias(weight, zeros)
        self.scale = 1.0
        self.zero_point = 0

    def _get_name(self) -> str:
        return f"QuantizedConv{'Transpose' * self.transposed}{self._PLACES_}d"

    def set_weight_bias(self, w: Any, b: Any) -> None:
        """Pack a quantized weight and a bias of floats, or None."""
        padding = self.padding if self.padding_mode == "zeros" else (0,) * self._PLACES_
        more = (self.output_padding,) if self.transposed else ()
        prepack = getattr(ops.quantized, f"{self._OP_}{self._PLACES_}d_prepack")
        self._packed_params = prepack(w, b, self.stride, padding, *more, self.dilation, self.groups)

    def _weight_bias(self) -> Any:
        return getattr(ops.quantized, f"{self._OP_}{self._PLACES_}d_unpack")(self._packed_params)

    def weight(self) -> Any:
        """The quantized weight: ``[out_channels, in_channels / groups, …]``, or transposed."""
        return self._weight_bias()[0]

    def bias(self) -> Any:
        """The bias ``[out_channels]`` of floats, or None."""
        return self._weight_bias()[1]

    def forward(self, input: Any) -> Any:
        """The quantized convolution of quantized images. Raises ValueError for another shape."""
        n = self._PLACES_
        if len(input.shape) != n + 2:
            raise ValueError(f"Input shape must be {_SHAPES[n]}!")
        if self.padding_mode != "zeros":
            around = [p for p in reversed(self.padding[:n]) for _ in range(2)]
            input = nn.functional.pad(input, around, mode=self.padding_mode)
        convolve = getattr(ops.quantized, f"{self._OP_}{n}d{self._KIND_}")
        return convolve(input, self._packed_params, self.scale, self.zero_point)

    def extra_repr(self) -> str:
        """Sizes, scale and zero point, and what is not the default."""
        text = (
            "{in_channels}, {out_channels}, kernel_size={kernel_size}, stride={stride}, "
            "scale={scale}, zero_point={zero_point}"
        )
        n = self._PLACES_
        if self.padding != (0,) * n:
            text += ", padding={padding}"
        if self.dilation != (1,) * n:
            text += ", dilation={dilation}"
        if self.output_padding != (0,) * n:
            text += ", output_padding={output_padding}"
        if self.groups != 1:
            text += ", groups={groups}"
        if self.bias() is None:
            text += ", bias=False"
        return text.format(**self.__dict__)

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        weight, bias = self._weight_bias()
        destination[prefix + "weight"], destination[prefix + "bias"] = weight, bias
        destination[prefix + "scale"] = torch.tensor(self.scale)
        destination[prefix + "zero_point"] = torch.tensor(self.zero_point)

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool, *rest: Any
    ) -> None:
        self.set_weight_bias(state_dict.pop(prefix + "weight"), state_dict.pop(prefix + "bias"))
        self.scale = float(state_dict.pop(prefix + "scale"))
        self.zero_point = int(state_dict.pop(prefix + "zero_point"))
        super()._load_from_state_dict(state_dict, prefix, local_metadata, False, *rest)

    _FACTS_ = (
        *("in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation"),
        *("transposed", "output_padding", "groups", "padding_mode"),
    )

    def __getstate__(self) -> tuple[Any, ...]:
        facts = [getattr(self, name) for name in self._FACTS_]
        return *facts, *self._weight_bias(), self.scale, self.zero_point, self.training

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        *facts, weight, bias, self.scale, self.zero_point, self.training = state
        for name, value in zip(self._FACTS_, facts, strict=True):
            setattr(self, name, value)
        self.set_weight_bias(weight, bias)

    def __deepcopy__(self, memo: Any) -> Any:
        made = type(self).__new__(type(self))
        nn.Module.__init__(made)
        made.__setstate__(self.__getstate__())
        return made

    def __copy__(self) -> Any:
        return self.__deepcopy__({})

    @classmethod
    def get_qconv(
        cls, mod: Any, activation_post_process: Any, weight_post_process: Any = None
    ) -> Any:
        """The quantized convolution of one of floats, by what observed its output and weight."""
        if weight_post_process is None:
            weight_post_process = mod.qconfig.weight()
        weight_post_process(mod.weight)
        if weight_post_process.dtype != torch.qint8:
            raise AssertionError(
                f"Weight observer must have a dtype of qint8, got {weight_post_process.dtype}"
            )
        made = cls._like_(mod)
        made.set_weight_bias(_quantize_weight(mod.weight.float(), weight_post_process), mod.bias)
        if activation_post_process is not None and activation_post_process.dtype != torch.float:
            scale, zero_point = activation_post_process.calculate_qparams()
            made.scale, made.zero_point = float(scale), int(zero_point)
        return made

    @classmethod
    def _like_(cls, mod: Any) -> Any:
        """A convolution with the parameters of one of floats."""
        how = mod.kernel_size, mod.stride, mod.padding, mod.dilation, mod.groups
        sizes = mod.in_channels, mod.out_channels
        return cls(*sizes, *how, mod.bias is not None, mod.padding_mode)

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Any:
        """The quantized convolution of one of floats that was observed.

        Raises AssertionError for another module, or one without ``qconfig``.
        """
        if hasattr(mod, "weight_fake_quant"):
            if type(mod) is cls._NNIQAT_CONV_BN_MODULE:
                bn = mod.bn
                statistics = bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
                mod.weight, mod.bias = fuse_conv_bn_weights(mod.weight, mod.bias, *statistics)
            if not hasattr(mod, "activation_post_process"):
                raise AssertionError("Input QAT module must have observer attached")
            return cls.get_qconv(mod, mod.activation_post_process, mod.weight_fake_quant)
        if type(mod) is not cls._FLOAT_MODULE:
            raise AssertionError(
                f"nnq.{cls.__name__}.from_float only works for {cls._FLOAT_MODULE.__name__} but "
                f"got: {type(mod).__name__}"
            )
        if not hasattr(mod, "qconfig"):
            raise AssertionError("Input float module must have qconfig defined.")
        observer = getattr(mod, "activation_post_process", None)
        if type(mod) is cls._NNI_CONV_RELU_MODULE:
            mod = mod[0]
        return cls.get_qconv(mod, observer, mod.qconfig.weight())

    @classmethod
    def from_reference(cls, ref_qconv: Any, output_scale: float, output_zero_point: int) -> Any:
        """The quantized convolution of one that rounds floats."""
        made = cls._like_(ref_qconv)
        made.set_weight_bias(ref_qconv.get_quantized_weight(), ref_qconv.bias)
        made.scale, made.zero_point = float(output_scale), int(output_zero_point)
        return made


class Conv1d(_ConvNd):
    """A convolution over quantized sequences ``[N, C, L]``."""

    _PLACES_ = 1
    _FLOAT_MODULE = nn.Conv1d
    _NNIQAT_CONV_BN_MODULE = conv_fused.ConvBn1d
    _NNI_CONV_RELU_MODULE = fused.ConvReLU1d


class Conv2d(_ConvNd):
    """A convolution over quantized images ``[N, C, H, W]``."""

    _PLACES_ = 2
    _FLOAT_MODULE = nn.Conv2d
    _NNIQAT_CONV_BN_MODULE = conv_fused.ConvBn2d
    _NNI_CONV_RELU_MODULE = fused.ConvReLU2d
    _NNI_CONV_ADD_MODULE = fused.ConvAdd2d
    _NNI_CONV_ADD_RELU_MODULE = fused.ConvAddReLU2d


class Conv3d(_ConvNd):
    """A convolution over quantized volumes ``[N, C, D, H, W]``."""

    _PLACES_ = 3
    _FLOAT_MODULE = nn.Conv3d
    _NNIQAT_CONV_BN_MODULE = conv_fused.ConvBn3d
    _NNI_CONV_RELU_MODULE = fused.ConvReLU3d


class _ConvTransposeNd(_ConvNd):
    """What transposed convolutions share. Raises ValueError for a ``padding_mode``."""

    _OP_ = "conv_transpose"

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        nn.Module.__init__(self)
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        self._init(
            *(in_channels, out_channels, kernel_size, stride, padding, dilation),
            *(True, output_padding, groups, bias, padding_mode, device),
        )

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Any:
        """The quantized transposed convolution of one of floats that was observed.

        Raises AssertionError for another module, one without ``qconfig``, and for an observer of
        channels.
        """
        kind = cls._FLOAT_MODULE.__name__
        if type(mod) is not cls._FLOAT_MODULE:
            raise AssertionError(f" nnq.{cls.__name__}.from_float only works for {kind}")
        if not hasattr(mod, "qconfig"):
            raise AssertionError("Input float module must have qconfig defined.")
        observer = mod.qconfig.weight()
        if observer.qscheme in (torch.per_channel_symmetric, torch.per_channel_affine):
            raise AssertionError(
                "Per channel weight observer is not supported yet for ConvTranspose{n}d."
            )
        return cls.get_qconv(mod, mod.activation_post_process, observer)

    @classmethod
    def from_reference(cls, ref_qconvt: Any, output_scale: float, output_zero_point: int) -> Any:
        """The quantized transposed convolution of one that rounds floats."""
        return super().from_reference(ref_qconvt, output_scale, output_zero_point)

    @classmethod
    def _like_(cls, mod: Any) -> Any:
        how = mod.kernel_size, mod.stride, mod.padding, mod.output_padding, mod.groups
        sizes = mod.in_channels, mod.out_channels
        return cls(*sizes, *how, mod.bias is not None, mod.dilation, mod.padding_mode)


class ConvTranspose1d(_ConvTransposeNd):
    """A transposed convolution over quantized sequences ``[N, C, L]``."""

    _PLACES_ = 1
    _FLOAT_MODULE = nn.ConvTranspose1d


class ConvTranspose2d(_ConvTransposeNd):
    """A transposed convolution over quantized images ``[N, C, H, W]``."""

    _PLACES_ = 2
    _FLOAT_MODULE = nn.ConvTranspose2d


class ConvTranspose3d(_ConvTransposeNd):
    """A transposed convolution over quantized volumes ``[N, C, D, H, W]``."""

    _PLACES_ = 3
    _FLOAT_MODULE = nn.ConvTranspose3d


offer_listed(globals())
