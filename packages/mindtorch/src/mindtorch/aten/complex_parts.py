"""Complex numbers: parts, views as pairs of reals, conjugates, angles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import bool_
from mindtorch_storage.layout import contiguous_strides

from ..call.elementwise_meta import UNSIGNED, elementwise, kept_layout, out_like, refuse
from ..call.forms import OBJECT_TYPE, InplaceForm, OutForm
from ..call.row import Out, ViewOf, is_conj, op
from ..core.constants import preserve_format
from ..core.operators import of, ops
from ..core.signature import CONJ, NEG
from . import view_inverses
from .reflected import zeros_of

Array = np.ndarray[Any, Any]


def _view_as_real(self: Any) -> ViewOf:
    if is_conj(self):
        raise RuntimeError(
            "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate "
            "tensor so you can view it as real, use self.resolve_conj(); however, be warned that "
            "the resulting tensor will NOT alias the original."
        )
    if not self.dtype.is_complex:
        raise RuntimeError("view_as_real is only supported for complex tensors")
    strides = (*[2 * s for s in self.stride()], 1)
    return ViewOf((*self.shape, 2), strides, 0, self.dtype.to_real())


def _view_as_complex(self: Any) -> ViewOf:
    """Source: torch aten/src/ATen/native/ComplexHelper.h, view_as_complex."""
    if self.dtype.name not in ("float32", "float64", "float16"):
        raise RuntimeError(
            "view_as_complex is only supported for half, float and double tensors, but got a "
            f"tensor of scalar type: {self.dtype.scalar_type}"
        )
    shape, strides = tuple(self.shape), tuple(self.stride())
    if not shape:
        raise RuntimeError("Input tensor must have one or more dimensions")
    if shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    if strides[-1] != 1:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    for size, stride in zip(shape[:-1], strides[:-1], strict=True):
        if stride % 2 and size != 1:
            raise RuntimeError(
                "Tensor must have a stride divisible by 2 for all but last dimension"
            )
    if _offset(self) % 2:
        raise RuntimeError("Tensor must have a storage_offset divisible by 2")
    halved = tuple([s // 2 for s in strides[:-1]])
    return ViewOf(shape[:-1], halved, 0, self.dtype.to_complex())


def _offset(self: Any) -> int:
    offset = getattr(self, "storage_offset", None)
    return 0 if offset is None else offset()


op(
    "view_as_real(Tensor(a) self) -> Tensor(a)",
    says="""View a complex tensor as real and imaginary parts in a last dimension of size 2.

    >>> torch.view_as_real(torch.tensor([1 + 2j, 3 - 4j]))
    tensor([[ 1.,  2.],
            [ 3., -4.]])
    """,
    view=_view_as_real,
    grad={"self": lambda g, c: ops.view_as_complex(g.contiguous())},
    variants="function",
    samples="unary_complex",
    inverse=view_inverses.viewed_as_real,
    copies=OutForm(meta="native"),
    batch="as_it_is",
)
op(
    "view_as_complex(Tensor(a) self) -> Tensor(a)",
    says="View a last dimension of size 2 as the parts of complex numbers.",
    view=_view_as_complex,
    grad={"self": lambda g, c: ops.view_as_real(g.contiguous().resolve_conj())},
    variants="function",
    samples="pairs",
    inverse=view_inverses.viewed_as_complex,
    copies=OutForm(meta="native"),
    batch="as_it_is",
    tags=("of_storage", "real_copy", "loops: copy"),
    autocast=("float32", ""),
)


def _real(self: Any) -> Any:
    if not self.dtype.is_complex:
        return self
    return ops.view_as_real(self._conj() if self.is_conj() else self).select(self.dim(), 0)


def _imag(self: Any) -> Any:
    if not self.dtype.is_complex:
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    if self.is_conj():
        return ops.view_as_real(self._conj())._neg_view().select(self.dim(), 1)
    return ops.view_as_real(self).select(self.dim(), 1)


op(
    "real(Tensor(a) self) -> Tensor(a)",
    says="Return a view of the real parts: of a real tensor itself.",
    composite=_real,
    variants="function",
    samples="unary",
    tangent="linear",
)
op(
    "imag(Tensor(a) self) -> Tensor(a)",
    says="Return a view of the imaginary parts of a complex tensor.",
    composite=_imag,
    variants="function",
    samples="unary_complex",
    tangent="linear",
)
op(
    "_conj_physical(Tensor self) -> Tensor",
    meta=kept_layout(lambda self: out_like(self.dtype, self)),
    kernel=np.conjugate,
    grad={"self": lambda g, c: g.conj_physical()},
    out=OutForm(function=False, meta="native"),
    samples="unary_complex",
    tags=("keeps_conjugates",),
)


def _flipped(bit: int) -> Callable[[Any], ViewOf]:
    def view(self: Any) -> ViewOf:
        if bit == CONJ and not self.dtype.is_complex:
            raise RuntimeError("_conj expects a complex tensor")
        if bit == NEG:  # torch finds it when the view is read
            refuse(self.dtype, {"neg_cpu": UNSIGNED | {"bool"}}, self)
        return ViewOf(tuple(self.shape), tuple(self.stride()), flips=bit)

    return view


op(
    "_conj(Tensor(a) self) -> Tensor(a)",
    view=_flipped(CONJ),
    grad={"self": lambda g, c: g.conj()},
    samples="unary_complex",
    inverse=view_inverses.itself("_conj"),
    copies=OutForm(meta="native"),
    batch="as_it_is",
    tags=("real_copy",),
)
op(
    "_neg_view(Tensor(a) self) -> Tensor(a)",
    view=_flipped(NEG),
    grad={"self": lambda g, c: g.neg()},
    samples="unary_numbers",
    inverse=view_inverses.itself("_neg_view"),
    copies=OutForm(meta="native"),
    batch="as_it_is",
    tags=("real_copy", "loops: copy"),
)
op(
    "conj(Tensor(a) self) -> Tensor(a)",
    says="Return the complex conjugate as a view that is conjugated when it is read.",
    composite=lambda self: self._conj() if self.dtype.is_complex else self,
    samples="unary",
)
op(
    "conj_physical(Tensor self) -> Tensor",
    says="Return the complex conjugate, computed at once.",
    composite=lambda self: ops._conj_physical(self) if self.dtype.is_complex else self,
    kinds={"out": "tensors"},
    out=OutForm(dtype="same"),
    samples="unary",
    tags=("out_has_no_formula",),
)
op(
    "conj_physical_(Tensor(a!) self) -> Tensor(a!)",
    meta=lambda self: out_like(self.dtype, self),
    prepare=lambda self: np.conjugate if self.dtype.kind == "c" else lambda self: self,
    half=False,
    grad={"self": lambda g, c: g.conj_physical()},
    samples="unary",
    inplace=InplaceForm(idle=lambda self: not self.dtype.is_complex),
    tags=("keeps_conjugates", "loops: inplace"),
    node=1,
)
op(
    "isreal(Tensor self) -> Tensor",
    says="Return whether the imaginary part of each element is zero.",
    composite=lambda self: (
        ops.ones_like(self, dtype=bool_, memory_format=preserve_format)
        if self.dtype.is_floating_point or self.dtype.np.kind in "biu"
        else ops.eq(ops.imag(self), 0)
    ),
    samples="unary",
)
op(
    "resolve_conj(Tensor(a) self) -> Tensor(a)",
    says="Return a tensor without a pending conjugation: a copy where there is one.",
    composite=lambda self: self.clone() if self.is_conj() else self,
    samples="unary",
)
op(
    "resolve_neg(Tensor(a) self) -> Tensor(a)",
    says="Return a tensor without a pending negation: a copy where there is one.",
    composite=lambda self: self.clone() if self.is_neg() else self,
    samples="unary",
)


def _angle_meta(self: Any) -> Out:
    if self.dtype.is_complex:  # torch gives this result no memory order of its own
        shape = tuple(self.shape)
        return Out(shape, self.dtype.to_real(), contiguous_strides(shape))
    return elementwise("float", 1)(self)


def _angle_onto(target: Any, self: Any) -> Out:
    if target.device != self.device and "meta" in (target.device.type, self.device.type):
        raise RuntimeError("out Tensor doesn't have the correct device set")
    return _angle_meta(self)


def _prepare_angle(x: Array) -> Callable[..., Array]:
    if x.dtype.kind == "c":
        arctan2 = np.arctan2
        return lambda x: arctan2(x.imag, x.real)
    pi, zero = np.array(math.pi, x.dtype), np.zeros((), x.dtype)
    less, multiply, isnan, copy = np.less, np.multiply, np.isnan, np.copyto

    def kernel(x: Array) -> Array:
        out = np.asarray(multiply(less(x, zero), pi))
        copy(out, x, where=isnan(x))
        return out

    return kernel


def _angle_grad(g: Any, c: Any) -> Any:
    if not c.self.dtype.is_complex:
        return of("zeros_like")(c.self, memory_format=preserve_format)
    x = c.self
    square = x.abs().pow(2)
    turned = g * x / square * 1j
    zero = zeros_of(turned, ())
    return of("where.self")(x == 0.0, zero, turned)


op(
    "angle(Tensor self) -> Tensor",
    says="Return the angle of each element in the complex plane, in radians.",
    meta=_angle_meta,
    out_meta=_angle_onto,
    prepare=_prepare_angle,
    promote="float",
    grad={"self": _angle_grad},
    out=OutForm(dtype="cast", direct=True),
    samples="unary",
    tags=("pointwise",),
)


def _check_pair(first: Any, second: Any, name: str) -> None:
    """Source: torch aten/src/ATen/native/TensorFactories.cpp, complex_check_floating."""
    allowed = ("float16", "float32", "float64")
    if first.dtype.name not in allowed or second.dtype.name not in allowed:
        raise RuntimeError(
            "Expected both inputs to be Half, Float or Double tensors but got "
            f"{first.dtype.scalar_type} and {second.dtype.scalar_type}"
        )
    if first.dtype is not second.dtype:
        raise RuntimeError(
            f"Expected object of scalar type {first.dtype.scalar_type} but got scalar type "
            f"{second.dtype.scalar_type} for second argument"
        )


def _complex_meta(real: Any, imag: Any) -> Out:
    _check_pair(real, imag, "complex")
    return out_like(real.dtype.to_complex(), real, imag)


def _prepare_complex(real: Array, imag: Array) -> Callable[..., Array]:
    dtype = np.dtype(np.complex64 if real.dtype == np.float32 else np.complex128)
    shape, empty = np.broadcast_shapes(real.shape, imag.shape), np.empty

    def kernel(real: Array, imag: Array) -> Array:
        result = empty(shape, dtype)
        result.real, result.imag = real, imag
        return result

    return kernel


def _polar_meta(abs: Any, angle: Any) -> Out:
    _check_pair(abs, angle, "polar")
    refuse(abs.dtype, {"polar_cpu": frozenset({"float16"})}, abs)
    return out_like(abs.dtype.to_complex(), abs, angle)


def _prepare_polar(size: Array, angle: Array) -> Callable[..., Array]:
    dtype = np.dtype(np.complex64 if size.dtype == np.float32 else np.complex128)
    shape, empty = np.broadcast_shapes(size.shape, angle.shape), np.empty
    cos, sin, multiply = np.cos, np.sin, np.multiply

    def kernel(size: Array, angle: Array) -> Array:
        result = empty(shape, dtype)
        multiply(size, cos(angle), result.real)
        multiply(size, sin(angle), result.imag)
        return result

    return kernel


def _polar_grad(g: Any, c: Any) -> tuple[Any, Any]:
    result = c.result
    turned = g.conj()
    size = ops.real(turned * ops.sgn(result))
    return size, ops.real(turned * (result * 1j))


op(
    "complex(Tensor real, Tensor imag) -> Tensor",
    says="""Build complex numbers from real and imaginary parts.

    >>> torch.complex(torch.tensor([1., 2.]), torch.tensor([3., 4.]))
    tensor([1.+3.j, 2.+4.j])
    """,
    meta=_complex_meta,
    prepare=_prepare_complex,
    half=False,
    grad={"real": lambda g, c: ops.real(g), "imag": lambda g, c: ops.imag(g)},
    variants="function",
    out=OutForm(text=OBJECT_TYPE, overlap="first"),
    samples="complex_parts",
)
op(
    "polar(Tensor abs, Tensor angle) -> Tensor",
    says="Build complex numbers from absolute values and angles.",
    meta=_polar_meta,
    prepare=_prepare_polar,
    grad={"abs, angle": _polar_grad},
    variants="function",
    out=OutForm(text=OBJECT_TYPE, overlap="first", meta="exact"),
    samples="complex_parts",
    autocast=("float32", ""),
)
