"""Recording one overload: its node class, and how its gradients are computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mindtorch_autograd import Node, grad_mode
from mindtorch_autograd.graph_task import current_graph_task

from ..call.overload import FUNCTIONAL, Overload
from ..call.validate_gradients import conform
from ..core import signature as S
from ..core.key_sets import tls_state
from .backward_plans import planned
from .formulas import Formula, forgotten
from .node_names import BY_HAND, node_name
from .saved_attributes import attributes, edge_facts, listed, named_results
from .saving import WithResults, list_getter, plain_getter, result_getter, tensor_getter
from .version_checks import check_saved, unpacking_order

#: What signatures of ordinary tensors on the host say, in a thread in its usual state.
_PLAIN = (
    S.CPU | S.DIM_MASK | S.ZERO_MASK | S.STRIDED | S.NUMBERS | S.VIEWS
    | S.REQUIRES_GRAD | grad_mode.GRAD_ENABLED
)  # fmt: skip


class Recorder:
    """Everything about recording one overload, worked out once."""

    def __init__(self, overload: Overload, sig: int) -> None:
        self.overload = overload
        self.sig = sig
        overload.analyse()
        self.names = overload.names
        self._hooked: type[Node] | None = None
        #: The arguments in the text that records calls of any layout.
        self.texts = [f"a{i}" for i in range(overload.arity)]
        row = overload.row
        tensors = {self.names[i] for i in overload.tensor_positions}
        lists = {self.names[i] for i in overload.list_positions}
        self.formulas = [Formula(k, f) for k, f in overload.grad.items() if f is not None]
        if not self.formulas:  # an in-place op that forgets what was there: ``eq_``, ``normal_``
            inputs = [self.names[i] for i in overload.tensor_positions]
            self.formulas = [Formula(name, forgotten) for name in inputs]
        #: Differentiable arguments in schema order: one edge (or one per element) each.
        named = {a for f in self.formulas for a in f.arguments}
        self.inputs = [n for n in self.names if n in named]
        self.lists = lists
        self.tensors = tensors
        #: Tensors that have no formula: they must not require grad.
        self.constants = constants(overload, named)
        n = overload.n_outputs
        self.multi = n != 1 or overload.schema_text.endswith("[]")
        if overload.schema_text.endswith("[]"):
            self.results = ["result"]
        else:
            self.results = [f"result{i}" for i in range(n)] if n > 1 else ["result"]
        self.saved = self._saved_names()
        #: Where tensors lie in ``node._saved_``; with the number of the result, or -1.
        self.slots: list[tuple[int, int]] = []
        #: Where each saved value lies: tensors in ``node._saved_``, all else in ``node.kept``.
        self.places: dict[str, int] = {}
        whole = frozenset().union(*(f.whole for f in self.formulas))
        self.placed = frozenset().union(*(f.placed for f in self.formulas))
        dtypes = {*S.dtypes_in(sig, S.DIM_SHIFT), *S.dtypes_in(sig, S.ZERO_SHIFT)}
        #: The result has the one dtype that all arguments have.
        self.one_dtype = (
            row.promote == "common"
            and not sig & S.NUMBERS
            and len(dtypes) == 1
            and not sig & S.COMPLEX
        )
        #: Whether the result's dtype need not be the widest: that of an argument decides.
        self.narrows = row.promote is None and len(dtypes) > 1
        #: Tensors of which formulas only ask shape, dtype or device: they are not kept alive.
        self.facts = {n for n in self.saved if n in tensors and n not in whole}
        tensor_like = (tensors | lists | set(self.results)) - self.facts
        #: What of it is no tensor: it stays when a backward frees the tensors.
        self.plain = [n for n in self.saved if n not in tensor_like]
        keeps = len(self.plain) != len(self.saved)
        #: The slot of a node for tensors and for what gradients must fit. A backward empties
        #: ``_saved_``; a node that keeps no tensors may run again.
        self.store = "_saved_" if keeps else "kept"
        #: Tensors that are kept for one formula, while another asks ``c.NAME_facts`` alone.
        asked = frozenset().union(*(f.needs for f in self.formulas))
        told = tensors - self.facts
        self.told = [n for n in self.saved if n in told and f"{n}_facts" in asked]
        one = not self.multi and overload.kind == FUNCTIONAL and row.view is None
        plain = one and not sig & (~_PLAIN | S.SCARCE)
        #: Whether of the result only the array is kept, until somebody asks for more.
        self.keeps_array = plain and self.results[0] in self.saved
        #: Whether the gradient of the result always has the look of the only argument.
        self.fits = plain and self.one_dtype and len(tensors) == 1 and "pointwise" in row.tags
        self.fits = self.fits and not lists
        #: Whether what is no tensor lies in a slot of its own: the values and the facts.
        self.apart = keeps and bool(self.plain or self.told)

    def _saved_names(self) -> list[str]:
        """What is saved, in the order in which hooks see it: torch saves by name, results last.

        Source: torch tools/autograd/gen_variable_type.py, ``save_variables``.
        """
        said = named_results(self)  # after which torch sorts them
        results = sorted(self.results, key=lambda n: said.get(n, "")) if said else self.results
        needed = frozenset().union(*(f.needs for f in self.formulas))
        return [n for n in (*sorted(self.names), *results) if n in needed]

    def place(self, name: str) -> str:
        """The text that reads a saved value, where ``saved`` and ``kept`` are the node's slots."""
        slot = "kept" if self.apart and name in self.plain else "saved"
        return f"{slot}[{self.places[name]}]"

    # -- the node class ------------------------------------------------------------------------

    def node_class(self) -> type[Node]:
        """The node class of this overload; its properties give formulas their ``c.name``."""
        body: dict[str, Any] = {"__slots__": (), "__module__": "builtins"}
        row = self.overload.row
        self.slots.clear()
        for slot, name in enumerate(self.plain):
            self.places[name] = slot
            body[name] = property(plain_getter(slot, "kept"))
        for name in self.saved:
            if name in self.plain:
                continue
            slot = self.places[name] = 2 * len(self.slots)
            index = self.results.index(name) if name in self.results else -1
            self.slots.append((slot, index))
            if index >= 0:
                body[name] = property(result_getter(slot, index, self.multi, row.is_leaf(index)))
            elif name in self.tensors:
                body[name] = property(tensor_getter(slot))
            else:
                body[name] = property(list_getter(slot))
        count = len(self.inputs)
        for i, name in enumerate(self.inputs):
            if name in self.lists:  # ``c.tensors_facts``: shapes without keeping the tensors
                body[f"{name}_facts"] = property(plain_getter(i - count, self.store))
        if self.multi:
            leaves = tuple(i for i in range(len(self.results)) if row.is_leaf(i))
            if leaves:
                body["_leaves_"] = leaves
        own = (
            *(("_num_outputs_",) if self.multi else ()),
            *(("kept",) if self.apart or self.store == "kept" else ()),
        )
        for i, name in enumerate(self.told):
            body[f"{name}_facts"] = property(plain_getter(i - len(self.told), "kept"))
        body["__slots__"] = own
        body["apply"] = self._first_apply()
        body.update(attributes(self))
        body["_unpacked"] = unpacking_order(self)
        if any(not self.needing(place.name) for place in body["_unpacked"]):
            body["_reading"] = staticmethod(self.class_with_hooks)  # what is saved in any case
        body["_keeps_result_"] = any(place.result >= 0 for place in body["_unpacked"])
        body["__dir__"] = listed(self)
        body["edge_facts"] = edge_facts(self)
        body["_takes_edges_"] = count > 1 or bool(self.lists)
        if "mask" not in self.names:
            body["mask"] = property(self._mask())
        name = node_name(self.overload)
        if name in BY_HAND:
            body["name"] = lambda node: f"torch::autograd::{name}"
        return type(name, (Node,), body)

    def class_with_hooks(self, node_class: type[Node]) -> type[Node]:
        """The class of nodes of which a saved value has hooks of its own: nothing is compiled."""
        if "has_hooks" in node_class.__dict__:
            return node_class
        if self._hooked is None:
            body = {"__slots__": (), "apply": unpacking_once(self._reading())}
            body["has_hooks"] = True
            body["__module__"] = node_class.__module__
            self._hooked = type(node_class.__name__, (node_class,), body)
        return self._hooked

    def _mask(self) -> Callable[[Node], tuple[bool, ...]]:
        joint = next((f.arguments for f in self.formulas if len(f.arguments) > 1), ())
        positions = [self.inputs.index(a) for a in joint]

        def mask(node: Any) -> tuple[bool, ...]:
            task = current_graph_task()
            wanted = None if task is None else task.wanted
            return tuple(
                node._edges_[i] is not None and (wanted is None or node._edges_[i] in wanted)
                for i in positions
            )

        return mask

    def _first_apply(self) -> Callable[..., Any]:
        """``apply`` until a node of the class runs, which is when it is compiled."""

        def apply(node: Any, *grads: Any, **some: Any) -> Any:
            made = planned(self, self._reading())
            if self.sig & grad_mode.RARE:
                made = unpacking_once(made)
            cls = type(node)
            cls.apply = made
            cls._quick_ = getattr(made, "quick", made)
            return made(node, *grads, **some)

        return apply

    def _reading(self) -> Callable[..., Any]:
        """:meth:`plain_apply`; where somebody sees operators, saved results are read first.

        As torch's nodes do, whichever formulas run; each once.
        """
        apply = self.plain_apply()
        reads = [(name, self.places[name]) for name in self.saved if name in self.results]
        if not reads:
            return apply
        of_class = self.sig & S.PYTHON

        def apply_reading(node: Any, *grads: Any, **some: Any) -> Any:
            if of_class or tls_state():
                node = WithResults(node, reads)
            return apply(node, *grads, **some)

        return apply_reading

    def plain_apply(self) -> Callable[..., Any]:
        """What calls the formulas, and fits what they give to the arguments."""
        inputs, formulas, store = self.inputs, self.formulas, self.store
        if len(inputs) == 1 and inputs[0] not in self.lists:
            function = formulas[0].function
            if self.multi:

                def apply_one_of_many(node: Any, *grads: Any) -> Any:
                    g = function(grads, node)
                    meta = getattr(node, store)[-1]
                    return g if meta is None or g is None else conform(g, meta, node, 0)

                return apply_one_of_many

            def apply_one(node: Any, grad: Any) -> Any:
                g = function(grad, node)
                meta = getattr(node, store)[-1]
                return g if meta is None or g is None else conform(g, meta, node, 0)

            return apply_one
        if any(a in self.lists for a in inputs):
            return self._apply_lists()
        multi = self.multi
        count = len(inputs)
        plan = [
            (f.function, [inputs.index(a) for a in f.arguments], len(f.arguments) > 1)
            # torch's generated nodes compute the gradients in the order of the arguments' names.
            for f in sorted(formulas, key=lambda f: ", ".join(f.arguments))
        ]

        if count == 2 and not multi and all(not joint for _, _, joint in plan) and len(plan) == 2:
            return _apply_two(plan, store)

        def apply(node: Any, *grads: Any, edges: Any = None) -> Any:
            g = grads if multi else grads[0]
            edges = node._edges_ if edges is None else check_saved(node, edges)
            metas = getattr(node, store)[-count:]
            out: list[Any] = [None] * count
            for function, positions, joint in plan:
                if joint:
                    if any(edges[i] is not None for i in positions):
                        for i, r in zip(positions, function(g, node), strict=True):
                            if edges[i] is not None:
                                out[i] = r
                elif edges[positions[0]] is not None:
                    out[positions[0]] = function(g, node)
            for i, r in enumerate(out):
                if r is not None and metas[i] is not None:
                    out[i] = conform(r, metas[i], node, i)
            return out

        return apply

    def _apply_lists(self) -> Callable[..., Any]:
        inputs, lists, multi, store = self.inputs, self.lists, self.multi, self.store
        formulas = {a: f.function for f in self.formulas for a in f.arguments}

        def apply(node: Any, *grads: Any, edges: Any = None) -> Any:
            g = grads if multi else grads[0]
            metas = getattr(node, store)[-len(inputs) :]
            edges = node._edges_ if edges is None else check_saved(node, edges)
            out: list[Any] = []
            for name, meta in zip(inputs, metas, strict=True):
                if name in lists:
                    wanted = edges[len(out) : len(out) + len(meta)]
                    if any(e is not None for e in wanted):
                        got = formulas[name](g, node)
                        at = len(out)
                        out += [
                            None if r is None or e is None else conform(r, m, node, at + i)
                            for i, (r, m, e) in enumerate(zip(got, meta, wanted, strict=True))
                        ]
                    else:
                        out += [None] * len(meta)
                elif edges[len(out)] is None:
                    out.append(None)
                else:
                    r = formulas[name](g, node)
                    at = len(out)
                    out.append(r if meta is None or r is None else conform(r, meta, node, at))
            return out if len(out) != 1 else out[0]

        return apply

    # -- questions of the forward function --------------------------------------------------------

    def surely_tensor(self, name: str) -> bool:
        """Whether the argument is a tensor whose edge is true, in every call of the signature."""
        if self.sig & (S.NUMBERS | S.VIEW) or name == self.overload.row.said("undefined"):
            return False
        argument = self.overload.schema.arguments[self.names.index(name)]
        return str(argument.type) == "Tensor"

    def needing(self, name: str) -> list[str]:
        """The arguments of which one must require a gradient for *name* to be saved; none: always.

        Always it is where several formulas need it, and of gradients' own ops.
        Source: torch tools/autograd/gen_variable_type.py, guard_for.
        """
        formulas = [f for f in self.formulas if name in f.needs]
        needing = [a for f in formulas for a in f.arguments]
        if len(formulas) != 1 or len(needing) == len(self.inputs):
            return []
        return [] if "backward" in self.overload.row.base else needing


