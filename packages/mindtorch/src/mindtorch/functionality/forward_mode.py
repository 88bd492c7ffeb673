"""Calls of dual tensors: the call itself, then the tangents of what it gave.

One generic function does it for all ops, by the first of these that fits:

* a view's tangent is the same view of the tangent;
* a linear op's tangent is the op of the tangents (``tangent="linear"`` of its row);
* a pointwise op's tangent is the sum of its gradient formulas at the tangents: there, a matrix and
  its transpose are the same;
* for all else the formulas are transposed by differentiating them: they are linear in the gradient
  they are given.

See Note [Forward mode] in ``tangents``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_autograd.grad_mode import GRAD_ENABLED, is_grad_enabled

from ..call.arguments import tensors_of
from ..call.dispatch_entry import Call
from ..call.forms import Corrected, out_has_no_formula
from ..call.overload import IMPLICIT, INPLACE, OUT, Overload
from ..call.overload_entrance import call_again
from ..core import signature as S
from ..core.operators import ops
from ..tensor import Tensor
from ..tensor.tensor_meta import describe
from .argument_preparation import up_to_date
from .composed_rules import COMPOSED, REPLACED, tangents_of_parts
from .formulas import zeros
from .forward_rules import no_support, of_memory, unsupported
from .operands import operand
from .recorder import Recorder
from .saving import before_change, describe_all
from .tangents import attach, below, enabled, set_tangent, tangent_of, tangent_of_integers, tangents
from .transposition import transposed
from .version_checks import kept_result


def dual_call(overload: Overload, sig: int) -> Call:
    """The call of *overload* where an argument may have tangents."""
    overload.analyse()
    plain = sig & ~S.DUAL
    row = overload.row
    if overload.mixes_devices:  # an op without a row
        return overload.dual(plain)
    if overload.composed_on(sig) in IMPLICIT:
        return overload.table[plain]  # the ops inside are met with the same tensors
    if row.tangent == "memory":
        return _of_memory(overload, plain)
    if overload.kind == OUT:
        return _no_out(overload, plain)
    if row.tangent == "none":
        return overload.table[plain]
    if row.tangent in _UNSUPPORTED:
        return _refusing(overload)
    rule = _rule(overload, plain)
    table = overload.table
    if rule is None:
        return table[plain]
    change = overload.kind == INPLACE or overload.mutable_position >= 0

    def call(*args: Any) -> Any:
        levels = _levels(overload, args) if enabled.get() else []
        plain = table[_key(overload, args)]
        return rule(args, levels, plain) if levels else plain(*args)

    if change and row.view is None:
        return _changing(overload, plain, call, rule)
    return call


def _key(overload: Overload, args: tuple[Any, ...]) -> int:
    """The signature of the call itself; views get their new history first."""
    return up_to_date(overload, args) & ~S.DUAL


def _levels(overload: Overload, args: tuple[Any, ...]) -> list[int]:
    """The levels of the arguments' tangents, lowest first."""
    found: set[int] = set()
    for t in tensors_of(overload, args):
        found.update(tangents(t))
    return sorted(found)


_Rule = Callable[[tuple[Any, ...], list[int], Call], Any]


def _rule(overload: Overload, sig: int) -> _Rule | None:
    row = overload.row
    tangent = row.tangent
    if callable(tangent):
        return _by(overload, tangent)
    composed = COMPOSED.get(row.name)
    if composed is not None:
        if row.name in REPLACED and not (sig & S.REQUIRES_GRAD and sig & GRAD_ENABLED):
            return lambda args, levels, plain: composed(*args)
        return _by(overload, lambda context: tangents_of_parts(overload.names, composed, context))
    if row.view is not None:
        return _viewing(overload)
    if not any(overload.grad.values()) and overload.kind != INPLACE:
        return None
    if tangent == "linear" and overload.kind != INPLACE:
        return _by(overload, lambda context: _linear(overload, context))
    recorder = Recorder(overload, sig)
    pointwise = (
        (row.promote is not None or "pointwise" in row.tags)
        and not recorder.multi
        and not recorder.lists
        and not sig & _COMPLEX
        and all(len(f.arguments) == 1 for f in recorder.formulas)
    )
    find = _pointwise if pointwise else transposed
    if isinstance(tangent, Corrected):
        correct = tangent.correct
        return _by(overload, lambda context: correct(find(recorder, context), context))
    return _by(overload, lambda context: find(recorder, context))


_COMPLEX = S.COMPLEX | S.NUMBER_COMPLEX
_UNSUPPORTED = ("not implemented", "refused")


