"""``torch._C``'s view of the dispatcher, ``torch.ops`` and ``torch.library`` beside torch's own."""

from __future__ import annotations

import copy
import pickle

import mindtorch
import pytest
import torch as oracle

from tests.contract.helpers import assert_same_value, assert_torch_error, both

C, TC = mindtorch._C, oracle._C
KEYS = ["CPU", "Meta", "AutogradCPU", "AutogradOther", "ADInplaceOrView", "BackendSelect",
        "Autograd", "CompositeImplicitAutograd", "CompositeExplicitAutograd", "XLA", "Tracer",
        "Python", "Functionalize", "SparseCPU", "QuantizedCUDA", "AutocastCPU"]  # fmt: skip


def key(torch, name):
    return torch._C._dispatch_key_parse(name)


# Keys ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KEYS)
def test_key_names_and_alias_relations(name):
    """Names go there and back; what an alias stands for is torch's."""

    def facts(torch):
        c = torch._C
        aliases = ["Autograd", "CompositeImplicitAutograd", "CompositeExplicitAutograd"]
        return (
            c._dispatch_key_name(key(torch, name)),
            c._dispatch_is_alias_key(key(torch, name)),
            c._dispatch_is_alias_key(key(torch, name))
            or [c._dispatch_is_included_in_alias(key(torch, name), key(torch, a)) for a in aliases],
            c._parse_dispatch_key(name) is not None,
            c._parse_dispatch_key("Nonsense"),
        )

    assert_same_value(*both(facts))


@pytest.mark.parametrize("name", ["Nonsense", "", "cpu"])
def test_unknown_key(name):
    """torch's text."""
    assert_torch_error(*both(lambda torch: torch._C._dispatch_key_parse(name)))


@pytest.mark.parametrize(
    "make",
    [
        lambda torch: torch.ones(2),
        lambda torch: torch.ones(2, requires_grad=True),
        lambda torch: torch.ones(2, device="meta"),
        lambda torch: torch.ones(2)[0],
    ],
    ids=["plain", "grad", "meta", "view"],
)
def test_keys_of_a_tensor(make):
    """The set of the tensor itself: autograd is always in it."""
    assert_same_value(*both(lambda torch: str(torch._C._dispatch_keys(make(torch)))))
    assert_same_value(*both(lambda torch: str(torch._C._dispatch_key_set(make(torch)))))


def test_keys_of_a_tensor_do_not_depend_on_the_thread():
    """Masks and pipelines are no property of a tensor."""
    a = mindtorch.ones(2)
    want = C._dispatch_keys(a)
    with mindtorch.pipeline(), mindtorch.no_grad():
        with C._ExcludeDispatchKeyGuard(mindtorch._C.DispatchKeySet(C.DispatchKey.CPU)):
            assert C._dispatch_keys(a) == want


def test_keys_of_what_is_no_tensor():
    """torch's text."""
    assert_torch_error(*both(lambda torch: torch._C._dispatch_keys(3)))


def test_operations_on_key_sets():
    """Union, difference, intersection, highest key, membership, as text."""

    def facts(torch):
        s, k = torch._C.DispatchKeySet, torch._C.DispatchKey
        a, b = torch._C._dispatch_keys(torch.ones(2)), s(k.BackendSelect)
        return (
            str(a | b),
            str(a - s(k.CPU)),
            str(a & s(k.CPU)),
            a.has(k.CPU),
            a.has(k.Meta),
            a.add(key(torch, "Tracer")).has(key(torch, "Tracer")),
            str(s(k.AutogradCPU).remove(k.AutogradCPU)),
            torch._C._dispatch_keyset_to_string(s(k.CPU)),
            torch._C._dispatch_keyset_full_after(k.AutogradOther).has(k.AutogradCPU),
            torch._C._dispatch_keyset_full_after(k.AutogradOther).has(k.ADInplaceOrView),
            torch._C._dispatch_keyset_full().has(key(torch, "Tracer")),
            torch._C._dispatch_key_for_device("cpu"),
            torch._C._dispatch_key_for_device("meta"),
            str(torch._C._dispatch_get_backend_keyset_from_autograd(k.AutogradCPU)),
        )

    assert_same_value(*both(facts))


# Masks of the thread ------------------------------------------------------------------------------