#: Arguments without a formula that may require grad all the same: what selects elements is refused
#: by its dtype, and ``output`` is given to a few backwards that need no gradient of it.
_MAY_REQUIRE_GRAD = frozenset(("condition", "index", "indices", "mask", "output"))


def constants(overload: Overload, named: Iterable[str]) -> list[str]:
    """The tensor arguments besides *named* of which torch refuses that they require grad.

    Source: torch tools/autograd/gen_variable_type.py, emit_check_no_requires_grad.
    """
    if not any(overload.grad.values()):
        return []
    skipped = {*named, *_MAY_REQUIRE_GRAD}
    return [
        overload.names[i] for i in overload.tensor_positions if overload.names[i] not in skipped
    ]


def not_differentiable(base: str, argument: str) -> RuntimeError:
    """torch csrc/autograd/VariableTypeUtils.h, check_no_requires_grad."""
    return RuntimeError(
        f"The function '{base}' is not differentiable with respect to argument '{argument}'. "
        "This input cannot have requires_grad True."
    )


class _Once:
    """A node of which each saved value was unpacked, once, however often a formula names it."""

    def __init__(self, node: Any) -> None:
        self._node = node
        for place in node._unpacked:
            setattr(self, place.name, getattr(node, place.name))

    def __getattr__(self, name: str) -> Any:
        value = self.__dict__[name] = getattr(self._node, name)
        return value


def unpacking_once(apply: Callable[..., Any]) -> Callable[..., Any]:
    """*apply* for nodes whose saved values may have hooks, which are to run once."""
    return lambda node, *grads, **options: apply(_Once(node), *grads, **options)


def _apply_two(plan: list[Any], store: str) -> Callable[..., Any]:
    """The gradients of two arguments, by a formula each; *plan* is in the order to compute them."""
    (early, (i, *_), _), (late, _, _) = plan
    swapped = i == 1

    def apply(node: Any, grad: Any, edges: Any = None) -> Any:
        if swapped:
            two, one = node._edges_ if edges is None else check_saved(node, edges)
        else:
            one, two = node._edges_ if edges is None else check_saved(node, edges)
        saved = getattr(node, store)
        a = b = None
        if one is not None:
            a = early(grad, node)
        if two is not None:
            b = late(grad, node)
        if swapped:
            a, b = b, a
        # Afterwards, as torch's engine validates what a node gave.
        if a is not None:
            meta = saved[-2]
            if meta is not None:
                a = conform(a, meta, node, 0)
        if b is not None:
            meta = saved[-1]
            if meta is not None:
                b = conform(b, meta, node, 1)
        return a, b

    return apply
