"""What nodes tell when their tensors were freed, and of the results of nodes further down."""

from __future__ import annotations

import copy
import pickle

import pytest

from tests.contract.programs import collector, run_both

PROGRAMS, program = collector()


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_same_program_same_notes(function):
    """What the program noted under torch it notes under mindtorch."""
    run_both(function, digits=4)


def ones(torch, *shape, **options):
    return torch.ones(*(shape or (2,)), requires_grad=True, **options)


@program
def numbers_stay_when_tensors_are_freed(torch, ns, note):
    a = ones(torch, 2, 3)
    for y, names in (
        (a**3.0, ("self", "exponent")),
        (torch.softmax(a, -1), ("result", "dim")),
        (a.prod(1), ("self", "dim", "keepdim", "result")),
        (torch.nn.functional.layer_norm(a, (3,)), ("normalized_shape", "eps", "input")),
        (a * torch.ones(3), ("other",)),
        (a.max(1)[0], ("indices", "dim", "self_sym_sizes")),
    ):
        node = y.grad_fn
        y.sum().backward()
        for name in names:
            note(lambda node=node, name=name: getattr(node, f"_saved_{name}", "none such"))
        note(lambda node=node: node(torch.ones(())))


@program
def what_is_kept_whole_may_not_change(torch, ns, note):
    index = torch.tensor([[0, 1, 0]])
    for call in (
        lambda t: (t.gather(0, index), t),
        lambda t: (torch.zeros(2, 3).index_add(0, index[0, :2], t), t),
        lambda t: (torch.zeros(2, 3).index_copy(0, index[0, :2], t), t),
        lambda t: (torch.zeros(2, 3).put(index[0, :2], t[0, :2].clone()), None),
    ):
        leaf = ones(torch, 2, 3)
        result, kept = call(leaf * 2)
        if kept is not None:
            kept.add_(1)
        note(lambda result=result: result.sum().backward())
        note(leaf.grad)


def told_below(note, node):
    """Notes the names and results of all nodes of a graph."""
    note([node.name(), [(list(m.shape), str(m.dtype)) for m in node._input_metadata]])
    for below, _ in node.next_functions:
        if below is not None:
            told_below(note, below)


@program
def input_metadata_of_inner_nodes(torch, ns, note):
    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * 2, y.sum()

        @staticmethod
        def backward(ctx, g, h):
            return g, h

    a, w, b = ones(torch, 2, 3), ones(torch, 4, 3), ones(torch, 4)
    y = torch.nn.functional.linear(a * 2, w * 1, b.exp()).relu().double().softmax(-1)
    z = torch.cat([y, y.unbind(0)[0].view(1, 4) + 1]).t()[1:3] * torch.ones(())
    told_below(note, z.max(0)[0].sum().grad_fn)
    x = a.clone()
    x[0].mul_(w[0] * 1)
    told_below(note, x.sum().grad_fn)
    p, q = Fn.apply(a.sin(), w.cos().view(-1))
    told_below(note, (p.sum() * q).grad_fn)


@program
def nodes_for_tests(torch, ns, note):
    functions = torch._C._functions
    a, b = ones(torch), ones(torch) * 2
    note(lambda: functions.DelayedError("boom"))
    note(lambda: functions.DelayedError(1, 2))
    note(lambda: functions.DelayedError("boom", "two"))
    note(lambda: functions.UndefinedGrad(1))
    two = functions.DelayedError("boom", 2)
    note(lambda: two(a))
    note(lambda: two(a, 1))
    first, second = two(b, torch.ones(2))
    note([first.grad_fn.name(), second.requires_grad, first._version])
    first.add_(1)
    note([b, b._version])
    note(lambda: second.sum().backward())
    note(two(torch.ones(1), torch.ones(1))[0].grad_fn)
    stopped = functions.UndefinedGrad()(a)
    note([stopped, stopped.grad_fn.name()])
    told_below(note, stopped.grad_fn)
    seen = []
    a.register_hook(seen.append)
    stopped.sum().backward()
    note([a.grad, seen])
    with torch.no_grad():
        note(functions.UndefinedGrad()(a).requires_grad)
    note(isinstance(b.grad_fn.next_functions[0][0], functions.AccumulateGrad))
    note(str(torch.set_grad_enabled(True)))


@program
def nodes_are_not_copied(torch, ns, note):
    a = ones(torch)
    changed = a.clone()
    changed[:1].mul_(2)
    for node in ((a * 2).grad_fn, (a * 2).grad_fn.next_functions[0][0], changed.grad_fn):
        note([type(node).__module__, type(node).__qualname__])
        for call in (pickle.dumps, copy.copy, copy.deepcopy):
            note(lambda call=call, node=node: call(node))


@program
def what_is_shown_is_neither_set_nor_deleted(torch, ns, note):
    node = (ones(torch) * 2).grad_fn
    for n, name in (
        (node, "next_functions"),
        (node, "metadata"),
        (node, "requires_grad"),
        (node, "name"),
        (node, "none_such"),
        (node.next_functions[0][0], "next_functions"),
        (node.next_functions[0][0], "variable"),
    ):
        note(lambda n=n, name=name: setattr(n, name, 1))
        note(lambda n=n, name=name: delattr(n, name))