class Context:
    """What a formula sees as its node: arguments and results as lower levels see them.

    :ivar tangents: by argument: a tangent, None, or for a list of tensors a list of them.
    """

    def __init__(self, overload: Overload, args: tuple[Any, ...], result: Any, level: int) -> None:
        self.args = args
        self.level = level
        self.tangents: dict[str, Any] = {}
        for i, (name, value) in enumerate(zip(overload.names, args, strict=True)):
            if i in overload.list_positions and value is not None:
                self.tangents[name] = [tangent_of(t, level) for t in value]
                value = tuple([below(t, level) for t in value])
                self.__dict__[f"{name}_facts"] = describe_all(value)
            elif isinstance(value, Tensor):
                self.tangents[name] = tangent_of(value, level)
                value = below(value, level)
                self.__dict__[f"{name}_facts"] = describe(value)
            elif i in overload.tensor_positions:
                value = operand(value)
            self.__dict__.setdefault(name, value)
        many = isinstance(result, (tuple, list))
        self.results = [below(r, level) for r in (result if many else (result,))]  # or None
        if overload.schema_text.endswith("[]"):
            self.result = self.results
        elif many:
            for i, r in enumerate(self.results):
                self.__dict__[f"result{i}"] = r
        else:
            self.result = self.results[0]

    def tensors(self) -> list[Any]:
        """The arguments that are tensors, and the tangents."""
        found: list[Any] = []
        for value in (*self.args, *self.tangents.values()):
            found += value if isinstance(value, (list, tuple)) else (value,)
        return [t for t in found if isinstance(t, Tensor)]

    def has(self, name: str) -> bool:
        """Whether the argument has a tangent, or one of a list has."""
        found = self.tangents.get(name)
        if isinstance(found, list):
            return any(t is not None for t in found)
        return found is not None


def _by(overload: Overload, tangent: Callable[[Context], Any]) -> _Rule:
    """Call, then give the result the tangent that *tangent* finds (a list for several)."""
    casts = overload.row.name == "_to_copy"
    first_only = not {"one_gradient", "one_tangent"}.isdisjoint(overload.row.tags)

    def rule(args: tuple[Any, ...], levels: list[int], call: Call) -> Any:
        result = call(*args)
        many = isinstance(result, (tuple, list))
        results = result[:1] if many and first_only else result if many else (result,)
        if not any(isinstance(r, Tensor) and r._a_.dtype.kind not in "biu" for r in results):
            if not many and any(_dual(overload, args, level, casts) for level in levels):
                raise tangent_of_integers()
            return result
        for level in levels:
            context = Context(overload, args, result, level)
            found = tangent(context)
            for i, (r, t) in enumerate(zip(results, found if many else (found,), strict=False)):
                if (
                    t is not None
                    and not overload.row.is_leaf(i)
                    and isinstance(r, Tensor)
                    and r._a_.dtype.kind not in "biu"
                ):
                    if not any(r is a for a in args):
                        set_tangent(r, level, t)
        _tell_node(results)
        return result

    return rule


def _dual(overload: Overload, args: tuple[Any, ...], level: int, casts: bool) -> bool:
    """Whether torch has a tangent to give: one of an argument with a formula; not if it *casts*."""
    if casts:
        return False
    named = {a.strip() for key in overload.grad for a in key.split(",")}
    pairs = zip(overload.names, args, strict=True)
    return any(tangent_of(value, level) is not None for name, value in pairs if name in named)


def _tell_node(results: Any) -> None:
    """What the node keeps of the results has their tangents too, for forward over reverse."""
    for r in results:
        if not isinstance(r, Tensor) or not r._sig_ & S.DUAL:
            continue
        node = r.grad_fn
        saved = getattr(node, "_saved_", ())
        if type(saved) is not tuple:
            continue
        for slot, kept in enumerate(saved):
            if kept is r._a_:
                kept = kept_result(node, slot)
            if isinstance(kept, Tensor) and kept._a_ is r._a_ and kept is not r:
                for level, tangent in tangents(r).items():
                    attach(kept, level, tangent)


def _refusing(overload: Overload) -> Call:
    table = overload.table

    def call(*args: Any) -> Any:
        if enabled.get() and _levels(overload, args):
            raise unsupported(overload.row)
        return table[_key(overload, args)](*args)

    return call


def _of_memory(overload: Overload, sig: int) -> Call:
    """Ops that change which memory a tensor looks at: not while that has a tangent."""
    own = overload.row.base.startswith("resize")
    table = overload.table

    def call(*args: Any) -> Any:
        if enabled.get() and any(tangents(t) for t in (args[:1] if own else args)):
            raise of_memory(overload.row)
        return table[_key(overload, args)](*args)

    return call


def _no_out(overload: Overload, sig: int) -> Call:
    name = overload.row.base
    outs = overload.out_positions
    inputs = {*overload.tensor_positions, *overload.list_positions}.difference(outs)
    if not inputs or out_has_no_formula(overload.row):

        def refused(*args: Any) -> Any:
            raise no_support(overload.row.base)

        return refused

    def call(*args: Any) -> Any:
        raise NotImplementedError(
            f"Trying to use forward AD with {name}_out that does not support it because it is an "
            "out= function"
        )

    return call


