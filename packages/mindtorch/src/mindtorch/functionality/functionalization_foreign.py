"""Ops that are no rows at the Functionalize key, as the dispatcher calls them by name.

One that writes to arguments has a functional form where an op of its name without the ``_`` takes
arguments of the same names: it gives what is to be written, a result for each argument. A result
that the form's schema puts into an alias set goes to the argument in this set, others go to the
arguments that are left, in order.
"""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import dispatch_with_keyset, redispatch, registry

from ..call.dispatch_entry import OVERLOADS, run
from ..tensor import Tensor
from ..tensor.tensor_impl import alias_of
from . import functionalization_levels as levels

__all__ = ["foreign_op"]


def foreign_op(op: Any, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Write back what the functional form gives; without one, go on below."""
    below = keyset.remove(K.Functionalize)
    form = _functional_form(op) if levels.writes_back() else None
    if form is None:
        return redispatch(op, below, *args, **kwargs)
    given = {**{a.name: v for a, v in zip(op.schema.arguments, args)}, **kwargs}
    made = levels.below(_call, form, below, args, kwargs)
    results = list(made) if isinstance(made, (tuple, list)) else [made]
    written = [(next(iter(a.alias_info.before_set)), given[a.name]) for a in _written(op)]
    of_set = dict(written)
    waiting = [value for _, value in written]
    counted = set()
    for result, returned in zip(results, form.schema.returns, strict=True):
        sets = () if returned.alias_info is None else returned.alias_info.before_set
        target: Any = next((of_set[each] for each in sets if each in of_set), waiting[0])
        waiting = [value for i, value in enumerate(waiting) if i != _place(waiting, target)]
        levels.below(run, OVERLOADS["aten::copy_"], (target, result, False))
        alias = alias_of(target)
        if id(alias) not in counted:
            counted.add(id(alias))
            alias.value += 1
    same = [_returned(each, of_set, results, i) for i, each in enumerate(op.schema.returns)]
    return None if not same else same[0] if len(same) == 1 else tuple(same)


def _call(form: Any, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return dispatch_with_keyset(form, keyset, None, *args, **kwargs)


def _written(op: Any) -> list[Any]:
    arguments = op.schema.arguments
    return [a for a in arguments if a.alias_info is not None and a.alias_info.is_write]


def _functional_form(op: Any) -> Any:
    """The op that computes what *op* writes, or None."""
    name, dot, overload = op.name.partition(".")
    if op.schema is None or not name.endswith("_") or not _written(op):
        return None
    form = registry.find_exact(name[:-1] + dot + overload)
    if form is None or form.schema is None or _written(form):
        return None
    names = [a.name for a in op.schema.arguments]
    same = names == [a.name for a in form.schema.arguments]
    return form if same and len(form.schema.returns) == len(_written(op)) else None


def _place(values: list[Tensor], wanted: Tensor) -> int:
    return next((i for i, value in enumerate(values) if value is wanted), -1)


def _returned(returned: Any, of_set: dict[str, Any], results: list[Any], place: int) -> Any:
    """What the op gives: an argument that it wrote, or what the form made."""
    sets = () if returned.alias_info is None else returned.alias_info.before_set
    return next((of_set[each] for each in sets if each in of_set), results[place])
