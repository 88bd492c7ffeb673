"""Calling ops over plain numbers."""

from types import SimpleNamespace

import pytest
from mindtorch_dispatch import (
    DispatchKey,
    DispatchKeySet,
    call_kernel,
    current_dispatch_keyset,
    dispatch,
    dispatch_with_keyset,
    exclude_keys,
    include_keys,
    redispatch,
    registry,
    set_grad_mode_source,
)

K = DispatchKey
S = DispatchKeySet


@pytest.fixture
def register():
    """Registers kernels in the package's registry and takes them back afterwards."""
    handles = []

    def add(name, key, fn, **options):
        handles.append(registry.register_kernel(name, key, fn, **options))

    yield add
    registry.remove(reversed(handles))


@pytest.fixture
def dummy(register):
    for key in (K.CPU, K.NPU, K.Meta):
        register("dummy", key, lambda *args, key=key, **kw: (key, *args, *kw.items()))


@pytest.fixture
def chain(register):
    """Tracer → Autograd → CPU, each wrapper masking itself off."""
    order = []

    def wrapper(key):
        def kernel(keyset, x):
            order.append(key.name)
            return redispatch("chain", keyset.remove(key), x) * 10

        return kernel

    def backend(x):
        order.append("CPU")
        return x + 1

    register("chain", K.Tracer, wrapper(K.Tracer), with_keyset=True)
    register("chain", K.Autograd, wrapper(K.Autograd), with_keyset=True)
    register("chain", K.CPU, backend)
    return order


def tensor(device, requires_grad=False):
    return SimpleNamespace(device=device, requires_grad=requires_grad)


def test_excluding_meta_runs_the_cpu_kernel(dummy):
    """exclude_keys(Meta) makes a CPU|Meta call run CPU."""
    assert dispatch_with_keyset("dummy", S(K.CPU, K.Meta), None, 1) == (K.Meta, 1)
    with exclude_keys(K.Meta):
        assert dispatch_with_keyset("dummy", S(K.CPU, K.Meta), None, 1) == (K.CPU, 1)
        assert dispatch_with_keyset("dummy", K.CPU | K.Meta, None, 1) == (K.CPU, 1)


def test_masks_hold_for_redispatch(dummy, register):
    """Exclusion and inclusion, outside of kernels and in them."""
    with exclude_keys(K.Meta):
        assert redispatch("dummy", S(K.CPU, K.Meta), 1) == (K.CPU, 1)
    register("dummy", K.Tracer, lambda x: ("traced", x))
    with include_keys(K.Tracer):
        assert redispatch("dummy", S(K.CPU), 1) == ("traced", 1)


def test_alias_key_in_a_set_falls_through_to_cpu(dummy):
    """CompositeImplicitAutograd names no kernel to call."""
    keys = S(K.CompositeImplicitAutograd, K.CPU)
    assert dispatch_with_keyset("dummy", keys, None, 1) == (K.CPU, 1)


@pytest.mark.parametrize(
    "keys",
    [
        K.Tracer | K.AutogradCPU | K.CPU,
        K.Tracer | K.Autograd | K.CPU,
        K.Tracer | K.Autograd | K.AutogradCPU | K.CPU,
    ],
)
def test_wrappers_run_in_order_above_the_backend(chain, keys):
    """Each kernel masks itself off and redispatches."""
    assert dispatch_with_keyset("chain", S(keys), None, 1) == 200
    assert chain == ["Tracer", "Autograd", "CPU"]


def test_included_wrapper_does_not_come_back_on_redispatch(chain):
    """Else it would call itself for ever."""
    with include_keys(K.Tracer, K.Autograd):
        assert dispatch("chain", None, 1) == 200
    assert chain == ["Tracer", "Autograd", "CPU"]


def test_key_included_inside_a_kernel_joins_below_it(chain, register):
    """Inclusion may add keys lower than the one being left."""

    def enter(keyset, x):
        with include_keys(K.Tracer, K.Autograd):
            return redispatch("chain", keyset.remove(K.FuncTorchBatched), x)

    register("chain", K.FuncTorchBatched, enter, with_keyset=True)
    dispatch_with_keyset("chain", S(K.FuncTorchBatched, K.CPU), None, 1)
    assert chain == ["Tracer", "Autograd", "CPU"]


def test_excluding_autograd_skips_it(chain):
    """The alias stands for every autograd key, in masks too."""
    with exclude_keys(K.Autograd):
        dispatch_with_keyset("chain", S(K.Autograd, K.AutogradCPU, K.CPU), None, 1)
    with exclude_keys(K.AutogradCPU):
        dispatch_with_keyset("chain", S(K.Autograd, K.CPU), None, 1)
    assert chain == ["CPU", "CPU"]


