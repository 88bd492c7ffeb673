"""The Functionalize key: programs without changes in place.

Ops run on the values of functional tensors (see ``functional_tensor``); what they make is wrapped.
A view is remembered as a step. An op that changes its argument, and one with ``out=``, runs in its
functional form, and what it makes becomes the value of what was changed. Composite ops that return
views are decomposed, others run on values as a whole. The key lies below autograd and above the
Python key, so dispatch modes see ops on ordinary tensors, none of which changes anything.

Source: torch aten/src/ATen/FunctionalizeFallbackKernel.cpp, torchgen/gen_functionalization_type.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import call_kernel, exclude_keys

from ..backends.composites import composite_call
from ..call.dispatch_entry import OVERLOADS, Call, run
from ..call.overload import FUNCTIONAL, IMPLICIT, INPLACE, Overload
from ..core import signature as S
from ..tensor import Tensor
from ..tensor.array_memory import phantom_array
from ..tensor.construction import wrap
from . import functionalization_levels as levels
from .functional_tensor import (
    change,
    functional,
    made_view,
    step_in_place,
    sync,
    wrapped,
)
from .functionalization_views import step_of, view_overload

__all__ = ["SPECIAL", "build_functionalization", "level_of", "made_of_data", "unwrapped"]

#: What becomes of single overloads, by name; ``functionalization_ops`` says it.
SPECIAL: dict[str, Callable[[Overload], Call]] = {}


def build_functionalization(overload: Overload, sig: int, mask: int) -> Call:
    """The op on values. See the module."""
    row = overload.row
    special = SPECIAL.get(overload.name)
    if special is not None:
        return special(overload)
    if overload.composed in IMPLICIT:
        if "Tensor(a)" in row.schema or row.base in _DECOMPOSED:
            return composite_call(overload, bool(sig & S.META))
        return _without_form(overload) if _says_aliases(overload) else _unchanging(overload)
    if row.inverse is not None:
        return _view_in_place(overload) if overload.kind == INPLACE else _view(overload)
    return _changing(overload) if _says_aliases(overload) else _unchanging(overload)


#: Composite ops that torch takes apart though they return no view.
_DECOMPOSED = frozenset(
    (
        "alpha_dropout_", "dropout_", "feature_alpha_dropout_", "feature_dropout_", "linear",
        "swapaxes_", "swapdims_",
    )
)  # fmt: skip


def _says_aliases(overload: Overload) -> bool:
    """Whether by its schema the op writes into an argument, or returns a view of one."""
    return any(a.alias_info is not None for a in overload.schema.arguments)


def level_of(tensors: list[Tensor]) -> int:
    """The level that a call with *tensors* belongs to: the innermost, or that of the tensors.

    A functional tensor outlives its level; without one, calls on it are functionalized still.
    """
    if levels.levels.get():
        return levels.current()
    return max([t._content_.level for t in tensors if t._sig_ & S.FUNCTIONAL], default=-1)


def tensors_among(args: tuple[Any, ...]) -> list[Tensor]:
    """The tensors of a call, those in lists too."""
    found = []
    for a in args:
        if isinstance(a, Tensor):
            found.append(a)
        elif isinstance(a, (tuple, list)):
            found += [t for t in a if isinstance(t, Tensor)]
    return found


def unwrapped(value: Any, level: int) -> Any:
    """The value of a functional tensor, brought up to date; others as they are."""
    stands_for = functional(value, level)
    if stands_for is not None:
        sync(value)
        return stands_for.value
    if isinstance(value, (tuple, list)) and any(isinstance(v, Tensor) for v in value):
        return type(value)([unwrapped(v, level) for v in value])
    return value


def _unchanging(overload: Overload) -> Call:
    def call(*args: Any) -> Any:
        tensors = tensors_among(args)
        level = level_of(tensors)
        is_ours = any(functional(t, level) for t in tensors)
        ready = tuple([unwrapped(a, level) for a in args])
        result = levels.below(run, overload, ready)
        if not tensors:
            return made_of_data(result, level)
        return wrapped(result, level) if is_ours else result

    return call


def made_of_data(value: Any, level: int) -> Any:
    """What no tensor went into: functional, unless ordinary tensors stay what they are."""
    return value if levels.writes_back() else wrapped(value, level)


# Views --------------------------------------------------------------------------------------------


def _view(overload: Overload) -> Call:
    name = overload.row.name
    many = overload.schema_text.endswith("[]")

    def call(base: Tensor, *rest: Any) -> Any:
        level = level_of([base])
        stands_for = functional(base, level)
        if stands_for is None:
            return levels.below(run, overload, (base, *rest))
        reapply = levels.reapplies_views()
        made = levels.below(run, view_overload(name, reapply), (stands_for.value, *rest))
        if not many:
            return made_view(made, stands_for, step_of(name, rest, 0, reapply, False))
        return type(made)(
            [
                made_view(v, stands_for, step_of(name, rest, i, reapply, True))
                for i, v in enumerate(made)
            ]
        )

    return call


def _view_in_place(overload: Overload) -> Call:
    name = overload.row.name

    def call(base: Tensor, *rest: Any) -> Any:
        if functional(base, level_of([base])) is None:
            return levels.below(run, overload, (base, *rest))
        step_in_place(base, step_of(name, rest, 0, levels.reapplies_views(), False))
        return base

    return call


# Changes ------------------------------------------------------------------------------------------


def functional_form(overload: Overload) -> Overload | None:
    """The overload that computes what *overload* writes."""
    row = overload.row
    if overload.kind == FUNCTIONAL:
        return None
    name = row.name
    if row.functional is not None:
        name = row.functional[0]
    elif name == "bernoulli_.float":
        name = "bernoulli.p"
    elif row.base.endswith("_"):
        name = row.base[:-1] + name[len(row.base) :]
    found = OVERLOADS.get("aten::" + name)
    if found is None or found.kind != FUNCTIONAL:
        return None
    if row.base.endswith("_"):
        overload.analyse()
        found.analyse()
        if overload.names != found.names and name != "bernoulli.p":
            return None  # torch knows of no kinship
    return found


#: What is said of a change of an ordinary tensor that would keep a functional one.
MIXED = (
    "mutating a non-functional tensor with a functional tensor is not allowed. Please ensure that "
    "all of your inputs are wrapped inside of a functionalize() call."
)
_CUSTOM = (
    "Found a custom (non-ATen) operator whose output has alias annotations: {}. We only support "
    "functionalizing operators whose outputs do not have alias annotations (e.g. 'Tensor(a)' is a "
    "Tensor with an alias annotation whereas 'Tensor' is a Tensor without. The '(a)' is the alias "
    "annotation). The alias annotation specifies that the output Tensor shares storage with an "
    "input that has the same annotation. Please check if (1) the output needs to be an output (if "
    "not, don't return it), (2) if the output doesn't share storage with any inputs, then delete "
    "the alias annotation. (3) if the output indeed shares storage with an input, then add a "
    ".clone() before returning it to prevent storage sharing and then delete the alias annotation. "
    "Otherwise, please file an issue on GitHub."
)


def _changing(overload: Overload) -> Call:
    form = functional_form(overload)
    if form is None:
        return _without_form(overload)
    in_place = overload.kind == INPLACE
    # Of the ops whose form is made of the change itself, that raises what there is to raise.
    checked = in_place and form.row.composite is None
    written = (overload.mutable_position,) if in_place else tuple(overload.out_positions)
    arrange = _arranged(overload, form)

    def call(*args: Any) -> Any:
        tensors = tensors_among(args)
        level = level_of(tensors)
        if not all(functional(args[i], level) for i in written):
            if not (in_place and levels.writes_back()):
                return _not_ours(overload, args, tensors, written, level)
            if checked:
                _check(overload, form, args)
            made = levels.below(run, form, arrange(args))
            return levels.below(run, OVERLOADS["aten::copy_"], (args[written[0]], made, False))
        if checked:
            _check(overload, form, args)
        ready = tuple([unwrapped(a, level) for a in args])
        made = levels.below(run, form, arrange(ready))
        results = made if len(written) > 1 else (made,)
        for i, value in zip(written, results, strict=True):
            change(args[i], value)
        return args[written[0]] if len(written) == 1 else tuple([args[i] for i in written])

    return call


def _without_form(overload: Overload) -> Call:
    composite = K.CompositeImplicitAutograd in overload.operator.entries
    if composite and not overload.schema.is_mutable:
        return _composite_kernel(overload)

    def call(*args: Any) -> Any:
        tensors = tensors_among(args)
        level = level_of(tensors)
        if any(functional(t, level) for t in tensors):
            raise RuntimeError(_CUSTOM.format(overload.schema))
        return levels.below(run, overload, args)

    return call


def _composite_kernel(overload: Overload) -> Call:
    """What a composite op that has no row comes to."""
    names = [a.name for a in overload.schema.arguments if a.kwarg_only]

    def call(*args: Any) -> Any:
        at = len(args) - len(names)
        keywords = dict(zip(names, args[at:], strict=True))
        return call_kernel(overload.operator, K.CompositeImplicitAutograd, *args[:at], **keywords)

    return call


def _arranged(overload: Overload, form: Overload) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """From the arguments of an overload that writes to those of its functional form."""
    overload.analyse()
    form.analyse()
    if overload.names == form.names:
        return lambda args: args
    at = {name: i for i, name in enumerate(overload.names)}
    places = [at.get(name, -1) for name in form.names]
    defaults = form.defaults

    def arrange(args: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple([args[p] if p >= 0 else d for p, d in zip(places, defaults, strict=True)])

    return arrange


def _not_ours(
    overload: Overload, args: tuple[Any, ...], tensors: list[Any], written: Any, level: int
) -> Any:
    """A change of an ordinary tensor: done as it is, unless it would keep a functional one."""
    targets = [args[i] for i in written]
    for t in tensors:
        if functional(t, level) and not any(t is target for target in targets):
            raise RuntimeError(MIXED)
    ready = tuple([unwrapped(a, level) for a in args])
    levels.below(run, overload, ready)
    return targets[0] if len(targets) == 1 else tuple(targets)


def _check(overload: Overload, form: Overload, args: tuple[Any, ...]) -> None:
    """What only the form in place refuses: it is called on tensors without memory."""
    if overload.row.random or "takes_other_device" in overload.row.tags:
        return
    levels.below(_unseen, overload, form, tuple([_on_meta(a) for a in args]))


def _unseen(overload: Overload, form: Overload, args: tuple[Any, ...]) -> None:
    with exclude_keys(K.Python, K.PythonTLSSnapshot, K.Functionalize):
        try:
            made = run(form, args)
        except NotImplementedError:  # nothing is known without the numbers, or the op will say it
            return
        target = args[overload.mutable_position]
        if made.shape != target.shape:
            raise RuntimeError(
                f"output with shape {list(target.shape)} doesn't match the broadcast shape "
                f"{list(made.shape)}"
            )
        run(overload, args)


def _on_meta(value: Any) -> Any:
    if isinstance(value, Tensor):
        a = value._a_
        strides = tuple([s // a.itemsize for s in a.strides])
        return wrap(phantom_array(a.shape, a.dtype, strides), S.META)
    if isinstance(value, (tuple, list)):
        return type(value)([_on_meta(v) for v in value])
    return value
