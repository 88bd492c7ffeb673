"""The ops of torchvision's compiled library, in Python on the public API.

``torch.ops.load_library`` imports this module in the place of ``torchvision/_C.so``, which speaks
to torch's C++. ``nms``, ``roi_align`` and ``roi_pool`` are computed here; the other ops have their
schemas, so that torchvision can be imported, and calling one raises NotImplementedError.
"""

from __future__ import annotations

import math

from .._ops import ops
from ..aten import torch
from ..aten.torch import Tensor
from ..library import Library

__all__ = ["define"]

_ROI = "Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width"
_SIZE = "SymInt batch_size, SymInt channels, SymInt height, SymInt width"
_DEFORMED = (
    "Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, SymInt stride_h, "
    "SymInt stride_w, SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, "
    "SymInt groups, SymInt offset_groups, bool use_mask"
)
SCHEMAS = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    f"roi_align(Tensor input, {_ROI}, int sampling_ratio, bool aligned) -> Tensor",
    f"_roi_align_backward(Tensor grad, {_ROI}, {_SIZE}, int sampling_ratio, bool aligned) "
    "-> Tensor",
    "qroi_align(Tensor input, Tensor rois, float input_scale, int input_zero_point, "
    "float rois_scale, int rois_zero_point, float spatial_scale, SymInt pooled_height, "
    "SymInt pooled_width, int sampling_ratio, bool aligned) -> Tensor",
    f"roi_pool(Tensor input, {_ROI}) -> (Tensor, Tensor)",
    "_roi_pool_backward(Tensor grad, Tensor rois, Tensor argmax, float spatial_scale, "
    f"SymInt pooled_height, SymInt pooled_width, {_SIZE}) -> Tensor",
    f"ps_roi_align(Tensor input, {_ROI}, int sampling_ratio) -> (Tensor, Tensor)",
    "_ps_roi_align_backward(Tensor grad, Tensor rois, Tensor channel_mapping, "
    "float spatial_scale, SymInt pooled_height, SymInt pooled_width, int sampling_ratio, "
    f"{_SIZE}) -> Tensor",
    f"ps_roi_pool(Tensor input, {_ROI}) -> (Tensor, Tensor)",
    "_ps_roi_pool_backward(Tensor grad, Tensor rois, Tensor channel_mapping, "
    f"float spatial_scale, SymInt pooled_height, SymInt pooled_width, {_SIZE}) -> Tensor",
    f"deform_conv2d({_DEFORMED}) -> Tensor",
    f"_deform_conv2d_backward(Tensor grad, {_DEFORMED}) "
    "-> (Tensor, Tensor, Tensor, Tensor, Tensor)",
    "box_iou_rotated(Tensor boxes1, Tensor boxes2) -> Tensor",
    "_cuda_version() -> int",
)


