"""Views: ops whose result shares its argument's storage, as integer arithmetic on layouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch.calls import seen_by_python, tls_state
from mindtorch.ops.call import ops
from mindtorch.ops.dims import numel_of, scalar_name, type_string, unique_dims, with_ones
from mindtorch.ops.row import Out, ViewOf, is_conj, is_neg, op
from mindtorch.warning import warn
from mindtorch_storage import layout

__all__: list[str] = []

wrap_dim = layout.wrap_dim


# -- the same numbers under another shape -------------------------------------------------------


def _view(self: Any, size: Sequence[int]) -> ViewOf:
    shape = layout.infer_size(size, self.numel())
    strides = layout.view_strides(self.shape, self.stride(), shape)
    if strides is None:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return ViewOf(shape, strides)


def _view_dtype(self: Any, dtype: Any) -> ViewOf:
    shape, strides = tuple(self.shape), tuple(self.stride())
    if dtype is not self.dtype or self.dtype.is_complex:
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
    view=_view,
    variants="method",
    grad={"self": lambda g, c: g.reshape(c.self.shape)},
    samples="view",
)
op(
    "view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)",
    view=_view_dtype,
    variants="method",
    samples="view_dtype",
)
op(
    "_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)",
    view=lambda self, size, stride: ViewOf(tuple(size), tuple(stride)),
    variants="",
    grad={"self": lambda g, c: g.reshape(c.self.shape)},
)
op(
    "alias(Tensor(a) self) -> Tensor(a)",
    view=lambda self: ViewOf(tuple(self.shape), tuple(self.stride())),
    variants="",
    grad={"self": lambda g, c: g},
    samples="unary_view",
)
op(
    "lift_fresh(Tensor(a) self) -> Tensor(a)",
    view=lambda self: ViewOf(tuple(self.shape), tuple(self.stride())),
    variants="",
    grad={"self": lambda g, c: g},
)
op(
    "detach(Tensor(a) self) -> Tensor(a)",
    view=lambda self: ViewOf(tuple(self.shape), tuple(self.stride())),
    inplace=True,
    samples="unary_view",
)


def _reshape(self: Any, shape: Sequence[int]) -> Any:
    if self.is_contiguous():
        return self.view(shape)
    size = layout.infer_size(shape, self.numel())
    strides = layout.view_strides(self.shape, self.stride(), size)
    if strides is not None:
        if seen_by_python(self._sig | tls_state()):
            return self.view(size)  # as torch for what is like a subclass
        return ops._reshape_alias(self, size, strides)
    return ops._unsafe_view(ops.clone(self, memory_format=_contiguous_format()), size)


def _contiguous_format() -> Any:
    import mindtorch

    return mindtorch.contiguous_format


op(
    "reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)",
    composite=_reshape,
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
    half=False,
    variants="",
    grad={"self": lambda g, c: g.reshape(c.self.shape)},
    samples="view",
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
    composite=_flatten,
    samples="flatten",
)


def _unflatten(self: Any, dim: int, sizes: Sequence[int]) -> Any:
    d = wrap_dim(dim, self.dim())
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
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
    composite=_unflatten,
    samples="unflatten",
)
op(
    "ravel(Tensor(a) self) -> Tensor(a)",
    composite=lambda self: self.contiguous().view((-1,)),
    samples="unary_view",
)
op(
    "view_as(Tensor(a) self, Tensor other) -> Tensor(a)",
    composite=lambda self, other: self.view(other.shape),
    variants="method",
    samples="as_other",
)
op(
    "reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)",
    composite=lambda self, other: self.reshape(other.shape),
    variants="method",
    samples="as_other",
)


# -- dims in another order ----------------------------------------------------------------------


def _transpose(self: Any, dim0: int, dim1: int) -> ViewOf:
    shape, strides = list(self.shape), list(self.stride())
    n = len(shape)
    a, b = wrap_dim(dim0, n), wrap_dim(dim1, n)
    if n:
        shape[a], shape[b] = shape[b], shape[a]
        strides[a], strides[b] = strides[b], strides[a]
    return ViewOf(tuple(shape), tuple(strides))


def _t(self: Any) -> ViewOf:
    shape, strides = tuple(self.shape), tuple(self.stride())
    if len(shape) > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {len(shape)}D")
    return ViewOf(shape[::-1], strides[::-1])


def _permute(self: Any, dims: Sequence[int]) -> ViewOf:
    shape, strides = self.shape, self.stride()
    n = len(shape)
    if len(dims) != n:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            "length of the desired ordering of dimensions i.e. "
            f"input.dim() = {n} is not equal to len(dims) = {len(dims)}"
        )
    order = [wrap_dim(d, n) for d in dims]
    if len(set(order)) != n:
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return ViewOf(tuple([shape[d] for d in order]), tuple([strides[d] for d in order]))


def _inverse(dims: Sequence[int]) -> list[int]:
    n = len(dims)
    back = [0] * n
    for i, d in enumerate(dims):
        back[d % n] = i
    return back


op(
    "transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
    view=_transpose,
    inplace=True,
    grad={"self": lambda g, c: g.transpose(c.dim0, c.dim1)},
    samples="transpose",
)
op(
    "t(Tensor(a) self) -> Tensor(a)",
    view=_t,
    inplace=True,
    grad={"self": lambda g, c: g.t()},
    samples="t",
)
op(
    "permute(Tensor(a) self, int[] dims) -> Tensor(a)",
    view=_permute,
    grad={"self": lambda g, c: g.permute(_inverse(c.dims))},
    samples="permute",
)
op(
    "swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)",
    composite=lambda self, axis0, axis1: self.transpose(axis0, axis1),
    samples="transpose",
)
op(
    "swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor(a!)",
    composite=lambda self, axis0, axis1: self.transpose_(axis0, axis1),
    variants="method",
    samples="transpose",
)
op(
    "swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
    composite=lambda self, dim0, dim1: self.transpose(dim0, dim1),
    samples="transpose",
)
op(
    "swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)",
    composite=lambda self, dim0, dim1: self.transpose_(dim0, dim1),
    variants="method",
    samples="transpose",
)


def _movedim(self: Any, source: Any, destination: Any) -> Any:
    if isinstance(source, int):
        source, destination = (source,), (destination,)
    n = self.dim()
    if len(source) != len(destination):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({list(source)} dims) should "
            "contain the same number of dims as destination "
            f"({list(destination)} dims)"
        )
    src = [wrap_dim(d, n) for d in source]
    dst = [wrap_dim(d, n) for d in destination]
    if len(set(src)) != len(src):
        raise RuntimeError(f"movedim: repeated dim in `source` ({list(source)})")
    if len(set(dst)) != len(dst):
        raise RuntimeError(f"movedim: repeated dim in `destination` ({list(destination)})")
    if n == 0:
        return ops.alias(self)
    order = [-1] * n
    for s, d in zip(src, dst, strict=True):
        order[d] = s
    rest = iter([d for d in range(n) if d not in src])
    return self.permute([next(rest) if d < 0 else d for d in order])


for _name in ("movedim", "moveaxis"):
    op(
        f"{_name}.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)",
        composite=_movedim,
        samples="movedim_intlist",
    )
    op(
        f"{_name}.int(Tensor(a) self, int source, int destination) -> Tensor(a)",
        composite=_movedim,
        samples="transpose",
    )


def _adjoint(self: Any, name: str) -> Any:
    if not self.dim():
        warn("adjoint() is deprecated on 0-D tensors. Consider using x.conj().")
        return self.conj()
    if self.dim() < 2:
        raise RuntimeError(
            f"tensor.{name} is only supported on matrices or batches of matrices. "
            f"Got {self.dim()}-D tensor."
        )
    out = self.transpose(-2, -1)
    return out.conj() if self.is_complex() else out


op(
    "adjoint(Tensor(a) self) -> Tensor(a)",
    composite=lambda self: _adjoint(self, "adjoint()"),
    samples="matrix",
)


# -- dims of size one, and of any size ----------------------------------------------------------


def _expand(self: Any, size: Sequence[int], implicit: bool) -> ViewOf:
    return ViewOf(
        *layout.expand_strides(tuple(self.shape), tuple(self.stride()), size, type_string(self))
    )


op(
    "expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)",
    view=_expand,
    variants="method",
    grad={"self": lambda g, c: g},
    samples="expand",
)
op(
    "expand_as(Tensor(a) self, Tensor other) -> Tensor(a)",
    composite=lambda self, other: self.expand(other.shape),
    variants="method",
    samples="expand_as",
)
op(
    "broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)",
    composite=lambda self, size: self.expand(size),
    samples="expand",
)


def _squeeze(self: Any, dim: Any = None) -> ViewOf:
    shape, strides = self.shape, self.stride()
    n = len(shape)
    if dim is None:
        keep = [i for i in range(n) if shape[i] != 1]
    elif isinstance(dim, int):
        d = wrap_dim(dim, n)
        if not n or shape[d] != 1:
            return ViewOf(tuple(shape), tuple(strides))
        keep = [i for i in range(n) if i != d]
    else:
        drop = unique_dims(dim, n)
        keep = [i for i in range(n) if shape[i] != 1 or i not in drop]
    return ViewOf(tuple([shape[i] for i in keep]), tuple([strides[i] for i in keep]))


def _unsqueeze(self: Any, dim: int) -> ViewOf:
    shape, strides = tuple(self.shape), tuple(self.stride())
    n = len(shape)
    d = wrap_dim(dim, n + 1)
    step = 1 if d == n else shape[d] * strides[d]
    return ViewOf((*shape[:d], 1, *shape[d:]), (*strides[:d], step, *strides[d:]))


def _unsqueezed(g: Any, shape: Sequence[int], dims: Any) -> Any:
    """The gradient of ``squeeze``: the dimensions that it took away are there again."""
    n = len(shape)
    if not n:
        return g
    wrapped = range(n) if dims is None else [d % n for d in dims]
    return with_ones(g, [d for d in wrapped if shape[d] == 1])


op(
    "squeeze(Tensor(a) self) -> Tensor(a)",
    view=_squeeze,
    inplace=True,
    grad={"self": lambda g, c: _unsqueezed(g, c.self.shape, None)},
    samples="squeeze",
)
op(
    "squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)",
    view=_squeeze,
    inplace=True,
    grad={"self": lambda g, c: _unsqueezed(g, c.self.shape, (c.dim,))},
    samples="squeeze_dim",
)
op(
    "squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)",
    view=_squeeze,
    inplace=True,
    grad={"self": lambda g, c: _unsqueezed(g, c.self.shape, c.dim)},
    samples="squeeze_dims",
)
op(
    "unsqueeze(Tensor(a) self, int dim) -> Tensor(a)",
    view=_unsqueeze,
    inplace=True,
    grad={"self": lambda g, c: g.squeeze(c.dim)},
    samples="unsqueeze",
)


# -- a part of the elements ---------------------------------------------------------------------


def _select(self: Any, dim: int, index: int) -> ViewOf:
    shape, strides = tuple(self.shape), tuple(self.stride())
    if not shape:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    d = wrap_dim(dim, len(shape))
    size = shape[d]
    if not -size <= index < size:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(shape)} "
            f"at dimension {d}"
        )
    at = index + size if index < 0 else index
    return ViewOf(shape[:d] + shape[d + 1 :], strides[:d] + strides[d + 1 :], at * strides[d])


def slice_bounds(start: int | None, end: int | None, size: int) -> tuple[int, int]:
    """Start and end of a slice, wrapped and clamped to ``0 <= start <= end <= size``."""
    lo = 0 if start is None else start
    hi = size if end is None else end
    if lo < 0:
        lo += size
    if hi < 0:
        hi += size
    lo = 0 if lo < 0 else min(lo, size)
    return lo, lo if hi < lo else min(hi, size)


def _slice(self: Any, dim: int, start: int | None, end: int | None, step: int) -> ViewOf:
    shape, strides = tuple(self.shape), tuple(self.stride())
    if not shape:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    d = wrap_dim(dim, len(shape))
    if step <= 0:
        raise RuntimeError("slice step must be positive")
    lo, hi = slice_bounds(start, end, shape[d])
    return ViewOf(
        (*shape[:d], (hi - lo + step - 1) // step, *shape[d + 1 :]),
        (*strides[:d], strides[d] * step, *strides[d + 1 :]),
        lo * strides[d],
    )


def _slice_grad(g: Any, c: Any) -> Any:
    return ops.slice_backward(
        g,
        c.self.shape,
        c.dim,
        0 if c.start is None else c.start,
        9223372036854775807 if c.end is None else c.end,
        c.step,
    )


op(
    "select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)",
    view=_select,
    grad={"self": lambda g, c: ops.select_backward(g, c.self.shape, c.dim, c.index)},
    samples="select",
)
op(
    "slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, "
    "SymInt step=1) -> Tensor(a)",
    view=_slice,
    variants="",
    grad={"self": _slice_grad},
    samples="slice",
)


def _narrow(self: Any, dim: int, start: Any, length: int) -> Any:
    shape = self.shape
    if not shape:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    d = wrap_dim(dim, len(shape))
    size = shape[d]
    if not -size <= start <= size:
        raise IndexError(
            f"start out of range (expected to be in range of [{-size}, {size}], but got {start})"
        )
    if start < 0:
        start += size
    if start > size - length:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return ops.slice(self, d, start, start + length, 1)


def _narrow_tensor(self: Any, dim: int, start: Any, length: int) -> Any:
    kind = start.dtype
    if start.dim() or kind.is_floating_point or kind.is_complex or kind.name == "bool":
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    return _narrow(self, dim, int(start.item()), length)


op(
    "narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)",
    composite=_narrow,
    samples="narrow",
)
op(
    "narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)",
    composite=_narrow_tensor,
    samples="narrow_tensor",
)


def _diagonal(self: Any, offset: int, dim1: int, dim2: int) -> ViewOf:
    shape, strides = tuple(self.shape), tuple(self.stride())
    n = len(shape)
    a, b = wrap_dim(dim1, n), wrap_dim(dim2, n)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    if offset >= 0:
        size = max(min(shape[a], shape[b] - offset), 0)
        start = offset * strides[b]
    else:
        size = max(min(shape[a] + offset, shape[b]), 0)
        start = -offset * strides[a]
    rest = [i for i in range(n) if i not in (a, b)]
    return ViewOf(
        (*(shape[i] for i in rest), size),
        (*(strides[i] for i in rest), strides[a] + strides[b]),
        start if size else 0,
    )


op(
    "diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)",
    view=_diagonal,
    grad={"self": lambda g, c: ops.diagonal_backward(g, c.self.shape, c.offset, c.dim1, c.dim2)},
    samples="diagonal",
)


# -- windows ------------------------------------------------------------------------------------


def _as_strided(
    self: Any, size: Sequence[int], stride: Sequence[int], storage_offset: int | None
) -> ViewOf:
    base = self.storage_offset()
    start = base if storage_offset is None else storage_offset
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if any(s < 0 for s in stride):
        raise RuntimeError(
            "as_strided: Negative strides are not supported at the moment, "
            f"got strides: {list(stride)}"
        )
    if start < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {start}")
    if any(s < 0 for s in size):
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={list(size)} "
            f"and strides={list(stride)}"
        )
    if 0 not in size:
        item = self.dtype.itemsize
        last = start + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
        room = self.untyped_storage().nbytes()
        if (last + 1) * item > room:
            raise RuntimeError(
                f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {start}, "
                f"and itemsize {item} requiring a storage size of {(last + 1) * item} are out of "
                f"bounds for storage of size {room}"
            )
    return ViewOf(tuple(size), tuple(stride), start - base)


def _as_strided_grad(g: Any, c: Any) -> Any:
    start = c.self.storage_offset()
    return as_strided_backward(
        g,
        (tuple(c.self.shape), tuple(c.self.stride()), start),
        (tuple(c.size), tuple(c.stride), start if c.storage_offset is None else c.storage_offset),
    )


def as_strided_backward(g: Any, inner: Any, outer: Any) -> Any:
    """Gradient of a view of any geometry: sum into the storage, then read the input's elements.

    Written with index ops on a flat stand-in of the storage, so elements that the view shows
    twice are summed, and an input that shows one twice gets the mean, as in torch.
    """
    if 0 in inner[0]:
        return g.new_zeros(inner[0])
    low = min(inner[2], outer[2])

    def span(shape: Any, strides: Any, offset: int) -> int:
        if 0 in shape:
            return 0
        return offset - low + 1 + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))

    room = max(span(*inner), span(*outer))
    places = ops.arange(room, device=g.device)

    def where(shape: Any, strides: Any, offset: int) -> Any:
        return places.as_strided(shape, strides, offset - low).reshape((-1,))

    flat = g.new_zeros((room,))
    if 0 not in outer[0]:
        flat = flat.index_add(0, where(*outer), g.reshape((-1,)))
    at = where(*inner)
    if _overlaps(inner[0], inner[1]):
        ones = g.new_ones((numel_of(inner[0]),))
        count = g.new_zeros((room,)).index_add(0, at, ones)
        flat = flat / count.clamp(min=1)
    return flat.index_select(0, at).reshape(inner[0])


def _overlaps(shape: Sequence[int], strides: Sequence[int]) -> bool:
    end = 0
    for stride, size in sorted(zip(strides, shape, strict=True)):
        if size > 1:
            if stride <= end:
                return True
            end += stride * (size - 1)
    return False


op(
    "as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None)"
    " -> Tensor(a)",
    view=_as_strided,
    inplace=True,
    grad={"self": _as_strided_grad},
    samples="as_strided",
)


def _unfold(self: Any, dimension: int, size: int, step: int) -> ViewOf:
    shape, strides = tuple(self.shape), tuple(self.stride())
    d = wrap_dim(dimension, len(shape))
    room = shape[d] if shape else 1
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > room:
        raise RuntimeError(f"maximum size for tensor at dimension {d} is {room} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    if not shape:
        return ViewOf((size,), (1,))
    return ViewOf(
        (*shape[:d], (room - size) // step + 1, *shape[d + 1 :], size),
        (*strides[:d], strides[d] * step, *strides[d + 1 :], strides[d]),
    )


op(
    "unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)",
    view=_unfold,
    variants="method",
    grad={"self": lambda g, c: ops.unfold_backward(g, c.self.shape, c.dimension, c.size, c.step)},
    samples="unfold",
)
