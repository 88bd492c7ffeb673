"""Summaries: the messages that TensorBoard reads."""

from __future__ import annotations

import json
import logging
import os
import struct
from typing import Any

import numpy as np
from google.protobuf import struct_pb2
from tensorboard.compat.proto.summary_pb2 import HistogramProto, Summary, SummaryMetadata
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.pr_curve.plugin_data_pb2 import PrCurvePluginData
from tensorboard.plugins.text.plugin_data_pb2 import TextPluginData

from ... import (
    Tensor,
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    view_as_real,
)
from ... import (
    bool as torch_bool,
)
from ._convert_np import make_np
from ._utils import _prepare_video, convert_to_HWC

__all__ = [
    "half_to_int",
    "int_to_half",
    "hparams",
    "scalar",
    "histogram_raw",
    "histogram",
    "make_histogram",
    "image",
    "image_boxes",
    "draw_boxes",
    "make_image",
    "video",
    "make_video",
    "audio",
    "custom_scalars",
    "text",
    "tensor_proto",
    "pr_curve_raw",
    "pr_curve",
    "compute_curve",
    "mesh",
]

logger = logging.getLogger(__name__)


def half_to_int(f: float) -> int:
    """The bits of a half-precision float, as TensorFlow's messages have them."""
    buf = struct.pack("f", f)
    return int(struct.unpack("i", buf)[0])


def int_to_half(i: int) -> float:
    """The inverse."""
    buf = struct.pack("i", i)
    return float(struct.unpack("f", buf)[0])


def _tensor_to_half_val(t: Tensor) -> list[int]:
    return [half_to_int(x) for x in t.flatten().tolist()]


def _tensor_to_complex_val(t: Tensor) -> list[float]:
    return view_as_real(t).flatten().tolist()


def _tensor_to_list(t: Tensor) -> list[Any]:
    return t.flatten().tolist()


#: dtype -> TensorFlow's name, the field of the message, and how the values are written.
_TENSOR_TYPE_MAP: dict[Any, Any] = {
    float16: ("DT_HALF", "half_val", _tensor_to_half_val),
    bfloat16: ("DT_BFLOAT16", "half_val", _tensor_to_half_val),
    float32: ("DT_FLOAT", "float_val", _tensor_to_list),
    float64: ("DT_DOUBLE", "double_val", _tensor_to_list),
    int8: ("DT_INT8", "int_val", _tensor_to_list),
    uint8: ("DT_UINT8", "uint32_val", _tensor_to_list),
    int16: ("DT_INT16", "int_val", _tensor_to_list),
    int32: ("DT_INT32", "int_val", _tensor_to_list),
    int64: ("DT_INT64", "int64_val", _tensor_to_list),
    complex64: ("DT_COMPLEX64", "scomplex_val", _tensor_to_complex_val),
    complex128: ("DT_COMPLEX128", "dcomplex_val", _tensor_to_complex_val),
    torch_bool: ("DT_BOOL", "bool_val", _tensor_to_list),
}


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


