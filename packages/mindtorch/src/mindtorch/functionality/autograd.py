"""The Autograd key: one kernel for all ops, which reads the gradient formulas of the row.

For a signature that needs gradients, :func:`build_autograd` generates a forward function around
the one built for the keys below. Generated text instead of a loop over arguments, because this is
the path of every training step: it makes the node, its edges and its tuple of saved values
in straight-line code. Nothing in it is particular to an op; it follows from schema and formulas.

What a formula needs is read off its own code: ``lambda g, c: g * c.other`` names ``other``, so
``other`` is saved, and only if the argument that the formula is for requires grad.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from mindtorch_autograd import Node, Output, SavedVariable, anomaly, grad_mode, next_key
from mindtorch_autograd import errors as autograd_errors
from mindtorch_autograd.engine import current_graph_task
from mindtorch_autograd.saved import hooks_active

from .. import signature as S
from .._tensor.gradient import leaf_edge
from ..calls import BUILDERS, Call, boxed, build, leads
from ..construct import alias_of, snapshot
from ..errors import out_needs_no_grad
from ..ops.call import ops
from ..ops.out_dtypes import GRADIENT_NAMES
from ..ops.overload import INPLACE, OUT, Overload
from ..space import FACTS, conform, describe
from ..tensor import Leaf, Tensor
from . import keys
from .inplace_or_view import check_inplace, rebase

_new = object.__new__
_HERE = f'File "{__file__.rpartition("functionality")[0]}'
grad_state = grad_mode.state.get


def build_autograd(overload: Overload, sig: int, mask: int) -> Call:
    """Record a node for the gradient, then go on below autograd."""
    below = mask & keys.BELOW_AUTOGRAD
    row = overload.row
    wanted = sig & S.REQUIRES_GRAD and sig & grad_mode.GRAD_ENABLED
    if not wanted:
        return build(overload, sig, below)
    inner = build(overload, sig, below)
    if overload.kind == OUT:
        return _no_out(overload)
    if row.composite is not None:
        return inner
    if overload.kind != INPLACE and not any((row.grad or {}).values()):
        return inner
    return Recorder(overload, sig).forward(inner)


def _no_out(overload: Overload) -> Call:
    name = GRADIENT_NAMES.get(overload.base, overload.base)

    def call(*args: Any) -> Any:
        raise out_needs_no_grad(name)

    return call


class Formula:
    """One entry of a row's ``grad``: which arguments, which function, what it needs saved.

    :ivar needs: every attribute name in its code.
    :ivar placed: those of which it asks the storage offset.
    :ivar whole: those whose value is used for more than its shape, dtype or device.
    """

    __slots__ = ("arguments", "function", "needs", "placed", "whole")

    def __init__(self, key: str, function: Callable[..., Any]) -> None:
        self.arguments = tuple(a.strip() for a in key.split(","))
        self.function = function
        pairs = list(_attributes(function.__code__))
        self.needs = frozenset(name for name, _ in pairs)
        self.whole = frozenset(name for name, then in pairs if then not in FACTS)
        self.placed = frozenset(name for name, then in pairs if then == "storage_offset")


def _forgotten(g: Any, c: Any) -> Any:
    return ops.zeros_like(g)


def _attributes(code: CodeType) -> Iterator[tuple[str, str]]:
    """Each attribute that *code* reads, with the attribute read from that (``""``: none)."""
    import dis  # only when a formula is first used

    instructions = [
        i for i in dis.get_instructions(code) if i.opname not in ("CACHE", "PRECALL", "NOP")
    ]
    for this, after in zip(instructions, [*instructions[1:], None], strict=True):
        if this.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            follows = after is not None and after.opname in ("LOAD_ATTR", "LOAD_METHOD")
            yield this.argval, after.argval if follows and after is not None else ""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _attributes(constant)


class Recorder:
    """Everything about recording one overload, worked out once."""

    def __init__(self, overload: Overload, sig: int) -> None:
        self.overload = overload
        self.sig = sig
        overload.schema  # noqa: B018  (analyses on first use)
        self.names = overload.names
        row = overload.row
        tensors = {self.names[i] for i in overload.tensor_positions}
        lists = {self.names[i] for i in overload.list_positions}
        self.formulas = [Formula(k, f) for k, f in (row.grad or {}).items() if f is not None]
        if not self.formulas:  # an in-place op that forgets what was there: ``eq_``, ``normal_``
            inputs = [self.names[i] for i in overload.tensor_positions]
            self.formulas = [Formula(name, _forgotten) for name in inputs]
        #: Differentiable arguments in schema order: one edge (or one per element) each.
        named = {a for f in self.formulas for a in f.arguments}
        self.inputs = [n for n in self.names if n in named]
        self.lists = lists
        self.tensors = tensors
        n = overload.n_outputs
        self.multi = n != 1 or overload.schema_text.endswith("[]")
        if overload.schema_text.endswith("[]"):
            self.results = ["result"]
        else:
            self.results = [f"result{i}" for i in range(n)] if n > 1 else ["result"]
        self.saved = self._saved_names()
        #: Where tensors lie in ``node.saved``; with the number of the result, or -1.
        self.slots: list[tuple[int, int]] = []
        whole = frozenset().union(*(f.whole for f in self.formulas))
        self.placed = frozenset().union(*(f.placed for f in self.formulas))
        #: The result has the one dtype that all arguments have.
        self.one_dtype = (
            row.promote == "common"
            and not sig & S.NUMBERS
            and len({*S.dtypes_in(sig, S.DIM_SHIFT), *S.dtypes_in(sig, S.ZERO_SHIFT)}) == 1
            and not sig & S.COMPLEX
        )
        #: Tensors of which formulas only ask shape, dtype or device: they are not kept alive.
        self.facts = {n for n in self.saved if n in tensors and n not in whole}

    def _saved_names(self) -> list[str]:
        needed = frozenset().union(*(f.needs for f in self.formulas))
        return [n for n in (*self.names, *self.results) if n in needed]

    # -- the node class ------------------------------------------------------------------------

    def node_class(self) -> type[Node]:
        """The node class of this overload; its properties give formulas their ``c.name``."""
        body: dict[str, Any] = {"__slots__": (), "__module__": "torch.autograd"}
        slot = 0
        self.slots.clear()
        for name in self.saved:
            if name not in self.facts and (name in self.results or name in self.tensors):
                index = self.results.index(name) if name in self.results else -1
                self.slots.append((slot, index))
            if name in self.results:
                index = self.results.index(name)
                body[name] = property(_result_getter(slot, index, self.multi))
            elif name in self.facts:
                body[name] = property(_plain_getter(slot))
                slot -= 1
            elif name in self.tensors:
                body[name] = property(_tensor_getter(slot))
            elif name in self.lists:
                body[name] = property(_list_getter(slot))
            else:
                body[name] = property(_plain_getter(slot))
                slot -= 1
            slot += 2
        count = len(self.inputs)
        for i, name in enumerate(self.inputs):
            if name in self.lists:  # ``c.tensors_facts``: shapes without keeping the tensors
                body[f"{name}_facts"] = property(_plain_getter(i - count))
        if self.multi:
            body["__slots__"] = ("num_outputs",)
        body["apply"] = self._apply()
        if "mask" not in self.names:
            body["mask"] = property(self._mask())
        if self.overload.row.name in _WITHOUT_FORMULA:
            body["name"] = lambda node: "torch::autograd::NotImplemented"
            return type("NotImplemented", (Node,), body)
        return type(node_name(self.overload), (Node,), body)

    def _mask(self) -> Callable[[Node], tuple[bool, ...]]:
        joint = next((f.arguments for f in self.formulas if len(f.arguments) > 1), ())
        positions = [self.inputs.index(a) for a in joint]
        return lambda node: tuple(node.edges[i] is not None for i in positions)

    def _apply(self) -> Callable[..., Any]:
        inputs, formulas = self.inputs, self.formulas
        if len(inputs) == 1 and inputs[0] not in self.lists:
            function = formulas[0].function
            if self.multi:

                def apply_one_of_many(node: Any, *grads: Any) -> Any:
                    g = function(grads, node)
                    meta = node.saved[-1]
                    return g if meta is None or g is None else conform(g, meta)

                return apply_one_of_many

            def apply_one(node: Any, grad: Any) -> Any:
                g = function(grad, node)
                meta = node.saved[-1]
                return g if meta is None or g is None else conform(g, meta)

            return apply_one
        if any(a in self.lists for a in inputs):
            return self._apply_lists()
        multi = self.multi
        count = len(inputs)
        plan = [
            (f.function, [inputs.index(a) for a in f.arguments], len(f.arguments) > 1)
            for f in formulas
        ]

        if count == 2 and not multi and all(not joint for _, _, joint in plan) and len(plan) == 2:
            first, second = (f for f, _, _ in sorted(plan, key=lambda p: p[1][0]))

            def apply_two(node: Any, grad: Any) -> Any:
                one, two = node.edges
                saved = node.saved
                a = b = None
                if one is not None:
                    a = first(grad, node)
                    meta = saved[-2]
                    if meta is not None and a is not None:
                        a = conform(a, meta)
                if two is not None:
                    b = second(grad, node)
                    meta = saved[-1]
                    if meta is not None and b is not None:
                        b = conform(b, meta)
                return a, b

            return apply_two

        def apply(node: Any, *grads: Any) -> Any:
            g = grads if multi else grads[0]
            edges = node.edges
            metas = node.saved[-count:]
            out: list[Any] = [None] * count
            for function, positions, joint in plan:
                if joint:
                    if any(edges[i] is not None for i in positions):
                        for i, r in zip(positions, function(g, node), strict=True):
                            if r is not None and edges[i] is not None:
                                meta = metas[i]
                                out[i] = r if meta is None else conform(r, meta)
                else:
                    i = positions[0]
                    if edges[i] is not None:
                        r = function(g, node)
                        meta = metas[i]
                        out[i] = r if meta is None or r is None else conform(r, meta)
            return out

        return apply

    def _apply_lists(self) -> Callable[..., Any]:
        inputs, lists, multi = self.inputs, self.lists, self.multi
        formulas = {a: f.function for f in self.formulas for a in f.arguments}

        def apply(node: Any, *grads: Any) -> Any:
            g = grads if multi else grads[0]
            metas = node.saved[-len(inputs) :]
            edges = node.edges
            out: list[Any] = []
            for name, meta in zip(inputs, metas, strict=True):
                if name in lists:
                    wanted = edges[len(out) : len(out) + len(meta)]
                    if any(e is not None for e in wanted):
                        got = formulas[name](g, node)
                        out += [
                            None if r is None or e is None else conform(r, m)
                            for r, m, e in zip(got, meta, wanted, strict=True)
                        ]
                    else:
                        out += [None] * len(meta)
                elif edges[len(out)] is None:
                    out.append(None)
                else:
                    r = formulas[name](g, node)
                    out.append(r if meta is None or r is None else conform(r, meta))
            return out if len(out) != 1 else out[0]

        return apply

    # -- the forward function ------------------------------------------------------------------

    def forward(self, inner: Call) -> Call:
        """Generate the recording function around *inner*."""
        overload = self.overload
        inplace = overload.kind == INPLACE
        names = [f"a_{n}" for n in self.names]
        lead = overload.arity - len(overload.tail)
        parameters = [n if i < lead else f"{n}=tail[{i - lead}]" for i, n in enumerate(names)]
        lines = [f"def forward({', '.join(parameters)}):"]
        put = lines.append
        target = f"a_{self.names[overload.mutable_position]}" if inplace else ""
        if inplace:
            put(f"    check_inplace({target})")
        edges = []
        for n in self.inputs:
            if n in self.lists:
                put(f"    e_{n} = edges_of(a_{n})")
                edges.append(f"*e_{n}")
            elif self._surely_tensor(n):
                put(f"    e_{n} = a_{n}._edge")
                put(f"    if type(e_{n}) is Leaf: e_{n} = e_{n}() or leaf_edge(a_{n})")
                edges.append(f"e_{n}")
            else:
                put(f"    e_{n} = edge_of(a_{n})")
                edges.append(f"e_{n}")
        if len(self.inputs) != 1 or self.inputs[0] in self.lists:
            tests = [f"any(e_{n})" if n in self.lists else f"e_{n} is None" for n in self.inputs]
            nothing = " and ".join(
                t.replace("any(", "not any(") if t.startswith("any") else t for t in tests
            )
            put(f"    if {nothing or 'True'}: return inner({', '.join(names)})")
        else:
            put(f"    if e_{self.inputs[0]} is None: return inner({', '.join(names)})")
        before = []
        target_name = self.names[overload.mutable_position] if inplace else ""
        if inplace and overload.row.view is not None:
            # The op changes its argument's own layout, so its facts are taken before.
            put(f"    f_{target_name} = describe({target}, {target_name in self.placed})")
            before.append(target_name)
        elif inplace and target_name in self.saved and target_name not in self.facts:
            put(f"    s_self = before_change({target}); v_self = 0")
            before.append(target_name)
        put(f"    result = inner({', '.join(names)})")
        if not self.multi:
            put("    shape = result._a.shape")
        twice = [n for n in self.inputs if n in self.facts and n not in before]
        for n in twice:  # its facts are saved, and what its gradient must fit
            put(f"    f_{n} = describe(a_{n}, {n in self.placed})")
        before += twice
        put("    node = new(Node)")
        put("    node.key = next_key()")
        put("    node.extra = None")
        put(f"    node.edges = ({', '.join(edges)}{',' if edges else ''})")
        saved = [self._save(n, before) for n in self.saved]
        metas = [self._meta(n) for n in self.inputs]
        parts = saved + metas
        put(f"    node.saved = ({', '.join(parts)}{',' if parts else ''})")
        if inplace:
            put(f"    rebase({target}, node)")
        elif self.multi:
            only_first = "one_gradient" in overload.row.tags
            put(f"    attach(result, node, {only_first})")
        else:
            put("    result._edge = node")
            put("    result._sig |= REQUIRES_GRAD")
        if self.sig & grad_mode.RARE:
            put("    note_rare(node, result, slots)")
        put("    return result")
        scope: dict[str, Any] = {
            "__name__": __name__,  # by which the frame is known not to be the user's
            "Leaf": Leaf,
            "Node": self.node_class(),
            "REQUIRES_GRAD": S.REQUIRES_GRAD,
            "alias_of": alias_of,
            "attach": attach,
            "before_change": before_change,
            "check_inplace": check_inplace,
            "describe": describe,
            "describe_all": describe_all,
            "edge_of": edge_of,
            "edges_of": edges_of,
            "inner": inner,
            "leaf_edge": leaf_edge,
            "new": _new,
            "next_key": next_key,
            "note_rare": note_rare,
            "rebase": rebase,
            "save_result": save_result,
            "slots": self.slots,
            "snapshot": snapshot,
            "tail": overload.tail,
            "version": version,
        }
        exec(compile("\n".join(lines), f"<autograd of {overload.name}>", "exec"), scope)
        forward: Call = scope["forward"]
        return leads(forward)

    def _surely_tensor(self, name: str) -> bool:
        if self.sig & (S.NUMBERS | S.VIEW):
            return False
        argument = self.overload.schema.arguments[self.names.index(name)]
        return str(argument.type) == "Tensor"

    def _needed_by(self, name: str) -> str:
        """The condition under which *name* is saved: an argument whose formula names it."""
        needing = [a for f in self.formulas if name in f.needs for a in f.arguments]
        if len(needing) == len(self.inputs):
            return ""
        tests = [f"any(e_{a})" if a in self.lists else f"e_{a} is not None" for a in needing]
        return " or ".join(tests)

    def _save(self, name: str, before: list[str]) -> str:
        if name in self.results:
            i = self.results.index(name)
            item = "result" if len(self.results) == 1 else f"result[{i}]"
            return f"*save_result({item})"
        if name in before and name not in self.facts:
            return "s_self, v_self"
        if name in self.lists:
            return f"tuple(a_{name}), tuple([version(t) for t in a_{name}])"
        if name in self.facts:
            if name in before:
                return f"f_{name}"
            return f"describe(a_{name}, {name in self.placed})"
        if name not in self.tensors:
            return f"a_{name}"
        condition = self._needed_by(name)
        if self._surely_tensor(name):
            number = f"(a_{name}._shared.value if a_{name}._shared is not None else 0)"
        else:
            number = f"version(a_{name})"
        if condition:
            return f"a_{name} if {condition} else None, {number}"
        return f"a_{name}, {number}"

    def _meta(self, name: str) -> str:
        """What the gradient must be made to fit; None where it fits by itself."""
        if name in self.lists:
            return f"describe_all(a_{name})"
        if self.overload.kind == INPLACE and self.overload.row.view is not None:
            return f"f_{name}"
        facts = f"f_{name}" if name in self.facts and self._surely_tensor(name) else ""
        if facts and (self.overload.kind != INPLACE or self.multi):
            return facts
        if self.multi:
            return f"describe(a_{name}) if e_{name} is not None else None"
        same = f"a_{name}._a.shape == shape"
        if not self.one_dtype:
            same += f" and a_{name}._a.dtype is result._a.dtype"
        if not self._surely_tensor(name):
            return f"describe(a_{name}) if e_{name} is not None else None"
        return f"None if e_{name} is None or ({same}) else describe(a_{name})"


def edge_of(t: Any) -> Any:
    """The edge of an argument that may be a tensor, a number or None."""
    if not isinstance(t, Tensor):
        return None
    edge = t.grad_edge
    return edge() or leaf_edge(t) if type(edge) is Leaf else edge


def edges_of(tensors: Any) -> list[Any]:
    """The edges of a list's tensors."""
    found = []
    for t in tensors:
        if type(t) is Tensor and not t._sig & S.VIEW:
            edge = t._edge
            found.append(edge if type(edge) is not Leaf else edge() or leaf_edge(t))
        else:
            found.append(edge_of(t))
    return found


