"""RMS norm on an accelerator is one operator that keeps its input and a factor per row."""

from __future__ import annotations

from itertools import product
from typing import Any

import mindtorch
import pytest
import torch
from mindtorch.core.operators import of
from mindtorch.nn.functional import rms_norm

FUSED = "FusedRmsNormBackward0"


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("shape, norm", [((3, 5, 8), (8,)), ((4, 2, 3), (2, 3)), ((0, 4), (4,))])
@pytest.mark.parametrize("weighed, eps", [(True, None), (False, 0.1)])
def test_it_gives_what_the_host_gives(
    dtype: str, shape: Any, norm: Any, weighed: bool, eps: float | None
) -> None:
    kind = getattr(mindtorch, dtype)
    mindtorch.manual_seed(0)
    given = [mindtorch.randn(shape).to(kind), *[mindtorch.randn(norm).to(kind)] * weighed]
    found = []
    for device in ("cpu", "npu"):
        x, *weight = inputs = [t.detach().to(device, copy=True).requires_grad_() for t in given]
        out = rms_norm(x, norm, *weight, eps=eps)
        assert device == "cpu" or type(out.grad_fn).__name__ == FUSED
        grads = mindtorch.autograd.grad(out.float().square().sum(), inputs)
        found.append([t.detach().cpu() for t in (out, *grads)])
    for host, there in zip(*found, strict=True):
        mindtorch.testing.assert_close(there, host)


def test_derivatives_of_any_order_are_right() -> None:
    """Where the backward is recorded its formula is written with ops."""
    mindtorch.manual_seed(0)
    x, weight = (
        mindtorch.randn(s, dtype=mindtorch.float64, device="npu", requires_grad=True)
        for s in ((2, 4), (4,))
    )
    f = lambda x, w: rms_norm(x, (4,), w)  # noqa: E731
    assert mindtorch.autograd.gradcheck(f, (x, weight))
    assert mindtorch.autograd.gradgradcheck(f, (x, weight))


def test_its_parts_are_torchs_decompositions() -> None:
    """Results and gradients of the operators, also of those that are not wanted."""
    from torch._decomp.decompositions import _fused_rms_norm, _fused_rms_norm_backward

    torch.manual_seed(0)
    x, weight, g = torch.randn(3, 4), torch.randn(4), torch.randn(3, 4)
    out, rstd = _fused_rms_norm(x, [4], weight, 0.1)
    ours = [mindtorch.tensor(t.tolist(), device="npu") for t in (x, weight, g)]
    found = of("_fused_rms_norm")(ours[0], [4], ours[1], 0.1)
    for mine, theirs in zip(found, (out, rstd), strict=True):
        assert tuple(mine.shape) == tuple(theirs.shape)
        mindtorch.testing.assert_close(mine.cpu(), mindtorch.tensor(theirs.tolist()))
    for mask in product((True, False), repeat=2):
        wanted = _fused_rms_norm_backward(g, x, [4], rstd, weight, list(mask))
        given = of("_fused_rms_norm_backward")(ours[2], ours[0], [4], found[1], ours[1], list(mask))
        for mine, theirs, asked in zip(given, wanted, mask, strict=True):
            assert (mine is None) is (not asked)
            if asked:
                mindtorch.testing.assert_close(mine.cpu(), mindtorch.tensor(theirs.tolist()))


def test_it_keeps_no_more_than_its_result() -> None:
    """The normalised input is computed again; a float32 factor stays for each row."""
    x = mindtorch.zeros(512, 1024, dtype=mindtorch.bfloat16, device="npu", requires_grad=True)
    layer = mindtorch.nn.RMSNorm(1024, dtype=mindtorch.bfloat16, device="npu")
    layer(x)
    mindtorch.npu.reset_peak_memory_stats()
    before = mindtorch.npu.memory_allocated()
    out = layer(x)
    held = mindtorch.npu.memory_allocated() - before
    assert held == out.nbytes + 512 * 4
    assert mindtorch.npu.max_memory_allocated() - before == held


def test_what_the_operator_does_not_take_goes_step_by_step() -> None:
    """Other dtypes of weight, images with channels last, transforms: as torch's composite."""
    x = mindtorch.randn(2, 3, 4, 4, device="npu", requires_grad=True)
    last = x.detach().to(memory_format=mindtorch.channels_last).requires_grad_()
    double = mindtorch.ones(4, dtype=mindtorch.float64, device="npu")
    with pytest.warns(UserWarning, match="Mismatch dtype between input and weight"):
        assert type(rms_norm(x, (4,), double).grad_fn).__name__ != FUSED
    assert type(rms_norm(last, (4,)).grad_fn).__name__ != FUSED
    batched = mindtorch.vmap(lambda row: rms_norm(row, (4,)))(x.detach())
    mindtorch.testing.assert_close(batched, rms_norm(x.detach(), (4,)))