def test_masks_and_guards():
    """Guards change what the thread includes and excludes, and put it back."""

    def facts(torch):
        c = torch._C
        k = c.DispatchKey
        tracer = key(torch, "Tracer")
        seen = [str(c._dispatch_tls_local_include_set())]

        def look():
            seen.append(
                [c._dispatch_tls_is_dispatch_key_excluded(k.CPU),
                 c._dispatch_tls_is_dispatch_key_excluded(k.AutogradOther),
                 c._dispatch_tls_is_dispatch_key_excluded(k.ADInplaceOrView),
                 c._dispatch_tls_is_dispatch_key_included(tracer)]
            )  # fmt: skip

        look()
        with c._ExcludeDispatchKeyGuard(c.DispatchKeySet(k.CPU)):
            look()
        with c._IncludeDispatchKeyGuard(tracer):
            look()
        with c._AutoDispatchBelowAutograd():
            look()
        with c._ForceDispatchKeyGuard(c.DispatchKeySet(tracer), c.DispatchKeySet(k.CPU)):
            look()
        guard = c.ExcludeDispatchKeyGuard(c.DispatchKeySet(k.CPU))
        look()
        del guard
        look()
        c._dispatch_tls_set_dispatch_key_excluded(k.CPU, True)
        look()
        c._dispatch_tls_set_dispatch_key_excluded(k.CPU, False)
        c._dispatch_tls_set_dispatch_key_included(tracer, True)
        look()
        c._dispatch_tls_set_dispatch_key_included(tracer, False)
        look()
        return seen

    assert_same_value(*both(facts))


@pytest.mark.parametrize(
    "make",
    [
        lambda c, ks, k: c.ExcludeDispatchKeyGuard(ks),
        lambda c, ks, k: c._ExcludeDispatchKeyGuard(ks),
        lambda c, ks, k: c._IncludeDispatchKeyGuard(k),
        lambda c, ks, k: c._ForceDispatchKeyGuard(ks, ks),
        lambda c, ks, k: c._PreserveDispatchKeyGuard(),
        lambda c, ks, k: c._SetExcludeDispatchKeyGuard(k, True),
        lambda c, ks, k: c._SetExcludeDispatchKeyGuard(c.DispatchKey.AutocastCPU, False),
        lambda c, ks, k: c._AutoDispatchBelowAutograd(),
        lambda c, ks, k: c._AutoDispatchBelowADInplaceOrView(),
        lambda c, ks, k: c._EnablePythonDispatcher(),
        lambda c, ks, k: c._DisablePythonDispatcher(),
        lambda c, ks, k: c._EnablePreDispatch(),
        lambda c, ks, k: c._ExcludeDispatchKeyGuard(3),
        lambda c, ks, k: c._IncludeDispatchKeyGuard("Nonsense"),
        lambda c, ks, k: c.ExcludeDispatchKeyGuard("x"),
    ],
)
def test_guards(make):
    """Made, entered, changed inside, left by an exception and once more: torch's masks."""

    def program(torch):
        c = torch._C
        key = c.DispatchKey.Functionalize
        names = "CPU Functionalize AutocastCPU AutogradCPU AutogradOther AutogradNestedTensor "
        names += "ADInplaceOrView PythonDispatcher PreDispatch"
        keys = [c._dispatch_key_parse(n) for n in names.split()]

        def masks():
            included, excluded = (
                c._dispatch_tls_local_include_set(),
                c._dispatch_tls_local_exclude_set(),
            )
            return [(included.has(k), excluded.has(k)) for k in keys]

        seen = [masks()]
        guard = make(c, c.DispatchKeySet(c.DispatchKey.CPU), key)
        seen.append(masks())
        try:
            with guard as given:
                seen.append((given, masks()))
                c._dispatch_tls_set_dispatch_key_excluded("Tracer", True)
                raise ValueError
        except ValueError:
            seen.append(masks())
        guard.__exit__(None, None, None)
        with guard:
            seen.append(masks())
        del guard
        c._dispatch_tls_set_dispatch_key_excluded("Tracer", False)
        seen.append(masks())
        return seen

    ours, theirs = both(program)
    try:
        theirs()
    except (TypeError, RuntimeError):
        assert_torch_error(ours, theirs)
    else:
        assert_same_value(ours, theirs)


