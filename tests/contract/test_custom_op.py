"""``torch._custom_op`` and ``torch._custom_ops``: ops that are made in steps."""

from __future__ import annotations

import pytest
import torch as oracle

from tests.contract.both_frameworks import ours, part
from tests.contract.custom_ops import annotated
from tests.contract.programs import submodule, suite

program, test_same_program_same_notes = suite()


@pytest.mark.parametrize("name", ["_custom_op.impl", "_custom_op.autograd", "_custom_ops"])
def test_all_names_are_there(name):
    """Those that the module defines."""
    module = part(oracle, name)
    own = {n for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__}
    constants = {n for n in vars(module) if n.isupper()}
    assert {n for n in own | constants if not hasattr(part(ours, name), n)} == set()


def older(torch):
    """The module of the class."""
    return submodule(torch, "_custom_op.impl")


def by_name(torch):
    """The module of functions."""
    return submodule(torch, "_custom_ops")


def prototype(torch, name="foo", result="Tensor", **arguments):
    """A function with annotations and no body."""
    named = {"Tensor": torch.Tensor, "int": int, "Tensors": list[torch.Tensor], "None": None}
    named["Two"] = tuple[torch.Tensor, torch.Tensor]
    kinds = {k: named[v] for k, v in (arguments or {"x": "Tensor"}).items()}
    names = ", ".join(kinds)
    scope = {}
    exec(f"def {name}({names}): raise NotImplementedError", scope)
    return annotated(torch, **kinds, **{"return": named[result]})(scope[name])


def made(torch, ns, name="foo", *args, **options):
    """An op of the class."""
    return older(torch).custom_op(f"{ns}::{name}")(prototype(torch, name, *args, **options))


@program
def an_op_of_the_class(torch, ns, note):
    foo = note(made(torch, ns))
    note([foo.__name__, foo._qualname, str(foo._schema)])
    note(lambda: foo(torch.ones(2)))
    note(lambda: foo(torch.ones(2, device="meta")))
    note(lambda: foo.impl(["cpu", "cuda"])(lambda x: x * 2)(torch.ones(1)))
    note(lambda: foo(torch.ones(2)))
    note(lambda: foo(x=torch.ones(2)))
    note(lambda: foo(torch.ones(2), 3))
    note(lambda: getattr(torch.ops, ns).foo(torch.ones(2)))
    note(lambda: foo(torch.ones(2, requires_grad=True)))
    with torch.no_grad():
        note(lambda: foo(torch.ones(2, requires_grad=True)))
    note(lambda: foo.impl("cpu")(lambda x: x))
    note(lambda: foo.impl("xpu"))
    foo.impl_abstract()(lambda x: x.new_empty(3))
    note(lambda: foo(torch.ones(2, device="meta")).shape)
    note(lambda: older(torch).get_abstract_impl(f"{ns}::foo") is not None)
    note(lambda: older(torch).get_abstract_impl(f"{ns}::bar"))
    note(sorted(foo._impls))
    foo._destroy()
    note(f"{ns}::foo" in older(torch).global_registry)
    note(lambda: getattr(torch.ops, ns).foo)


@program
def an_op_of_the_class_has_no_gradient(torch, ns, note):
    foo = made(torch, ns)
    note(lambda: foo.impl_backward()(lambda ctx, saved, g: {"x": g}))
    note(lambda: foo.impl_save_for_backward()(lambda inputs, output: None))


@program
def an_op_without_tensors(torch, ns, note):
    foo = made(torch, ns, n="int")
    note(lambda: foo(3))
    foo.impl_factory()(lambda n: torch.ones(n))
    note(lambda: foo(3))
    bar = made(torch, ns, "bar", xs="Tensors")
    bar.impl("cpu")(lambda xs: xs[0] * 2)
    note(lambda: bar([torch.ones(1)]))
    note(lambda: bar([]))


@program
def functions_that_are_refused(torch, ns, note):
    make = older(torch).custom_op
    note(lambda: make(f"{ns}::foo")(3))
    note(lambda: make(f"{ns}::foo")(len))
    note(lambda: make("foo")(prototype(torch)))
    note(lambda: make(f"{ns}::foo.bar")(prototype(torch)))
    note(lambda: make("aten::foo")(prototype(torch)))
    note(lambda: make("a.b::foo")(prototype(torch)))
    note(lambda: make(f"{ns}::bar")(prototype(torch)))
    note(lambda: make(f"{ns}::foo")(prototype(torch, self="Tensor")))
    note(lambda: make(f"{ns}::foo")(prototype(torch, result="None")))
    note(lambda: older(torch).CustomOp(None, ns, None, "foo", None))

    def foo(x):
        return x

    def star(x, *, y):
        return x

    def many(*x):
        return x

    for f in (star, many):
        f.__name__ = "foo"
    note(lambda: make(f"{ns}::foo")(foo))
    for schema in (
        "(Tensor x) -> Tensor", "(Tensor y) -> Tensor", "(Tensor x, Tensor y) -> Tensor",
        "(Tensor x=None) -> Tensor", "(Tensor(a!) x) -> Tensor", "(Tensor(a) x) -> Tensor(a)",
        "(Tensor x) -> ()", "(Tensor x, *, Tensor y) -> Tensor", "(Tensor self) -> Tensor",
        "(Tensor? x=None) -> Tensor", "(Tensor x, *, int y=2) -> Tensor",
    ):  # fmt: skip
        for i, f in enumerate((foo, star, many, prototype(torch))):
            decorate = make(f"{ns}{i}{len(schema)}::foo", manual_schema=schema)
            note(lambda decorate=decorate, f=f: str(decorate(f)._schema))


