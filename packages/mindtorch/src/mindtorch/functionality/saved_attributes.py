"""``node._saved_other``, ``node._raw_saved_other``: what a node keeps, under torch's names.

One rule gives them from what the row's formulas read: ``_saved_NAME`` is the argument or result
*NAME*; ``_saved_NAME_sym_sizes`` and the like tell of a tensor that is not kept. torch's formulas
read other values in places, so its nodes may show others. The attributes are descriptors of the
node class and not its ``__getattr__``, which would slow down every attribute of the nodes for the
engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from mindtorch_autograd import RELEASED, Node, SavedVariable, errors
from mindtorch_autograd.saved_tensor import SavedTensor

from ..call.arguments import wrapped_number
from ..tensor import Tensor
from ..tensor.construction import wrap
from .recording import Recording
from .version_checks import kept_result

#: The arguments that are dtypes, which torch's nodes keep and do not show.
_DTYPES = re.compile(r"ScalarType\?? (\w+)")


class SavedOfNode(SavedTensor):
    """One place where a recorded node keeps a tensor, or one tensor of a list.

    :ivar _slot: where in ``node._saved_``.
    :ivar _index: the number of the result, -1 for an argument.
    :ivar _at: the number in the list, -1 where it is none.
    """

    __module__ = "torch._C._autograd"
    __slots__ = ("_at", "_recorder", "_slot")

    def __init__(self, recorder: Recording, node: Node, slot: int, index: int, at: int) -> None:
        super().__init__(node, index)
        self._recorder = recorder
        self._slot = slot
        self._at = at

    def _kept(self) -> Any:
        if self._node._saved_ is RELEASED:
            raise errors.backward_twice()
        kept = kept_result(self._node, self._slot)
        return kept if self._at < 0 else kept[self._at]

    def _keep(self, made: SavedVariable) -> None:
        node, slot = self._node, self._slot
        saved = list(node._saved_)
        if self._at < 0:
            saved[slot] = made
        else:
            saved[slot] = (*saved[slot][: self._at], made, *saved[slot][self._at + 1 :])
        node._saved_ = tuple(saved)
        node.__class__ = self._recorder.class_with_hooks(type(node))

    def _with_hooks(self, value: Any, hooks: Any) -> SavedVariable:
        if not isinstance(value, Tensor):
            value = _number(value)
        is_result = self._index >= 0 and value._a_.dtype.kind not in "biu"
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
        if self._node._saved_ is RELEASED:
            return None
        kept = self._kept()
        if type(kept) is SavedVariable:
            return kept.data
        return kept if isinstance(kept, Tensor) else self.unpack()


SavedOfNode.__name__ = SavedOfNode.__qualname__ = "SavedTensor"


def _fact(tell: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """*tell* of what is known of a tensor; None of one that was not given."""
    return lambda known: None if known is None else tell(known)


#: What a node tells of a tensor that it does not keep, by the ending of the attribute.
_FACTS: Final[dict[str, Callable[[Any], Any]]] = {
    "sym_sizes": _fact(lambda t: tuple(t.shape)),
    "sym_sizes_opt": lambda t: (0,) if t is None else tuple(t.shape),
    "sym_strides": _fact(lambda t: tuple(t.stride())),
    "sym_numel": _fact(lambda t: t.numel()),
    "dim": _fact(lambda t: t.dim()),
    **{f"sym_argsize_{i}": _fact(lambda t, i=i: t.shape[i]) for i in range(3)},
    **{f"sym_argsize_minus_{i}": _fact(lambda t, i=i: t.shape[-i]) for i in range(1, 4)},
}


class Shown:
    """One such attribute of the nodes of a class."""

    __slots__ = ("_find", "asked")

    def __init__(self, name: str, find: Callable[[Any, str], Any]) -> None:
        self.asked = name
        self._find = find

    def __get__(self, node: Any, owner: Any = None) -> Any:
        return self if node is None else self._find(node, self.asked)


def attributes(recorder: Recording) -> dict[str, Shown]:
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
        found = getattr(node, name)
        return found if name in scalars else _shown(found, name in tensors)

    def raw(node: Any, asked: str) -> SavedOfNode:
        return SavedOfNode(recorder, node, *slots[names[asked]], -1)

    def raw_list(node: Any, asked: str) -> tuple[SavedOfNode, ...]:
        if node._saved_ is RELEASED:
            raise errors.backward_twice()
        slot = recorder.places[names[asked]]
        return tuple(
            [SavedOfNode(recorder, node, slot, -1, at) for at in range(len(node._saved_[slot]))]
        )

    known = {n: n for n in recorder.saved if n in recorder.facts}
    known.update((n, f"{n}_facts") for n in recorder.told)

    def fact(node: Any, asked: str) -> Any:
        name, _, ending = asked.partition(" ")
        return _FACTS[ending](getattr(node, known[name]))

    found = {f"_saved_{n}_{e}": Shown(f"{n} {e}", fact) for n in known for e in _FACTS}
    for asked, name in names.items():
        if name in slots:
            found[f"_raw_saved_{asked}"] = Shown(asked, raw)
        if name in recorder.lists:
            found[f"_raw_saved_{asked}"] = Shown(asked, raw_list)
        found[f"_saved_{asked}"] = Shown(asked, value)
    return found


def shown_names(recorder: Recording) -> dict[str, str]:
    """The saved values by the name under which they are shown: dtypes are not."""
    hidden = recorder.facts.union(_DTYPES.findall(recorder.overload.schema_text))
    results = named_results(recorder)
    return {results.get(n, n): n for n in recorder.saved if n not in hidden}


def named_results(recorder: Recording) -> dict[str, str]:
    """The results that the schema names, ``max``'s ``indices``."""
    returns = recorder.overload.schema.returns
    return {
        result: said.name
        for result, said in zip(recorder.results, returns, strict=False)
        if said.name and not said.name.startswith("out")
    }


def edge_facts(recorder: Recording) -> Callable[[Any, Any], list[Any]]:
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


def listed(recorder: Recording) -> Callable[[Any], list[str]]:
    """``__dir__`` of the node class: of facts, the sizes alone."""
    made = attributes(recorder).items()
    shown = [name for name, a in made if a.asked.partition(" ")[2] in ("", "sym_sizes")]
    found = sorted({*_COMMON, *shown})
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
