"""``torch.ops``: calls, what overloads say of themselves, tags, and ops of one's own."""

from __future__ import annotations

import copy
import importlib
import pickle

import mindtorch
import pytest
import torch as oracle
from mindtorch.call.row import ROWS

from tests.contract.helpers import assert_same_value, assert_torch_error, both

C, TC = mindtorch._C, oracle._C


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
        lambda t: t.ops.aten.max(t.tensor([[1.0, 3.0]]), 1)[1],
        lambda t: t.ops.aten.min(t.tensor([[1.0, 3.0]]), 1, True)[0],
        lambda t: t.ops.aten.to(t.ones(2, requires_grad=True), t.float64),
        lambda t: t.ops.aten.to.dtype(t.ones(2), t.float32, False, True),
        lambda t: t.ops.aten.to.device(t.ones(2), "cpu", t.int64),
        lambda t: t.ops.aten.to.other(t.ones(2), t.ones(1, dtype=t.bool)),
        lambda t: t.ops.aten.to.dtype_layout(t.ones(2), dtype=t.float16, pin_memory=False),
        lambda t: t.ops.aten.to.dtype_layout(t.ones(2, 1, 2, 2), memory_format=t.channels_last),
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


def with_numbers(t):
    """The overloads of two or three tensors that take numbers for the others, too."""
    names = []
    for base in sorted({row.base for row in ROWS.values()}):
        packet = getattr(t.ops.aten, base, None)
        for overload in packet.overloads() if packet else ():
            schema = getattr(packet, overload)._schema
            needed = [a for a in schema.arguments if not a.has_default_value()]
            kinds = [str(a.type) for a in needed if not a.kwarg_only]
            if len(kinds) == len(needed) and kinds in (["Tensor"] * 2, ["Tensor"] * 3):
                try:
                    getattr(packet, overload)(t.ones(2), *[1] * (len(needed) - 1))
                except (RuntimeError, TypeError, IndexError, ValueError) as error:
                    if "Expected a value of type 'Tensor'" in str(error):
                        continue
                names.append(f"{base}.{overload}")
    return names


def test_numbers_for_tensors_are_taken_where_the_oracle_takes_them():
    """By arithmetic and copies; elsewhere another overload is meant."""
    want = with_numbers(oracle)
    assert {"add.Tensor", "floor_divide.default", "copy_.default"} <= set(want)
    assert [n for n in with_numbers(mindtorch) if n not in want] == []
    known = [f"{row.base}.{row.overload or 'default'}" for row in ROWS.values()]
    assert [n for n in want if n in known and n not in with_numbers(mindtorch)] == []


def test_to_is_decomposed_before_a_mode_sees_it():
    """As a composite op is."""
    for t in (mindtorch, oracle):
        seen = []

        class Noting(
            importlib.import_module(f"{t.__name__}.utils._python_dispatch").TorchDispatchMode
        ):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                seen.append(str(func))
                return func(*args, **(kwargs or {}))

        with Noting():
            t.ops.aten.to.dtype(t.zeros(()), t.float64)
        assert seen == ["aten.zeros.default", "aten._to_copy.default"]


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
        getattr(op, "_dispatch_cache", {}).clear()  # torch asserts that nobody called it before
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
            lib.impl("rad2deg", lambda x: torch.empty(7, device="meta"), allow_override=True)
            during = torch.ones(2, device="meta").rad2deg().shape
        finally:
            lib._destroy()
        return during, torch.ones(2, device="meta").rad2deg().shape

    assert_same_value(*both(program))


class Taker:
    """No tensor, but it overrides functions."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func, types, len(args)


@pytest.mark.parametrize("name", ["add.Tensor", "sum.dim_IntList", "cat.default", "exp.default"])
def test_an_object_takes_over_a_first_call_as_any_other(name):
    """Whether the overload was called before or not."""
    base, overload = name.split(".")
    for t in (oracle, mindtorch):
        op = getattr(getattr(t.ops.aten, base), overload)
        if t is mindtorch and hasattr(op, "_entrance"):
            del op._entrance  # as if nobody had called it
        args = ([Taker()],) if base == "cat" else (Taker(), 1)[: 1 + (base in ("add", "sum"))]
        for _ in range(7):
            assert op(*args) == (op, (Taker,), len(args))


class Hears:
    """No tensor, but an object that calls are handed to."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return str(func), [kind.__name__ for kind in types], len(args), sorted(kwargs or {})


@pytest.mark.parametrize(
    "call",
    [
        lambda ops, x, p: ops.sigmoid(p),
        lambda ops, x, p: ops.cat([p, p]),
        lambda ops, x, p: ops.cat((x, p)),
        lambda ops, x, p: ops.cat([x, p], dim=0),
        lambda ops, x, p: ops.cat(tensors=[x, p]),
        lambda ops, x, p: ops.cat.default([p]),
        lambda ops, x, p: ops.stack([x, p]),
        lambda ops, x, p: ops.index(x, [p]),
        lambda ops, x, p: ops.add(x, p),
        lambda ops, x, p: ops.add(x, other=p),
        lambda ops, x, p: ops.sum(x, [p]),
        lambda ops, x, p: ops._foreach_add([p], 1),
        lambda ops, x, p: ops.zeros([p]),
        lambda ops, x, p: ops.view(x, [p, 2]),
    ],
)
def test_what_is_no_tensor_gets_the_call_from_within_a_list(call):
    def heard(t):
        return call(t.ops.aten, t.ones(2), Hears())

    assert heard(mindtorch) == heard(oracle)


def test_a_list_in_a_list_is_not_looked_into():
    def heard(t):
        with pytest.raises(RuntimeError, match="failed to match any schema"):
            t.ops.aten.cat([[Hears()]])

    heard(mindtorch)
    heard(oracle)