def hparams(
    hparam_dict: Any = None, metric_dict: Any = None, hparam_domain_discrete: Any = None
) -> tuple[Summary, Summary, Summary]:
    """The parameters of an experiment: what there is, one run's values, and its end."""
    from tensorboard.plugins.hparams.api_pb2 import (
        DataType,
        Experiment,
        HParamInfo,
        MetricInfo,
        MetricName,
        Status,
    )
    from tensorboard.plugins.hparams.metadata import (
        EXPERIMENT_TAG,
        PLUGIN_DATA_VERSION,
        PLUGIN_NAME,
        SESSION_END_INFO_TAG,
        SESSION_START_INFO_TAG,
    )
    from tensorboard.plugins.hparams.plugin_data_pb2 import (
        HParamsPluginData,
        SessionEndInfo,
        SessionStartInfo,
    )

    if not isinstance(hparam_dict, dict):
        logger.warning("parameter: hparam_dict should be a dictionary, nothing logged.")
        raise TypeError("parameter: hparam_dict should be a dictionary, nothing logged.")
    if not isinstance(metric_dict, dict):
        logger.warning("parameter: metric_dict should be a dictionary, nothing logged.")
        raise TypeError("parameter: metric_dict should be a dictionary, nothing logged.")
    hparam_domain_discrete = hparam_domain_discrete or {}
    if not isinstance(hparam_domain_discrete, dict):
        raise TypeError("parameter: hparam_domain_discrete should be a dictionary, nothing logged.")
    for k, v in hparam_domain_discrete.items():
        if (
            k not in hparam_dict
            or not isinstance(v, list)
            or not all(isinstance(d, type(hparam_dict[k])) for d in v)
        ):
            raise TypeError(
                f"parameter: hparam_domain_discrete[{k}] should be a list of same type as "
                f"hparam_dict[{k}]."
            )
    infos = []
    start = SessionStartInfo()
    for k, v in hparam_dict.items():
        if v is None:
            continue
        if isinstance(v, str):
            start.hparams[k].string_value = v
            kind, field = DataType.Value("DATA_TYPE_STRING"), "string_value"
        elif isinstance(v, (int, float)):  # a bool is a number too, as torch has it
            start.hparams[k].number_value = v
            kind, field = DataType.Value("DATA_TYPE_FLOAT64"), "number_value"
        elif isinstance(v, Tensor):
            start.hparams[k].number_value = make_np(v)[0]
            kind, field = DataType.Value("DATA_TYPE_FLOAT64"), "number_value"
        else:
            raise ValueError("value should be one of int, float, str, bool, or torch.Tensor")
        domain = None
        if k in hparam_domain_discrete and not isinstance(v, Tensor):
            values = [struct_pb2.Value(**{field: d}) for d in hparam_domain_discrete[k]]
            domain = struct_pb2.ListValue(values=values)
        infos.append(HParamInfo(name=k, type=kind, domain_discrete=domain))
    metrics = [MetricInfo(name=MetricName(tag=k)) for k in metric_dict]

    def summary(tag: str, content: HParamsPluginData) -> Summary:
        plugin = SummaryMetadata.PluginData(
            plugin_name=PLUGIN_NAME, content=content.SerializeToString()
        )
        return Summary(value=[Summary.Value(tag=tag, metadata=SummaryMetadata(plugin_data=plugin))])

    end = SessionEndInfo(status=Status.Value("STATUS_SUCCESS"))
    version = PLUGIN_DATA_VERSION
    experiment = Experiment(hparam_infos=infos, metric_infos=metrics)
    exp = summary(EXPERIMENT_TAG, HParamsPluginData(experiment=experiment, version=version))
    ssi = summary(
        SESSION_START_INFO_TAG, HParamsPluginData(session_start_info=start, version=version)
    )
    sei = summary(SESSION_END_INFO_TAG, HParamsPluginData(session_end_info=end, version=version))
    return exp, ssi, sei


def scalar(
    name: str,
    tensor: Any,
    collections: Any = None,
    new_style: bool = False,
    double_precision: bool = False,
) -> Summary:
    """A number.

    :param new_style: write it as a tensor, which newer TensorBoards read faster.
    """
    tensor = make_np(tensor).squeeze()
    if tensor.ndim != 0:
        raise AssertionError(
            "Tensor should contain one element (0 dimensions).             "
            f"Was given size: {tensor.size} and {tensor.ndim} dimensions."
        )
    value = float(tensor)
    if new_style:
        message = TensorProto(float_val=[value], dtype="DT_FLOAT")
        if double_precision:
            message = TensorProto(double_val=[value], dtype="DT_DOUBLE")
        plugin = SummaryMetadata.PluginData(plugin_name="scalars")
        meta = SummaryMetadata(plugin_data=plugin)
        return Summary(value=[Summary.Value(tag=name, tensor=message, metadata=meta)])
    return Summary(value=[Summary.Value(tag=name, simple_value=value)])


def tensor_proto(tag: str, tensor: Tensor) -> Summary:
    """A tensor as it is. Raises ValueError for one that is too large or of another type."""
    if tensor.numel() * tensor.itemsize >= (1 << 31):
        raise ValueError("tensor is bigger than protocol buffer's hard limit of 2GB in size")
    if tensor.dtype not in _TENSOR_TYPE_MAP:
        raise ValueError(f"{tag} has unsupported tensor dtype {tensor.dtype}")
    dtype, field, conversion_fn = _TENSOR_TYPE_MAP[tensor.dtype]
    shape = TensorShapeProto(dim=[TensorShapeProto.Dim(size=d) for d in tensor.shape])
    values = {field: conversion_fn(tensor)}
    message = TensorProto(dtype=dtype, tensor_shape=shape, **values)
    plugin = SummaryMetadata.PluginData(plugin_name="tensor")
    meta = SummaryMetadata(plugin_data=plugin)
    return Summary(value=[Summary.Value(tag=tag, metadata=meta, tensor=message)])


def histogram_raw(
    name: str,
    min: float,
    max: float,
    num: int,
    sum: float,
    sum_squares: float,
    bucket_limits: Any,
    bucket_counts: Any,
) -> Summary:
    """A histogram that was counted already."""
    hist = HistogramProto(
        min=min,
        max=max,
        num=num,
        sum=sum,
        sum_squares=sum_squares,
        bucket_limit=bucket_limits,
        bucket=bucket_counts,
    )
    return Summary(value=[Summary.Value(tag=name, histo=hist)])


