"""Bags of embeddings, and functions of images, of ``torch.nn.functional``."""

from __future__ import annotations

from mindtorch_autograd import no_grad

from ..._ops import ops
from ...aten import torch
from ...core.warning import warn
from ...tensor import Tensor
from ..internal import BroadcastingList2
from . import home

aten = ops.aten


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    if weight.dtype == torch.long and input.is_floating_point():
        warn(
            "Argument order of nn.functional.embedding_bag was changed. Usage "
            "`embedding_bag(weight, input, ...)` is deprecated, and should now be "
            "`embedding_bag(input, weight, ...)`.",
        )
        input, weight = weight, input
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch "
                "of fixed length sequences"
            )
        offsets = aten.arange(
            0, input.numel(), input.size(1), dtype=input.dtype, device=input.device
        )
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    elif input.dim() == 1:
        if offsets is None:
            raise ValueError("offsets has to be a 1D Tensor but got None")
    else:
        raise ValueError(
            f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}"
        )
    if mode == "sum":
        number = 0
    elif mode == "mean":
        number = 1
    elif mode == "max":
        number = 2
    else:
        raise ValueError("mode has to be one of sum, mean or max")
    if max_norm is not None:
        with no_grad():
            aten.embedding_renorm_(weight.detach(), input, max_norm, norm_type)
    found = aten.embedding_bag(
        weight, input, offsets, scale_grad_by_freq, number, sparse, per_sample_weights,
        include_last_offset, padding_idx,
    )  # fmt: skip
    return found[0]


def pad(
    input: Tensor, pad: list[int], mode: str = "constant", value: float | None = None
) -> Tensor:
    return aten.pad(input, pad, mode, value)


def fold(
    input: Tensor,
    output_size: BroadcastingList2[int],
    kernel_size: BroadcastingList2[int],
    dilation: BroadcastingList2[int] = 1,
    padding: BroadcastingList2[int] = 0,
    stride: BroadcastingList2[int] = 1,
) -> Tensor:
    return aten.col2im(input, output_size, kernel_size, dilation, padding, stride)


def unfold(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    dilation: BroadcastingList2[int] = 1,
    padding: BroadcastingList2[int] = 0,
    stride: BroadcastingList2[int] = 1,
) -> Tensor:
    return aten.im2col(input, kernel_size, dilation, padding, stride)


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    if mode == "bilinear":
        mode_number = 0
    elif mode == "nearest":
        mode_number = 1
    else:
        mode_number = 2
    if padding_mode == "zeros":
        padding_number = 0
    elif padding_mode == "border":
        padding_number = 1
    else:
        padding_number = 2
    if align_corners is None:
        align_corners = False
    return aten.grid_sampler(input, grid, mode_number, padding_number, align_corners)


def affine_grid(theta: Tensor, size: list[int], align_corners: bool | None = None) -> Tensor:
    if align_corners is None:
        align_corners = False
    return aten.affine_grid_generator(theta, size, align_corners)


home("torch.nn.functional", globals())
