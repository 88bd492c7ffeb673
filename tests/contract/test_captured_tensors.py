"""Inside ``grad``, ``vjp`` and ``jvp``: what was captured is not changed, and how tensors print."""

from __future__ import annotations

import importlib
import warnings

import mindtorch
import pytest
import torch
from mindtorch.call.row import ROWS

from .forward_mode import warm_up
from .programs import collector, run_both
from .rows import error_text, mapped, method_call, report, samples
from .test_rows_inplace import IN_PLACE, in_place_name

PROGRAMS, program = collector()

warm_up()


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_same_program_same_notes(function):
    """What the program noted under torch it notes under mindtorch."""
    run_both(function)


def func(torch):
    return importlib.import_module(f"{torch.__name__}.func")


def refusals(lib, row, call, kind):
    """What an in-place op says inside of a transform of *lib*; *kind*: whom it changes."""
    transforms = func(lib)
    x = lib.ones(())
    copies = mapped(call, lambda t: t.detach().clone())
    rest, given = copies.args[1:], copies.args[0]

    def change(x):
        target = given.clone() if kind == "made inside" else given
        target = target.view_as(target) if kind == "a view" else target
        getattr(target, in_place_name(row))(*rest, **copies.kwargs)
        return x * 1

    runs = (
        lambda: transforms.grad(change)(x),
        lambda: transforms.jvp(change, (x,), (x,)),
        lambda: transforms.vmap(transforms.grad(change), randomness="same")(lib.ones(2)),
    )
    for run in runs if kind == "captured" else runs[:1]:
        try:
            run()
            yield "none"
        except Exception as error:
            yield error_text(error)


#: What torch refuses of all tensors of a level: it asks their wrapper for its storage.
OF_STORAGE = "set_.source_Tensor_storage_offset"


@pytest.mark.parametrize("part", range(8))
def test_in_place_op_of_a_captured_tensor_is_refused(part):
    """Every in-place op, of a captured tensor, a view of one, and one that was made inside."""
    lines = []
    for name in IN_PLACE[part::8]:
        row = ROWS[name]
        pairs = [s for s in samples(row, "float32", most=3) if method_call(s.oracle)][:1]
        kinds = ("captured", "a view", "made inside")
        for sample in pairs:
            for kind in kinds[:2] if name == OF_STORAGE else kinds:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    mine = list(refusals(mindtorch, row, sample.ours, kind))
                    theirs = list(refusals(torch, row, sample.oracle, kind))
                if mine != theirs:
                    lines.append(f"{name} {kind}: {mine}, torch {theirs}")
    report(lines)


def noted(note, torch, make):
    """What each kind of transform makes of the function that *make* gives for a fresh tensor."""
    F = func(torch)
    x = torch.arange(1.0, 4.0)
    for y in (torch.ones(3, requires_grad=True), torch.ones(4)[1:]):
        note(lambda: F.grad(make(y))(x))
        note(lambda: F.vjp(make(y), x)[0])
        note(lambda: F.jvp(make(y), (x,), (x,)))
        note(lambda: F.vmap(F.grad(make(y)))(torch.stack([x, x])))
        note(lambda: F.grad(lambda z: F.vmap(make(y))(z).sum())(torch.stack([x, x])))
        note(lambda: F.grad(lambda z: F.grad(make(y))(z).sum())(x))
        note(lambda: F.grad(lambda z: F.grad(make(z * 1))(x).sum() + z.sum())(x))
        note(y.detach())


def changing(change):
    """A function of a tensor to the function that changes it by *change*."""
    return lambda y: lambda x: (change(y, x), (x * x).sum())[1]


@program
def ways_of_changing(torch, ns, note):
    for change in (
        lambda y, x: y.add_(x),
        lambda y, x: y.__setitem__(0, 5.0),
        lambda y, x: y.__setitem__(slice(0, 2), x[:2]),
        lambda y, x: y.view(-1)[1:].zero_(),
        lambda y, x: y.detach().mul_(2),
        lambda y, x: y.clone().mul_(2),
        lambda y, x: (y * 1).add_(x),
        lambda y, x: torch.zeros(3).add_(x),
        lambda y, x: torch.tensor([1.0, 2.0, 3.0]).copy_(x),
        lambda y, x: torch.zeros(3).__setitem__(slice(None), x),
        lambda y, x: torch.nn.Parameter(torch.zeros(3)).data.fill_(1),
        lambda y, x: torch.zeros(3).data.fill_(1),
        lambda y, x: y.unsqueeze_(0),
        lambda y, x: y.detach_(),
        lambda y, x: y.requires_grad_(),
        lambda y, x: torch.add(x, x, out=torch.empty(3)),
        lambda y, x: torch.nn.functional.relu(y, inplace=True),
    ):
        noted(note, torch, changing(change))


