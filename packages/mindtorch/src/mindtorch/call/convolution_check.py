"""What convolutions refuse: sizes first, then what the kernel that torch would take refuses.

torch hands a convolution to oneDNN or to loops of its own, and each has its own texts. Which one
it takes depends on dtype and sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from mindtorch.call.elementwise_meta import BOOL, COMPLEX, INTEGRAL, UNSIGNED, refuse
from mindtorch.core.dims import scalar_name, type_string
from mindtorch.core.errors import c_type_name

__all__ = ["check_kernel", "check_same_type", "check_sizes", "expanded", "named_sizes"]


def expanded(values: Sequence[int], n: int) -> tuple[int, ...]:
    return tuple(values) * n if len(values) == 1 else tuple(values)


def _check_list(name: str, values: Sequence[int], n: int) -> None:
    if len(values) != 1 and len(values) != n:
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {n} values to match the "
            f"convolution dimensions, but got {name}={list(values)}"
        )


def check_sizes(
    input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any,
    transposed: bool, output_padding: Any, groups: int,
) -> None:  # fmt: skip
    shape, kernel = list(input.shape), list(weight.shape)
    n = len(kernel) - 2
    if n <= 0:
        raise RuntimeError("weight should have at least three dimensions")
    for name, values in (
        ("stride", stride), ("padding", padding), ("dilation", dilation),
        ("output_padding", output_padding),
    ):  # fmt: skip
        _check_list(name, values, n)
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if any(p < 0 for p in padding):
        raise RuntimeError("negative padding is not supported")
    if any(p < 0 for p in output_padding):
        raise RuntimeError("negative output_padding is not supported")
    if any(s <= 0 for s in stride):
        raise RuntimeError("non-positive stride is not supported")
    if any(d < 0 for d in dilation):
        raise RuntimeError("dilation should be greater than zero")
    if len(shape) != len(kernel):
        raise RuntimeError(
            f"Expected {len(kernel)}-dimensional input for {len(kernel)}-dimensional weight "
            f"{kernel}, but got {len(shape)}-dimensional input of size {shape} instead"
        )
    if kernel[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, "
            f"but got weight of size {kernel} instead"
        )
    if kernel[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension "
            f"0, but got weight of size [{kernel}] instead"
        )
    if transposed:
        if shape[1] != kernel[0]:
            raise RuntimeError(
                f"Given transposed={int(transposed)}, weight of size {kernel}, expected "
                f"input{shape} to have {kernel[0]} channels, but got {shape[1]} channels instead"
            )
        _check_bias(kernel, bias, kernel[1] * groups, f"Given transposed={int(transposed)}, ")
        return
    if shape[1] != kernel[1] * groups:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {kernel}, expected input{shape} to have "
            f"{kernel[1] * groups} channels, but got {shape[1]} channels instead"
        )
    _check_bias(kernel, bias, kernel[0], "Given ")
    pads, dils = expanded(padding, n), expanded(dilation, n)
    have = [s + 2 * p for s, p in zip(shape[2:], pads, strict=True)]
    need = [d * (k - 1) + 1 for k, d in zip(kernel[2:], dils, strict=True)]
    if any(h < k for h, k in zip(have, need, strict=True)):
        raise RuntimeError(
            f"Calculated padded input size per channel: ({' x '.join(map(str, have))}). "
            f"Kernel size: ({' x '.join(map(str, need))}). "
            "Kernel size can't be greater than actual input size"
        )


def _check_bias(kernel: list[int], bias: Any, size: int, given: str) -> None:
    if bias is not None and (len(bias.shape) != 1 or bias.shape[0] != size):
        raise RuntimeError(
            f"{given}weight of size {kernel}, expected bias to be 1-dimensional with {size} "
            f"elements, but got bias of size {list(bias.shape)} instead"
        )


#: What most of the kernels lack that are not oneDNN's.
_SLOW = (INTEGRAL | BOOL | COMPLEX) - {"int64"}


def check_same_type(input: Any, weight: Any, bias: Any, tail: str = "") -> None:
    """Input and parameters have one dtype. Source: Convolution.cpp, check_input_same_type_as…"""
    for name, parameter in (("weight", weight), ("bias", bias)):
        if parameter is not None and type_string(parameter) != type_string(input):
            raise RuntimeError(
                f"Input type ({type_string(input)}) and {name} type ({type_string(parameter)}) "
                f"should be the same{tail and tail.format(name)}"
            )


def _takes_onednn(input: Any, weight: Any, groups: int, unusual: bool) -> bool:
    """Source: torch aten/src/ATen/native/Convolution.cpp, ConvParams::use_mkldnn."""
    if input.dtype.name in ("float16", "bfloat16"):
        return not unusual
    shape, kernel = input.shape, weight.shape
    wide = len(kernel) > 3 and kernel[-1] > 3 and kernel[-2] > 3
    large = groups > 1 or wide or shape[0] > 1 or prod(shape[:4]) > 20480
    return input.dtype.name == "float32" and large and not unusual


def check_kernel(
    input: Any, weight: Any, bias: Any, stride: Sequence[int], dilation: Sequence[int],
    transposed: bool, output_padding: Sequence[int], groups: int, shape: Sequence[int],
) -> None:  # fmt: skip
    """What the kernel refuses; *shape* is that of the result. All lists have full length."""
    if 0 in input.shape[:2]:
        return
    unusual = transposed and any(
        o >= s and o >= d for o, s, d in zip(output_padding, stride, dilation, strict=True)
    )
    if _takes_onednn(input, weight, groups, unusual):
        check_same_type(
            input, weight, bias,
            " or input should be a MKLDNN tensor and {} is a dense tensor",
        )  # fmt: skip
        if 0 in dilation:
            raise RuntimeError("non-positive dilation is not supported")
        if transposed and any(s <= 0 for s in shape[2:]):
            raise RuntimeError("could not construct a memory descriptor using a format tag")
        return
    if 0 in dilation:
        sizes = list(dilation) if len(dilation) > 1 else [1, *dilation]
        raise RuntimeError(f"dilation should be greater than zero, but got {sizes}")
    if unusual:
        raise RuntimeError(
            "output padding must be smaller than either stride or dilation, but got "
            + named_sizes(output_padding=output_padding, stride=stride, dilation=dilation)
        )
    if transposed and any(s <= 0 for s in shape[2:]):
        raise RuntimeError(
            f"Given input size per channel: ({' x '.join(map(str, input.shape[2:]))}). "
            f"Calculated output size per channel: ({' x '.join(map(str, shape[2:]))}). "
            "Output size is too small"
        )
    flat = len(weight.shape) < 5
    if transposed:
        name = f"slow_conv_transpose{'2' if flat else '3'}d_out_cpu"
        refused = _SLOW
    elif any(d != 1 for d in dilation):
        name, refused = "slow_conv_dilated<>", _SLOW
    else:
        name, refused = (
            "slow_conv2d_cpu" if flat else "compute_columns3d",
            BOOL | UNSIGNED | COMPLEX,
        )
    refuse(input.dtype, {name: refused}, input)
    if weight.dtype is not input.dtype:
        raise RuntimeError(
            f"expected scalar type {scalar_name(input.dtype)} but found {scalar_name(weight.dtype)}"
        )
    if bias is not None and bias.dtype is not input.dtype:
        raise RuntimeError(
            f"Input type ({c_type_name(input.dtype)}) and bias type "
            f"({c_type_name(bias.dtype)}) should be the same"
        )


def named_sizes(**lists: Sequence[int]) -> str:
    """``stride_height: 1 stride_width: 2``; one spatial dim is seen as the width of a row."""
    out = []
    for name, values in lists.items():
        if len(values) == 1:
            values = (0 if name == "output_padding" else 1, *values)
        parts = ("depth", "height", "width")[-len(values) :]
        out += [f"{name}_{part}: {v}" for part, v in zip(parts, values, strict=True)]
    return " ".join(out)
