"""Kernels of ``torch.library``'s ops: devices, results, changed arguments, fake ones."""

from __future__ import annotations

import mindtorch

from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


def made(torch, ns, name, body, schema, changes=(), **options):
    """``ns::name`` of this schema."""
    name = f"{ns}::{name}"
    return torch.library.custom_op(name, body, mutates_args=changes, schema=schema, **options)


@program
def kernels_replace_each_other(torch, ns, note):
    library, x = torch.library, torch.ones(2)
    op = made(torch, ns, "k", lambda x: x * 2, "(Tensor x) -> Tensor", device_types="cpu")
    note(lambda: op(x))
    note(lambda: op(x.to("meta")))
    for register in (
        lambda fn: op.register_kernel("cpu")(fn),
        lambda fn: library.register_kernel(op, "cpu", fn),
        lambda fn: library.register_kernel(f"{ns}::k", ["cpu", "cuda"], fn),
        lambda fn: library.register_kernel(f"{ns}::none", "cpu", fn),
        lambda fn: op.register_kernel("foo")(fn),
        lambda fn: op.register_kernel(5)(fn),
        lambda fn: library.impl(f"{ns}::k", "cpu", fn),
        lambda fn: made(torch, ns, "bad", fn, "(Tensor x) -> Tensor", device_types="blah"),
    ):
        note(lambda register=register: register(lambda x: x * 3) and None)
        note(lambda: op(x))

    def raising(x):
        raise ValueError("mine")

    op.register_kernel("cpu")(raising)
    note(lambda: op(x))
    note(lambda: op(x.clone().requires_grad_()))


@program
def what_kernels_return(torch, ns, note):
    bodies = {
        "Tensor": (lambda x: 5, lambda x: None, lambda x: [x], lambda x: x, lambda x: x.clone()),
        "(Tensor, Tensor)": (
            lambda x: (x * 2,),
            lambda x: [x * 2, x * 3],
            lambda x: x * 2,
            lambda x: 3,
        ),
        "Tensor[]": (
            lambda x: [x * 2, 3],
            lambda x: (x * 2, x * 3),
            lambda x: [],
            lambda x: x * 2,
        ),
        "int": (lambda x: 3, lambda x: 2.5, lambda x: True),
        "float": (lambda x: 3, lambda x: "a"),
        "()": (lambda x: None, lambda x: x * 2),
    }
    for i, (returns, several) in enumerate(bodies.items()):
        for j, body in enumerate(several):
            op = made(torch, ns, f"f{i}_{j}", body, f"(Tensor x) -> {returns}")
            note(lambda op=op: op(torch.ones(2)))
            if returns[0] in "T(" and returns != "()":
                note(lambda op=op: op(torch.ones(2, requires_grad=True)))


@program
def arguments_that_are_changed(torch, ns, note):
    op = made(torch, ns, "one", lambda x: (x.add_(1), None)[1], "(Tensor(a!) x) -> ()", ["x"])
    whole = torch.ones(4)
    for x in (torch.ones(2), whole[:2], torch.ones(2, requires_grad=True)):
        note(lambda x=x: op(x))
        note([x, x._version, whole._version])
    mid = torch.ones(2, requires_grad=True) * 1
    square = (mid * mid).sum()
    note(lambda: op(mid))
    note(mid._version)
    note(lambda: square.backward())
    note(lambda: op.register_autograd(lambda ctx, g: g))

    def each(xs):
        for x in xs:
            x.add_(1)

    op = made(torch, ns, "list", each, "(Tensor(a!)[] xs) -> ()", ["xs"])
    a, b = torch.ones(2), torch.ones(3)
    op([a, b])
    note([a, b, a._version, b._version])

    def perhaps(x, y):
        if y is not None:
            y.add_(1)
        return x * 2

    op = made(torch, ns, "opt", perhaps, "(Tensor x, Tensor(a!)? y) -> Tensor", ["y"])
    note([op(a, None), op(a, b), b._version])


@program
def fake_kernels(torch, ns, note):
    meta = torch.ones(2, device="meta")
    op = made(torch, ns, "nz", lambda x: x.nonzero(), "(Tensor x) -> Tensor")
    note(lambda: op(meta))
    op.register_fake(lambda x: x.new_empty(torch.library.get_ctx().new_dynamic_size(), 1))
    note(lambda: op(meta))
    op.register_fake(torch.empty_like)
    note(lambda: op(meta))
    note(lambda: torch.library.get_ctx())
    lib = torch.library.Library(ns, "FRAGMENT")
    lib.define("g(Tensor x) -> Tensor")
    ops, fake = getattr(torch.ops, ns), torch.library.register_fake
    note(lambda: ops.g(torch.ones(2)))
    note(lambda: ops.g(meta))
    note(lambda: fake(f"{ns}::g", torch.empty_like, lib=lib) and None)
    note(lambda: ops.g(meta))
    note(lambda: fake(f"{ns}::g", torch.empty_like, lib=lib) and None)
    note(lambda: fake(f"{ns}::g", torch.empty_like, lib=lib, allow_override=True) and None)
    for name in (f"{ns}::none", "none", 5):
        note(lambda name=name: fake(name, lambda x: x))
    note(lambda: lib.impl("g", lambda x: x, "CPU"))
    note(lambda: lib.impl("g", lambda x: x, "CPU"))
    note(lambda: lib.impl("g", lambda x: x * 3, "CPU", allow_override=True))
    note(lambda: ops.g(torch.ones(2)))
    lib._destroy()


@program
def an_op_defined_anew_is_called_by_who_holds_the_former(torch, ns, note):
    x = torch.ones(2)
    first = made(torch, ns, "f", lambda x: x * 2, "(Tensor x) -> Tensor")
    packet = getattr(torch.ops, ns).f
    overload = packet.default
    note(first(x))
    second = made(torch, ns, "f", lambda x: x * 3, "(Tensor x) -> Tensor")
    note(second(x))
    if torch is mindtorch:  # the oracle's former handles point to memory that is gone
        assert [f(x).tolist() for f in (first, packet, overload)] == [[3.0, 3.0]] * 3
