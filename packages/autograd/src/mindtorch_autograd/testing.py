"""For tests: a value that is one plain float, its space, and the contract any space must keep.

``Var`` is also the smallest complete example of values of one's own in this autograd.
"""

from __future__ import annotations

import math
import weakref
from collections import OrderedDict
from typing import Any, ClassVar

from mindtorch_autograd import errors, grad_mode
from mindtorch_autograd.backward import backward
from mindtorch_autograd.engine import execute
from mindtorch_autograd.hooks import RemovableHandle
from mindtorch_autograd.node import (
    AccumulateGrad,
    Edge,
    Node,
    accumulate_grad,
    enter,
    extras_of,
    next_key,
    unwrap,
)
from mindtorch_autograd.saved_variable import SavedVariable, VersionCounter

__all__ = ["FloatSpace", "SpaceContract", "Var", "check_keys"]


def check_keys(root: Node) -> None:
    """Raise AssertionError if a node below *root* has a key not smaller than one it points to.

    For the tests of whoever makes nodes: see Note [Keys] in ``node.py``.
    """
    seen = {root}
    stack = [root]
    while stack:
        node = stack.pop()
        for edge in node._edges_:
            if edge is not None:
                assert node._key_ < edge._key_, f"{node} was numbered before {edge} was made"
                if edge not in seen:
                    seen.add(edge)
                    stack.append(edge)


class Var:
    """A float that remembers how it was made."""

    def __init__(self, value: float, requires_grad: bool = False) -> None:
        self.value = float(value)
        self.grad: Var | None = None
        self.edge: Edge = None
        self.is_leaf_requiring_grad = requires_grad
        self.counter = VersionCounter()
        self._accumulator: weakref.ref[AccumulateGrad] | None = None

    def __repr__(self) -> str:
        return f"Var({self.value})"

    @property
    def requires_grad(self) -> bool:
        """Whether gradients flow here."""
        return self.is_leaf_requiring_grad or self.edge is not None

    @property
    def grad_fn(self) -> Node | None:
        """The node that made this value."""
        return unwrap(self.edge)[0]

    def gradient_edge(self) -> Edge:
        """Where gradients go; a leaf keeps its node weakly, since the node keeps the leaf."""
        if not self.is_leaf_requiring_grad or self.edge is not None:
            return self.edge
        node = None if self._accumulator is None else self._accumulator()
        if node is None:
            node = accumulate_grad(self)
            self._accumulator = weakref.ref(node)
        return node

    def __add__(self, other: Var | float) -> Var:
        other = other if isinstance(other, Var) else Var(other)
        return _record(_Add, (), self.value + other.value, self, other)

    def __sub__(self, other: Var) -> Var:
        return self + other * -1.0

    def __mul__(self, other: Var | float) -> Var:
        other = other if isinstance(other, Var) else Var(other)
        return _record(_Mul, (self, other), self.value * other.value, self, other)

    __radd__ = __add__
    __rmul__ = __mul__

    def add_(self, amount: float) -> Var:
        """Change the value in place; gradients pass through unchanged."""
        self.value += amount
        self.counter.value += 1
        return self

    def register_hook(self, hook: Any) -> RemovableHandle:
        """Call *hook* with the gradient that arrives here."""
        edge = self.gradient_edge()
        if edge is None:
            raise errors.hook_on_constant()
        extra = extras_of(edge)
        if extra.tensor_hooks is None:
            extra.tensor_hooks = OrderedDict()
        return enter(extra.tensor_hooks, hook)

    def register_post_accumulate_grad_hook(self, hook: Any) -> RemovableHandle:
        """Call *hook* with this leaf after its ``.grad`` was filled."""
        if self.edge is not None:
            raise errors.post_accumulate_on_result()
        edge = self.gradient_edge()
        if not isinstance(edge, AccumulateGrad):
            raise errors.hook_on_constant()
        return edge.register_post_accumulate_grad_hook(hook)

    def backward(self, grad: Var | None = None, **kwargs: Any) -> None:
        """Run the engine from here."""
        backward(self, grad, **kwargs)


def _record(cls: type[Node], saved: tuple[Var, ...], value: float, *inputs: Var) -> Var:
    out = Var(value)
    if grad_mode.state.get() & 1 and any(x.requires_grad for x in inputs):
        node = cls()
        node._edges_ = tuple([x.gradient_edge() for x in inputs])
        node._key_ = next_key()  # after the edges, which may have made nodes
        node._saved_ = tuple([SavedVariable(x) for x in saved])
        node._extra_ = None
        out.edge = node
    return out


class _Add(Node):
    __slots__ = ()

    def name(self) -> str:
        return "AddBackward0"

    def apply(self, *grads: Any) -> Any:
        return grads[0], grads[0]


class _Mul(Node):
    __slots__ = ()

    def name(self) -> str:
        return "MulBackward0"

    def apply(self, *grads: Any) -> Any:
        a, b = self._saved_
        return grads[0] * b.unpack(self), grads[0] * a.unpack(self)


