"""Dispatch keys: the bit is the order."""

import pytest
from mindtorch_dispatch import (
    ALIAS_KEYS,
    DISPATCH_KEY_PRIORITY,
    DispatchKey,
    backend_keys_of_autograd,
    is_alias_key,
    is_included_in_alias,
    key_name,
    keys_in,
    parse_key,
    runtime_keys_of,
)

K = DispatchKey
BACKENDS = "CPU CUDA HIP XLA MPS IPU XPU HPU VE Lazy MTIA PrivateUse1 PrivateUse2 PrivateUse3 Meta"
# torch 2.4.1's functionality keys, lowest first (per-backend ones stand for all their backends).
TORCH_FUNCTIONALITIES = """Dense FPGA MAIA Vulkan Metal Quantized CustomRNGKeyId MkldnnCPU Sparse
SparseCsr NestedTensor BackendSelect Python Fake FuncTorchDynamicLayerBackMode Functionalize Named
Conjugate Negative ZeroTensor ADInplaceOrView AutogradOther AutogradFunctionality
AutogradNestedTensor Tracer AutocastCPU AutocastXPU AutocastIPU AutocastHPU AutocastXLA AutocastCUDA
AutocastPrivateUse1 FuncTorchBatched BatchedNestedTensor FuncTorchVmapMode Batched VmapMode
FuncTorchGradWrapper DeferredInit PythonTLSSnapshot FuncTorchDynamicLayerFrontMode
TESTING_ONLY_GenericWrapper TESTING_ONLY_GenericMode PreDispatch PythonDispatcher""".split()
PREFIX = {
    "Dense": "",
    "Quantized": "Quantized",
    "Sparse": "Sparse",
    "SparseCsr": "SparseCsr",
    "NestedTensor": "NestedTensor",
    "AutogradFunctionality": "Autograd",
}


def torch_runtime_names():
    """torch's runtime keys in torch's order, lowest first."""
    names = []
    for f in TORCH_FUNCTIONALITIES:
        names += [PREFIX[f] + b for b in BACKENDS.split()] if f in PREFIX else [f]
    return names


def test_every_key_is_one_bit_of_its_own():
    """No two keys share a bit, and bits leave no gap."""
    assert [int(k) for k in DispatchKey][1:] == [1 << n for n in range(len(DispatchKey) - 1)]


def test_runtime_keys_are_torchs_in_torchs_order():
    """Lifting BackendSelect and adding Pipeline are the only differences."""
    names = torch_runtime_names()
    names.remove("BackendSelect")
    at = names.index("AutogradNestedTensor") + 1
    names[at:at] = ["Pipeline", "BackendSelect"]
    assert [k.name for k in reversed(DISPATCH_KEY_PRIORITY)] == names


def test_priority_is_derived_from_the_bits():
    """DISPATCH_KEY_PRIORITY lists runtime keys, highest bit first."""
    assert list(DISPATCH_KEY_PRIORITY) == sorted(DISPATCH_KEY_PRIORITY, reverse=True)


def test_order_of_the_design():
    """Autocast, BackendSelect, Pipeline, autograd, ADInplaceOrView, Python, Meta, NPU, CPU."""
    order = [
        K.AutocastNPU,
        K.BackendSelect,
        K.Pipeline,
        K.AutogradNestedTensor,
        K.AutogradMeta,
        K.AutogradNPU,
        K.AutogradCPU,
        K.AutogradOther,
        K.ADInplaceOrView,
        K.Python,
        K.Meta,
        K.NPU,
        K.CPU,
    ]
    assert order == sorted(order, reverse=True)


def test_npu_keys_are_the_privateuse1_family():
    """torch_npu's names are enum aliases, and people are shown NPU."""
    for prefix in ["", "Quantized", "Sparse", "SparseCsr", "NestedTensor", "Autograd", "Autocast"]:
        assert K[f"{prefix}NPU"] is K[f"{prefix}PrivateUse1"]
        assert key_name(K[f"{prefix}PrivateUse1"]) == f"{prefix}NPU"
    assert str(K.NPU) == "DispatchKey.NPU"
    assert "NPU" in repr(K.PrivateUse1)


