"""Fake implementations from profiles, what checks an op's changes, and a program's own tracing."""

from __future__ import annotations

import io
import json
import sys
import tempfile
import types
import typing
import unittest
from unittest import mock

from tests.contract.both_frameworks import agree, part
from tests.contract.programs import submodule, suite

program, test_same_program_same_notes = suite()


def profiles(torch):
    """The module of profiles."""
    return submodule(torch, "_library.fake_profile")


def op(torch, ns, name="foo"):
    """An op that adds."""
    library = torch.library.Library(ns, "FRAGMENT")
    library.define(f"{name}(Tensor x, Tensor? y=None, int n=1) -> Tensor")
    library.impl(name, lambda x, y=None, n=1: x + n, "CPU")
    return library, getattr(getattr(torch.ops, ns), name)


def of(torch, **kinds):
    """What a profile says of a tensor."""
    facts = {"rank": 0, "dtype": torch.float32, "device": torch.device("cpu")} | kinds
    return profiles(torch).TensorMetadata(**facts, layout=torch.strided)


@program
def profiles_in_place_of_fake_implementations(torch, ns, note):
    module, fake = profiles(torch), submodule(torch, "_subclasses.fake_tensor")
    library, foo = op(torch, ns)
    known = module.OpProfile(args_profile=(of(torch, rank=1), None), out_profile=of(torch))
    listed = module.OpProfile((of(torch, rank=2), None), (of(torch), of(torch)))
    with module.unsafe_generate_fake_kernels({f"{ns}.foo.default": {known}}) as made:
        note([len(made), type(made[0]).__name__])
        with fake.FakeTensorMode():
            note(lambda: foo(torch.ones(2)).shape)
            note(lambda: type(_raised(lambda: foo(torch.ones(2, 3)))).__name__)
            note(lambda: type(_raised(lambda: foo(torch.ones(2, dtype=torch.int64)))).__name__)
        note(lambda: foo(torch.ones(2)))
    with fake.FakeTensorMode():
        note(lambda: str(foo(torch.ones(2))))
    note(known)
    note(listed.out_profile[0] == of(torch))
    note(module.TensorMetadata.maybe_from_tensor(torch.ones(2, 3)))
    note(module.TensorMetadata.maybe_from_tensor(3))
    note(library is not None)


def _raised(fn):
    try:
        fn()
    except Exception as error:
        return error
    return None


@program
def profiles_of_custom_ops(torch, ns, note):
    module, fake = profiles(torch), submodule(torch, "_subclasses.fake_tensor")

    def foo(x):
        return x + 1

    foo.__annotations__ = {"x": torch.Tensor, "return": torch.Tensor}
    made = torch.library.custom_op(f"{ns}::foo", foo, mutates_args=())
    made.register_fake(lambda x: x.new_empty(7))
    known = module.OpProfile((of(torch, rank=1),), of(torch, dtype=torch.int64))
    with fake.FakeTensorMode():
        note(lambda: str(made(torch.ones(2))))
        with module.unsafe_generate_fake_kernels({f"{ns}.foo.default": {known}}) as libraries:
            note(libraries)
            note(lambda: str(made(torch.ones(2))))
        note(lambda: str(made(torch.ones(2))))


#: JSON is YAML: what both frameworks need of a library that need not be there.
YAML = types.SimpleNamespace(dump=lambda d, sort_keys: json.dumps(d), safe_load=json.loads)


@program
@mock.patch.dict(sys.modules, {"yaml": YAML})
def profiles_as_text(torch, ns, note):
    module = profiles(torch)
    first = module.OpProfile((of(torch, rank=1), of(torch, dtype=torch.bool)), of(torch))
    second = module.OpProfile((of(torch, dtype=torch.cfloat),), (of(torch), of(torch, rank=3)))
    text = note(module.generate_yaml_from_profiles({"a.b.default": {first}}))
    note(module.read_profiles_from_yaml(text) == {"a.b.default": {first}})
    file = io.BytesIO()
    module.save_op_profiles({"a.b.default": {first, second}}, file)
    file.seek(0)
    note(module.load_op_profiles(file) == {"a.b.default": {first, second}})
    with tempfile.TemporaryDirectory() as folder:
        module.save_op_profiles({"a.b.default": {second}}, f"{folder}/profiles")
        note(module.load_op_profiles(f"{folder}/profiles"))
    note(lambda: module.save_op_profiles({}, 3))
    note(lambda: module.load_op_profiles(3))
    note(lambda: module.read_profiles_from_yaml(text.replace("2.13", "1.0")))
    note(module.get_torch_version())


