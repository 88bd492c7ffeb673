"""``torch.autograd.functional``: values, graphs, strict mode, ways, refusals."""

from __future__ import annotations

import importlib

from tests.contract.forward_mode import warm_up
from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


warm_up()

WAYS = (
    {},
    {"create_graph": True},
    {"strict": True},
    {"strict": True, "create_graph": True},
)


def module(torch):
    return importlib.import_module(f"{torch.__name__}.autograd.functional")


def functions(torch):
    """Functions of one and of two tensors, with one and with two results, some constant."""
    return {
        "square": (lambda a: a * a, 1),
        "cube": (lambda a: (a**3).sum(), 1),
        "pair": (lambda a: (a * a, a.sum()), 1),
        "two": (lambda a, b: a * b.sum(), 2),
        "both": (lambda a, b: ((a * a).sum() * b, a), 2),
        "scalar2": (lambda a, b: (a * a * b.sum()).sum(), 2),
        "linear": (lambda a: a.sum() * 2, 1),
        "constant": (lambda a: torch.ones(()), 1),
        "partly": (lambda a, b: (a * a).sum(), 2),
        "number": (lambda a: 3, 1),
        "list": (lambda a: [a], 1),
    }


def inputs(torch, count, grad=False):
    x = torch.arange(1.0, 4.0, requires_grad=grad)
    y = torch.tensor([1.0, 2.0], requires_grad=grad)
    return x if count == 1 else (x, y)


def summary(value):
    if isinstance(value, (tuple, list)):
        return [type(value).__name__] + [summary(v) for v in value]
    return (value.detach().tolist(), value.requires_grad, tuple(value.stride()))


def compared(torch, note, name, vectors, **options):
    f = getattr(module(torch), name)
    forward = "forward-mode" in options.values()
    for label, (function, count) in functions(torch).items():
        if forward and label in ("linear", "partly", "constant"):
            continue  # only whether zeros are expanded, or require gradients, differs
        for grad in (False, True):
            xs = inputs(torch, count, grad)
            note(label)
            note(lambda: summary(f(function, xs, *vectors(torch, label, count), **options)))


def no_vector(torch, label, count):
    return ()


def like_inputs(torch, label, count):
    return ((torch.ones(3), torch.full((2,), 2.0)) if count == 2 else torch.full((3,), 2.0),)


def like_outputs(torch, label, count):
    made = {
        "square": torch.full((3,), 2.0),
        "pair": (torch.ones(3), torch.tensor(2.0)),
        "two": torch.ones(3),
        "both": (torch.ones(2), torch.full((3,), 2.0)),
    }
    return (made.get(label, torch.tensor(2.0)),)


@program
def vjp(torch, ns, note):
    for options in WAYS:
        compared(torch, note, "vjp", like_outputs, **options)
    compared(torch, note, "vjp", no_vector)
    compared(torch, note, "vjp", like_inputs)


@program
def jvp(torch, ns, note):
    for options in WAYS:
        compared(torch, note, "jvp", like_inputs, **options)
    compared(torch, note, "jvp", no_vector)
    compared(torch, note, "jvp", like_outputs)


@program
def vhp_and_hvp(torch, ns, note):
    for name in ("vhp", "hvp"):
        for options in WAYS:
            compared(torch, note, name, like_inputs, **options)
        compared(torch, note, name, no_vector)


@program
def jacobian(torch, ns, note):
    for options in (
        {},
        {"create_graph": True},
        {"strict": True},
        {"strict": True, "create_graph": True},
        {"vectorize": True},
        {"vectorize": True, "create_graph": True},
        {"vectorize": True, "strict": True},
        {"vectorize": True, "strategy": "forward-mode"},
        {"strategy": "forward-mode"},
        {"strategy": "forward-mode", "create_graph": True},
        {"strategy": "forward-mode", "strict": True},
        {"strategy": "sideways"},
    ):
        compared(torch, note, "jacobian", no_vector, **options)


@program
def hessian(torch, ns, note):
    for options in (
        {},
        {"create_graph": True},
        {"strict": True},
        {"vectorize": True},
        {"vectorize": True, "outer_jacobian_strategy": "forward-mode"},
        {"outer_jacobian_strategy": "forward-mode"},
        {"outer_jacobian_strategy": "sideways"},
    ):
        compared(torch, note, "hessian", no_vector, **options)
    f = module(torch)
    note(lambda: f.hessian(lambda a: a.sum(), 3))
    note(lambda: f.jacobian(lambda a: a.sum(), (3,)))
    with torch.no_grad():
        note(f.jacobian(lambda a: a * a, torch.ones(2)))
        note(f.hessian(lambda a: (a**3).sum(), torch.ones(2)))
