"""``torch.library``: libraries, definitions, kernels and functions that register by name."""

from __future__ import annotations

import pytest

from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


@pytest.mark.filterwarnings("ignore:Warning only once")
@program
def libraries_refuse_bad_kinds_namespaces_and_keys(torch, ns, note):
    library = torch.library.Library
    note(lambda: library(ns, "FOO"))
    note(lambda: library("prim", "DEF"))
    note(lambda: library("prim", "FRAGMENT"))
    note(lambda: library(ns, "IMPL", "FOO"))
    note(lambda: library(ns, "IMPL", "CPU").define("f(Tensor x) -> Tensor"))
    note(repr(library(ns, "IMPL", "CPU")))


@program
def one_def_block_for_a_namespace_until_it_is_destroyed(torch, ns, note):
    library = torch.library.Library(ns, "DEF")
    note(lambda: torch.library.Library(ns, "DEF"))
    library._destroy()
    note(lambda: torch.library.Library(ns, "DEF"))


@program
def malformed_and_double_definitions(torch, ns, note):
    with torch.library._scoped_library(ns, "FRAGMENT") as library:
        note(lambda: library.define("f(Tensor x) -> Tensor"))
        note(lambda: library.define("f(Tensor x) -> Tensor"))
        note(lambda: library.define("f(Tensor x -> Tensor"))
        note(lambda: library.define("f"))
        note(lambda: library.define("other::f(Tensor x) -> Tensor"))
        note(lambda: library.define("k(Tensor x) -> int", "CONSERV"))
        note(lambda: library.define("k(Tensor x) -> int", "PURE_FUNCTION"))
        note(lambda: library.define("k(Tensor x) -> int", tags=3))
        note(lambda: library.define("k(Tensor x) -> int", tags=torch.Tag.pointwise))
        note(lambda: library.define("l.over(Tensor x) -> Tensor", "FROM_SCHEMA"))
        note(getattr(torch.ops, ns).k.default.tags)
        note(getattr(torch.ops, ns).l.overloads())


@program
def schemas_that_tags_forbid(torch, ns, note):
    with torch.library._scoped_library(ns, "FRAGMENT") as library:
        for schema in (
            "(Tensor x) -> Tensor",
            "() -> Tensor",
            "(*, Tensor(a!) x) -> Tensor(a!)",
            "(Tensor(a!)[] x) -> ()",
            "(Tensor(a!) x) -> ()",
            "(Tensor(a!) x) -> Tensor",
            "(Tensor(a!) x) -> int",
            "(Tensor(a!) x, Tensor(b!) y) -> Tensor(b!)",
            "(Tensor(a!) x, Tensor(b!) y) -> Tensor(a!)",
            "(Tensor x, *, Tensor(a!)[] y) -> ()",
            "(Tensor x, *, Tensor(a!) y) -> ()",
            "(Tensor x, *, Tensor(a!) y) -> Tensor",
            "(Tensor x, *, Tensor(a!) y, Tensor(b!) z) -> (Tensor(b!), Tensor(a!))",
        ):
            for tag in (torch.Tag.inplace, torch.Tag.out):
                note(lambda s=schema, t=tag: library.define(f"f{s}", tags=(t,)) and "taken")


@program
def kernels_that_cannot_be_registered(torch, ns, note):
    with torch.library._scoped_library(ns, "FRAGMENT") as library:
        library.define("f(Tensor x) -> Tensor")
        note(lambda: library.impl("f", 3))
        note(lambda: library.impl(3, lambda x: x))
        note(lambda: library.impl(torch.ops.aten.mul, lambda x: x))
        note(lambda: library.impl("f", lambda x: x, "FOO"))
        note(lambda: library.impl("other::f", lambda x: x, "CPU"))
        note(lambda: library.impl("f", lambda x: x, "CPU"))
        note(lambda: library.impl("f", lambda x: x, "CPU", allow_override=False))
        note(lambda: library.impl("f", lambda x: x, allow_override=False))
        note(lambda: library.impl("f", lambda x: x, "Meta"))
        note(lambda: library.impl("nope", lambda x: x, "Meta"))
        note(lambda: library.fallback(lambda *a: 0, "CPU"))
        note(lambda: torch.library.Library("_", "IMPL").fallback(lambda *a: 0))


