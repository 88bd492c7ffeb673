"""What arguments of one pattern mean, as functions of just these arguments.

A :class:`Bound` stands for an overload and for where each of its arguments comes from. It makes two
kinds of functions, both with the parameters of the entrance:

* :meth:`Bound.call`, once per signature: binds, and calls what the overload's table has;
* :meth:`Bound.laid_out`, once per layout: all that follows from sizes and strides is known, so the
  results get their metas, a kernel runs on the arrays and its result is wrapped in place.

Each rule of a call is a *fragment* of their text, and stands once, here or in ``call.fragments``:

1. conditions: values that only equal those that were bound go back to the entrance;
2. views whose base changed get their history anew, by the general way;
3. run: the kernel over arrays, the ops that a composite comes to, or the call of the table;
4. wrap: the tensor over the result, with its meta; or write it into the target.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from mindtorch_autograd import grad_mode
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import tls

from ..core import signature as S
from ..core.late_bound import LateBound
from ..tensor import Tensor
from ..tensor.interning import meta_of
from ..tensor.tensor_impl import alias_of
from .entrance_text import same
from .fragments import (
    Form,
    Kernel,
    arrays_of,
    call_text,
    meeting,
    running,
    sharing,
    viewing,
    windows_of,
)
from .overload import FUNCTIONAL, INPLACE, OUT, Overload

#: The text of an op that others make up; it may be noted in the layer of formulas.
composite_text = LateBound("composite_text")

__all__ = ["Bound", "call_of_layout"]


class Bound:
    """What arguments of one pattern mean: an overload, and where its arguments come from."""

    __slots__ = ("_calls", "_cells", "_form", "_read", "_table", "overload", "sig", "whole")

    def __init__(
        self,
        overload: Overload,
        table: Mapping[int, Callable[..., Any]],
        sig: int,
        form: Form,
        cells: dict[str, Any],
        whole: bool,
    ) -> None:
        self.overload = overload
        #: Signature, state included -> the call of the overload.
        self._table = table
        #: The joined signature of the arguments.
        self.sig = sig
        self._form, self._cells = form, cells
        #: Whether the function has the parameters of the entrance, and may stand in its table.
        self.whole = whole
        self._calls: dict[int, Callable[..., Any]] = {}
        #: What is given -> the arguments of the overload; made when it is first needed.
        self._read: Callable[..., tuple[Any, ...]] | None = None

    def call(self, state: int) -> Callable[..., Any]:
        """What serves such calls in a *state* of the thread."""
        found = self._calls.get(state)
        if found is None:
            inner = self._table[self.sig | state]
            found = self._calls[state] = self._made(self._calling(), {"inner": inner})
        return found

    def run(self, state: int, given: tuple[Any, ...]) -> Any:
        """What such a call comes to; to write it out pays where it comes again."""
        result = self._table[self.sig | state](*self._arguments(given))
        for name in ("pack", "requiring"):
            if name in self._form.outer:
                result = self._cells[name](result)
        return result

    def laid_out(
        self, state: int, given: tuple[Any, ...], result: Any
    ) -> Callable[..., Any] | None:
        """:meth:`call` of arguments of one layout; *result* is what it gave of the *given* ones.

        None where the layout makes no difference.
        """
        lasting = _lasting[state]
        if not lasting:
            return None
        if self.overload.kind == OUT:
            return self._writing(state, given) if lasting is ALWAYS else None
        if self.overload.kind == INPLACE:
            return self._changing(state, given) if lasting is ALWAYS else None
        if self.overload.composed:
            return self._composed(state, given, result) if lasting is ALWAYS else None
        if not laid_out_by_metas(self.overload):
            return None
        metas = _metas_of(result)
        if metas is None or 0 in [n for t in _each(result) for n in t._a.shape]:
            return None  # numpy gives arrays of nothing strides of several kinds
        inner, form = self._table[self.sig | state], self._form
        cells = {"inner": inner, "metas": metas}
        if lasting is MOSTLY:
            return self._made(self._marking_alike(isinstance(result, Tensor)), cells)
        if "of_storage" in self.overload.row.tags:
            return self._made(self._marking("inner", isinstance(result, Tensor)), cells)
        lines: list[str] = []
        arguments = self._arguments(given)
        fresh = getattr(inner, "fresh", None)
        if fresh is not None:
            lines += self._views(arguments, fresh.of_changed)
            inner = cells["fresh"] = fresh.call
        called = "inner" if fresh is None else "fresh"
        one = isinstance(result, Tensor)
        around = getattr(inner, "around", None)
        views = getattr(inner if around is None else around.inner, "views", None)
        without = 0 if around is None else S.REQUIRES_GRAD  # which the recording call sets
        windows = None if views is None else windows_of(self.overload, arguments, result, without)
        if views is not None and windows is not None:
            own = None if around is not None else metas
            made, more = viewing(views, windows, arguments[0]._a, own, one)
            if around is None:
                last = f"return {form.outer.format('t' if one else 'tuple(made)')}"
                begin = f"base = {form.arguments[0]}"
                return self._made([*lines, begin, *made, last], {**cells, **more})
            names = ["base", *[f"a{i}" for i in range(1, self.overload.arity)]]
            made.append("return t" if one else "return tuple(made)")
            cells[called] = around.remade(call_text(names, made, more), metas)
            return self._made([*lines, *self._calling(called)], cells)
        prepare = getattr(inner if around is None else around.inner, "prepare", None)
        kernel = None if prepare is None else prepare(arguments)
        row = self.overload.row
        if kernel is None and row.view is row.meta is row.promote is None:
            return None  # numbers decided the shape
        others = "" if kernel is None else self._numbers(kernel, arguments, cells)
        general = self._marking(called, one)
        if around is not None:  # what is around gives the results their metas
            if others:
                lines += [f"if {others}:", *[f"    {line}" for line in general]]
            below = None if kernel is None else self._below(kernel, arguments, metas)
            made = cells["made"] = around.remade(below, metas)
            if not lines and not form.conditions and form.parameters == form.arguments:
                return made
            return self._made([*lines, *self._calling("made")], cells)
        if kernel is None:
            return self._made([*lines, *general], cells)
        text = running(self.overload, kernel, arguments, form.arguments, cells, 0, others, general)
        each = [metas] if one else metas
        for i, meta in enumerate(each):
            cells[f"m{i}"] = meta
            text.append(f"r{i}._meta = m{i}")
        made = "r0" if one else f"({', '.join([f'r{i}' for i in range(len(each))])},)"
        return self._made([*lines, *text, f"return {form.outer.format(made)}"], cells)

    def _composed(
        self, state: int, given: tuple[Any, ...], result: Any
    ) -> Callable[..., Any] | None:
        """What the ops do that make the overload up, without the Python around them."""
        inner, texts = self._table[self.sig | state], self._form.arguments
        arguments = self._arguments(given)
        fresh = getattr(inner, "fresh", None)
        composite = inner if fresh is None else fresh.call
        around, metas = getattr(composite, "around", None), _metas_of(result)
        if around is not None:  # recorded as one op
            if around.inner is None or metas is None:
                return None
            composite, texts = around.inner, [f"a{i}" for i in range(self.overload.arity)]
        noted = composite_text(self.overload, self.sig | state, composite, arguments, texts)
        if noted is None:
            return None
        cells = {"inner": inner, **noted.cells}
        changed = fresh is not None and fresh.of_changed
        lines = self._views(arguments, changed) if state & grad_mode.GRAD_ENABLED else []
        others = self._other_numbers(arguments, self._form.arguments, (), cells)
        if others:
            lines += [f"if {others}:", *[f"    {line}" for line in self._calling()]]
        if around is not None:
            text = [*noted.lines, f"return {noted.result}"]
            cells["made"] = around.remade(call_text(texts, text, noted.cells), metas)
            return self._made([*lines, *self._calling("made")], cells)
        lines += [*noted.lines, f"return {self._form.outer.format(noted.result)}"]
        return self._made(lines, cells)

    def _below(self, kernel: Kernel, arguments: tuple[Any, ...], metas: Any) -> Callable[..., Any]:
        """The kernel as a function of the overload's arguments, of which no more is made."""
        names = [f"a{i}" for i in range(self.overload.arity)]
        cells: dict[str, Any] = {"metas": metas}
        lines = running(self.overload, kernel, arguments, names, cells, S.REQUIRES_GRAD | S.VIEWS)
        made = "r0"
        if kernel.several:
            made = f"({', '.join([f'r{i}' for i in range(len(kernel.looks))])},)"
        return call_text(names, [*lines, f"return {made}"], cells)

    # -- fragments -----------------------------------------------------------------------------

    def _calling(self, called: str = "inner") -> list[str]:
        result = f"{called}({', '.join(self._form.arguments)})"
        return [f"return {self._form.outer.format(result)}"]

    def _views(self, arguments: tuple[Any, ...], of_changed: bool) -> list[str]:
        """Views whose base was changed go the general way."""
        tests = []
        for text, value in zip(self._form.arguments, arguments, strict=True):
            if isinstance(value, Tensor) and value._sig & S.VIEW:
                tests.append(f"{text}._shared.touched")
                if of_changed:
                    tests.append(f"{text}._shared.value")
        if not tests:
            return []
        return [f"if {' or '.join(tests)}:", *[f"    {line}" for line in self._calling()]]

    def _numbers(self, kernel: Kernel, arguments: tuple[Any, ...], cells: dict[str, Any]) -> str:
        """The condition that numbers are other than those that the kernel was prepared for."""
        free = self._free(kernel, arguments)
        return self._other_numbers(arguments, self._form.arguments, free, cells)

    def _free(self, kernel: Kernel, arguments: tuple[Any, ...]) -> Sequence[int]:
        """The arguments that may be any number.

        Those that stand for tensors of floating dtypes are made arrays in each call; others the
        backend knows of.
        """
        row, operands = self.overload.row, self.overload.tensor_positions
        scalars = range(len(arguments)) if kernel.any_scalar else ()
        free = [i for i in scalars if i not in operands]
        floating = [t._a.dtype.kind in "fc" for t in arguments if isinstance(t, Tensor)]
        if kernel.number is None or not all(floating) or row.refuses is not None:
            return free
        if row.prepare is None or type(kernel.run) is np.ufunc:
            free += operands
        return free

    def _other_numbers(
        self,
        arguments: tuple[Any, ...],
        texts: Sequence[str],
        free: Sequence[int],
        cells: dict[str, Any],
    ) -> str:
        """The condition that a number is another than in *arguments*, but for the *free* ones."""
        given = self._form.arguments
        tests = []
        for i, (text, value) in enumerate(zip(texts, arguments, strict=True)):
            if i not in free and given[i] in self._form.parameters and type(value) in _NUMBERS:
                cells[f"n{i}"] = value
                tests.append(f"{text} is not n{i} and not same({text}, n{i})")
        return " or ".join(tests)

    def _marking(self, called: str, one: bool) -> list[str]:
        """Results get their metas."""
        mark = ["r._meta = metas"] if one else ["for t, m in zip(r, metas):", "    t._meta = m"]
        return [
            f"r = {called}({', '.join(self._form.arguments)})",
            *mark,
            f"return {self._form.outer.format('r')}",
        ]

    def _marking_alike(self, one: bool) -> list[str]:
        """Results get their metas where they are pending, or not, as the first time."""
        mark = "if {0}._sig == {1}.sig: {0}._meta = {1}"
        marks = [mark.format("r", "metas")]
        if not one:
            marks = ["for t, m in zip(r, metas):", f"    {mark.format('t', 'm')}"]
        call = f"r = inner({', '.join(self._form.arguments)})"
        return [call, *marks, f"return {self._form.outer.format('r')}"]

    def _writing(self, state: int, given: tuple[Any, ...]) -> Callable[..., Any] | None:
        """What writes into a target that fits; one that may share memory goes the general way."""
        inner = self._table[self.sig | state]
        prepare = getattr(inner, "target", None)
        arguments, texts = self._arguments(given), self._form.arguments
        target = None if prepare is None else prepare(arguments)
        if target is None:
            return None
        at = self.overload.out_positions[0]
        operands = [texts[i] for i in self.overload.tensor_positions if i != at]
        operands = [t for t in operands if isinstance(arguments[texts.index(t)], Tensor)]
        lines = [
            f"target = {texts[at]}",
            "shared = target._shared",
            f"if {' or '.join(sharing(operands))}:",
            *[f"    {line}" for line in self._calling()],
        ]
        if target.ufunc is None:
            lines.append(f"copyto(target._a, run({', '.join(texts)}), 'unsafe')")
        else:
            lines.append(f"run({', '.join([f'{t}._a' for t in operands])}, out=target._a)")
        lines += [
            "if shared is None: shared = alias_of(target)",
            "shared.value += 1",
            f"return {self._form.outer.format('target')}",
        ]
        cells = {"inner": inner, "alias_of": alias_of, "copyto": np.copyto}
        return self._made(lines, {**cells, "run": target.ufunc or target.run})

    def _changing(self, state: int, given: tuple[Any, ...]) -> Callable[..., Any] | None:
        """What changes its target in place; one that shares memory goes the general way."""
        inner = self._table[self.sig | state]
        arguments, texts = self._arguments(given), self._form.arguments
        fresh, cells = getattr(inner, "fresh", None), {"inner": inner}
        lines = [] if fresh is None else self._views(arguments, fresh.of_changed)
        if fresh is not None:
            inner = fresh.call
        around = getattr(inner, "around", None)
        below = inner if around is None else around.inner
        prepare = getattr(below, "change", None)
        kernel = None if prepare is None else prepare(arguments)
        if kernel is None:
            return None
        if around is None:
            text, more = self._change(kernel, arguments, texts)
            last = f"return {self._form.outer.format('target')}"
            return self._made([*lines, *text, last], {**more, **cells, "below": below})
        names = [f"a{i}" for i in range(self.overload.arity)]
        text, more = self._change(kernel, arguments, names)
        changed = call_text(names, [*text, "return target"], {**more, "below": below})
        cells["made"] = around.remade(changed, None)
        return self._made([*lines, *self._calling("made")], cells)

    def _change(
        self, kernel: Kernel, arguments: tuple[Any, ...], texts: Sequence[str]
    ) -> tuple[list[str], dict[str, Any]]:
        """Write what *kernel* gives into ``target``, and count that it was changed.

        Where that may be in part an operand, ``below`` does all of it.
        """
        cells = {"alias_of": alias_of, "copyto": np.copyto, "number": kernel.number, "same": same}
        cells["run"] = kernel.run
        at = self.overload.mutable_position
        operands = [
            text
            for i, (text, value) in enumerate(zip(texts, arguments, strict=True))
            if i != at and isinstance(value, Tensor)
        ]
        lines = [f"target = {texts[at]}", "shared = target._shared"]
        every = ", ".join(texts)
        if operands:
            met = " or ".join(meeting(operands))
            lines += [f"if shared is not None and ({met}):", f"    return below({every})"]
        given = arrays_of(self.overload, kernel, arguments, texts)
        if kernel.writes:
            run = f"run({', '.join(given)})"
        elif type(kernel.run) is np.ufunc:
            run = f"run({', '.join(given)}, out=target._a)"
        else:
            run = f"copyto(target._a, run({', '.join(given)}), 'unsafe')"
        others = self._other_numbers(arguments, texts, self._free(kernel, arguments), cells)
        if others:
            cells["again"] = kernel.again
            other = f"copyto(target._a, again(({every},))({every}), 'unsafe')"
            lines += [f"if {others}: {other}", f"else: {run}"]
        else:
            lines.append(run)
        lines += ["if shared is None: shared = alias_of(target)", "shared.value += 1"]
        return lines, cells

    def _arguments(self, given: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments of the overload."""
        if self._read is None:
            self._read = self._reader()
        return self._read(*given)

    def _reader(self) -> Callable[..., tuple[Any, ...]]:
        form, cells = self._form, self._cells
        places = {name: i for i, name in enumerate(form.parameters)}
        if all(text in places or text in cells for text in form.arguments):
            picks = [(places.get(text, -1), cells.get(text)) for text in form.arguments]
            return lambda *given: tuple([given[i] if i >= 0 else value for i, value in picks])
        made: Callable[..., tuple[Any, ...]]
        made = self._made([f"return ({', '.join(form.arguments)},)"], {})
        return made

    def _made(self, lines: Sequence[str], cells: dict[str, Any]) -> Callable[..., Any]:
        form = self._form
        if form.conditions:
            lines = [f"if {' or '.join(form.conditions)}:", f"    return {form.missed}", *lines]
        return call_text(form.parameters, lines, {**self._cells, **cells})


def call_of_layout(
    overload: Overload, sig: int, args: tuple[Any, ...], result: Any
) -> Callable[..., Any] | None:
    """A call of *overload* for arguments of the layout of *args*, of which it gave *result*.

    None where the look into its table is all that there is.

    :param sig: the signature of the arguments and the grad mode.
    """
    names = [f"a{i}" for i in range(overload.arity)]
    state = sig & S.GRAD_STATE
    form = Form(names, (), "", names, "{}")
    bound = Bound(overload, overload.table, sig & ~S.GRAD_STATE, form, {"same": same}, True)
    return bound.laid_out(state, args, result)


def _metas_of(result: Any) -> Any:
    """The meta of a result, or of each of several; None where one has none."""
    if isinstance(result, Tensor):
        return meta_of(result)
    several = isinstance(result, (tuple, list)) and result
    metas = [meta_of(t) if isinstance(t, Tensor) else None for t in several or (None,)]
    return None if None in metas else metas


def _each(result: Any) -> Sequence[Any]:
    return (result,) if isinstance(result, Tensor) else result


_NUMBERS = frozenset((int, float, complex))
#: How surely the looks of results follow from those of the operands.
NEVER, MOSTLY, ALWAYS = 0, 1, 2


class _Lasting(dict[int, int]):
    """A thread's state -> whether what results look like follows from the operands' looks.

    Modes and transforms answer for themselves. In a pipeline what is done at once, and not pending,
    may depend on what was recorded before.
    """

    def __missing__(self, state: int) -> int:
        included = tls.masks(state >> S.TLS_SHIFT << S.TLS_SHIFT)[0]
        own = not included & (K.Python | K.Functionalize)
        lasting = ALWAYS if own and not tls.extra(state) & ~tls.STREAMED else NEVER
        found = self[state] = min(lasting, MOSTLY) if included & K.Pipeline else lasting
        return found


_lasting = _Lasting()


def laid_out_by_metas(overload: Overload) -> bool:
    """Whether the looks of fresh results follow from those of the arguments."""
    row = overload.row
    if overload.kind != FUNCTIONAL or overload.composed or "numbers_decide_sizes" in row.tags:
        return False
    known = row.view is not None or row.meta is not None or row.promote is not None
    return known or row.infer is not None