@program
def gradients_by_name(torch, ns, note):
    prototype_of_foo = prototype(torch, "foo", "Two", x="Tensor", n="int", ys="Tensors")
    by_name(torch).custom_op(f"{ns}::foo", prototype_of_foo)
    foo = older(torch)._find_custom_op(f"{ns}::foo")
    foo.impl("cpu")(lambda x, n, ys: (x * n + ys[0], x.argmax()))
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    note(lambda: foo(x, 2, [y, y]))

    def save(inputs, output):
        note([type(inputs).__name__, inputs._fields, inputs.n, type(output).__name__])
        return inputs.x, inputs.n

    results = {"x": lambda g, n: g * n, "ys": lambda g, n: [g, None]}

    def backward(ctx, saved, *grads):
        note([type(ctx).__name__, saved, [g.shape for g in grads]])
        return {k: v(grads[0], saved[1]) for k, v in results.items()}

    foo.impl_save_for_backward()(save)
    note(lambda: "registration for" in str(_raised(lambda: foo(x, 2, [y, y]))))
    note(lambda: foo.impl_backward([True]))
    note(lambda: foo.impl_backward([True, 1]))
    note(lambda: foo.impl_backward((True, False)))
    foo.impl_backward([True, False])(backward)
    note(lambda: foo(x, 2, [y, y]))
    first, second = foo(x, 2, [y, y])
    note([first.grad_fn.name(), second.requires_grad])
    first.sum().backward()
    note([x.grad, y.grad])
    for wrong in (
        {"x": lambda g, n: g},
        {"x": lambda g, n: g, "ys": lambda g, n: [None, None], "n": lambda g, n: g},
        {"x": lambda g, n: 3, "ys": lambda g, n: [None, None]},
        {"x": lambda g, n: g, "ys": lambda g, n: g},
        {"x": lambda g, n: g, "ys": lambda g, n: [g]},
        {"x": lambda g, n: g, "ys": lambda g, n: [g, 3]},
    ):
        results = wrong
        first, _ = foo(x, 2, [y, y])
        note(lambda first=first: _told(lambda: first.sum().backward()))
    backward_of = foo._impls["backward"]
    note(backward_of.location.endswith(f"{__name__.rpartition('.')[2]}.py:{_line(backward_of)}"))
    note(lambda: _told(lambda: foo.impl_backward()(backward)))
    note(lambda: _told(lambda: foo.impl_save_for_backward()(save)))


def _line(known):
    return known.location.rpartition(":")[2]


def _raised(fn):
    try:
        fn()
    except Exception as error:
        return error
    return None


def _told(fn):
    """The error of *fn*, without the lines of code that it names."""
    error = _raised(fn)
    words = str(error).split()
    return type(error).__name__, " ".join(w for w in words if ".py:" not in w and "{" not in w)


@program
def gradients_that_are_refused(torch, ns, note):
    library = torch.library.Library(ns, "FRAGMENT")
    for name, schema in {
        "changes": "(Tensor(a!) x) -> Tensor",
        "nothing": "(Tensor x) -> ()",
        "view": "(Tensor(a) x) -> Tensor(a)",
        "text": "(Tensor x) -> str",
        "maybe": "(Tensor x) -> Tensor?",
        "number": "(Tensor x) -> Scalar",
        "fine": "(Tensor x) -> (Tensor, Tensor[], int, float, bool, SymInt)",
        "again": "(Tensor x) -> Tensor",
        "parts": "(Tensor x) -> Tensor",
    }.items():
        library.define(f"{name}{schema}")
        if name == "again":
            library.impl(name, lambda x: x, "Autograd")
        if name == "parts":
            library.impl(name, lambda x: x * 2, "CompositeImplicitAutograd")
        note(
            lambda name=name: (
                by_name(torch).impl_backward(f"{ns}::{name}", func=lambda ctx, saved, g: {"x": g})
                and 1
            )
        )
    note(lambda: by_name(torch).impl(f"{ns}::parts", device_types="cpu", func=lambda x: x))
    note(lambda: by_name(torch).impl_abstract(f"{ns}::parts", func=lambda x: x))
    found = older(torch)._find_custom_op(f"{ns}::again", also_check_torch_library=True)
    note(found)
    note(lambda: found.impl_abstract()(lambda x: x) and 1)
    found = older(torch)._find_custom_op(f"{ns}::parts", also_check_torch_library=True)
    note(lambda: found.impl_abstract()(lambda x: x) and 1)
    note(lambda: older(torch)._find_custom_op(f"{ns}::none"))
    note(lambda: older(torch)._find_custom_op(f"{ns}::none", also_check_torch_library=True))
    note(lambda: older(torch).get_op(f"{ns}::again"))


