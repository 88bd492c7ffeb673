"""Registering, overriding, taking back, and finding ops."""

import threading

import pytest
from mindtorch_dispatch import DispatchKey, Registry
from mindtorch_dispatch.kernel import SharedKernels

K = DispatchKey


@pytest.fixture
def registry():
    return Registry()


def test_bare_name_means_aten(registry):
    """``neg`` and ``aten::neg`` are one op; other namespaces are kept."""
    registry.register_kernel("neg", K.CPU, abs)
    registry.register_kernel("my::neg", K.CPU, abs)
    assert registry.get("neg") is registry.get("aten::neg")
    assert registry.names() == ["aten::neg", "my::neg"]
    op = registry.get("my::neg")
    assert (op.namespace, op.base, op.overload) == ("my", "my::neg", "")


def test_kernel_may_come_before_the_schema(registry):
    """The op exists without a schema until one is registered."""
    registry.register_kernel("neg", K.CPU, abs)
    assert registry.get("neg").schema is None and registry.dangling() == [registry.get("neg")]
    registry.register_schema("aten::neg(Tensor self) -> Tensor")
    assert str(registry.get("neg").schema) == "aten::neg(Tensor self) -> Tensor"
    assert registry.dangling() == []


def test_schema_is_parsed_only_when_asked_for(registry):
    """A malformed text is found when the schema is read, not when it is registered."""
    registry.register_schema("aten::neg(Tensor self")
    with pytest.raises(RuntimeError):
        _ = registry.get("neg").schema


def test_schema_forms(registry):
    """One text, or a name and a text; both must agree."""
    registry.register_schema("neg", "neg(Tensor self) -> Tensor")
    registry.register_schema("my::add.Tensor", "(int a) -> int")
    assert str(registry.get("neg").schema) == "aten::neg(Tensor self) -> Tensor"
    assert str(registry.get("my::add.Tensor").schema) == "my::add.Tensor(int a) -> int"
    with pytest.raises(ValueError, match="aten::abs"):
        registry.register_schema("neg", "abs(Tensor self) -> Tensor")


def test_second_schema_for_an_overload_is_torchs_error(registry):
    """The same text again is harmless; another one is refused and changes nothing."""
    registry.register_schema("aten::f(int x) -> int", where=("a.py", 1))
    registry.register_schema("aten::f(int x) -> int")
    with pytest.raises(RuntimeError) as caught:
        registry.register_schema("aten::f(float x) -> int", where=("b.py", 2))
    assert str(caught.value) == (
        "Tried to register an operator (aten::f(float x) -> int) with the same name and overload"
        " name multiple times. Each overload's schema should only be registered with a single call"
        " to def(). Duplicate registration: registered at b.py:2. Original registration: registered"
        " at a.py:1"
    )
    assert str(registry.get("f").schema) == "aten::f(int x) -> int"


def test_newest_kernel_wins_and_the_older_comes_back(registry):
    """Whatever the order in which registrations are taken back."""
    handles = [registry.register_kernel("f", K.CPU, lambda n=n: n) for n in range(3)]
    op = registry.get("f")
    assert op.lookup(K.CPU)() == 2
    handles[1].remove()
    assert op.lookup(K.CPU)() == 2
    handles[2].remove()
    handles[2].remove()
    assert op.lookup(K.CPU)() == 0
    handles[0].remove()
    assert "f" not in registry


def test_override_can_be_refused(registry):
    """allow_override=False leaves the older kernel alone."""
    registry.register_kernel("f", K.CPU, abs, where=("a.py", 1))
    with pytest.raises(RuntimeError, match="already has a kernel at CPU, a.py:1"):
        registry.register_kernel("f", K.CPU, len, allow_override=False)
    assert registry.get("f").kernels[K.CPU].fn is abs


def test_op_goes_when_nothing_is_left_of_it(registry):
    """Schema and kernels are taken back one by one."""
    schema = registry.register_schema("aten::f(int x) -> int")
    kernel = registry.register_kernel("f", K.CPU, abs)
    schema.remove()
    assert registry.get("f").schema is None
    registry.remove([kernel, schema])
    assert len(registry) == 0


def test_fallbacks_stack_like_kernels(registry):
    """A fallback over the default fallthrough, and back."""
    registry.register_kernel("f", K.CPU, lambda: "cpu")
    op = registry.get("f")
    handle = registry.register_fallback(K.ADInplaceOrView, lambda op, keys, args, kwargs: "view")
    assert registry.has_backend_fallback("ADInplaceOrView")
    assert op.explain(K.ADInplaceOrView).reason == "backend fallback"
    handle.remove()
    assert op.explain(K.ADInplaceOrView).reason == "fallthrough"
    assert not registry.has_backend_fallback("Tracer")