class FloatSpace:
    """The space of :class:`Var`."""

    #: Metadata of every value: there is nothing to say about a float.
    scalar: ClassVar[str] = "float"

    def add(self, a: Var, b: Var) -> Var:
        """Sum two gradients."""
        return a + b

    def add_to(self, total: Var, grad: Var) -> Var:
        """Add to a sum that the engine made."""
        if total.grad_fn is None:
            total.add_(grad.value)
            return total
        return total + grad

    def accumulate(self, variable: Var, grad: Var, create_graph: bool) -> None:
        """Add to ``variable.grad``."""
        if variable.grad is None:
            variable.grad = grad if create_graph else self.detach(grad)
        elif create_graph:
            variable.grad = variable.grad + grad
        else:
            variable.grad.add_(grad.value)

    def difference(self, before: Var, after: Var) -> str | None:
        """Floats never differ in kind."""
        return None

    def conform(self, grad: Any, metadata: Any, node: Node, index: int) -> Any:
        """Refuse infinity, so that the check can be tested."""
        if math.isinf(grad.value):
            raise errors.invalid_gradient(node.name(), index, f"got {grad.value}")
        return grad

    def describe(self, x: Var) -> Any:
        """Return the only metadata there is."""
        return self.scalar

    def input_metadata(self, node: Node) -> tuple[Any, ...]:
        """Return what was noted."""
        extra = node._extra_
        return () if extra is None else extra.input_metadata or ()

    def pass_metadata(self, node: Node) -> None:
        """Do nothing: what is known is noted when it is asked for."""

    def claim(self, grad: Any) -> Any:
        """Do nothing: no memory is taken over."""

    def zeros(self, metadata: Any) -> Var:
        """Return 0."""
        return Var(0.0)

    value_class = Var

    def zeros_like(self, x: Any, requires_grad: bool) -> Var:
        """Return 0."""
        return Var(0.0, requires_grad)

    def survey(self, args: tuple[Any, ...]) -> tuple[tuple[bool, ...], tuple[bool, ...], bool]:
        """Look at the arguments of a Function; floats know no transforms."""
        is_value = tuple([isinstance(a, Var) for a in args])
        return is_value, tuple([v and a.requires_grad for a, v in zip(args, is_value)]), False

    def apply_outside(self, function: Any, args: tuple[Any, ...]) -> Any:
        """Raise NotImplementedError: :meth:`survey` never asks for it."""
        raise NotImplementedError("floats know no transforms")

    def enter(self, args: tuple[Any, ...]) -> tuple[tuple[Edge, ...], tuple[Any, ...]]:
        """Return the edges of the values."""
        edges = tuple([a.gradient_edge() for a in args if isinstance(a, Var)])
        return edges, tuple([None if e is None else self.scalar for e in edges])

    def adopt(self, output: Any, args: tuple[Any, ...], node: Node) -> tuple[Any, ...] | None:
        """Make *output* the result of *node*, if it is a fresh value."""
        if not self.is_fresh(output, args):
            return None
        output.edge = node
        return (self.scalar,)

    def is_fresh(self, x: Any, args: tuple[Any, ...]) -> bool:
        """Say whether *x* is a Var without history and none of *args*."""
        return isinstance(x, Var) and not x.requires_grad and all(x is not a for a in args)

    def hand_out(self, x: Var, edge: Edge, many: bool, pure: bool = False) -> None:
        """Make *x* the result of *edge*."""
        x.edge = edge

    def made_inside(self, x: Var) -> None:
        """Nothing: there are no views."""

    def forget_history(self, x: Var) -> None:
        """Make *x* a constant."""
        x.edge, x.is_leaf_requiring_grad = None, False

    def check_dirty(self, x: Var, alone: bool) -> None:
        """Refuse a leaf."""
        if x.is_leaf_requiring_grad and x.edge is None:
            raise errors.leaf_in_place()

    def count_change(self, x: Var) -> None:
        """Count a change in place."""
        x.counter.value += 1

    def make_views_stale(self, x: Var) -> None:
        """Do nothing: there are no views."""

    def is_view(self, x: Var) -> bool:
        """No float is a part of another."""
        return False

    def is_value(self, x: Any) -> bool:
        """Say whether *x* is a Var."""
        return isinstance(x, Var)

    def requires_grad(self, x: Var) -> bool:
        """Say whether gradients flow to *x*."""
        return x.requires_grad

    def edge(self, x: Var) -> Edge:
        """Return where gradients of *x* go."""
        return x.gradient_edge()

    def grad_fn(self, x: Var) -> Edge:
        """Return the edge of a result."""
        return x.edge

    def set_history(self, x: Var, edge: Edge) -> None:
        """Make *x* the result of *edge*."""
        x.edge = edge

    def retain_grad(self, x: Var) -> None:
        """Fill ``x.grad`` in a backward."""

        def keep(grad: Var) -> None:
            x.grad = grad

        edge = x.edge
        assert edge is not None
        extras_of(edge).retain_hook = keep

    def detach(self, x: Var) -> Var:
        """Return the same number without history."""
        out = Var(x.value)
        out.counter = x.counter
        return out

    def view(self, x: Var) -> Var:
        """Return an alias."""
        out = self.detach(x)
        out.edge = x.edge if x.edge is not None else None
        return out

    def version(self, x: Var) -> int:
        """Return how often *x* was changed."""
        return x.counter.value

    def watched(self) -> bool:
        """Nobody watches floats."""
        return False

    def differentiable(self, x: Var) -> bool:
        """All floats are."""
        return True

    def register_hook(self, x: Var, hook: Any) -> RemovableHandle:
        """Put *hook* on the gradient of *x*."""
        return x.register_hook(hook)

    def check_root(self, x: Any, grad: Any, is_grads_batched: bool) -> Var:
        """Every float is a scalar."""
        if grad is None:
            return Var(1.0)
        if not isinstance(grad, Var):
            raise errors.grad_wrong_type(type(grad).__name__)
        return grad

    def over_batch(self, run: Any, seeds: Any) -> Any:
        """Raise NotImplementedError: a float holds no batch."""
        raise NotImplementedError("floats come one by one: is_grads_batched is not available")

    def type_text(self, x: Var) -> str:
        """Name *x* in a message."""
        return "float"

    def has_nan(self, x: Var) -> bool:
        """Say whether *x* is NaN."""
        return math.isnan(x.value)

    def numbers(self, x: Var) -> list[float]:
        """Return the elements of *x* (for ``gradcheck``)."""
        return [x.value]

    def like(self, x: Var, numbers: list[float], requires_grad: bool = False) -> Var:
        """Return a leaf like *x* with another number (for ``gradcheck``)."""
        return Var(numbers[0], requires_grad)


