"""``torch.library.custom_op``: tags, fakes, autocast, interception, batches, checks."""

from __future__ import annotations

import importlib

from tests.contract.custom_ops import annotated, doubling
from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


@program
def ops_tagged_inplace_and_out(torch, ns, note):
    Tag, T = torch.Tag, torch.Tensor
    make = torch.library.custom_op

    @annotated(torch, x=T, **{"return": T})
    def add(x):
        return x.add_(1)

    @annotated(torch, x=T, **{"return": T})
    def clone(x):
        return x.clone()

    def out(x, *, out):
        out.copy_(x + 1)
        return out

    def wrong(x, *, out):
        return out + 1

    for f in (out, wrong):
        f.__annotations__ = {"x": T, "out": T, "return": T}
    op = make(f"{ns}::add", add, mutates_args={"x"}, tags=Tag.inplace)
    note(lambda: op(torch.ones(2)))
    note([op._opoverload._schema, op._opoverload.tags])
    note(lambda: op.register_fake(lambda x: x) and 1)
    note(lambda: op.register_autograd(lambda ctx, g: g))
    op = make(f"{ns}::clone", clone, mutates_args={"x"}, tags=Tag.inplace)
    note(lambda: op(torch.ones(2)))
    note(lambda: op(torch.ones(2, device="meta")))
    op = make(f"{ns}::out", out, mutates_args={"out"}, tags=Tag.out)
    note(op._opoverload._schema)
    note(lambda: op(torch.ones(2), out=torch.zeros(2)))
    note(lambda: op(torch.ones(2, requires_grad=True), out=torch.zeros(2)))
    note(lambda: op.register_autograd(lambda ctx, g: g))
    note(lambda: op(torch.ones(2, device="meta"), out=torch.zeros(2, device="meta")))
    op = make(f"{ns}::wrong", wrong, mutates_args={"out"}, tags=Tag.out)
    note(lambda: op(torch.ones(2), out=torch.zeros(2)))


@program
def fake_implementations(torch, ns, note):
    op = doubling(torch, ns)
    meta = torch.ones(2, device="meta")
    note(lambda: op(meta))
    op.register_fake(lambda x: torch.library.get_ctx().new_dynamic_size())
    note(lambda: op(meta))
    op.register_fake(torch.empty_like)
    note(lambda: op(meta))
    note(lambda: op(torch.ones(2, device="meta", requires_grad=True)))
    note(torch.library.get_ctx())


@program
def what_runs_inside_is_not_recorded(torch, ns, note):
    x = torch.ones(2, requires_grad=True)

    def body(x):
        inner = torch.ones(2, requires_grad=True) * 3
        note([inner.requires_grad, torch.is_grad_enabled(), x.requires_grad, (x * 2).requires_grad])
        return inner * x

    op = torch.library.custom_op(f"{ns}::f", body, mutates_args=(), schema="(Tensor x) -> Tensor")
    op(x)
    op(x.detach())
    with torch.no_grad():
        op(x)
    note((torch.ones(2, requires_grad=True) * 3).requires_grad)
    failing = torch.library.custom_op(
        f"{ns}::g", lambda x: 1 / 0, mutates_args=(), schema="(Tensor x) -> Tensor"
    )
    note(lambda: failing(x))
    note((torch.ones(2, requires_grad=True) * 3).requires_grad)


@program
def functions_that_find_custom_ops_by_name(torch, ns, note):
    op = doubling(torch, ns)
    lib = torch.library
    x = torch.ones(2, requires_grad=True)
    lib.register_autograd(f"{ns}::f", lambda ctx, g: g * 5)
    op(x).sum().backward()
    note(x.grad)
    lib.register_autograd(op._opoverload, lambda ctx, g: g * 7)
    op(x).sum().backward()
    note(x.grad)
    lib.register_fake(f"{ns}::f", torch.empty_like)
    note(op(x.to("meta")))
    lib.register_kernel(op, "cpu", lambda x: x * 9)
    note(op(x))

    @lib.register_kernel(f"{ns}::f", "cpu")
    def kernel(x):
        return x * 11

    note(op(x))
    note(lambda: lib.register_vmap(op, lambda info, dims, x: x) is not None)


@program
def formulas_registered_for_library_ops(torch, ns, note):
    lib = torch.library
    x = torch.ones(2, requires_grad=True)
    with lib._scoped_library(ns, "FRAGMENT") as library:
        library.define("f(Tensor x) -> Tensor")
        library.impl("f", lambda x: x * 2, "CPU")
        op = getattr(torch.ops, ns).f
        lib.register_autograd(f"{ns}::f", lambda ctx, g: g * 10, lib=library)
        note(op(x))
        op(x).sum().backward()
        note(x.grad)
        library.define("m(Tensor(a!) x) -> ()")
        note(lambda: lib.register_autograd(f"{ns}::m", lambda ctx, g: g, lib=library))
        library.define("k(Tensor x, *, Tensor y) -> Tensor")
        note(lambda: lib.register_autograd(f"{ns}::k", lambda ctx, g: g, lib=library))
        note(lambda: lib.register_vmap(f"{ns}::k", lambda ctx, g: g, lib=library))
        library.define("v(Tensor(a) x) -> Tensor(a)")
        note(lambda: lib.register_autograd(f"{ns}::v", lambda ctx, g: g, lib=library))
        library.define("n(Tensor x) -> ()")
        note(lambda: lib.register_autograd(f"{ns}::n", lambda ctx, g: g, lib=library))
        tags = torch.Tag.out
        library.define("o(Tensor x, *, Tensor(a!) y) -> Tensor(a!)", tags=tags)
        note(lambda: lib.register_autograd(f"{ns}::o", lambda ctx, g: g, lib=library))


