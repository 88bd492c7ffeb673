"""The engine on floats."""

from __future__ import annotations

import gc
import random
import threading
import weakref
from typing import Any

import pytest
from mindtorch_autograd import (
    AccumulateGrad,
    Node,
    Output,
    backward,
    enable_grad,
    engine,
    execute,
    extras_of,
    grad,
    grad_mode,
    graph_task,
    hooks,
    next_key,
    queue_callback,
    watch_leaf_order,
)
from mindtorch_autograd.testing import Var, check_keys

#: A node by which somebody watches.
WATCHED = AccumulateGrad()


def watch(on: bool) -> None:
    """Let somebody watch when leaves are filled, or nobody."""
    hooks.watched_nodes.clear()
    if on:
        watch_leaf_order(WATCHED)


BOTH_LOOPS = pytest.mark.parametrize("watched", [False, True], ids=["plain", "counted"])


class Tap(Node):
    """Passes its gradient to every edge and notes that it ran."""

    __slots__ = ("label", "log")

    def apply(self, *grads: Any) -> Any:
        self.log.append(self.label)
        return grads[0] if len(self._edges_) == 1 else (grads[0],) * len(self._edges_)


def tap(log: list[Any], label: Any, *edges: Any) -> Tap:
    node = Tap()
    node._key_, node._edges_, node._saved_, node._extra_ = next_key(), edges, (), None
    node.log, node.label = log, label
    return node


def test_product_rule() -> None:
    """Both factors of a product get the other one as gradient."""
    x, y = Var(3.0, True), Var(4.0, True)
    (x * y + x).backward()
    assert (x.grad.value, y.grad.value) == (5.0, 3.0)


def test_watching_ends_with_the_graph() -> None:
    """A hook on a leaf costs the longer loop only while a graph lives that leads to the leaf."""
    x = Var(2.0, True)
    y = x * x
    assert not hooks.watched_nodes
    node = next(edge for edge in y.grad_fn._edges_ if edge is not None)
    seen: list[object] = []
    node.register_prehook(lambda grads: seen.append(grads))
    assert len(hooks.watched_nodes) == 1
    y.backward()
    assert len(seen) == 1
    del y, node, x
    assert not hooks.watched_nodes


@BOTH_LOOPS
def test_random_graphs_agree_with_the_chain_rule(watched: bool) -> None:
    """Gradients of random graphs equal those computed by pushing derivatives forward."""
    watch(watched)
    rng = random.Random(1)
    for _ in range(60):
        leaves = [Var(rng.uniform(-1, 1), True) for _ in range(3)]
        pool = [(leaf, [float(i == j) for j in range(3)]) for i, leaf in enumerate(leaves)]
        for _ in range(rng.randint(1, 14)):
            (a, da), (b, db) = rng.choice(pool), rng.choice(pool)
            if rng.random() < 0.5:
                pool.append((a + b, [p + q for p, q in zip(da, db, strict=True)]))
            else:
                slopes = [p * b.value + q * a.value for p, q in zip(da, db, strict=True)]
                pool.append((a * b, slopes))
        out, slopes = pool[-1]
        check_keys(out.edge)
        out.backward()
        got = [0.0 if leaf.grad is None else leaf.grad.value for leaf in leaves]
        assert got == pytest.approx(slopes)


@BOTH_LOOPS
def test_nodes_run_newest_first(watched: bool) -> None:
    """Among the nodes that are ready the one recorded last runs first."""
    watch(watched)
    log: list[Any] = []
    a = tap(log, "a")
    b = tap(log, "b", a)
    c = tap(log, "c", a)
    d = tap(log, "d", b, c, b)
    execute([(d, Var(1.0)), (a, Var(1.0))])
    assert log == ["d", "c", "b", "a"]


@pytest.mark.parametrize("watched", [False, True], ids=["plain", "counted"])
def test_leaf_is_filled_before_older_nodes_run(watched: bool) -> None:
    """A leaf first used late in the forward is filled before the backward reaches older nodes."""
    watch(watched)
    seen: list[Any] = []
    x, w = Var(2.0, True), Var(3.0, True)
    y = x * 1.0
    y.register_hook(lambda g: seen.append(w.grad is not None))
    (y * w).backward()
    assert seen == [True]


