"""The function that records a call: written as text for each overload and signature.

Generated text instead of a loop over arguments, because this is the path of every training step:
it makes the node, its edges and its tuple of saved values in straight-line code. Where the
function below is one array function (``Direct``), that is called right here,
so a recorded call of ``mul`` is one frame of Python and one of numpy.
"""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import grad_mode, next_key
from mindtorch_storage import CPU

from ..call.code import function
from ..call.dispatch_entry import Call, Direct
from ..call.fragments import Around
from ..call.overload import INPLACE
from ..core import signature as S
from ..core.errors import no_complex_gradient, no_history_of
from ..core.key_sets import seen_by_python
from ..tensor import Leaf, Tensor, base_of
from ..tensor.edges import new_leaf_edge
from ..tensor.stale_grad_metadata import expected, expected_all
from ..tensor.tensor_impl import Alias
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


def forward(recorder: Recorder, inner: Call) -> Call:
    """The recording function around *inner*."""
    node_class = recorder.node_class()
    direct = recorder.direct = getattr(inner, "direct", None)
    if direct is None or recorder.sig & grad_mode.RARE or not fits(recorder, direct):
        return Writer(recorder, inner, node_class).compiled()
    general: Call | None = None

    def fall_back(*args: Any) -> Any:
        nonlocal general
        if general is None:
            general = Writer(recorder, inner, node_class).compiled()
        return general(*args)

    return Writer(recorder, fall_back, node_class, direct).compiled()


def fits(recorder: Recorder, direct: Direct) -> bool:
    """Whether the forward function may call the array function itself."""
    overload = recorder.overload
    n = direct.operands
    return (
        not recorder.multi
        and not direct.takes_rest
        and overload.kind != INPLACE
        and overload.tensor_positions == tuple(range(n))
        and len(overload.tail) == overload.arity - n
        and all(recorder.surely_tensor(recorder.names[i]) for i in range(n))
    )


def requires_grad(value: Any) -> bool:
    """Whether an argument is a tensor that requires grad, with or without an edge."""
    return isinstance(value, Tensor) and bool(value._sig & S.REQUIRES_GRAD)


