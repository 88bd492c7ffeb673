"""Whether any, whether all, and how many elements are not zero."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import bool_, int64, uint8

from mindtorch.aten.reduction import keep
from mindtorch.call.elementwise_meta import UNSIGNED, refuse
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
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
    def kernel(self: Any, dim: Any = None, keepdim: bool = False) -> Any:
        axes = tuple(range(self.ndim)) if dim is None else dim
        if isinstance(axes, int):
            axes = (axes,)
        axes = tuple(sorted(wrap_dim(d, self.ndim) for d in axes)) if self.ndim else ()
        values = self if self.dtype.kind == "b" else self != 0
        out = contiguous(np.asarray(ufunc.reduce(values, axes)))
        out = keep(out, self.shape, axes, keepdim)
        if self.dtype.char == "B":
            return out.astype(np.uint8)
        return out.copy() if out is values else out

    return kernel


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
    _kernel = _truth(_ufunc)
    op(
        f"{_name}(Tensor self) -> Tensor",
        says=_says,
        meta=_truth_meta,
        kernel=_kernel,
        reduces=_ufunc,
        out=_form(_name, "all_out"),
        half=False,
        batch=("reduced_by", f"{_name}.dim"),
        samples="full",
    )
    op(
        f"{_name}.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
        meta=_truth_meta,
        kernel=_kernel,
        reduces=_ufunc,
        out=_form(_name, "out"),
        half=False,
        samples="one_dim",
    )
    op(
        f"{_name}.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
        meta=_truth_meta,
        kernel=_kernel,
        reduces=_ufunc,
        out=_form(_name, "dims_out"),
        half=False,
        samples="dims",
    )


def _count_nonzero(self: Any, dim: Any) -> Any:
    axes = all_dims(dim, self.ndim)
    out = np.count_nonzero(self, axis=axes) if axes else (self != 0)
    return np.array(out, np.int64, order="C")


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
    kernel=_count_nonzero,
    half=False,
    samples="count_dims",
)
op(
    "count_nonzero(Tensor self, int? dim=None) -> Tensor",
    meta=_count_meta,
    kernel=_count_nonzero,
    half=False,
    samples="count",
)
