"""Random ops: rand, randn, randint, randperm, normal, and the fills in place."""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np
from mindtorch_storage.dtype import DType, from_numpy, int64

from . import distributions, scalars
from .call import ops
from .drawing import (
    DIGITS,
    Target,
    check_bounds,
    check_integers,
    check_normal,
    check_uniform,
    draw_exponential,
    draw_integers,
    draw_normal,
    draw_uniform,
    fresh,
    generator_or_default,
    limits,
    target_like,
    target_of,
)
from .factory import like
from .meta import BOOL, COMPLEX, UNSIGNED, broadcast_shapes, not_implemented
from .options import INDEX_OPTIONS, OPTIONS, check_size, dtype_or_default, on_meta
from .row import Out, op

Array = np.ndarray[Any, Any]

FORMAT: Final = "MemoryFormat? memory_format=None"
SEEDED: Final = ("nondeterministic_seeded",)

__all__ = ["SEEDED", "fill_row", "same"]

# ------------------------------------------------------------------------- rand, randn


def _float_rows(name: str, draw: Any, check: Any) -> None:
    """``rand`` or ``randn``: by size and like a tensor, with and without a generator."""

    def meta(size: Any, generator: Any, dtype: Any, layout: Any, device: Any, pin: Any) -> Out:
        found = dtype_or_default(dtype)
        out = Out(check_size(size, found.itemsize), found)
        check(found, device, prod(out.shape))
        return out

    def kernel(size: Any, generator: Any, dtype: Any, *rest: Any) -> Array:
        return draw(Target(tuple(size), dtype_or_default(dtype)), generator)  # type: ignore[no-any-return]

    def out_kernel(target: Array, size: Any, generator: Any, *rest: Any) -> Array:
        return draw(target_of(target), generator)  # type: ignore[no-any-return]

    def like_meta(
        self: Any, generator: Any, dtype: Any, layout: Any, device: Any, pin: Any, fmt: Any
    ) -> Out:
        out = like(self, dtype, fmt)
        check(out.dtype, self.device if device is None else device, prod(out.shape))
        return out

    def like_kernel(self: Any, generator: Any, dtype: Any, *rest: Any) -> Array:
        return draw(target_like(self, dtype, rest[-1]), generator)  # type: ignore[no-any-return]

    common: dict[str, Any] = {
        "half": False,
        "variants": "function",
        "random": True,
        "tags": SEEDED,
    }
    op(
        f"{name}(SymInt[] size, *, {OPTIONS}) -> Tensor",
        meta=lambda size, *rest: meta(size, None, *rest),
        kernel=lambda size, *rest: kernel(size, None, *rest),
        out=True,
        out_kernel=lambda target, size, *rest: out_kernel(target, size, None),
        samples="random_sizes",
        **common,
    )
    op(
        f"{name}.generator(SymInt[] size, *, Generator? generator, {OPTIONS}) -> Tensor",
        meta=meta,
        kernel=kernel,
        out="generator_out",
        out_kernel=out_kernel,
        samples="random_sizes_generator",
        **common,
    )
    op(
        f"{name}_like(Tensor self, *, {OPTIONS}, {FORMAT}) -> Tensor",
        meta=lambda self, *rest: like_meta(self, None, *rest),
        kernel=lambda self, *rest: like_kernel(self, None, *rest),
        samples="random_like",
        **common,
    )
    op(
        f"{name}_like.generator(Tensor self, *, Generator? generator, {OPTIONS}, {FORMAT}) "
        "-> Tensor",
        meta=like_meta,
        kernel=like_kernel,
        samples="random_like_generator",
        **common,
    )


_float_rows("rand", draw_uniform, lambda dtype, device, n: check_uniform(dtype, 0.0, 1.0, device))
_float_rows("randn", draw_normal, lambda dtype, device, n: check_normal(dtype, 1.0, device, n))

# ------------------------------------------------------------------------- randint, randperm


def _randint_meta(low: int, high: int, size: Any, generator: Any, dtype: Any, *rest: Any) -> Out:
    found = dtype_or_default(dtype)
    out = Out(check_size(size, found.itemsize), found)
    check_integers(found, low, high)
    return out


def _randint(low: int, high: int, size: Any, generator: Any, dtype: Any, *rest: Any) -> Array:
    return draw_integers(Target(tuple(size), dtype_or_default(dtype)), generator, low, high)


def _randint_out(target: Array, low: int, high: int, size: Any, gen: Any, *rest: Any) -> Array:
    return draw_integers(target_of(target), gen, low, high)


