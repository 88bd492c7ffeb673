"""What hangs off a tensor: its edge marker, its alias, its rare state."""

from __future__ import annotations

import sys
import weakref
from threading import RLock
from typing import Any

from mindtorch_autograd.saved_variable import LaterVersion

from ..core.errors import inference_version
from .slots import Slots

#: Held while what hangs off a tensor is put there: threads that need it at the same time get the
#: same one. A signal's handler that comes in between may need another.
making = RLock()
#: The edge of a leaf that requires grad: its AccumulateGrad node, held weakly.
#: The node holds the leaf, so a strong reference would close a cycle that keeps memory alive.
Leaf = weakref.ref


class _Nothing:
    __slots__ = ("__weakref__",)


#: The edge of a leaf whose node was not made yet: a reference to nothing.
LEAF: Any = Leaf(_Nothing())


class AnyAlias:
    """What all tensors over the same memory share.

    The defaults are attributes of the class: most aliases live and die with little set, and one
    is made for every tensor that is viewed, saved or changed. But who makes one sets ``value`` to
    0, for it is asked often, and Python is quick with attributes that the class does not have.
    """

    __slots__ = ()

    #: Counts in-place changes.
    value: int
    #: A tensor over this memory came to require grad, or ceased to: its views look at their base.
    touched = False
    #: Somebody holds on to this memory as a gradient, so backward may not give it away: False, or
    #: a weak reference to the tensor that is held.
    claimed: Any = False
    #: numpy sees this memory, so it may not be replaced by other.
    lent = False
    storage: Any = None
    #: The tensors over this memory by their ids, weakly, once it has moved: see
    #: :func:`add_viewer` and ``storage_referrers``.
    viewers: Any = None

    @property
    def known_storage(self) -> Any:
        """The storage if it was made, else None."""
        return self.storage

    @property
    def device(self) -> Any:
        """Where the memory lies, of what is not on the host."""
        return self.storage.device


class Alias(AnyAlias):
    """The alias of tensors that may lie anywhere; ``backends/held.py`` has one for NPUs only."""


class Rare:
    """What an alias without a dictionary keeps elsewhere, as few have it; see :class:`AnyAlias`."""

    touched = lent = False
    storage: Any = None

    def __init__(self, owner: Any) -> None:
        self.owner = owner  # the array over the memory; None when there is a storage


class UncountedAlias(Alias):
    """The alias of what was an inference tensor until ``t.data = …``: changes are not counted."""

    @property
    def value(self) -> int:
        """Raises RuntimeError, so that neither changes nor saving for a gradient go unnoticed."""
        raise inference_version()

    @value.setter
    def value(self, value: int) -> None:
        raise inference_version()


class LinkedAlias(Alias):
    """An alias over memory that came later (``t.data = …``, ``set_``): changes count as before.

    The views that a tensor had see the old memory, and the same version counter.
    """

    def __init__(self, alias: Alias) -> None:
        self.counter: Alias = alias.counter if isinstance(alias, LinkedAlias) else alias

    @property
    def value(self) -> int:
        """Counts in-place changes, of whichever memory."""
        return self.counter.value

    @value.setter
    def value(self, value: int) -> None:
        self.counter.value = value

    @property
    def touched(self) -> bool:
        """Whether views are to look at their base."""
        return self.counter.touched

    @touched.setter
    def touched(self, value: bool) -> None:
        self.counter.touched = value


def add_viewer(alias: AnyAlias, t: Slots) -> None:
    """Note that *t* looks at the memory of *alias*, too, if somebody keeps account."""
    if alias.viewers is not None:
        alias.viewers[id(t)] = t


class ApartAlias(AnyAlias):
    """An alias with a version of its own over the memory of another, which it keeps alive.

    Nothing is made before it is asked for: a storage costs more than what is shared here.
    """

    __slots__ = ("memory", "touched", "value")

    def __init__(self, memory: AnyAlias) -> None:
        self.memory: AnyAlias = memory.memory if isinstance(memory, ApartAlias) else memory
        self.value = 0
        self.touched = False

    @property
    def storage(self) -> Any:  # type: ignore[override]
        """The storage of the memory."""
        return self.memory.storage

    @storage.setter
    def storage(self, storage: Any) -> None:
        self.memory.storage = storage

    @property
    def known_storage(self) -> Any:
        """The storage of the memory if it was made, else None."""
        return self.memory.known_storage

    @property
    def device(self) -> Any:
        """Where the memory lies."""
        return self.memory.device

    @property
    def claimed(self) -> Any:
        """Who holds the memory as a gradient."""
        return self.memory.claimed

    @claimed.setter
    def claimed(self, claimed: Any) -> None:
        self.memory.claimed = claimed

    @property
    def lent(self) -> bool:
        """Whether numpy sees the memory."""
        return self.memory.lent

    @lent.setter
    def lent(self, lent: bool) -> None:
        self.memory.lent = lent