@program
def a_destroyed_library_takes_its_ops_along(torch, ns, note):
    library = torch.library.Library(ns, "FRAGMENT")
    library.define("f(Tensor x) -> Tensor")
    library.impl("f", lambda x: x + 1, "CompositeExplicitAutograd")
    note(lambda: getattr(torch.ops, ns).f(torch.ones(2)))
    library._destroy()
    note(lambda: library.define("g(Tensor x) -> Tensor"))
    note(lambda: library.impl("f", lambda x: x, "CPU"))
    note(lambda: getattr(torch.ops, ns).f)
    note(lambda: library._destroy())


@program
def a_kernel_over_torchs_own_comes_and_goes(torch, ns, note):
    x = torch.ones(2)
    library = torch.library.Library("aten", "IMPL")
    library.impl("sub.Tensor", lambda *args, **kwargs: note((args, kwargs)) and args[0], "CPU")
    note(lambda: x - x)
    note(lambda: torch.sub(x, x, alpha=2))
    library._destroy()
    note(lambda: x - x)
    with torch.library._scoped_library("aten", "IMPL", "Meta") as library:
        # An op that no other test asks of fake tensors: the oracle remembers some of it for good.
        library.impl(torch.ops.aten.hypot.default, lambda a, b: a.new_empty(7))
        note(lambda: library.impl("hypot", lambda a, b: a, "CPU"))
        m = torch.ones(2, device="meta")
        note(lambda: torch.hypot(m, m))
    note(lambda: torch.hypot(m, m))


@program
def kernels_in_decorators(torch, ns, note):
    library = torch.library.Library(ns, "DEF")

    @torch.library.define(library, "square(Tensor x) -> Tensor")
    def square(x):
        return x * x

    op = getattr(torch.ops, ns).square
    x = torch.full((2,), 3.0, requires_grad=True)
    note(lambda: op(x))
    note(square.__name__)

    @torch.library.impl(library, "square", "CPU")
    def zero(x):
        return x * 0

    note(zero.__name__)
    note(lambda: op(x.detach()))
    library._destroy()


@program
def definitions_by_qualified_name(torch, ns, note):
    x, meta = torch.ones(2), torch.ones(2, device="meta")
    note(lambda: torch.library.define("a", "(Tensor x) -> Tensor"))
    note(lambda: torch.library.define("a::b", "x(Tensor x) -> Tensor"))
    note(lambda: torch.library.define(3, "(Tensor x) -> Tensor"))
    schema = "(Tensor x, *, str s='a') -> Tensor"
    note(lambda: torch.library.define(f"{ns}::f.o", schema, tags=torch.Tag.pointwise))
    op = getattr(torch.ops, ns).f.o
    note(op.tags)

    @torch.library.impl(f"{ns}::f.o", "default")
    def add(x, s="a"):
        return x + len(s)

    note(add)
    note(lambda: op(x, s="abc"))
    note(lambda: op(meta))

    @torch.library.impl(f"{ns}::f.o", ("cpu", "Meta"))
    def subtract(x, s="a"):
        return x - len(s)

    note(lambda: op(meta, s="b"))
    note(lambda: op(x))
    note(lambda: torch.library.impl(f"{ns}::f.o", "cpuu"))
    note(lambda: torch.library.impl("f", "cpu", lambda x: x))
    note(lambda: torch.library.register_kernel(f"{ns}::f.o", "cpu", lambda x, s="a": x - 7))
    note(lambda: op(x))
    note(lambda: torch.library.register_kernel(f"{ns}::f.o", None, lambda x, s="a": x - 7))


