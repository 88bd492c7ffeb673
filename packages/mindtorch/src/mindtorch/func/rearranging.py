"""``torch.func.rearrange``: dimensions moved, split and joined as a pattern of names says."""

from __future__ import annotations

import math
from typing import Any

from ..aten import torch
from ..core.module_names import living_in
from .rearrange_pattern import (
    ParsedExpression,
    ellipsis,
    parse_pattern,
    validate_rearrange_expressions,
)

__all__ = ["DimensionBindError", "rearrange"]

#: An axis of a pattern: the names that are joined in it, none for an axis of size one.
Axis = tuple[str, ...]


class DimensionBindError(Exception):
    """The sizes of a tensor do not fit the names they are bound to."""

    __module__ = "functorch.dim"


def rearrange(tensor: Any | list[Any] | tuple[Any, ...], pattern: str, **axes_lengths: int) -> Any:
    """Move, split and join dimensions: ``rearrange(x, "b (h w) c -> b c h w", h=4)``.

    :param tensor: a tensor, or several that are stacked first.
    :param pattern: names of dimensions before and after; parentheses join, ``...`` is any number
        of dimensions, ``1`` one of size one.
    :param axes_lengths: sizes of names that are joined on the left.

    Raises ValueError for a pattern that makes no sense.
    """

    if not isinstance(tensor, torch.Tensor):
        tensor = torch.stack(tuple(tensor))
    parsed = parse_pattern(pattern, axes_lengths)
    validate_rearrange_expressions(*parsed, axes_lengths)
    left, right = (_axes(side) for side in parsed)
    shape = _split(tensor, left, axes_lengths)
    split = tensor.reshape([n for sizes in shape.values() for n in sizes])
    places: dict[str, list[int]] = {}
    at = 0
    for name, sizes in shape.items():
        places[name] = list(range(at, at + len(sizes)))
        at += len(sizes)
    order = [place for axis in right for name in axis for place in places[name]]
    ones = [place for name in places if name.isdigit() for place in places[name]]
    moved = split.permute(order + ones)
    return moved.reshape([size for axis in right for size in _joined(axis, shape)])


def _axes(side: ParsedExpression) -> list[Axis]:
    """The axes that one side of a pattern names."""
    return [tuple(map(str, axis)) for axis in side.composition]


def _joined(axis: Axis, shape: dict[str, list[int]]) -> list[int]:
    """The sizes that an *axis* of the result has: several for a bare ellipsis."""
    if axis == (ellipsis,):
        return shape[ellipsis]
    return [math.prod(n for name in axis for n in shape[name])]


def _split(tensor: Any, left: list[Axis], given: dict[str, int]) -> dict[str, list[int]]:
    """The sizes behind every name on the left, in order; axes of size one have numbers as names."""
    count, ndim = len(left), tensor.dim()
    if (ellipsis,) in left:
        rest = ndim - (count - 1)
        if rest < 0:
            raise ValueError(
                f"Number of dimensions in pattern ({count - 1}) must be less than or equal to the "
                f"number of dimensions in the tensor ({ndim})"
            )
    elif count != ndim:
        raise ValueError(
            f"Number of dimensions in pattern ({count}) must be equal to the number of dimensions "
            f"in the tensor ({ndim})"
        )
    found: dict[str, list[int]] = {}
    sizes = iter(tensor.shape)
    for i, axis in enumerate(left):
        if axis == (ellipsis,):
            found[ellipsis] = [next(sizes) for _ in range(rest)]
        else:
            lengths = given if axis else {str(i): 1}
            found |= _divided(axis or (str(i),), next(sizes), lengths, sum(map(len, left[:i])))
    return found


def _divided(names: Axis, size: int, given: dict[str, int], before: int) -> dict[str, list[int]]:
    """The sizes of the names that are joined in a dimension of *size*; one may be inferred.

    :param before: how many names there are before these.
    """
    unknown = [name for name in names if name not in given]
    known = math.prod(given[name] for name in names if name in given)
    if len(names) == 1 and unknown:
        return {names[0]: [size]}
    if len(unknown) > 1:
        places = [f"d{before + names.index(name)}" for name in unknown]
        raise DimensionBindError(
            "cannot infer the sizes of two dimensions at once " + " and ".join(places)
        )
    if unknown and size % known:
        shown = tuple("?" if name in unknown else given[name] for name in names)
        raise DimensionBindError(
            f"inferred dimension does not evenly fit into larger dimension: {size} vs {shown}"
        )
    if not unknown and known != size:
        pack = ", ".join(f"d{before + i}" for i in range(len(names)))
        raise DimensionBindError(
            f"Dimension sizes to do not match ({size} != {known}) when matching dimension pack "
            f"({pack})"
        )
    return {name: [given.get(name, size // max(known, 1))] for name in names}


living_in("mindtorch.func", rearrange)