def histogram(name: str, values: Any, bins: Any, max_bins: int | None = None) -> Summary:
    """The histogram of values."""
    hist = make_histogram(make_np(values).astype(float), bins, max_bins)
    return Summary(value=[Summary.Value(tag=name, histo=hist)])


def make_histogram(values: Any, bins: Any, max_bins: int | None = None) -> HistogramProto:
    """Count *values*; empty classes at the ends are left out."""
    if values.size == 0:
        raise ValueError("The input has no element.")
    values = values.reshape(-1)
    counts, limits = np.histogram(values, bins=bins)
    number = len(counts)
    if max_bins is not None and number > max_bins:
        every = number // max_bins
        over = number % every
        if over != 0:
            counts = np.pad(
                counts, pad_width=[[0, every - over]], mode="constant", constant_values=0
            )
        counts = counts.reshape(-1, every).sum(axis=-1)
        limits_new = np.empty((counts.size + 1,), limits.dtype)
        limits_new[:-1] = limits[:-1:every]
        limits_new[-1] = limits[-1]
        limits = limits_new
    total = np.cumsum(np.greater(counts, 0))
    start, end = np.searchsorted(total, [0, total[-1] - 1], side="right")
    start, end = int(start), int(end) + 1
    # One empty class stays before the first that is not, as TensorFlow has it.
    counts = counts[start - 1 : end] if start > 0 else np.concatenate([[0], counts[:end]])
    limits = limits[start : end + 1]
    if counts.size == 0 or limits.size == 0:
        raise ValueError("The histogram is empty, please file a bug report.")
    return HistogramProto(
        bucket=counts.tolist(),
        bucket_limit=limits.tolist(),
        num=values.size,
        min=values.min(),
        max=values.max(),
        sum=values.sum(),
        sum_squares=values @ values,
    )


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
        import moviepy  # noqa: F401
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


def audio(tag: str, tensor: Any, sample_rate: int = 44100) -> Summary:
    """A sound: numbers from -1 to 1."""
    import io
    import wave

    array = make_np(tensor).squeeze()
    if np.abs(array).max() > 1:
        array = array.clip(-1, 1)
        print("warning: audio amplitude out of range, auto clipped.")
    if array.ndim != 1:
        raise AssertionError("input tensor should be 1 dimensional.")
    array = (array * np.iinfo(np.int16).max).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(sample_rate)
        writer.writeframes(array.data)
    made = Summary.Audio(
        sample_rate=sample_rate,
        num_channels=1,
        length_frames=array.shape[-1],
        encoded_audio_string=file.getvalue(),
        content_type="audio/wav",
    )
    return Summary(value=[Summary.Value(tag=tag, audio=made)])


def custom_scalars(layout: Any) -> Summary:
    """Which numbers stand together: categories of charts of tags."""
    categories = []
    for name, titles in layout.items():
        charts = []
        for title, (kind, tags) in titles.items():
            if kind == "Margin":
                if len(tags) != 3:
                    raise AssertionError("len(tags) != 3")
                content = layout_pb2.MarginChartContent(
                    series=[
                        layout_pb2.MarginChartContent.Series(
                            value=tags[0], lower=tags[1], upper=tags[2]
                        )
                    ]
                )
                charts.append(layout_pb2.Chart(title=title, margin=content))
            else:
                multiline = layout_pb2.MultilineChartContent(tag=tags)
                charts.append(layout_pb2.Chart(title=title, multiline=multiline))
        categories.append(layout_pb2.Category(title=name, chart=charts))
    whole = layout_pb2.Layout(category=categories)
    plugin = SummaryMetadata.PluginData(plugin_name="custom_scalars")
    message = TensorProto(
        dtype="DT_STRING",
        string_val=[whole.SerializeToString()],
        tensor_shape=TensorShapeProto(),
    )
    meta = SummaryMetadata(plugin_data=plugin)
    value = Summary.Value(tag="custom_scalars__config__", tensor=message, metadata=meta)
    return Summary(value=[value])


def text(tag: str, text: str) -> Summary:
    """A text, which may be Markdown."""
    plugin = SummaryMetadata.PluginData(
        plugin_name="text", content=TextPluginData(version=0).SerializeToString()
    )
    message = TensorProto(
        dtype="DT_STRING",
        string_val=[text.encode(encoding="utf_8")],
        tensor_shape=TensorShapeProto(dim=[TensorShapeProto.Dim(size=1)]),
    )
    meta = SummaryMetadata(plugin_data=plugin)
    value = Summary.Value(tag=tag + "/text_summary", metadata=meta, tensor=message)
    return Summary(value=[value])