def test_meta_in_the_threads_masks():
    """Every call is one of meta tensors while it is set."""

    def program(torch):
        c = torch._C
        with c._PreserveDispatchKeyGuard():  # torch leaves a bit behind
            seen = [c._meta_in_tls_dispatch_include()]
            c._set_meta_in_tls_dispatch_include(True)
            seen.append(c._meta_in_tls_dispatch_include())
            c._set_meta_in_tls_dispatch_include(False)
            return [*seen, c._meta_in_tls_dispatch_include()]

    assert_same_value(*both(program))


def test_below_autograd_nothing_is_recorded():
    """The guard is what kernels at autograd keys use."""

    def program(torch):
        a = torch.ones(2, requires_grad=True)
        with torch._C._AutoDispatchBelowAutograd():
            b = a * 2
        return b.requires_grad, (a * 2).requires_grad

    assert_same_value(*both(program))


def test_below_view_tracking_nothing_is_counted():
    """Neither bases nor versions."""
    a = mindtorch.ones(2)
    with C._AutoDispatchBelowADInplaceOrView():
        v = a.view(2, 1)
        a.add_(1)
    assert v._base is None and a._version == 0 and v.tolist() == [[2.0], [2.0]]


# Registrations ------------------------------------------------------------------------------------


def test_questions_about_an_op():
    """Kernels and schemas of ops that both have."""

    def facts(torch):
        c = torch._C
        return (
            c._dispatch_has_kernel("aten::add.Tensor"),
            c._dispatch_has_kernel("aten::add"),
            c._dispatch_has_kernel("aten::nope"),
            c._dispatch_has_kernel_for_dispatch_key("aten::mm", "CPU"),
            c._dispatch_has_kernel_for_dispatch_key("aten::mm", "AutogradXLA"),
            c._dispatch_has_kernel_for_any_dispatch_key(
                "aten::mm", c.DispatchKeySet(c.DispatchKey.CPU)
            ),
            c._dispatch_has_computed_kernel_for_dispatch_key("aten::mm", "AutogradCPU"),
            c._dispatch_has_kernel_for_dispatch_key("aten::linear", "CompositeImplicitAutograd"),
            c._dispatch_dump("aten::nope"),
            c._dispatch_dump_table("aten::nope"),
            c._dispatch_has_backend_fallback(c.DispatchKey.AutogradCPU),
        )

    assert_same_value(*both(facts))


@pytest.mark.parametrize(
    "ask",
    [
        lambda c: c._dispatch_has_kernel_for_dispatch_key("aten::nope", "CPU"),
        lambda c: c._dispatch_has_kernel_for_dispatch_key("aten::mm", "Nonsense"),
        lambda c: c._dispatch_find_schema_or_throw("aten::nope", ""),
        lambda c: c._dispatch_find_schema_or_throw("aten::add", "nope"),
        lambda c: c._dispatch_kernel_for_dispatch_key_is_fallthrough("aten::mm", "ADInplaceOrView"),
    ],
    ids=["op", "key", "schema", "overload", "fallthrough"],
)
def test_bad_questions(ask):
    """torch's texts."""
    assert_torch_error(*both(lambda torch: ask(torch._C)))


def test_all_our_ops_have_torchs_schemas():
    """Every overload we register is one of torch's, and says the same of itself."""
    names = [n for n in C._dispatch_get_all_op_names() if n.startswith("aten::")]
    assert len(names) > 300
    theirs = set(TC._dispatch_get_all_op_names())
    shared = [n for n in names if n in theirs]
    assert len(shared) > 0.8 * len(names)
    for name in ("aten::add.Tensor", "aten::mm", "aten::sum.dim_IntList", "aten::view"):
        base, _, overload = name[6:].partition(".")
        ours = getattr(getattr(mindtorch.ops.aten, base), overload or "default")._schema
        want = getattr(getattr(oracle.ops.aten, base), overload or "default")._schema
        assert str(ours) == str(want)


def test_registrations_of_a_key():
    """By key, or all."""
    cpu = C._dispatch_get_registrations_for_dispatch_key("CPU")
    assert "aten::add.Tensor" in cpu and "aten::linear" not in cpu
    assert "aten::linear" in C._dispatch_get_registrations_for_dispatch_key()
    assert_torch_error(
        *both(lambda torch: torch._C._dispatch_get_registrations_for_dispatch_key("Nonsense"))
    )


