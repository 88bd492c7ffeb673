"""Random numbers of a given shape: ``rand``, ``randn`` and their like."""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np

from ..call.forms import made
from ..call.row import Out, op
from .factory import like
from .options import OPTIONS, check_size, dtype_or_default
from .random_sampling import (
    Drawing,
    Target,
    by_place,
    check_normal,
    check_uniform,
    draw_normal,
    draw_uniform,
    target_like,
    target_of,
)

Array = np.ndarray[Any, Any]

FORMAT: Final = "MemoryFormat? memory_format=None"
SEEDED: Final = ("nondeterministic_seeded",)

__all__ = ["FORMAT", "SEEDED"]

# ------------------------------------------------------------------------- rand, randn


def _float_rows(name: str, fill: str, draw: Any, check: Any, what: str) -> None:
    """``rand`` or ``randn``: by size and like a tensor, with and without a generator."""

    def meta(size: Any, generator: Any, dtype: Any, layout: Any, device: Any, pin: Any) -> Out:
        found = dtype_or_default(dtype)
        out = Out(check_size(size, found.itemsize), found)
        check(found, device, prod(out.shape))
        return out

    def by_size(size: Any, dtype: Any, *rest: Any) -> Drawing:
        return draw(Target(tuple(size), dtype_or_default(dtype)))

    def onto(target: Any, size: Any, generator: Any, *rest: Any) -> None:
        target.resize_(check_size(size, target.element_size()))
        getattr(target, fill)(generator=generator)

    def like_meta(
        self: Any, generator: Any, dtype: Any, layout: Any, device: Any, pin: Any, fmt: Any
    ) -> Out:
        out = like(self, dtype, fmt)
        check(out.dtype, self.device if device is None else device, prod(out.shape))
        return out

    def by_tensor(self: Any, dtype: Any, *rest: Any) -> Drawing:
        return draw(target_like(self, dtype, rest[-1]))

    without_generator: dict[str, Any] = (
        {"out_kernel": lambda target, size, *rest: draw(target_of(target))(None)}
        if name == "rand"
        else {
            "out_kernel": lambda target, size, *rest: onto(target, size, None),
            "kinds": {"out": "implicit"},
        }
    )
    common: dict[str, Any] = {
        "half": False,
        "variants": "function",
        "random": True,
        "tags": (*SEEDED, "out_has_no_formula") if name == "rand" else SEEDED,
    }
    op(
        f"{name}(SymInt[] size, *, {OPTIONS}) -> Tensor",
        says=f"Return {what}.",
        meta=lambda size, *rest: meta(size, None, *rest),
        prepare=by_place(by_size, None),
        out=made(once=name == "rand"),
        **without_generator,
        samples="random_sizes",
        **common,
    )
    op(
        f"{name}.generator(SymInt[] size, *, Generator? generator, {OPTIONS}) -> Tensor",
        meta=meta,
        prepare=by_place(by_size, 1),
        out=made("generator_out", once=name == "rand"),
        out_kernel=onto,
        kinds={"out": "implicit"},
        samples="random_sizes_generator",
        **common,
    )
    op(
        f"{name}_like(Tensor self, *, {OPTIONS}, {FORMAT}) -> Tensor",
        says=f"Return {what}, with the shape and options of another tensor.",
        meta=lambda self, *rest: like_meta(self, None, *rest),
        prepare=by_place(by_tensor, None),
        samples="random_like",
        **{**common, "tags": (*SEEDED, "of_geometry")},
    )
    op(
        f"{name}_like.generator(Tensor self, *, Generator? generator, {OPTIONS}, {FORMAT}) "
        "-> Tensor",
        meta=like_meta,
        prepare=by_place(by_tensor, 1),
        samples="random_like_generator",
        **{**common, "tags": (*SEEDED, "of_geometry", "loops: functional")},
    )


_float_rows(
    "rand",
    "uniform_",
    draw_uniform,
    lambda dtype, device, n: check_uniform(dtype, 0.0, 1.0, device),
    "uniform random numbers from 0 up to but not including 1",
)
_float_rows(
    "randn",
    "normal_",
    draw_normal,
    lambda dtype, device, n: check_normal(dtype, 1.0, device, n),
    "random numbers of the standard normal distribution",
)
