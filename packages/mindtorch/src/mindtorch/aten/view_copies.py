"""The ``*_copy`` forms of view ops: the same numbers in fresh, contiguous memory.

Each is derived from its view's row. Functionalization without views (``torch.func.functionalize``
with ``remove="mutations_and_views"``) calls them in place of the views.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from mindtorch_storage import layout

from ..backends.window import window
from ..call.derived_forms import COPIES, copy_name
from ..call.row import ROWS, Out, Row, ViewOf, op
from ..core.signature import CONJ, NEG
from ..tensor.construction import wrap
from . import complex_parts, expansion, parts, permutation, split, view, windows  # noqa: F401  (their rows)
from .derivatives import not_implemented_for
from .expansion import expand_view

__all__: list[str] = []


def _schema(row: Row) -> str:
    text = row.schema.replace("Tensor(a -> *)", "Tensor").replace("Tensor(a)", "Tensor")
    return copy_name(row.name) + text[text.index("(") :]


def _kernel(seen: Callable[..., Any]) -> Callable[..., Any]:
    def kernel(self: Any, *rest: Any) -> Any:
        base = wrap(self)
        spec = seen(base, *rest)
        if type(spec) is ViewOf:
            return _copied(base, spec)
        return tuple([_copied(base, s) for s in spec])

    return kernel


def _copied(base: Any, spec: ViewOf) -> Any:
    a = window(base, spec)._a
    if spec.flips & CONJ:
        return np.conjugate(a, order="C")
    if spec.flips & NEG:
        return np.negative(a, order="C")
    return a.copy(order="C")


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


def _reshaped(self: Any, size: Any) -> Any:
    return self.reshape(layout.infer_size(size, self.size)).copy(order="C")


def _reshaped_meta(self: Any, size: Any) -> Out:
    return Out(layout.infer_size(size, self.numel()), self.dtype)


def _derive() -> None:
    for name, out in COPIES.items():
        row = ROWS[name]
        assert row.view is not None
        # A copy goes where no view can.
        copies = name == "view"
        seen = partial(expand_view, copies=True) if name == "expand" else row.view
        op(
            _schema(row),
            says=f"Return a copy of what :func:`{row.base}` shows, in memory of its own.",
            meta=_reshaped_meta if copies else _meta(seen),
            kernel=_reshaped if copies else _kernel(seen),
            half=False,
            grad=not_implemented_for("detach_copy", "self") if name == "detach" else row.grad,
            out=out,
            variants="function" if row.samples else "",
            samples=row.samples,
            tags=("explicit",),
        )


_derive()