class Writer:
    """Writes one forward function.

    :ivar inner: the function below autograd; with *direct* what serves all but the common call.
    """

    def __init__(
        self, recorder: Recorder, inner: Call, node_class: type, direct: Direct | None = None
    ) -> None:
        self.recorder = recorder
        self.overload = recorder.overload
        self.inner = inner
        self.node_class = node_class
        self.direct = direct
        self.inplace = self.overload.kind == INPLACE
        self.lines: list[str] = []
        #: The arguments whose value or facts were taken before the op changed them.
        self.before: list[str] = []
        names = recorder.names
        self.target = names[self.overload.mutable_position] if self.inplace else ""
        #: Which argument has which name: in the text they are numbered, so that ops share it.
        self.at = {n: i for i, n in enumerate(names)}
        self.all = ", ".join(f"a{i}" for i in range(len(names)))

    def put(self, line: str) -> None:
        """Add a line to the body."""
        self.lines.append(f"    {line}")

    def compiled(self) -> Call:
        """The function."""
        recorder, overload, at = self.recorder, self.overload, self.at
        self.guard()
        edges = self.edges()
        if recorder.sig & S.FORMER:
            for n in recorder.inputs:
                many = "_all" if n in recorder.lists else ""
                self.put(f"m{at[n]} = expected{many}(a{at[n]})")
            if self.inplace and self.target in recorder.inputs:
                # ``CopySlices`` hands it the window as it is now, and takes back what comes.
                self.put(f"if base_of(a{at[self.target]}) is not None: m{at[self.target]} = None")
        self.take_before()
        if recorder.sig & grad_mode.RARE:  # hooks see arguments before the op runs
            tensors = [n for n in recorder.saved if n not in recorder.plain]
            values = [
                f"{self.saved(n).partition(', ')[0]}, "
                for n, (_, index) in zip(tensors, recorder.slots, strict=True)
                if index < 0
            ]
            self.put(f"packed = pack_arguments(({''.join(values)}))")
        if self.direct is None:
            self.put(f"result = inner({self.all})")
            if seen_by_python(recorder.sig):  # a handler may answer with nothing
                nothing = "all(r is None for r in result)" if recorder.multi else "result is None"
                self.put(f"if {nothing}: return result")
            self.check_result()
        else:
            self.compute()
        twice = [n for n in recorder.inputs if n in recorder.facts and n not in self.before]
        for n in (*twice, *recorder.told):  # facts are saved, and what the gradient must fit
            self.put(f"f{at[n]} = {self.facts(n)}")
        self.before += twice
        apart = recorder.plain if recorder.apart else ()
        parts = [self.saved(n) for n in recorder.saved if n not in apart]
        parts += [self.meta(n) for n in recorder.inputs]
        if not recorder.multi and any("== shape" in p for p in parts):
            self.put(f"shape = {'result._a' if self.direct is None else 'out'}.shape")
        self.put("node = Node()")
        self.put("node._key = next_key()")
        self.put("node._extra = None")
        self.put(f"node._edges = ({', '.join(edges)}{',' if edges else ''})")
        self.put(f"node.{recorder.store} = ({', '.join(parts)}{',' if parts else ''})")
        if recorder.apart:
            kept = [self.saved(n) for n in recorder.plain]
            kept += [f"f{at[n]}" for n in recorder.told]
            self.put(f"node.kept = ({', '.join(kept)},)")
        if self.inplace:
            begin = "rebase" if self.overload.row.view is None else "continue_view"
            self.put(f"{begin}(a{at[self.target]}, node)")
        elif recorder.multi:
            leaves = tuple(i for i in range(len(recorder.results)) if overload.row.is_leaf(i))
            self.put(f"attach(result, node, {leaves})")
            self.put("for r, meta in zip(result, META): r._meta = meta")
        else:
            self.put("result._edge = node")
            if self.direct is None:
                self.put("result._sig |= REQUIRES_GRAD")
            self.put("result._meta = META")
        if recorder.sig & grad_mode.RARE:
            self.put("note_rare(node, result, slots, packed)")
        self.put("return result")
        lead = overload.arity - len(overload.tail)
        parameters = [
            f"a{at[n]}" if i < lead else f"a{at[n]}=d{at[n]}" for i, n in enumerate(recorder.names)
        ]
        lines = [f"def forward({', '.join(parameters)}):", *self.lines, "return forward"]
        text, scope = "\n".join(lines), self.scope()
        metas: Any = () if recorder.multi else S.STALE
        made = function(text, {**scope, "inner": self.inner, "META": metas})
        made.around = Around(
            None if self.direct else self.inner,
            lambda inner, metas: function(
                text, {**scope, "inner": inner or self.inner, "META": metas}
            ),
        )
        return made

    def guard(self) -> None:
        """Before anything else: calls that are not for this function, and forbidden ones."""
        at = self.at
        if self.direct is not None:
            others = self.recorder.names[self.direct.operands :]
            if others:
                tests = " or ".join(f"a{at[n]} is not d{at[n]}" for n in others)
                self.put(f"if {tests}: return inner({self.all})")
        if self.inplace or "keeps_dtype" in self.recorder.overload.row.tags:
            kept = self.target if self.inplace else self.recorder.names[0]
            if any(
                not (d.is_floating_point or d.is_complex)
                for shift in (S.DIM_SHIFT, S.ZERO_SHIFT)
                for d in S.dtypes_in(self.recorder.sig, shift)
            ):  # what was float is integers now, and has no gradient
                self.put(f"if a{at[kept]}._a.dtype.kind in 'biu': return inner({self.all})")
        if self.inplace:
            self.put(f"check_inplace(a{at[self.target]})")
        for n in self.recorder.constants:
            refusal = f"raise not_differentiable(base, names[{at[n]}])"
            self.put(f"if requires_grad(a{at[n]}): {refusal}")

    def edges(self) -> list[str]:
        """Look up where the gradients of the arguments go."""
        recorder, at = self.recorder, self.at
        edges = []
        for n in recorder.inputs:
            if n in recorder.lists:
                self.put(f"e{at[n]} = edges_of(a{at[n]})")
                edges.append(f"*e{at[n]}")
                continue
            if recorder.surely_tensor(n):
                self.put(f"e{at[n]} = a{at[n]}._edge")
                self.put(
                    f"if type(e{at[n]}) is Leaf: e{at[n]} = e{at[n]}() or new_leaf_edge(a{at[n]})"
                )
            else:
                self.put(f"e{at[n]} = edge_of(a{at[n]})")
            edges.append(f"e{at[n]}")
        if self.direct is not None and len(recorder.inputs) == self.direct.operands:
            return edges  # the signature says that one of them requires grad
        tests = [
            f"not any(e{at[n]})" if n in recorder.lists else f"e{at[n]} is None"
            for n in recorder.inputs
        ]
        # A view made in no_grad has no edge, yet what comes of it requires grad.
        operands = [n for n in recorder.inputs if n not in recorder.lists]
        tests += [f"not requires_grad(a{at[n]})" for n in operands]
        tests += [
            f"not any(map(requires_grad, a{at[n]}))" for n in recorder.inputs if n in recorder.lists
        ]
        self.put(f"if {' and '.join(tests) or 'True'}: return inner({self.all})")
        return edges

    def take_before(self) -> None:
        """Of an in-place op's target, what formulas need of its former self."""
        recorder, target, at = self.recorder, self.target, self.at
        if not self.inplace:
            return
        if self.overload.row.view is not None:
            # The op changes its argument's own layout, so its facts are taken before.
            self.put(f"f{at[target]} = describe(a{at[target]}, {target in recorder.placed})")
            self.before.append(target)
        elif target in recorder.saved and target not in recorder.facts:
            condition = self.needed_by(target)
            otherwise = f" if {condition} else None" if condition else ""
            self.put(f"s_self = before_change(a{at[target]}){otherwise}; v_self = 0")
            self.before.append(target)
        for n in recorder.saved:  # others may see the same memory
            if n in recorder.tensors and n not in recorder.facts and n not in self.before:
                self.put(f"v{at[n]} = {self.version(n)}")
            elif n in recorder.lists and n not in recorder.facts:
                self.put(f"v{at[n]} = tuple([version(t) for t in a{at[n]}])")

    def check_result(self) -> None:
        """Refuse results that have no gradient, in torch's words.

        What was asked for as integers has none, nor have complex results of some ops.
        """
        if "real_only" in self.recorder.overload.row.tags and not self.inplace:
            first = "result[0]" if self.recorder.multi else "result"
            self.put(f"if {first}._a.dtype.kind == 'c': raise no_complex_gradient(base)")
        if "dtype" in self.recorder.names and not self.inplace and not self.recorder.multi:
            asked = f"a{self.at['dtype']}"
            whole = f"{asked} is not None and result._a.dtype.kind in 'biu'"
            copies = self.overload.row.name == "_to_copy"  # torch looks at the dtype in advance
            refusal = "return result" if copies else "raise no_history_of(result.dtype)"
            self.put(f"if {whole}: {refusal}")

    def compute(self) -> None:
        """Call the array function and wrap what it returns."""
        direct, recorder, at = self.direct, self.recorder, self.at
        assert direct is not None
        arrays = ", ".join(f"a{at[n]}._a" for n in recorder.names[: direct.operands])
        if direct.operands == 1:
            self.put(f"out = run({arrays})")
        else:  # shapes that do not broadcast: the general path says it in torch's words
            self.put("try:")
            self.put(f"    out = run({arrays})")
            self.put("except ValueError:")
            self.put(f"    return inner({self.all})")
        self.put("result = new(Tensor)")
        self.put("result._a = out")
        self.put("result._sig = RESULT")
        if any(n in recorder.results for n in recorder.saved):
            self.put("result._state = None")
            self.put("alias = result._shared = Alias()")
            self.put("alias.value = 0")
        else:
            self.put("result._shared = result._state = None")

    def saved(self, name: str) -> str:
        """What is saved of an argument or result."""
        recorder, at = self.recorder, self.at
        if name in recorder.results:
            if self.direct is not None:
                # Its array, and whom to ask for changes: the tensor would close a cycle through
                # the node. ``kept_result`` makes a tensor of them.
                return "out, alias"
            i = recorder.results.index(name)
            one = len(recorder.results) == 1
            given = "result, META" if one else f"result[{i}], META and META[{i}]"
            leaf = self.overload.row.is_leaf(i)
            return f"*save_{'leaf' if leaf else 'result'}({given})"
        if name in self.before and name not in recorder.facts:
            return "s_self, v_self"
        if name in recorder.lists:
            if self.inplace:
                return f"tuple(a{at[name]}), v{at[name]}"
            return f"tuple(a{at[name]}), tuple([version(t) for t in a{at[name]}])"
        if name in recorder.facts:
            if name in self.before:
                return f"f{at[name]}"
            return f"describe(a{at[name]}, {name in recorder.placed})"
        if name not in recorder.tensors:
            return f"a{at[name]}"
        number = f"v{at[name]}" if self.inplace else self.version(name)
        condition = self.needed_by(name)
        if condition:
            return f"a{at[name]} if {condition} else None, {number}"
        return f"a{at[name]}, {number}"

    def needed_by(self, name: str) -> str:
        """The condition under which *name* is saved; empty: always."""
        lists, at = self.recorder.lists, self.at
        needing = self.recorder.needing(name)
        tests = [f"any(e{at[a]})" if a in lists else f"e{at[a]} is not None" for a in needing]
        return " or ".join(tests)

    def version(self, name: str) -> str:
        """How often an argument was changed so far."""
        tensor = f"a{self.at[name]}"
        if self.recorder.surely_tensor(name):
            return f"(0 if {tensor}._shared is None else {tensor}._shared.value)"
        return f"version({tensor})"

    def facts(self, name: str) -> str:
        """The facts of an argument; of a plain tensor on the host without asking for them."""
        recorder, at = self.recorder, self.at
        plain = recorder.sig & (S.BACKENDS | S.PYTHON) == S.CPU and recorder.surely_tensor(name)
        if not plain or name in recorder.placed:
            return f"describe(a{at[name]}, {name in recorder.placed})"
        self.put(f"x = a{at[name]}._a")
        known = "make_facts(Facts, (x.shape, x.dtype, ON_CPU, CPU, x.strides, -1))"
        return f"{known} if x.size else describe(a{at[name]})"

    def meta(self, name: str) -> str:
        """What the gradient must be made to fit; None where it fits by itself."""
        recorder, direct, at = self.recorder, self.direct, self.at
        if recorder.sig & S.FORMER:
            return f"m{at[name]}"
        if direct is not None and direct.same_shape and recorder.one_dtype:
            return "None"
        if name in recorder.lists:
            return f"describe_all(a{at[name]})"
        if self.inplace and self.overload.row.view is not None:
            return f"f{at[name]}"
        described = name in recorder.facts or name in recorder.told
        facts = f"f{at[name]}" if described and recorder.surely_tensor(name) else ""
        if facts and (not self.inplace or recorder.multi):
            return facts
        # What a hook gives back need not be what was packed.
        hooked = recorder.sig & grad_mode.RARE
        if recorder.multi or hooked or not recorder.surely_tensor(name):
            return f"describe(a{at[name]}) if e{at[name]} is not None else None"
        same = f"a{at[name]}._a.shape == shape"
        if not recorder.one_dtype:
            same += f" and a{at[name]}._a.dtype is result._a.dtype"
        return f"None if e{at[name]} is None or ({same}) else describe(a{at[name]})"

    def scope(self) -> dict[str, Any]:
        """The names that the text uses."""
        recorder, overload, direct = self.recorder, self.overload, self.direct
        at = self.at
        lead = overload.arity - len(overload.tail)
        scope: dict[str, Any] = {
            "Alias": Alias,
            "CPU": CPU,
            "Facts": Facts,
            "Leaf": Leaf,
            "Node": self.node_class,
            "ON_CPU": S.CPU,
            "REQUIRES_GRAD": S.REQUIRES_GRAD,
            "Tensor": Tensor,
            "attach": attach,
            "base": overload.row.base,
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
            "new_leaf_edge": new_leaf_edge,
            "no_complex_gradient": no_complex_gradient,
            "no_history_of": no_history_of,
            "not_differentiable": not_differentiable,
            "new": object.__new__,
            "names": recorder.names,
            "next_key": next_key,
            "note_rare": note_rare,
            "pack_arguments": pack_arguments,
            "requires_grad": requires_grad,
            "rebase": rebase,
            "save_leaf": save_result,
            "save_result": save_visibly if seen_by_python(recorder.sig) else save_result,
            "slots": recorder.slots,
            "version": version,
        }
        for name, default in zip(recorder.names[lead:], overload.tail, strict=True):
            scope[f"d{at[name]}"] = default
        if direct is not None:
            scope["run"] = direct.run
            scope["RESULT"] = direct.sig | S.REQUIRES_GRAD
        return scope