def alias_elsewhere(t: Slots) -> Alias:
    """The alias of *t* for other memory: changes count as before.

    Where nobody else counts with it (a view, a node that saved *t*), nothing of the old alias
    stays, so that the memory it stands for goes back.
    """
    alias = alias_of(t)
    # Our name, the slot of t, the call.
    if isinstance(alias, LinkedAlias) or sys.getrefcount(alias) > 3:
        return LinkedAlias(alias)
    own = Alias()
    own.value, own.touched = alias.value, alias.touched
    return own


class DetachedAlias(LinkedAlias):
    """The alias of a tensor whose history was cut in place: the nodes that saved it notice.

    All but what it answers when asked for the version is as it was.
    """

    @property
    def value(self) -> int:
        """Counts in-place changes; fits no number that was noted before the history was cut."""
        return LaterVersion(self.counter.value)

    @value.setter
    def value(self, value: int) -> None:
        self.counter.value = value

    claimed, lent, storage = (
        property(
            lambda self, name=name: getattr(self.origin, name),
            lambda self, value, name=name: setattr(self.origin, name, value),
        )
        for name in ("claimed", "lent", "storage")
    )

    def __init__(self, alias: Alias) -> None:
        super().__init__(alias)
        self.origin = alias


#: The dtype of a gradient where nobody said which: the tensor's own.
SAME: Any = "same"


class State:
    """The rare belongings of a tensor, made when the first of them is set; see :class:`Alias`."""

    grad: Any = None
    #: What dtype ``grad`` may have; None: any.
    grad_dtype: Any = SAME
    #: What a thread holds that adds to ``grad`` while there are others.
    filling: Any = None
    #: The edge of a leaf that does not require grad any more.
    leaf: Any = LEAF
    hooks: Any = None
    post_accumulate_hooks: Any = None
    retain_grad_hook: Any = None
    #: The tensor that this one is a view of.
    base: Any = None
    #: The count of the alias when the edge of this view was last true.
    attr_version = 0
    #: How the view came to be, where in-place ops on it are forbidden: "multi", "function" or
    #: "inference". That it was made in no_grad is a bit of the signature.
    creation = ""
    #: How to make the view of its base again, where its geometry does not say it.
    steps: tuple[Any, ...] = ()
    name: str | None = None
    #: An inference tensor that was detached outside of the mode: it has a version counter of its
    #: own, and so may be changed.
    counts = False


def state_of(t: Slots) -> State:
    """The :class:`State` of *t*, made when first needed; tensor.py says what stands there else."""
    state = t._state_
    if type(state) is State:
        return state
    fresh = State()
    with making:
        state = t._state_
        if type(state) is State:
            return state
        if type(state) is tuple:
            fresh.base, fresh.attr_version, fresh.creation = state
        elif state is not None:
            fresh.base = state
        t._state_ = fresh
    return fresh


def counts(t: Slots) -> bool:
    """Whether *t*, an inference tensor, counts its changes all the same."""
    return type(t._state_) is State and t._state_.counts


def base_of(t: Slots) -> Any:
    """The tensor that *t* is a view of, or None."""
    state = t._state_
    if type(state) is State:
        return state.base
    return state[0] if type(state) is tuple else state


def is_leaf(t: Slots) -> bool:
    """Whether *t* is at the beginning of the graph."""
    edge = t._grad_edge_
    return edge is None or type(edge) is Leaf


def alias_of(t: Slots) -> Alias:
    """The alias (version counter and storage) of *t*, made when first needed."""
    alias = t._shared_
    if alias is None:
        made = Alias()
        made.value = 0
        with making:
            alias = t._shared_
            if alias is None:
                alias = t._shared_ = made
    return alias
