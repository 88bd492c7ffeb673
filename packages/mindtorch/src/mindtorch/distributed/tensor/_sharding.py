"""How results of an operator lie on a mesh, and how its arguments have to.

Note [Sharding rules]
~~~~~~~~~~~~~~~~~~~~~
Dimensions of a mesh are independent: a rule looks at one at a time. It gives *choices*: placements
of all results and all tensor arguments on that dimension for which the operator may run on parts as
they are. Among the choices the one is taken to which the arguments come with the least exchange.
That all processes have all is always a choice.

Which rule an operator has follows from its row: what is elementwise, a reduction, a view, along
named dimensions (see ``_rules.families``). What does not follow is a function registered by
:func:`sharding_rule` under the name of the op.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ...call.dispatch_entry import OVERLOADS
from ...call.overload import INPLACE
from ...call.row import ROWS, Row, copy_name
from ..device_mesh import DeviceMesh
from ._dtensor_spec import DTensorSpec, TensorMeta
from .placement_types import Partial, Placement, Replicate, Shard, _Parts, _StridedShard

__all__ = [
    "Call",
    "Choice",
    "Known",
    "Plan",
    "Rule",
    "family",
    "modes",
    "plan_of",
    "sharding_rule",
    "viewing",
]


class _Modes(threading.local):
    """What a thread has asked for."""

    #: How often ``loss_parallel`` was entered and not left.
    split_classes = 0


modes = _Modes()


class Choice(NamedTuple):
    """Placements on one dimension of the mesh for which an operator runs on parts as they are."""

    #: One for each result; None for one that is absent.
    outputs: tuple[Placement | None, ...]
    #: One for each tensor argument, in the order of the schema.
    inputs: tuple[Placement, ...]


class Call:
    """A call of an operator on distributed tensors, as rules see it.

    :param func: the operator.
    :param args: its arguments, with a :class:`DTensorSpec` for each tensor.
    :param metas: of the results, each a :class:`TensorMeta`, or None.
    """

    def __init__(
        self,
        func: Any,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        metas: Sequence[TensorMeta | None],
    ) -> None:
        self.func, self.metas = func, metas
        arguments = func._schema.arguments
        self.names = [a.name for a in arguments]
        self.given = dict(zip(self.names, args, strict=False)) | kwargs
        self._defaults = {a.name: a.default_value for a in arguments if a.has_default_value()}
        overload = OVERLOADS.get(func._name)
        self.row: Row | None = overload.row if overload is not None else ROWS.get(func._name[6:])
        self.in_place = overload is not None and overload.kind == INPLACE
        self.tensors: list[DTensorSpec] = []
        #: Which tensors each argument has, as numbers in :attr:`tensors`.
        self.places: dict[str, list[int]] = {}
        #: The tensors into which results are written.
        self.outs: list[DTensorSpec] = []
        for argument in arguments:
            name = argument.name
            value = self.given.get(name)
            found = value if isinstance(value, list | tuple) else [value]
            here = [spec for spec in found if isinstance(spec, DTensorSpec)]
            if argument.is_out:
                self.outs += here
            elif here:
                start = len(self.tensors)
                self.places[name] = list(range(start, start + len(here)))
                self.tensors += here
        self.mesh: DeviceMesh = (self.tensors or self.outs)[0].mesh

    def __str__(self) -> str:
        shown = [str(v) for v in self.given.values()]
        return f"{self.func}({', '.join(shown)}) on {self.mesh})"

    def __getitem__(self, name: str) -> Any:
        """The argument *name*, or its default."""
        return self.given[name] if name in self.given else self._defaults.get(name)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def now(self, mesh_dim: int) -> list[Placement]:
        """The placements of all tensor arguments on a dimension of the mesh."""
        return [spec.placements[mesh_dim] for spec in self.tensors]

    def same(self, outputs: Placement, inputs: Placement | None = None) -> Choice:
        """The choice with one placement for all results, and one for all tensors."""
        wanted = outputs if inputs is None else inputs
        return self.choice([outputs] * len(self.metas), [wanted] * len(self.tensors))

    def choice(self, outputs: Sequence[Placement | None], inputs: Sequence[Placement]) -> Choice:
        """A choice; absent results have no placement."""
        there = [p if m is not None else None for p, m in zip(outputs, self.metas, strict=True)]
        return Choice(tuple(there), tuple(inputs))

    def dims(self, name: str = "dim") -> list[int] | None:
        """The dimensions of the first tensor that argument *name* names; None for all."""
        value, ndim = self[name], self.tensors[0].ndim
        if value is None or (isinstance(value, list | tuple) and not value):
            return None
        listed = value if isinstance(value, list | tuple) else [value]
        return [d % ndim if ndim else 0 for d in listed]


Rule = Callable[[Call, int], Iterable[Choice]]


class Known(NamedTuple):
    """What is known of an op: its rule, and what runs on parts in its place, if anything does."""

    rule: Rule
    local: Callable[..., Any] | None = None


#: By names of ops, with their overload or for all overloads.
_NAMED: dict[str, Known] = {}
#: Those of families, which are asked in order.
_FAMILIES: list[Callable[[Call], Known | None]] = []


def sharding_rule(*names: str, local: Callable[..., Any] | None = None) -> Callable[[Rule], Rule]:
    """Register what follows as the rule of the ops of these *names*.

    :param names: ``"mm"``, or of one overload ``"max.dim"``; they are also those of the forms in
        place and ``out=``.
    :param local: ``local(plan, *args, **kwargs)`` runs on parts in place of the operator, where the
        parts need more than that.
    """

    def register(rule: Rule) -> Rule:
        _NAMED.update(dict.fromkeys(names, Known(rule, local)))
        return rule

    return register


def family(find: Callable[[Call], Known | None]) -> Callable[[Call], Known | None]:
    """Register what follows as a family: it gives what is known of ops that belong to it."""
    _FAMILIES.append(find)
    return find


def viewing(row: Row | None) -> Row | None:
    """The row of the view of which *row* is the copying form; else *row*."""
    name = row.name.replace("_copy", "", 1) if row is not None else ""
    found = ROWS.get(name)
    is_view = found is not None and found.view is not None
    return found if is_view and row is not None and copy_name(name) == row.name else row


def known_of(call: Call) -> Known:
    """What is known of an operator.

    Raises NotImplementedError where there is nothing.
    """
    row = viewing(call.row)
    names = [call.func._name.partition("::")[2], call.func._opname]
    if row is not None:
        names += [row.name, row.base]
    known = next((_NAMED[name] for name in names if name in _NAMED), None)
    if known is None:
        known = next(filter(None, (find(call) for find in _FAMILIES)), None)
    if known is None:
        raise NotImplementedError(
            f"Operator {call.func} does not have a sharding strategy registered."
        )
    return known


class Plan(NamedTuple):
    """How a call runs: placements of results and tensor arguments on all dimensions of the mesh."""

    call: Call
    outputs: tuple[DTensorSpec | None, ...]
    inputs: tuple[DTensorSpec, ...]
    local: Callable[..., Any] | None


# Choosing -----------------------------------------------------------------------------------------


def _cost(have: Placement, want: Placement, size: int, bytes_here: float) -> float:
    """How long one exchange takes, about: in microseconds, of the model that torch has.

    :param size: how many processes there are.
    :param bytes_here: how much each has.
    """
    if have == want or have.is_replicate():
        return 0.0
    hops = size - 1
    per_byte = 1e6 / 87.7 / 2**30
    if isinstance(have, Partial):
        if isinstance(want, Partial):
            return math.inf
        rounds = 2 * hops if want.is_replicate() else hops
        return 6.6 + rounds * 0.6 + bytes_here * rounds / size * per_byte
    if isinstance(want, Partial):
        return math.inf
    if isinstance(want, _Parts):
        return 7.6 + hops * 0.6 + bytes_here * hops / size * per_byte
    return 6.6 + hops * 0.6 + bytes_here * hops * per_byte


def _bytes_here(spec: DTensorSpec) -> float:
    meta = spec.tensor_meta
    assert meta is not None
    return math.prod(meta.shape) * meta.dtype.itemsize / spec.num_shards


def _fits(spec: DTensorSpec, before: Sequence[Placement], mesh_dim: int, want: Placement) -> bool:
    """Whether each process has something of a tensor that is cut so."""
    if not isinstance(want, _Parts):
        return True
    if want.dim >= spec.ndim:
        return False
    if spec.placements[mesh_dim] == want:
        return True
    cuts = spec.mesh.size(mesh_dim)
    for i, p in enumerate(before):
        if isinstance(p, _Parts) and p.dim == want.dim:
            cuts *= spec.mesh.size(i)
    return bool(spec.shape[want.dim] >= cuts)


def _in_parts(choices: Iterable[Choice], now: Sequence[Placement]) -> Iterable[Choice]:
    """*choices*, and the same for parts of several intervals, where an argument lies so."""
    factors = {p.split_factor for p in now if isinstance(p, _StridedShard)}

    def strided(p: Placement | None, factor: int) -> Any:
        return _StridedShard(p.dim, split_factor=factor) if type(p) is Shard else p

    for choice in choices:
        yield choice
        for factor in factors:
            outputs = tuple(strided(p, factor) for p in choice.outputs)
            yield Choice(outputs, tuple(strided(p, factor) for p in choice.inputs))


def _choose(call: Call, rule: Rule, mesh_dim: int, before: Sequence[Sequence[Placement]]) -> Choice:
    """The choice for one dimension of the mesh to which arguments come with the least exchange.

    :param before: the placements of arguments on the dimensions before.

    Raises RuntimeError where a tensor that is written to would have to lie otherwise.
    """
    now = call.now(mesh_dim)
    size = call.mesh.size(mesh_dim)
    found: list[tuple[float, bool, int, Choice]] = []
    choices = [call.same(Replicate()), *_in_parts(rule(call, mesh_dim), now)]
    if not any(spec.is_sharded() for spec in call.tensors):  # nothing is cut that was not
        choices = [c for c in choices if not any(isinstance(p, _Parts) for p in c.inputs)]
    for number, choice in enumerate(choices):
        if not _stays(call, choice, now, mesh_dim):
            continue
        specs = call.tensors
        if not all(
            _fits(spec, [b[i] for b in before], mesh_dim, want)
            for i, (spec, want) in enumerate(zip(specs, choice.inputs, strict=True))
        ):
            continue
        cost = sum(
            _cost(have, want, size, _bytes_here(spec))
            for spec, have, want in zip(specs, now, choice.inputs, strict=True)
        )
        if cost < math.inf:
            found.append((cost, tuple(now) != choice.inputs, number, choice))
    if not found:
        raise RuntimeError(
            f"{call.func}: in-place operations that require placement changes are not supported. "
            f"The input has placement {(call.outs or call.tensors)[0].placements}, but no valid "
            "strategy preserves this placement. Please use the out-of-place version of this "
            "operation instead."
        )
    return min(found)[-1]


def _stays(call: Call, choice: Choice, now: Sequence[Placement], mesh_dim: int) -> bool:
    """Whether tensors that are written to lie as before."""
    if call.in_place:
        changes_shape = call.row is not None and call.row.view is not None
        kept = changes_shape or choice.outputs[:1] in ((), (None,), (now[0],))
        return choice.inputs[0] == now[0] and kept
    outs = [spec.placements[mesh_dim] for spec in call.outs]
    return all(out == p for out, p in zip(outs, choice.outputs, strict=False))


def plan_of(call: Call) -> Plan:
    """How a call runs.

    Raises NotImplementedError where nothing is known of the operator, RuntimeError where tensors
    are of different meshes or one that is written to would have to lie otherwise.
    """
    for spec in call.tensors:
        if spec.mesh != call.mesh:
            raise RuntimeError(
                f"Cannot run {call.func} on inputs with different meshes: got {call.mesh} and "
                f"{spec.mesh}"
            )
    known = known_of(call)
    chosen: list[Choice] = []
    for mesh_dim in range(call.mesh.ndim):
        before = [choice.inputs for choice in chosen]
        chosen.append(_choose(call, known.rule, mesh_dim, before))
    outputs: list[DTensorSpec | None] = []
    for i, meta in enumerate(call.metas):
        placements: Any = tuple(choice.outputs[i] for choice in chosen)
        outputs.append(None if meta is None else DTensorSpec(call.mesh, placements, meta))
    inputs = tuple(
        spec.with_placements(tuple(choice.inputs[i] for choice in chosen))
        for i, spec in enumerate(call.tensors)
    )
    return Plan(call, tuple(outputs), inputs, known.local)