def nms(dets: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """The indices of boxes to keep, best first: none overlaps a better one too much.

    :param dets: boxes ``[n, 4]`` as left, top, right, bottom.
    :param scores: ``[n]``.
    :param iou_threshold: of intersection over union; a box above it is left out.
    """
    if dets.dim() != 2:
        raise RuntimeError(f"boxes should be a 2d tensor, got {dets.dim()}D")
    if dets.size(1) != 4:
        raise RuntimeError(f"boxes should have 4 elements in dimension 1, got {dets.size(1)}")
    if scores.dim() != 1:
        raise RuntimeError(f"scores should be a 1d tensor, got {scores.dim()}D")
    if dets.size(0) != scores.size(0):
        raise RuntimeError(
            "boxes and scores should have same number of elements in dimension 0, got "
            f"{dets.size(0)} and {scores.size(0)}"
        )
    boxes = dets.detach().cpu().numpy()
    order = scores.detach().argsort(stable=True, dim=0, descending=True).cpu().numpy()
    left, top, right, bottom = boxes.T
    areas = (right - left) * (bottom - top)
    kept = []
    while order.size:
        best, order = order[0], order[1:]
        kept.append(int(best))
        width = (right[best].clip(max=right[order]) - left[best].clip(min=left[order])).clip(min=0)
        height = (bottom[best].clip(max=bottom[order]) - top[best].clip(min=top[order])).clip(min=0)
        shared = width * height
        order = order[~(shared / (areas[best] + areas[order] - shared) > iou_threshold)]
    return torch.tensor(kept, dtype=torch.int64, device=dets.device)


def _weights(start: float, length: float, bins: int, samples: int, size: int) -> Tensor:
    """How much each of *size* places counts in each of *bins*: the mean of bilinear samples."""
    count = samples if samples > 0 else math.ceil(length / bins)
    found = torch.zeros(bins, size, dtype=torch.float64)
    for b in range(bins):
        for s in range(count):
            at = start + (b + (s + 0.5) / count) * length / bins
            if at < -1.0 or at > size:
                continue
            at = max(at, 0.0)
            low = int(at)
            if low >= size - 1:
                found[b, size - 1] += 1.0
            else:
                found[b, low] += 1.0 - (at - low)
                found[b, low + 1] += at - low
    return found / max(count, 1)


def _regions(
    rois: Tensor,
    scale: float,
    pooled: tuple[int, int],
    size: tuple[int, int],
    samples: int,
    aligned: bool,
) -> list[tuple[int, Tensor, Tensor]]:
    """Per region: which image, and the weights of its rows and columns."""
    found = []
    shift = 0.5 if aligned else 0.0
    for image, x1, y1, x2, y2 in rois.detach().cpu().double().tolist():
        x, y = x1 * scale - shift, y1 * scale - shift
        width, height = x2 * scale - shift - x, y2 * scale - shift - y
        if not aligned:
            width, height = max(width, 1.0), max(height, 1.0)
        rows = _weights(y, height, pooled[0], samples, size[0])
        columns = _weights(x, width, pooled[1], samples, size[1])
        found.append((int(image), rows.to(rois), columns.to(rois)))
    return found


def roi_align(
    input: Tensor,
    rois: Tensor,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    sampling_ratio: int,
    aligned: bool,
) -> Tensor:
    """Means of bilinear samples in each bin of each region: ``[regions, channels, bins…]``."""
    if rois.size(1) != 5:
        raise RuntimeError("rois must have shape as Tensor[K, 5]")
    pooled = (pooled_height, pooled_width)
    out = input.new_zeros((rois.size(0), input.size(1), *pooled))
    size = (input.size(2), input.size(3))
    regions = _regions(rois, spatial_scale, pooled, size, sampling_ratio, aligned)
    for i, (image, rows, columns) in enumerate(regions):
        out[i] = rows.to(input) @ input[image] @ columns.to(input).T
    return out


def _roi_align_backward(
    grad: Tensor,
    rois: Tensor,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    batch_size: int,
    channels: int,
    height: int,
    width: int,
    sampling_ratio: int,
    aligned: bool,
) -> Tensor:
    """The gradient of :func:`roi_align` with respect to its input."""
    out = grad.new_zeros((batch_size, channels, height, width))
    pooled = (pooled_height, pooled_width)
    regions = _regions(rois, spatial_scale, pooled, (height, width), sampling_ratio, aligned)
    for i, (image, rows, columns) in enumerate(regions):
        out[image] += rows.to(grad).T @ grad[i] @ columns.to(grad)
    return out


def roi_pool(
    input: Tensor, rois: Tensor, spatial_scale: float, pooled_height: int, pooled_width: int
) -> tuple[Tensor, Tensor]:
    """The largest element in each bin of each region, and where it lies in its image (int32)."""
    channels, height, width = input.shape[1:]
    shape = (rois.size(0), channels, pooled_height, pooled_width)
    out, where = input.new_zeros(shape), torch.full(shape, -1, dtype=torch.int32)
    flat = input.flatten(2)
    for i, (image, *box) in enumerate(rois.detach().cpu().tolist()):
        x1, y1, x2, y2 = (math.floor(each * spatial_scale + 0.5) for each in box)
        tall, wide = max(y2 - y1 + 1, 1) / pooled_height, max(x2 - x1 + 1, 1) / pooled_width
        for h in range(pooled_height):
            top = min(max(math.floor(h * tall) + y1, 0), height)
            bottom = min(max(math.ceil((h + 1) * tall) + y1, 0), height)
            for w in range(pooled_width):
                left = min(max(math.floor(w * wide) + x1, 0), width)
                right = min(max(math.ceil((w + 1) * wide) + x1, 0), width)
                if bottom <= top or right <= left:
                    continue
                cells = torch.arange(height * width).view(height, width)
                cells = cells[top:bottom, left:right].reshape(-1)
                best = flat[int(image)][:, cells].max(1)
                out[i, :, h, w] = best.values
                where[i, :, h, w] = cells[best.indices].to(torch.int32)
    return out, where.to(input.device)


def _roi_pool_backward(
    grad: Tensor,
    rois: Tensor,
    argmax: Tensor,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    batch_size: int,
    channels: int,
    height: int,
    width: int,
) -> Tensor:
    """The gradient of :func:`roi_pool` with respect to its input."""
    out = grad.new_zeros((batch_size, channels, height * width))
    for i, image in enumerate(rois[:, 0].long().tolist()):
        index = argmax[i].flatten(1).long()
        out[image].scatter_add_(1, index.clamp(min=0), grad[i].flatten(1) * (index >= 0))
    return out.view(batch_size, channels, height, width)


def _cuda_version() -> int:
    """-1: built without CUDA."""
    return -1


def define() -> None:
    """Register the ops; those that a program has defined by itself stay as they are."""
    library = Library("torchvision", "FRAGMENT")
    for schema in SCHEMAS:
        name = schema.partition("(")[0]
        if hasattr(ops.torchvision, name):
            continue
        library.define(schema)
        kernel = globals().get(name)
        if kernel is not None:
            key = "CompositeExplicitAutograd" if name == "_cuda_version" else "CPU"
            library.impl(name, kernel, key)
            if key == "CPU":
                library.impl(name, kernel, "PrivateUse1")
    _kept.append(library)


#: A library's registrations end with it.
_kept: list[Library] = []
