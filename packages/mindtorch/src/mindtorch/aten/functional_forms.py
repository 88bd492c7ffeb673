"""The functional forms of ops that are written in place first: ``zero``, ``fill``, ``copy`` …

Functionalization calls them in place of ``zero_``, ``fill_``, ``copy_``. Each is derived from the
row of the in-place op and gives a tensor like the first argument, with other numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..call.row import ROWS, Out, Row, op
from ..core.dims import numel_of
from ..core.operators import ops
from ..tensor.resizing import resize_as_
from ..tensor.set_storage import set_nothing, set_storage, set_tensor
from . import copying, randomness, sampling  # noqa: F401  (their rows are looked up below)
from .derivatives import not_implemented_for
from .factory import Sized
from .indexing import like
from .options import unfilled

__all__: list[str] = []

#: Those without a derivative, though their results require grad.
_REFUSING = {"copy": ("self", "src"), "normal_functional": ("self",)}
#: Those that are ``torch.x`` too.
_FUNCTIONS = ("fill.Scalar", "fill.Tensor")


def _schema(row: Row, name: str) -> str:
    arguments = row.schema[row.schema.index("(") :]
    return name + arguments.replace("Tensor(a!)", "Tensor")


def _meta(check: Callable[..., Any], exact: bool) -> Callable[..., Any]:
    def meta(self: Any, *rest: Any) -> Out:
        check(self, *rest)
        shape, strides = tuple(self.shape), tuple(self.stride())
        overlaps = any(n > 1 and not s for n, s in zip(shape, strides, strict=True))
        return Out(shape, self.dtype, strides) if exact and not overlaps else like(self)

    return meta


def _prepare(row: Row) -> Callable[..., Any]:
    def prepare(self: Any, *rest: Any) -> Any:
        fresh = unfilled(like(Sized(self)))
        numbers: Any = row.kernel if row.prepare is None else row.prepare(fresh(), *rest)
        if row.random:
            return numbers  # which are drawn for memory of this layout

        def kernel(self: Any, *rest: Any) -> Any:
            out = fresh()
            out[...] = numbers(self, *rest)
            return out

        return kernel

    return prepare


def _derive() -> None:
    for row in list(ROWS.values()):
        if row.functional is None:
            continue
        name, out = row.functional
        assert row.meta is not None and row.kernel is not None
        op(
            _schema(row, name),
            says=f"Return what :meth:`{row.base}` would make of the tensor, which it leaves.",
            meta=_meta(row.meta, name == "copy"),  # which keeps gaps in memory too
            prepare=_prepare(row),
            half=row.half,
            grad=not_implemented_for(name, *_REFUSING[name]) if name in _REFUSING else row.grad,
            node=row.node[0],
            out=out,
            random=row.random,
            refuses=row.refuses,
            variants="function" if name in _FUNCTIONS else "",
            samples=row.samples,
            tags=(*[t for t in row.tags if t != "keeps_bits"], "out_has_no_formula"),
        )


_derive()


def _resize_meta(self: Any, size: tuple[int, ...], memory_format: Any) -> Out:
    return Out(tuple(size), self.dtype)


def _resize(self: Any, size: tuple[int, ...], memory_format: Any) -> Any:
    """What was there, in order, then whatever the memory held."""
    out = np.empty(numel_of(size), self.dtype)
    n = min(out.size, self.size)
    out[:n] = self.reshape(-1)[:n]
    return out.reshape(size)


op(
    "resize(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor",
    meta=_resize_meta,
    kernel=_resize,
    half=False,
    variants="",
    out="out",
    samples="",
)


def _of_a_clone(change: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, *rest: change(ops.clone(self), *rest)


for _schema_text, _change in (
    (
        "resize_as(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None)",
        resize_as_,
    ),
    ("set(Tensor self)", set_nothing),
    ("set.source_Storage(Tensor self, Storage source)", set_storage),
    (
        "set.source_Storage_storage_offset(Tensor self, Storage source, SymInt storage_offset, "
        "SymInt[] size, SymInt[] stride=[])",
        set_storage,
    ),
    ("set.source_Tensor(Tensor self, Tensor source)", set_tensor),
):
    op(
        f"{_schema_text} -> Tensor",
        says="Return a copy that is changed as the method with an underscore would.",
        composite=_of_a_clone(_change),
        kinds={"functional": "explicit"},
        variants="",
        samples="",
    )
