"""Whether any, whether all, and how many elements are not zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import bool_, int64, uint8

from mindtorch.aten.summation import MANY
from mindtorch.call.elementwise_meta import UNSIGNED, refuse
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.copies import cast
from mindtorch.core.dims import all_dims, contiguous, reduced_shape, wrap_dim

__all__: list[str] = []


def _form(name: str, overload: str) -> OutForm:
    """torch takes a target of either kind of truth."""
    text = f"{name} only supports bool tensor for result, got: {{out}}"
    return OutForm(overload, dtype="truth", text=text)


def _truth_dtype(self: Any) -> Any:
    # uint8 was torch's boolean once, and still gives uint8 here.
    return uint8 if self.dtype is uint8 else bool_


def _truth(ufunc: Any) -> Any:
    def prepare(self: Any, dim: Any = None, keepdim: bool = False) -> Callable[..., Any]:
        axes = tuple(range(self.ndim)) if dim is None else dim
        if isinstance(axes, int):
            axes = (axes,)
        axes = tuple(sorted(wrap_dim(d, self.ndim) for d in axes)) if self.ndim else ()
        shape, reduce = reduced_shape(self.shape, axes, keepdim), ufunc.reduce
        result = np.dtype(np.uint8) if self.dtype.char == "B" else np.dtype(bool)
        if not axes:
            return lambda self, *_: cast(self, np.bool_).astype(result, "C").reshape(shape)
        compares = self.dtype.kind != "b" and self.size >= MANY
        whole, empty, boolean = len(axes) == self.ndim, np.empty, np.dtype(bool)

        def kernel(self: Any, *_: Any) -> Any:
            if compares:  # sooner than a cast of each number within the reduction
                self = self != 0
            if whole:
                out = reduce(self, None, boolean, empty((), boolean))
            else:
                out = contiguous(reduce(self, axes, boolean))
            if result is not boolean:
                out = out.astype(result)
            return out.reshape(shape)

        return kernel

    return prepare


def _truth_meta(self: Any, dim: Any = None, keepdim: bool = False) -> Out:
    shape = self.shape
    n = len(shape)
    if dim is None or isinstance(dim, int):
        axes = tuple(range(n)) if dim is None else (wrap_dim(dim, n),)
    else:
        axes = all_dims(dim, n) if dim else ()
    return Out(reduced_shape(shape, axes, keepdim), _truth_dtype(self))


for _name, _ufunc, _says in (
    (
        "any",
        np.logical_or,
        """Return whether any element is nonzero, of the whole tensor or along dimensions.

        >>> torch.any(torch.tensor([[False, True], [False, False]]), dim=1)
        tensor([ True, False])
        """,
    ),
    (
        "all",
        np.logical_and,
        """Return whether all elements are nonzero, of the whole tensor or along dimensions.

        >>> torch.all(torch.tensor([[True, True], [False, True]]), dim=1)
        tensor([ True, False])
        """,
    ),
):
    _prepare = _truth(_ufunc)
    op(
        f"{_name}(Tensor self) -> Tensor",
        says=_says,
        meta=_truth_meta,
        prepare=_prepare,
        out=_form(_name, "all_out"),
        reduces=_ufunc,
        half=False,
        samples="all_elements",
        batch=("reduced_by", f"{_name}.dim"),
    )
    op(
        f"{_name}.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
        meta=_truth_meta,
        prepare=_prepare,
        out=_form(_name, "out"),
        reduces=_ufunc,
        half=False,
        samples="one_dim",
    )
    op(
        f"{_name}.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
        meta=_truth_meta,
        prepare=_prepare,
        out=_form(_name, "dims_out"),
        reduces=_ufunc,
        half=False,
        samples="dims",
    )


def _all_of(name: str, line: int) -> Callable[[Any], Any]:
    def composite(self: Any) -> Any:
        if self.dtype is not bool_:
            raise RuntimeError(
                "self.scalar_type() == at::kBool INTERNAL ASSERT FAILED at "
                f'"/__w/pytorch/pytorch/aten/src/ATen/native/ReduceOps.cpp":{line}, please report '
                "a bug to PyTorch. "
            )
        return getattr(self, name)()

    return composite


for _name, _base, _line in (("_is_all_true", "all", 2144), ("_is_any_true", "any", 2148)):
    op(
        f"{_name}(Tensor self) -> Tensor",
        says=f"Return whether {_base} elements of a tensor of bools are true.",
        composite=_all_of(_base, _line),
        kinds={"functional": "explicit"},
        samples="truths",
    )


def _prepare_count_nonzero(self: Any, dim: Any) -> Callable[..., Any]:
    axes, count, int64 = all_dims(dim, self.ndim), np.count_nonzero, np.dtype(np.int64)
    add, array = np.add.reduce, np.array
    if not axes:
        return lambda self, _: np.asarray(self != 0).astype(int64)
    if len(axes) == self.ndim:
        return lambda self, _: array(count(self), int64)
    return lambda self, _: contiguous(add(self != 0, axes, int64))


def _count_meta(self: Any, dim: Any) -> Out:
    shape = self.shape
    if dim is None:
        refuse(self.dtype, {"nonzero_count_cpu": UNSIGNED}, self)
    return Out(reduced_shape(shape, all_dims(dim, len(shape)), False), int64)


op(
    "count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor",
    says="""Count the elements that are not zero.

    >>> torch.count_nonzero(torch.tensor([[0, 1], [2, 3]]), dim=0)
    tensor([1, 2])
    """,
    meta=_count_meta,
    prepare=_prepare_count_nonzero,
    half=False,
    samples="count_dims",
    tags=("joins: sum",),
)
op(
    "count_nonzero(Tensor self, int? dim=None) -> Tensor",
    meta=_count_meta,
    prepare=_prepare_count_nonzero,
    half=False,
    samples="count",
    tags=("joins: sum",),
)
