"""Shape, dtype and strides of elementwise results, and the refusal of dtypes an op cannot take.

``elementwise`` makes the ``meta`` of a row whose tensors broadcast. It raises what torch raises
for the dtypes that its CPU kernels lack; meta tensors have no kernel, so they are not refused.

A Python number where the schema says ``Tensor`` arrives as the number itself: it is the weakest
party in type promotion ("wrapped number").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from mindtorch_storage import output_layout
from mindtorch_storage.dtype import (
    DType,
    bool_,
    complex128,
    float64,
    from_numpy,
    get_default_dtype,
    int64,
)
from mindtorch_storage.layout import contiguous_strides, is_in_order
from mindtorch_storage.promotion import can_cast, result_type

from ..core import signature as S
from ..core.errors import cannot_cast
from ..core.meta_errors import not_broadcastable_on_meta
from ..core.warning import warn_resized
from ..tensor import Tensor
from ..tensor.layout import empty_strides
from .row import Out

__all__ = [
    "BOOL",
    "COMPLEX",
    "FLOATING",
    "INTEGRAL",
    "NOT_FLOATING",
    "NOT_REAL_FLOATING",
    "REFUSED_BY_MOST",
    "RULES",
    "UNSIGNED",
    "broadcast_shapes",
    "cast_onto",
    "common_dtype",
    "dtype_of",
    "elementwise",
    "elementwise_strides",
    "kept_layout",
    "not_implemented",
    "out_like",
    "refuse",
    "wanted",
    "warn_outgrown",
]

COMPLEX = frozenset({"complex32", "complex64", "complex128"})
BOOL = frozenset({"bool"})
#: The unsigned dtypes that torch has but for which most of its kernels are missing.
UNSIGNED = frozenset({"uint16", "uint32", "uint64"})
INTEGRAL = frozenset({"uint8", "int8", "int16", "int32", "int64"}) | UNSIGNED
FLOATING = frozenset({"float16", "bfloat16", "float32", "float64"})
NOT_FLOATING = INTEGRAL | BOOL
NOT_REAL_FLOATING = INTEGRAL | BOOL | COMPLEX
REFUSED_BY_MOST = COMPLEX | BOOL | UNSIGNED

#: For the kernel name that torch's text shows: the dtypes it lacks.
Refusals = Mapping[str, frozenset[str]]


class Rule(NamedTuple):
    """What a meta of :func:`elementwise` follows: how it promotes, and over how many operands.

    :ivar kernel: what torch's text calls the CPU kernel, and *lacks* the dtypes that it refuses.
    """

    promote: str
    operands: int
    kernel: str = ""
    lacks: frozenset[str] = frozenset()


#: meta -> its rule.
RULES: dict[Callable[..., Any], Rule] = {}


def not_implemented(kernel: str, dtype: DType) -> NotImplementedError:
    """torch aten/src/ATen/Dispatch.h, AT_DISPATCH_SWITCH."""
    return NotImplementedError(f"\"{kernel}\" not implemented for '{dtype.scalar_type}'")


def broadcast_mismatch(a: int, b: int, dim: int) -> RuntimeError:
    """torch aten/src/ATen/ExpandUtils.cpp, infer_size_impl."""
    return RuntimeError(
        f"The size of tensor a ({a}) must match the size of tensor b ({b}) "
        f"at non-singleton dimension {dim}"
    )


def dtype_of(x: Any) -> DType:
    """The dtype of a tensor, or the one that stands for a Python number."""
    if isinstance(x, bool):
        return bool_
    if isinstance(x, int):
        return int64
    if isinstance(x, float):
        return float64
    if isinstance(x, complex):
        return complex128
    return x.dtype


#: What a signature says of dtypes, and of which of them have no dimension.
_DTYPES: Final = S.DIM_MASK | S.ZERO_MASK
_common_of: dict[int, DType] = {}


def common_dtype(*operands: Any) -> DType:
    """torch's promotion over tensors and Python numbers (``None`` is passed over)."""
    sig = 0
    for x in operands:
        if x.__class__ is not Tensor:
            break
        sig |= x._sig_
    else:
        return _common_of.get(sig & _DTYPES) or _met(sig & _DTYPES, operands)
    return _common(operands)


def _met(dtypes: int, operands: Sequence[Any]) -> DType:
    """:func:`common_dtype` of tensors of these *dtypes*: from now on it is known."""
    found = _common_of[dtypes] = _common(operands)
    return found


