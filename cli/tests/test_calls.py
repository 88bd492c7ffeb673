"""The data behind ``mindtorch dispatch``."""

from __future__ import annotations

import mindtorch as torch
import pytest
from mindtorch_cli.argument_specs import TensorSpec
from mindtorch_cli.calls import CallError, explain_call, explain_op, select
from mindtorch_dispatch import key_name

PLAIN = TensorSpec("float32", (2,))
GRAD = TensorSpec("float32", (2,), "cpu", True)


def steps(call):
    return [s["key"] for s in call["path"] if s["kernel"] or s["why"] == "no kernel"]


def test_every_tensor_brings_its_autograd_key(toy):
    """As in torch: the kernel at Autograd runs whether or not a gradient is needed."""
    assert steps(explain_call(toy, (PLAIN, PLAIN))) == ["AutogradCPU", "CPU"]


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


def test_each_argument_brings_its_keys():
    """Joined, then the thread's masks: what is left is what the call is dispatched by."""
    call = explain_call("aten::mul.Tensor", (GRAD, TensorSpec("float32", (), "npu")))
    first, second = call["arguments"]
    assert first["name"] == "self" and first["text"] == "f32[2],grad"
    assert {"AutogradCPU", "CPU"} <= set(first["keys"])
    assert {"AutogradNPU", "NPU"} <= set(second["keys"])
    assert set(call["merged"]) == {*first["keys"], *second["keys"]}
    assert "AutocastCPU" in call["excluded"] and "AutocastCPU" not in call["keys"]
    assert "BackendSelect" in call["included"] and "BackendSelect" in call["keys"]
    assert "devices differ" in call["first"][0]


def test_options_of_the_thread():
    """no_grad changes no key, as in torch; include and exclude do; all is undone afterwards."""
    plain = explain_call("relu", (GRAD,))
    off = explain_call("relu", (GRAD,), grad=False)
    assert off["keys"] == plain["keys"]
    notes = {s["key"]: s["note"] for s in off["path"]}
    assert notes["AutogradCPU"] == "records nothing: grad mode is off"
    without = explain_call("relu", (GRAD,), exclude=["autogradcpu"])
    assert "AutogradCPU" not in without["keys"]
    assert without["masks"]["excluded"] == ["AutogradCPU"]
    assert "Pipeline" in explain_call("relu", (GRAD,), include=["Pipeline"])["keys"]
    assert explain_call("relu", (GRAD,)) == plain
    with pytest.raises(CallError, match="no dispatch key is called Autogrd; did you mean Autograd"):
        explain_call("relu", (GRAD,), exclude=["Autogrd"])


def test_pending_arguments_are_computed_first():
    """Outside the pipeline that made it, a pending tensor is flushed."""
    pending = TensorSpec("float32", (2,), pending=True)
    assert "is flushed" in explain_call("relu", (pending,))["first"][0]
    assert not explain_call("relu", (pending,), pipeline=True)["first"]


@pytest.mark.parametrize(
    "name, specs, kwargs",
    [
        ("aten::mul.Tensor", ["f32[2,3],grad", "f32[3]"], {}),
        ("aten::mul.Tensor", ["f32[2]", 2], {}),
        ("aten::add_.Tensor", ["f64[2]", "f64[2]"], {}),
        ("aten::relu", ["f32[4]@npu"], {}),
        ("aten::neg", ["f32[]@meta"], {}),
        ("aten::linear", ["f32[2,3]", "f32[4,3],grad"], {}),
        ("aten::cat", [["f32[2]", "f32[3]"]], {"dim": 0}),
    ],
)
def test_explanation_is_what_a_trace_sees(name, specs, kwargs):
    """The keys of the kernels, first to last, of the same call made with real tensors."""
    from mindtorch_cli.argument_specs import parse

    words = [f"[{','.join(s)}]" if isinstance(s, list) else str(s) for s in specs]
    args, _ = parse(words)
    told = [s["key"] for s in explain_call(name, args, kwargs)["path"] if s["kernel"]]
    real = [made(a) for a in args]
    base, _, overload = name.removeprefix("aten::").partition(".")
    with torch.dispatch_trace() as t:
        getattr(getattr(torch.ops.aten, base), overload or "default")(*real, **kwargs)
    seen, event = [], t.events[0].chosen
    while event is not None and event.kind == "kernel":
        seen.append(key_name(event.hop.key))
        event = next(iter(event.children), None)
    assert seen == told


@pytest.mark.parametrize(
    "name, spec",
    [("relu", "f32[200,200]"), ("relu", "f32[200,200]@npu"), ("relu", "f32[3]@meta"),
     ("t", "f32[200,200]"), ("_local_scalar_dense", "f32[]")],
)  # fmt: skip
def test_what_is_said_to_be_deferred_is_recorded(name, spec):
    """In a pipeline: what the explanation defers, the trace sees recorded."""
    from mindtorch_cli.argument_specs import parse

    args, _ = parse([spec])
    told = [s["key"] for s in explain_call(name, args, pipeline=True)["path"] if s["deferred"]]
    real = made(args[0])
    with torch.dispatch_trace() as t, torch.pipeline():
        getattr(torch.ops.aten, name).default(real)
    seen = [key_name(e.hop.key) for e in t.walk() if "recorded for the flush" in e.notes]
    assert seen == told


def made(value):
    """A tensor as its spec says."""
    if isinstance(value, list):
        return [made(v) for v in value]
    if not isinstance(value, TensorSpec):
        return value
    return torch.ones(
        value.shape,
        dtype=getattr(torch, value.dtype),
        device=value.device,
        requires_grad=value.requires_grad,
    )
