"""Nodes: one recorded op each, linked to the ops that made its inputs.

Note [Keys]
    Every node draws a ``_key_`` from one process-wide counter that counts *down*: ``-1, -2, …``.
    A node is made after the nodes of its inputs, so its key is smaller than theirs, and "smallest
    key first" is both torch's order (highest sequence number first) and a topological order. The
    engine needs no dependency count for a plain ``backward()``; keys are unique, so they are
    dictionary keys and heap entries at once. ``AccumulateGrad`` draws a key when it is made,
    which is at the first use of the leaf in a graph, so it runs right after its last gradient came.
    The rule for whoever makes a node: **draw its key after its edges**, because asking a leaf for
    its edge may make a node. ``testing.check_keys`` finds who broke it.

Note [Making a node fast]
    ``__slots__`` without ``__init__``: ``n = cls(); n._edges_ = (…); n._key_ = next_key();
    n._saved_ = (…); n._extra_ = None``. These four slots must be set. All rare state (hooks,
    metadata, checks) hangs off ``_extra_``, so the engine pays one ``is None`` for it.

Note [Outputs]
    A value's edge is the bare node where the node has one output. A node with several gives each
    result an ``Output(node, nr)``, which is itself in the graph: it collects the gradient of
    its result and files it under ``nr``. The hooks of all results run when the node does, as torch
    has it. Users never see it: ``grad_fn`` and ``next_functions`` say ``(node, nr)``.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, ClassVar, NoReturn, TypeAlias

from mindtorch_autograd import errors, grad_mode, installed, streams
from mindtorch_autograd.hooks import RemovableHandle, watch_leaf_order
from mindtorch_autograd.running_task import running

__all__ = [
    "RELEASED",
    "AccumulateGrad",
    "Edge",
    "Error",
    "Extras",
    "Node",
    "Output",
    "accumulate_grad",
    "check_result",
    "extras_of",
    "name_of",
    "name_of_hook",
    "next_key",
    "shown",
    "unwrap",
]

#: Draws the key of a new node (see Note [Keys]); atomic under the interpreter lock.
next_key: Callable[[], int] = count(-1, -1).__next__

_UINT64_MAX = 2**64 - 1

_Hooks: TypeAlias = "OrderedDict[int, Callable[..., Any]]"


class _Released:
    """Takes the place of ``Node._saved_`` once its values were freed: any use raises."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        raise errors.backward_twice()

    def __getitem__(self, index: Any) -> NoReturn:
        raise errors.backward_twice()

    def __len__(self) -> int:
        raise errors.backward_twice()

    def __repr__(self) -> str:
        return "RELEASED"


#: What the engine stores in ``Node._saved_`` when the graph is not retained.
RELEASED: Any = _Released()


class shown(property):
    """An attribute of nodes that users read; what they hear upon assignment is torch's."""

    def __set__(self, instance: Any, value: Any) -> None:
        assert self.fget is not None
        owner = instance._shown_by_ or type(instance).__name__
        raise errors.attribute_not_writable(self.fget.__name__, owner)

    def __delete__(self, instance: Any) -> None:
        self.__set__(instance, None)


class Extras:
    """Rare state of a node. Hooks are dictionaries from handle id to callable, in order.

    :ivar tensor_hooks: hooks of the value this node made (``Tensor.register_hook``).
    :ivar retain_hook: sets the value's ``.grad`` (``Tensor.retain_grad``); runs after them.
    :ivar pre_hooks: ``Node.register_prehook``.
    :ivar post_hooks: ``Node.register_hook``.
    :ivar post_accumulate: of an ``AccumulateGrad``: ``register_post_accumulate_grad_hook``.
    :ivar metas: metadata per edge (None: do not check): the engine calls ``Space.conform``
        on the gradients that ``apply`` returns. A node whose formula already gives gradients
        of the right shape and dtype needs none.
    :ivar input_metadata: metadata per forward output.
    :ivar metadata: the dictionary users see as ``node.metadata``.
    :ivar number: a sequence number that was set by hand.
    :ivar outputs: number and extras of each :class:`Output` of the node that has hooks. They
        run when the node does, of all its results, also of those that no gradient comes to.
    :ivar changed_view: a weak reference to the node of the view that the op changed in place.
    :ivar convert: what a leaf of another ``grad_dtype`` does first with what comes to it.
    :ivar stream: where the op ran, if not on the default stream of its device.
    """

    __slots__ = (
        "changed_view",
        "input_metadata",
        "convert",
        "metadata",
        "metas",
        "number",
        "outputs",
        "post_accumulate",
        "post_hooks",
        "pre_hooks",
        "retain_hook",
        "stream",
        "tensor_hooks",
    )

    def __init__(self) -> None:
        self.tensor_hooks: _Hooks | None = None
        self.retain_hook: Callable[[Any], Any] | None = None
        self.pre_hooks: _Hooks | None = None
        self.post_hooks: _Hooks | None = None
        self.post_accumulate: _Hooks | None = None
        self.metas: tuple[Any, ...] | None = None
        self.input_metadata: tuple[Any, ...] | None = None
        self.metadata: dict[str, Any] | None = None
        self.number: int | None = None
        self.outputs: list[tuple[int, Extras]] | None = None
        self.convert: Callable[[Any], Any] | None = None
        self.stream: Any = None
        self.changed_view: Any = None


