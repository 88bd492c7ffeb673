"""The data behind ``mindtorch dispatch``."""

from __future__ import annotations

import pytest
from mindtorch_cli.calls import CallError, explain_call, explain_op, list_keys, list_ops, select
from mindtorch_cli.specs import TensorSpec

PLAIN = TensorSpec("float32", (2,))
GRAD = TensorSpec("float32", (2,), "cpu", True)


def steps(call):
    return [s["key"] for s in call["path"] if s["kernel"] or s["why"] == "no kernel"]


def test_call_without_grad_goes_straight_to_the_backend(toy):
    """Autograd's key is in the effective set only where a gradient is needed."""
    assert steps(explain_call(toy, (PLAIN, PLAIN))) == ["CPU"]


def test_call_with_grad_goes_through_autograd(toy):
    """The backend's autograd key comes first, by way of the alias."""
    call = explain_call(toy, (PLAIN, GRAD))
    assert steps(call) == ["AutogradCPU", "CPU"]
    why = {s["key"]: s["why"] for s in call["path"]}
    assert why["AutogradCPU"] == "alias Autograd"
    assert why["ADInplaceOrView"] == "falls through for this op"


def test_step_names_kernel_and_place(toy):
    """A reader can go from the table to the line."""
    last = explain_call(toy, (PLAIN, PLAIN))["path"][-1]
    assert last["kernel"] == "cpu_kernel"
    path, _, line = last["where"].rpartition(":")
    assert path.endswith("conftest.py") and int(line) > 1
    assert last["why"] == "registered at this key"


def test_missing_kernel_ends_the_path(toy):
    """A device without a kernel is shown as what it is."""
    call = explain_call(toy, (TensorSpec("float32", (2,), "npu"), PLAIN))
    assert call["path"][-1]["key"] == "NPU" and call["path"][-1]["why"] == "no kernel"


def test_arguments_choose_the_overload(toy):
    """The first overload that takes the arguments is explained."""
    assert explain_call(toy, (PLAIN, [2, 3]), {"n": 2})["operator"] == "toy::pair.int"
    assert explain_call(toy, (PLAIN, 2))["operator"] == "toy::pair.Tensor"


@pytest.mark.parametrize(
    "args, kwargs, reason",
    [
        ((PLAIN,), {}, "needs other"),
        ((PLAIN, PLAIN, PLAIN), {}, "takes 2 positional arguments, got 3"),
        ((PLAIN, PLAIN), {"n": 1}, "has no argument n"),
        ((PLAIN, PLAIN), {"self": PLAIN}, "got self twice"),
        ((1, PLAIN), {}, "self must be Tensor"),
        ((PLAIN, [1.5]), {}, "size must be List[int]"),
    ],
)
def test_arguments_that_fit_nowhere_are_refused_with_reasons(toy, args, kwargs, reason):
    """Every overload says why it does not take them."""
    with pytest.raises(CallError) as error:
        explain_call(toy, args, kwargs)
    assert reason in str(error.value)


def test_unknown_op_suggests_names():
    """A slip of the finger is answered with what exists."""
    with pytest.raises(CallError, match=r"no operator is called aten::ad; did you mean .*aten::a"):
        select("aten::ad")


def test_unknown_device_is_refused(toy):
    """Only device types with a dispatch key can be asked about."""
    with pytest.raises(CallError, match="no dispatch key belongs to device"):
        explain_call(toy, (TensorSpec("float32", (2,), "gpu"), PLAIN))


def test_table_has_every_key_and_a_reason(toy):
    """No slot is left out or without a reason."""
    from mindtorch_dispatch import DISPATCH_KEY_PRIORITY

    data = explain_op(toy)
    assert len(data["table"]) == len(DISPATCH_KEY_PRIORITY)
    assert all(row["why"] for row in data["table"])
    why = {row["key"]: row["why"] for row in data["table"]}
    assert why["CPU"] == "registered at this key"
    assert why["AutogradCPU"] == "alias Autograd"
    assert why["CUDA"] == "no kernel"
    assert why["ADInplaceOrView"] == "falls through for this op"
    assert data["overloads"] == ["toy::pair.int"]


def test_composite_kernel_is_named_by_its_alias(toy):
    """Where an alias key filled the slot, the reason names the alias."""
    why = {row["key"]: row["why"] for row in explain_op("toy::pair.int")["table"]}
    assert why["CPU"] == "alias CompositeImplicitAutograd"


def test_keys_are_listed_in_the_order_of_dispatch():
    """Highest first, with our differences from torch marked."""
    rows = list_keys()
    assert [r["bit"] for r in rows] == sorted((r["bit"] for r in rows), reverse=True)
    names = [r["key"] for r in rows]
    assert names.index("BackendSelect") + 1 == names.index("Pipeline")
    assert names.index("Pipeline") < names.index("AutogradCPU") < names.index("Meta")
    notes = {r["key"]: r["note"] for r in rows}
    assert "not in torch" in notes["Pipeline"]
    assert notes["NPU"] == "torch: PrivateUse1"
    assert notes["CPU"] == ""


def test_ops_are_found_by_part_of_a_name_and_by_pattern(toy):
    """``pair`` and ``toy::*`` both find the overloads."""
    both = ["toy::pair.Tensor", "toy::pair.int"]
    assert [r["operator"] for r in list_ops("toy::")] == both
    assert [r["operator"] for r in list_ops("toy::*")] == both
    assert [r["operator"] for r in list_ops("pair.i*")] == both[1:]
    assert list_ops("pair.Tensor")[0]["kernels"] == ["ADInplaceOrView", "CPU", "Autograd"]
    with pytest.raises(CallError, match="no operator matches toy::pear; did you mean toy::pair"):
        list_ops("toy::pear")