for _schema, _spread in (
    (
        f"randint(SymInt high, SymInt[] size, *, {INDEX_OPTIONS}) -> Tensor",
        lambda high, size, *rest: (0, high, size, None, *rest),
    ),
    (
        f"randint.generator(SymInt high, SymInt[] size, *, Generator? generator, {INDEX_OPTIONS}) "
        "-> Tensor",
        lambda high, *rest: (0, high, *rest),
    ),
    (
        f"randint.low(SymInt low, SymInt high, SymInt[] size, *, {INDEX_OPTIONS}) -> Tensor",
        lambda low, high, size, *rest: (low, high, size, None, *rest),
    ),
    (
        f"randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, "
        f"{INDEX_OPTIONS}) -> Tensor",
        lambda *args: args,
    ),
):
    _overload = _schema[: _schema.index("(")].partition(".")[2]
    op(
        _schema,
        meta=lambda *args, spread=_spread: _randint_meta(*spread(*args)),
        kernel=lambda *args, spread=_spread: _randint(*spread(*args)),
        out_kernel=lambda target, *args, spread=_spread: _randint_out(target, *spread(*args)),
        half=False,
        variants="function",
        random=True,
        tags=SEEDED,
        out=f"{_overload}_out" if _overload else True,
        samples=f"randint_{_overload}" if _overload else "randint",
    )


def _randint_like_meta(
    self: Any,
    low: int,
    high: int,
    generator: Any,
    dtype: Any,
    layout: Any,
    device: Any,
    pin: Any,
    fmt: Any,
) -> Out:
    out = like(self, dtype, fmt)
    check_integers(out.dtype, low, high)
    return out


def _randint_like(self: Any, low: int, high: int, generator: Any, dtype: Any, *rest: Any) -> Array:
    return draw_integers(target_like(self, dtype, rest[-1]), generator, low, high)


for _schema, _spread in (
    (
        f"randint_like(Tensor self, SymInt high, *, {OPTIONS}, {FORMAT}) -> Tensor",
        lambda self, high, *rest: (self, 0, high, None, *rest),
    ),
    (
        f"randint_like.generator(Tensor self, SymInt high, *, Generator? generator, {OPTIONS}, "
        f"{FORMAT}) -> Tensor",
        lambda self, high, *rest: (self, 0, high, *rest),
    ),
    (
        f"randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, {OPTIONS}, {FORMAT}) "
        "-> Tensor",
        lambda self, low, high, *rest: (self, low, high, None, *rest),
    ),
    (
        f"randint_like.low_generator_dtype(Tensor self, SymInt low, SymInt high, *, "
        f"Generator? generator, {OPTIONS}, {FORMAT}) -> Tensor",
        lambda *args: args,
    ),
):
    _overload = _schema[: _schema.index("(")].partition(".")[2]
    op(
        _schema,
        meta=lambda *args, spread=_spread: _randint_like_meta(*spread(*args)),
        kernel=lambda *args, spread=_spread: _randint_like(*spread(*args)),
        half=False,
        variants="function",
        random=True,
        tags=SEEDED,
        samples=f"randint_like_{_overload}" if _overload else "randint_like",
    )


def _randint_like_tensor(self: Any, high: Any, *rest: Any) -> Any:
    names = ("dtype", "layout", "device", "pin_memory", "memory_format")
    options = dict(zip(names, rest[-5:], strict=True))
    if len(rest) == 6:
        options["generator"] = rest[0]
    if high.device.type == self.device.type == "meta":
        return ops.randint_like(self, 1, **options)  # no bound can be read, no number is drawn
    if high.dim() or high.device.type != "cpu":
        raise RuntimeError("high must be a scalar tensor and on CPU")
    return ops.randint_like(self, int(scalars.checked(high.item(), int64)), **options)


for _overload, _generator in (("Tensor", ""), ("Tensor_generator", "Generator? generator, ")):
    op(
        f"randint_like.{_overload}(Tensor self, Tensor high, *, {_generator}{OPTIONS}, {FORMAT}) "
        "-> Tensor",
        composite=_randint_like_tensor,
        variants="function",
        random=True,
        samples="randint_like_" + _overload.lower(),
        tags=SEEDED,
    )


