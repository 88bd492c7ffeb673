"""What the design documents expect of dispatching, line by line."""

from __future__ import annotations

import mindtorch as torch
import pytest
from mindtorch._dispatch.dispatcher import (
    call_kernel,
    dispatch,
    dispatch_with_keyset,
    redispatch,
)
from mindtorch._dispatch.keys import (
    DISPATCH_KEY_PRIORITY,
    DispatchKey,
    DispatchKeySet,
    apply_tls_masks,
    dispatch_key_from_string,
    exclude_keys,
    include_keys,
)
from mindtorch._dispatch.registry import registry
from mindtorch_dispatch import key_name

K = DispatchKey


@pytest.fixture
def dummy():
    """An op over plain numbers with a kernel per backend that says its name."""
    name = "design_test::dummy"
    handles = [registry.register_schema(f"{name}(int x) -> str")]
    for key in (K.CPU, K.NPU, K.Meta):
        handles.append(registry.register_kernel(name, key, lambda x, key=key: key_name(key)))
    yield name
    registry.remove(handles)


def test_keyset_iterates_from_high_to_low():
    """BackendSelect, then Pipeline, then the backend."""
    mask = K.BackendSelect | K.Pipeline | K.CPU
    keys = list(DispatchKeySet.from_mask(mask).iter_keys())
    assert keys == [K.BackendSelect, K.Pipeline, K.CPU]


def test_order_of_the_keys():
    """Pipeline → Autograd → Meta → NPU → CPU; the bit is the order."""
    order = [K.BackendSelect, K.Pipeline, K.AutogradCPU, K.ADInplaceOrView, K.Meta, K.NPU, K.CPU]
    assert order == sorted(order, reverse=True)
    places = [DISPATCH_KEY_PRIORITY.index(k) for k in order]
    assert places == sorted(places)
    assert K.NPU is K.PrivateUse1 and K.AutogradNPU is K.AutogradPrivateUse1


def test_keyset_algebra():
    """Union, intersection, difference, length, membership, highest key, equality, immutability."""
    a, b = DispatchKeySet(K.CPU, K.AutogradCPU), DispatchKeySet(K.CPU, K.Meta)
    assert a | b == DispatchKeySet(K.CPU, K.Meta, K.AutogradCPU)
    assert a & b == DispatchKeySet(K.CPU)
    assert a - b == DispatchKeySet(K.AutogradCPU)
    assert len(a | b) == 3 and K.Meta in b and K.Meta not in a and b.has(K.Meta)
    assert (a | b).highest_priority_key() is K.AutogradCPU
    assert a.add(K.Meta).remove(K.Meta) == a == a.without(K.Meta)
    assert a.mask == K.CPU | K.AutogradCPU and not DispatchKeySet()
    with pytest.raises(AttributeError):
        a.mask = 0


def test_excluded_meta_runs_the_cpu_kernel(dummy):
    """``exclude_keys(Meta)`` with CPU|Meta; without it Meta wins."""
    keys = DispatchKeySet(K.CPU, K.Meta)
    assert dispatch_with_keyset(dummy, keys, None, 1) == "Meta"
    with exclude_keys(K.Meta):
        assert dispatch_with_keyset(dummy, keys, None, 1) == "CPU"
        assert apply_tls_masks(keys) == DispatchKeySet(K.CPU, K.BackendSelect, K.ADInplaceOrView)
    assert dispatch_with_keyset(dummy, keys, None, 1) == "Meta"


def test_masks_hold_for_redispatch(dummy):
    """Excluded and included keys count there too."""
    keys = DispatchKeySet(K.CPU, K.Meta)
    with exclude_keys(K.Meta):
        assert redispatch(dummy, keys, 1) == "CPU"
    with include_keys(K.NPU):
        assert redispatch(dummy, DispatchKeySet(K.CPU), 1) == "NPU"
    assert redispatch(dummy, keys, 1) == "Meta"


def test_composite_key_in_a_set_falls_through(dummy):
    """An alias key is never dispatched to."""
    keys = DispatchKeySet(K.CPU, K.CompositeImplicitAutograd)
    assert dispatch_with_keyset(dummy, keys, None, 1) == "CPU"


def test_add_has_kernels_and_a_schema():
    """A bare name finds the overload that was registered first."""
    entry = registry.get("aten::add")
    assert entry.name == "aten::add.Tensor"
    assert {K.CPU, K.NPU, K.Meta} <= set(entry.kernels)
    text = "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
    assert str(entry.schema) == text
    assert registry.get("add") is entry


