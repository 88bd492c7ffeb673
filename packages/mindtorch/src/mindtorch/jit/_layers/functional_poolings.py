"""Poolings of ``torch.nn.functional``."""

from __future__ import annotations

from ..._ops import ops
from ...tensor import Tensor
from ..internal import BroadcastingList1, BroadcastingList2, BroadcastingList3
from . import home
from .boolean_dispatch import dispatched

aten = ops.aten


def _list_with_default(out_size: list[int], defaults: list[int]) -> list[int]:
    if len(defaults) <= len(out_size):
        raise ValueError(f"Input dimension should be at least {len(out_size) + 1}")
    return out_size


def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: BroadcastingList1[int] | None = None,
    padding: BroadcastingList1[int] = 0,
    dilation: BroadcastingList1[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:
    if stride is None:
        none: list[int] = []
        stride = none
    return aten.max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


def _max_pool1d(
    input: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: BroadcastingList1[int] | None = None,
    padding: BroadcastingList1[int] = 0,
    dilation: BroadcastingList1[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    if stride is None:
        none: list[int] = []
        stride = none
    return aten.max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool2d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: BroadcastingList2[int] | None = None,
    padding: BroadcastingList2[int] = 0,
    dilation: BroadcastingList2[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:
    if stride is None:
        none: list[int] = []
        stride = none
    return aten.max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


def _max_pool2d(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: BroadcastingList2[int] | None = None,
    padding: BroadcastingList2[int] = 0,
    dilation: BroadcastingList2[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    if stride is None:
        none: list[int] = []
        stride = none
    return aten.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool3d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: BroadcastingList3[int] | None = None,
    padding: BroadcastingList3[int] = 0,
    dilation: BroadcastingList3[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:
    if stride is None:
        none: list[int] = []
        stride = none
    return aten.max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


def _max_pool3d(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: BroadcastingList3[int] | None = None,
    padding: BroadcastingList3[int] = 0,
    dilation: BroadcastingList3[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    if stride is None:
        none: list[int] = []
        stride = none
    return aten.max_pool3d(input, kernel_size, stride, padding, dilation, ceil_mode)


max_pool1d = dispatched("max_pool1d", "return_indices", 6, max_pool1d_with_indices, _max_pool1d)
max_pool2d = dispatched("max_pool2d", "return_indices", 6, max_pool2d_with_indices, _max_pool2d)
max_pool3d = dispatched("max_pool3d", "return_indices", 6, max_pool3d_with_indices, _max_pool3d)


def adaptive_max_pool1d_with_indices(
    input: Tensor, output_size: BroadcastingList1[int], return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    return aten.adaptive_max_pool1d(input, output_size)


def _adaptive_max_pool1d(
    input: Tensor, output_size: BroadcastingList1[int], return_indices: bool = False
) -> Tensor:
    return aten.adaptive_max_pool1d(input, output_size)[0]


def adaptive_max_pool2d_with_indices(
    input: Tensor, output_size: BroadcastingList2[int], return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    return aten.adaptive_max_pool2d(input, _list_with_default(output_size, input.size()))


def _adaptive_max_pool2d(
    input: Tensor, output_size: BroadcastingList2[int], return_indices: bool = False
) -> Tensor:
    return aten.adaptive_max_pool2d(input, _list_with_default(output_size, input.size()))[0]


def adaptive_max_pool3d_with_indices(
    input: Tensor, output_size: BroadcastingList3[int], return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    return aten.adaptive_max_pool3d(input, _list_with_default(output_size, input.size()))


def _adaptive_max_pool3d(
    input: Tensor, output_size: BroadcastingList3[int], return_indices: bool = False
) -> Tensor:
    return aten.adaptive_max_pool3d(input, _list_with_default(output_size, input.size()))[0]


adaptive_max_pool1d = dispatched(
    "adaptive_max_pool1d",
    "return_indices",
    2,
    adaptive_max_pool1d_with_indices,
    _adaptive_max_pool1d,
)
adaptive_max_pool2d = dispatched(
    "adaptive_max_pool2d",
    "return_indices",
    2,
    adaptive_max_pool2d_with_indices,
    _adaptive_max_pool2d,
)
adaptive_max_pool3d = dispatched(
    "adaptive_max_pool3d",
    "return_indices",
    2,
    adaptive_max_pool3d_with_indices,
    _adaptive_max_pool3d,
)


def adaptive_avg_pool2d(input: Tensor, output_size: BroadcastingList2[int]) -> Tensor:
    return aten.adaptive_avg_pool2d(input, _list_with_default(output_size, input.size()))


def adaptive_avg_pool3d(input: Tensor, output_size: BroadcastingList3[int]) -> Tensor:
    return aten.adaptive_avg_pool3d(input, _list_with_default(output_size, input.size()))


def lp_pool1d(
    input: Tensor,
    norm_type: float,
    kernel_size: int,
    stride: BroadcastingList1[int] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    if stride is not None:
        out = aten.avg_pool1d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    else:
        out = aten.avg_pool1d(input.pow(norm_type), kernel_size, padding=0, ceil_mode=ceil_mode)
    return (aten.sign(out) * aten.relu(aten.abs(out))).mul(kernel_size).pow(1.0 / norm_type)


def lp_pool2d(
    input: Tensor,
    norm_type: float,
    kernel_size: BroadcastingList2[int],
    stride: BroadcastingList2[int] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    count = kernel_size[0] * kernel_size[1]
    if stride is not None:
        out = aten.avg_pool2d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    else:
        out = aten.avg_pool2d(input.pow(norm_type), kernel_size, padding=0, ceil_mode=ceil_mode)
    return (aten.sign(out) * aten.relu(aten.abs(out))).mul(count).pow(1.0 / norm_type)


def lp_pool3d(
    input: Tensor,
    norm_type: float,
    kernel_size: BroadcastingList3[int],
    stride: BroadcastingList3[int] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    count = kernel_size[0] * kernel_size[1] * kernel_size[2]
    if stride is not None:
        out = aten.avg_pool3d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    else:
        out = aten.avg_pool3d(input.pow(norm_type), kernel_size, padding=0, ceil_mode=ceil_mode)
    return (aten.sign(out) * aten.relu(aten.abs(out))).mul(count).pow(1.0 / norm_type)


def _unpool_output_size(
    input: Tensor,
    kernel_size: list[int],
    stride: list[int],
    padding: list[int],
    output_size: list[int] | None,
) -> list[int]:
    n = len(kernel_size)
    usual: list[int] = []
    for d in range(n):
        size = input.size(d - n)
        usual.append((size - 1) * stride[d] + kernel_size[d] - 2 * padding[d])
    if output_size is None:
        return usual
    if len(output_size) == n + 2:
        output_size = output_size[2:]
    if len(output_size) != n:
        raise ValueError(
            f"output_size should be a sequence containing {n} or {n + 2} elements, but it has a "
            f"length of '{len(output_size)}'"
        )
    for d in range(n):
        least = usual[d] - stride[d]
        most = usual[d] + stride[d]
        if not (least < output_size[d] and output_size[d] < most):
            raise ValueError(
                f'invalid output_size "{output_size}" (dim {d} must be between {least} and {most})'
            )
    return output_size


def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: BroadcastingList1[int] | None = None,
    padding: BroadcastingList1[int] = 0,
    output_size: BroadcastingList1[int] | None = None,
) -> Tensor:
    if stride is None:
        stride = kernel_size
    size = _unpool_output_size(input, kernel_size, stride, padding, output_size)
    found = aten.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), size + [1])
    return found.squeeze(-1)


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: BroadcastingList2[int] | None = None,
    padding: BroadcastingList2[int] = 0,
    output_size: BroadcastingList2[int] | None = None,
) -> Tensor:
    if stride is None:
        stride = kernel_size
    size = _unpool_output_size(input, kernel_size, stride, padding, output_size)
    return aten.max_unpool2d(input, indices, size)


def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: BroadcastingList3[int] | None = None,
    padding: BroadcastingList3[int] = 0,
    output_size: BroadcastingList3[int] | None = None,
) -> Tensor:
    if stride is None:
        stride = kernel_size
    size = _unpool_output_size(input, kernel_size, stride, padding, output_size)
    return aten.max_unpool3d(input, indices, size, stride, padding)


home("torch.nn.functional", globals())