@program
def autocast_casts_arguments(torch, ns, note):
    op = torch.library.custom_op(
        f"{ns}::f", lambda x, y, n=2: note([x.dtype, y.dtype]) and x * n, mutates_args=(),
        schema="(Tensor x, Tensor y, int n=2) -> Tensor",
    )  # fmt: skip
    x = torch.ones(2)
    op.register_autocast("cpu", torch.bfloat16)
    op(x, x)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        op(x, x.double())
        op(x, x.long(), 3)
    note(lambda: op.register_autocast(3, torch.bfloat16))
    note(lambda: op.register_autocast("meta", torch.bfloat16))
    with torch.library._scoped_library(ns, "FRAGMENT") as library:
        library.define("g(Tensor[] x) -> Tensor")
        library.impl("g", lambda x: x[0] + 1, "CompositeExplicitAutograd")
        torch.library.register_autocast(f"{ns}::g", "cpu", torch.bfloat16, lib=library)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            note(getattr(torch.ops, ns).g([x, x]))


@program
def modes_and_subclasses_have_rules(torch, ns, note):
    python_dispatch = importlib.import_module(f"{torch.__name__}.utils._python_dispatch")

    class Mode(python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            note([str(func), len(types)])
            return func(*args, **(kwargs or {}))

    class Sub(torch.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            raise NotImplementedError

    lib = torch.library
    op = torch.library.custom_op(
        f"{ns}::f", lambda x, n=2: x * n, mutates_args=(), schema="(Tensor x, int n=2) -> Tensor"
    )
    op.register_autograd(lambda ctx, g: (g * 7, None))
    x = torch.ones(2)
    with Mode():
        note(op._opoverload(x).sum().dim())

    @op.register_torch_dispatch(Mode)
    def rule(mode, func, types, args, kwargs):
        note([type(mode).__name__, str(func), types, kwargs])
        return args[0] + 10

    with Mode():
        for made in (lambda: op(x), lambda: op(x, 5), lambda: op(x, n=5)):
            note(made)
        note(op(torch.ones(2, requires_grad=True)))
    note(op(x))
    lib.register_torch_dispatch(
        f"{ns}::f", Sub, lambda cls, func, types, args, kwargs: note(str(func)) and torch.zeros(1)
    )
    note(op(torch.Tensor._make_subclass(Sub, torch.ones(2))))
    lib.register_torch_dispatch(op, Mode, lambda mode, func, types, args, kwargs: args[0] * 1000)
    with Mode():
        note(op(x))
    with lib._scoped_library(ns, "FRAGMENT") as library:
        library.define("g(Tensor x) -> Tensor")
        library.impl("g", lambda x: x + 1, "CompositeExplicitAutograd")

        def minus(mode, func, types, args, kwargs):
            return args[0] - 1

        lib.register_torch_dispatch(f"{ns}::g", Mode, minus, lib=library)
        with Mode():
            note(getattr(torch.ops, ns).g(x))
        note(lambda: lib.register_torch_dispatch(f"{ns}::g", Mode, minus, lib=library))


@program
def rules_over_batches(torch, ns, note):
    vmap = torch.vmap
    op = torch.library.custom_op(
        f"{ns}::f", lambda x, y, n=2: x * y * n, mutates_args=(),
        schema="(Tensor x, Tensor y, int n=2) -> Tensor",
    )  # fmt: skip
    x, y = torch.arange(6.0).reshape(3, 2), torch.ones(2)
    note(vmap(lambda a: op(a, y))(x))

    def rule(info, in_dims, x, y, n=2):
        note([info.batch_size, info.randomness, in_dims, x, n])
        x, y = (t if d is None else t.movedim(d, 0) for t, d in zip((x, y), in_dims))
        return x * y * n, 0

    op.register_vmap(rule)
    note(lambda: vmap(lambda a: op(a, y))(x))
    note(lambda: vmap(lambda a: op(a, y, 5), in_dims=1)(torch.arange(6.0).reshape(2, 3)))
    note(lambda: vmap(op)(x, x))
    note(lambda: vmap(lambda b: vmap(lambda a: op(a, b))(x))(x))
    op.register_vmap(lambda info, dims, x, y, n=2: x)
    note(lambda: vmap(op)(x, x))
    op.register_vmap(lambda info, dims, x, y, n=2: (x, 0, 1))
    note(lambda: vmap(op)(x, x))
    listed = torch.library.custom_op(
        f"{ns}::g", lambda xs: [v * 2 for v in xs], mutates_args=(),
        schema="(Tensor[] xs) -> Tensor[]",
    )  # fmt: skip
    for out_dims in (lambda dims: dims, lambda dims: dims[0], lambda dims: 0):
        listed.register_vmap(
            lambda info, dims, xs, pick=out_dims: ([v * 2 for v in xs], pick(dims))
        )
        note(lambda: vmap(lambda a: listed([a, y])[0])(x))
        note(lambda: vmap(lambda a: listed([a, a])[1])(x))
    with torch.library._scoped_library(ns, "FRAGMENT") as library:
        library.define("h(Tensor x) -> Tensor")
        library.impl("h", lambda x: x + 1, "CPU")
        torch.library.register_vmap(
            f"{ns}::h", lambda info, dims, x: (x + 100, dims[0]), lib=library
        )
        note(lambda: vmap(getattr(torch.ops, ns).h)(x))


@program
def checks_of_ops(torch, ns, note):
    check, make = torch.library.opcheck, torch.library.custom_op
    x, grad = torch.ones(3), torch.ones(3, requires_grad=True)

    def op(name, body, schema="(Tensor x) -> Tensor", mutates=(), fake=torch.empty_like):
        made = make(f"{ns}::{name}", body, mutates_args=mutates, schema=schema)
        if fake is not None:
            made.register_fake(fake)
        return made

    good = op("good", lambda x: x * 2)
    good.register_autograd(lambda ctx, g: g * 2)
    for given in (good, good._opoverload, getattr(torch.ops, ns).good):
        note(lambda given=given: check(given, (grad,)))
    note(lambda: check(good, (x,), test_utils="test_schema"))
    note(lambda: check(good, (x,), test_utils=["test_schema", "bogus"]))
    note(lambda: check(good, x))
    note(lambda: check("good", (x,)))
    changes = op("changes", lambda x: x.add_(1) * 2)
    note(lambda: check(changes, (x,)))
    note(lambda: check(changes, (x,), raise_exception=False))
    note(x)
    note(lambda: check(op("nofake", lambda x: x * 2, fake=None), (x,)))
    note(lambda: check(op("shape", lambda x: x * 2, fake=lambda x: x.new_empty(7)), (x,)))
    note(lambda: check(op("dtype", lambda x: x * 2, fake=lambda x: x.double()), (x,)))
    nogradient = op("nogradient", lambda x: x * 2)
    note(lambda: check(nogradient, (grad,)))
    really = op("really", lambda x: x.sin_() and None if False else None, "(Tensor(a!) x) -> ()",
                {"x"}, None)  # fmt: skip
    note(lambda: check(really, (x,)))
    with torch.library._scoped_library(ns, "FRAGMENT") as library:
        library.define("silent(Tensor x) -> Tensor")
        library.impl("silent", lambda x: x.clone(), "CPU")
        library.impl("silent", torch.empty_like, "Meta")
        note(lambda: check(getattr(torch.ops, ns).silent, (grad,)))
        note(lambda: check(getattr(torch.ops, ns).silent, (x,)))
        library.define("alias(Tensor x) -> Tensor")
        library.impl("alias", lambda x: x.view(-1), "CompositeExplicitAutograd")
        note(lambda: check(getattr(torch.ops, ns).alias, (x,)))


@program
def checks_of_fakes(torch, ns, note):
    """Each way in which a fake result may differ, and one in which it may."""
    fakes = {
        "shape": lambda x: x.new_empty((5,)),
        "rank": lambda x: x.new_empty((*x.shape, 1)),
        "dtype": lambda x: torch.empty_like(x, dtype=torch.int64),
        "strides": lambda x: x.new_empty(x.shape[::-1]).t(),
        "offset": lambda x: x.new_empty((9,)).as_strided(x.shape, x.stride(), 1),
        "same": torch.empty_like,
        "raises": lambda x: x.new_empty((-1,)),
    }
    for name, fake in fakes.items():

        def f(x: torch.Tensor) -> torch.Tensor:
            return x.clone()

        f.__annotations__ = {"x": torch.Tensor, "return": torch.Tensor}
        op = torch.library.custom_op(f"{ns}::{name}", f, mutates_args=())
        op.register_fake(fake)
        for shape in ((2, 3), (2, 1), (0, 2)):
            given = {"test_utils": "test_faketensor", "raise_exception": False}
            found = torch.library.opcheck(op, (torch.ones(shape),), **given)
            note([(type(result).__name__, str(result)) for result in found.values()])
    op = torch.library.custom_op(f"{ns}::whole", f, mutates_args=())
    op.register_fake(fakes["shape"])
    note(lambda: torch.library.opcheck(op, (torch.ones(2, 3),), raise_exception=False).keys())
    note(lambda: torch.library.opcheck(op, (torch.ones(2, 3),)))