def test_alias_keys_lie_below_every_runtime_key():
    """A key set may contain aliases; they are never the highest beside a runtime key."""
    assert max(ALIAS_KEYS) < min(DISPATCH_KEY_PRIORITY)
    assert {k.name for k in ALIAS_KEYS} == {
        "Autograd",
        "CompositeImplicitAutograd",
        "FuncTorchBatchedDecomposition",
        "CompositeImplicitAutogradNestedTensor",
        "CompositeExplicitAutograd",
        "CompositeExplicitAutogradNonFunctional",
    }
    assert all(is_alias_key(k) for k in ALIAS_KEYS)
    assert not is_alias_key(K.CPU) and not is_alias_key(K.Undefined) and not is_alias_key(K.Dense)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("CPU", K.CPU),
        ("NPU", K.PrivateUse1),
        ("PrivateUse1", K.NPU),
        ("Undefined", K.Undefined),
        ("CatchAll", K.Undefined),
        ("DefaultBackend", K.CompositeExplicitAutograd),
        ("Autocast", K.AutocastCUDA),
        ("PrivateUse2_PreAutograd", K.AutogradPrivateUse2),
        (K.Meta, K.Meta),
        (int(K.Meta), K.Meta),
    ],
)
def test_parse_key_reads_all_spellings(text, key):
    """Names of torch, of torch_npu, and torch's old spellings."""
    assert parse_key(text) is key


def test_unknown_key_name_is_torchs_error():
    """torch's text for a name that is no key."""
    with pytest.raises(RuntimeError, match="^could not parse dispatch key: CPUX$"):
        parse_key("CPUX")


def test_alias_sets():
    """Which runtime keys a composite kernel may fill (torch's sets)."""
    explicit = K.CompositeExplicitAutograd
    functional = K.CompositeExplicitAutogradNonFunctional
    implicit = K.CompositeImplicitAutograd
    for key in (K.CPU, K.Meta, K.FPGA, K.QuantizedCPU, K.SparseCsrCPU):
        assert is_included_in_alias(key, explicit) and is_included_in_alias(key, functional)
    for key in (K.SparseCPU, K.XLA, K.Lazy, K.QuantizedXLA):
        assert is_included_in_alias(key, explicit) and not is_included_in_alias(key, functional)
    assert not is_included_in_alias(K.NestedTensorCPU, explicit)
    for key in (K.NestedTensorCPU, K.AutogradCPU, K.AutogradOther, K.SparseCPU):
        assert is_included_in_alias(key, implicit)
    for key in (K.Python, K.ADInplaceOrView, K.Tracer, K.Undefined):
        assert not is_included_in_alias(key, implicit)
    assert keys_in(runtime_keys_of(K.FuncTorchBatchedDecomposition)) == [K.FuncTorchBatched]
    assert runtime_keys_of(K.CPU) == K.CPU


def test_backends_behind_an_autograd_key():
    """A kernel at one of these keeps the autograd key from decomposing the op."""
    assert backend_keys_of_autograd(K.AutogradCPU) == K.CPU
    assert backend_keys_of_autograd(K.AutogradNPU) == K.NPU
    assert backend_keys_of_autograd(K.AutogradOther) & K.SparseCPU
    assert backend_keys_of_autograd(K.AutogradNestedTensor) & K.NestedTensorMeta
    assert backend_keys_of_autograd(K.CPU) == 0


def test_what_is_no_key_is_refused():
    """A function in the place of a key is an easy slip, and no bit may be set twice."""
    with pytest.raises(TypeError, match="a DispatchKey or its name, not builtin_function"):
        parse_key(abs)
    with pytest.raises(ValueError):
        parse_key(3)