class Node:
    """One recorded op.

    :ivar key: minus the sequence number, see Note [Keys].
    :ivar edges: per input of the op where its gradient goes: Node, Output or None.
    :ivar saved: what the formula needs; replaced by :data:`RELEASED` after use.
    :ivar extra: None, or rare state (always there where the op has several outputs).

    A subclass defines ``apply(self, *grads)``: one gradient per output of the op; returns
    the gradient of the input where ``len(edges) == 1``, else a tuple or list of ``len(edges)``.
    The gradient of an only output is never None unless :attr:`_takes_undefined_`; of several
    outputs some may be, but never all.
    """

    __slots__ = ("__weakref__", "_edges_", "_extra_", "_key_", "_saved_")

    #: How many results the op has. A subclass with several says so by an attribute or a slot.
    _num_outputs_: Any = 1
    #: Numbers of results that never have a gradient, besides those that are no floats.
    _leaves_: ClassVar[tuple[int, ...]] = ()
    #: Whether ``apply`` is called even if every gradient is None (undefined).
    _takes_undefined_: ClassVar[bool] = False
    #: Whether ``apply`` takes ``edges=``: those of its edges whose gradient is wanted, others None.
    _takes_edges_: ClassVar[bool] = False
    #: The class that texts name as that of the attributes which users read; empty: the node's.
    _shown_by_: ClassVar[str] = ""
    #: Whether it keeps what the op made.
    _keeps_result_: ClassVar[bool] = False
    #: Whether this node ends the graph and runs as soon as all its gradients have come.
    _is_accumulator_: ClassVar[bool] = False

    _key_: int
    _edges_: tuple[Edge, ...]
    _saved_: Any
    _extra_: Extras | None

    def apply(self, *grads: Any) -> Any:
        """Turn gradients of the outputs into gradients of the inputs."""
        raise NotImplementedError(f"{type(self).__name__} does not define apply")

    #: :meth:`apply` for where nothing is recorded and nobody watches; a subclass may have a
    #: shorter one.
    _quick_ = apply

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own = cls.__dict__
        if "apply" in own and "_quick_" not in own:
            cls._quick_ = own["apply"]

    def __call__(self, *grads: Any, **named: Any) -> Any:
        """Run the formula by hand: no hooks, nothing is released."""
        if named:
            raise TypeError("keyword arguments are not supported")
        missing = self._num_outputs_ - len(grads)
        if missing:
            # Of several results the last may have no gradient: none need be given for them.
            known = None if self._extra_ is None else self._extra_.input_metadata
            expected = self._num_outputs_ if known is None else len(known)
            if expected != len(grads):
                raise errors.node_argument_count(expected, len(grads))
        for index, grad in enumerate(grads):
            if grad is not None and not installed.space.is_value(grad):
                raise TypeError(f"argument {index} is not a Variable")
        grads += (None,) * missing
        if not self._takes_undefined_ and all(g is None for g in grads):
            out: Any = [None] * len(self._edges_)
        else:
            out = self.apply(*grads)
            if len(self._edges_) == 1:
                return out
        return tuple(out or ())

    # -- what users see -------------------------------------------------------------------

    def name(self) -> str:
        """Return the name that messages and ``grad_fn=<…>`` show."""
        return type(self).__name__

    def __dir__(self) -> list[str]:
        return list(_SHOWN)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        """Refuse copies and pickles: a node belongs to its graph."""
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")

    @shown
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """Where the gradients go: per input of the op a node (or None) and the output number."""
        installed.space.pass_metadata(self)
        return tuple([unwrap(edge) for edge in self._edges_])

    @shown
    def requires_grad(self) -> bool:
        """Always true: a node exists only where a gradient is wanted."""
        return True

    @shown
    def metadata(self) -> dict[str, Any]:
        """A dictionary for anybody's notes; anomaly mode keeps the forward traceback in it."""
        extra = extras_of(self)
        if extra.metadata is None:
            extra.metadata = {}
        return extra.metadata

    @shown
    def _input_metadata(self) -> tuple[Any, ...]:
        """What the space tells of the op's results, as far as it is known."""
        found: tuple[Any, ...] = installed.space.input_metadata(self)
        return found

    def _sequence_nr(self) -> int:
        extra = self._extra_
        return -self._key_ if extra is None or extra.number is None else extra.number

    def _set_sequence_nr(self, number: int, /) -> None:
        """Choose the place of this node among those that are ready: the highest runs first."""
        if not isinstance(number, int):
            raise TypeError("an integer is required")
        if number < 0:
            raise OverflowError("can't convert negative int to unsigned")
        watch_leaf_order(
            self
        )  # only the loop that knows the graph asks for other numbers than keys
        extras_of(self).number = number

    def register_hook(self, *fn: Callable[[Any, Any], Any], **named: Any) -> RemovableHandle:
        """Call ``fn(grad_inputs, grad_outputs)`` after this node; a tuple replaces the former.

        Hooks see the gradients of those results that may have one.
        """
        hook = self._only_("register_hook", fn, named)
        if running.task is not None and self._extra_ is None:  # this node may be what runs
            streams.look_after_nodes(running.task)
        extra = extras_of(self)
        if extra.post_hooks is None:
            extra.post_hooks = OrderedDict()
        return enter(extra.post_hooks, hook)

    def register_prehook(self, *fn: Callable[[Any], Any], **named: Any) -> RemovableHandle:
        """Call ``fn(grad_outputs)`` before this node runs; a tuple replaces them."""
        hook = self._only_("register_prehook", fn, named)
        extra = extras_of(self)
        if extra.pre_hooks is None:
            extra.pre_hooks = OrderedDict()
        return enter(extra.pre_hooks, hook)

    def _only_(self, method: str, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """The one argument of a method that takes it by position."""
        if named or len(given) != 1:
            node = self._shown_by_ or type(self).__name__
            raise errors.node_method_arguments(node, method, len(given), bool(named))
        return given[0]

    def _register_hook_dict(self, value: Any) -> None:
        """Run the hooks of *value* (its ``_backward_hooks``) on this node's first output, too."""
        if not installed.space.is_value(value):
            raise TypeError("_register_hook_dict expected a variable")
        hooks = value._backward_hooks

        def run(grads: tuple[Any, ...]) -> tuple[Any, ...]:
            first = grads[0]
            for hook in tuple((hooks or {}).values()):
                result = hook(first)
                first = first if result is None else result
            return (first, *grads[1:])

        self.register_prehook(run)


_SHOWN = (
    "_input_metadata", "_register_hook_dict", "_sequence_nr", "_set_sequence_nr", "metadata",
    "name", "next_functions", "register_hook", "register_prehook", "requires_grad",
)  # fmt: skip


class Output(Node):
    """One result of a node with several; see Note [Outputs]. ``_edges_`` is ``(node,)``."""

    __slots__ = ("_nr",)

    def __init__(self, node: Node, nr: int) -> None:
        self._key_ = next_key()
        self._edges_ = (node,)
        self._saved_ = ()
        self._extra_ = _BARE
        self._nr = nr
        # The engine hands a list of gradients to such a node, on the path of nodes with extras.
        if node._extra_ is None:
            node._extra_ = Extras()


Edge: TypeAlias = Node | None

# Shared by all outputs without hooks: it sends the engine to the path that knows outputs.
_BARE = Extras()


def unwrap(edge: Edge) -> tuple[Node | None, int]:
    """Return *edge* as users see it: the node and the number of its output."""
    if edge.__class__ is Output:
        return edge._edges_[0], edge._nr
    return edge, 0


def extras_of(node: Node) -> Extras:
    """Return the rare state of *node*, making it if need be."""
    extra = node._extra_
    if extra is None:
        extra = node._extra_ = Extras()
    elif extra is _BARE:  # of a result of several: its node runs the hooks
        parent: Any = node._edges_[0]
        extra = node._extra_ = Extras()
        if parent._extra_.outputs is None:
            parent._extra_.outputs = []
        parent._extra_.outputs.append((node._nr, extra))  # type: ignore[attr-defined]  # an Output has it
    return extra


def enter(hooks: _Hooks, fn: Callable[..., Any]) -> RemovableHandle:
    """Put *fn* at the end of *hooks*."""
    handle = RemovableHandle(hooks)
    hooks[handle.id] = fn
    return handle


class AccumulateGrad(Node):
    """Ends the graph at a leaf: adds what arrives to the leaf's ``.grad``.

    Keeps the leaf alive; so the leaf itself must hold this node weakly, or not in a cycle.
    Made by :func:`accumulate_grad`: without ``__init__`` as any node, since graphs make them anew.
    """

    __slots__ = ("_variable",)
    __module__ = "builtins"  # as torch's nodes say

    _variable: Any

    _takes_undefined_ = False
    _is_accumulator_ = True

    @shown
    def variable(self) -> Any:
        """The leaf."""
        return self._variable

    def __dir__(self) -> list[str]:
        return [*_SHOWN, "variable"]

    def name(self) -> str:
        """Return torch's full C++ name."""
        return "torch::autograd::AccumulateGrad"

    def register_hook(self, *fn: Callable[[Any, Any], Any], **named: Any) -> RemovableHandle:
        """Call ``fn((), grad_outputs)`` after the leaf was filled."""
        watch_leaf_order(self)
        return super().register_hook(*fn, **named)

    def register_prehook(self, *fn: Callable[[Any], Any], **named: Any) -> RemovableHandle:
        """Call ``fn(grad_outputs)`` before the leaf is filled."""
        watch_leaf_order(self)
        return super().register_prehook(*fn, **named)

    def register_post_accumulate_grad_hook(self, fn: Callable[[Any], None]) -> RemovableHandle:
        """Call ``fn(variable)`` after the leaf was filled."""
        watch_leaf_order(self)
        extra = extras_of(self)
        if extra.post_accumulate is None:
            extra.post_accumulate = OrderedDict()
        return enter(extra.post_accumulate, fn)

    def _sequence_nr(self) -> int:
        return _UINT64_MAX

    def apply(self, *grads: Any) -> Any:
        """Accumulate, then run the leaf's post-accumulate hooks."""
        variable = self._variable
        installed.space.accumulate(variable, grads[0], grad_mode.is_grad_enabled())
        extra = self._extra_
        if extra is not None and extra.post_accumulate is not None:
            for hook in tuple(extra.post_accumulate.values()):
                result = hook(variable)
                if result is not None and result is not variable:
                    check_result(hook, variable, result)
                    raise errors.post_accumulate_result()


def check_result(hook: Any, before: Any, after: Any) -> None:
    """Raise unless *after* may take the place of the gradient *before*, as *hook* wants."""
    if after is None:
        return
    space = installed.space
    if not space.is_value(after):
        raise errors.hook_not_value(after)
    if before is None:
        raise errors.hook_replaces_none()
    difference = space.difference(before, after)
    if difference is not None:
        raise errors.hook_result_differs(name_of_hook(hook), difference)


def name_of_hook(hook: Any) -> str:
    """How messages name *hook*."""
    name: str = getattr(hook, "__name__", "<unknown>")
    return name


def name_of(node: Node) -> str:
    """The name of *node*, also where a user keeps something of theirs as its ``name``."""
    return type(node).name(node)


def accumulate_grad(variable: Any) -> AccumulateGrad:
    """Make the node that fills the ``.grad`` of *variable*."""
    node = AccumulateGrad()
    node._key_ = next_key()
    node._edges_ = node._saved_ = ()
    node._extra_ = None
    node._variable = variable
    return node


class Error(Node):
    """Raises when a gradient reaches it: for results that must not be differentiated."""

    __slots__ = ("message", "_num_outputs_")
    __module__ = "builtins"

    _takes_undefined_ = True

    def __init__(self, message: str, edges: tuple[Edge, ...] = ()) -> None:
        self._key_ = next_key()
        self._edges_ = edges
        self._saved_ = ()
        self._extra_ = None
        self.message = message
        self._num_outputs_ = 1

    def name(self) -> str:
        """Return torch's full C++ name."""
        return "torch::autograd::Error"

    def apply(self, *grads: Any) -> Any:
        """Raise the message."""
        raise RuntimeError(self.message)