def pr_curve_raw(
    tag: str,
    tp: Any,
    fp: Any,
    tn: Any,
    fn: Any,
    precision: Any,
    recall: Any,
    num_thresholds: int = 127,
    weights: Any = None,
) -> Summary:
    """Precision and recall that were counted already."""
    num_thresholds = min(num_thresholds, 127)  # TensorBoard shows no more
    data = np.stack((tp, fp, tn, fn, precision, recall))
    return _curve(tag, data, num_thresholds)


def pr_curve(
    tag: str, labels: Any, predictions: Any, num_thresholds: int = 127, weights: Any = None
) -> Summary:
    """Precision and recall of predictions from 0 to 1."""
    num_thresholds = min(num_thresholds, 127)
    data = compute_curve(labels, predictions, num_thresholds=num_thresholds, weights=weights)
    return _curve(tag, data, num_thresholds)


def _curve(tag: str, data: Any, num_thresholds: int) -> Summary:
    content = PrCurvePluginData(version=0, num_thresholds=num_thresholds).SerializeToString()
    plugin = SummaryMetadata.PluginData(plugin_name="pr_curves", content=content)
    dims = [TensorShapeProto.Dim(size=n) for n in data.shape]
    message = TensorProto(
        dtype="DT_FLOAT",
        float_val=data.reshape(-1).tolist(),
        tensor_shape=TensorShapeProto(dim=dims),
    )
    meta = SummaryMetadata(plugin_data=plugin)
    return Summary(value=[Summary.Value(tag=tag, metadata=meta, tensor=message)])


def compute_curve(
    labels: Any, predictions: Any, num_thresholds: int | None = None, weights: Any = None
) -> Any:
    """True and false positives and negatives, precision and recall, at each threshold."""
    smallest = 1e-7
    if weights is None:
        weights = 1.0
    assert num_thresholds is not None
    buckets = np.int32(np.floor(predictions * (num_thresholds - 1)))
    float_labels = labels.astype(np.float64)
    span = (0, num_thresholds - 1)

    def counted(values: Any) -> Any:
        found, _ = np.histogram(buckets, bins=num_thresholds, range=span, weights=values)
        return np.cumsum(found[::-1])[::-1]

    tp = counted(float_labels * weights)
    fp = counted((1.0 - float_labels) * weights)
    tn = fp[0] - fp
    fn = tp[0] - tp
    precision = tp / np.maximum(smallest, tp + fp)
    recall = tp / np.maximum(smallest, tp + fn)
    return np.stack((tp, fp, tn, fn, precision, recall))


def _get_tensor_summary(
    name: str,
    display_name: Any,
    description: Any,
    tensor: Any,
    content_type: Any,
    components: Any,
    json_config: str,
) -> Summary:
    """One part of a mesh."""
    from tensorboard.plugins.mesh import metadata

    array = make_np(tensor)
    message = TensorProto(
        dtype="DT_FLOAT",
        float_val=array.reshape(-1).tolist(),
        tensor_shape=TensorShapeProto(dim=[TensorShapeProto.Dim(size=n) for n in array.shape]),
    )
    meta = metadata.create_summary_metadata(
        name,
        display_name,
        content_type,
        components,
        array.shape,
        description,
        json_config=json_config,
    )
    tag = metadata.get_instance_name(name, content_type)
    return Summary(value=[Summary.Value(tag=tag, tensor=message, metadata=meta)]).value[0]


def _get_json_config(config_dict: Any) -> str:
    return "{}" if config_dict is None else json.dumps(config_dict, sort_keys=True)


def mesh(
    tag: str,
    vertices: Any,
    colors: Any,
    faces: Any,
    config_dict: Any,
    display_name: Any = None,
    description: Any = None,
) -> Summary:
    """A mesh or a cloud of points: number, points, 3."""
    from tensorboard.plugins.mesh import metadata
    from tensorboard.plugins.mesh.plugin_data_pb2 import MeshPluginData

    config = _get_json_config(config_dict)
    tensors = [
        (vertices, MeshPluginData.VERTEX),
        (faces, MeshPluginData.FACE),
        (colors, MeshPluginData.COLOR),
    ]
    tensors = [each for each in tensors if each[0] is not None]
    components = metadata.get_components_bitmask([kind for _, kind in tensors])
    return Summary(
        value=[
            _get_tensor_summary(tag, display_name, description, t, kind, components, config)
            for t, kind in tensors
        ]
    )