@program
def functions_that_register_refuse_what_is_no_op(torch, ns, note):
    lib = torch.library
    note(lambda: lib.register_fake(3))
    note(lambda: lib.register_fake("nowhere::f", lambda x: x))
    note(lambda: lib.register_fake("f", lambda x: x))
    note(lambda: lib.register_autograd("aten::nothing_like_it", lambda x: x))
    note(lambda: lib.register_autograd(3, lambda x: x))
    note(lambda: lib.register_kernel(3, "cpu"))
    note(lambda: lib.register_vmap("aten::nothing_like_it", lambda x: x))
    note(lambda: lib.register_vmap(3, lambda x: x))
    note(lambda: lib.register_torch_dispatch(3, int, lambda x: x))
    note(lambda: lib.register_autocast(3, "cpu", torch.float16))
    note(lambda: lib.register_autocast("aten::sin", "meta", torch.float16))
    note(lambda: lib.register_autocast("aten::sin", "xyz", torch.float16))
    note(lambda: lib.get_kernel(3, "CPU"))
    note(lambda: lib.get_kernel("aten::sin", "CPUU"))
    note(lambda: lib.get_kernel("aten::nothing_like_it", "CPU"))
    note(lambda: lib.fallthrough_kernel())
    note(lambda: lib.get_ctx())


@program
def a_kernel_found_by_key_is_called(torch, ns, note):
    torch.library.define(f"{ns}::f", "(Tensor x, int n=2) -> Tensor")
    torch.library.impl(f"{ns}::f", "cpu", lambda x, n=2: x * n)
    kernel = torch.library.get_kernel(f"{ns}::f", "CPU")
    cpu = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)
    note(lambda: kernel.call_boxed(cpu, torch.ones(2)))
    note(lambda: kernel.call_boxed(cpu, torch.ones(2), 5))
    found = torch.library.get_kernel(getattr(torch.ops, ns).f.default, torch._C.DispatchKey.CPU)
    note(lambda: found.call_boxed(cpu, torch.ones(2)))


@program
def fake_implementations_of_ops_by_name(torch, ns, note):
    lib = torch.library
    meta = torch.ones(3, device="meta")
    with lib._scoped_library(ns, "FRAGMENT") as library:
        library.define("f(Tensor x) -> Tensor")
        op = getattr(torch.ops, ns).f

        @lib.register_fake(f"{ns}::f", lib=library)
        def first(x):
            return x.new_empty(1)

        note(lambda: op(meta))
        note(lambda: lib.register_fake(f"{ns}::f", lambda x: x, lib=library, allow_override=False))
        lib.register_fake(f"{ns}::f", lambda x: x.new_empty(2), lib=library)
        note(lambda: op(meta))
        lib.register_fake(op.default, lambda x: lib.get_ctx().new_dynamic_size(), lib=library)
        note(lambda: op(meta))
        note(lambda: lib.impl_abstract(f"{ns}::f", lambda x: x.new_empty(4), lib=library)("q"[:0]))
        note(lambda: op(meta))
        library.define("c(Tensor x) -> Tensor")
        library.impl("c", lambda x: x)
        note(lambda: lib.register_fake(f"{ns}::c", lambda x: x, lib=library, allow_override=False))
        note(lambda: lib.register_fake(f"{ns}::c", lambda x: x, lib=library))
        library.define("m(Tensor x) -> Tensor")
        library.impl("m", lambda x: x, "Meta")
        note(lambda: lib.register_fake(f"{ns}::m", lambda x: x, lib=library, allow_override=False))


@program
def arguments_as_kernels_take_them(torch, ns, note):
    x = torch.ones(2)
    with torch.library._scoped_library(ns, "FRAGMENT") as library:

        def define(arguments):
            name = library.define(f"{arguments} -> int")
            library.impl(name, lambda *a, **k: (note((a, k)), 1)[1], "CPU")
            return getattr(getattr(torch.ops, ns), name)

        f = define("f(Tensor x, float a, int[] b, Scalar c, bool d, int[2] e, str? s=None)")
        f(x, 1, (1, 2), 2, 1, 3)
        f(x, 1.5, [], 2.5, False, [3, 4], "s")
        note(lambda: f(x, "1", [], 2, True, [1, 2]))
        note(lambda: f(x, 1, [1.5], 2, True, [1, 2]))
        note(lambda: f(x, 1, 2, 2, True, [1, 2]))
        note(lambda: f(x, 1, [], 2, True))
        g = define("g(Tensor x, float a=1.0, int q=3, *, int b=2, str c='x')")
        g(x)
        g(x, 1.0, b=2, c="y")
        g(x, 2, 3, b=3)
        g(x=x, q=5)
        note(lambda: g(x, 1, 2, 3))
        note(lambda: g(x, 1, 2, 3, 4, 5, 6))
        note(lambda: g(x, nothing=1))
        h = define("h(Tensor[] x, Tensor?[] y, Tensor? z=None)")
        h((x, x), [None, x])
        h([x], [], x)
        note(lambda: h(x, 3))
        note(lambda: h([3], []))
        i = define("i(Tensor x, ScalarType dt, Device dev, Layout? l=None)")
        i(x, torch.float32, "cpu", torch.strided)
        j = define("j(Tensor x, int s, float t)")
        j(x, torch.tensor(3), torch.tensor(2.0))
        k = define("k(Tensor x, Tensor y)")
        note(lambda: k(x, 3))
        note(lambda: k(x))
        note(lambda: define("l(Tensor x, Scalar s)")(x, torch.tensor(3)))