def _randperm_meta(n: int, generator: Any, dtype: Any, layout: Any, device: Any, pin: Any) -> Out:
    found = dtype_or_default(dtype)
    check_size((n,))
    digits = DIGITS.get(found.name)
    if digits is not None and n > (1 << digits) + 1:
        raise RuntimeError(
            f"n cannot be greater than {(1 << digits) + 1} for {found.scalar_type} type."
        )
    if found.name in COMPLEX | BOOL and not on_meta(device):
        raise not_implemented("randperm", found)
    if not found.is_floating_point and n > limits(found)[1]:
        raise scalars.overflow(found)
    return Out((n,), found)


def _randperm(n: int, generator: Any, dtype: Any, *rest: Any) -> Array:
    gen = generator_or_default(generator)
    with gen.lock:
        return distributions.permutation(gen, n).astype(dtype_or_default(dtype).np)


op(
    f"randperm(SymInt n, *, {INDEX_OPTIONS}) -> Tensor",
    meta=lambda n, *rest: _randperm_meta(n, None, *rest),
    kernel=lambda n, *rest: _randperm(n, None, *rest),
    half=False,
    variants="function",
    random=True,
    tags=SEEDED,
    out=True,
    samples="randperm",
)
op(
    f"randperm.generator(SymInt n, *, Generator? generator, {INDEX_OPTIONS}) -> Tensor",
    meta=_randperm_meta,
    kernel=_randperm,
    half=False,
    variants="function",
    random=True,
    tags=SEEDED,
    out="generator_out",
    samples="randperm_generator",
)

# ------------------------------------------------------------------------- filling in place


def same(self: Any) -> Out:
    """The result of an in-place op: what *self* is."""
    return Out(tuple(self.shape), self.dtype, tuple(self.stride()))


def fill_row(schema: str, check: Any, draw: Any, samples: str) -> None:
    """An in-place row ``name_(Tensor(a!) self, …, *, Generator? generator=None)``.

    ``check(self, *parameters)`` raises, ``draw(self, *parameters, generator)`` gives the numbers;
    the gradient is zero: what was there is overwritten.
    """

    def meta(self: Any, *parameters: Any) -> Out:
        check(self, *parameters[:-1])
        return same(self)

    op(
        schema,
        meta=meta,
        kernel=draw,
        grad={"self": lambda g, c: ops.zeros_like(g)},
        half=False,
        variants="method",
        random=True,
        samples=samples,
        tags=SEEDED,
    )


fill_row(
    "uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) "
    "-> Tensor(a!)",
    lambda self, low, high: check_uniform(self.dtype, low, high, self.device),
    lambda self, low, high, gen: draw_uniform(target_of(self), gen, low, high),
    "uniform_",
)
fill_row(
    "normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) "
    "-> Tensor(a!)",
    lambda self, mean, std: check_normal(self.dtype, std, self.device, self.numel()),
    lambda self, mean, std, gen: draw_normal(target_of(self), gen, mean, std),
    "normal_",
)


def _upper(dtype: DType) -> int:
    """One more than the largest number that ``random_()`` draws."""
    digits = DIGITS.get(dtype.name)
    return (1 << digits) + 1 if digits is not None else int(limits(dtype)[1]) + 1


def _random_from(self: Array, low: int, high: int | None, generator: Any) -> Array:
    dtype = from_numpy(self.dtype)
    if high is None and not dtype.is_floating_point:
        high = int(limits(dtype)[1]) + 1
    elif high is None:
        high = (1 << DIGITS[dtype.name]) + 1
    return draw_integers(target_of(self), generator, low, high)


def _random(self: Array, generator: Any) -> Array:
    dtype, gen = from_numpy(self.dtype), generator_or_default(generator)
    n = self.size
    with gen.lock:
        # The dtype alone decides here how many bits are drawn, not the range.
        wide = dtype.name in ("int64", "uint64", "float64", "uint32")
        numbers = gen.longs(n) if wide else gen.words(n)
    numbers = numbers % np.uint64(_upper(dtype)) if _upper(dtype) < 1 << 64 else numbers
    return target_of(self).arrange(numbers)


def _check_random(self: Any, low: int, high: int | None) -> None:
    if high is not None:
        check_integers(self.dtype, low, high)
    elif self.dtype.is_complex:
        raise RuntimeError(
            "random_from_to_impl handles only integral, floating-point and boolean types"
        )
    else:
        check_bounds(self.dtype, {"from": low})


def _check_any(self: Any) -> None:
    if self.dtype.name in COMPLEX | UNSIGNED and self.device.type != "meta":
        raise not_implemented("random_kernel_cpu", self.dtype)


