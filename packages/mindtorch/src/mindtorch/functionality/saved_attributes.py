"""``node._saved_other``, ``node._raw_saved_other``: what a node keeps, under torch's names.

torch makes these attributes from the names in derivatives.yaml: an argument or result that the
formulas keep, or a fact (``self_sym_sizes``) of one. They are descriptors of the node class and not
its ``__getattr__``, which would slow down every attribute of the nodes for the engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from mindtorch_autograd import RELEASED, Node, SavedVariable, errors
from mindtorch_autograd.saved_tensor import SavedTensor

from ..call.arguments import wrapped_number
from ..tensor import Tensor
from ..tensor.construction import wrap
from .node_names import node_name
from .saved_facts import FACTS_SHOWN, HIDDEN, said_of
from .version_checks import kept_result

if TYPE_CHECKING:
    from .recorder import Recorder

#: The arguments that are dtypes, which torch's nodes keep and do not show.
_DTYPES = re.compile(r"ScalarType\?? (\w+)")


class SavedOfNode(SavedTensor):
    """One place where a recorded node keeps a tensor, or one tensor of a list.

    :ivar _slot: where in ``node._saved``.
    :ivar _index: the number of the result, -1 for an argument.
    :ivar _at: the number in the list, -1 where it is none.
    """

    __module__ = "torch._C._autograd"
    __slots__ = ("_at", "_recorder", "_slot")

    def __init__(self, recorder: Recorder, node: Node, slot: int, index: int, at: int) -> None:
        super().__init__(node, index)
        self._recorder = recorder
        self._slot = slot
        self._at = at

    def _kept(self) -> Any:
        if self._node._saved is RELEASED:
            raise errors.backward_twice()
        kept = kept_result(self._node, self._slot)
        return kept if self._at < 0 else kept[self._at]

    def _keep(self, made: SavedVariable) -> None:
        node, slot = self._node, self._slot
        saved = list(node._saved)
        if self._at < 0:
            saved[slot] = made
        else:
            saved[slot] = (*saved[slot][: self._at], made, *saved[slot][self._at + 1 :])
        node._saved = tuple(saved)
        node.__class__ = self._recorder.class_with_hooks(type(node))

    def _with_hooks(self, value: Any, hooks: Any) -> SavedVariable:
        if not isinstance(value, Tensor):
            value = _number(value)
        is_result = self._index >= 0 and value._a.dtype.kind not in "biu"
        return SavedVariable(value, is_result, hooks, self._node, self._index)

    def unpack(self) -> Any:
        """The tensor. Raises RuntimeError once it was freed."""
        self._kept()
        name = next(n for n, slot in self._recorder.places.items() if slot == self._slot)
        found = getattr(self._node, name)
        found = found if self._at < 0 else found[self._at]
        return found if found is None or isinstance(found, Tensor) else _number(found)

    @property
    def data(self) -> Any:
        """The tensor, or what its hook made of it; None once it was freed."""
        if self._node._saved is RELEASED:
            return None
        kept = self._kept()
        return kept.data if type(kept) is SavedVariable and kept.hooks else self.unpack()


SavedOfNode.__name__ = SavedOfNode.__qualname__ = "SavedTensor"


class Shown:
    """One such attribute of the nodes of a class."""

    __slots__ = ("_find", "_name")

    def __init__(self, name: str, find: Callable[[Any, str], Any]) -> None:
        self._name = name
        self._find = find

    def __get__(self, node: Any, owner: Any = None) -> Any:
        return self if node is None else self._find(node, self._name)


def attributes(recorder: Recorder) -> dict[str, Shown]:
    """The attributes of the node class of *recorder*."""
    names = shown_names(recorder)
    arguments = recorder.overload.schema.arguments
    scalars = {a.name for a in arguments if "number" in str(a.type)}
    tensors = recorder.tensors | set(recorder.results)
    slots = {
        name: (
            recorder.places[name],
            recorder.results.index(name) if name in recorder.results else -1,
        )
        for name in recorder.saved
        if name in tensors and name not in recorder.facts
    }

    def value(node: Any, asked: str) -> Any:
        name = names[asked]
        if name in slots and node._saved is RELEASED and _was_none(recorder, node, name):
            return None
        found = getattr(node, name)
        return found if name in scalars else _shown(found, name in tensors)

    def raw(node: Any, asked: str) -> SavedOfNode:
        return SavedOfNode(recorder, node, *slots[names[asked]], -1)

    def raw_list(node: Any, asked: str) -> tuple[SavedOfNode, ...]:
        if node._saved is RELEASED:
            raise errors.backward_twice()
        slot = recorder.places[names[asked]]
        return tuple(
            [SavedOfNode(recorder, node, slot, -1, at) for at in range(len(node._saved[slot]))]
        )

    facts = {name + ending: (name, ending) for name, ending in shown_facts(recorder)}

    def fact(node: Any, asked: str) -> Any:
        name, ending = facts[asked]
        if ending == "_sym_strides" and node._edges[recorder.inputs.index(name)] is None:
            return ()  # of use for the gradient of that argument alone
        return said_of(_known_of(recorder, node, name), ending)

    found: dict[str, Shown] = {f"_saved_{asked}": Shown(asked, fact) for asked in facts}
    for asked, name in names.items():
        if name in slots:
            found[f"_raw_saved_{asked}"] = Shown(asked, raw)
        if name in recorder.lists:
            found[f"_raw_saved_{asked}"] = Shown(asked, raw_list)
        found[f"_saved_{asked}"] = Shown(asked, value)
    return found


def shown_names(recorder: Recorder) -> dict[str, str]:
    """The values that torch's nodes show, by the name that they show."""
    node = node_name(recorder.overload)
    dtypes = set(_DTYPES.findall(recorder.overload.schema_text))
    hidden = recorder.facts | dtypes | HIDDEN.get(node, frozenset())
    results = named_results(recorder)
    return {results.get(n, n): n for n in recorder.saved if n not in hidden}