@program
def arguments_may_be_changed(torch, ns, note):
    F = func(torch)
    x, y = torch.arange(1.0, 4.0), torch.ones(3)

    def change(x, y):
        y.add_(1)
        return (x * y).sum()

    note(lambda: F.grad(change)(x, y))
    note(lambda: F.vjp(lambda x: change(x, y), x)[0])
    note(lambda: F.grad(lambda x, pair: change(x, pair["k"][0]))(x, {"k": [y]}))
    note(lambda: F.jvp(lambda x, z: (z.mul_(2), x * z)[1], (x * 1, y * 1), (x, y)))
    note(lambda: F.grad(lambda x: (x.add_(1), x.sum())[1])(x))
    note(lambda: F.grad(lambda x: ((x * 1).add_(1) ** 2).sum())(x))
    note(y)


@program
def tensors_of_a_level_print_as_such(torch, ns, note):
    F = func(torch)
    x, y = torch.arange(1.0, 4.0), torch.ones(2, 2)

    def shown(a):
        for t in (a, a * 2, y, y * 1, torch.zeros(2), a.sum(), a.detach(), [a]):
            note(repr(t))
        return a.sum()

    F.grad(shown)(x)
    F.grad(lambda a: F.grad(lambda b: (note(repr([a, b, a * b])), (a * b).sum())[1])(a).sum())(x)
    F.jvp(shown, (x,), (x,))
    F.vmap(F.grad(shown))(torch.stack([x, x]))
    F.grad(lambda a: F.vmap(shown)(a).sum())(torch.stack([x, x]))
    F.jacrev(shown)(x)
    F.grad(lambda a, b: (note(repr([a, b])), a.sum())[1])(x, y)
    note(repr(x))


def writing(torch):
    """Functions of three numbers that write tensors of their own, or decide by values."""

    def filled(make, write):
        def function(x):
            y = make(x)
            write(y, x)
            return y * 1

        return function

    def zeros(x):
        return torch.zeros(3)

    def loop(x):
        return torch.stack([x[i] ** 2 if x[i] > 1 else x[i] for i in range(3)])

    return [
        filled(zeros, lambda y, x: y.__setitem__(0, x[0] * x[1])),
        filled(zeros, lambda y, x: y.add_(x).mul_(y)),
        filled(torch.zeros_like, lambda y, x: y.copy_(x * x * x)),
        filled(torch.clone, lambda y, x: (y.__setitem__(0, 5.0), y[1:].mul_(x[2]))),
        filled(lambda x: x.new_zeros(3, 3), lambda y, x: y.diagonal().copy_(x)),
        filled(zeros, lambda y, x: y.index_put_((torch.tensor([0, 1]),), x[:2])),
        filled(zeros, lambda y, x: y.index_add_(0, torch.tensor([0, 0, 1]), x)),
        filled(lambda x: torch.ones(2, 3), lambda y, x: y[:, 1].mul_(x[:2])),
        lambda x: x if x.sum() > 0 else -x,
        lambda x: x * int(x.sum().item()),
        loop,
        lambda x: x[x > 1] ** 2,
    ]


@program
def functions_that_write_and_decide(torch, ns, note):
    F = func(torch)
    x = torch.arange(1.0, 4.0)
    for f in writing(torch):
        note(lambda: F.jacfwd(f)(x))
        note(lambda: F.hessian(lambda z: (f(z) ** 2).sum())(x))
        note(lambda: F.jacrev(f)(x))
        note(lambda: F.jvp(f, (x,), (x,)))
        note(lambda: F.vmap(f)(torch.stack([x, x])))
        note(lambda: F.vmap(F.grad(lambda z: f(z).sum()))(torch.stack([x, x])))
    note(lambda: F.jacfwd(lambda z: (loop_of(torch)(z), z), has_aux=True)(x))
    note(lambda: F.jacfwd(lambda z: z * torch.rand(()))(x))


def loop_of(torch):
    return writing(torch)[-2]