@pytest.mark.parametrize("device", ["cpu", "meta", "npu"])
def test_result_stays_on_the_device(device):
    """Ones plus itself, by the operator and by the dispatcher."""
    a = torch.ones((2,), device=device)
    assert (a + a).device.type == device
    made = dispatch("add", None, a, a)
    assert made.device.type == device and made.shape == (2,)
    if device != "meta":
        assert made.tolist() == [2.0, 2.0]


def test_from_tensors_has_autograd_where_grad_is_needed():
    """Grad mode and a tensor that requires grad; Pipeline where asked."""
    a, b = torch.ones(2, requires_grad=True), torch.ones(2)
    assert K.Autograd in DispatchKeySet.from_tensors([a, b], grad_enabled=True)
    assert K.AutogradCPU in DispatchKeySet.from_tensors([a, b], grad_enabled=True)
    assert K.Autograd not in DispatchKeySet.from_tensors([b], grad_enabled=True)
    assert K.Autograd not in DispatchKeySet.from_tensors([a], grad_enabled=False)
    assert K.Pipeline in DispatchKeySet.from_tensors([b], pipeline_enabled=True)
    assert K.Pipeline not in DispatchKeySet.from_tensors([b])


def test_from_tensors_prefers_meta_over_npu_over_cpu():
    """Devices mixed in one call resolve to one backend."""
    cpu, npu, meta = (torch.ones(2, device=d) for d in ("cpu", "npu", "meta"))
    assert DispatchKeySet.from_tensors([cpu, npu]) == DispatchKeySet(K.NPU)
    assert DispatchKeySet.from_tensors([cpu, npu, meta]) == DispatchKeySet(K.Meta)


def test_tracer_then_autograd_then_cpu():
    """Kernels that mask themselves off and redispatch run in the order of the keys."""
    ran = []

    def through(key):
        def kernel(keyset, x):
            ran.append(key.name)
            return redispatch("design_test::chain", keyset.remove(key), x)

        return kernel

    handles = [
        registry.register_kernel("design_test::chain", k, through(k), with_keyset=True)
        for k in (K.Tracer, K.AutogradCPU)
    ]
    handles.append(
        registry.register_kernel("design_test::chain", K.CPU, lambda x: ran.append("CPU") or x + 1)
    )
    try:
        keys = DispatchKeySet(K.Tracer, K.AutogradCPU, K.CPU)
        assert dispatch_with_keyset("design_test::chain", keys, None, 4) == 5
        assert ran == ["Tracer", "AutogradCPU", "CPU"]
        ran.clear()
        with include_keys(K.Tracer):  # inclusion does not bring the running key back
            assert dispatch_with_keyset("design_test::chain", keys, None, 4) == 5
        assert ran == ["Tracer", "AutogradCPU", "CPU"]
    finally:
        registry.remove(handles)


def test_empty_keyset_is_a_clear_error(dummy):
    """Nothing says which backend is meant."""
    with pytest.raises(NotImplementedError, match="There were no tensor arguments"):
        dispatch_with_keyset(dummy, DispatchKeySet(), None, 1)


def test_missing_kernel_is_a_clear_error(dummy):
    """The text names the op, the key, and the keys there are."""
    with pytest.raises(NotImplementedError) as got:
        dispatch_with_keyset(dummy, DispatchKeySet(K.XLA), None, 1)
    text = str(got.value)
    assert "design_test::dummy" in text and "'XLA' backend" in text
    assert "[CPU, NPU, Meta" in text


def test_unknown_op_is_a_clear_error():
    """With names that are close."""
    with pytest.raises(RuntimeError, match="aten::ad.*aten::add"):
        dispatch("ad", None, 1)


def test_one_kernel_called_by_its_key(dummy):
    """No key set, no masks."""
    with exclude_keys(K.NPU):
        assert call_kernel(dummy, K.NPU, 1) == "NPU"
    a = torch.ones(2)
    assert call_kernel("add", "CPU", a, a).tolist() == [2.0, 2.0]
    with pytest.raises(NotImplementedError):
        call_kernel(dummy, K.XLA, 1)


# Real ops with real tensors -----------------------------------------------------------------------


def test_dispatch_fills_in_defaults_and_keywords():
    """Arguments as a caller writes them, short of the schema's defaults."""
    a, b = torch.ones(2), torch.full((2,), 3.0)
    assert dispatch("add", None, a, b).tolist() == [4.0, 4.0]
    assert dispatch("add", None, a, b, alpha=2).tolist() == [7.0, 7.0]
    assert dispatch("aten::add.Tensor", None, a, 2).tolist() == [3.0, 3.0]
    assert dispatch("cat", None, [a, b]).tolist() == [1.0, 1.0, 3.0, 3.0]
    assert dispatch("sum", None, b).item() == 6.0