def test_library_through_the_introspection_door():
    """Registrations show in the dump, and go with the object."""

    def program(torch):
        c = torch._C
        lib = c._dispatch_library("FRAGMENT", "introspection_test", "", "place.py", 3)
        lib.define("f(Tensor x) -> Tensor")
        lib.impl("f", "CPU", lambda x: x)
        lib.impl("f", "AutogradCPU", torch.library.fallthrough_kernel)
        lib.impl_t_t("f", "Autograd", "named")
        seen = [
            c._dispatch_dump("introspection_test::f"),
            c._dispatch_kernel_for_dispatch_key_is_fallthrough(
                "introspection_test::f", "AutogradCPU"
            ),
            [
                line
                for line in c._dispatch_dump_table("introspection_test::f").splitlines()
                if line.startswith(("CPU", "AutogradCPU", "AutogradMeta"))
            ],
        ]
        del lib
        return (*seen, c._dispatch_dump("introspection_test::f"),
                c._dispatch_has_kernel("introspection_test::f"))  # fmt: skip

    assert_same_value(*both(program))


@pytest.mark.parametrize(
    "keys",
    [
        ["CPU", "XLA", "Lazy", "CompositeImplicitAutograd"],
        ["CPU", "Autograd", "CompositeImplicitAutograd"],
        ["CPU", "AutogradCPU", "CompositeExplicitAutograd"],
        ["FPGA", "AutogradOther", "CompositeImplicitAutograd"],
        ["FPGA", "CompositeImplicitAutograd"],
        ["CPU", "XLA"],
        [],
        ["CPU", "CPU"],
        ["CompositeExplicitAutograd", "CompositeImplicitAutograd"],
        ["CPU", "Meta"],
    ],
    ids=" ".join,
)
def test_python_dispatcher(keys):
    """torch's teaching tool: its tables and refusals."""

    def program(torch):
        from importlib import import_module

        dispatcher = import_module(f"{torch.__name__}._python_dispatcher").PythonDispatcher()
        try:
            dispatcher.register(keys)
            refused = ""
        except RuntimeError as error:
            refused = str(error)
        return (refused, dispatcher.keys(), dispatcher.registrations(), dispatcher.dispatchTable(),
                dispatcher.rawRegistrations())  # fmt: skip

    assert_same_value(*both(program))
    assert not C._dispatch_has_kernel("__test__::foo")


def test_schemas_by_name():
    """Reading schemas, and finding those of ops."""

    def facts(torch):
        c = torch._C
        relu = c._get_schema("aten::relu", "")
        return (
            str(c.parse_schema("aten::f(Tensor x, t y) -> t")), str(relu), type(relu).__module__,
            [str(s) for s in c._jit_get_schemas_for_operator("aten::relu")],
            c._jit_get_schemas_for_operator("aten::nope"), c._jit_get_operation("aten::nope"),
            c._jit_get_operation("aten::relu")[1],
            c._jit_get_operation("aten::relu")[0](torch.tensor([-1.0, 1.0])),
            len(c._jit_get_all_schemas()) > 100, type(relu.arguments[0]).__module__,
            isinstance(relu, c.FunctionSchema), isinstance(relu.arguments[0], c.Argument),
            str(pickle.loads(pickle.dumps(relu))), pickle.loads(pickle.dumps(relu)) == relu,
        )  # fmt: skip

    assert_same_value(*both(facts))
    assert_torch_error(*both(lambda torch: torch._C._get_schema("aten::add", "nope")))


def test_operator_handles():
    """What ``_dispatch_find_schema_or_throw`` gives, and computed kernels."""

    def facts(torch):
        c = torch._C
        one, cpu = torch.ones(2), c.DispatchKeySet(c.DispatchKey.CPU)
        handle = c._dispatch_find_schema_or_throw("aten::add", "Tensor")
        kernel = c._dispatch_get_computed_kernel_for_dispatch_key("aten::add.Tensor", "CPU")
        return (
            str(handle.schema()), handle.debug().startswith("registered at "),
            handle.redispatch_boxed(cpu, one, one), c._dispatch_call_boxed(handle, one, one),
            kernel.call_boxed(cpu, one, one), str(kernel.op_handle.schema()),
            repr(kernel).startswith("SafeKernelFunction(debug='registered at "),
        )  # fmt: skip

    assert_same_value(*both(facts))


