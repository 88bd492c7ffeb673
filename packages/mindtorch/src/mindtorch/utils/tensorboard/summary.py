"""Summaries: the messages that TensorBoard reads."""

from __future__ import annotations

import json
import logging
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

from ...aten.torch import (
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
from ...aten.torch import bool as torch_bool
from ...core.module_names import adopt
from . import _pictures
from ._convert_np import make_np
from ._pictures import _calc_scale_factor as _calc_scale_factor
from ._pictures import _draw_single_box as _draw_single_box
from ._pictures import draw_boxes, image, image_boxes, make_image, make_video, video

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


def _of_plugin(plugin: str, tag: str, message: TensorProto, content: bytes = b"") -> Summary:
    """The summary of a tensor, which a *plugin* of TensorBoard shows."""
    told = SummaryMetadata.PluginData(plugin_name=plugin, content=content)
    meta = SummaryMetadata(plugin_data=told)
    return Summary(value=[Summary.Value(tag=tag, metadata=meta, tensor=message)])


def _shape(sizes: Any) -> TensorShapeProto:
    return TensorShapeProto(dim=[TensorShapeProto.Dim(size=n) for n in sizes])


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

    hparam_domain_discrete = hparam_domain_discrete or {}
    for given, name in (
        (hparam_dict, "hparam_dict"),
        (metric_dict, "metric_dict"),
        (hparam_domain_discrete, "hparam_domain_discrete"),
    ):
        if not isinstance(given, dict):
            text = f"parameter: {name} should be a dictionary, nothing logged."
            if given is not hparam_domain_discrete:  # of this torch only raises
                logger.warning(text)
            raise TypeError(text)
    for k, domain in hparam_domain_discrete.items():
        fits = k in hparam_dict and isinstance(domain, list)
        if not fits or any(not isinstance(d, type(hparam_dict[k])) for d in domain):
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
        return _of_plugin("scalars", name, message)
    return Summary(value=[Summary.Value(tag=name, simple_value=value)])


def tensor_proto(tag: str, tensor: Tensor) -> Summary:
    """A tensor as it is. Raises ValueError for one that is too large or of another type."""
    if tensor.numel() * tensor.itemsize >= (1 << 31):
        raise ValueError("tensor is bigger than protocol buffer's hard limit of 2GB in size")
    if tensor.dtype not in _TENSOR_TYPE_MAP:
        raise ValueError(f"{tag} has unsupported tensor dtype {tensor.dtype}")
    dtype, field, conversion_fn = _TENSOR_TYPE_MAP[tensor.dtype]
    values = {field: conversion_fn(tensor)}
    message = TensorProto(dtype=dtype, tensor_shape=_shape(tensor.shape), **values)
    return _of_plugin("tensor", tag, message)


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
    counts, limits = np.histogram(values.reshape(-1), bins=bins)
    together = 1 if max_bins is None else max(1, len(counts) // max_bins)
    if together > 1:
        missing = -len(counts) % together
        counts = np.append(counts, np.zeros(missing, counts.dtype))
        counts = counts.reshape(-1, together).sum(axis=1)
        limits = np.append(limits[:-1:together], limits[-1])
    filled = np.flatnonzero(counts)
    # One empty class stays before the first that is not, as TensorFlow has it.
    first, behind = (filled[0], filled[-1] + 1) if filled.size else (len(counts), 1)
    counts = counts[first - 1 : behind] if first else np.append([0], counts[:behind])
    limits = limits[first : behind + 1]
    if not counts.size or not limits.size:
        raise ValueError("The histogram is empty, please file a bug report.")
    values = values.reshape(-1)
    return HistogramProto(
        bucket=counts.tolist(),
        bucket_limit=limits.tolist(),
        num=values.size,
        min=values.min(),
        max=values.max(),
        sum=values.sum(),
        sum_squares=values @ values,
    )


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
    layout_bytes = [whole.SerializeToString()]
    message = TensorProto(dtype="DT_STRING", string_val=layout_bytes, tensor_shape=_shape(()))
    return _of_plugin("custom_scalars", "custom_scalars__config__", message)


def text(tag: str, text: str) -> Summary:
    """A text, which may be Markdown."""
    content = TextPluginData(version=0).SerializeToString()
    words = [text.encode("utf_8")]
    message = TensorProto(dtype="DT_STRING", string_val=words, tensor_shape=_shape((1,)))
    return _of_plugin("text", f"{tag}/text_summary", message, content)


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
    message = TensorProto(
        dtype="DT_FLOAT", float_val=data.reshape(-1).tolist(), tensor_shape=_shape(data.shape)
    )
    return _of_plugin("pr_curves", tag, message, content)


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
        tensor_shape=_shape(array.shape),
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


adopt(__name__, _pictures)
