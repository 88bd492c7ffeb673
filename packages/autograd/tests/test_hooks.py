"""Hooks on values, nodes and leaves."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest
from mindtorch_autograd import RemovableHandle, register_multi_grad_hook
from mindtorch_autograd.testing import FloatSpace, Var


def test_value_hook_replaces_the_gradient() -> None:
    """What a hook returns goes on; None leaves the gradient."""
    x = Var(1.0, True)
    y = x * 2.0
    y.register_hook(lambda g: g * 3.0)
    y.register_hook(lambda g: None)
    y.backward()
    assert x.grad.value == 6.0


def test_leaf_hook_runs_once_on_the_sum() -> None:
    """The hook of a leaf sees the summed gradient."""
    x = Var(1.0, True)
    seen: list[float] = []
    y = x * 2.0 + x
    x.register_hook(lambda g: seen.append(g.value))
    y.backward()
    assert seen == [3.0]


def test_order_of_hooks_around_a_node() -> None:
    """Value hooks, then prehooks, then the node, then its hooks."""
    x = Var(5.0, True)
    y = x * 2.0
    log: list[Any] = []
    y.grad_fn.register_prehook(lambda gs: log.append(("pre", gs[0].value)))
    y.grad_fn.register_hook(lambda i, o: log.append(("post", i[0].value, o[0].value)))
    y.register_hook(lambda g: log.append(("value", g.value)) or g * 2.0)
    y.backward()
    assert log == [("value", 1.0), ("pre", 2.0), ("post", 4.0, 2.0)]


def test_retained_gradient_comes_after_all_value_hooks(float_space: FloatSpace) -> None:
    """retain_grad sees the outcome of the hooks, also of those registered later."""
    x = Var(5.0, True)
    y = x * 2.0
    float_space.retain_grad(y)
    y.register_hook(lambda g: g * 7.0)
    y.backward()
    assert y.grad.value == 7.0


def test_node_hooks_replace_gradients() -> None:
    """A tuple from a prehook or hook replaces the gradients."""
    x = Var(5.0, True)
    y = x * 2.0
    y.grad_fn.register_prehook(lambda gs: (gs[0] * 10.0,))
    y.grad_fn.register_hook(lambda i, o: (i[0] + 1.0, i[1]))
    y.backward()
    assert x.grad.value == 21.0


def named(result: Any) -> Any:
    return lambda *args: result


ONE = Var(1.0)


@pytest.mark.parametrize(
    ("kind", "result", "error", "text"),
    [
        ("value", 3, TypeError, "expected Variable, but hook returned 'int'"),
        ("pre", 3, TypeError, "expected tuple, but hook returned 'int'"),
        ("pre", ONE, TypeError, "expected tuple, but hook returned 'Var'"),
        (
            "pre",
            (ONE, ONE),
            RuntimeError,
            "hook '<lambda>' has returned an incorrect number of values (got 2, but expected 1)",
        ),
        ("post", (ONE, 1), TypeError, "expected Variable, but hook returned 'int'"),
        ("filled", 3, TypeError, "expected Variable, but hook returned 'int'"),
    ],
)
def test_hook_results_are_checked(kind: str, result: Any, error: Any, text: str) -> None:
    """torch's type and text for what a hook must not return."""
    x = Var(5.0, True)
    y = x * Var(2.0, True)
    hook = named(result)
    if kind == "value":
        y.register_hook(hook)
    elif kind == "pre":
        y.grad_fn.register_prehook(hook)
    elif kind == "post":
        y.grad_fn.register_hook(hook)
    else:
        x.gradient_edge().register_post_accumulate_grad_hook(hook)
    with pytest.raises(error) as caught:
        y.backward()
    assert str(caught.value) == text


def test_hook_must_not_define_an_undefined_gradient() -> None:
    """None stays None."""
    x = Var(5.0, True)
    y = x * 2.0
    y.grad_fn._edges_ = (y.grad_fn._edges_[0], None)
    y.grad_fn.register_hook(lambda i, o: (None, None))
    y.grad_fn.register_hook(lambda i, o: (ONE, None))
    with pytest.raises(RuntimeError, match="can't replace a None gradient with a non-None value"):
        y.backward()


def test_leaf_hooks_after_accumulation_see_the_filled_grad() -> None:
    """Post-accumulate hooks get the leaf; the leaf is filled as soon as it is complete."""
    x, w = Var(5.0, True), Var(2.0, True)
    edge = w.gradient_edge()
    log: list[Any] = []
    edge.register_post_accumulate_grad_hook(lambda v: log.append(("w", v.grad.value)))
    y = x * 3.0
    y.register_hook(lambda g: log.append("older node"))
    (y * w).backward()
    assert log == [("w", 15.0), "older node"]


def test_removed_hook_is_silent() -> None:
    """remove() takes a hook off, twice is fine, and a context manager does it too."""
    x = Var(5.0, True)
    y = x * 2.0
    seen: list[Any] = []
    handle = y.register_hook(seen.append)
    handle.remove()
    handle.remove()
    with y.register_hook(seen.append):
        pass
    y.backward()
    assert seen == []


def test_handle_ids_are_unique_and_dictionaries_weak() -> None:
    """A handle does not keep the dictionary of hooks alive."""
    hooks: Any = OrderedDict()
    extra: Any = OrderedDict()
    a, b = RemovableHandle(hooks), RemovableHandle(hooks, extra_dict=extra)
    assert a.id != b.id
    hooks[b.id] = extra[b.id] = print
    b.remove()
    assert not hooks
    assert not extra
    del hooks
    a.remove()


def test_multi_hook_waits_for_all() -> None:
    """mode="all": one call, with None for values that take no part."""
    x, y, idle = Var(1.0, True), Var(2.0, True), Var(3.0, True)
    got: list[Any] = []
    handle = register_multi_grad_hook((x, idle, y), got.append)
    keep = [v.gradient_edge() for v in (x, y, idle)]
    register_keep = (x * y, keep)
    register_keep[0].backward()
    assert [[g and g.value for g in call] for call in got] == [[2.0, None, 1.0]]
    handle.remove()


def test_multi_hook_any_runs_once_per_backward() -> None:
    """mode="any": only the first gradient."""
    x = Var(1.0, True)
    a, b = x * 2.0, x * 3.0
    got: list[Any] = []
    register_multi_grad_hook((a, b), got.append, mode="any")
    (a + b).backward()
    assert len(got) == 1
    with pytest.raises(ValueError, match=r"Expects mode to be one of \('all', 'any'\) but got x"):
        register_multi_grad_hook((a,), print, mode="x")