def _common(operands: Sequence[Any]) -> DType:
    parties = [
        (x.dtype, not x.shape, False) if hasattr(x, "shape") else (dtype_of(x), True, True)
        for x in operands
        if x is not None
    ]
    return result_type(parties)


def shape_of(x: Any) -> tuple[int, ...]:
    """The shape of a tensor; ``()`` for a number."""
    if isinstance(x, Tensor):
        shape: tuple[int, ...] = x._a_.shape
        return shape
    return tuple(x.shape) if hasattr(x, "shape") else ()


def is_number(x: Any) -> bool:
    """Whether *x* stands for a tensor of no dimension."""
    return not hasattr(x, "shape")


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that all *shapes* broadcast to; raises torch's error where there is none."""
    result: tuple[int, ...] = tuple(shapes[0])
    for other in shapes[1:]:
        if tuple(other) == result:
            continue
        a, b = result, tuple(other)
        ndim = max(len(a), len(b))
        a1, b1 = (1,) * (ndim - len(a)) + a, (1,) * (ndim - len(b)) + b
        merged = []
        for dim in range(ndim - 1, -1, -1):
            m, n = a1[dim], b1[dim]
            if m != n and m != 1 and n != 1:
                raise broadcast_mismatch(m, n, dim)
            merged.append(n if m == 1 else m)
        result = tuple(reversed(merged))
    return result


def broadcast_on_meta(a: Sequence[int], b: Sequence[int]) -> tuple[int, ...]:
    """What shapes *a* and *b* broadcast to; raises the error of torch's functions in Python."""
    common = [*[1] * (len(b) - len(a)), *a]
    for dim in range(-1, -1 - len(b), -1):
        if common[dim] == 1:
            common[dim] = b[dim]
        elif b[dim] not in (1, common[dim]):
            raise not_broadcastable_on_meta(b, dim, common)
    return tuple(common)


def warn_outgrown(shape: Sequence[int], *others: Sequence[int]) -> None:
    """Warn where memory of *shape* is resized to what it broadcasts to with *others*, all shapes.

    torch writes some results to tensors that it made like their first argument.
    """
    try:
        whole = broadcast_shapes(shape, *others)
    except RuntimeError:
        return  # the call says so
    if whole != tuple(shape) and 0 not in shape:
        warn_resized(shape, whole)


def elementwise_strides(
    shape: tuple[int, ...], operands: Sequence[Any], common: DType | None = None
) -> tuple[int, ...] | None:
    """The strides torch gives a fresh elementwise result of *shape*; None for contiguous.

    Numbers among *operands* are tensors of no dimension to torch.

    :param common: the dtype that the operands are computed in. torch's host casts those of another
        one first, and it is these copies whose layout counts.
    """
    if 0 not in shape and all(
        x._a_.shape == shape and not x._sig_ & S.STRIDED if isinstance(x, Tensor) else is_number(x)
        for x in operands
    ):
        return None
    if 0 not in shape and 1 not in shape and _are_in_order(operands):
        return None
    key = (shape, *[_seen(x, common) for x in operands])
    try:
        found = _strides_of.get(key, _MISSING)
    except TypeError:  # sizes that are symbols: who asks knows the layout from those of one run
        return None
    if found is _MISSING:
        strides = output_layout.elementwise_strides(shape, [_layout(*each) for each in key[1:]])
        found = None if strides == contiguous_strides(shape) else strides
        if len(_strides_of) < _MOST:
            _strides_of[key] = found
    return found


def _are_in_order(operands: Sequence[Any]) -> bool:
    """Whether no operand gives torch's loop a reason to let two dimensions change places."""
    for x in operands:
        if x.__class__ is not Tensor or not is_in_order(x._a_.shape, x._a_.strides):
            return False
    return True


#: What the loop sees of operands -> strides of the result, for programs repeat themselves.
_strides_of: dict[Any, tuple[int, ...] | None] = {}
_MOST: Final = 4096
_MISSING: Any = object()


def _seen(x: Any, common: DType | None) -> tuple[tuple[int, ...], tuple[int, ...], int, bool]:
    """Shape, strides, the size of an element in their unit, and whether torch's host casts it."""
    if isinstance(x, Tensor):
        a = x._a_
        is_cast = common is not None and bool(x._sig_ & S.CPU) and a.dtype != common.np
        return a.shape, a.strides if a.size else empty_strides(a), a.itemsize, is_cast
    if is_number(x):
        return (), (), 1, False
    return tuple(x.shape), tuple(x.stride()), 1, False


