"""The computed table: which kernel runs at which key, and why."""

from itertools import permutations

import pytest
from mindtorch_dispatch import DispatchKey, Registry, key_name

K = DispatchKey


@pytest.fixture
def registry():
    return Registry()


def kernel(name):
    def fn(*args):
        return name

    return fn


def rules(op, *keys):
    return {key_name(k): op.explain(k).reason for k in keys}


def test_direct_kernel_beats_every_alias(registry):
    """A kernel at the very key is taken first."""
    for key in (K.CompositeExplicitAutograd, K.CompositeImplicitAutograd, K.CPU):
        registry.register_kernel("f", key, kernel(key.name))
    op = registry.get("f")
    assert op.explain("CPU").reason == "direct" and op.lookup(K.CPU)() == "CPU"
    assert op.explain("NPU").reason == "CompositeExplicitAutograd"


def test_explicit_composites_leave_autograd_alone(registry):
    """They fill backends only; NonFunctional is preferred where it applies."""
    registry.register_kernel("f", K.CompositeExplicitAutograd, kernel("explicit"))
    registry.register_kernel("f", K.CompositeExplicitAutogradNonFunctional, kernel("nonfunc"))
    assert rules(registry.get("f"), K.CPU, K.SparseCPU, K.XLA, K.AutogradCPU, K.Undefined) == {
        "CPU": "CompositeExplicitAutogradNonFunctional",
        "SparseCPU": "CompositeExplicitAutograd",
        "XLA": "CompositeExplicitAutograd",
        "AutogradCPU": "fallthrough",
        "Undefined": "CompositeExplicitAutogradNonFunctional",
    }


def test_implicit_composite_fills_autograd_unless_the_backend_has_a_kernel(registry):
    """A backend's own kernel keeps autograd from decomposing the op."""
    registry.register_kernel("f", K.CompositeImplicitAutograd, kernel("math"))
    registry.register_kernel("f", K.CPU, kernel("cpu"))
    assert rules(registry.get("f"), K.CPU, K.AutogradCPU, K.NPU, K.AutogradNPU, K.Tracer) == {
        "CPU": "direct",
        "AutogradCPU": "fallthrough",
        "NPU": "CompositeImplicitAutograd",
        "AutogradNPU": "CompositeImplicitAutograd",
        "Tracer": "missing",
    }


def test_autogradother_is_ambiguous_beside_a_backend_kernel(registry):
    """torch refuses to guess between decomposing and the backend's own kernel."""
    registry.register_kernel("f", K.CompositeImplicitAutograd, kernel("math"))
    registry.register_kernel("f", K.SparseCPU, kernel("sparse"))
    op = registry.get("f")
    hop = op.explain("AutogradOther")
    assert hop.reason == "ambiguous AutogradOther"
    with pytest.raises(RuntimeError, match="registered to both CompositeImplicitAutograd"):
        op.lookup(K.AutogradOther).call(op, None, (), {})


def test_autograd_alias_serves_every_autograd_key(registry):
    """After the composites, before fallbacks."""
    registry.register_kernel("f", K.Autograd, kernel("grad"))
    registry.register_kernel("f", K.CPU, kernel("cpu"))
    found = rules(registry.get("f"), K.AutogradCPU, K.AutogradOther, K.AutogradNestedTensor)
    assert set(found.values()) == {"Autograd alias"}


def test_backend_fallback_serves_ops_without_a_kernel(registry):
    """And a kernel of the op's own beats it."""
    registry.register_fallback(K.Tracer, lambda op, keys, args, kwargs: (op.name, args, kwargs))
    registry.register_kernel("f", K.CPU, kernel("cpu"))
    op = registry.get("f")
    assert op.explain("Tracer").reason == "backend fallback"
    assert op.lookup(K.Tracer | K.CPU).call(op, None, (1,), {"a": 2}) == ("aten::f", (1,), {"a": 2})
    registry.register_kernel("f", K.Tracer, kernel("own"))
    assert op.explain("Tracer").reason == "direct"