@program
def ops_by_name(torch, ns, note):
    ops = by_name(torch)
    name = f"{ns}::foo"
    note(ops.custom_op(name, "(Tensor x, int n) -> Tensor"))
    note(lambda: _told(lambda: ops.custom_op(name, "(Tensor x) -> Tensor"))[0])
    foo = getattr(torch.ops, ns).foo
    note([foo.default._schema, foo.default.tags])
    note(lambda: foo(torch.ones(1), 2))
    note(lambda: foo(torch.ones(1, device="meta"), 2))
    note(lambda: foo(torch.ones(1, requires_grad=True), 2))
    kernel = ops.impl(name)(lambda x, n: x * n)
    note(lambda: kernel(2, 3))
    note(lambda: foo(torch.ones(1), 2))
    note(lambda: ops.impl(name, device_types="mps", func=lambda x, n: x))

    @ops.impl_abstract(name)
    def abstract(x, n):
        return torch.empty_like(x)

    note(lambda: foo(torch.ones(1, device="meta"), 2).shape)

    @ops.impl_save_for_backward(name)
    def save(inputs, output):
        return {"n": inputs.n, "list": [inputs.x, output]}

    x = torch.ones(2, requires_grad=True)
    note(lambda: _told(lambda: foo(x, 2)))

    @ops.impl_backward(name)
    def backward(ctx, saved, g):
        note(saved)
        return {"x": g * saved["n"]}

    y = note(lambda: foo(x, 3))
    y.sum().backward()
    note(x.grad)
    note(lambda: torch.autograd.gradcheck(lambda x: foo(x, 2), torch.ones(1, dtype=torch.double)))
    note(lambda: torch.library.opcheck(foo, (x, 2), test_utils=("test_schema", "test_faketensor")))
    note(lambda: ops.custom_op("foo", "(Tensor x) -> Tensor"))
    note(lambda: ops.custom_op("aten::foo", "(Tensor x) -> Tensor"))
    note(lambda: ops.custom_op(f"{ns}::bar", prototype(torch)))
    note(lambda: ops.custom_op(f"{ns}::bar", 3))
    note(lambda: ops.custom_op(f"{ns}::bar")(prototype(torch, "bar")).__name__)
    note(lambda: ops._destroy(name))
    note(lambda: ops._destroy(name))


@program
def sizes_that_depend_on_data(torch, ns, note):
    ops, fake = by_name(torch), submodule(torch, "_subclasses.fake_tensor")
    ops.custom_op(f"{ns}::count", "(Tensor x) -> Tensor")

    @ops.impl_abstract(f"{ns}::count")
    def abstract(x):
        return x.new_empty(ops.get_ctx().new_dynamic_size())

    count = getattr(torch.ops, ns).count
    note(lambda: "data-dependent" in str(_raised(lambda: count(torch.ones(2, device="meta")))))
    with fake.FakeTensorMode():
        note(lambda: type(_raised(lambda: count(torch.ones(2)))).__name__)
    foo = made(torch, ns)
    foo.impl_abstract()(lambda x: older(torch).get_ctx().new_dynamic_size())
    note(lambda: _told(lambda: foo(torch.ones(2, device="meta"))))
    note(lambda: older(torch).get_ctx())


@program
def an_op_says_in_other_words_that_a_kernel_is_missing(torch, ns, note):
    library = torch.library.Library(ns, "FRAGMENT")
    library.define("foo(Tensor x) -> Tensor")
    handle = torch._C._dispatch_find_schema_or_throw(f"{ns}::foo", "")

    def refuse(key):
        raise ValueError(f"nothing at {key}")

    torch._C._dispatch_set_report_error_callback(handle, refuse)
    foo = getattr(torch.ops, ns).foo
    note(lambda: foo(torch.ones(1)))
    note(lambda: foo(torch.ones(1, device="meta")))
    note(lambda: foo(torch.ones(1).to_sparse()))
