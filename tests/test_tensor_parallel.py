"""Models whose parameters are split over ranks give the losses and gradients of whole ones."""

from __future__ import annotations

import copy
import warnings
from contextlib import nullcontext

import mindtorch as torch
import mindtorch.distributed as dist
import mindtorch.nn.functional as F
import pytest
from mindtorch import nn
from mindtorch.distributed.tensor import DTensor, Replicate, Shard
from mindtorch.distributed.tensor.parallel import (
    ColwiseParallel,
    PrepareModuleInput,
    RowwiseParallel,
    SequenceParallel,
    loss_parallel,
    parallelize_module,
)

from .threads_as_ranks import on_ranks


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 8)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = (nn.Linear(8, 8) for _ in range(4))

    def forward(self, x):
        batch, length, _ = x.shape
        heads = (
            part(x).view(batch, length, -1, 2).transpose(1, 2) for part in (self.q, self.k, self.v)
        )
        made = F.scaled_dot_product_attention(*heads, is_causal=True)
        return self.out(made.transpose(1, 2).reshape(batch, length, -1))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.attention = nn.LayerNorm(8), Attention()
        self.between, self.mlp = nn.RMSNorm(8), Mlp()

    def forward(self, x):
        x = x + self.attention(self.before(x))
        return x + self.mlp(self.between(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(16, 8)
        self.blocks = nn.ModuleList([Block(), Block()])
        self.norm, self.out = nn.LayerNorm(8), nn.Linear(8, 16, bias=False)

    def forward(self, ids):
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x)
        return self.out(self.norm(x))


def plans(sequence, classes):
    """How the model and its blocks are split: by sequence between products, outputs by class."""
    between = Shard(1) if sequence else Replicate()
    enter = PrepareModuleInput(input_layouts=between, desired_input_layouts=Replicate())
    block = {
        "attention": enter,
        "attention.[qkv]": ColwiseParallel(),
        "attention.out": RowwiseParallel(output_layouts=between),
        "mlp": enter,
        "mlp.up": ColwiseParallel(),
        "mlp.down": RowwiseParallel(output_layouts=between),
    }
    whole = {
        "embedding": RowwiseParallel(input_layouts=Replicate(), output_layouts=between),
        "out": ColwiseParallel(
            input_layouts=between,
            output_layouts=Shard(-1) if classes else Replicate(),
            use_local_output=not classes,
        ),
    }
    if sequence:
        block |= {"before": SequenceParallel(), "between": SequenceParallel()}
        whole["norm"] = SequenceParallel()
    return whole, block


IDS = torch.arange(16).view(2, 8) * 3 % 16


def loss_of(scores):
    return F.cross_entropy(scores.flatten(0, 1), ((IDS + 1) % 16).flatten())


def whole_tensor(x):
    return x.full_tensor() if isinstance(x, DTensor) else x


@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize("classes", [False, True])
@pytest.mark.parametrize("sequence", [False, True])
def test_a_split_transformer_learns_as_a_whole_one(sequence, classes, size):
    torch.manual_seed(0)
    model = Model()
    untouched = copy.deepcopy(model)
    want = loss_of(model(IDS))
    want.backward()
    grads = {name: p.grad for name, p in model.named_parameters()}

    def run(rank):
        mesh = dist.init_device_mesh("cpu", (size,))
        split = copy.deepcopy(untouched)
        whole, block = plans(sequence, classes)
        parallelize_module(split, mesh, whole)
        for each in split.blocks:
            parallelize_module(each, mesh, block)
        with loss_parallel() if classes else nullcontext():
            loss = loss_of(split(IDS))
            loss.backward()
        found = {name: whole_tensor(p.grad) for name, p in split.named_parameters()}
        return whole_tensor(loss.detach()), found, split.blocks[0].mlp.up.weight.to_local().shape

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answers = on_ranks(size, run)
    for loss, found, shape in answers:
        assert tuple(shape) == (16 // size, 8)
        torch.testing.assert_close(loss, want)
        for name, grad in grads.items():
            torch.testing.assert_close(found[name], grad, rtol=1e-4, atol=1e-6)


def test_optimizers_step_as_on_whole_parameters():
    torch.manual_seed(0)
    model = Mlp()
    untouched, x = copy.deepcopy(model), torch.randn(4, 8)

    def steps(net, optimizer):
        for _ in range(3):
            optimizer.zero_grad()
            net(x).square().mean().backward()
            total = nn.utils.clip_grad_norm_(net.parameters(), 0.1)
            optimizer.step()
        return total

    for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
        for foreach in (False, True):
            whole = copy.deepcopy(untouched)
            want = steps(whole, kind(whole.parameters(), lr=0.1, foreach=foreach))

            def run(rank, kind=kind, foreach=foreach):
                mesh = dist.init_device_mesh("cpu", (2,))
                split = copy.deepcopy(untouched)
                plan = {"up": ColwiseParallel(), "down": RowwiseParallel()}
                parallelize_module(split, mesh, plan)
                total = steps(split, kind(split.parameters(), lr=0.1, foreach=foreach))
                return whole_tensor(total), {
                    n: whole_tensor(p.detach()) for n, p in split.named_parameters()
                }

            for total, found in on_ranks(2, run):
                torch.testing.assert_close(total, want)
                for name, p in whole.named_parameters():
                    torch.testing.assert_close(found[name], p.detach())