def describe_all(tensors: Any) -> tuple[Any, ...]:
    """The facts of a list's tensors; neighbours that are alike share them."""
    found: list[Any] = []
    last, sig = None, 0
    for t in tensors:
        if last is not None and type(t) is Tensor:
            a = t._a
            if (
                t._sig == sig
                and sig & S.CPU
                and a.shape == last.sizes
                and a.dtype is last.np_dtype
                and a.strides == last.byte_strides
            ):
                found.append(last)
                continue
        last = describe(t)
        if last is not None:
            sig = t._sig
        found.append(last)
    return tuple(found)


def version(t: Any) -> int:
    """The version of an argument that may be a tensor, a number or None."""
    if isinstance(t, Tensor) and t._shared is not None:
        return t._shared.value
    return 0


def before_change(t: Tensor) -> Tensor:
    """A copy of *t* with its history, for formulas that need what an in-place op overwrites."""
    token = grad_mode.state.set(grad_state() & ~grad_mode.GRAD_ENABLED)
    try:
        copy: Tensor = ops.clone(t)
    finally:
        grad_mode.state.reset(token)
    copy._edge = t.grad_edge
    copy._sig |= t._sig & S.REQUIRES_GRAD
    return copy


def save_result(result: Tensor) -> tuple[Tensor, int]:
    """A result is saved without its edge, which would close a cycle through the node."""
    alias = alias_of(result)
    saved = _new(Tensor)
    saved._a = result._a
    saved._sig = result._sig & ~(S.VIEW | S.REQUIRES_GRAD)
    saved._shared = alias
    saved._edge = saved._state = None
    return saved, alias.value


