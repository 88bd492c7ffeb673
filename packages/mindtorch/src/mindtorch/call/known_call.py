"""The function of a call of one layout.

All that follows from sizes and strides is known, so a kernel runs on the arrays, its result is
wrapped in place and gets its meta. Each rule of a call is a *fragment* of the function's text, and
stands once, here or in :mod:`.fragments`:

1. conditions: values that only equal those that were bound go back to the entrance;
2. views that are not true to their base, and numbers other than those that something looked at, go
   the general way;
3. run: the kernel over arrays, the ops that a composite comes to, or the call of the table;
4. wrap: the tensor over the result, with its meta; or write it into the target;
5. what lies around it, as recording a node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mindtorch_dispatch import tls

from ..core import signature as S
from ..core.backend_registry import backend_at, complete
from ..core.copies import store
from ..core.late_bound import LateBound
from ..tensor import Tensor
from ..tensor.defaults import default_device
from ..tensor.interning import intern, meta_of
from ..tensor.tensor_impl import alias_of
from .entrance_text import check, same
from .fragments import (
    Around,
    Below,
    Form,
    Kernel,
    Launching,
    arrays_of,
    call_text,
    divided,
    meeting,
    running,
    sharing,
)
from .lasting import ALWAYS, MOSTLY, NEVER, lasting
from .overload import FUNCTIONAL, INPLACE, OUT, Overload
from .result_metas import are_as_promised, are_empty, marks, metas_of
from .view_text import elsewhere, viewing, window_text

#: The text of an op that others make up; it may be noted in the layer of formulas.
composite_text = LateBound("composite_text")

__all__ = ["KnownCall"]

_NUMBERS = frozenset((int, float, complex))


class KnownCall:
    """A call, and the function that is made of what is known of its layout.

    :param sig: the signature of the call, state included, under which *inner* was looked up.
    :param form: how the arguments of *overload* come from the parameters of the function.
    :param given: what was given for these, of which *arguments* came.
    :param cells: what the texts of *form* name.
    """

    def __init__(
        self,
        overload: Overload,
        sig: int,
        inner: Callable[..., Any],
        form: Form,
        given: tuple[Any, ...],
        arguments: tuple[Any, ...],
        cells: dict[str, Any],
    ) -> None:
        self.overload, self.sig, self.inner = overload, sig, inner
        self.form, self.given, self.arguments = form, given, arguments
        self.cells: dict[str, Any] = {**cells, "inner": inner}
        self._guard: Sequence[str] = ()

    def general(self, result: Any = None) -> Callable[..., Any]:
        """What looks at everything in each call.

        :param result: the target of one in place that may have changed how it looks: where it
            comes to look so again, it gets its meta.
        """
        meta = meta_of(result) if isinstance(result, Tensor) else None
        if meta is None or "{}" != self.form.outer:
            return self._function(self._general())
        self.cells |= {"sig": meta.sig, "shape": meta.shape, "strides": meta.strides}
        self.cells |= {"meta": meta, "device": meta.device}
        same = "r._sig_ == sig and (a := r._a_).shape == shape and a.strides == strides"
        if meta.device is not None:
            same += " and r.device == device"
        lines = [f"r = inner({self._every()})", *_if(same, ["r._meta_ = meta"]), "return r"]
        return self._function(lines)

    def laid_out(self, state: int, result: Any) -> Callable[..., Any] | None:
        """What does the same as the call that gave *result*, for arguments of its layout.

        None where the layout makes no difference.
        """
        surely, overload = lasting[state], self.overload
        if surely is NEVER:
            return None
        if "of_storage" in overload.row.tags and not self._placed():
            # Its results look the same, and more is not known.
            return self._alike(result) if overload.kind == FUNCTIONAL else None
        if surely is MOSTLY:
            return self._pending(result)
        self._guard = [*self._guard, *self._elsewhere()]
        if overload.kind == OUT:
            return self._writing()
        if overload.kind == INPLACE:
            return self._changing()
        if overload.composed_on(self.sig):
            transformed = tls.extra(state) & tls.TRANSFORMED  # each op notes what it gives
            return None if transformed else self._composed(result)
        return self._giving(result) if _is_laid_out_by_metas(overload, self.sig) else None

    def looking(self, state: int) -> Callable[..., Any] | None:
        """What makes its target look at its memory in another way, before a call does so.

        None where more is to be done than that.
        """
        overload = self.overload
        if lasting[state] is not ALWAYS or "of_storage" in overload.row.tags and not self._placed():
            return None
        lines, arounds, below = self._unwrapped()
        look, target = getattr(below, "look", None), self.arguments[overload.mutable_position]
        if look is None or arounds:
            return None
        array, sig = look(*self.arguments)
        text, cells = window_text(target, array, placed=bool(self._guard))
        before = meta_of(target)
        if not text or before is None:
            return None
        self.cells |= {**cells, "alias_of": alias_of, "ndarray": np.ndarray, "sig": sig}
        self.cells["meta"] = intern(sig, array.shape, array.strides, before.device)
        change = [
            f"base = {self.form.arguments[overload.mutable_position]}",
            *_if("base._edge_ is not None", self._general()),
            "a = base._a_",
            f"base._a_ = {text}",
            "base._sig_ = sig",
            "base._meta_ = meta",
        ]
        if getattr(below, "counts", False):
            change += [
                "shared = base._shared_",
                "if shared is None: shared = alias_of(base)",
                "shared.value += 1",
            ]
        return self._function([*lines, *change, self._return("base")])

    # -- the kinds of calls ------------------------------------------------------------------------

    def _giving(self, result: Any) -> Callable[..., Any] | None:
        """What gives fresh tensors, or views."""
        metas = metas_of(result)
        if metas is None:
            return None
        self.cells["metas"] = metas
        lines, arounds, below = self._unwrapped()
        self.cells["below"] = below
        done = self._view(below, result)
        if done is None:
            prepare = getattr(below, "prepare", None)
            kernel = None if prepare is None else prepare(self.arguments)
            if kernel is None:
                done = self._call_below(result, marked=not arounds)
            elif are_as_promised(result, kernel):
                done = self._kernel(kernel, result, lines, alone=not arounds)
        return None if done is None else self._joined(lines, arounds, done)

    def _alike(self, result: Any) -> Callable[..., Any] | None:
        """The general way, of which results come that look like *result*."""
        metas = metas_of(result)
        if metas is None or are_empty(result):
            return None
        self.cells["metas"] = metas
        return self._function(self._marking(result))

    def _view(self, below: Any, result: Any) -> Below | None:
        """Windows on the memory of the first argument."""
        views, one = getattr(below, "views", None), isinstance(result, Tensor)
        if views is None:
            return None
        metas, place = self.cells["metas"], self.form.place
        placed = "of_storage" in self.overload.row.tags
        made = viewing(views, self.arguments, result, metas, place, placed)
        if made is None:
            return None
        text = [f"base = {self.form.arguments[0]}", *made[0]]
        return Below(text, "t" if one else "tuple(made)", result, made[1], True)

    def _call_below(self, result: Any, marked: bool) -> Below | None:
        """The call below as it is, whose results get their metas, here if they are *marked*."""
        if _numbers_decide(self.overload) or are_empty(result):
            return None
        looks = marks("result", isinstance(result, Tensor)) if marked else ()
        text = [f"result = below({self._every()})", *looks]
        return Below(text, "result", result, {}, False)

    def _kernel(self, kernel: Kernel, result: Any, lines: list[str], alone: bool) -> Below:
        """A kernel on arrays; *lines* gets what is to be done before it."""
        cells, general = self.cells, self._marking(result)
        if "numbers_decide_sizes" in self.overload.row.tags:  # other numbers, other metas
            others, general, alone = self._other_numbers(()), self._general(), False
        else:
            others = self._other_numbers(self._free(kernel))
        if others and not alone:  # before anything is recorded
            lines += _if(others, general)
            others = ""
        texts = self.form.arguments
        text = running(self.overload, kernel, self.arguments, texts, cells, others, general)
        names = "".join([f"r{i}, " for i in range(len(kernel.looks))])
        return Below(text, f"({names})" if kernel.several else "r0", result, {}, True)

    def _composed(self, result: Any) -> Callable[..., Any] | None:
        """What the ops do that make the overload up, without the Python around them."""
        lines, arounds, composite = self._unwrapped()
        metas, texts = metas_of(result), self.form.arguments
        if arounds:  # recorded as one op
            if metas is None:
                return None
            texts = [f"a{i}" for i in range(self.overload.arity)]
        noted = composite_text(self.overload, self.sig, composite, self.arguments, texts)
        if noted is None:
            return None
        tests = [self._other_numbers(())]
        if self.overload.tagged("asks_identity"):
            tests += divided(self.form.arguments, self.arguments)
        others = " or ".join(filter(None, tests))
        if others:
            lines += _if(others, self._general())
        if not arounds:
            done = Below(noted.lines, noted.result, result, noted.cells, True)
            return self._joined(lines, (), done)
        below = call_text(texts, [*noted.lines, f"return {noted.result}"], noted.cells)
        self.cells |= {"below": below, "metas": metas}
        text = [f"result = below({self._every()})"]
        return self._joined(lines, arounds, Below(text, "result", result, {}, False))

    def _pending(self, result: Any) -> Callable[..., Any] | None:
        """In a pipeline: what is recorded; else results get their metas where they are as here."""
        metas = metas_of(result)
        laid_out = _is_laid_out_by_metas(self.overload, self.sig) and not _numbers_decide(
            self.overload
        )
        if metas is None or are_empty(result) or not laid_out:
            return None
        self.cells["metas"] = metas
        lines, arounds, below = self._unwrapped()
        prepare = getattr(below, "prepare", None)
        kernel = None if prepare is None else prepare(self.arguments)
        if kernel is not None and kernel.aliases:
            self.cells["below"] = below
            done = self._kernel(kernel, result, lines, alone=not arounds)
            return self._joined(lines, arounds, done)
        mark = "if {0}._sig_ == {1}.sig: {0}._meta_ = {1}"
        marks = [mark.format("r", "metas")]
        if not isinstance(result, Tensor):
            marks = ["for t, m in zip(r, metas):", f"    {mark.format('t', 'm')}"]
        return self._function([f"r = inner({self._every()})", *marks, self._return("r")])

    def _writing(self) -> Callable[..., Any] | None:
        """What writes into a target that fits; one that may share memory goes the general way."""
        prepare = getattr(self.inner, "target", None)
        target = None if prepare is None else prepare(self.arguments)
        if target is None:
            return None
        overload, texts = self.overload, self.form.arguments
        at, tensors = overload.out_positions[0], overload.tensor_positions
        given = [i for i in tensors if i != at and isinstance(self.arguments[i], Tensor)]
        operands = [texts[i] for i in given]
        free = [i for i in range(len(texts)) if i not in tensors] if target.any_scalar else ()
        others = self._other_numbers(free)
        run = f"copyto(target._a_, run({', '.join(texts)}), 'unsafe')"
        if target.ufunc is not None:
            run = f"run({', '.join([f'{t}._a_' for t in operands])}, out=target._a_)"
        self.cells |= {"alias_of": alias_of, "copyto": np.copyto}
        self.cells["run"] = target.ufunc or target.run
        shared, written = sharing(operands), [run]
        if target.kernel is not None:
            launching = target.kernel.launch and target.kernel.launch(target.kernel, None)
            if not isinstance(launching, Launching):
                return None
            arrays = arrays_of(overload, target.kernel, self.arguments, texts)
            written = launching.written(["target._a_", *arrays], self.cells)
            shared = sharing(operands, aliased=True)
        lines = [
            *(_if(others, self._general()) if others else []),
            f"target = {texts[at]}",
            "shared = target._shared_",
            *_if(" or ".join(shared), self._general()),
            *written,
            "if shared is None: shared = alias_of(target)",
            "shared.value += 1",
        ]
        return self._function([*lines, self._return("target")])

    def _changing(self) -> Callable[..., Any] | None:
        """What changes its target in place; one that shares memory goes the general way."""
        lines, arounds, below = self._unwrapped()
        prepare = getattr(below, "change", None)
        kernel = None if prepare is None else prepare(self.arguments)
        if kernel is None:
            return None
        target = self.arguments[self.overload.mutable_position]
        self.cells["below"] = below
        return self._joined(lines, arounds, Below(self._change(kernel), "target", target, {}, True))

    def _change(self, kernel: Kernel) -> list[str]:
        """Write what *kernel* gives into ``target``, and count that it was changed.

        Where that may be in part an operand, ``below`` does all of it.
        """
        texts, at, every = self.form.arguments, self.overload.mutable_position, self._every()
        self.cells |= {"alias_of": alias_of, "copyto": np.copyto, "same": same, "store": store}
        self.cells |= {"number": kernel.number, "run": kernel.run, "again": kernel.again}
        arrays = arrays_of(self.overload, kernel, self.arguments, texts)
        given = ", ".join(arrays)
        if kernel.writes:
            run = f"run({given})"
        elif type(kernel.run) is np.ufunc:
            run = f"run({given}, out=target._a_)"
        else:
            run = f"copyto(target._a_, run({given}), 'unsafe')"
        others, lines = self._other_numbers(self._free(kernel)), [run]
        if kernel.launch is not None:
            launching = kernel.launch(kernel, None)
            if isinstance(launching, Launching):
                lines = launching.written(["target._a_", *arrays], self.cells)
            else:
                self.cells["run"] = launching
                lines = [f"run(target._a_, {given})"]
        elif others:
            other = f"store(target._a_, again(({every},))({every}))"
            lines = [f"if {others}: {other}", f"else: {run}"]
        lines += ["if shared is None: shared = alias_of(target)", "shared.value += 1"]
        pairs = enumerate(zip(texts, self.arguments, strict=True))
        operands = [text for i, (text, t) in pairs if i != at and isinstance(t, Tensor)]
        met = f"shared is not None and ({' or '.join(meeting(operands))})" if operands else ""
        if kernel.launch is not None:
            met = " or ".join([text for text in (others, met) if text])
        if met:
            whole = f"if {met}: below({every})"
            lines = [whole, "else:", *[f"    {line}" for line in lines]]
        return [f"target = {texts[at]}", "shared = target._shared_", *lines]

    # -- fragments -----------------------------------------------------------------------------

    def _every(self) -> str:
        return ", ".join(self.form.arguments)

    def _return(self, result: str) -> str:
        return f"return {self.form.outer.format(result)}"

    def _general(self) -> list[str]:
        return [self._return(f"inner({self._every()})")]

    def _marking(self, result: Any) -> list[str]:
        """The general way; the results get their metas."""
        marking = marks("r", isinstance(result, Tensor))
        return [f"r = inner({self._every()})", *marking, self._return("r")]

    def _placed(self) -> bool:
        """Whether tensors that lie elsewhere in their storages, or in larger ones, are seen to.

        They go the general way. There has to be memory to lie in.
        """
        pairs = zip(self.form.arguments, self.arguments, strict=True)
        tensors = [pair for pair in pairs if isinstance(pair[1], Tensor)]
        test = elsewhere(tensors, self.cells)
        self._guard = _if(test, self._general()) if test else []
        return bool(test)

    def _elsewhere(self) -> list[str]:
        """A device that was asked for by its kind alone is another once another is current."""
        at = self.overload.device_position
        if at < 0 or self.arguments[at] is None and any(map(_has_tensors, self.arguments)):
            return []
        asked = self.arguments[at] or default_device()
        if asked is None or asked.index is not None or complete(asked) is asked:
            return []
        if self.arguments[at] is not None:
            self.cells |= {"current_device": backend_at(asked).current_device}
            self.cells["device_number"] = complete(asked).index
            return _if("current_device() != device_number", self._general())
        self.cells |= {"complete": complete, "default_device": default_device}
        self.cells["current"] = complete(asked)
        test = f"complete({self.form.arguments[at]} or default_device()) is not current"
        return _if(test, self._general())

    def _unwrapped(self) -> tuple[list[str], list[Around], Callable[..., Any]]:
        """What lies around the call, outermost first, and what it comes to below that.

        The lines send views that are not true to their base the general way.
        """
        lines: list[str] = []
        arounds: list[Around] = []
        call = self.inner
        while True:
            fresh, around = getattr(call, "fresh", None), getattr(call, "around", None)
            if fresh is not None:
                lines += self._views(fresh)
                call = fresh.call
            elif around is not None:
                arounds.append(around)
                call = around.inner
            else:
                return lines, arounds, call

    def _views(self, fresh: Any) -> list[str]:
        """Views that are not true to their base go the general way."""
        test = "({0}._shared_.touched or {0}._shared_.value) and is_stale({0})"
        if not fresh.of_changed:
            test = "{0}._shared_.touched and is_stale({0})"
        self.cells["is_stale"] = fresh.is_stale
        tests = []
        for text, value in zip(self.form.arguments, self.arguments, strict=True):
            items = [(text, value)]
            if type(value) in (list, tuple):
                items = [(f"{text}[{i}]", item) for i, item in enumerate(value)]
            views = [name for name, t in items if isinstance(t, Tensor) and t._sig_ & S.VIEW]
            tests += [test.format(name) for name in views]
        return _if(" or ".join(tests), self._general()) if tests else []

    def _free(self, kernel: Kernel) -> Sequence[int]:
        """The arguments that may be any number.

        Those that stand for tensors of floating dtypes are made arrays in each call; others the
        backend knows of.
        """
        row, operands = self.overload.row, self.overload.tensor_positions
        scalars = range(len(self.arguments)) if kernel.any_scalar else ()
        free = [i for i in scalars if i not in operands]
        floating = [t._a_.dtype.kind in "fc" for t in self.arguments if isinstance(t, Tensor)]
        if kernel.number is None or not all(floating) or row.refuses is not None:
            return free
        if row.prepare is None or type(kernel.run) is np.ufunc:
            free += operands
        return free

    def _other_numbers(self, free: Sequence[int]) -> str:
        """The condition that a number is another than the given one, but for the *free* ones."""
        changing = [p for p in self.form.parameters if p not in self.form.keyed]
        tests = []
        for i, (text, value) in enumerate(zip(self.form.arguments, self.arguments, strict=True)):
            if i not in free and text in changing and type(value) in _NUMBERS:
                self.cells[f"n{i}"] = value
                tests.append(f"{text} is not n{i} and not same({text}, n{i})")
        return " or ".join(tests)

    def _joined(
        self, lines: Sequence[str], arounds: Sequence[Around], below: Below
    ) -> Callable[..., Any] | None:
        """The function of *below* and of what is around it; *lines* come first."""
        self.cells |= below.cells
        for around in reversed(arounds):
            written = around.lines(self.arguments, self.form.arguments, below)
            if written is None:
                return None
            text, cells = written
            self.cells |= cells
            below = Below(text, "result", below.example, {}, True)
        return self._function([*lines, *below.lines, self._return(below.result)])

    def _function(self, lines: Sequence[str]) -> Callable[..., Any]:
        form, conditions = self.form, list(self.form.conditions)
        lines = [*self._guard, *lines]
        for text in form.keyed:
            name, bracket, rest = text.partition("[")
            value = self.given[form.parameters.index(name)]
            value = value[int(rest[:-1])] if bracket else value
            conditions += check(text, value, f"s{len(conditions)}", self.cells)
        if conditions:
            lines = [*_if(" or ".join(conditions), [f"return {form.missed}"]), *lines]
        return call_text(form.parameters, lines, self.cells)


def _if(condition: str, lines: Sequence[str]) -> list[str]:
    return [f"if {condition}:", *[f"    {line}" for line in lines]]


def _has_tensors(value: Any) -> bool:
    return (
        isinstance(value, Tensor) or type(value) in (list, tuple) and any(map(_has_tensors, value))
    )


def _numbers_decide(overload: Overload) -> bool:
    """Whether results may look another way where the numbers are others."""
    row = overload.row
    return row.view is row.meta is row.promote is None or "numbers_decide_sizes" in row.tags


def _is_laid_out_by_metas(overload: Overload, sig: int) -> bool:
    """Whether the looks of fresh results follow from those of the arguments."""
    row = overload.row
    if overload.kind != FUNCTIONAL or overload.composed_on(sig):
        return False
    return not (row.view is row.meta is row.promote is row.infer is None)