@pytest.mark.parametrize(
    "ask",
    [
        lambda c: c._dispatch_find_schema_or_throw("aten::nope", ""),
        lambda c: c._dispatch_find_schema_or_throw("aten::add", "nope"),
        lambda c: c._dispatch_has_kernel_for_dispatch_key("aten::nope", "CPU"),
        lambda c: c._dispatch_has_kernel_for_dispatch_key("aten::add.Tensor", "Nonsense"),
        lambda c: c._dispatch_has_kernel_for_any_dispatch_key(
            "aten::nope", c.DispatchKeySet(c.DispatchKey.CPU)
        ),
        lambda c: c._dispatch_has_computed_kernel_for_dispatch_key("aten::add.Tensor", "Autograd"),
        lambda c: c._dispatch_has_computed_kernel_for_dispatch_key("aten::add.Tensor", "Nonsense"),
        lambda c: c._dispatch_has_computed_kernel_for_dispatch_key("aten::nope", "CPU"),
        lambda c: c._dispatch_kernel_for_dispatch_key_is_fallthrough("aten::add.Tensor", "FPGA"),
        lambda c: c._dispatch_get_computed_kernel_for_dispatch_key("aten::nope", "CPU"),
        lambda c: c._dispatch_get_computed_kernel_for_dispatch_key("aten::add.Tensor", "Autograd"),
        lambda c: c._dispatch_get_registrations_for_dispatch_key("Nonsense"),
        lambda c: c._dispatch_dump("a b"),
        lambda c: c._dispatch_dump_table("f("),
        lambda c: c._dispatch_has_kernel("f()->()"),
        lambda c: c._dispatch_check_invariants(""),
        lambda c: c._dispatch_library("NONE", "x", ""),
        lambda c: c._dispatch_library("IMPL", "x", "Nonsense"),
        lambda c: c._dispatch_library("FRAGMENT", "x", "CPU", "f.py", 3),
    ],
)
def test_questions_that_torch_refuses(ask):
    """torch's types and texts."""
    assert_torch_error(*both(lambda torch: ask(torch._C)))


def test_invariants_hold():
    """Of every op that mindtorch registers, calls made or not."""
    (mindtorch.ones(2) + 1).relu()
    C._dispatch_check_all_invariants()
    C._dispatch_check_invariants("aten::add.Tensor")
    C._dispatch_check_invariants("aten::nope")


def test_functions_of_nn_are_a_module_of_their_own():
    """``torch._C._nn`` has what torch's has, and not the rest."""
    assert C._nn.linear is not None and "linear" in dir(C._nn)
    assert set(dir(C._nn)) <= set(dir(TC._nn))
    for name in ("add", "nope"):
        with pytest.raises(AttributeError):
            getattr(C._nn, name)
    assert C._VariableFunctions.add(mindtorch.ones(2), 1).tolist() == [2.0, 2.0]


def test_core_classes_and_switches():
    """Names under which other code reaches the classes."""
    assert isinstance(mindtorch.ones(1), C.TensorBase) and C.Size is mindtorch.Size
    assert C.device is mindtorch.device and C.dtype is mindtorch.dtype
    assert C.Generator is mindtorch.Generator
    assert C._get_default_device() == TC._get_default_device()
    C._set_grad_enabled(False)
    try:
        assert not mindtorch.is_grad_enabled() and not C.is_grad_enabled()
    finally:
        C._set_grad_enabled(True)


# torch.ops ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        lambda t: t.ops.aten.add.Tensor(t.ones(2), t.ones(2)),
        lambda t: t.ops.aten.add.Tensor(t.ones(2), 2, alpha=3),
        lambda t: t.ops.aten.add.Tensor(1, 2),
        lambda t: t.ops.aten.add(t.ones(2), t.ones(2), alpha=2),
        lambda t: t.ops.aten.relu(t.tensor([-1.0, 1.0])),
        lambda t: t.ops.aten.relu.default(t.ones(2, requires_grad=True)),
        lambda t: t.ops.aten.sum.dim_IntList(t.ones(2, 3), [1], True),
        lambda t: t.ops.aten.cat([t.ones(2), t.zeros(1)]),
        lambda t: t.ops.aten.view(t.ones(4), [2, 2]),
        lambda t: t.ops.aten.view.default(self=t.ones(4), size=[2, 2]),
        lambda t: t.ops.aten.add_.Tensor(t.ones(2), t.ones(2)),
        lambda t: t.ops.aten.add.out(t.ones(2), t.ones(2), out=t.empty(2)),
        lambda t: t.ops.aten.max.dim(t.tensor([[1.0, 3.0]]), 1)[1],
        lambda t: t.ops.aten.ones([2], dtype=t.int32),
        lambda t: t.ops.aten.mm.default.decompose(t.ones(1, 1), t.ones(1, 1)) is NotImplemented,
        lambda t: t.ops.aten.mm.default.redispatch(
            t._C.DispatchKeySet(t._C.DispatchKey.CPU), t.ones(2, 2, requires_grad=True), t.eye(2)
        ),
        lambda t: t.ops.aten.sum.dim_IntList(t.ones(2), [0], keepdim=1),
    ],
)
def test_calls_through_torch_ops(call):
    """Values, dtypes and history."""
    assert_same_value(*both(call))


