"""Nodes: one recorded op each, linked to the ops that made its inputs.

Note [Keys]
    Every node draws a ``key`` from one process-wide counter that counts *down*: ``-1, -2, …``.
    A node is made after the nodes of its inputs, so its key is smaller than theirs, and "smallest
    key first" is both torch's order (highest sequence number first) and a topological order. The
    engine needs no dependency count for a plain ``backward()``; keys are unique, so they are
    dictionary keys and heap entries at once. ``AccumulateGrad`` draws a key when it is made,
    which is at the first use of the leaf in a graph, so it runs right after its last gradient came.
    The rule for whoever makes a node: **draw its key after its edges**, because asking a leaf for
    its edge may make a node. ``testing.check_keys`` finds who broke it.

Note [Making a node fast]
    ``__slots__`` without ``__init__``: ``n = cls(); n.edges = (…); n.key = next_key();
    n.saved = (…); n.extra = None``. These four slots must be set. All rare state (hooks,
    metadata, checks) hangs off ``extra``, so the engine pays one ``is None`` for it.

Note [Outputs]
    A value's edge is the bare node where the node has one output. A node with several gives each
    result an ``Output(node, nr)``, which is itself in the graph: it collects the gradient of
    its result, runs that result's hooks, then files the gradient under ``nr``. Users never see
    it: ``grad_fn`` and ``next_functions`` say ``(node, nr)``.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, ClassVar, NoReturn, TypeAlias

from mindtorch_autograd import errors, grad_mode, protocols
from mindtorch_autograd.hooks import RemovableHandle, watch_leaf_order

__all__ = [
    "RELEASED",
    "AccumulateGrad",
    "Edge",
    "Error",
    "Extras",
    "Node",
    "Output",
    "accumulate_grad",
    "extras_of",
    "next_key",
    "unwrap",
]

#: Draws the key of a new node (see Note [Keys]); atomic under the interpreter lock.
next_key: Callable[[], int] = count(-1, -1).__next__

_UINT64_MAX = 2**64 - 1

_Hooks: TypeAlias = "OrderedDict[int, Callable[..., Any]]"


class _Released:
    """Takes the place of ``Node.saved`` once its values were freed: any use raises."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        raise errors.backward_twice()

    def __getitem__(self, index: Any) -> NoReturn:
        raise errors.backward_twice()

    def __len__(self) -> int:
        raise errors.backward_twice()

    def __repr__(self) -> str:
        return "RELEASED"


#: What the engine stores in ``Node.saved`` when the graph is not retained.
RELEASED: Any = _Released()


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
    :ivar stream: where the op ran, if not on the default stream of its device.
    """

    __slots__ = (
        "input_metadata",
        "metadata",
        "metas",
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
        self.stream: Any = None


class Node:
    """One recorded op.

    :ivar key: minus the sequence number, see Note [Keys].
    :ivar edges: per input of the op where its gradient goes: Node, Output or None.
    :ivar saved: what the formula needs; replaced by :data:`RELEASED` after use.
    :ivar extra: None, or rare state (always there where the op has several outputs).

    A subclass defines ``apply(self, *grads)``: one gradient per output of the op; returns
    the gradient of the input where ``len(edges) == 1``, else a tuple or list of ``len(edges)``.
    The gradient of an only output is never None unless :attr:`takes_undefined`; of several outputs
    some may be, but never all.
    """

    __slots__ = ("__weakref__", "edges", "extra", "key", "saved")

    #: How many results the op has. A subclass with several says so by an attribute or a slot.
    num_outputs: Any = 1
    #: Whether ``apply`` is called even if every gradient is None (undefined).
    takes_undefined: ClassVar[bool] = False
    #: Whether ``apply`` takes ``edges=``: those of its edges whose gradient is wanted, others None.
    takes_edges: ClassVar[bool] = False
    #: Whether this node ends the graph and runs as soon as all its gradients have come.
    is_accumulator: ClassVar[bool] = False

    key: int
    edges: tuple[Edge, ...]
    saved: Any
    extra: Extras | None

    def apply(self, *grads: Any) -> Any:
        """Turn gradients of the outputs into gradients of the inputs."""
        raise NotImplementedError(f"{type(self).__name__} does not define apply")

    #: :meth:`apply` for where nothing is recorded and nobody watches; a subclass may have a
    #: shorter one.
    quick = apply

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own = cls.__dict__
        if "apply" in own and "quick" not in own:
            cls.quick = own["apply"]

    def __call__(self, *grads: Any) -> Any:
        """Run the formula by hand: no hooks, nothing is released."""
        if len(grads) != self.num_outputs:
            raise errors.node_argument_count(self.num_outputs, len(grads))
        for index, grad in enumerate(grads):
            if grad is not None and not protocols._space.is_value(grad):
                raise TypeError(f"argument {index} is not a Variable")
        if not self.takes_undefined and all(g is None for g in grads):
            out: Any = [None] * len(self.edges)
        else:
            out = self.apply(*grads)
            if len(self.edges) == 1:
                return out
        return tuple(out or ())

    def release(self) -> None:
        """Free the saved values, as a backward that does not retain the graph does."""
        self.saved = RELEASED

    # -- what users see -------------------------------------------------------------------

    def name(self) -> str:
        """Return the name that messages and ``grad_fn=<…>`` show."""
        return type(self).__name__

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """Where the gradients go: per input of the op a node (or None) and the output number."""
        return tuple([unwrap(edge) for edge in self.edges])

    @property
    def requires_grad(self) -> bool:
        """Always true: a node exists only where a gradient is wanted."""
        return True

    @property
    def metadata(self) -> dict[str, Any]:
        """A dictionary for anybody's notes; anomaly mode keeps the forward traceback in it."""
        extra = extras_of(self)
        if extra.metadata is None:
            extra.metadata = {}
        return extra.metadata

    @property
    def input_metadata(self) -> tuple[Any, ...]:
        """Metadata per forward output, empty where nobody noted it."""
        extra = self.extra
        return () if extra is None or extra.input_metadata is None else extra.input_metadata

    @property
    def _input_metadata(self) -> tuple[Any, ...]:
        return self.input_metadata

    def _sequence_nr(self) -> int:
        return -self.key

    def register_hook(self, fn: Callable[[Any, Any], Any]) -> RemovableHandle:
        """Call ``fn(grad_inputs, grad_outputs)`` after this node; a tuple replaces the former."""
        extra = extras_of(self)
        if extra.post_hooks is None:
            extra.post_hooks = OrderedDict()
        return enter(extra.post_hooks, fn)

    def register_prehook(self, fn: Callable[[Any], Any]) -> RemovableHandle:
        """Call ``fn(grad_outputs)`` before this node runs; a tuple replaces them."""
        extra = extras_of(self)
        if extra.pre_hooks is None:
            extra.pre_hooks = OrderedDict()
        return enter(extra.pre_hooks, fn)

    def _register_hook_dict(self, hooks: _Hooks) -> None:
        """Run the hooks of *hooks* (a tensor's ``_backward_hooks``) on this node's only output."""
        extras_of(self).tensor_hooks = hooks