fill_row(
    "random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)",
    _check_random,
    _random_from,
    "random_from",
)
fill_row(
    "random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)",
    lambda self, high: _check_random(self, 0, high),
    lambda self, high, gen: _random_from(self, 0, high, gen),
    "random_to",
)
fill_row(
    "random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)",
    _check_any,
    _random,
    "random_",
)


def _check_exponential(self: Any, lambd: float) -> None:
    if not lambd > 0.0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
    if not self.dtype.is_floating_point:
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. dtype must be a "
            f"floating point but you specified {self.dtype.scalar_type}"
        )


fill_row(
    "exponential_(Tensor(a!) self, float lambd=1., *, Generator? generator=None) -> Tensor(a!)",
    _check_exponential,
    lambda self, lambd, gen: draw_exponential(target_of(self), gen, lambd),
    "exponential_",
)

# ------------------------------------------------------------------------- normal by parameters


def _check_stds(std: Array) -> None:
    if std.size and not std.min() >= 0:
        raise RuntimeError("normal expects all elements of std >= 0.0")


def _normal_mean(target: Target, mean: Array, std: float, generator: Any) -> Array:
    return draw_normal(target, generator, 0.0, std) + mean  # type: ignore[no-any-return]


def _normal_std(target: Target, mean: float, std: Array, generator: Any) -> Array:
    _check_stds(std)
    return draw_normal(target, generator) * std + target.dtype.np.type(mean)  # type: ignore[no-any-return]


def _normal_both(target: Target, mean: Array, std: Array, generator: Any) -> Array:
    _check_stds(std)
    return draw_normal(target, generator) * std + mean  # type: ignore[no-any-return]


def _normal_shape(given: Any, mean: Any, std: Any) -> tuple[int, ...]:
    """The shape of the result; *given* is that of ``out``, with which only a mean broadcasts."""
    shapes = [tuple(x.shape) for x in (mean, std) if hasattr(x, "shape")]
    if given is not None and not hasattr(std, "shape"):
        shapes.append(given)
    return broadcast_shapes(*shapes)


def _normal_meta(mean: Any, std: Any, generator: Any) -> Out:
    x = mean if hasattr(mean, "shape") else std
    shape = _normal_shape(None, mean, std)
    check_normal(x.dtype, 1.0 if hasattr(std, "shape") else std, x.device, prod(shape))
    return Out(shape, x.dtype)


def _normal_out_meta(target: Any, mean: Any, std: Any, generator: Any) -> Out:
    shape = _normal_shape(tuple(target.shape), mean, std)
    spread = 1.0 if hasattr(std, "shape") else std
    check_normal(target.dtype, spread, target.device, prod(shape))
    return Out(shape, target.dtype)


for _schema, _draw, _grad, _out in (
    (
        "normal.Tensor_float(Tensor mean, float std=1, *, Generator? generator=None) -> Tensor",
        _normal_mean,
        {"mean": lambda g, c: ops.zeros_like(g)},
        "Tensor_float_out",
    ),
    (
        "normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor",
        _normal_std,
        {"std": lambda g, c: ops.zeros_like(g)},
        "float_Tensor_out",
    ),
    (
        "normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor",
        _normal_both,
        {"mean": lambda g, c: ops.zeros_like(g), "std": lambda g, c: ops.zeros_like(g)},
        "Tensor_Tensor_out",
    ),
):
    op(
        _schema,
        meta=_normal_meta,
        kernel=lambda mean, std, generator, draw=_draw: draw(
            fresh(
                np.broadcast_shapes(np.shape(mean), np.shape(std)),
                mean if isinstance(mean, np.ndarray) else std,
            ),
            mean,
            std,
            generator,
        ),
        grad=_grad,
        half=False,
        variants="function",
        random=True,
        out=_out,
        out_meta=_normal_out_meta,
        out_kernel=lambda target, *args, draw=_draw: draw(target_of(target), *args),
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


def _normal_size(
    mean: float, std: float, size: Any, generator: Any, dtype: Any, *rest: Any
) -> Array:
    return draw_normal(Target(tuple(size), dtype_or_default(dtype)), generator, mean, std)


op(
    "normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, "
    f"{OPTIONS}) -> Tensor",
    meta=_normal_size_meta,
    kernel=_normal_size,
    half=False,
    variants="function",
    random=True,
    out="float_float_out",
    out_kernel=lambda target, mean, std, size, gen, *rest: draw_normal(
        target_of(target), gen, mean, std
    ),
    samples="normal_size",
    tags=SEEDED,
)