def test_device_comes_from_the_arguments(dummy):
    """Meta over NPU over CPU, in lists and keywords too, objects and strings."""
    cpu, npu, meta = tensor("cpu"), tensor(SimpleNamespace(type="npu")), tensor("meta:0")
    assert dispatch("dummy", None, cpu)[0] is K.CPU
    assert dispatch("dummy", None, cpu, npu)[0] is K.NPU
    assert dispatch("dummy", None, [cpu, (npu, meta)])[0] is K.Meta
    assert dispatch("dummy", None, 1, other=npu)[0] is K.NPU
    assert dispatch("dummy", "meta", npu)[0] is K.Meta


def test_device_without_tensors(dummy):
    """The argument, else a device keyword, else CPU."""
    assert dispatch("dummy", "npu", 1)[0] is K.NPU
    assert dispatch("dummy", SimpleNamespace(type="meta"), 1)[0] is K.Meta
    assert dispatch("dummy", None, 1, device="npu") == (K.NPU, 1, ("device", "npu"))
    assert dispatch("dummy", None, 1)[0] is K.CPU
    assert dispatch_with_keyset("dummy", S(), "npu", 1)[0] is K.NPU


def test_autograd_runs_where_grad_mode_is_on_and_needed(chain, register):
    """Grad mode is asked from whoever keeps it."""
    register("f", K.Autograd, lambda x: "grad")
    register("f", K.CPU, lambda x: "plain")
    leaf = tensor("cpu", requires_grad=True)
    assert dispatch("f", None, leaf) == "grad"
    assert dispatch("f", None, tensor("cpu")) == "plain"
    set_grad_mode_source(lambda: False)
    try:
        assert dispatch("f", None, leaf) == "plain"
    finally:
        set_grad_mode_source(lambda: True)


def test_kernel_sees_its_key_set(register):
    """As first argument where asked for, by current_dispatch_keyset() anywhere."""
    seen = []
    register(
        "f", K.CPU, lambda ks, x: seen.extend([ks, current_dispatch_keyset()]), with_keyset=True
    )
    dispatch_with_keyset("f", S(K.CPU), None, 1)
    assert seen[0] == seen[1] == S(K.CPU, K.BackendSelect, K.ADInplaceOrView)
    assert current_dispatch_keyset() is None


def test_boxed_fallback_gets_op_keys_and_arguments(dummy):
    """One function serves a key for every op."""

    def fallback(op, keyset, args, kwargs):
        return op.name, redispatch(op, keyset.remove(K.Tracer), *args, **kwargs)

    handle = registry.register_fallback(K.Tracer, fallback)
    try:
        got = dispatch_with_keyset("dummy", S(K.Tracer, K.CPU), None, 1, a=2)
    finally:
        handle.remove()
    assert got == ("aten::dummy", (K.CPU, 1, ("a", 2)))


def test_one_kernel_can_be_called_by_its_key(chain, dummy):
    """No masks, no other kernels; missing and fallen-through keys are errors."""
    assert call_kernel("chain", K.CPU, 1) == 2 and chain == ["CPU"]
    with exclude_keys(K.Meta):
        assert call_kernel("dummy", "Meta", 1) == (K.Meta, 1)
    with pytest.raises(NotImplementedError, match="from the 'CUDA' backend"):
        call_kernel("dummy", K.CUDA, 1)
    with pytest.raises(NotImplementedError, match="falls through at ADInplaceOrView"):
        call_kernel("dummy", K.ADInplaceOrView, 1)


def test_empty_key_set_is_a_clear_error(dummy):
    """torch's text; a RuntimeError too."""
    with pytest.raises(RuntimeError, match="There were no tensor arguments to this function"):
        dispatch_with_keyset("dummy", S(), None, 1)
    with exclude_keys(K.CPU), pytest.raises(NotImplementedError, match="no tensor arguments"):
        dispatch("dummy", None, 1)


def test_missing_kernel_is_a_clear_error(dummy):
    """Names op and key, lists the keys that have kernels."""
    with pytest.raises(NotImplementedError, match=r"'aten::dummy'.*'CUDA'.*\[CPU, NPU, Meta, "):
        dispatch("dummy", "cuda", 1)
    with pytest.raises(NotImplementedError, match="'ZeroTensor' backend"):
        # A key that has no fallback, also where mindtorch has filled the registry.
        dispatch_with_keyset("dummy", S(K.ZeroTensor, K.CPU), None, 1)


def test_unknown_op_is_a_clear_error(dummy):
    """With similar names."""
    with pytest.raises(RuntimeError, match="did you mean aten::dummy"):
        dispatch("dumy", None, 1)


def test_an_exception_in_a_kernel_leaves_no_state(register):
    """The next call starts afresh."""

    def fail(x):
        raise KeyError(x)

    register("f", K.CPU, fail)
    with pytest.raises(KeyError):
        dispatch("f", None, 1)
    assert current_dispatch_keyset() is None
