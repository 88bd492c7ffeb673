"""``torch.onnx._internal.exporter._dynamic_shapes``: sizes that vary, and what they are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from inspect import Parameter, signature
from typing import Any

from ....export.dynamic_shapes import Dim
from ....tensor import Tensor
from ._graph import Graph

__all__ = ["from_axes", "name_inputs", "name_outputs", "name_sizes"]


def _parameters(model: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[str]:
    """The names of the parameters that *args* and *kwargs* are for; of several, with numbers."""
    found = []
    for name, parameter in signature(model.forward).parameters.items():
        if parameter.kind is Parameter.VAR_POSITIONAL:
            found += [f"{name}_{i}" for i in range(len(args) - len(found))]
        elif len(found) < len(args):
            found.append(name)
    return [*found[: len(args)], *kwargs]


def _mapped(value: Any, names: Iterator[str], axes: Mapping[str, Any]) -> Any:
    """For each tensor in *value* which of its sizes vary."""
    if isinstance(value, Tensor):
        found = axes.get(next(names, ""))
        return None if found is None else dict.fromkeys(found, Dim.AUTO)
    if isinstance(value, Mapping):
        return {key: _mapped(v, names, axes) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_mapped(v, names, axes) for v in value]
    return None


def from_axes(
    model: Any,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    axes: Mapping[str, Any],
    input_names: Sequence[str] | None,
) -> Any:
    """What ``dynamic_axes`` say of inputs by name, as ``dynamic_shapes``.

    :param input_names: names of the tensors among the arguments; those of parameters without it.
    """
    own = _parameters(model, args, kwargs)
    values = [*args, *kwargs.values()]
    said: list[Any] = []
    names = iter(input_names or ())
    for name, value in zip(own, values, strict=True):
        source = names if input_names else iter([name])
        said.append(_mapped(value, source, axes))
    return dict(zip(own, said, strict=True)) if kwargs else tuple(said)


def _specified(value: Any, said: Any) -> Iterator[Any]:
    """What is said of each tensor in *value*."""
    if isinstance(value, Tensor):
        yield said
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _specified(part, said.get(key) if isinstance(said, Mapping) else None)
    elif isinstance(value, (list, tuple)):
        for i, part in enumerate(value):
            known = isinstance(said, (list, tuple)) and i < len(said)
            yield from _specified(part, said[i] if known else None)


def name_sizes(
    graph: Graph, model: Any, args: Sequence[Any], kwargs: Mapping[str, Any], shapes: Any
) -> None:
    """Call sizes of the inputs what *shapes* call them: a ``Dim`` or text has a name."""
    if not shapes or not hasattr(model, "forward"):
        return
    own = _parameters(model, args, kwargs)
    if not isinstance(shapes, Mapping):
        shapes = dict(zip(own, shapes, strict=False)) if isinstance(shapes, Sequence) else {}
    values = zip(own, [*args, *kwargs.values()], strict=True)
    said = [s for name, value in values for s in _specified(value, shapes.get(name))]
    for value, spec in zip(graph.inputs, said, strict=False):
        items = spec.items() if isinstance(spec, Mapping) else enumerate(spec or ())
        for axis, dim in items:
            name = dim if isinstance(dim, str) else getattr(dim, "__name__", "")
            size = (value.shape or ())[axis]
            if name.isidentifier() and not isinstance(size, int):
                graph.symbols.setdefault(str(size), name)


def axes_names(name: str, said: Any) -> dict[int, str]:
    """The names of one value's sizes in ``dynamic_axes``."""
    if isinstance(said, Mapping):
        return dict(said)
    return {axis: f"{name}_dynamic_axes_{i + 1}" for i, axis in enumerate(said)}


def name_inputs(graph: Graph, axes: Mapping[str, Any]) -> None:
    """Call sizes of the inputs what ``dynamic_axes`` call them."""
    for value in graph.inputs:
        for axis, name in axes_names(value.name, axes.get(value.name, {})).items():
            size = (value.shape or ())[axis]
            if not isinstance(size, int):
                graph.symbols.setdefault(str(size), name)


def name_outputs(graph: Graph, axes: Mapping[str, Any]) -> None:
    """Call sizes of the outputs what ``dynamic_axes`` call them, whatever they are."""
    for value in graph.outputs:
        sizes = list(value.shape or ())
        for axis, name in axes_names(value.name, axes.get(value.name, {})).items():
            sizes[axis] = name
        value.shape = tuple(sizes)
