"""The function that records a call: written as text for each overload and signature.

Generated text instead of a loop over arguments, because this is the path of every training step:
it makes the node, its edges and its tuple of saved values in straight-line code. Of a layout of
arguments that is known these lines stand in one function with those that run the kernel (see
``call.known_call``), so a recorded call of ``mul`` is one frame of Python and one of numpy, and
all that follows from the layout is a constant in it: the facts that formulas ask for, what
gradients have to fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_autograd import Output, grad_mode, next_key
from mindtorch_storage import CPU

from ..call.code import function
from ..call.dispatch_entry import Call
from ..call.fragments import Around, Below, telling
from ..call.overload import INPLACE
from ..core import signature as S
from ..core.errors import no_complex_gradient, no_history_of
from ..core.key_sets import seen_by_python
from ..tensor import Leaf, Tensor, base_of
from ..tensor.edges import new_leaf_edge
from ..tensor.stale_grad_metadata import expected, expected_all
from ..tensor.tensor_impl import Alias, alias_of
from ..tensor.tensor_meta import Facts, describe
from .recorder import Recorder, not_differentiable
from .saving import (
    attach,
    before_change,
    describe_all,
    edge_of,
    edges_of,
    note_rare,
    pack_arguments,
    save_result,
    save_visibly,
    version,
)
from .view_history import check_inplace, continue_view, rebase

#: So many results get their edges one by one in the text.
_MANY = 16


def forward(recorder: Recorder, inner: Call) -> Call:
    """The recording function around *inner*."""
    node_class = recorder.node_class()
    general = Writer(recorder, recorder.texts, node_class)
    lead = recorder.overload.arity - len(recorder.overload.tail)
    parameters = [t if i < lead else f"{t}=d{i}" for i, t in enumerate(recorder.texts)]
    general.write([f"result = inner({', '.join(recorder.texts)})"], "result")
    lines = [f"    {line}" for line in general.lines]
    text = [f"def forward({', '.join(parameters)}):", *lines, "    return result", "return forward"]
    made: Call = function("\n".join(text), {**general.scope(), "inner": inner})

    def known(
        arguments: tuple[Any, ...], texts: Sequence[str], below: Below
    ) -> tuple[list[str], dict[str, Any]] | None:
        writer = Writer(recorder, texts, node_class, arguments, below)
        if not writer.records():
            return None
        writer.write(below.lines, below.result)
        return writer.lines, {**below.cells, **writer.scope()}

    return telling(made, around=Around(inner, known))


def requires_grad(value: Any) -> bool:
    """Whether an argument is a tensor that requires grad, with or without an edge."""
    return isinstance(value, Tensor) and bool(value._sig_ & S.REQUIRES_GRAD)


class Writer:
    """Writes the lines of one recorded call, whose ``result`` is what callers get.

    :param texts: the arguments.
    :param known: arguments of the layout that the lines are for; without them, for any.
    :param below: what is recorded of them.
    """

    def __init__(
        self,
        recorder: Recorder,
        texts: Sequence[str],
        node_class: type,
        known: tuple[Any, ...] | None = None,
        below: Below | None = None,
    ) -> None:
        self.recorder = recorder
        self.overload = recorder.overload
        self.node_class = node_class
        self.known = None if known is None else dict(zip(recorder.names, known, strict=True))
        self.example: Any = None if below is None else below.example
        self.wrapped = below is not None and below.wrapped
        self.inplace = self.overload.kind == INPLACE
        self.lines: list[str] = []
        #: Facts that are the same in each call.
        self.constants: dict[str, Any] = {}
        #: The arguments whose value or facts were taken before the op changed them.
        self.before: list[str] = []
        names = recorder.names
        self.target = names[self.overload.mutable_position] if self.inplace else ""
        #: Which argument has which number: in the text they are numbered, so that ops share it.
        self.at = {n: i for i, n in enumerate(names)}
        self.text = dict(zip(names, texts, strict=True))

    def put(self, line: str) -> None:
        """Add a line."""
        self.lines.append(line)

    def records(self) -> bool:
        """Whether calls of the known layout are recorded."""
        assert self.known is not None
        recorder = self.recorder
        given = [self.known[n] for n in recorder.inputs]
        tensors = [t for v in given for t in (v if type(v) in (list, tuple) else (v,))]
        results = self.example if recorder.multi else (self.example,)
        if not any(map(requires_grad, tensors)) or any(
            requires_grad(self.known[n]) for n in recorder.constants
        ):
            return False
        if self.inplace:
            integers = self.known[self.target]._a_.dtype.kind in "biu"
            return not (integers and self.copies())
        return any(map(requires_grad, results))

    def write(self, below: Sequence[str], result: str) -> None:
        """Write all lines, around those of what is *below*, which gives *result*."""
        recorder, overload, at = self.recorder, self.overload, self.at
        self.guard()
        edges = self.edges()
        if recorder.sig & S.FORMER:
            for n in recorder.inputs:
                many = "_all" if n in recorder.lists else ""
                self.put(f"m{at[n]} = expected{many}({self.text[n]})")
            if self.inplace and self.target in recorder.inputs:
                # ``CopySlices`` hands it the window as it is now, and takes back what comes.
                target = self.text[self.target]
                self.put(f"if base_of({target}) is not None: m{at[self.target]} = None")
        self.take_before()
        if recorder.sig & grad_mode.RARE:  # hooks see arguments before the op runs
            tensors = [n for n in recorder.saved if n not in recorder.plain]
            values = [
                f"{self.saved(n).partition(', ')[0]}, "
                for n, (_, index) in zip(tensors, recorder.slots, strict=True)
                if index < 0
            ]
            self.put(f"packed = pack_arguments(({''.join(values)}))")
        self.lines += below
        if result != "result":
            self.put(f"result = {result}")
        if self.known is None:
            self.check_result()
        twice = [n for n in recorder.inputs if n in recorder.facts and n not in self.before]
        for n in (*twice, *recorder.told):  # facts are saved, and what the gradient must fit
            self.put(f"f{at[n]} = {self.facts(n)}")
        self.before += twice
        if recorder.keeps_array:
            if self.wrapped:
                self.lines += ["alias = result._shared_ = Alias()", "alias.value = 0"]
            else:
                self.put("alias = alias_of(result)")
        apart = recorder.plain if recorder.apart else ()
        parts = [self.saved(n) for n in recorder.saved if n not in apart]
        parts += [self.meta(n) for n in recorder.inputs]
        if any("== shape" in p for p in parts):
            self.put("shape = result._a_.shape")
        self.put("node = Node()")
        self.put("node._key_ = next_key()")
        self.put("node._extra_ = None")
        self.put(f"node._edges_ = ({', '.join(edges)}{',' if edges else ''})")
        self.put(f"node.{recorder.store} = ({', '.join(parts)}{',' if parts else ''})")
        if recorder.apart:
            kept = [self.saved(n) for n in recorder.plain]
            kept += [f"f{at[n]}" for n in recorder.told]
            self.put(f"node.kept = ({', '.join(kept)},)")
        if self.inplace:
            begin = "rebase" if overload.row.view is None else "continue_view"
            self.put(f"{begin}({self.text[self.target]}, node)")
        elif recorder.multi:
            self.attach()
        else:
            self.put("result._edge_ = node")
            if not self.wrapped:
                meta = "STALE" if self.known is None else "metas"
                self.lines += ["result._sig_ |= REQUIRES_GRAD", f"result._meta_ = {meta}"]
        if recorder.sig & grad_mode.RARE:
            self.put("note_rare(node, result, slots, packed)")

    def attach(self) -> None:
        """Give the results of the node their edges."""
        recorder = self.recorder
        leaf = self.overload.row.is_leaf
        if not self.wrapped or len(self.example) > _MANY:
            leaves = tuple(i for i in range(len(recorder.results)) if leaf(i))
            self.put(f"attach(result, node, {leaves})")
            if self.known is not None:
                self.put("for r, m in zip(result, metas): r._meta_ = m")
            return
        self.put(f"node._num_outputs_ = {len(self.example)}")
        if len(self.example) == 1:  # the edge of a node's only output is the node itself
            self.put("result[0]._edge_ = node")
            return
        made = [(i, t) for i, t in enumerate(self.example) if requires_grad(t)]
        self.lines += [f"result[{i}]._edge_ = Output(node, {i})" for i, _ in made]
        self.constants["results"] = describe_all([t for _, t in made])
        self.put("node._extra_.input_metadata = results")

    def is_tensor(self, name: str) -> bool:
        """Whether the argument is a tensor whose edge is true."""
        if self.known is None:
            return self.recorder.surely_tensor(name)
        return isinstance(self.known[name], Tensor)

    def is_nothing(self, name: str) -> bool:
        """Whether it is known that the argument is a number, or not there."""
        if self.known is None or name in self.recorder.lists:
            return False
        return not isinstance(self.known[name], Tensor)

    def guard(self) -> None:
        """Before anything else: calls that are not for this function, and forbidden ones."""
        every = ", ".join(self.text.values())
        if self.known is None and self.copies() and self.may_be_integers():
            # what was float is integers now, and has no gradient
            target = self.text[self.target]
            self.put(f"if {target}._a_.dtype.kind in 'biu': return inner({every})")
        if self.inplace:
            self.put(f"check_inplace({self.text[self.target]})")
        if self.known is None:
            for n in self.recorder.constants:
                refusal = f"raise not_differentiable(op_name, names[{self.at[n]}])"
                self.put(f"if requires_grad({self.text[n]}): {refusal}")

    def copies(self) -> bool:
        """Whether it is ``copy_``: torch asks there whether the target's dtype has gradients.

        What else writes into integers has history, as if they had gradients.
        """
        return self.inplace and self.overload.row.base == "copy_"

    def may_be_integers(self) -> bool:
        """Whether there are integers among the arguments."""
        return any(
            not (d.is_floating_point or d.is_complex)
            for shift in (S.DIM_SHIFT, S.ZERO_SHIFT)
            for d in S.dtypes_in(self.recorder.sig, shift)
        )

    def edges(self) -> list[str]:
        """Look up where the gradients of the arguments go."""
        recorder, at = self.recorder, self.at
        edges = []
        for n in recorder.inputs:
            given, e = self.text[n], f"e{at[n]}"
            edges.append(f"*{e}" if n in recorder.lists else e)
            if n in recorder.lists:
                self.put(f"{e} = edges_of({given})")
            elif self.is_tensor(n):
                self.put(f"{e} = {given}._edge_")
                self.put(f"if type({e}) is Leaf: {e} = {e}() or new_leaf_edge({given})")
            elif self.is_nothing(n):
                self.put(f"{e} = None")
            else:
                self.put(f"{e} = edge_of({given})")
        if self.known is None:
            every = ", ".join(self.text.values())
            self.put(f"if {self.nothing_to_record()}: return inner({every})")
        return edges

    def nothing_to_record(self) -> str:
        """The condition that no argument requires grad."""
        recorder, at = self.recorder, self.at
        tests = [
            f"not any(e{at[n]})" if n in recorder.lists else f"e{at[n]} is None"
            for n in recorder.inputs
        ]
        # A view made in no_grad has no edge, yet what comes of it requires grad.
        for n in recorder.inputs:
            many = n in recorder.lists
            required = "any(map(requires_grad, {}))" if many else "requires_grad({})"
            tests.append(f"not {required.format(self.text[n])}")
        return " and ".join(tests) or "True"

    def take_before(self) -> None:
        """Of an in-place op's target, what formulas need of its former self."""
        recorder, target, at = self.recorder, self.target, self.at
        if not self.inplace:
            return
        if self.overload.row.view is not None:
            # The op changes its argument's own layout, so its facts are taken before.
            placed = target in recorder.placed
            self.put(f"f{at[target]} = describe({self.text[target]}, {placed})")
            self.before.append(target)
        elif target in recorder.saved and target not in recorder.facts:
            condition = self.needed_by(target)
            otherwise = f" if {condition} else None" if condition else ""
            self.put(f"s_self = before_change({self.text[target]}){otherwise}; v_self = 0")
            self.before.append(target)
        for n in recorder.saved:  # others may see the same memory
            if n in recorder.tensors and n not in recorder.facts and n not in self.before:
                self.put(f"v{at[n]} = {self.version(n)}")
            elif n in recorder.lists and n not in recorder.facts:
                self.put(f"v{at[n]} = tuple([version(t) for t in {self.text[n]}])")

    def check_result(self) -> None:
        """Look whether there is a result to record; refuse those that have no gradient.

        What was asked for as integers has none, nor have complex results of some ops.
        """
        recorder = self.recorder
        if seen_by_python(recorder.sig):  # a handler may answer with nothing
            nothing = "all(r is None for r in result)" if recorder.multi else "result is None"
            self.put(f"if {nothing}: return result")
        if "real_only" in self.overload.row.tags and not self.inplace:
            first = "result[0]" if recorder.multi else "result"
            self.put(f"if {first}._a_.dtype.kind == 'c': raise no_complex_gradient(op_name)")
        if "dtype" in recorder.names and not self.inplace and not recorder.multi:
            asked = self.text["dtype"]
            whole = f"{asked} is not None and result._a_.dtype.kind in 'biu'"
            copies = self.overload.row.name == "_to_copy"  # torch looks at the dtype in advance
            refusal = "return result" if copies else "raise no_history_of(result.dtype)"
            self.put(f"if {whole}: {refusal}")
            if copies:
                return
        # By as_strided the history of a view is told again, which in torch asks for nothing.
        again = self.overload.row.base == "as_strided"
        if not (self.inplace or recorder.multi or again) and self.may_be_integers():
            self.put("if result._a_.dtype.kind in 'biu': raise no_history_of(result.dtype)")

    def saved(self, name: str) -> str:
        """What is saved of an argument or result."""
        recorder, at, given = self.recorder, self.at, self.text.get(name, "")
        if name in recorder.results:
            if recorder.keeps_array:
                # Its array, and whom to ask for changes: the tensor would close a cycle through
                # the node. ``kept_result`` makes a tensor of them.
                return "result._a_, alias"
            i = recorder.results.index(name)
            leaf = "leaf" if self.overload.row.is_leaf(i) else "result"
            one = len(recorder.results) == 1
            result = "result" if one else f"result[{i}]"
            return f"*save_{leaf}({result}{f', {result}._meta_' if self.wrapped else ''})"
        if name in self.before and name not in recorder.facts:
            return "s_self, v_self"
        if name in recorder.lists:
            if self.inplace:
                return f"tuple({given}), v{at[name]}"
            return f"tuple({given}), tuple([version(t) for t in {given}])"
        if name in recorder.facts:
            if name in self.before:
                return f"f{at[name]}"
            return self.described(name)
        if name not in recorder.tensors:
            return given
        number = f"v{at[name]}" if self.inplace else self.version(name)
        condition = self.needed_by(name)
        if condition:
            return f"{given} if {condition} else None, {number}"
        return f"{given}, {number}"

    def needed_by(self, name: str) -> str:
        """The condition under which *name* is saved; empty: always."""
        lists, at = self.recorder.lists, self.at
        needing = self.recorder.needing(name)
        tests = [f"any(e{at[a]})" if a in lists else f"e{at[a]} is not None" for a in needing]
        return " or ".join(tests)

    def version(self, name: str) -> str:
        """How often an argument was changed so far."""
        tensor = self.text[name]
        if self.is_tensor(name):
            return f"(0 if {tensor}._shared_ is None else {tensor}._shared_.value)"
        return "0" if self.is_nothing(name) else f"version({tensor})"

    def described(self, name: str) -> str:
        """The facts of an argument: they follow from its layout, but for its place."""
        given, placed = self.text[name], name in self.recorder.placed
        if self.known is None or placed:
            return f"describe({given}, {placed})"
        cell = f"F{self.at[name]}"
        many = name in self.recorder.lists
        self.constants[cell] = (describe_all if many else describe)(self.known[name])
        return cell

    def facts(self, name: str) -> str:
        """:meth:`described`; of a plain tensor on the host without asking for them."""
        recorder = self.recorder
        plain = recorder.sig & (S.BACKENDS | S.PYTHON) == S.CPU and recorder.surely_tensor(name)
        if self.known is not None or not plain or name in recorder.placed:
            return self.described(name)
        given = self.text[name]
        self.put(f"x = {given}._a_")
        known = "make_facts(Facts, (x.shape, x.dtype, ON_CPU, CPU, x.strides, -1))"
        return f"{known} if x.size else describe({given})"

    def meta(self, name: str) -> str:
        """What the gradient must be made to fit; None where it fits by itself."""
        recorder, at, given = self.recorder, self.at, self.text[name]
        if recorder.sig & S.FORMER:
            return f"m{at[name]}"
        if recorder.fits:
            return "None"
        if self.inplace and self.overload.row.view is not None:
            return f"f{at[name]}"
        if self.known is not None and self.is_fit(name):
            return "None"
        if name in recorder.lists:
            return f"describe_all({given})" if self.known is None else self.described(name)
        described = name in recorder.facts or name in recorder.told
        facts = f"f{at[name]}" if described and self.is_tensor(name) else ""
        if facts and (not self.inplace or recorder.multi):
            return facts
        if self.known is not None:
            cell = f"F{at[name]}"
            self.constants[cell] = describe(self.known[name])
            return cell
        # What a hook gives back need not be what was packed.
        hooked = recorder.sig & grad_mode.RARE
        if recorder.multi or hooked or not recorder.surely_tensor(name):
            return f"describe({given}) if e{at[name]} is not None else None"
        same = f"{given}._a_.shape == shape"
        if not recorder.one_dtype:
            same += f" and {given}._a_.dtype is result._a_.dtype"
            for other in self.wider(name):
                same += f" and {self.text[other]}._a_.dtype is result._a_.dtype"
        return f"None if e{at[name]} is None or ({same}) else describe({given})"

    def is_fit(self, name: str) -> bool:
        """Whether the gradient of the only result has the shape and dtype of a known argument."""
        assert self.known is not None
        recorder, t = self.recorder, self.known[name]
        if recorder.multi or recorder.sig & grad_mode.RARE or not isinstance(t, Tensor):
            return False
        if name in recorder.facts or name in recorder.told:
            return False  # of which the formulas are told
        result = self.known[self.target] if self.inplace else self.example
        same = [t, *[self.known[n] for n in self.wider(name)]]
        if any(x._a_.dtype != result._a_.dtype for x in same):
            return False
        return bool(t._a_.shape == result._a_.shape)

    def wider(self, name: str) -> list[str]:
        """The arguments beside *name* in whose dtype a gradient may come.

        The result of an op in place has that of its target, whatever the others are; that of a
        loss's backward has the one of its input.
        """
        recorder = self.recorder
        if recorder.one_dtype or not (self.inplace or recorder.narrows):
            return []
        return [n for n in sorted(recorder.tensors) if n != name and recorder.surely_tensor(n)]

    def scope(self) -> dict[str, Any]:
        """The names that the lines use."""
        recorder, overload = self.recorder, self.overload
        lead = overload.arity - len(overload.tail)
        scope: dict[str, Any] = {
            "Alias": Alias,
            "CPU": CPU,
            "Facts": Facts,
            "Leaf": Leaf,
            "Node": self.node_class,
            "ON_CPU": S.CPU,
            "Output": Output,
            "REQUIRES_GRAD": S.REQUIRES_GRAD,
            "STALE": S.STALE,
            "alias_of": alias_of,
            "attach": attach,
            "base_of": base_of,
            "before_change": before_change,
            "check_inplace": check_inplace,
            "continue_view": continue_view,
            "describe": describe,
            "describe_all": describe_all,
            "edge_of": edge_of,
            "edges_of": edges_of,
            "expected": expected,
            "expected_all": expected_all,
            "make_facts": tuple.__new__,
            "names": recorder.names,
            "new_leaf_edge": new_leaf_edge,
            "next_key": next_key,
            "no_complex_gradient": no_complex_gradient,
            "no_history_of": no_history_of,
            "not_differentiable": not_differentiable,
            "note_rare": note_rare,
            "op_name": overload.row.base,
            "pack_arguments": pack_arguments,
            "rebase": rebase,
            "requires_grad": requires_grad,
            "save_leaf": save_result,
            "save_result": save_visibly if seen_by_python(recorder.sig) else save_result,
            "slots": recorder.slots,
            "version": version,
        }
        for i, default in enumerate(overload.tail, lead):
            scope[f"d{i}"] = default
        return {**scope, **self.constants}
