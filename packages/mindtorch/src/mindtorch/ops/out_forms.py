"""``out=`` forms that torch writes as another op's ``out=`` form.

``torch.vstack(x, out=y)`` is ``torch.cat(…, out=y)``: the refusals, warnings, casts and versions
are those of the op inside. Each form takes all arguments of the ``out`` overload in its order.
Rows without a form here compute and copy (composites) or run their kernel into the target.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..calls import OVERLOADS, run
from ..resizing import resize_out
from ..warning import warn
from .call import ops
from .dims import all_dims, scalar_name
from .row import Out
from .scatter import along_dim

__all__ = ["OUT_FORMS"]


def into(name: str, *args: Any) -> Any:
    """Run the ``out`` overload *name* with all its arguments."""
    return run(OVERLOADS["aten::" + name], args)


def _fresh(out: Any, dtype: Any) -> Any:
    """A target for a result that the caller does not want."""
    return ops.empty((0,), dtype=dtype, device=out.device)


def _stacked(prepare: Callable[[Any], tuple[list[Any], int]], name: str) -> Callable[..., Any]:
    def form(tensors: Any, out: Any) -> Any:
        if not tensors:
            raise RuntimeError(f"{name} expects a non-empty TensorList")
        parts, dim = prepare(tensors)
        return into("cat.out", parts, dim, out)

    return form


def _rows(tensors: Any) -> tuple[list[Any], int]:
    parts = [t.reshape((1,)) if not t.dim() else t for t in tensors]
    return parts, 0 if parts[0].dim() == 1 else 1


def _columns(tensors: Any) -> tuple[list[Any], int]:
    return _rows([t.reshape((t.numel(), 1)) if t.dim() <= 1 else t for t in tensors])


def _at_least_2d(tensors: Any) -> tuple[list[Any], int]:
    return [t.reshape((1, t.numel())) if t.dim() < 2 else t for t in tensors], 0


def _at_least_3d(tensors: Any) -> tuple[list[Any], int]:
    parts = [t.reshape((1, t.numel())) if t.dim() < 2 else t for t in tensors]
    return [t.unsqueeze(-1) if t.dim() == 2 else t for t in parts], 2


def _msort(self: Any, out: Any) -> Any:
    indices = _fresh(out, ops.int64)
    into("sort.values_stable", self, False, 0, False, out, indices)
    return out


def _argsort(self: Any, stable: bool, dim: int, descending: bool, out: Any) -> Any:
    values = _fresh(out, self.dtype)
    into("sort.values_stable", self, stable, dim, descending, values, out)
    return out


def _cross(self: Any, other: Any, dim: int | None, out: Any) -> Any:
    if dim is None:
        dim = next((d for d, size in enumerate(self.shape) if size == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return into("linalg_cross.out", self, other, dim, out)


def _outer(self: Any, vec2: Any, out: Any) -> Any:
    for name, x in (("self", self), ("vec2", vec2)):
        if x.dim() != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {x.dim()}-D")
    return into("mul.out", self.reshape((self.shape[0], 1)), vec2, out)


def _ger(self: Any, vec2: Any, out: Any) -> Any:
    warn(
        "torch.ger is deprecated and will be removed in a future PyTorch release. "
        "Use torch.outer instead."
    )
    return _outer(self, vec2, out)


def _inner(self: Any, other: Any, out: Any) -> Any:
    _same_place(self, out, "DeviceType", "inner()")
    if not self.dim() or not other.dim():
        return into("mul.out", self, other, out)
    if self.dtype == other.dtype and self.shape[-1] != other.shape[-1]:
        ops.inner(self, other)  # says it
    return into("tensordot.out", self, other, (-1,), (-1,), out)


def _tensordot(self: Any, other: Any, dims_self: Any, dims_other: Any, out: Any) -> Any:
    """torch aten/src/ATen/native/Linear.cpp: computed, then copied, history included."""
    result = into("tensordot", self, other, dims_self, dims_other)
    if not self.device == other.device == out.device:
        raise RuntimeError(
            "tensordot: Expected the output and input tensors to be on the same device, but got "
            f"the output tensor on {out.device}, input tensor a on {self.device}, and input "
            f"tensor b on {other.device}"
        )
    if result.dtype != out.dtype:
        raise RuntimeError(
            f"tensordot: Expected the output tensor to have dtype {scalar_name(result.dtype)}, "
            f"but got an output tensor with dtype {scalar_name(out.dtype)}"
        )
    resize_out(out, Out(tuple(result.shape), result.dtype))
    return out.copy_(result)


def _same_place(self: Any, out: Any, what: str, name: str) -> None:
    if out.device != self.device:
        raise RuntimeError(
            f"Expected tensor to have {self.device} {what}, but got tensor with {out.device} "
            f"{what} (while checking arguments for {name})"
        )


def _take_along_dim(self: Any, indices: Any, dim: int | None, out: Any) -> Any:
    _same_place(self, out, "Device", "torch.take_along_dim():")
    if dim is None:
        return into("gather.out", self.reshape((-1,)), 0, indices.reshape((-1,)), False, out)
    return into("gather.out", *along_dim(self, indices, dim), False, out)


def _likelihood(name: str) -> Callable[..., Any]:
    def form(
        self: Any, target: Any, weight: Any, reduction: int, ignore_index: int, out: Any
    ) -> Any:
        total = _fresh(out, self.dtype)
        into(f"{name}.output", self, target, weight, reduction, ignore_index, out, total)
        return out

    return form


def _nanmean(self: Any, dim: Any, keepdim: bool, dtype: Any, out: Any) -> Any:
    if not (self.is_floating_point() or self.is_complex()):
        ops.nanmean(self)  # says it
    axes = all_dims(dim, self.dim())
    count = self.isnan().logical_not().sum(axes, keepdim)
    into("nansum.out", self, dim, keepdim, dtype, out)
    return out.div_(count)


#: Row -> its ``out=`` form.
OUT_FORMS: dict[str, Callable[..., Any]] = {
    "argsort.stable": _argsort,
    "column_stack": _stacked(_columns, "column_stack"),
    "cross": _cross,
    "dstack": _stacked(_at_least_3d, "dstack"),
    "ger": _ger,
    "hstack": _stacked(_rows, "hstack"),
    "inner": _inner,
    "max.other": lambda self, other, out: into("maximum.out", self, other, out),
    "min.other": lambda self, other, out: into("minimum.out", self, other, out),
    "msort": _msort,
    "nanmean": _nanmean,
    "nll_loss": _likelihood("nll_loss_forward"),
    "nll_loss2d": _likelihood("nll_loss2d_forward"),
    "outer": _outer,
    "row_stack": _stacked(_at_least_2d, "row_stack"),
    "tensordot": _tensordot,
    "take_along_dim": _take_along_dim,
    "vstack": _stacked(_at_least_2d, "vstack"),
}
