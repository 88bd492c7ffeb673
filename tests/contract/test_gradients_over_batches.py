"""A backward for a batch of gradients gives what a backward for each of them gives, and torch's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from .helpers import assert_same_value, both

Function = Callable[[Any, Any, Any], Any]

#: Functions of a tensor of the sizes beside them: the framework, its ``nn.functional``, the tensor.
FUNCTIONS: dict[str, tuple[Function, tuple[int, ...]]] = {
    "conv2d": (lambda t, f, x: f.conv2d(x, t.ones(1, 1, 2, 2)), (1, 1, 3, 3)),
    "conv1d": (lambda t, f, x: f.conv1d(x, t.ones(2, 2, 2)), (1, 2, 4)),
    "conv_transpose2d": (lambda t, f, x: f.conv_transpose2d(x, t.ones(1, 1, 2, 2)), (1, 1, 3, 3)),
    "layer_norm": (lambda t, f, x: f.layer_norm(x, (3,)), (2, 3)),
    "group_norm": (lambda t, f, x: f.group_norm(x, 1), (2, 3, 2)),
    "batch_norm": (lambda t, f, x: f.batch_norm(x, None, None, training=True), (4, 3)),
    "batch_norm in evaluation": (lambda t, f, x: f.batch_norm(x, t.ones(3), t.ones(3)), (4, 3)),
    "instance_norm": (lambda t, f, x: f.instance_norm(x), (1, 2, 4)),
    "binary_cross_entropy": (
        lambda t, f, x: f.binary_cross_entropy(x.sigmoid(), t.ones(3), reduction="none"),
        (3,),
    ),
    "mean binary_cross_entropy": (
        lambda t, f, x: f.binary_cross_entropy(x.sigmoid(), t.ones(3)),
        (3,),
    ),
    "binary_cross_entropy_with_logits": (
        lambda t, f, x: f.binary_cross_entropy_with_logits(x, t.ones(3)),
        (3,),
    ),
    "maxpool": (lambda t, f, x: f.max_pool2d(x, 2), (1, 1, 4, 4)),
    "avgpool": (lambda t, f, x: f.avg_pool2d(x, 2), (1, 1, 4, 4)),
    "adaptive_avg_pool2d": (lambda t, f, x: f.adaptive_avg_pool2d(x, 2), (1, 1, 4, 4)),
    "cross_entropy": (lambda t, f, x: f.cross_entropy(x, t.tensor([0, 1])), (2, 3)),
    "cross_entropy of images": (
        lambda t, f, x: f.cross_entropy(x, t.zeros(1, 2, 2, dtype=t.long)),
        (1, 3, 2, 2),
    ),
    "mse_loss": (lambda t, f, x: f.mse_loss(x, t.ones(3), reduction="none"), (3,)),
    "smooth_l1_loss": (lambda t, f, x: f.smooth_l1_loss(x, t.ones(3), reduction="none"), (3,)),
    "huber": (lambda t, f, x: f.huber_loss(x, t.ones(3)), (3,)),
    "softmax": (lambda t, f, x: x.softmax(1), (2, 3)),
    "logsoftmax": (lambda t, f, x: x.log_softmax(1), (2, 3)),
    "cumprod": (lambda t, f, x: x.cumprod(0), (3,)),
    "prod": (lambda t, f, x: x.prod(), (3,)),
    "std": (lambda t, f, x: x.std(0), (3,)),
    "norm": (lambda t, f, x: x.norm(), (3,)),
    "max": (lambda t, f, x: x.max(0)[0], (3,)),
    "sort": (lambda t, f, x: x.sort()[0], (3,)),
    "gather": (lambda t, f, x: x.gather(0, t.tensor([0, 1])), (3,)),
    "index": (lambda t, f, x: x[t.tensor([0, 1])], (3,)),
    "embedding": (lambda t, f, x: f.embedding(t.tensor([0, 1]), x), (3, 2)),
    "interp": (lambda t, f, x: f.interpolate(x, scale_factor=2, mode="bilinear"), (1, 1, 2, 2)),
    "pad": (lambda t, f, x: f.pad(x, (1, 1), mode="reflect"), (1, 1, 3)),
    "attention": (lambda t, f, x: f.scaled_dot_product_attention(x, x, x), (1, 1, 3, 4)),
    "det": (lambda t, f, x: t.linalg.det(x), (2, 2)),
    "svd": (lambda t, f, x: t.linalg.svdvals(x), (2, 2)),
    "gelu": (lambda t, f, x: f.gelu(x), (3,)),
    "elu": (lambda t, f, x: f.elu(x), (3,)),
    "prelu": (lambda t, f, x: f.prelu(x - 0.5, t.tensor([0.3])), (3,)),
    "glu": (lambda t, f, x: f.glu(x, 0), (4,)),
    "unfold": (lambda t, f, x: f.unfold(x, 2), (1, 1, 3, 3)),
    "fold": (lambda t, f, x: f.fold(x, (3, 3), 2), (1, 4, 4)),
    "gridsample": (lambda t, f, x: f.grid_sample(x, t.zeros(1, 2, 2, 2)), (1, 1, 3, 3)),
    "ctc_loss": (
        lambda t, f, x: f.ctc_loss(
            x.log_softmax(2), t.tensor([[1, 2]]), t.tensor([4]), t.tensor([2])
        ),
        (4, 1, 3),
    ),
    "cdist": (lambda t, f, x: t.cdist(x, x + 1), (2, 3)),
    "pixel_shuffle": (lambda t, f, x: f.pixel_shuffle(x, 2), (1, 4, 2, 2)),
    "where": (lambda t, f, x: t.where(x > 0.5, x, x * x), (3,)),
    "lstm": (lambda t, f, x: t.nn.LSTM(3, 2)(x)[0], (2, 1, 3)),
    "multi-head attention": (lambda t, f, x: t.nn.MultiheadAttention(4, 2)(x, x, x)[0], (2, 1, 4)),
    "cosine": (lambda t, f, x: f.cosine_similarity(x, x * x + 1, dim=0), (3,)),
    "maxunpool": (
        lambda t, f, x: f.max_unpool2d(*f.max_pool2d(x, 2, return_indices=True), 2),
        (1, 1, 4, 4),
    ),
    "fft": (lambda t, f, x: t.fft.rfft(x).abs(), (4,)),
    "roll": (lambda t, f, x: x.roll(1), (3,)),
    "cummax": (lambda t, f, x: x.cummax(0)[0], (3,)),
    "logcumsumexp": (lambda t, f, x: x.logcumsumexp(0), (3,)),
    "take": (lambda t, f, x: x.take(t.tensor([0, 2])), (3,)),
    "renorm": (lambda t, f, x: x.renorm(2, 0, 0.5), (2, 3)),
    "scatter_add": (lambda t, f, x: t.zeros(3).scatter_add(0, t.tensor([0, 1, 1]), x), (3,)),
    "index_add": (lambda t, f, x: t.zeros(3).index_add(0, t.tensor([0, 1, 1]), x), (3,)),
    "masked_select": (lambda t, f, x: x.masked_select(t.tensor([True, False, True])), (3,)),
    "kl_div": (lambda t, f, x: f.kl_div(x.log(), t.ones(3) / 3), (3,)),
    "multi_margin_loss": (lambda t, f, x: f.multi_margin_loss(x, t.tensor([0, 1])), (2, 3)),
    "embedding_bag": (lambda t, f, x: f.embedding_bag(t.tensor([[0, 1]]), x), (3, 2)),
    "rrelu": (lambda t, f, x: f.rrelu(x - 0.5), (3,)),
    "logsigmoid": (lambda t, f, x: f.logsigmoid(x), (3,)),
    "mish": (lambda t, f, x: f.mish(x), (3,)),
    "hardswish": (lambda t, f, x: f.hardswish(x), (3,)),
    "erf": (lambda t, f, x: t.erf(x), (3,)),
    "cholesky": (lambda t, f, x: t.linalg.cholesky(x @ x.t() + t.eye(2)), (2, 2)),
    "inverse": (lambda t, f, x: t.linalg.inv(x + 3 * t.eye(2)), (2, 2)),
    "solve": (lambda t, f, x: t.linalg.solve(x + 3 * t.eye(2), t.ones(2)), (2, 2)),
    "eigh": (lambda t, f, x: t.linalg.eigvalsh(x @ x.t()), (2, 2)),
    "median": (lambda t, f, x: x.median(), (3,)),
    "kthvalue": (lambda t, f, x: x.kthvalue(2)[0], (3,)),
    "topk": (lambda t, f, x: x.topk(2)[0], (3,)),
    "amax": (lambda t, f, x: x.amax(0), (3,)),
    "diff": (lambda t, f, x: x.diff(), (3,)),
    "tril": (lambda t, f, x: x.tril(), (2, 2)),
    "einsum": (lambda t, f, x: t.einsum("ij,kj->ik", x, x), (2, 3)),
    "bmm": (lambda t, f, x: t.bmm(x, x), (1, 2, 2)),
    "baddbmm": (lambda t, f, x: t.baddbmm(x, x, x), (1, 2, 2)),
    "addmm": (lambda t, f, x: t.addmm(x, x, x), (2, 2)),
    "pow": (lambda t, f, x: x**x, (3,)),
    "cat": (lambda t, f, x: t.cat([x, x * x]), (3,)),
    "repeat": (lambda t, f, x: x.repeat(2), (3,)),
    "repeat_interleave": (lambda t, f, x: x.repeat_interleave(2), (3,)),
    "flip": (lambda t, f, x: x.flip(0), (3,)),
    "view_as_complex": (lambda t, f, x: t.view_as_complex(x).abs(), (2, 2)),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_batch_of_gradients_in_one_backward(name: str) -> None:
    """Both ways of the oracle, within some places of float64."""
    function, shape = FUNCTIONS[name]
    numbers = torch.rand(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0))

    def work(t: Any) -> Any:
        t.manual_seed(0)
        t.set_default_dtype(t.float64)
        try:
            x = t.from_numpy(numbers.numpy() + 0.1).requires_grad_()
            out = function(t, t.nn.functional, x)
        finally:
            t.set_default_dtype(t.float32)
        gradients = t.stack([t.ones_like(out), out.detach()])
        (batch,) = t.autograd.grad(out, x, gradients, is_grads_batched=True, retain_graph=True)
        each = [t.autograd.grad(out, x, g, retain_graph=True)[0] for g in gradients]
        t.testing.assert_close(batch, t.stack(each))
        return batch.contiguous()

    assert_same_value(*both(work), rtol=1e-6, atol=1e-9, strides=False)
