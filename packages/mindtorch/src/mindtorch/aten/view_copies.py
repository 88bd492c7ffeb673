"""The ``*_copy`` forms of view ops: the same numbers in fresh, contiguous memory.

Each is derived from its view's row. Functionalization without views (``torch.func.functionalize``
with ``remove="mutations_and_views"``) calls them in place of the views.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from mindtorch_autograd import no_grad
from mindtorch_storage import layout
from mindtorch_storage.layout import contiguous_strides

from ..call.device_checks import refuse_apart
from ..call.row import ROWS, Out, Row, ViewOf, copy_name, op
from ..core.dims import element_strides
from ..core.errors import out_dtype
from ..core.meta_errors import copy_across_devices
from ..core.operators import ops
from ..core.signature import CONJ
from ..tensor.array_memory import strided_view
from ..tensor.construction import wrap
from ..tensor.resizing import resize_out
from ..tensor.tensor_impl import alias_of
from . import as_strided, complex_parts, expansion, permutation, slicing, split, view  # noqa: F401  (their rows)
from .derivatives import not_implemented_for
from .expansion import expand_view

__all__: list[str] = []

#: Tags of views, and what they are on their copying forms.
_TAGS = {
    "of_storage": "of_storage",
    "real_copy": "real_only",
    "loops: copy": "loops: functional",
}


def _schema(row: Row) -> str:
    text = row.schema.replace("Tensor(a -> *)", "Tensor").replace("Tensor(a)", "Tensor")
    return copy_name(row.name) + text[text.index("(") :]


def _prepared(seen: Callable[..., Any]) -> Callable[..., Callable[..., Any]]:
    """``prepare`` of a copy of what *seen* says: where it lies is asked once for each layout."""

    def prepare(self: Any, *rest: Any) -> Callable[..., Any]:
        spec = seen(wrap(self), *rest)
        if type(spec) is ViewOf:
            copied = _copier(self, spec)
            return lambda self, *_: copied(self)
        copies = [_copier(self, s) for s in spec]
        return lambda self, *_: tuple([copied(self) for copied in copies])

    return prepare


def _copier(self: Any, spec: ViewOf) -> Callable[[Any], Any]:
    """What copies the part that *spec* says, of arrays like *self*."""
    part = _looker(self, spec)
    if spec.flips:
        flip = np.conjugate if spec.flips & CONJ else np.negative
        return lambda a: flip(part(a), order="C")
    return lambda a: part(a).copy()


def _looker(self: Any, spec: ViewOf) -> Callable[[Any], Any]:
    """What looks at the part that *spec* says."""
    dtype, item = None if spec.dtype is None else spec.dtype.np, self.itemsize
    shape, strides, offset = tuple(spec.shape), tuple(spec.strides), spec.offset
    some = self.size and math.prod(shape)
    same = some and dtype is None and not offset and math.prod(shape) == self.size
    if same and strides == element_strides(self) and shape == self.shape:
        return lambda a: a
    if same and self.flags.c_contiguous and strides == contiguous_strides(shape):
        return lambda a: a.reshape(shape)
    own = self.dtype if dtype is None else dtype
    start, steps = offset * item, tuple([s * own.itemsize for s in strides])
    end = start + sum([s * (n - 1) for s, n in zip(steps, shape, strict=True)]) + own.itemsize
    if some and start >= 0 and end <= self.nbytes and own.char in "?bBhHiIlLqQefdFD":
        array = np.ndarray
        if self.flags.c_contiguous:
            return lambda a: array(shape, own, a, start, steps)
        if self.flags.f_contiguous:
            return lambda a: array(shape, own, a.T, start, steps)
    return lambda a: strided_view(a, shape, strides, offset, dtype, item)


def _meta(seen: Callable[..., Any]) -> Callable[..., Any]:
    def meta(self: Any, *rest: Any) -> Any:
        spec = seen(self, *rest)
        if type(spec) is ViewOf:
            negative = next((n for n in spec.shape if n < 0), None)
            if negative is not None:
                raise RuntimeError(
                    f"Trying to create tensor with negative dimension {negative}: "
                    f"{list(spec.shape)}"
                )
            return Out(spec.shape, spec.dtype or self.dtype)
        return tuple([Out(s.shape, s.dtype or self.dtype) for s in spec])

    return meta


def _prepare_reshaped(self: Any, size: Any) -> Callable[..., Any]:
    shape = layout.infer_size(size, self.size)
    return lambda self, size: self.reshape(shape).copy()


def _reshaped_meta(self: Any, size: Any) -> Out:
    return Out(layout.infer_size(size, self.numel()), self.dtype)


def _derive() -> None:
    for name, row in list(ROWS.items()):
        if row.copies is None:
            continue
        assert row.view is not None
        # A copy goes where no view can.
        copies = name == "view"
        seen = partial(expand_view, copies=True) if name == "expand" else row.view
        op(
            _schema(row),
            says=f"Return a copy of what :func:`{row.base}` shows, in memory of its own.",
            meta=_reshaped_meta if copies else _meta(seen),
            prepare=_prepare_reshaped if copies else _prepared(seen),
            half=False,
            grad=not_implemented_for("detach_copy", "self") if name == "detach" else row.grad,
            out=row.copies if row.copies.meta else row.copies._replace(meta="exact"),
            variants="function" if row.samples else "",
            node=row.node,
            batch=("copy_of", "reshape" if copies else name),
            samples=row.samples,
            tags=(
                "out_has_no_formula",
                *[copied for tag, copied in _TAGS.items() if tag in row.tags],
            ),
        )


_derive()


# Into a list of given tensors ---------------------------------------------------------------------


def _into(name: str, overload: str, refuses: str, resizes: bool) -> Callable[..., None]:
    """The composite of the form that writes the parts of view op *name* into a list of tensors.

    :param refuses: torch's text for a list of another length, up to the numbers.
    :param resizes: give each its part's shape, and refuse other dtypes and devices.

    Source: torch aten/src/ATen/native/TensorShape.cpp.
    """

    def composite(*args: Any) -> None:
        *given, out = args
        if resizes:
            refuse_apart(overload, args)
        with no_grad():
            made = getattr(ops, name)(*given)
            if len(made) != len(out):
                raise RuntimeError(
                    f"{refuses} expected an out= argument of size {len(made)}, got size {len(out)}"
                )
            for part, target in zip(made, out, strict=True):
                if resizes:
                    _refuse_target(part, target)
                    if target.shape != part.shape:
                        resize_out(target, Out(part.shape, part.dtype))
                        alias_of(target).value += 1
                target.copy_(part)

    return composite


def _refuse_target(part: Any, target: Any) -> None:
    if part.dtype is not target.dtype:
        raise out_dtype(part.dtype, target.dtype)
    if part.device != target.device:
        raise copy_across_devices(part.device, target.device)


for _schema_text, _view, _refuses, _resizes in (
    (
        "split_copy.Tensor_out(Tensor self, SymInt split_size, int dim=0",
        "split",
        "split_copy_Tensor_out()",
        False,
    ),
    (
        "split_with_sizes_copy.out(Tensor self, SymInt[] split_sizes, int dim=0",
        "split_with_sizes",
        "split_with_sizes_copy_out",
        True,
    ),
    ("unbind_copy.int_out(Tensor self, int dim=0", "unbind", "unbind_copy_int_out", True),
):
    op(
        f"{_schema_text}, *, Tensor(a!)[] out) -> ()",
        composite=_into(_view, "aten::" + _schema_text.partition("(")[0], _refuses, _resizes),
        variants="function",
    )