@BOTH_LOOPS
def test_a_million_nodes_neither_recurse_nor_leak(watched: bool) -> None:
    """A deep chain is run and freed without recursion."""
    watch(watched)
    n = 1_000_000 if not watched else 100_000
    x = Var(1.0, True)
    node: Node = x.gradient_edge()
    gc.disable()
    try:
        log: list[Any] = []

        class Pass(Node):
            __slots__ = ()

            def apply(self, *grads: Any) -> Any:
                return grads[0]

        for _ in range(n):
            step = Pass()
            step._key_, step._edges_, step._saved_, step._extra_ = next_key(), (node,), (), None
            node = step
        execute([(node, Var(1.0))])
        assert x.grad.value == 1.0
        gone = weakref.ref(node)
        del node, step
        assert gone() is None
        assert log == []
    finally:
        gc.enable()


def test_graph_is_freed_without_the_collector() -> None:
    """No reference cycle keeps a node alive."""
    gc.disable()
    try:
        x = Var(1.0, True)
        y = x * x
        gone = weakref.ref(y.grad_fn)
        y.backward()
        del y
        assert gone() is None
        assert x._accumulator() is None
    finally:
        gc.enable()


def test_second_backward_raises() -> None:
    """Saved values are freed by the first backward."""
    x = Var(1.0, True)
    y = x * x
    y.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()


def test_node_that_saved_nothing_runs_again() -> None:
    """Only nodes with saved values mind a second backward."""
    x = Var(1.0, True)
    y = x + 1.0
    y.backward()
    y.backward()
    assert x.grad.value == 2.0


def test_retained_graph_runs_again() -> None:
    """retain_graph keeps the saved values."""
    x = Var(3.0, True)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.value == 12.0


def test_second_derivative() -> None:
    """create_graph records the backward."""
    x = Var(3.0, True)
    (first,) = grad(x * x * x, x, create_graph=True)
    (second,) = grad(first, x)
    assert (first.value, second.value) == (27.0, 18.0)


def test_backward_records_nothing_by_default() -> None:
    """Without create_graph the gradient is a constant, whatever the caller's mode."""
    x = Var(3.0, True)
    (first,) = grad(x * x, x)
    assert not first.requires_grad


def test_grad_runs_only_what_leads_to_its_inputs() -> None:
    """Other branches are not run, and no .grad changes."""
    x, w = Var(2.0, True), Var(5.0, True)
    seen: list[Any] = []
    side = w * 1.0
    side.register_hook(seen.append)
    (g,) = grad(x * x + side, x)
    assert g.value == 4.0
    assert seen == []
    assert x.grad is None


def test_backward_with_inputs_fills_only_those() -> None:
    """inputs= restricts accumulation; a result among them retains its gradient."""
    x, w = Var(2.0, True), Var(5.0, True)
    y = x * w
    backward(y * y, inputs=[w, y])
    assert w.grad.value == 2 * 10.0 * 2.0
    assert y.grad.value == 20.0
    assert x.grad is None


def test_captured_gradient_of_a_value_that_runs_on_lacks_its_hooks() -> None:
    """As in torch: hooks run before the capture only where nothing behind the value is needed."""
    x = Var(1.0, True)
    y = x * 2.0
    y.register_hook(lambda g: g * 10.0)
    gx, gy = grad(y + 0.0, (x, y), retain_graph=True)
    assert (gx.value, gy.value) == (20.0, 1.0)
    (gy,) = grad(y + 0.0, y)
    assert gy.value == 10.0


def test_exception_leaves_no_state() -> None:
    """After a node raised, mode and current task are as before and the graph runs again."""
    x = Var(2.0, True)
    y = x * 1.0
    handle = y.register_hook(lambda g: 1 / 0)
    z = y + y
    with pytest.raises(ZeroDivisionError):
        z.backward()
    assert grad_mode.is_grad_enabled()
    assert graph_task.current_graph_task() is None
    handle.remove()
    z.backward()
    assert x.grad.value == 2.0


class Split(Node):
    """Has two results."""

    __slots__ = ("_num_outputs_",)

    def apply(self, *grads: Any) -> Any:
        a, b = grads
        if a is None or b is None:
            return b if a is None else a
        return a + b * 10.0


