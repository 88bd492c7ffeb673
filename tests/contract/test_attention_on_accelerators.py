"""Attention on an accelerator is one operator that keeps no scores, as on CUDA."""

from __future__ import annotations

from itertools import product
from typing import Any

import mindtorch
import pytest
import torch
from mindtorch.nn.attention import SDPBackend, sdpa_kernel
from mindtorch.nn.functional import scaled_dot_product_attention

FUSED = "ScaledDotProductEfficientAttentionBackward0"


def three(*shape: int, served: int | None = None, dtype: Any = mindtorch.float32) -> list[Any]:
    mindtorch.manual_seed(sum(shape))
    batch, heads, length, width = shape
    of_keys = (batch, served or heads, length, width)
    return [mindtorch.randn(s).to(dtype) for s in (shape, of_keys, of_keys)]


OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "causal": {"is_causal": True},
    "scaled": {"scale": 0.3},
    "truth mask": {"attn_mask": mindtorch.ones(1, 1, 40, 40, dtype=mindtorch.bool).tril(3)},
    "a row sees nothing": {"attn_mask": mindtorch.ones(40, 40, dtype=mindtorch.bool).tril(-1)},
    "added mask": {"attn_mask": mindtorch.linspace(-1, 1, 40).expand(40, 40).contiguous()},
    "shared heads": {"enable_gqa": True},
}


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("name", OPTIONS)
def test_it_gives_what_the_host_gives(name: str, dtype: str) -> None:
    options = OPTIONS[name]
    served = 2 if options.get("enable_gqa") else None
    given = three(2, 4, 40, 16, served=served, dtype=getattr(mindtorch, dtype))
    found = []
    for device in ("cpu", "npu"):
        inputs = [t.to(device).requires_grad_() for t in given]
        here = {
            k: v.to(device, inputs[0].dtype if v.is_floating_point() else v.dtype)
            if isinstance(v, mindtorch.Tensor)
            else v
            for k, v in options.items()
        }
        out = scaled_dot_product_attention(*inputs, **here)
        assert device == "cpu" or type(out.grad_fn).__name__ == FUSED
        grads = mindtorch.autograd.grad(out.float().square().sum(), inputs)
        found.append([t.detach().cpu() for t in (out, *grads)])
    for host, there in zip(*found, strict=True):
        assert mindtorch.equal(host, there)


def test_results_look_as_torchs_meta_says() -> None:
    """Heads stand behind in memory; logarithms are padded; two numbers are for dropout."""
    for length, kept, dtype in product((1, 10, 33), (True, False), ("float32", "float16")):

        def shown(t: Any) -> list[Any]:
            q, v, bias = (
                t.empty(2, 4, length, n, dtype=getattr(t, dtype), device="meta")
                for n in (8, 6, length)
            )
            op = t.ops.aten._scaled_dot_product_efficient_attention
            out = op(q, q, v, bias, kept)
            rest = bias, out[0], *out[1:], 0.0, [True, True, True, True]
            name = "_scaled_dot_product_efficient_attention_backward"
            found = [*out, *getattr(t.ops.aten, name)(out[0], q, q, v, *rest)]
            return [(tuple(x.shape), x.stride(), str(x.dtype)) for x in found]

        assert shown(mindtorch) == shown(torch)


@pytest.mark.parametrize("shape", [(2, 4, 21, 24), (1, 4, 1, 24), (21, 24)])
@pytest.mark.parametrize("p", [0.0, 0.3])
def test_an_added_mask_has_a_gradient(shape: tuple[int, ...], p: float) -> None:
    """Keys are of another length than queries, and values of another width than both."""
    q, k, v, bias, g = (
        mindtorch.randn(s, device="npu").requires_grad_()
        for s in ((2, 4, 21, 8), (2, 4, 24, 8), (2, 4, 24, 24), shape, (2, 4, 21, 24))
    )
    with mindtorch.no_grad():
        v.copy_(mindtorch.eye(24))
    out = scaled_dot_product_attention(q, k, v, attn_mask=bias, dropout_p=p)
    assert type(out.grad_fn).__name__ == FUSED
    found = mindtorch.autograd.grad(out, (q, k, v, bias), g, create_graph=not p)
    weights = mindtorch.softmax(q @ k.mT * 8**-0.5 + bias, -1) * ((out.detach() != 0) / (1 - p))
    expected = mindtorch.autograd.grad(weights @ v, (q, k, v, bias), g, create_graph=not p)
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        assert mindtorch.allclose(one, other, rtol=1e-4, atol=1e-5)
    if not p:
        again = [
            mindtorch.autograd.grad(sum(x.square().sum() for x in grads), (q, k, v, bias))
            for grads in (found, expected)
        ]
        for one, other in zip(*again, strict=True):
            assert mindtorch.allclose(one, other, rtol=1e-3, atol=1e-4)


def test_no_scores_are_kept() -> None:
    q, k, v = (t.to("npu").requires_grad_() for t in three(1, 4, 512, 16))
    npu, results = mindtorch.npu, 4 * 512 * 17 * 4 + 2 * 512
    npu.reset_peak_memory_stats()
    before = npu.memory_allocated()
    out = scaled_dot_product_attention(q, k, v, is_causal=True)
    assert npu.memory_allocated() - before == npu.max_memory_allocated() - before == results
    out.sum().backward()
    assert npu.max_memory_allocated() - before < 4 * 512 * 512 * 4


