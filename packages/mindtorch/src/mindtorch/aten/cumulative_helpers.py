"""What ``cummax``, ``cummin`` and ``logcumsumexp`` call in torch, for programs that call it, too.

And ``_aminmax``, which was ``aminmax`` once.
"""

from __future__ import annotations

from typing import Any

from mindtorch_storage.dtype import int64

from ..call.forms import OutForm
from ..call.row import op
from ..core.dims import scalar_name
from ..core.operators import ops
from ..core.warning import warn_once
from .derivatives import not_implemented_for

__all__: list[str] = []


def _helper(name: str) -> Any:
    def written(self: Any, values: Any, indices: Any, dim: int) -> None:
        found = getattr(ops, name)(self, dim)
        for target, dtype in ((values, self.dtype), (indices, int64)):
            if target.dtype is not dtype:
                raise RuntimeError(
                    f"expected scalar type {scalar_name(dtype)} but found "
                    f"{scalar_name(target.dtype)}"
                )
            if target.shape != self.shape:
                raise RuntimeError(
                    f"_{name}_helper: expected results of shape {list(self.shape)}, but got "
                    f"{list(target.shape)}"
                )
        values.copy_(found[0])
        indices.copy_(found[1])

    return written


for _name in ("cummax", "cummin"):
    op(
        f"_{_name}_helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()",
        says=f"Write what `{_name}` finds into tensors of the shape of the first.",
        composite=_helper(_name),
        kinds={"functional": "backends", "inplace": "backends"},
        grad=not_implemented_for(f"_{_name}_helper", "self", "values"),
        variants="function",
        tags=("not_in_place_or_view: inplace",),
    )
op(
    "_logcumsumexp(Tensor self, int dim) -> Tensor",
    says="Return the logarithm of the running sum of exponentials along a dimension.",
    composite=lambda self, dim: ops.logcumsumexp(self, dim),
    out_kernel=lambda target, self, dim: ops.logcumsumexp(self, dim, out=target),
    kinds={"functional": "backends", "out": "backends"},
    grad=not_implemented_for("_logcumsumexp", "self"),
    variants="function",
    out=True,
)


def _aminmax(self: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    warn_once(
        "_aminmax is deprecated as of PyTorch 1.11 and will be removed in a future release. Use "
        "aminmax instead. This warning will only appear once per process.",
        "_aminmax" if dim is None else "_aminmax.dim",
    )
    return tuple(ops.aminmax(self, dim=dim, keepdim=keepdim))


for _schema, _out in (
    ("_aminmax(Tensor self)", "out"),
    ("_aminmax.dim(Tensor self, int dim, bool keepdim=False)", "dim_out"),
):
    op(
        f"{_schema} -> (Tensor, Tensor)",
        says="Return the smallest and the largest element: the older form of `aminmax`.",
        composite=_aminmax,
        kinds={"functional": "backends", "out": "explicit"},
        grad=not_implemented_for("_aminmax", "self"),
        variants="function",
        out=OutForm(_out, function=False),
        samples="old_aminmax" if _out == "out" else "old_aminmax_dim",
        tags=("loops: functional",),
    )