def shown_facts(recorder: Recorder) -> list[tuple[str, str]]:
    """Of which tensors torch's nodes show which facts."""
    said = FACTS_SHOWN.get(node_name(recorder.overload), {})
    found = [(n, e) for n, endings in said.items() if n in recorder.saved for e in endings]
    return found + [(n, "_sym_sizes") for n in recorder.facts if n not in said]


def named_results(recorder: Recorder) -> dict[str, str]:
    """The results that the schema names, ``max``'s ``indices``."""
    returns = recorder.overload.schema.returns
    return {
        result: said.name
        for result, said in zip(recorder.results, returns, strict=False)
        if said.name and not said.name.startswith("out")
    }


def _was_none(recorder: Recorder, node: Any, name: str) -> bool:
    """Whether *node*, of which all tensors were freed, had None in place of *name*."""
    if name in recorder.results:
        return False
    if name in recorder.optional:
        if node.kept[len(recorder.plain) + recorder.optional.index(name)]:
            return True
    needing = recorder.needing(name)
    if not needing or any(a in recorder.lists for a in recorder.inputs):
        return False
    return all(node._edges[recorder.inputs.index(a)] is None for a in needing)


def _known_of(recorder: Recorder, node: Any, name: str) -> Any:
    """What facts of the argument *name* are read from."""
    if name in recorder.told:
        return node.kept[recorder.told.index(name) - len(recorder.told)]
    found = getattr(node, name)
    if found is None and name not in recorder.facts:  # of use for a gradient that nobody wants
        found = getattr(node, recorder.store)[recorder.inputs.index(name) - len(recorder.inputs)]
        if found is None:
            raise RuntimeError(f"{node.name()} has not kept {name}, nor noted what it was like")
    return found


def edge_facts(recorder: Recorder) -> Callable[[Any, Any], list[Any]]:
    """What the node class knows of the values that its edges are for.

    The function gets a node and the facts of its result, and gives facts, or None, per edge.
    """
    inputs, lists, store = recorder.inputs, recorder.lists, recorder.store

    def facts(node: Any, own: Any) -> list[Any]:
        kept = getattr(node, store)
        if kept is RELEASED:
            return []
        found: list[Any] = []
        for name, meta in zip(inputs, kept[-len(inputs) :], strict=True):
            # None: the gradient fits as it is, so the argument is like the result.
            found += meta if name in lists else (own if meta is None else meta,)
        return found

    return facts


def _number(value: Any) -> Tensor:
    """A number in a tensor's place, as torch keeps it: with the dtype that has all its digits."""
    if isinstance(value, float):
        return wrap(np.array(value, np.float64))
    return wrap(np.array(value)) if isinstance(value, complex) else wrapped_number(value)


def listed(recorder: Recorder) -> Callable[[Any], list[str]]:
    """``__dir__`` of the node class: what torch's nodes have."""
    found = sorted({*_COMMON, *attributes(recorder)})
    return lambda node: found.copy()


_COMMON = (
    "_input_metadata", "_register_hook_dict", "_sequence_nr", "_set_sequence_nr", "metadata",
    "name", "next_functions", "register_hook", "register_prehook", "requires_grad",
)  # fmt: skip


def _shown(value: Any, tensor: bool) -> Any:
    """*value* as torch shows it: numbers of tensors as tensors, negative integers unsigned."""
    if tensor:
        return value if value is None or isinstance(value, Tensor) else _number(value)
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int):
        return value & (2**64 - 1)
    if isinstance(value, (list, tuple)):
        return tuple([_shown(v, isinstance(v, Tensor)) for v in value])
    return value