@pytest.mark.parametrize(
    "call",
    [
        lambda t: t.ops.aten.nope,
        lambda t: t.ops.nowhere.nope,
        lambda t: t.ops.aten.add.nope,
        lambda t: t.ops.aten.relu.default(),
        lambda t: t.ops.aten.add.Tensor(t.ones(2)),
        lambda t: t.ops.aten.add.Tensor(t.ones(2), t.ones(2), 1),
        lambda t: t.ops.aten.add.Tensor(t.ones(2), t.ones(2), foo=1),
        lambda t: t.ops.aten.relu.default([1, 2]),
        lambda t: t.ops.aten.relu([1, 2]),
        lambda t: t.ops.aten.view.default(t.ones(2), 2),
        lambda t: t.ops.aten.view.default(t.ones(2), [2, "x"]),
        lambda t: t.ops.aten.ones.default([2], dtype="x"),
        lambda t: t.ops.aten.add.Tensor(t.ones(2), t.ones(2), alpha="x"),
        lambda t: t.ops.aten.add.Tensor(t.ones(2), t.ones(3)),
    ],
)
def test_bad_calls_through_torch_ops(call):
    """torch's types and texts."""
    assert_torch_error(*both(call))


def test_what_an_overload_says_of_itself():
    """Names, schema, text."""

    def facts(torch):
        packet = torch.ops.aten.add
        op = packet.Tensor
        return (
            repr(packet), str(packet), repr(op), str(op), op.name(), op.namespace, op.__name__,
            str(op._schema), op.overloadpacket is packet, packet.Tensor is op,
            torch.ops.aten.relu.overloads()[:1], "Tensor" in packet.overloads(),
            op.has_kernel_for_dispatch_key(torch._C.DispatchKey.CPU),
            torch.ops.aten.view.default.is_view, op.is_view, torch.ops.aten.add_.Tensor.is_view,
            copy.deepcopy(op) is op, torch.ops.aten.linear.default._can_decompose(),
        )  # fmt: skip

    assert_same_value(*both(facts))
    assert (
        pickle.loads(pickle.dumps(mindtorch.ops.aten.add.Tensor)) is mindtorch.ops.aten.add.Tensor
    )


def test_attributes_of_overloads_packets_and_namespaces():
    """The names under which torch's own code and others' ask."""

    def facts(torch):
        op, packet = torch.ops.aten.relu.default, torch.ops.aten.relu
        one = torch.ones(2)
        return (
            op._name, op._namespace, op._overloadname, op._overloadpacket is packet, op.__module__,
            op.__qualname__, op._defined_in_python, op._nondeterministic_seeded,
            torch.ops.aten.bernoulli.p._nondeterministic_seeded, str(op._handle.schema()),
            op.op(one), op._op(one), op._op_dk(torch._C.DispatchKey.CPU, one),
            str(op._get_dispatch(torch._C.DispatchKey.CPU)), packet.op(one), packet._op(one),
            packet._overload_names, packet.__module__, packet._qualified_op_name,
            torch.ops.aten.__name__, torch.ops.aten.__file__, repr(torch.ops.aten),
            torch.ops.__name__, torch.ops.__file__, repr(torch.ops), type(torch.ops).__name__,
            type(torch.ops.aten).__name__, type(op).__name__, type(packet).__name__,
            torch.ops.loaded_libraries, torch.ops.import_module("math"), hash(op) == hash(op),
            op == torch.ops.aten.relu_.default, type(op).__module__,
        )  # fmt: skip

    assert_same_value(*both(facts))
    assert_torch_error(*both(lambda torch: torch.ops.load_library("/nowhere/nothing.so")))