# Rules --------------------------------------------------------------------------------------------


def _viewing(overload: Overload) -> _Rule:
    def rule(args: tuple[Any, ...], levels: list[int], call: Call) -> Any:
        seen = [(level, tangent_of(args[0], level)) for level in levels]
        result = call(*args)
        many = isinstance(result, (tuple, list))
        for level, tangent in seen:
            if tangent is None:
                continue
            rest = tuple([below(a, level) for a in args[1:]])
            made = call_again(overload, (tangent, *rest))
            for r, t in zip(result if many else (result,), made if many else (made,), strict=True):
                attach(r, level, t)
        return result

    return rule


def _linear(overload: Overload, context: Context) -> Any:
    """The op of the tangents; zero for an argument that has none."""
    args = list(context.args)
    named = {a.strip() for key in overload.grad for a in key.split(",")}
    for i, name in enumerate(overload.names):
        if name not in named:
            args[i] = below(args[i], context.level)
            continue
        found = context.tangents.get(name)
        value = getattr(context, name)
        if isinstance(found, list):
            args[i] = type(args[i])(
                [ops.zeros_like(v) if t is None else t for t, v in zip(found, value, strict=True)]
            )
        elif isinstance(value, Tensor):
            args[i] = ops.zeros_like(value) if found is None else found
        elif value is not None:
            args[i] = 0  # a number in a tensor's place
    return call_again(overload, tuple(args))


def _pointwise(recorder: Recorder, context: Context) -> Any:
    """The sum of the formulas at the tangents."""
    total = None
    result = context.results[0]
    if result._a_.dtype.kind == "c":  # by a number that is no tensor: formulas conjugate it
        return transposed(recorder, context)
    # Of which torch makes no tangent.
    skips = len(recorder.formulas) > 1 and "zero_tangents" not in recorder.overload.row.tags
    constant = zeros if skips else None
    for formula in recorder.formulas:
        if formula.function is constant:
            continue
        tangent = context.tangents.get(formula.arguments[0])
        if tangent is None:
            continue
        if tangent.dtype is not result.dtype:
            tangent = tangent.to(result.dtype)
        part = formula.function(tangent, context)
        if part is None:
            continue
        if part._a_.shape != result._a_.shape:
            part = part.expand(result.shape)
        total = part if total is None else total + part
    if total is not None and total.dtype is not result.dtype:
        total = total.to(result.dtype)
    return total


# In-place ops -------------------------------------------------------------------------------------


def _changing(overload: Overload, sig: int, call: Call, rule: _Rule) -> Call:
    """In-place ops: the target's tangent is changed in place, so that its views follow."""
    at = overload.mutable_position
    table = overload.table
    row = overload.row
    linear = row.tangent == "linear"
    recorder = Recorder(overload, sig)
    own = row.tangent if callable(row.tangent) else None
    pointwise = row.promote is not None or "pointwise" in row.tags or overload.base == "fill_"

    def changing(*args: Any) -> Any:
        levels = _levels(overload, args) if enabled.get() else []
        plain = table[_key(overload, args)]
        if not levels:
            return plain(*args)
        target = args[at]
        had = {level: tangent_of(target, level) for level in levels}
        old = args
        if not linear:
            copy = before_change(below(target, levels[0]))
            for level, tangent in had.items():
                if tangent is not None:  # which changes, and the formula's node may keep it
                    attach(copy, level, ops.clone(tangent) if is_grad_enabled() else tangent)
            old = (*args[:at], copy, *args[at + 1 :])
        result = plain(*args)
        if target._a_.dtype.kind in "biu":
            if row.base != "copy_":
                raise tangent_of_integers()
            return result
        for level in levels:
            context = Context(overload, old, target, level)
            if linear:
                new = _linear_in_place(overload, context, at)
            elif own is not None:
                new = own(context)
            elif pointwise and not sig & _COMPLEX:
                new = _pointwise(recorder, context)
            else:
                new = transposed(recorder, context)
            if new is None:
                new = ops.zeros_like(below(target, level))
            _change(target, level, new)
        _tell_node((target,))
        return result

    return changing


def _linear_in_place(overload: Overload, context: Context, at: int) -> Any:
    name = overload.names[at]
    before = context.tangents[name]
    fresh = ops.zeros_like(context.results[0]) if before is None else ops.clone(before)
    context.tangents[name] = fresh
    return _linear(overload, context)


def _change(target: Any, level: int, new: Any) -> None:
    have = tangent_of(target, level)
    if new.dtype is not target.dtype:
        new = new.to(target.dtype)
    if have is None:
        set_tangent(target, level, new)
    else:
        have.copy_(new)


__all__ = ["Context", "dual_call"]
