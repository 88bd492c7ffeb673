"""Ops that only write, in forms that leave their arguments: ``_fused_adam``, ``embedding_renorm``.

Functionalization calls them in place of ``_fused_adam_`` and the like. Each is derived from the
schema of the op that writes: what that writes is copied first, and the copies are the results.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..call.row import Row, op
from ..core.errors import out_dtype
from ..core.operators import of
from ..core.warning import warn_resized
from . import embedding_bag, fused_steps, loss_scaling
from .derivatives import no_formula_for, not_implemented_for

__all__: list[str] = []

#: An argument that is written: the letter, whether it is a list, the name.
_WRITTEN = re.compile(r"Tensor\((\w)!\)(\[\])? (\w+)")
_TENSORS = re.compile(r"Tensor(?:\[\]|\?)? (\w+)")


def _copied(value: Any) -> Any:
    return [t.clone() for t in value] if isinstance(value, (list, tuple)) else value.clone()


def _leaving(name: str, places: list[int]) -> Callable[..., Any]:
    """The op *name* on copies of the arguments at *places*, which are what comes back."""

    def run(*args: Any) -> Any:
        given = list(args)
        for i in places:
            given[i] = _copied(given[i])
        of(name)(*given)
        found = tuple([given[i] for i in places])
        return found if len(found) > 1 else found[0]

    return run


def _onto(functional: Callable[..., Any]) -> Callable[..., Any]:
    """The same, whose first result is written into the last argument."""

    def run(*args: Any) -> Any:
        found, out = functional(*args[:-1]), args[-1]
        if isinstance(found, tuple):
            found = found[0]
        if not isinstance(found, list):
            _fill(out, found)
            return out
        if len(found) != len(out):
            raise RuntimeError(
                'dst.size() == src.size() INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/build/'
                'aten/src/ATen/CompositeViewCopyKernels.cpp":3063, please report a bug to PyTorch. '
            )
        for target, one in zip(out, found, strict=True):
            _fill(target, one)
        return None

    return run


def _fill(target: Any, found: Any) -> None:
    if target.dtype is not found.dtype:
        raise out_dtype(found.dtype, target.dtype)
    if target.shape != found.shape:
        if target.numel():
            warn_resized(target.shape, found.shape)
        target.resize_(found.shape)
    target.copy_(found)


def _derive(row: Row) -> None:
    name = row.name
    arguments, _, result = row.schema.partition("(")[2].rpartition(" -> ")
    written = _WRITTEN.findall(arguments)
    names = [part.split("=")[0].split()[-1] for part in arguments[:-1].split(", ") if part != "*"]
    run = _leaving(name, [names.index(argument) for _, _, argument in written])
    base, _, overload = name.partition(".")
    base = base.removesuffix("_")
    results = [f"Tensor{many} {argument}_out" for _, many, argument in written]
    if result != "()":  # the op gives back its first argument
        results[0] = "Tensor"
    plain = re.sub(r"\(\w!\)", "", arguments)
    refusing = not_implemented_for(base, *_TENSORS.findall(plain))
    op(
        f"{base}{overload and '.' + overload}({plain} -> ({', '.join(results)})",
        composite=run,
        kinds={"functional": "explicit"},
        grad=no_formula_for(base, *row.grad) if row.grad else refusing,
        variants="",
    )
    many = written[0][1]
    target = f"Tensor(a!){many} out"
    keyword = "" if "*, " in arguments else "*, "
    op(
        f"{base}.{overload + '_' if overload else ''}out("
        f"{arguments[:-1].replace('Tensor(a!)', 'Tensor', 1)}, {keyword}{target})"
        f" -> {'()' if many else 'Tensor(a!)'}",
        composite=_onto(run),
        kinds={"functional": "explicit", "inplace": "explicit", "out": "explicit"},
        grad=refusing,
        variants="",
        tags=("not_in_place_or_view: out",) if many else (),
    )


for _row in (*fused_steps.STEPS, *loss_scaling.STEPS, embedding_bag.RENORM):
    _derive(_row)