def test_fallthrough_skips_the_key(registry):
    """An op's own fallthrough beats a fallback."""
    registry.register_fallback(K.Tracer, kernel("fallback"))
    registry.register_fallthrough("f", K.Tracer)
    registry.register_kernel("f", K.CPU, kernel("cpu"))
    op = registry.get("f")
    assert op.explain("Tracer").reason == "fallthrough"
    assert op.lookup(K.Tracer | K.CPU)() == "cpu"
    assert op.fallthrough == {K.Tracer} and set(op.kernels) == {K.CPU}


def test_empty_set_runs_the_undefined_slot(registry):
    """An op without tensor arguments runs a composite kernel, as in torch."""
    registry.register_kernel("f", K.CompositeExplicitAutograd, kernel("composite"))
    op = registry.get("f")
    assert op.lookup(0)() == op.lookup(K.BackendSelect | K.ADInplaceOrView)() == "composite"


def test_alias_keys_and_optional_backends_in_a_set_fall_through(registry):
    """CompositeImplicitAutograd and PrivateUse2/3 without kernels are skipped."""
    registry.register_kernel("f", K.CPU, kernel("cpu"))
    op = registry.get("f")
    for key in (K.CompositeImplicitAutograd, K.Dense, K.PrivateUse2, K.PrivateUse3):
        assert op.lookup(K.CPU | key)() == "cpu"
    registry.register_kernel("f", K.PrivateUse2, kernel("two"))
    assert op.lookup(K.CPU | K.PrivateUse2)() == "two"
    with pytest.raises(NotImplementedError, match="from the 'PrivateUse3' backend"):
        op.lookup(K.PrivateUse3)


def test_autograd_in_a_set_stands_for_its_backends_key(registry):
    """{Autograd, CPU} runs what AutogradCPU has."""
    registry.register_kernel("f", K.AutogradCPU, kernel("grad"))
    registry.register_kernel("f", K.CPU, kernel("cpu"))
    registry.register_kernel("f", K.NPU, kernel("npu"))
    op = registry.get("f")
    assert op.lookup(K.Autograd | K.CPU)() == "grad"
    assert op.lookup(K.Autograd | K.NPU)() == "npu"


def test_missing_kernel_is_torchs_error(registry):
    """NotImplementedError that names op, key and the keys that have kernels."""
    registry = Registry(defaults=False)
    registry.register_kernel("my::f.x", K.Meta, kernel("meta"), where=("a.py", 3))
    registry.register_kernel("my::f.x", K.CPU, kernel("cpu"), where=("a.py", 2))
    with pytest.raises(NotImplementedError) as caught:
        registry.get("my::f.x").lookup(K.CUDA)
    text = str(caught.value)
    assert text.startswith(
        "Could not run 'my::f.x' with arguments from the 'CUDA' backend. This could be because"
    )
    assert text.endswith(
        "'my::f.x' is only available for these backends: [CPU, Meta].\n\n"
        "CPU: registered at a.py:2 [kernel]\nMeta: registered at a.py:3 [kernel]\n"
    )


def test_no_keys_and_no_composite_is_torchs_error(registry):
    """The text about tensor arguments."""
    registry.register_kernel("f", K.CPU, kernel("cpu"))
    with pytest.raises(NotImplementedError, match="^There were no tensor arguments to this func"):
        registry.get("f").lookup(0)


