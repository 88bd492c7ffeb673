"""Views of quantized tensors: windows on the same integers, and what becomes of channels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mindtorch_storage.layout import wrap_dim

from ...backends.views import build_view
from ...call.dispatch_entry import OVERLOADS
from ...call.overload import Overload, inplace_overload
from ...call.row import copy_name
from ...core.constants import contiguous_format
from ...core.errors import strides_of_channels
from ...tensor.quantizer import PerChannel, PerTensor, Quantizer, quantizer_of, set_quantizer
from .kernels import quantized

__all__: list[str] = []

#: From the quantizer of channels and the arguments of a view to the quantizer of its result.
Rule = Callable[..., Quantizer]
_RULES: dict[str, Rule] = {}


def _rule_of(*names: str) -> Callable[[Rule], Rule]:
    """A decorator: what becomes of the channels in the views *names*."""

    def register(rule: Rule) -> Rule:
        _RULES.update(dict.fromkeys(names, rule))
        return rule

    return register


@_rule_of("alias", "detach", "view", "_reshape_alias")
def _kept(channels: PerChannel, base: Any, *args: Any) -> Quantizer:
    """The axis keeps its number, whatever the sizes are."""
    return channels


@_rule_of("as_strided", "diagonal", "expand")
@_rule_of("permute", "t", "unfold")
def _refused(channels: PerChannel, base: Any, *args: Any) -> Quantizer:
    """Nothing: the places along the axis are no window on those of the base."""
    raise strides_of_channels()


def _moved(channels: PerChannel, by: int) -> Quantizer:
    return PerChannel(channels.scales, channels.zero_points, channels.axis + by)


def _of_one(channels: PerChannel, at: int) -> Quantizer:
    place = channels.zero_points[at]
    return PerTensor(float(channels.scales[at]), int(place))


@_rule_of("select.int")
def _selected(channels: PerChannel, base: Any, dim: int, index: int) -> Quantizer:
    if wrap_dim(dim, base.dim()) == channels.axis:
        return _of_one(channels, index)
    return _moved(channels, -1)


@_rule_of("slice.Tensor")
def _sliced(
    channels: PerChannel, base: Any, dim: int, start: Any, end: Any, step: int
) -> Quantizer:
    if wrap_dim(dim, base.dim()) != channels.axis:
        return channels
    part = slice(start, end, step)
    scales, places = channels.scales[part], channels.zero_points[part]
    if scales.size == 1:
        return PerTensor(float(scales[0]), int(places[0]))
    return PerChannel(scales, places, channels.axis)


@_rule_of("unsqueeze")
def _unsqueezed(channels: PerChannel, base: Any, dim: int) -> Quantizer:
    return _moved(channels, int(wrap_dim(dim, base.dim() + 1) <= channels.axis))


@_rule_of("squeeze", "squeeze.dim", "squeeze.dims")
def _squeezed(channels: PerChannel, base: Any, *dims: Any) -> Quantizer:
    shape = base.shape
    listed: Iterable[int] = range(len(shape))
    if dims:
        listed = dims[0] if isinstance(dims[0], tuple | list) else dims
    given = [wrap_dim(d, len(shape)) for d in listed]
    gone = [d for d in given if shape[d] == 1]
    if channels.axis in gone:
        raise RuntimeError(
            "Squeeze is only possible on non-axis dimension for Per-Channel Quantized Tensors."
        )
    return _moved(channels, -sum(d < channels.axis for d in gone))


@_rule_of("transpose.int")
def _crossed(channels: PerChannel, base: Any, dim0: int, dim1: int) -> Quantizer:
    n = base.dim()
    if wrap_dim(dim0, n) == wrap_dim(dim1, n):
        return channels
    return _refused(channels, base)


def _viewing(overload: Overload, rule: Rule) -> Callable[..., Any]:
    def kernel(base: Any, *args: Any) -> Any:
        quantizer = quantizer_of(base)
        channels = isinstance(quantizer, PerChannel)
        if channels:
            quantizer = rule(quantizer, base, *args)
        made = build_view(overload, base._sig_)(base, *args)
        if channels:
            set_quantizer(made, quantizer)
        return made

    return kernel


def _copying(view: Callable[..., Any]) -> Callable[..., Any]:
    return lambda base, *args: view(base, *args).clone(memory_format=contiguous_format)


for _name, _rule in _RULES.items():
    _row = OVERLOADS[f"aten::{_name}"].row
    _view = _viewing(OVERLOADS[f"aten::{_name}"], _rule)
    quantized.register(_name, _view, forms=False)
    if _row.copies is not None:
        quantized.register(copy_name(_name), _copying(_view), forms=False)
    if _row.inplace:
        _form = inplace_overload(_row)
        _changing = OVERLOADS[f"aten::{_row.base}_{'.' * bool(_form)}{_form}"]
        quantized.put(_changing, _viewing(_changing, _rule))


# -- several parts --------------------------------------------------------------------------------


@quantized("split_with_sizes", forms=False)
def _split_with_sizes(self: Any, split_sizes: Any, dim: int) -> Any:
    made = build_view(OVERLOADS["aten::split_with_sizes"], self._sig_)(self, split_sizes, dim)
    return _parts(self, made, dim, split_sizes)


@quantized("split.Tensor", forms=False)
def _split(self: Any, split_size: int, dim: int) -> Any:
    made = build_view(OVERLOADS["aten::split.Tensor"], self._sig_)(self, split_size, dim)
    return _parts(self, made, dim, [part.shape[dim] for part in made])


def _parts(self: Any, made: Any, dim: int, sizes: Any) -> Any:
    """The views *made* of *self*, each with the channels that it has."""
    quantizer = quantizer_of(self)
    if isinstance(quantizer, PerChannel):
        start = 0
        for part, size in zip(made, sizes, strict=True):
            set_quantizer(part, _sliced(quantizer, self, dim, start, start + size, 1))
            start += size
    return made


@quantized("unbind.int", forms=False)
def _unbind(self: Any, dim: int) -> Any:
    made = build_view(OVERLOADS["aten::unbind.int"], self._sig_)(self, dim)
    quantizer = quantizer_of(self)
    if isinstance(quantizer, PerChannel):
        for i, part in enumerate(made):
            set_quantizer(part, _selected(quantizer, self, dim, i))
    return made


quantized.register("_unsafe_view", _viewing(OVERLOADS["aten::view"], _kept), forms=False)