@BOTH_LOOPS
def test_results_of_one_node_are_told_apart(watched: bool) -> None:
    """Each Output files its gradient under its number; unused ones stay None."""
    watch(watched)
    for used, want in (((0,), 1.0), ((1,), 10.0), ((0, 1), 11.0)):
        x = Var(1.0, True)
        node = Split()
        node._key_, node._edges_, node._saved_, node._extra_ = (
            next_key(),
            (x.gradient_edge(),),
            (),
            None,
        )
        node._num_outputs_ = 2
        total = Var(0.0)
        for nr in used:
            part = Var(1.0)
            part.edge = Output(node, nr)
            assert part.grad_fn is node
            total = total + part
        assert total.grad_fn.next_functions[-1] == (node, used[-1]) or used == (0, 1)
        total.backward()
        assert x.grad.value == (want if used != (1,) else 1.0)


@BOTH_LOOPS
def test_undefined_gradient_travels_and_leaves_the_leaf_alone(watched: bool) -> None:
    """None reaches hooks, no formula, and does not fill .grad."""
    watch(watched)
    x = Var(1.0, True)
    y = x * 2.0
    seen: list[Any] = []
    y.register_hook(seen.append)

    class Nothing(Node):
        __slots__ = ()

        def apply(self, *grads: Any) -> Any:
            return None

    node = Nothing()
    node._key_, node._edges_, node._saved_, node._extra_ = next_key(), (y.edge,), (), None
    execute([(node, Var(1.0))])
    assert seen == [None]
    assert x.grad is None


def test_reentrant_backward() -> None:
    """A hook may run another backward, to any depth."""
    depth = 400
    leaf = Var(1.0, True)

    def step(n: int) -> Any:
        def hook(g: Any) -> None:
            if n:
                with enable_grad():
                    y = leaf * 1.0
                y.register_hook(step(n - 1))
                y.backward()

        return hook

    y = leaf * 1.0
    y.register_hook(step(depth))
    y.backward()
    assert leaf.grad.value == depth + 1
    assert graph_task.current_graph_task() is None


def test_threads_share_a_graph() -> None:
    """Backwards of several threads over one retained graph do not disturb each other."""
    x = Var(1.0, True)
    y = x
    for _ in range(300):
        y = y * 1.0
    got: list[float] = []

    def work() -> None:
        for _ in range(5):
            (g,) = grad(y, x, retain_graph=True)
            got.append(g.value)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert got == [1.0] * 20


def test_callbacks_run_at_the_end_and_only_inside() -> None:
    """queue_callback is refused outside a backward; queued ones may queue more."""
    with pytest.raises(RuntimeError, match="Final callbacks can only be installed during"):
        queue_callback(print)
    x = Var(1.0, True)
    order: list[str] = []
    y = x * 1.0

    def last() -> None:
        order.append("last")

    def first() -> None:
        order.append("filled" if x.grad is not None else "empty")
        queue_callback(last)

    y.register_hook(lambda g: queue_callback(first))
    y.backward()
    assert order == ["filled", "last"]


def test_accumulator_shows_torchs_name_and_sequence_number() -> None:
    """What users print of a leaf's node."""
    x = Var(1.0, True)
    node = (x * 2.0).grad_fn
    leaf = node.next_functions[0][0]
    assert isinstance(leaf, AccumulateGrad)
    assert node.next_functions == ((leaf, 0), (None, 0))
    assert leaf.variable is x
    assert leaf._sequence_nr() == 2**64 - 1
    assert leaf.name() == "torch::autograd::AccumulateGrad"
    assert repr(leaf).startswith("<AccumulateGrad object at 0x")


def test_calling_a_node_runs_its_formula() -> None:
    """grad_fn(g) gives the gradients of the inputs, hooks aside."""
    x = Var(3.0, True)
    node = (x * 2.0).grad_fn
    a, b = node(Var(1.0))
    assert (a.value, b.value) == (2.0, 3.0)
    with pytest.raises(TypeError, match="expected 1 arguments, got 0 instead"):
        node()


def test_invalid_gradient_names_node_and_index() -> None:
    """metas make the engine check what a formula returns."""
    x = Var(1.0, True)
    y = x * float("inf")
    extras_of(y.grad_fn).metas = ("float", None)
    with pytest.raises(RuntimeError, match=r"Function MulBackward0 returned an invalid gradient"):
        y.backward()


def test_will_execute_knows_the_graph() -> None:
    """Inside a backward one may ask whether a node takes part."""
    x, other = Var(1.0, True), Var(1.0, True)
    y = x * 1.0
    answers: list[bool] = []
    edges = x.gradient_edge(), other.gradient_edge()
    y.register_hook(lambda g: answers.extend(engine.will_execute(e) for e in edges))
    y.backward()
    assert answers == [True, False]