def test_table_is_the_same_for_every_registration_order():
    """All orders of schema, kernels, alias kernels, fallthrough and fallback give one table."""
    fns = {k: kernel(k) for k in ("cpu", "math", "explicit", "grad", "fallback")}
    steps = [
        lambda r: r.register_schema("aten::f(int x) -> int"),
        lambda r: r.register_kernel("f", K.CPU, fns["cpu"]),
        lambda r: r.register_kernel("f", K.CompositeImplicitAutograd, fns["math"]),
        lambda r: r.register_kernel("f", K.Autograd, fns["grad"]),
        lambda r: r.register_fallthrough("f", K.Tracer),
        lambda r: r.register_fallback(K.Functionalize, fns["fallback"]),
    ]
    tables = set()
    for order in permutations(steps):
        registry = Registry()
        for step in order[:-1]:
            step(registry)
        registry.get("f").dump_table()  # what is remembered of this must not outlive the last step
        order[-1](registry)
        tables.add((registry.get("f").dump_table(), str(registry.get("f").schema)))
    assert len(tables) == 1
    table = tables.pop()[0]
    assert "Tracer: fallthrough" in table and "[autograd kernel]" in table


def test_path_lists_the_hops_below_each_wrapper(registry):
    """Wrappers hand on; a backend or composite kernel ends the path."""
    for key in (K.Tracer, K.Autograd, K.CPU):
        registry.register_kernel("f", key, kernel(key.name))
    op = registry.get("f")
    mask = K.Tracer | K.BackendSelect | K.Autograd | K.AutogradCPU | K.ADInplaceOrView | K.CPU
    assert [h.key for h in op.path(mask)] == [K.Tracer, K.AutogradCPU, K.CPU]
    assert [(h.key, h.reason) for h in op.path(mask, skipped=True)] == [
        (K.Tracer, "direct"),
        (K.BackendSelect, "fallthrough"),
        (K.AutogradCPU, "Autograd alias"),
        (K.ADInplaceOrView, "fallthrough"),
        (K.CPU, "direct"),
    ]
    hops = op.path(K.Tracer | K.CUDA)
    assert [(h.key, h.reason) for h in hops] == [(K.Tracer, "direct"), (K.CUDA, "missing")]
    registry.register_kernel("g", K.CompositeImplicitAutograd, kernel("math"))
    assert [h.key for h in registry.get("g").path(K.AutogradCPU | K.CPU)] == [K.AutogradCPU]


def test_where_points_at_the_kernel(registry):
    """At the function by default, at what was given else."""
    registry.register_kernel("f", K.CPU, test_where_points_at_the_kernel)
    line = test_where_points_at_the_kernel.__code__.co_firstlineno
    assert registry.get("f").explain("CPU").where == f"{__file__}:{line}"
    registry.register_kernel("f", K.NPU, len)
    assert registry.get("f").explain("NPU").where == "builtins.len"
    registry.register_kernel("f", K.Meta, len, where=("x.py", 7))
    assert registry.get("f").explain("Meta").where == "x.py:7"


def test_registrations_clear_what_was_resolved(registry):
    """The op's own table, call tables of others, and their callbacks."""
    first = registry.register_kernel("f", K.CPU, kernel("one"))
    op = registry.get("f")
    changes = []
    op.on_change = [changes.append]
    for change, want in [
        (lambda: registry.register_kernel("f", K.CPU, kernel("two")), "two"),
        (lambda: registry.register_fallback(K.Tracer, kernel("t")), "two"),
        (lambda: op.kernels[K.CPU].remove(), "one"),
    ]:
        op.lookup(K.CPU)
        op.call_table[1] = "resolved"
        version = op.version
        change()
        assert not op.call_table and not op.table and op.version > version
        assert op.lookup(K.CPU)() == want
    assert changes == [op] * 3 and first.owner is op


def test_what_was_found_before_a_registration_is_not_remembered():
    """A caller may resolve while another thread registers; what it found is old by then."""
    registry = Registry()
    registry.register_kernel("f", "CPU", abs)
    op = registry.get("f")
    table: dict[int, str] = {}
    version = op.version
    op.remember(table, 1, "found", version)
    assert table == {1: "found"}
    registry.register_kernel("f", "CPU", len)
    op.remember(table, 2, "too old", version)
    assert table == {1: "found"}
