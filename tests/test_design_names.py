"""Names that the design documents have and torch has not: where they are, and what they are."""

from __future__ import annotations

import importlib

import mindtorch as torch
import numpy as np
import pytest
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import dispatch, registry

#: Module below ``mindtorch`` → names there, each with what it is in torch's namespaces.
PATHS = {
    "_functional": "add mul neg stack cat concat hstack vstack column_stack block_diag chunk split "
    "cartesian_prod unbind pad_sequence:nn.utils.rnn.pad_sequence",
    "_creation": "tensor zeros ones empty arange linspace full eye from_numpy as_tensor randn",
    "_device": "device Device:device get_default_device set_default_device",
    "_dtype": "dtype DType:dtype float32 bfloat16 int64 bool half complex128 float8_e5m2",
    "_storage": "TypedStorage UntypedStorage",
    "_random": "manual_seed seed initial_seed get_rng_state set_rng_state Generator",
    "_tensor": "Tensor",
    "_autograd": "Function:autograd.Function",
    "_autograd.function": "Function:autograd.Function",
    "_autograd.engine": "backward:autograd.backward grad:autograd.grad",
    "_autograd.graph": "saved_tensors_hooks:autograd.graph.saved_tensors_hooks",
    "_autograd.grad_mode": "no_grad enable_grad set_grad_enabled is_grad_enabled inference_mode",
    "nn": "DistributedDataParallel:nn.parallel.DistributedDataParallel",
}
NAMES = [(path, *each.split(":")) for path, names in PATHS.items() for each in names.split()]


@pytest.mark.parametrize(("path", "name", "what"), [(p, n, *(w or [n])) for p, n, *w in NAMES])
def test_name_is_there(path, name, what):
    """It is the very object that torch's name stands for."""
    wanted = torch
    for part in what.split("."):
        wanted = getattr(wanted, part)
    assert getattr(importlib.import_module(f"mindtorch.{path}"), name) is wanted


def test_top_level_names():
    """The classes of devices and dtypes."""
    assert torch.Device is torch.device and torch.DType is torch.dtype
    assert torch.Device("npu:1") == torch.device("npu", 1)


@pytest.mark.parametrize("path", ["_dtype", "_functional"])
def test_other_names_are_not(path):
    """As attributes of any module."""
    module = importlib.import_module(f"mindtorch.{path}")
    with pytest.raises(AttributeError, match="nothing"):
        _ = module.nothing


def test_elements_of_a_storage():
    """An array over the memory, of every element that a view of it leaves out, too."""
    t = torch.arange(6.0)
    data = t[2:4].storage().data
    assert isinstance(data, np.ndarray) and data.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    data[0] = 9
    assert t[0].item() == 9.0
    with torch.pipeline():
        assert (t + 1).storage().data.tolist() == [10.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    with pytest.raises(NotImplementedError):
        _ = t.to("meta").storage().data


def test_kernel_without_numbers_may_describe_its_result():
    """``TensorSpec``: shape, strides and dtype, in place of a meta tensor."""
    from mindtorch._backends.meta.infer import TensorSpec

    before = registry.snapshot()
    name = "design_names::makes"
    try:
        registry.register_schema(f"{name}(Tensor x) -> (Tensor, Tensor)")
        registry.register_kernel(name, K.CPU, lambda x: (x.t().clone(), x.sum()))
        specs = TensorSpec((2, 3), (1, 2), torch.float32), TensorSpec((), dtype=torch.float32)
        registry.register_kernel(name, K.Meta, lambda x: specs)
        x = torch.arange(6.0).view(3, 2)
        with torch.pipeline():
            turned, total = dispatch(name, None, x)
            assert turned._pending and turned.shape == (2, 3) and turned.stride() == (1, 2)
            assert total.shape == () and total.dtype is torch.float32
        assert turned.tolist() == x.t().tolist() and total.item() == 15.0
    finally:
        registry.restore(before)


def test_restored_registry_forgets_a_programs_ops():
    """``torch.library`` can define them again; kernels over torch's are gone; torch's ops work."""
    for factor in (2, 3):
        before = registry.snapshot()
        lib = torch.library.Library("design_names", "DEF")
        lib.define("scaled(Tensor x) -> Tensor")
        lib.impl("scaled", lambda x, factor=factor: x * factor, "CPU")

        @torch.library.custom_op("design_names::custom", mutates_args=())
        def custom(x: torch.Tensor) -> torch.Tensor:
            return x + 1

        registry.register_kernel("aten::relu", K.CPU, lambda x: x * 5)
        assert torch.ops.design_names.scaled(torch.ones(1)).item() == factor
        assert custom(torch.ones(1)).item() == 2.0 and torch.relu(torch.ones(1)).item() == 5.0
        registry.restore(before)
        assert not hasattr(torch.ops.design_names, "scaled")
        assert not registry.has("design_names::custom")
        assert torch.relu(torch.ones(1)).item() == 1.0
        del lib, custom
    assert torch.special.i0e(torch.zeros(1)).item() == 1.0
