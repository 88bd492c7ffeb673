"""Library: registrations that come and go as one."""

import gc

import pytest
from mindtorch_dispatch import DispatchKey, Library, Registry, fallthrough_kernel

K = DispatchKey


@pytest.fixture
def registry():
    return Registry()


def test_define_and_impl(registry):
    """Schema and kernels under the library's namespace, keys by torch's names."""
    lib = Library("my", "DEF", registry=registry)
    assert lib.define("twice(int x) -> int") == "twice"
    assert lib.define("my::twice.f(float x) -> float") == "my::twice"
    lib.impl("twice", lambda x: 2 * x, "CPU")
    lib.impl("my::twice", lambda x: -x)
    lib.impl("twice", fallthrough_kernel, "Tracer")
    op = registry.get("my::twice")
    assert op.lookup(K.CPU)(4) == 8 and op.fallthrough == {K.Tracer}
    assert op.explain("NPU").reason == "CompositeImplicitAutograd"
    assert op.explain("CPU").where.startswith(__file__)
    assert [o.name for o in registry.overloads("my::twice")] == ["my::twice", "my::twice.f"]


def test_destroying_drops_everything_and_brings_back_what_was_overridden(registry):
    """Explicitly, or by losing the last reference."""
    base = Library("my", "DEF", registry=registry)
    base.define("f(int x) -> int")
    base.impl("f", lambda x: "base", "CPU")
    over = Library("my", "IMPL", "CPU", registry=registry)
    over.impl("f", lambda x: "over")
    op = registry.get("my::f")
    assert op.lookup(K.CPU)(1) == "over"
    del over
    gc.collect()
    assert op.lookup(K.CPU)(1) == "base"
    base._destroy()
    assert "my::f" not in registry
    with pytest.raises(AssertionError, match="Library object has been destroyed"):
        base.impl("f", abs, "CPU")
    Library("my", "DEF", registry=registry)


def test_fallback_only_in_the_global_namespace(registry):
    """torch's rule and text."""
    lib = Library("_", "IMPL", "Tracer", registry=registry)
    lib.fallback(lambda op, *args, **kwargs: op.name)
    assert registry.has_backend_fallback("Tracer")
    lib._destroy()
    assert not registry.has_backend_fallback("Tracer")
    with pytest.raises(RuntimeError, match='namespace "_" but it is my'):
        Library("my", "IMPL", registry=registry).fallback(abs, "CPU")


@pytest.mark.parametrize(
    ("use", "error", "text"),
    [
        (lambda lib: lib.define("f(int x) -> int"), RuntimeError, "with the same name and overl"),
        (lambda lib: lib.define("f(int x"), RuntimeError, "expected"),
        (lambda lib: lib.define("your::f(int x) -> int"), RuntimeError, "namespace .your. in sch"),
        (lambda lib: lib.define("g(int x) -> int", "BAD"), RuntimeError, "Invalid alias_analysis"),
        (lambda lib: lib.impl("f", 3, "CPU"), TypeError, "required to be a callable but found typ"),
        (lambda lib: lib.impl("f", abs, "CPUX"), RuntimeError, "could not parse dispatch key: C"),
        (lambda lib: lib.impl("your::f", abs, "CPU"), RuntimeError, "namespace .your. in operator"),
        (lambda lib: lib.impl(3, abs, "CPU"), RuntimeError, "either a name or an OpOverload"),
    ],
)
def test_bad_use_is_torchs_error_and_registers_nothing(registry, use, error, text):
    """Type and text are torch's; the registry stays as it was."""
    lib = Library("my", "DEF", registry=registry)
    lib.define("f(int x) -> int")
    before = {op.name: dict(op.entries) for op in registry}
    with pytest.raises(error, match=text):
        use(lib)
    assert {op.name: dict(op.entries) for op in registry} == before


def test_kinds(registry):
    """One DEF block per namespace, no define in IMPL, no foreign key, no reserved name."""
    lib = Library("my", "DEF", registry=registry)
    with pytest.raises(RuntimeError, match="Only a single TORCH_LIBRARY can be used"):
        Library("my", "DEF", registry=registry)
    Library("my", "FRAGMENT", registry=registry).define("g(int x) -> int")
    with pytest.raises(RuntimeError, match="Cannot define an operator inside of a TORCH_LIBRARY_I"):
        Library("my", "IMPL", registry=registry).define("h(int x) -> int")
    with pytest.raises(RuntimeError, match="inconsistent with the dispatch key"):
        Library("my", "IMPL", "CUDA", registry=registry).impl("f", abs, "CPU")
    with pytest.raises(RuntimeError, match="with the wildcard namespace _"):
        Library("_", "FRAGMENT", registry=registry)
    with pytest.raises(RuntimeError, match="library.cpp.:108, please report"):
        Library("our", "DEF", "CPU", registry=registry)
    with pytest.raises(ValueError, match="prim is a reserved namespace"):
        Library("prim", "DEF", registry=registry)
    with pytest.raises(ValueError, match="Unsupported kind: FOO"):
        Library("my", "FOO", registry=registry)
    assert repr(lib) == "Library(kind=DEF, ns=my, dispatch_key=)>"