def test_name_without_overload_finds_the_default_or_the_first(registry):
    """``aten::add`` is ``aten::add.Tensor`` where no default overload exists."""
    registry.register_kernel("add.Tensor", K.CPU, abs)
    registry.register_kernel("add.Scalar", K.CPU, abs)
    assert registry.get("add").name == "aten::add.Tensor"
    assert [op.overload for op in registry.overloads("add")] == ["Tensor", "Scalar"]
    registry.register_kernel("add", K.CPU, abs)
    assert registry.get("aten::add").name == "aten::add"


def test_unknown_op_suggests_similar_names(registry):
    """aten::ad → did you mean aten::add?"""
    registry.register_kernel("add.Tensor", K.CPU, abs)
    with pytest.raises(RuntimeError, match="no operator aten::ad is .*did you mean aten::add"):
        registry.get("ad")
    with pytest.raises(RuntimeError, match="registered$"):
        registry.get("completely::different")
    assert registry.find("ad") is None


def test_schema_lookup_is_torchs_error(registry):
    """No schema, and a kernel without one."""
    registry.register_kernel("my::f", K.CPU, abs)
    with pytest.raises(RuntimeError, match="^Could not find schema for my::g.$"):
        registry.schema("my::g")
    with pytest.raises(RuntimeError, match="did you forget to def"):
        registry.schema("my::f")


def test_bad_registrations_leave_the_registry_as_it_was(registry):
    """Unknown key, kernel that cannot be called."""
    with pytest.raises(RuntimeError, match="could not parse dispatch key: Nope"):
        registry.register_kernel("f", "Nope", abs)
    with pytest.raises(TypeError, match="callable"):
        registry.register_kernel("f", K.CPU, 3)
    assert len(registry) == 0


def test_bulk_registration_is_the_same_as_one_by_one(registry):
    """register_op() gives the table that single calls give."""
    other = Registry()
    registry.register_op("aten::f.x(int a) -> int", {K.CPU: abs, K.Meta: len})
    other.register_kernel("f.x", K.Meta, len)
    other.register_kernel("f.x", K.CPU, abs)
    other.register_schema("f.x(int a) -> int")
    one, two = registry.get("f.x"), other.get("f.x")
    assert one.dump_table() == two.dump_table() and str(one.schema) == str(two.schema)
    registry.register_op("f.x(int a) -> int", {K.CPU: max})
    assert one.kernels[K.CPU].fn is max
    one.kernels[K.CPU].remove()
    assert one.kernels[K.CPU].fn is abs


def test_registering_while_other_threads_call(registry):
    """A caller sees the table before or after, never a stale one."""
    registry.register_kernel("f", K.CPU, lambda: 0)
    op = registry.get("f")
    wrong, stop = [], threading.Event()

    def call():
        low = 0
        while not stop.is_set():
            got = op.lookup(K.CPU)()
            if got < low:
                wrong.append((got, low))
            low = got

    threads = [threading.Thread(target=call) for _ in range(3)]
    for t in threads:
        t.start()
    for n in range(1, 500):
        registry.register_kernel("f", K.CPU, lambda n=n: n)
        assert op.lookup(K.CPU)() == n
    stop.set()
    for t in threads:
        t.join()
    assert not wrong


# Going back ---------------------------------------------------------------------------------------


class OneKernel:
    """A source of an op with a kernel at one key."""

    schema_text = "aten::told(int x) -> int"

    def kernels(self):
        return [(K.Meta, lambda op, keyset, args, kwargs: args[0])]


def test_restoring_forgets_what_came_since(registry):
    """Ops, kernels over others, fallthroughs, fallbacks, aliases, blocks of namespaces."""
    registry.register_schema("aten::f(int x) -> int")
    registry.register_kernel("f", K.CPU, abs)
    before = registry.snapshot()
    dump = registry.get("f").dump()
    handles = [registry.register_kernel("f", K.CPU, max), registry.register_kernel("g", K.CPU, max)]
    handles.append(registry.register_schema("my::h(int x) -> int"))
    registry.register_fallthrough("f", K.Tracer)
    registry.register_fallback(K.XLA, max)
    registry.register_alias("e", "f")
    registry.libraries["my"] = "here"
    for _ in range(2):
        registry.restore(before)
        assert registry.names() == ["aten::f"] and registry.get("f").dump() == dump
        assert registry.get("f").lookup(K.CPU).fn is abs
        assert not registry.has_backend_fallback(K.XLA)
        assert not registry.libraries and not registry.has("e")
    registry.remove(handles)
    assert registry.get("f").dump() == dump


