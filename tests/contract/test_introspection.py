"""``torch._C``'s questions about ops, registrations and schemas, beside torch's own."""

from __future__ import annotations

import pickle

import mindtorch
import pytest
import torch as oracle

from tests.contract.helpers import assert_same_value, assert_torch_error, both

C, TC = mindtorch._C, oracle._C


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