def test_dispatch_joins_the_named_device():
    """The device takes part as if a tensor were there."""
    a = torch.ones(2)
    assert dispatch("aten::add", "npu", a, a).device.type == "npu"
    assert dispatch("aten::add", "meta", a, a).device.type == "meta"
    assert dispatch("ones", "npu", (2,)).device.type == "npu"


def test_redispatch_of_a_real_op():
    """Below autograd nothing is recorded; with its key a node is."""
    a, b = torch.ones(2, requires_grad=True), torch.ones(2)
    below = redispatch("add", DispatchKeySet(K.CPU), a, b)
    assert below.grad_fn is None and below.tolist() == [2.0, 2.0]
    above = redispatch("add", DispatchKeySet(K.CPU, K.AutogradCPU), a, b)
    assert above.grad_fn.name() == "AddBackward0"
    assert dispatch("add", None, a, b).grad_fn.name() == "AddBackward0"
    with torch.no_grad():
        assert dispatch("add", None, a, b).grad_fn is None


def test_dispatched_in_place_op_counts_versions():
    """ADInplaceOrView is among the keys that every thread includes."""
    a, b = torch.ones(2), torch.ones(2)
    assert dispatch("add_", None, a, b) is a
    assert a._version == 1 and a.tolist() == [2.0, 2.0]
    view = dispatch("view", None, a, (2, 1))
    assert view._base is a
    with exclude_keys(K.ADInplaceOrView):
        redispatch("add_", DispatchKeySet(K.CPU), a, b)
    assert a._version == 1 and a.tolist() == [3.0, 3.0]


def test_user_kernel_above_a_real_op_redispatches_into_it():
    """A Tracer kernel over aten::add sees the call and hands it on; gradients still work."""
    seen = []

    def tracer(keyset, *args, **kwargs):
        seen.append(len(args))
        return redispatch("aten::add.Tensor", keyset.remove(K.Tracer), *args, **kwargs)

    handle = registry.register_kernel("aten::add.Tensor", K.Tracer, tracer, with_keyset=True)
    try:
        a, b = torch.ones(2, requires_grad=True), torch.ones(2)
        assert (a + b).tolist() == [2.0, 2.0] and seen == []
        with include_keys(K.Tracer):
            c = a + b
            d = torch.add(a, b, alpha=3)
        assert seen == [2, 2] and c.grad_fn.name() == "AddBackward0" and d.tolist() == [4.0, 4.0]
        c.sum().backward()
        assert a.grad.tolist() == [1.0, 1.0]
    finally:
        handle.remove()
    with include_keys(K.ADInplaceOrView):
        assert (a + b).tolist() == [2.0, 2.0] and seen == [2, 2]


def test_user_kernel_replaces_a_backend_kernel_and_comes_off_again():
    """The call tables follow the registrations."""
    a = torch.ones(2)
    assert a.relu().tolist() == [1.0, 1.0]
    handle = registry.register_kernel("aten::relu", K.CPU, lambda x: x * 5)
    assert a.relu().tolist() == [5.0, 5.0]
    handle.remove()
    assert a.relu().tolist() == [1.0, 1.0]


def test_user_kernel_at_an_autograd_key_redispatches_once():
    """``redispatch`` knows the key that is left although the call came through a call table."""
    calls = []

    def autograd(keyset, *args, **kwargs):
        calls.append(keyset.highest_priority_key())
        return redispatch("aten::relu", keyset.remove(K.Autograd), *args, **kwargs)

    handle = registry.register_kernel("aten::relu", K.AutogradCPU, autograd, with_keyset=True)
    try:
        with torch.pipeline():
            out = torch.tensor([-1.0, 2.0]).relu()
        assert out.tolist() == [0.0, 2.0]
        assert calls == [K.AutogradCPU]
    finally:
        handle.remove()


def test_keys_by_their_names():
    """``dispatch_key_from_string`` knows every key, and says which it does not know."""
    for name in ("CPU", "NPU", "Meta", "Autograd", "AutogradCPU", "CompositeImplicitAutograd"):
        assert dispatch_key_from_string(name) is getattr(K, name)
    assert dispatch_key_from_string("PrivateUse1") is K.NPU
    with pytest.raises(ValueError, match="Unknown dispatch key string"):
        dispatch_key_from_string("NoSuchKey")