@program
def results_as_callers_get_them(torch, ns, note):
    x = torch.ones(2)
    cases = (
        ("Tensor", lambda x: 3),
        ("Tensor", lambda x: None),
        ("(Tensor, Tensor)", lambda x: x),
        ("(Tensor, Tensor)", lambda x: (x, x + 1)),
        ("(Tensor, Tensor)", lambda x: [x, x + 1]),
        ("(Tensor, Tensor)", lambda x: (x,)),
        ("(Tensor, Tensor)", lambda x: (x, 3)),
        ("(Tensor, Tensor)", lambda x: None),
        ("()", lambda x: 3),
        ("()", lambda x: ()),
        ("()", lambda x: None),
        ("Tensor[]", lambda x: [x, x]),
        ("Tensor[]", lambda x: (x, x)),
        ("int", lambda x: 3.5),
        ("float", lambda x: 3),
        ("bool", lambda x: 1),
        ("Scalar", lambda x: 3),
        ("str", lambda x: "a"),
        ("Tensor?", lambda x: None),
        ("(Tensor, int)", lambda x: (x, 4)),
        ("(Tensor a, Tensor b)", lambda x: (x, x)),
        ("Tensor", lambda x, y: x),
    )
    with torch.library._scoped_library(ns, "FRAGMENT") as library:
        for i, (returns, kernel) in enumerate(cases):
            library.define(f"f{i}(Tensor x) -> {returns}")
            library.impl(f"f{i}", kernel, "CPU")
            op = getattr(getattr(torch.ops, ns), f"f{i}")
            note(lambda op=op: op(x))


@program
def a_missing_backend_and_an_op_without_tensors(torch, ns, note):
    with torch.library._scoped_library(ns, "FRAGMENT") as library:
        library.define("f(Tensor x) -> Tensor")
        library.impl("f", lambda x: x + 1, "Meta")
        note(lambda: getattr(torch.ops, ns).f(torch.ones(2)))
        library.define("g(float x) -> float")
        library.impl("g", lambda x: x, "CPU")
        note(lambda: getattr(torch.ops, ns).g(1.0))
        library.define("h(int x) -> int")
        library.impl("h", lambda x: x + 1, "CompositeExplicitAutograd")
        note(lambda: getattr(torch.ops, ns).h(1))


@program
def a_kernel_with_the_keys_goes_on_below_autograd(torch, ns, note):
    grad = torch.ones(2, requires_grad=True)
    with torch.library._scoped_library(ns, "FRAGMENT") as library:
        library.define("f(Tensor x, int n=2) -> Tensor")
        op = getattr(torch.ops, ns).f

        def autograd(keys, x, n=2):
            note((keys.has(torch._C.DispatchKey.AutogradCPU), n))
            with torch._C._AutoDispatchBelowAutograd():
                return op.default.redispatch(keys & torch._C._after_autograd_keyset, x, n)

        library.impl("f", autograd, "Autograd", with_keyset=True)
        library.impl("f", lambda x, n=2: note(n) and x * n, "CPU")
        note(lambda: op(grad))
        note(lambda: op(grad, 5))
        note(lambda: op(grad, n=7))