def attach(results: Any, node: Any, only_first: bool = False) -> None:
    """Give the floating point results of a multi-output op their edges."""
    if isinstance(results, Tensor):
        results = (results,)
    node.num_outputs = len(results)
    if len(results) == 1:  # the edge of a node's only output is the node itself
        results[0]._edge = node
        results[0]._sig |= S.REQUIRES_GRAD
        return
    for i, r in enumerate(results[:1] if only_first else results):
        if r is not None and r._a.dtype.kind not in "biu":
            r._edge = Output(node, i)
            r._sig |= S.REQUIRES_GRAD


def note_rare(node: Any, result: Any, slots: list[tuple[int, int]]) -> None:
    """With saved-tensor hooks or in anomaly mode: pack what was saved, remember where."""
    if hooks_active():
        saved = list(node.saved)
        results = result if isinstance(result, (tuple, list)) else (result,)
        for slot, index in slots:
            t = results[index] if index >= 0 else saved[slot]
            if isinstance(t, Tensor):
                saved[slot] = SavedVariable(t, index >= 0 and t._edge is not None)
        node.saved = tuple(saved)
    if anomaly.enabled:
        task = current_graph_task()
        anomaly.record_forward_call(node, parent=None if task is None else task.node)
        lines = node.metadata["traceback_"]
        node.metadata["traceback_"] = [t for t in lines if _HERE not in t and "<autograd" not in t]


