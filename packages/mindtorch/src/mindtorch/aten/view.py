"""Views of the same numbers under another shape or dtype: ``view``, ``reshape``, ``flatten`` …"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_storage import layout

from mindtorch.call.row import Out, ViewOf, is_conj, is_neg, op
from mindtorch.core.constants import contiguous_format
from mindtorch.core.dims import numel_of, scalar_name
from mindtorch.core.key_sets import seen_by_python, tls_state
from mindtorch.core.operators import ops

from ..call.forms import OutForm
from . import view_inverses

__all__ = ["reshaped"]

wrap_dim = layout.wrap_dim


# -- the same numbers under another shape -------------------------------------------------------


def _view(self: Any, size: Sequence[int]) -> ViewOf:
    return ViewOf(*layout.view_geometry(self.shape, self.stride(), size))


def _view_dtype(self: Any, dtype: Any) -> ViewOf:
    shape, strides = tuple(self.shape), tuple(self.stride())
    # Whatever the dtype: torch asks for the bits only.
    for has, what in (
        (is_conj(self), "conjugate view tensors"),
        (is_neg(self), "tensors with negative bit set"),
    ):
        if has:
            raise RuntimeError(
                f"torch.Tensor.view is not supported for {what} when converting to a "
                "different dtype."
            )
    old, new = self.dtype.itemsize, dtype.itemsize
    if old == new:
        return ViewOf(shape, strides, 0, dtype)
    what = f"to view {scalar_name(self.dtype)} as {scalar_name(dtype)} (different element sizes)"
    if not shape:
        raise RuntimeError(f"self.dim() cannot be 0 {what}")
    ratio = new // old if new > old else 1
    if shape[-1] % ratio:
        raise RuntimeError(
            f"self.size(-1) must be divisible by {ratio} {what}, but got {shape[-1]}"
        )
    if strides[-1] != 1:
        raise RuntimeError(f"self.stride(-1) must be 1 {what}, but got {strides[-1]}")
    if old > new:
        ratio = old // new
        return ViewOf(
            (*shape[:-1], shape[-1] * ratio), (*(s * ratio for s in strides[:-1]), 1), 0, dtype
        )
    start = self.storage_offset()
    if start % ratio:
        raise RuntimeError(
            f"self.storage_offset() must be divisible by {ratio} {what}, but got {start}"
        )
    for i, s in enumerate(strides[:-1]):
        if s % ratio:
            raise RuntimeError(f"self.stride({i}) must be divisible by {ratio} {what}, but got {s}")
    return ViewOf(
        (*shape[:-1], shape[-1] // ratio), (*(s // ratio for s in strides[:-1]), 1), 0, dtype
    )


op(
    "view(Tensor(a) self, SymInt[] size) -> Tensor(a)",
    says="""View the same memory with another shape or dtype.
    The number of elements stays, and the strides must allow it.

    >>> torch.arange(6).view(2, -1)
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """,
    view=_view,
    variants="method",
    grad={"self": lambda g, c: g.reshape(c.self.shape)},
    samples="view",
    inverse=view_inverses.viewed,
    copies=True,
    batch="sized_view",
    tags=("unchecked_view", "moves_mask"),
)
op(
    "view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)",
    view=_view_dtype,
    variants="method",
    samples="view_dtype",
    inverse=view_inverses.viewed_as_dtype,
    copies="dtype_out",
    tangent="none",
    batch="as_it_is",
    tags=("of_storage", "unchecked_view", "moves_mask", "loops: copy"),
)
op(
    "_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)",
    view=lambda self, size, stride: ViewOf(tuple(size), tuple(stride)),
    variants="",
    grad={"self": lambda g, c: g.reshape(c.self.shape)},
    inverse=view_inverses.reshape_aliased,
    copies=True,
    batch="unsafe_view",
    tags=("unchecked_view", "moves_mask"),
)
op(
    "alias(Tensor(a) self) -> Tensor(a)",
    says="Return a view of the whole tensor.",
    view=lambda self: ViewOf(tuple(self.shape), tuple(self.stride())),
    variants="",
    grad={"self": lambda g, c: g},
    samples="unary_view",
    inverse=view_inverses.itself("alias"),
    copies=True,
    batch="as_it_is",
    tags=("unchecked_view",),
)
op(
    "_fw_primal(Tensor(a) self, int level) -> Tensor(a)",
    view=lambda self, level: ViewOf(tuple(self.shape), tuple(self.stride())),
    variants="",
    grad={"self": lambda g, c: g},
    batch="as_it_is",
)
op(
    "lift_fresh(Tensor(a) self) -> Tensor(a)",
    says="Return a tensor that was just made, as a value that transforms may wrap.",
    view=lambda self: ViewOf(tuple(self.shape), tuple(self.stride())),
    variants="",
    grad={"self": lambda g, c: g},
    tags=("not_in_place_or_view: functional",),
)
op(
    "lift(Tensor self) -> Tensor",
    composite=lambda self: self,
    kinds={"functional": "explicit"},
    variants="",
    grad={"self": lambda g, c: g},
    tags=("of_parts",),
)
op(
    "detach(Tensor(a) self) -> Tensor(a)",
    says="View the tensor cut off from autograd: it needs no gradient.",
    view=lambda self: ViewOf(tuple(self.shape), tuple(self.stride())),
    inplace=True,
    samples="unary_view",
    tags=("not_in_place_or_view: inplace", "unchecked_view", "loops: inplace", "loops: copy"),
    inverse=view_inverses.as_detached,
    copies=OutForm(meta="native"),
    tangent="none",
    batch="as_it_is",
)


def reshaped(self: Any, shape: Sequence[int]) -> Any:
    if self.is_sparse:
        raise RuntimeError("reshape is not implemented for sparse tensors")
    if self.is_contiguous():
        return self.view(shape)
    size = layout.infer_size(shape, self.numel())
    strides = layout.view_strides(self.shape, self.stride(), size)
    if strides is not None:
        if seen_by_python(self._sig_ | tls_state()):
            return self.view(size)  # as torch for what is like a subclass
        return ops._reshape_alias(self, size, strides)
    return ops._unsafe_view(ops.clone(self, memory_format=contiguous_format), size)


op(
    "reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)",
    says="""Return the elements with another shape: a view where that is possible, else a copy.

    >>> torch.reshape(torch.arange(6), (2, 3))
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """,
    composite=reshaped,
    samples="reshape",
)


def _unsafe_view_meta(self: Any, size: Sequence[int]) -> Out:
    found = _view(self, size)
    return Out(found.shape, self.dtype, found.strides)


# Not a view for autograd: only used on a tensor that nobody else sees, so the memory is taken on.
op(
    "_unsafe_view(Tensor self, SymInt[] size) -> Tensor",
    meta=_unsafe_view_meta,
    kernel=lambda self, size: self.reshape(size),
    apart=_view,
    half=False,
    variants="",
    grad={"self": lambda g, c: g.reshape(c.self.shape)},
    samples="view",
    inverse=view_inverses.unsafely_viewed,
    batch="unsafe_view",
    tags=("keeps_bits", "unchecked_view", "moves_mask"),
)


def _flatten(self: Any, start_dim: int, end_dim: int) -> Any:
    n = self.dim()
    start, end = wrap_dim(start_dim, n), wrap_dim(end_dim, n)
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if n == 0:
        return self.reshape((1,))
    if start == end:
        return self
    shape = tuple(self.shape)
    middle = numel_of(shape[start : end + 1])
    return self.reshape((*shape[:start], middle, *shape[end + 1 :]))


op(
    "flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
    says="""Join neighbouring dimensions into one; a view where that is possible.

    >>> torch.flatten(torch.zeros(2, 3, 4), start_dim=1).shape
    torch.Size([2, 12])
    """,
    composite=_flatten,
    samples="flatten",
)


def _unflatten(self: Any, dim: int, sizes: Sequence[int]) -> Any:
    d = wrap_dim(dim, self.dim())
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    if not self.dim():
        raise RuntimeError(
            "unflatten got an unexpected error:\nDimension specified as 0 but tensor has no "
            "dimensions"
        )
    size = self.shape[d]
    negative = next((i for i, s in enumerate(sizes) if s < -1), None)
    if negative is not None:
        raise RuntimeError(
            f"unflatten got an unexpected error:\ninvalid shape dimension {sizes[negative]} at "
            f"index {negative} of shape {list(sizes)}"
        )
    known = numel_of([s for s in sizes if s != -1])
    inferred = list(sizes).count(-1)
    if inferred > 1:
        raise RuntimeError("unflatten got an unexpected error:\nonly one dimension can be inferred")
    if inferred and known == size == 0:
        raise RuntimeError(
            f"unflatten got an unexpected error:\ncannot reshape tensor of 0 elements into shape "
            f"{list(sizes)} because the unspecified dimension size -1 can be any value and is "
            "ambiguous"
        )
    fits = known == size if not inferred else known != 0 and size % known == 0
    if not fits:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim "
            f"{d} ({size}) in the input tensor"
        )
    wanted = tuple(size // known if s == -1 else s for s in sizes)
    shape = tuple(self.shape)
    return self.view((*shape[:d], *wanted, *shape[d + 1 :]))


op(
    "unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)",
    says="""View one dimension as several.

    >>> torch.zeros(2, 12).unflatten(1, (3, 4)).shape
    torch.Size([2, 3, 4])
    """,
    composite=_unflatten,
    samples="unflatten",
)
op(
    "ravel(Tensor(a) self) -> Tensor(a)",
    says="Return the elements as a vector: a view where that is possible.",
    composite=lambda self: self.contiguous().view((-1,)),
    samples="unary_view",
)
op(
    "view_as(Tensor(a) self, Tensor other) -> Tensor(a)",
    says="View the tensor with the shape of another.",
    composite=lambda self, other: self.view(other.shape),
    variants="method",
    samples="as_other",
)
op(
    "reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)",
    says="Return the elements with the shape of another tensor.",
    composite=lambda self, other: self.reshape(other.shape),
    variants="method",
    samples="as_other",
)
