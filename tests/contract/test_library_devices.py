"""Custom ops where torch has none: on the NPU, in pipelines."""

from __future__ import annotations

import itertools

import mindtorch as torch
import pytest

_names = (f"lib_devices::op{i}" for i in itertools.count())
LARGE = 1 << 14


def custom(body, **options):
    options.setdefault("schema", "(Tensor x, int times=2) -> Tensor")
    return torch.library.custom_op(next(_names), body, mutates_args=(), **options)


@pytest.fixture
def ran():
    return []


@pytest.fixture
def op(ran):
    """Multiplies; notes each run of its kernel."""

    def body(x, times=2):
        ran.append(times)
        return x * times

    made = custom(body)
    made.register_fake(lambda x, times=2: torch.empty_like(x))

    def setup(ctx, inputs, output):
        ctx.times = inputs[1]

    made.register_autograd(lambda ctx, g: (g * ctx.times, None), setup_context=setup)
    return made


@pytest.mark.parametrize("device", ["cpu", "npu"])
def test_a_custom_op_waits_in_a_pipeline(op, ran, device):
    """Its kernel runs at the flush, in its place among the other ops."""
    with torch.pipeline():
        x = torch.ones(LARGE, device=device) + 1
        y = op(x, 4) + 1
        assert ran == [] and y._pending and y.shape == (LARGE,) and y.device.type == device
    assert ran == [4] and y[0].item() == 9.0 and y.device.type == device


@pytest.mark.parametrize("device", ["cpu", "npu"])
def test_its_gradient_is_recorded_before_it_runs(op, ran, device):
    """grad_fn is there at once; backward flushes."""
    x = torch.ones(LARGE, device=device, requires_grad=True)
    with torch.pipeline():
        y = op(x, 5)
        assert ran == [] and y._pending and y.requires_grad
        assert y.grad_fn.name().startswith("GeneratedBackwardFor_lib_devices_op")
        loss = y.sum()
    loss.backward()
    assert ran == [5] and x.grad[0].item() == 5.0 and x.grad.device.type == device


def test_a_pipeline_needs_the_fake_implementation(ran):
    """Without one nothing says the result's shape: the error names what to register."""
    op = custom(lambda x, times=2: ran.append(1) or x * times)
    with pytest.raises(RuntimeError, match="There was no fake impl registered for <CustomOpDef"):
        with torch.pipeline():
            op(torch.ones(LARGE))
    lib = torch.library.Library("lib_devices", "FRAGMENT")
    lib.define("bare(Tensor x) -> Tensor")
    lib.impl("bare", lambda x: x + 1, "CPU")
    with pytest.raises(RuntimeError, match="requires meta kernel for op lib_devices::bare"):
        with torch.pipeline():
            torch.ops.lib_devices.bare(torch.ones(LARGE))
    assert ran == []


def test_an_op_that_changes_its_argument_runs_after_what_was_recorded(ran):
    """Program order holds: the pipeline is flushed, then the op runs."""

    def change(x):
        ran.append(x[0].item())
        x.add_(1)

    op = torch.library.custom_op(
        next(_names), change, mutates_args={"x"}, schema="(Tensor(a!) x) -> ()"
    )
    with torch.pipeline():
        x = torch.ones(LARGE) * 3
        version = x._version
        op(x)
        y = x * 2
    assert ran == [3.0] and y[0].item() == 8.0 and x._version == version + 2


def test_a_kernel_of_the_npu_runs_for_its_tensors_only(ran):
    """device_types="npu"; other devices say that there is no kernel."""
    op = custom(lambda x, times=2: ran.append(x.device.type) or x * times, device_types="npu")
    assert op(torch.ones(2, device="npu")).tolist() == [2.0, 2.0]
    with pytest.raises(NotImplementedError, match="from the 'CPU' backend"):
        op(torch.ones(2))
    op.register_kernel("cpu", lambda x, times=2: ran.append("host") or x + times)
    assert op(torch.ones(2)).tolist() == [3.0, 3.0]
    assert op(torch.ones(2, device="npu"), 3).tolist() == [3.0, 3.0]
    assert ran == ["npu", "host", "npu"]


def test_npu_before_cpu_where_arguments_lie_on_both(ran):
    """As torch: the keys of all arguments are joined, the highest backend runs."""
    op = custom(
        lambda x, y: ran.append("npu") or x.cpu() + y.cpu(), device_types="npu",
        schema="(Tensor x, Tensor y) -> Tensor",
    )  # fmt: skip
    op.register_kernel("cpu", lambda x, y: ran.append("cpu") or x + y)
    assert op(torch.ones(2), torch.ones(2, device="npu")).tolist() == [2.0, 2.0]
    assert ran == ["npu"]


def test_a_factory_goes_where_its_device_says(ran):
    """An op without tensors is sent to the kernel of its ``device`` argument."""
    op = custom(
        lambda n, device: ran.append(device.type) or torch.ones(n, device=device),
        device_types=("cpu", "npu"), schema="(SymInt n, Device device) -> Tensor",
    )  # fmt: skip
    for device in ("cpu", "npu"):
        assert op(2, torch.device(device)).device.type == device
    assert ran == ["cpu", "npu"]


def test_a_kernel_from_a_compiler_is_refused():
    """There is no AOTInductor; the error names it."""
    with pytest.raises(NotImplementedError, match="AOTInductor"):
        torch.library.Library("lib_devices", "FRAGMENT")._impl_with_aoti_compile("x", "CPU")