# Reading saved values ---------------------------------------------------------------------------


def _check_version(t: Tensor, saved: int, node: Node) -> None:
    alias = t._shared
    now = 0 if alias is None else alias.value
    if now != saved:
        raise autograd_errors.modified_in_place(type_text(t), producer_text(t), now, saved)


def type_text(t: Tensor) -> str:
    """``torch.FloatTensor [2, 3]``."""
    from ..legacy import type_name

    return f"{type_name(t)} {list(t._a.shape)}"


def producer_text(t: Tensor) -> tuple[str, int] | None:
    """Which output of which node *t* is, for the message; None for a leaf."""
    node = t.grad_fn
    return None if node is None else (node.name(), t.output_nr)


def _tensor_getter(slot: int) -> Callable[[Any], Any]:
    def get(node: Any) -> Any:
        saved = node.saved
        t = saved[slot]
        if isinstance(t, Tensor):
            alias = t._shared
            if alias is not None and alias.value != saved[slot + 1]:
                _check_version(t, saved[slot + 1], node)
        elif type(t) is SavedVariable:
            return t.unpack(node)
        return t

    return get


def _list_getter(slot: int) -> Callable[[Any], Any]:
    def get(node: Any) -> Any:
        saved = node.saved
        for t, number in zip(saved[slot], saved[slot + 1], strict=True):
            if t is not None:
                _check_version(t, number, node)
        return saved[slot]

    return get


