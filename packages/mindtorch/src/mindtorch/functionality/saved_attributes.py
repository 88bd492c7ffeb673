"""``node._saved_other``, ``node._raw_saved_other``: what a node keeps, under torch's names.

torch makes these attributes from the names in derivatives.yaml: an argument or result that the
formulas keep, or a fact (``self_sym_sizes``) of one. They are descriptors of the node class and not
its ``__getattr__``, which would slow down every attribute of the nodes for the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from mindtorch_autograd import RELEASED, Node, SavedVariable, errors
from mindtorch_autograd.saved_tensor import SavedTensor

from ..call_arguments import wrapped_number
from ..construct import wrap
from ..tensor import Tensor
from .saving import kept_result

if TYPE_CHECKING:
    from .recorder import Recorder

#: What a formula may ask of a tensor that is not kept, and how the attribute that says it ends.
_FACTS: dict[str, Callable[[Any], Any]] = {
    "_sym_sizes": lambda f: tuple(f.shape),
    "_sym_strides": lambda f: tuple(f.stride()),
    "_sym_numel": lambda f: f.numel(),
    "_scalar_type": lambda f: f.dtype,
}


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
    names = {name: name for name in recorder.saved}
    names.update({shown: name for name, shown in _named_results(recorder).items()})
    arguments = recorder.overload.schema.arguments
    scalars = {a.name for a in arguments if str(a.type).startswith(("Scalar", "number"))}
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
        if node._saved is RELEASED:
            raise errors.backward_twice()
        slot = recorder.places[names[asked]]
        return tuple(
            [SavedOfNode(recorder, node, slot, -1, at) for at in range(len(node._saved[slot]))]
        )

    def fact(node: Any, asked: str) -> Any:
        ending = next(e for e in _FACTS if asked.endswith(e))
        return _FACTS[ending](getattr(node, names[asked.removesuffix(ending)]))

    found: dict[str, Shown] = {}
    for asked, name in names.items():
        if name in tensors:
            found.update({f"_saved_{asked}{e}": Shown(asked + e, fact) for e in _FACTS})
        if name in slots:
            found[f"_raw_saved_{asked}"] = Shown(asked, raw)
        if name in recorder.lists:
            found[f"_raw_saved_{asked}"] = Shown(asked, raw_list)
        if name not in recorder.facts:
            found[f"_saved_{asked}"] = Shown(asked, value)
    return found


def _named_results(recorder: Recorder) -> dict[str, str]:
    """The results that are saved and that the schema names, ``max``'s ``indices``."""
    returns = recorder.overload.schema.returns
    return {
        result: said.name
        for result, said in zip(recorder.results, returns, strict=False)
        if result in recorder.saved and said.name and not said.name.startswith("out")
    }


def _number(value: Any) -> Tensor:
    """A number in a tensor's place, as torch keeps it: with the dtype that has all its digits."""
    if isinstance(value, float):
        return wrap(np.array(value, np.float64))
    return wrap(np.array(value)) if isinstance(value, complex) else wrapped_number(value)


def listed(recorder: Recorder) -> Callable[[Any], list[str]]:
    """``__dir__`` of the node class: what torch's nodes have."""
    found = set(_COMMON)
    named = _named_results(recorder)
    for name in recorder.saved:
        if name in recorder.facts:
            found.add(f"_saved_{name}_sym_sizes")
            continue
        shown = named.get(name, name)
        found.add(f"_saved_{shown}")
        if name in recorder.tensors or name in recorder.results or name in recorder.lists:
            found.add(f"_raw_saved_{shown}")
    return lambda node: sorted(found)


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
