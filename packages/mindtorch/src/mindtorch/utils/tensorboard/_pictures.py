"""Summaries of images and films."""

from __future__ import annotations

import logging
import os
from typing import Any

import numpy as np
from tensorboard.compat.proto.summary_pb2 import Summary

from ._convert_np import make_np
from ._utils import _prepare_video, convert_to_HWC

__all__ = ["draw_boxes", "image", "image_boxes", "make_image", "make_video", "video"]

logger = logging.getLogger(__name__)


def _calc_scale_factor(tensor: Any) -> int:
    """What the values of an image are multiplied with."""
    converted = tensor.numpy() if not isinstance(tensor, np.ndarray) else tensor
    return 1 if converted.dtype == np.uint8 else 255


def _draw_single_box(
    image: Any,
    xmin: Any,
    ymin: Any,
    xmax: Any,
    ymax: Any,
    display_str: Any,
    color: str = "black",
    color_text: str = "black",
    thickness: int = 2,
) -> Any:
    from PIL import ImageDraw, ImageFont

    font = ImageFont.load_default()
    draw = ImageDraw.Draw(image)
    left, right, top, bottom = xmin, xmax, ymin, ymax
    draw.line(
        [(left, top), (left, bottom), (right, bottom), (right, top), (left, top)],
        width=thickness,
        fill=color,
    )
    if display_str:
        x0, y0, x1, y1 = font.getbbox(display_str)
        width, height = x1 - x0, y1 - y0
        margin = np.ceil(0.05 * height)
        draw.rectangle([(left, bottom - height - 2 * margin), (left + width, bottom)], fill=color)
        place = (left + margin, bottom - height - margin)
        draw.text(place, display_str, fill=color_text, font=font)
    return image


def image(tag: str, tensor: Any, rescale: float = 1, dataformats: str = "NCHW") -> Summary:
    """An image; numbers that are no bytes are from 0 to 1."""
    pixels = convert_to_HWC(make_np(tensor), dataformats)
    scaled = pixels.astype(np.float32) * _calc_scale_factor(pixels)
    made = make_image(scaled.clip(0, 255).astype(np.uint8), rescale=rescale)
    return Summary(value=[Summary.Value(tag=tag, image=made)])


def image_boxes(
    tag: str,
    tensor_image: Any,
    tensor_boxes: Any,
    rescale: float = 1,
    dataformats: str = "CHW",
    labels: Any = None,
) -> Summary:
    """An image with boxes on it."""
    tensor_image = convert_to_HWC(make_np(tensor_image), dataformats)
    tensor_boxes = make_np(tensor_boxes)
    tensor_image = tensor_image.astype(np.float32) * _calc_scale_factor(tensor_image)
    tensor_image = tensor_image.clip(0, 255).astype(np.uint8)
    made = make_image(tensor_image, rescale=rescale, rois=tensor_boxes, labels=labels)
    return Summary(value=[Summary.Value(tag=tag, image=made)])


def draw_boxes(disp_image: Any, boxes: Any, labels: Any = None) -> Any:
    """Draw boxes, each given by left, top, right and bottom."""
    for i in range(boxes.shape[0]):
        disp_image = _draw_single_box(
            disp_image,
            boxes[i, 0],
            boxes[i, 1],
            boxes[i, 2],
            boxes[i, 3],
            display_str=None if labels is None else labels[i],
            color="Red",
        )
    return disp_image


def make_image(tensor: Any, rescale: float = 1, rois: Any = None, labels: Any = None) -> Any:
    """An array of bytes (height, width, channels) as the message of a PNG image."""
    import io

    from PIL import Image

    height, width, channel = tensor.shape
    picture = Image.fromarray(tensor)
    if rois is not None:
        picture = draw_boxes(picture, rois, labels=labels)
    size = (int(width * rescale), int(height * rescale))
    picture = picture.resize(size, Image.Resampling.LANCZOS)
    output = io.BytesIO()
    picture.save(output, format="PNG")
    return Summary.Image(
        height=height,
        width=width,
        colorspace=channel,
        encoded_image_string=output.getvalue(),
    )


def video(tag: str, tensor: Any, fps: float = 4) -> Summary:
    """A film: number, time, channels, height, width."""
    tensor = _prepare_video(make_np(tensor))
    scale_factor = _calc_scale_factor(tensor)
    tensor = (tensor.astype(np.float32) * scale_factor).clip(0, 255).astype(np.uint8)
    made = make_video(tensor, fps)
    return Summary(value=[Summary.Value(tag=tag, image=made)])


def make_video(tensor: Any, fps: float) -> Any:
    """The message of an animated GIF; None where ``moviepy`` is missing, with a note."""
    try:
        import moviepy  # noqa: F401  # only whether it is there
    except ImportError:
        print("add_video needs package moviepy")
        return None
    try:
        from moviepy import editor as mpy
    except ImportError:
        import moviepy as mpy
    import tempfile

    _, h, w, c = tensor.shape
    clip = mpy.ImageSequenceClip(list(tensor), fps=fps)
    with tempfile.NamedTemporaryFile(suffix=".gif", delete=False) as file:
        filename = file.name
    clip.write_gif(filename, logger=None)
    with open(filename, "rb") as found:
        data = found.read()
    try:
        os.remove(filename)
    except OSError:
        logger.warning("The temporary file used by moviepy cannot be deleted.")
    return Summary.Image(height=h, width=w, colorspace=c, encoded_image_string=data)