def _plain_getter(slot: int) -> Callable[[Any], Any]:
    return lambda node: node.saved[slot]


def _result_getter(slot: int, index: int, multi: bool) -> Callable[[Any], Any]:
    def get(node: Any) -> Any:
        saved = node.saved
        t = saved[slot]
        if type(t) is SavedVariable:
            return t.unpack(node)
        alias = t._shared
        if alias.value != saved[slot + 1]:
            named = snapshot(t)
            named._edge = Output(node, index) if multi else node
            _check_version(named, saved[slot + 1], node)
        if not grad_state() & grad_mode.GRAD_ENABLED or t._a.dtype.kind in "biu":
            return t
        copy = snapshot(t)
        copy._edge = Output(node, index) if multi else node
        copy._sig |= S.REQUIRES_GRAD
        return copy

    return get


_NUMBERS: dict[str, int] = {
    "add.Scalar": 1,
    "as_strided_": 1,
    "bernoulli_.Tensor": 1,
    "bernoulli_.float": 1,
    "clamp": 1,
    "clamp_max.Tensor": 1,
    "clamp_min.Tensor": 1,
    "copysign.Scalar": 1,
    "div.Scalar": 1,
    "div.Tensor_mode": 2,
    "fmod.Tensor": 1,
    "index_fill.int_Tensor": 1,
    "lerp.Tensor": 1,
    "masked_fill.Tensor": 1,
    "max": 1,
    "mean.dim": 1,
    "median.dim": 1,
    "min": 1,
    "mul.Scalar": 1,
    "nanmedian.dim": 1,
    "normal.Tensor_Tensor": 3,
    "normal.Tensor_float": 1,
    "normal.float_Tensor": 2,
    "pow.Scalar": 2,
    "pow.Tensor_Tensor": 1,
    "prod.dim_int": 1,
    "random_": 2,
    "random_.to": 1,
    "remainder.Tensor": 1,
    "round.decimals": 1,
    "rsub.Scalar": 1,
    "scatter.value": 1,
    "sort.stable": 1,
    "squeeze.dim": 1,
    "squeeze.dims": 2,
    "squeeze_": 3,
    "squeeze_.dim": 4,
    "squeeze_.dims": 5,
    "sub.Scalar": 1,
    "sum.dim_IntList": 1,
    "swapaxes_": 1,
    "swapdims_": 1,
    "t_": 1,
    "transpose_": 1,
    "unsqueeze_": 1,
    "xlogy.Scalar_Other": 2,
    "xlogy.Scalar_Self": 1,
}
#: Ops of which torch's derivatives.yaml says nothing, but whose floating results require grad.
_WITHOUT_FORMULA = frozenset(
    ("bincount", "floor_divide", "floor_divide.Scalar", "heaviside", "remainder.Scalar_Tensor",
     "scatter.reduce", "scatter.value_reduce")
)  # fmt: skip
_SPECIAL_NAMES = {"_to_copy": "ToCopyBackward0", "copy": "CopyBackwards", "copy_": "CopyBackwards"}


def node_name(overload: Overload) -> str:
    """torch's name of the node class: ``add.Tensor`` → ``AddBackward0``.

    torch numbers the entries of derivatives.yaml that share a name; the table has the ones
    that are not the first.
    """
    base = overload.row.base
    special = _SPECIAL_NAMES.get(base)
    if special is not None:
        return special
    stem = base.rstrip("_").removesuffix("_forward")
    words = "".join(w[:1].upper() + w[1:] for w in stem.split("_") if w)
    camel = ""
    for i, ch in enumerate(words):
        camel += ch.upper() if i and words[i - 1].isdigit() else ch
    number = _NUMBERS.get(overload.name[6:])
    return f"{camel}Backward{_NUMBERS.get(overload.row.name, 0) if number is None else number}"


autograd = boxed(build_autograd)
assert autograd in BUILDERS