class Output(Node):
    """One result of a node with several; see Note [Outputs]. ``edges`` is ``(node,)``."""

    __slots__ = ("nr",)

    def __init__(self, node: Node, nr: int) -> None:
        self.key = next_key()
        self.edges = (node,)
        self.saved = ()
        self.extra = _BARE
        self.nr = nr
        # The engine hands a list of gradients to such a node, on the path of nodes with extras.
        if node.extra is None:
            node.extra = Extras()


Edge: TypeAlias = Node | None

# Shared by all outputs without hooks: it sends the engine to the path that knows outputs.
_BARE = Extras()


def unwrap(edge: Edge) -> tuple[Node | None, int]:
    """Return *edge* as users see it: the node and the number of its output."""
    if edge.__class__ is Output:
        return edge.edges[0], edge.nr
    return edge, 0


def extras_of(node: Node) -> Extras:
    """Return the rare state of *node*, making it if need be."""
    extra = node.extra
    if extra is None or extra is _BARE:
        extra = node.extra = Extras()
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

    _variable: Any

    takes_undefined = False
    is_accumulator = True

    @property
    def variable(self) -> Any:
        """The leaf."""
        return self._variable

    def name(self) -> str:
        """Return torch's full C++ name."""
        return "torch::autograd::AccumulateGrad"

    def register_hook(self, fn: Callable[[Any, Any], Any]) -> RemovableHandle:
        """Call ``fn((), grad_outputs)`` after the leaf was filled."""
        watch_leaf_order()
        return super().register_hook(fn)

    def register_prehook(self, fn: Callable[[Any], Any]) -> RemovableHandle:
        """Call ``fn(grad_outputs)`` before the leaf is filled."""
        watch_leaf_order()
        return super().register_prehook(fn)

    def register_post_accumulate_grad_hook(self, fn: Callable[[Any], None]) -> RemovableHandle:
        """Call ``fn(variable)`` after the leaf was filled."""
        watch_leaf_order()
        extra = extras_of(self)
        if extra.post_accumulate is None:
            extra.post_accumulate = OrderedDict()
        return enter(extra.post_accumulate, fn)

    def _sequence_nr(self) -> int:
        return _UINT64_MAX

    def apply(self, *grads: Any) -> Any:
        """Accumulate, then run the leaf's post-accumulate hooks."""
        variable = self._variable
        protocols._space.accumulate(variable, grads[0], grad_mode.is_grad_enabled())
        extra = self.extra
        if extra is not None and extra.post_accumulate is not None:
            for hook in tuple(extra.post_accumulate.values()):
                result = hook(variable)
                if result is not None:
                    raise errors.hook_not_value(result)


def accumulate_grad(variable: Any) -> AccumulateGrad:
    """Make the node that fills the ``.grad`` of *variable*."""
    node = AccumulateGrad()
    node.key = next_key()
    node.edges = node.saved = ()
    node.extra = None
    node._variable = variable
    return node


class Error(Node):
    """Raises when a gradient reaches it: for results that must not be differentiated."""

    __slots__ = ("message", "num_outputs")

    takes_undefined = True

    def __init__(self, message: str, edges: tuple[Edge, ...] = ()) -> None:
        self.key = next_key()
        self.edges = edges
        self.saved = ()
        self.extra = None
        self.message = message
        self.num_outputs = 1

    def name(self) -> str:
        """Return torch's full C++ name."""
        return "torch::autograd::Error"

    def apply(self, *grads: Any) -> Any:
        """Raise the message."""
        raise RuntimeError(self.message)