@program
def what_checks_changes(torch, ns, note):
    utils = submodule(torch, "_library.utils")
    flatten = submodule(torch, "utils._pytree").tree_flatten
    library = torch.library.Library(ns, "FRAGMENT")
    library.define("foo(Tensor(a!) x, Tensor y, Tensor[] zs, int n, *, Tensor? w=None) -> ()")
    foo = getattr(torch.ops, ns).foo.default
    for changed in ("x", "xy", "", "xz", "xw"):
        x, y, z, w = (torch.ones(2) for _ in range(4))
        checker = utils.MutationChecker(foo, *flatten(((x, y, [z], 3), {"w": w})))
        for name, tensor in zip("xyzw", (x, y, z, w), strict=True):
            if name in changed:
                tensor.add_(1)
        note(lambda checker=checker: checker.check())
    nan = torch.tensor([float("nan")])
    checker = utils.MutationChecker(foo, *flatten(((nan, y, [z], 3), {})))
    note(lambda: checker.check())
    note([utils.hash_tensor(torch.tensor([1, 2])), utils.can_generate_trivial_fake_impl(foo)])
    note(utils.can_generate_trivial_fake_impl(torch.ops.aten.add.Tensor))
    tensors = utils.iter_tensors((x, [y, [z]], 3), {"w": (w,)})
    note([t is x or t is y or t is w for t in tensors])
    note([t is z for t in utils.iter_tensors(([[z]],), {}, 2)])
    kernel = utils.Kernel(lambda a, b=2: a + b, "here")
    note([kernel(1), kernel(1, b=3), kernel.source])
    undone = []
    utils.RegistrationHandle(lambda: undone.append(1)).destroy()
    note([undone, utils.get_source(1).rpartition(":")[0] == __file__])
    note(library is not None)


@program
def a_programs_own_tracing(torch, ns, note):
    guards, fake = submodule(torch, "_guards"), submodule(torch, "_subclasses.fake_tensor")
    note(guards.TracingContext.try_get())
    note(lambda: guards.TracingContext.get())
    mode, other = fake.FakeTensorMode(), fake.FakeTensorMode()
    context = guards.TracingContext(mode)
    with guards.tracing(context) as given:
        note([given is context, guards.TracingContext.get() is context])
        with other:
            note(guards.detect_fake_mode() is mode)
        with guards.tracing(None):
            note([guards.TracingContext.try_get(), guards.detect_fake_mode()])
    note(guards.TracingContext.try_get())
    with other:
        note(guards.detect_fake_mode() is other)


def test_lists_in_place_of_tuples():
    def told(t):
        to_list = part(t, "_library.infer_schema").tuple_to_list
        kinds = [tuple, tuple[int], tuple[int, ...], tuple[int, str], typing.Tuple]  # noqa: UP006
        return [str(to_list(kind)) for kind in kinds]

    agree(told)


def test_test_cases_with_other_values():
    def told(t):
        space = type("Space", (), {"value": 1})
        seen = []

        class Case(unittest.TestCase):
            more = 3

            def test_a(self):
                seen.append(space.value)

            def test_b(self):
                raise AssertionError

            test_b.fails = True

        made = part(t, "_dynamo.testing").make_test_cls_with_patches(
            Case, "Other", "_twice", (space, "value", 2), xfail_prop="fails"
        )
        result = unittest.TestResult()
        unittest.defaultTestLoader.loadTestsFromTestCase(made).run(result)
        names = sorted(n for n in dir(made) if n.startswith("test"))
        return seen, names, made.__name__, made.more, len(result.expectedFailures), result.testsRun

    agree(told)


def test_what_control_flow_is_compared_with():
    def told(t):
        hops = "_higher_order_ops"
        x, add = t.arange(6.0).reshape(3, 2), lambda a, b: a + b
        scanned = part(t, f"{hops}.scan")._fake_scan(lambda c, x: (c + x, c * x), x[0], x)
        return (
            part(t, f"{hops}.map")._fake_map(lambda x, y: x * y, x, x[0]),
            list(scanned),
            part(t, f"{hops}.associative_scan")._fake_associative_scan(add, x, 0),
            part(t, f"{hops}.associative_scan")._fake_associative_scan(add, x, 0, reverse=True),
        )

    agree(told)
