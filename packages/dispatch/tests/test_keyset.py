"""DispatchKeySet: an immutable set of bits."""

import copy
import pickle
import random
from types import SimpleNamespace

import pytest
from mindtorch_dispatch import DISPATCH_KEY_PRIORITY, DispatchKey, DispatchKeySet

K = DispatchKey
S = DispatchKeySet


def tensor(device="cpu", requires_grad=False):
    return SimpleNamespace(device=SimpleNamespace(type=device), requires_grad=requires_grad)


def test_iterates_from_the_highest_key_to_the_lowest():
    """BackendSelect, Pipeline, …, CPU, whatever the order of construction."""
    keys = S.from_mask(K.BackendSelect | K.Pipeline | K.CPU)
    assert list(keys) == list(keys.iter_keys()) == [K.BackendSelect, K.Pipeline, K.CPU]
    keys = S(K.CPU, K.Meta, K.AutogradCPU, K.NPU, K.Pipeline)
    assert list(keys) == [K.Pipeline, K.AutogradCPU, K.Meta, K.NPU, K.CPU]


def test_constructors_agree():
    """Keys, masks, sets and iterables of them make the same set."""
    want = S.from_mask(int(K.CPU) | int(K.Meta))
    assert S(K.CPU, K.Meta) == S([K.CPU, K.Meta]) == S(S(K.CPU), K.Meta) == S(K.CPU | K.Meta)
    assert S(K.CPU, K.Meta) == want and want.mask == K.CPU | K.Meta
    assert S().mask == 0


def test_algebra_is_that_of_sets():
    """Union, intersection, difference, symmetric difference, length and membership."""
    draw = random.Random(0)
    for _ in range(200):
        a, b = (set(draw.sample(DISPATCH_KEY_PRIORITY, draw.randrange(12))) for _ in range(2))
        x, y = S(a), S(b)
        assert set(x | y) == a | b
        assert set(x & y) == a & b
        assert set(x - y) == a - b
        assert set(x ^ y) == a ^ b
        assert len(x) == len(a) and bool(x) == bool(a)
        assert x.highest_priority_key() == max(a, default=K.Undefined)
        assert all((k in x) == x.has(k) == (k in a) for k in DISPATCH_KEY_PRIORITY)
        assert (x == y) == (a == b) and hash(x) == hash(S(a))


def test_operators_take_keys_too():
    """A key stands for the set of it."""
    keys = S(K.CPU, K.Meta)
    assert keys | K.NPU == S(K.CPU, K.Meta, K.NPU)
    assert keys & K.CPU == S(K.CPU) and keys - K.CPU == S(K.Meta) and keys ^ K.CPU == S(K.Meta)
    with pytest.raises(TypeError):
        keys | "CPU"


def test_add_and_remove_give_new_sets():
    """The set itself never changes."""
    one = S(K.CPU)
    two = one.add(K.Meta)
    assert one == S(K.CPU) and two == S(K.CPU, K.Meta)
    assert two.remove(K.Meta) == two.without(K.Meta) == one
    assert one.remove(K.Meta) == one
    with pytest.raises(AttributeError):
        one.mask = 3


def test_removing_a_functionality_removes_it_for_every_backend():
    """AutogradFunctionality and Autograd take all autograd keys, Dense all dense backends."""
    keys = S(K.AutogradCPU, K.AutogradNPU, K.CPU, K.Autograd, K.AutogradOther)
    assert keys.remove(K.AutogradFunctionality) == S(K.CPU, K.Autograd, K.AutogradOther)
    assert keys.remove(K.Autograd) == S(K.CPU)
    assert keys.remove(K.Dense) == keys - S(K.CPU)
    assert keys - S(K.Autograd) == keys.remove(K.CPU).add(K.CPU) - S(K.Autograd)


def test_prints_as_torch_does():
    """Lowest key first in torch's order; NPU for PrivateUse1."""
    assert repr(S(K.AutogradCPU, K.CPU)) == "DispatchKeySet(CPU, AutogradCPU)"
    assert repr(S()) == "DispatchKeySet()"
    assert repr(S(K.NPU, K.BackendSelect, K.Tracer, K.AutogradNPU)) == (
        "DispatchKeySet(NPU, BackendSelect, AutogradNPU, Tracer)"
    )


def test_sets_can_be_copied_and_pickled():
    """A set is a value."""
    keys = S(K.CPU, K.Pipeline)
    assert pickle.loads(pickle.dumps(keys)) == keys == copy.deepcopy(keys)


def test_from_tensors_is_the_effective_set():
    """Autograd only where grad mode is on and something requires grad; the rest where asked."""
    plain, leaf = tensor(), tensor(requires_grad=True)
    assert S.from_tensors([plain, leaf]) == S(K.CPU)
    assert S.from_tensors([plain], grad_enabled=True) == S(K.CPU)
    assert S.from_tensors([plain, leaf], grad_enabled=True) == S(K.CPU, K.AutogradCPU, K.Autograd)
    full = S.from_tensors([plain], pipeline_enabled=True, functionalize_enabled=True)
    assert full == S(K.CPU, K.Pipeline, K.Functionalize)


@pytest.mark.parametrize(
    ("devices", "want"),
    [
        (["cpu", "npu"], K.NPU),
        (["npu", "cpu", "meta"], K.Meta),
        (["meta", "cpu"], K.Meta),
        (["cpu"], K.CPU),
        (["cuda", "cpu"], K.CUDA),
        (["privateuseone"], K.NPU),
        ([], None),
    ],
)
def test_mixed_devices_resolve_meta_over_npu_over_cpu(devices, want):
    """One backend key comes out of several devices."""
    keys = S.from_tensors([tensor(d) for d in devices])
    assert keys == (S() if want is None else S(want))


def test_device_argument_joins_the_tensors():
    """As a string, an indexed string, or something with a type."""
    assert S.from_tensors([], device="npu:1") == S(K.NPU)
    assert S.from_tensors([tensor()], device=SimpleNamespace(type="meta")) == S(K.Meta)
    with pytest.raises(RuntimeError, match="'toaster'"):
        S.from_tensors([], device="toaster")
