"""Random integers and permutations."""

from __future__ import annotations

from typing import Any

from mindtorch_storage.dtype import int64

from ..call.elementwise_meta import BOOL, COMPLEX, not_implemented
from ..call.forms import made
from ..call.row import Out, op
from ..core.operators import ops
from . import scalars, shuffling
from .factory import like
from .options import INDEX_OPTIONS, OPTIONS, check_size, dtype_or_default, on_meta
from .random_sampling import (
    DIGITS,
    Drawing,
    Target,
    by_place,
    check_integers,
    draw_integers,
    drawing,
    limits,
    target_like,
    target_of,
)
from .randomness import FORMAT, SEEDED, Array


def _randint_meta(
    low: int, high: int, size: Any, generator: Any, dtype: Any, layout: Any, device: Any, pin: Any
) -> Out:
    found = dtype_or_default(dtype)
    out = Out(check_size(size, found.itemsize), found)
    check_integers(found, low, high, device)
    return out


def _randint(low: int, high: int, size: Any, dtype: Any, *rest: Any) -> Drawing:
    return draw_integers(Target(tuple(size), dtype_or_default(dtype)), low, high)


def _randint_out(target: Array, low: int, high: int, size: Any, gen: Any, *rest: Any) -> Array:
    return draw_integers(target_of(target), low, high)(gen)


for _schema, _spread, _generator in (
    (
        f"randint(SymInt high, SymInt[] size, *, {INDEX_OPTIONS}) -> Tensor",
        lambda high, size, *rest: (0, high, size, None, *rest),
        None,
    ),
    (
        f"randint.generator(SymInt high, SymInt[] size, *, Generator? generator, {INDEX_OPTIONS}) "
        "-> Tensor",
        lambda high, *rest: (0, high, *rest),
        2,
    ),
    (
        f"randint.low(SymInt low, SymInt high, SymInt[] size, *, {INDEX_OPTIONS}) -> Tensor",
        lambda low, high, size, *rest: (low, high, size, None, *rest),
        None,
    ),
    (
        f"randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, "
        f"{INDEX_OPTIONS}) -> Tensor",
        lambda *args: args,
        3,
    ),
):
    _overload = _schema[: _schema.index("(")].partition(".")[2]
    op(
        _schema,
        says="Return random integers from low up to but not including high.",
        meta=lambda *args, spread=_spread: _randint_meta(*spread(*args)),
        prepare=by_place(
            _randint if "low" in _overload else lambda *args: _randint(0, *args), _generator
        ),
        out_kernel=lambda target, *args, spread=_spread: _randint_out(target, *spread(*args)),
        half=False,
        variants="function",
        random=True,
        tags=SEEDED,
        out=made(
            f"{_overload}_out" if _overload else "out",
            once=True,
            meta="native" if "generator" in _overload else "",
        ),
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
    check_integers(out.dtype, low, high, self.device if device is None else device)
    return out


def _randint_like(self: Any, low: int, high: int, dtype: Any, *rest: Any) -> Drawing:
    return draw_integers(target_like(self, dtype, rest[-1]), low, high)


for _schema, _spread, _generator in (
    (
        f"randint_like(Tensor self, SymInt high, *, {OPTIONS}, {FORMAT}) -> Tensor",
        lambda self, high, *rest: (self, 0, high, None, *rest),
        None,
    ),
    (
        f"randint_like.generator(Tensor self, SymInt high, *, Generator? generator, {OPTIONS}, "
        f"{FORMAT}) -> Tensor",
        lambda self, high, *rest: (self, 0, high, *rest),
        2,
    ),
    (
        f"randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, {OPTIONS}, {FORMAT}) "
        "-> Tensor",
        lambda self, low, high, *rest: (self, low, high, None, *rest),
        None,
    ),
    (
        f"randint_like.low_generator_dtype(Tensor self, SymInt low, SymInt high, *, "
        f"Generator? generator, {OPTIONS}, {FORMAT}) -> Tensor",
        lambda *args: args,
        3,
    ),
):
    _overload = _schema[: _schema.index("(")].partition(".")[2]
    op(
        _schema,
        says="Return random integers with the shape and options of another tensor.",
        meta=lambda *args, spread=_spread: _randint_like_meta(*spread(*args)),
        prepare=by_place(
            _randint_like
            if "low" in _overload
            else lambda self, high, *rest: _randint_like(self, 0, high, *rest),
            _generator,
        ),
        half=False,
        variants="function",
        random=True,
        tags=(*SEEDED, "of_geometry", *(("loops: functional",) if _generator is not None else ())),
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
        says="Return random integers with the shape and options of another tensor.",
        composite=_randint_like_tensor,
        kinds={"functional": "explicit"},
        variants="function",
        random=True,
        samples="randint_like_" + _overload.lower(),
        tags=(*SEEDED, "of_geometry", "loops: functional"),
    )


def _randperm_meta(n: int, generator: Any, dtype: Any, layout: Any, device: Any, pin: Any) -> Out:
    found = dtype_or_default(dtype)
    check_size((n,))
    if on_meta(device):
        return Out((n,), found)
    digits = DIGITS.get(found.name)
    limit = f"2^{digits}+1" if digits and digits > 11 else str((1 << (digits or 0)) + 1)
    if digits is not None and found.name != "bfloat16" and n > (1 << digits) + 1:
        raise RuntimeError(f"n cannot be greater than {limit} for {found.scalar_type} type.")
    if found.name in COMPLEX | BOOL:
        raise not_implemented("randperm", found)
    if not found.is_floating_point and n - 1 > limits(found)[1]:
        raise scalars.overflow(found)
    return Out((n,), found)


def _randperm(n: int, dtype: Any, *rest: Any) -> Drawing:
    target = Target((n,), dtype_or_default(dtype))
    return drawing(target, shuffling.permuting(n))


op(
    f"randperm(SymInt n, *, {INDEX_OPTIONS}) -> Tensor",
    says="Return the integers from 0 to n - 1 in random order."
    " The dtype is int64 if none is given.",
    meta=lambda n, *rest: _randperm_meta(n, None, *rest),
    prepare=by_place(_randperm, None),
    half=False,
    variants="function",
    random=True,
    tags=SEEDED,
    out=made(),
    samples="randperm",
)
op(
    f"randperm.generator(SymInt n, *, Generator? generator, {INDEX_OPTIONS}) -> Tensor",
    meta=_randperm_meta,
    prepare=by_place(_randperm, 1),
    half=False,
    variants="function",
    random=True,
    tags=SEEDED,
    out=made("generator_out"),
    samples="randperm_generator",
)