@pytest.mark.parametrize(
    ("allowed", "fused"),
    [
        ([SDPBackend.MATH], False),
        ([SDPBackend.EFFICIENT_ATTENTION], True),
        ([SDPBackend.FLASH_ATTENTION], True),
        ([SDPBackend.MATH, SDPBackend.EFFICIENT_ATTENTION], True),
    ],
)
def test_sdpa_kernel_chooses(allowed: list[Any], fused: bool) -> None:
    q = three(1, 2, 8, 4)[0].to("npu").requires_grad_()
    with sdpa_kernel(allowed):
        out = scaled_dot_product_attention(q, q, q)
        choice = mindtorch._fused_sdp_choice(q, q, q)
    assert (type(out.grad_fn).__name__ == FUSED) is fused
    assert choice == (SDPBackend.EFFICIENT_ATTENTION if fused else SDPBackend.MATH).value


@pytest.mark.parametrize(
    "change",
    [
        lambda q: (q.double(), {}),
        lambda q: (q[0], {}),
    ],
    ids=["float64", "three dims"],
)
def test_what_it_does_not_serve_goes_step_by_step(change: Any) -> None:
    q, options = change(three(1, 2, 8, 4)[0].to("npu").requires_grad_())
    out = scaled_dot_product_attention(q, q, q, **options)
    assert type(out.grad_fn).__name__ != FUSED
    assert mindtorch._fused_sdp_choice(q, q, q, **options) == SDPBackend.MATH.value


def test_it_is_differentiated_again_and_transformed() -> None:
    q, k, v = (t.double().float() for t in three(1, 4, 6, 4, served=2))
    options = {"is_causal": True, "enable_gqa": True}

    def second(device: str) -> Any:
        x = q.to(device).requires_grad_()
        out = scaled_dot_product_attention(x, k.to(device), v.to(device), **options)
        (g,) = mindtorch.autograd.grad(out.square().sum(), x, create_graph=True)
        return mindtorch.autograd.grad(g.square().sum(), x)[0].cpu()

    with sdpa_kernel(SDPBackend.MATH):
        steps = second("npu")
    assert mindtorch.allclose(second("npu"), steps, rtol=1e-4, atol=1e-5)

    def tangent(device: str) -> Any:
        x = q.to(device)

        def run(x: Any) -> Any:
            return scaled_dot_product_attention(x, k.to(device), v.to(device), **options)

        return mindtorch.func.jvp(run, (x,), (mindtorch.ones_like(x),))[1].cpu()

    with sdpa_kernel(SDPBackend.MATH):
        steps = tangent("cpu")
    assert mindtorch.allclose(tangent("npu"), steps, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_dropped_weights_are_drawn_again_for_the_gradient(dtype: str) -> None:
    """The seed and the offset are kept, so what is dropped is what the gradient leaves out."""
    mindtorch.manual_seed(0)
    q, k, g = (t.to("npu", getattr(mindtorch, dtype)).requires_grad_() for t in three(2, 2, 24, 24))
    eye = mindtorch.eye(24, dtype=q.dtype, device="npu")  # what comes out are the weights
    v = eye.expand(2, 2, 24, 24).contiguous().requires_grad_()
    out = scaled_dot_product_attention(q, k, v, dropout_p=0.25)
    assert type(out.grad_fn).__name__ == FUSED
    found = mindtorch.autograd.grad(out, (q, k, v), g.detach())
    kept = out.detach() != 0
    assert 0.70 < kept.float().mean().item() < 0.80
    weights = mindtorch.softmax((q @ k.mT).float() * 24**-0.5, -1) * (kept / 0.75)
    expected = mindtorch.autograd.grad(weights.to(q.dtype) @ v, (q, k, v), g.detach())
    exactness = {"rtol": 1e-4, "atol": 1e-5} if dtype == "float32" else {"rtol": 0.02, "atol": 0.02}
    assert mindtorch.allclose(out.float(), weights, **exactness)
    for one, other in zip(found, expected, strict=True):
        assert mindtorch.allclose(one, other, **exactness)


def test_dropout_follows_the_devices_generator() -> None:
    q = three(1, 2, 16, 8)[0].to("npu").requires_grad_()

    def run(p: float) -> Any:
        return scaled_dot_product_attention(q, q, q, dropout_p=p)

    def again() -> Any:
        mindtorch.manual_seed(3)
        return run(0.5)

    assert mindtorch.equal(again(), again())
    assert not mindtorch.equal(again(), run(0.5))
    assert mindtorch.count_nonzero(run(1.0)).item() == 0
    generator = mindtorch.npu.default_generators[0]
    before = generator.get_offset()
    run(0.0)
    assert generator.get_offset() == before
    (direct,) = mindtorch.autograd.grad(again().sum(), q)
    mindtorch.manual_seed(3)
    out = mindtorch.utils.checkpoint.checkpoint(
        scaled_dot_product_attention, q, q, q, dropout_p=0.5, use_reentrant=False
    )
    assert mindtorch.equal(mindtorch.autograd.grad(out.sum(), q)[0], direct)


def test_dropout_keeps_no_mask() -> None:
    q, k, v = (t.to("npu").requires_grad_() for t in three(1, 4, 512, 16))
    before = mindtorch.npu.memory_allocated()
    out = scaled_dot_product_attention(q, k, v, dropout_p=0.1)
    assert mindtorch.npu.memory_allocated() - before == 4 * 512 * 17 * 4 + 2 * 512
    out = mindtorch.autograd.grad(out.sum(), q, create_graph=True)[0]
    with pytest.raises(RuntimeError, match="efficient_attention_backward is not implemented"):
        out.sum().backward()