def test_tags_of_every_op():
    """Of every overload that torch has too."""
    wrong = []
    for operator in C._dispatch_get_all_op_names():
        namespace, _, rest = operator.partition("::")
        base, _, overload = rest.partition(".")
        if namespace != "aten":
            continue
        try:
            theirs = getattr(getattr(oracle.ops.aten, base), overload or "default").tags
        except AttributeError:
            continue
        ours = getattr(getattr(mindtorch.ops.aten, base), overload or "default").tags
        if [repr(t) for t in ours] != [repr(t) for t in theirs]:
            wrong.append((operator, ours, theirs))
    assert wrong == []


def test_python_kernels():
    """``py_impl`` serves its key while the Python dispatcher is enabled, aliases too."""

    def program(torch):
        c = torch._C
        keys = c.DispatchKey
        lib = torch.library.Library("py_impl_test", "FRAGMENT")
        lib.define("f(Tensor x) -> Tensor")
        lib.define("g(Tensor x) -> Tensor")
        lib.impl("f", lambda x: x + 1, "CPU")
        lib.impl("g", lambda x: x + 10, "CompositeImplicitAutograd")
        f, g = torch.ops.py_impl_test.f.default, torch.ops.py_impl_test.g.default
        f.py_impl(keys.CPU)(lambda x: x + 2)
        g.py_impl(keys.CompositeImplicitAutograd)(lambda x: x + 20)
        x = torch.ones(1)
        seen = [f(x), g(x)]
        guard = c._EnablePythonDispatcher()
        seen += [f(x), g(x), x.relu()]
        with c._DisablePythonDispatcher():
            seen.append(f(x))
        del guard
        seen.append(f(x))
        for key in (keys.CPU, keys.Python):
            try:
                f.py_impl(key)(lambda x: x)
            except (RuntimeError, AssertionError) as error:
                seen.append(str(error))
        with c._EnablePreDispatch():
            seen.append(x + 1)
        lib._destroy()
        return seen

    assert_same_value(*both(program))


# torch.library ------------------------------------------------------------------------------------


def define_scale(torch):
    """An op of one's own with kernels for the cpu and for meta tensors."""
    lib = torch.library.Library("introspection_lib", "FRAGMENT")
    lib.define("scale(Tensor x, float by=2.0, *, int plus=0) -> Tensor")
    lib.impl("scale", lambda x, by=2.0, *, plus=0: x * by + plus, "CPU")
    lib.impl("scale", lambda x, by=2.0, *, plus=0: torch.empty_like(x), "Meta")
    return lib


def test_op_of_ones_own():
    """Defined, called by ``torch.ops``, gone with its library."""

    def program(torch):
        lib = define_scale(torch)
        try:
            f = torch.ops.introspection_lib.scale
            x = torch.ones(2)
            return (
                f(x), f(x, 3.0), f(x, by=4.0, plus=1), f.default(x, plus=2), f.overloads(),
                f(torch.ones(2, device="meta")).shape, str(f.default._schema),
            )  # fmt: skip
        finally:
            lib._destroy()

    assert_same_value(*both(program))
    assert not C._dispatch_has_kernel("introspection_lib::scale")
    with pytest.raises(AttributeError):
        mindtorch.ops.introspection_lib.scale


def test_op_of_ones_own_without_a_kernel_for_a_device():
    """torch's error type, naming op and backend."""
    lib = define_scale(mindtorch)
    try:
        with pytest.raises(NotImplementedError, match=r"introspection_lib::scale.*'NPU' backend"):
            mindtorch.ops.introspection_lib.scale(mindtorch.ones(2, device="npu"))
    finally:
        lib._destroy()


def test_newest_kernel_of_a_real_op_wins_and_goes():
    """``impl`` over an aten op, until the library is destroyed."""

    def program(torch):
        lib = torch.library.Library("aten", "IMPL", "Meta")
        try:
            lib.impl("relu", lambda x: torch.empty(7, device="meta"), allow_override=True)
            during = torch.ones(2, device="meta").relu().shape
        finally:
            lib._destroy()
        return during, torch.ones(2, device="meta").relu().shape

    assert_same_value(*both(program))