@program
def an_op_that_says_nothing_of_its_gradient_warns(torch, ns, note):
    x = torch.ones(2, requires_grad=True)
    one = torch.ones(1)
    with torch.library._scoped_library(ns, "FRAGMENT") as library:
        library.define("f(Tensor x) -> Tensor")
        library.impl("f", lambda x: x.detach().clone() * 2, "CPU")
        y = getattr(torch.ops, ns).f(x)
        note(y)
        note(len(y.grad_fn.next_functions))
        note(lambda: y.sum().backward())
        note(x.grad)
        library.define("h(Tensor x, Tensor y, Tensor[] z) -> (Tensor, Tensor, Tensor)")
        library.impl("h", lambda x, y, z: (x * 2, y.detach() * 1, (y * 2).long()), "CPU")
        listed = [one, torch.ones(1, requires_grad=True)]
        a, b, c = getattr(torch.ops, ns).h(x, torch.ones(2), listed)
        note([a, b, c])
        note(lambda: a.sum().backward())
        note(lambda: b.sum().backward())
        note(x.grad)
        with torch.no_grad():
            note(getattr(torch.ops, ns).f(x))
        library.define("d(Tensor x) -> Tensor")
        library.impl("d", lambda x: x.detach().clone())
        note(getattr(torch.ops, ns).d(x))
        library.define("i(Tensor(a!) x, Tensor y) -> Tensor(a!)")
        library.impl("i", lambda x, y: x.add_(y), "CPU")
        z = torch.zeros(2)
        version = z._version
        note(getattr(torch.ops, ns).i(z, torch.ones(2)) is z)
        note(z._version - version)
        note(getattr(torch.ops, ns).i(z, x))
        library.impl("f", torch.library.fallthrough_kernel, "AutogradCPU")
        note(getattr(torch.ops, ns).f(x))


@program
def triton_is_not_for_here(torch, ns, note):
    note(sorted(set(torch.library.__all__) & {"custom_op", "define", "impl", "infer_schema"}))
    note(torch.library.Library.__name__)


@program
def none_is_a_type_of_results_and_arguments(torch, ns, note):
    with torch.library._scoped_library(ns, "FRAGMENT") as library:
        for schema in ("f(Tensor x) -> None", "g(Tensor x) -> (None, Tensor)", "h(None x) -> ()"):
            library.define(schema)
            op = getattr(getattr(torch.ops, ns), schema[0]).default
            note([str(r.type) for r in op._schema.returns])
            note([(a.name, str(a.type)) for a in op._schema.arguments])
        library.impl("f", lambda x: None, "CPU")
        library.impl("g", lambda x: (None, x + 1), "CPU")
        mine = getattr(torch.ops, ns)
        note([mine.f(torch.ones(1)), mine.g(torch.ones(1))])


@program
def libraries_know_what_they_define(torch, ns, note):
    def names(of):
        return sorted(name.replace(ns, "ns") for name in of if name.startswith(ns))

    with torch.library._scoped_library(ns, "FRAGMENT") as library:
        library.define("f(Tensor x) -> Tensor")
        library.define("f.more(Tensor x, int n) -> Tensor")
        library.impl("f", lambda x: x, "CPU")
        library.impl("f.more", lambda x, n: x, "Meta")
        note([names(library._op_impls), names(library._op_defs)])
        note([names(torch.library._impls), names(torch.library._defs)])
    note(names(torch.library._impls))


@program
def an_op_without_a_schema_is_not_among_its_namespace(torch, ns, note):
    library = torch.library.Library(ns, "DEF")
    library.impl("bare", lambda x: x, "CPU")
    note(lambda: getattr(torch.ops, ns).bare)
    library.define("bare(Tensor x) -> Tensor")
    note(lambda: getattr(torch.ops, ns).bare)
    library._destroy()
    note(lambda: getattr(torch.ops, ns).bare)


@program
def namespaces_of_torch_are_defined_by_torch(torch, ns, note):
    for namespace in ("aten", "quantized", "prims", "sparse"):
        try:
            note(torch.library.Library(namespace, "DEF").kind)
        except RuntimeError as e:
            note(str(e).partition("Previous registration")[0])
        note(torch.library.Library(namespace, "FRAGMENT").kind)