class SpaceContract:
    """What every :class:`~mindtorch_autograd.protocols.Space` must do; inherit it in a test class.

    Give ``space`` and ``value(number, requires_grad)``, which makes a value of one element.
    """

    space: ClassVar[Any]

    def value(self, number: float, requires_grad: bool = False) -> Any:
        """Make a value."""
        raise NotImplementedError

    def number(self, x: Any) -> float:
        """Read the value made by :meth:`value`."""
        raise NotImplementedError

    def test_add_changes_neither_argument(self) -> None:
        """``add`` gives a new value."""
        a, b = self.value(1.0), self.value(2.0)
        assert self.number(self.space.add(a, b)) == 3.0
        assert (self.number(a), self.number(b)) == (1.0, 2.0)

    def test_add_to_changes_no_gradient(self) -> None:
        """``add_to`` may change the sum it is given, but not what is added."""
        a, b, c = self.value(1.0), self.value(2.0), self.value(4.0)
        assert self.number(self.space.add_to(self.space.add(a, b), c)) == 7.0
        assert (self.number(a), self.number(b), self.number(c)) == (1.0, 2.0, 4.0)

    def test_leaf_has_one_accumulator_while_it_is_used(self) -> None:
        """Two asks for the edge of a leaf give the same node."""
        x = self.value(1.0, requires_grad=True)
        edge = self.space.edge(x)
        assert isinstance(edge, AccumulateGrad)
        assert edge.variable is x
        assert self.space.edge(x) is edge
        assert self.space.grad_fn(x) is None

    def test_constant_has_no_edge(self) -> None:
        """A value that needs no gradient has no edge."""
        x = self.value(1.0)
        assert self.space.edge(x) is None
        assert not self.space.requires_grad(x)

    def test_accumulate_adds_to_what_is_there(self) -> None:
        """The second gradient is added to the first, and gradients given are left alone."""
        x = self.value(1.0, requires_grad=True)
        first, second = self.value(2.0), self.value(3.0)
        self.space.accumulate(x, first, False)
        self.space.accumulate(x, second, False)
        assert self.number(x.grad) == 5.0
        assert self.number(second) == 3.0

    def test_detached_value_shares_the_version(self) -> None:
        """A change of the value shows in the version of what was detached from it."""
        x = self.value(1.0)
        alias = self.space.detach(x)
        x.add_(1.0)
        assert self.space.version(alias) == self.space.version(x) == 1

    def test_history_makes_a_result(self) -> None:
        """``set_history`` gives a value its edge."""
        leaf = self.value(1.0, requires_grad=True)
        edge = self.space.edge(leaf)
        x = self.value(1.0)
        self.space.set_history(x, edge)
        assert self.space.requires_grad(x)
        assert self.space.edge(x) is edge

    def test_zeros_of_description(self) -> None:
        """``zeros(describe(x))`` is a zero like *x*."""
        assert self.number(self.space.zeros(self.space.describe(self.value(7.0)))) == 0.0

    def test_engine_reaches_a_leaf(self) -> None:
        """The engine fills ``.grad`` through this space."""
        x = self.value(2.0, requires_grad=True)
        y = x * x
        execute([(self.space.edge(y), self.space.check_root(y, None, False))])
        assert self.number(x.grad) == 4.0