def test_restoring_brings_back_what_was_taken(registry):
    """In the order in which kernels of a key lay, and with handles that work."""
    schema = registry.register_schema("aten::f(int x) -> int")
    handles = [registry.register_kernel("f", K.CPU, lambda n=n: n) for n in range(3)]
    op, before = registry.get("f"), registry.snapshot()
    dump = op.dump()
    registry.remove([handles[1], handles[2], handles[0], schema])
    assert not registry.has("f")
    registry.restore(before)
    assert registry.get("f") is op and op.dump() == dump and op.lookup(K.CPU)() == 2
    handles[2].remove()
    handles[1].remove()
    assert op.lookup(K.CPU)() == 0


def test_restored_schema_is_the_former_one(registry):
    """Another one that was registered in the meantime is gone."""
    first = registry.register_schema("aten::f(int x) -> int")
    before = registry.snapshot()
    first.remove()
    registry.register_schema("aten::f(float x) -> float")
    registry.restore(before)
    assert str(registry.get("f").schema) == "aten::f(int x) -> int"


@pytest.mark.parametrize("when", ["before", "between", "after"])
def test_ops_of_a_source_stay(registry, when):
    """Whenever they came and were asked; what a program registered over them goes."""
    if when == "before":
        registry.register_source("aten::told", OneKernel())
    before = registry.snapshot()
    if when == "between":
        registry.register_source("aten::told", OneKernel())
    if when != "after":
        registry.register_kernel("told", K.CPU, abs)
        assert set(registry.get("told").kernels) == {K.CPU, K.Meta}
    registry.restore(before)
    if when == "after":
        registry.register_source("aten::told", OneKernel())
    assert set(registry.get("told").kernels) == {K.Meta}
    assert str(registry.get("told").schema) == OneKernel.schema_text


def test_alias_is_another_name(registry):
    """It is found where there is no op of this name; its target must be there."""
    registry.register_kernel("target.x", K.CPU, abs)
    assert registry.register_alias("other", "target") == "aten::other"
    assert registry.get("other") is registry.get("aten::target.x") and registry.has("aten::other")
    registry.register_kernel("other", K.CPU, max)
    assert registry.get("other").name == "aten::other"
    with pytest.raises(RuntimeError, match="aten::nothing"):
        registry.register_alias("another", "nothing")


class Told:
    """The source of an op: its kernels are those of others."""

    def __init__(self, name, kernels):
        self.schema_text, self._kernels = f"ns::{name}(Tensor x) -> Tensor", kernels

    def kernels(self):
        return self._kernels


def _two_of_one_kind(registry):
    kernels = SharedKernels([(K.CPU, lambda *given: "cpu"), (K.Autograd, lambda *given: "grad")])
    first, second = (registry.register_source(f"ns::{n}", Told(n, kernels)) for n in ("f", "g"))
    return kernels, first, second


def test_who_serves_a_call_is_found_once_for_ops_with_the_same_kernels(registry):
    """The second op is not even loaded; both have what looking for it step by step gives."""
    kernels, first, second = _two_of_one_kind(registry)
    for mask in (int(K.CPU), K.CPU | K.AutogradCPU):
        found = first.shared_kernel(mask)
        assert second.shared_kernel(mask) is found
        assert not second.is_loaded
        assert first.hop(mask).kernel.fn is found
    assert second.hop(K.CPU).kernel.fn is second.shared_kernel(K.CPU) is dict(kernels)[K.CPU]


def test_an_op_with_a_registration_of_its_own_shares_nothing(registry):
    """Also where the others were asked before, and when the registration is taken back."""
    _, first, second = _two_of_one_kind(registry)
    assert first.shared_kernel(K.CPU)() == second.shared_kernel(K.CPU)() == "cpu"
    handle = registry.register_kernel("ns::g", K.CPU, lambda x: "own")
    assert second.shared_kernel(K.CPU) is None and second.hop(K.CPU).kernel(1) == "own"
    assert first.shared_kernel(K.CPU)() == "cpu"
    handle.remove()
    assert (second.shared_kernel(K.CPU) or second.hop(K.CPU).kernel.fn)() == "cpu"


def test_a_fallback_changes_what_ops_share(registry):
    """What was found before is not given any more."""
    _, first, second = _two_of_one_kind(registry)
    mask = K.CPU | K.Negative
    with pytest.raises(NotImplementedError):
        first.shared_kernel(mask)
    handle = registry.register_fallback(K.Negative, lambda *given: "fallback")
    assert second.shared_kernel(mask)() == "fallback"
    handle.remove()
    with pytest.raises(NotImplementedError):
        (second.shared_kernel(mask) or second.hop(mask))()
