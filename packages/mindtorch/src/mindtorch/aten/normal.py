"""Normal numbers by mean and standard deviation."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ..call.elementwise_meta import broadcast_shapes
from ..call.forms import OutForm, made
from ..call.row import Out, op
from .options import OPTIONS, check_size, dtype_or_default
from .random_sampling import Drawing, Target, by_place, check_normal, draw_normal, fresh, target_of
from .randomness import SEEDED, Array
from .reflected import zeros_of
from .tangent_rules import of_what_is_drawn


def _check_stds(std: Array) -> None:
    if std.size and not np.minimum.reduce(std, None) >= 0:  # of nan it is nan
        raise RuntimeError("normal expects all elements of std >= 0.0")


def _normal_mean(target: Target, mean: Array, std: float) -> Callable[..., Array]:
    draw = draw_normal(target, 0.0, std)
    return lambda mean, std, generator: draw(generator) + mean


def _normal_std(target: Target, mean: float, std: Array) -> Callable[..., Array]:
    draw, shift = draw_normal(target), np.array(mean, target.dtype.np)

    def kernel(mean: float, std: Array, generator: Any) -> Array:
        _check_stds(std)
        return draw(generator) * std + shift

    return kernel


def _normal_both(target: Target, mean: Array, std: Array) -> Callable[..., Array]:
    draw = draw_normal(target)

    def kernel(mean: Array, std: Array, generator: Any) -> Array:
        _check_stds(std)
        return draw(generator) * std + mean

    return kernel


def _normal_shape(given: Any, mean: Any, std: Any) -> tuple[int, ...]:
    """The shape of the result; *given* is that of ``out``, with which only a mean broadcasts."""
    shapes = [tuple(x.shape) for x in (mean, std) if hasattr(x, "shape")]
    if given is not None and not hasattr(std, "shape"):
        shapes.append(given)
    return broadcast_shapes(*shapes)


def _check_real_std(std: Any) -> None:
    if hasattr(std, "shape") and std.dtype.is_complex and std.device.type != "meta":
        raise RuntimeError("normal expects standard deviation to be non-complex")


def _normal_meta(mean: Any, std: Any, generator: Any) -> Out:
    _check_real_std(std)
    x = mean if hasattr(mean, "shape") else std
    shape = _normal_shape(None, mean, std)
    check_normal(x.dtype, 1.0 if hasattr(std, "shape") else std, x.device, prod(shape))
    return Out(shape, x.dtype)


def _normal_out_meta(target: Any, mean: Any, std: Any, generator: Any) -> Out:
    _check_real_std(std)
    # Of numbers that are drawn nowhere torch only asks for the shape of the functional form.
    given = None if target.device.type == "meta" else tuple(target.shape)
    shape = _normal_shape(given, mean, std)
    spread = 1.0 if hasattr(std, "shape") else std
    check_normal(target.dtype, spread, target.device, prod(shape))
    return Out(shape, target.dtype)


for _schema, _draw, _grad, _out, _says in (
    (
        "normal.Tensor_float(Tensor mean, float std=1, *, Generator? generator=None) -> Tensor",
        _normal_mean,
        {"mean": lambda g, c: zeros_of(g, c.mean.shape)},
        "Tensor_float_out",
        "Draw normal random numbers with the given means and standard deviations.",
    ),
    (
        "normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor",
        _normal_std,
        {"std": lambda g, c: zeros_of(g, c.std.shape)},
        "float_Tensor_out",
        "Draw normal random numbers with the given means and standard deviations.",
    ),
    (
        "normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor",
        _normal_both,
        {
            "mean": lambda g, c: zeros_of(g, c.mean.shape),
            "std": lambda g, c: zeros_of(g, c.std.shape),
        },
        "Tensor_Tensor_out",
        "Draw normal random numbers with the given means and standard deviations.",
    ),
):
    op(
        _schema,
        says=_says,
        meta=_normal_meta,
        prepare=lambda mean, std, generator, draw=_draw: draw(
            fresh(
                np.broadcast_shapes(np.shape(mean), np.shape(std)),
                mean if isinstance(mean, np.ndarray) else std,
            ),
            mean,
            std,
        ),
        grad=_grad,
        node={"normal.Tensor_float": 1, "normal.float_Tensor": 2}.get(_schema.partition("(")[0], 3),
        tangent=of_what_is_drawn("std" if "float mean" in _schema else "mean"),
        half=False,
        variants="function",
        random=True,
        out=OutForm(_out, meta="any", overlap="whole"),
        out_meta=_normal_out_meta,
        out_kernel=lambda target, *args, draw=_draw: draw(target_of(target), *args[:-1])(*args),
        samples="normal",
        tags=SEEDED,
    )


def _normal_size_meta(
    mean: float,
    std: float,
    size: Any,
    generator: Any,
    dtype: Any,
    layout: Any,
    device: Any,
    pin: Any,
) -> Out:
    found = dtype_or_default(dtype)
    out = Out(check_size(size, found.itemsize), found)
    check_normal(found, std, device, prod(out.shape))
    return out


def _normal_size(mean: float, std: float, size: Any, dtype: Any, *rest: Any) -> Drawing:
    return draw_normal(Target(tuple(size), dtype_or_default(dtype)), mean, std)


op(
    "normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, "
    f"{OPTIONS}) -> Tensor",
    meta=_normal_size_meta,
    prepare=by_place(_normal_size, 3),
    half=False,
    variants="function",
    random=True,
    out=made("float_float_out", once=True),
    out_kernel=lambda target, mean, std, size, gen, *rest: draw_normal(
        target_of(target), mean, std
    )(gen),
    samples="normal_size",
    tags=(*SEEDED, "out_has_no_formula"),
)