def _layout(
    shape: tuple[int, ...], strides: tuple[int, ...], item: int, is_cast: bool
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """An operand's shape and strides in elements; of a copy if it is cast."""
    steps = tuple([s // item for s in strides])
    return shape, output_layout.empty_like_strides(shape, steps) if is_cast else steps


def out_like(dtype: DType, *operands: Any) -> Out:
    """The elementwise result of *dtype* over *operands*, broadcast."""
    shape = broadcast_shapes(*[shape_of(x) for x in operands if x is not None])
    return Out(shape, dtype, elementwise_strides(shape, [x for x in operands if x is not None]))


def empty_like_out(like: Any, dtype: DType | None = None) -> Out:
    """A result of torch's ``empty_like``: it keeps the strides of *like*, where it is dense."""
    shape = tuple(like.shape)
    strides = output_layout.empty_like_strides(shape, tuple(like.stride()))
    return Out(shape, dtype or like.dtype, strides)


def kept_layout(
    meta: Callable[..., Out], when: Callable[[Any], bool] = lambda self: True
) -> Callable[..., Out]:
    """*meta* of an op whose result torch makes by ``empty_like``: it keeps the strides of ``self``.

    An elementwise result would not keep those of sizes of 1 and of no elements. One of another
    shape, which broadcasting gives, has no strides to keep.

    :param when: for which operands that is so.
    """

    def kept(self: Any, *rest: Any) -> Out:
        out = meta(self, *rest)
        if not when(self) or tuple(out.shape) != tuple(self.shape):
            return out
        strides = output_layout.empty_like_strides(tuple(self.shape), tuple(self.stride()))
        return out._replace(strides=strides)

    if meta in RULES:
        RULES[kept] = RULES[meta]
    return kept


def cast_onto(target: Any, out: Out) -> Out:
    """The ``out_meta`` of a kernel that casts its result to the dtype of *target*."""
    if not can_cast(out.dtype, target.dtype):
        raise cannot_cast(out.dtype, target.dtype)
    return out._replace(dtype=target.dtype)


def wanted(mask: Sequence[bool], *outs: Out) -> tuple[Out | None, ...]:
    """The results that the mask of a gradient's kernel asks for; the others are absent."""
    return tuple([out if asked else None for asked, out in zip(mask, outs, strict=True)])


def refuse(dtype: DType, refusals: Refusals, *operands: Any) -> None:
    """Raise torch's error if *dtype* is one that the CPU kernel lacks."""
    for kernel, dtypes in refusals.items():
        if dtype.name in dtypes and not any(
            x.device.type == "meta" for x in operands if hasattr(x, "device")
        ):
            raise not_implemented(kernel, dtype)


def refuse_array(a: Any, refusals: Refusals) -> None:
    """The same in a kernel, which sees an ndarray."""
    refuse(from_numpy(a.dtype), refusals)


def elementwise(
    promote: str = "common",
    n: int = 1,
    *,
    cpu: Refusals | None = None,
    check: Callable[..., None] | None = None,
    dtype: Callable[[DType], DType] | None = None,
) -> Callable[..., Out]:
    """The meta of a row over its first *n* arguments.

    :param promote: ``"common"``, ``"float"`` or ``"bool"``, as :func:`~.row.op` has it.
    :param cpu: what the CPU kernel refuses, by the kernel's name in torch's text.
    :param check: ``check(*args)`` raises for what no backend takes; sees the arguments as given.
    :param dtype: the dtype of the result, from the dtype computed in.
    """

    def meta(*args: Any) -> Out:
        if check is not None:
            check(*args)
        operands = args[:n]
        common = common_dtype(*operands)
        if promote == "float" and not (common.is_floating_point or common.is_complex):
            common = get_default_dtype()
        shape = broadcast_shapes(*[shape_of(x) for x in operands if x is not None])
        if cpu is not None:
            refuse(common, cpu, *operands)
        if promote == "bool":
            result = bool_
        else:
            result = common if dtype is None else dtype(common)
        given = [x for x in operands if x is not None]
        return Out(shape, result, elementwise_strides(shape, given, common))

    RULES[meta] = Rule(promote, n, *next(iter(cpu.items()))) if cpu else Rule(promote, n)
    return meta
