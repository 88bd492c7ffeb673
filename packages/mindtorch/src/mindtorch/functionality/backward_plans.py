"""Plans of backward: what the nodes of a class do for gradients and saved values of one layout.

``apply`` of a node looks a plan up by all that its formulas can see: the interned metas of the
gradients and of the saved values, plain values themselves, which gradients are wanted. Layouts that
come a second time get one: the formulas run once over :mod:`.call_tape`, and the text of what
they came to is compiled, the fitting of the gradients to their arguments included. Registrations
and switches that empty the tables of ops empty the plans, too.

No plan is looked up while the backward itself is recorded or anybody watches; then, and where the
formulas do what a tape cannot hold, they are called.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from mindtorch_autograd import grad_mode

from ..call.code import function
from ..call.generation import generation, keep
from ..call.overload import FUNCTIONAL
from ..core import signature as S
from ..core.key_sets import grad_state, tls_state
from ..tensor import Tensor
from ..tensor.interning import meta_of
from .call_tape import Tape
from .recording import Recording

__all__ = ["planned"]

#: So many layouts are remembered per class of nodes.
_LAYOUTS = 512
#: Signatures of calls whose nodes have no plans.
_UNUSUAL = S.OF_CLASS | S.PENDING | S.BATCHED | S.FUNCTIONAL | S.DUAL | S.FUNCTIONALITIES


#: Classes of gradients that plans are for.
_PLAIN = frozenset((Tensor, type(None)))


def planned(recorder: Recording, formulas: Callable[..., Any]) -> Callable[..., Any]:
    """The function for ``apply`` of the nodes of *recorder*; *formulas* calls the formulas."""
    sig = recorder.sig
    if (
        recorder.overload.kind != FUNCTIONAL
        or recorder.placed
        or sig & _UNUSUAL
        or sig >> S.TLS_SHIFT
        or sig & S.GRAD_STATE & ~grad_mode.GRAD_ENABLED
    ):
        return formulas
    return _Writer(recorder, formulas).compiled()


def have_metas(*values: Any) -> bool:
    """Whether all tensors among *values* have a meta, which they have from now on."""
    return all([meta_of(v) is not None for v in values if isinstance(v, Tensor)])


class _Writer:
    """Writes the function that looks plans up."""

    def __init__(self, recorder: Recording, formulas: Callable[..., Any]) -> None:
        self.recorder = recorder
        self.formulas = formulas
        #: Plans by layout.
        self.plans: dict[Any, Callable[..., Any]] = {}
        self.lines: list[str] = []
        self.key: list[str] = []
        #: What in it may be tensors.
        self.tensors: list[str] = []
        self.checks: list[str] = []
        #: The parameters of a plan, and by name of a saved value which of them it is.
        self.given: list[str] = []
        self.texts: dict[str, tuple[str, str]] = {}
        #: What calls the formulas in place of a plan.
        self.without = ""
        #: Arguments whose layout is in the key in any case.
        self.known = {*recorder.facts, *recorder.told}

    def compiled(self) -> Callable[..., Any]:
        recorder = self.recorder
        several = len(recorder.inputs) > 1 or bool(recorder.lists & set(recorder.inputs))
        edges, passed = (", edges=None", ", edges") if several else ("", "")
        if recorder.multi:
            grads, first = "*grads", "grads"
            self.key.append("*[None if g is None else g._meta_ for g in grads]")
            self.tensors.append("*grads")
            odd = "not PLAIN.issuperset(map(type, grads))"
        else:
            grads = first = "grad"
            self.key.append("grad._meta_")
            self.tensors.append("grad")
            odd = "type(grad) is not Tensor"
        self.without = f"return formulas(node, {grads}{passed})"
        self.read_saved()
        self.read_facts()
        if recorder.lists:
            self.key.append("*[e is None for e in node._edges_]")
        elif several:
            names = [f"e{i}" for i in range(len(recorder.inputs))]
            self.lines.append(f"{', '.join(names)} = node._edges_")
            self.key += [f"{name} is None" for name in names]
        unusual = f"{odd} or edges is not None" if several else odd
        given = ", ".join(["node", first, *self.given])
        key = f"({', '.join(self.key)},)" if len(self.key) > 1 or recorder.multi else self.key[0]
        body = [
            f"def quick(node, {grads}{edges}):",
            f"    if {unusual}:",
            f"        {self.without}",
            f"    saved = node.{recorder.store}",
            # Freed: the formulas say which of them needs what is gone.
            f"    if type(saved) is not tuple: {self.without}",
            *(["    kept = node.kept"] if recorder.apart else []),
            *(f"    {line}" for line in self.lines),
            "    try:",
            f"        plan = plans[{key}]",
            "    except (AttributeError, KeyError, TypeError):",  # no meta, no plan; not hashable
            "        plan = None",
            "    if plan is None:",
            f"        plan = find({key}) if have_metas({', '.join(self.tensors)}) else called",
            *(f"    {line}" for line in self.checks),
            f"    return plan({given})",
            f"def apply(node, {grads}{edges}):",
            "    if grad_state() or tls_state():",
            f"        {self.without}",
            f"    return quick(node, {grads}{passed})",
            "apply.quick = quick",  # which the engine calls where it has asked the same
            "apply.formulas = formulas",
            "return apply",
        ]
        if several:
            body = [line.replace(", edges)", ", edges=edges)") for line in body]
        cells: dict[str, Any] = {
            "PLAIN": _PLAIN,
            "Tensor": Tensor,
            "UNUSUAL": _UNUSUAL,
            "called": self.called,
            "find": self.find,
            "formulas": self.formulas,
            "grad_state": grad_state,
            "have_metas": have_metas,
            "ndarray": np.ndarray,
            "plans": self.plans,
            "tls_state": tls_state,
        }
        made: Callable[..., Any] = function("\n".join(body), cells)
        return made

    # -- what a plan is looked up by ---------------------------------------------------------------

    def read_saved(self) -> None:
        """Read the saved values and put what formulas can see of them into the key."""
        recorder = self.recorder
        for i, name in enumerate(recorder.saved):
            place = recorder.place(name)
            if name in recorder.plain and name not in recorder.facts:
                self.read_value(name, place, f"v{i}")
            elif name in recorder.lists:
                self.read_list(name, f"x{i}")
            elif name not in recorder.plain:
                self.read_tensor(name, place, recorder.places[name] + 1, f"x{i}", f"y{i}")

    def read_value(self, name: str, place: str, v: str) -> None:
        arguments = self.recorder.overload.schema.arguments
        kind = str(arguments[self.recorder.names.index(name)].type)
        self.lines.append(f"{v} = {place}")
        if "List" in kind or "[]" in kind:
            self.key.append(f"tuple({v}) if type({v}) is list else {v}")
            return
        if kind.startswith(("number", "Scalar", "Optional[number", "Union")):
            self.key.append(f"type({v})")  # True equals 1, and 1 equals 1.0
        self.key.append(f"{v} or repr({v})")  # 0.0 equals -0.0

    def read_list(self, name: str, x: str) -> None:
        self.lines.append(f"{x} = node.{name}")  # looks at the versions
        self.key.append(f"*[None if t is None else t._meta_ for t in {x}]")
        self.tensors.append(f"*{x}")
        self.given.append(x)
        self.texts[name] = (x, "")

    def read_tensor(self, name: str, place: str, version: int, x: str, y: str) -> None:
        recorder = self.recorder
        changed = f"saved[{version}]"
        self.lines.append(f"{x} = {place}")
        if name in recorder.results and recorder.keeps_array:
            # Of its dtype and shape, which are those of the gradient, is only the array.
            if recorder.sig & S.STRIDED or "pointwise" not in recorder.overload.row.tags:
                self.key.append(f"{y}.strides")
            self.texts[name] = (f"node.{name}", y)
            self.given.append(y)
            self.lines += [
                f"if type({x}) is ndarray:",
                f"    {y} = {x}",
                f"    if {changed}.value: node.{name}",
                "else:",
                f"    if {x}._sig_ & UNUSUAL: {self.without}",  # it has a tangent, for one
                f"    {y} = {x}._a_",
                f"    if {x}._shared_.value != {changed}: node.{name}",
            ]
            return
        self.texts[name] = (x, "")
        self.given.append(x)
        self.tensors.append(x)
        check = [
            f"alias = {x}._shared_",
            f"if alias is not None and alias.value != {changed}: node.{name}",
        ]
        if name in recorder.tensors and recorder.surely_tensor(name) and not recorder.needing(name):
            self.key.append(f"{x}._meta_")
            self.checks += check
            self.known.add(name)
            return
        if recorder.sig & S.NUMBERS:
            there = f"isinstance({x}, Tensor)"
            self.key.append(f"{x}._meta_ if {there} else (type({x}), {x} or repr({x}))")
        else:
            there = f"{x} is not None"
            self.key.append(f"{x} is None or {x}._meta_")
        self.checks += [f"if {there}:", *(f"    {line}" for line in check)]

    def read_facts(self) -> None:
        """Put the facts that formulas ask, and those that gradients have to fit, into the key."""
        recorder = self.recorder
        count = len(recorder.inputs)
        places = [(recorder.place(n), False) for n in recorder.facts]
        told = len(recorder.told)
        places += [(f"kept[{i - told}]", False) for i in range(told)]
        if recorder.sig & S.FORMER or not recorder.fits:
            places += [
                (f"saved[{i - count}]", name in recorder.lists)
                for i, name in enumerate(recorder.inputs)
                if recorder.sig & S.FORMER or name not in self.known
            ]
        for number, (place, many) in enumerate(places):
            parts = ["sizes", "np_dtype.num", "sig", "byte_strides"]
            if recorder.sig & S.ACCELERATORS:  # whose devices a signature does not tell apart
                parts.append("device")
            look = f"{{0}} and ({', '.join([f'{{0}}.{part}' for part in parts])})"
            if many:
                self.key.append(f"*[{look.format('m')} for m in {place}]")
            else:
                self.lines.append(f"m{number} = {place}")
                self.key.append(look.format(f"m{number}"))

    # -- how a plan comes to be --------------------------------------------------------------------

    def called(self, node: Any, grads: Any, *given: Any) -> Any:
        """In place of a plan: the formulas."""
        return self.formulas(node, *grads) if self.recorder.multi else self.formulas(node, grads)

    def find(self, key: Any) -> Callable[..., Any]:
        """What serves for *key*: its plan, or until then the formulas.

        A key that comes is remembered; the next time it gets a plan.
        """
        try:
            plan = self.plans.get(key)
        except TypeError:  # not hashable
            return self.called
        if plan is not None:
            return plan
        if len(self.plans) >= _LAYOUTS:
            self.plans.clear()
        keep(self.plans, key, partial(self.learn, key), generation())
        return self.called

    def learn(self, key: Any, node: Any, grads: Any, *given: Any) -> Any:
        """Make the plan of *key* and follow it."""
        begun = generation()
        try:
            plan = self.make(node, grads if self.recorder.multi else (grads,))
        except Exception:  # whatever it is, the formulas say it in their own words
            plan = self.called
        keep(self.plans, key, plan, begun)
        return plan(node, grads, *given)

    def make(self, node: Any, grads: tuple[Any, ...]) -> Callable[..., Any]:
        """The plan for the layout of *node* and *grads*."""
        tape = Tape()
        first = "grads" if self.recorder.multi else "grad"
        seen = [
            None if g is None else tape.given(g, f"grads[{i}]" if self.recorder.multi else first)
            for i, g in enumerate(grads)
        ]
        given = tape.follow(self.recorder.plain_apply(), _StandIn(tape, node, self), *seen)
        return tape.compiled(", ".join(["node", first, *self.given]), tape.result(given))


class _StandIn:
    """A node as its formulas see it while they are noted."""

    def __init__(self, tape: Tape, node: Any, writer: _Writer) -> None:
        recorder = writer.recorder
        self._edges_ = node._edges_
        self._num_outputs_ = node._num_outputs_
        for slot in {recorder.store, "kept" if recorder.apart else recorder.store}:
            setattr(self, slot, getattr(node, slot))
        self.name = node.name
        names = {*recorder.saved, *(f"{n}_facts" for n in (*recorder.told, *recorder.lists))}
        for name in [*sorted(names), "mask"]:
            texts = writer.texts.get(name)
            if texts is None:
                if hasattr(type(node), name):
                    setattr(self, name, getattr(node, name))
                continue
            value = getattr(node, name)
            x, y = texts
            if isinstance(value, Tensor):
                setattr(self, name, tape.given(value, x, y))
            elif isinstance(value, tuple):
                members = [
                    tape.given(v, f"{x}[{i}]") if isinstance(v, Tensor) else v
                    for i, v in enumerate(value)
                ]
                setattr(self, name, tuple(members))
            else:
                setattr(self, name, value)
