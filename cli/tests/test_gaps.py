"""Why no kernel runs, and the line that adds one."""

from __future__ import annotations

import mindtorch as torch
import pytest
from mindtorch_cli.missing_kernels import why_not
from mindtorch_cli.suggestions import CallError
from mindtorch_dispatch import registry


@pytest.mark.parametrize(
    "op, key",
    [
        ("aten::relu", "MkldnnCPU"),
        ("aten::add.Tensor", "CUDA"),
        ("aten::add.out", "XPU"),
        ("aten::conv2d", "FuncTorchDynamicLayerBackMode"),
        ("aten::ones", "CUDA"),
        ("aten::prod", "QuantizedCPU"),
        ("aten::max_pool2d", "BatchedNestedTensor"),
        ("toy::pair.int", "FuncTorchDynamicLayerBackMode"),
        ("toy::pair.Tensor", "npu"),
    ],
)
def test_the_line_works(op, key, toy):
    """Executed as it is, it fills the slot; when its library goes, the slot is empty again."""
    data = why_not(op, key)
    assert not data["runs"] and data["rules"]
    space = {"torch": torch}
    exec(data["line"], space)
    try:
        hop = registry.get(op).explain(data["key"])
        assert hop.rule == "direct" and hop.kernel.fn is not None
        assert why_not(op, key)["runs"]
    finally:
        space["lib"]._destroy()
    assert not why_not(op, key)["runs"]


def test_a_kernel_of_the_line_is_called():
    """With an expression in place of the dots, a call runs it."""
    line = why_not("aten::trunc", "AutocastCPU")["line"]
    assert line.count("...") == 1
    space = {"torch": torch}
    exec(line.replace("...", "self.clone().fill_(7)"), space)
    try:
        with torch.autocast("cpu"):
            assert torch.trunc(torch.ones(2)).tolist() == [7.0, 7.0]
    finally:
        space["lib"]._destroy()
    assert torch.trunc(torch.ones(2)).tolist() == [1.0, 1.0]


def test_each_rule_says_what_it_found(toy):
    """A fallthrough, an alias that does not reach, a composite that a kernel overrules."""
    rules = {r["rule"]: r["found"] for r in why_not("toy::pair.Tensor", "ADInplaceOrView")["rules"]}
    assert rules["a kernel registered at ADInplaceOrView"].startswith("a fallthrough")
    rules = {r["rule"]: r["found"] for r in why_not("toy::pair.Tensor", "NPU")["rules"]}
    assert rules["a kernel registered at NPU"] == "none"
    assert rules["the alias key Autograd"] == "does not stand for NPU"
    handles = [
        registry.register_kernel("toy::pair.int", "CPU", lambda self, size, *, n=1: self),
    ]
    found = why_not("toy::pair.int", "AutogradCPU")
    registry.remove(handles)
    rules = {r["rule"]: r["found"] for r in found["rules"]}
    text = rules["the alias key CompositeImplicitAutograd"]
    assert text == "there, but CPU has a kernel of its own to differentiate"


def test_a_kernel_that_runs_is_named(toy):
    """Asked about a slot that is filled, the answer is what fills it."""
    data = why_not("toy::pair.Tensor", "cpu")
    assert data["runs"] and data["line"] is None and data["slot"]["kernel"] == "cpu_kernel"


def test_names_that_do_not_exist_are_refused(toy):
    """With what may have been meant."""
    with pytest.raises(CallError, match="did you mean SparseCPU"):
        why_not("toy::pair", "SparsCPU")
    with pytest.raises(CallError, match="no operator is called"):
        why_not("toy::pear", "CPU")
    with pytest.raises(CallError, match="is no key that a call is dispatched to"):
        why_not("toy::pair", "CompositeImplicitAutograd")
