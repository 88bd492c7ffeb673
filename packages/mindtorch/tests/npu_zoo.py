"""Programs whose statistics are asked for in dry mode and in a run; prints them as JSON."""

import gc
import json
import sys
import warnings

import mindtorch as torch
from mindtorch import nn
from mindtorch.nn import functional as F
from mindtorch.utils.checkpoint import checkpoint

warnings.simplefilter("ignore")
npu, D = torch.npu, "npu"


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.qkv, self.out, self.norm = nn.Linear(d, 3 * d), nn.Linear(d, d), nn.LayerNorm(d)
        self.mlp = nn.Sequential(
            nn.Linear(d, 4 * d), nn.GELU(), nn.Dropout(0.1), nn.Linear(4 * d, d)
        )

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.norm(x)).view(b, t, 3, 4, d // 4).permute(2, 0, 3, 1, 4).unbind(0)
        x = x + self.out(
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, d)
        )
        return x + self.mlp(x)


def train(model, batch, loss, optimizer, steps=2, accumulate=1, dtype=None):
    model = model.to(D)
    optimizer = optimizer(model.parameters())
    for _ in range(steps):
        optimizer.zero_grad()
        for _ in range(accumulate):
            with torch.autocast(D, dtype=torch.bfloat16, enabled=dtype is not None):
                value = loss(model(batch()))
            value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        del value  # its graph goes in the step that made it


def transformer(wrap=lambda block, x: block(x), **how):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed, self.head = nn.Embedding(50, 32), nn.Linear(32, 50, bias=False)
            self.blocks = nn.ModuleList(Block(32) for _ in range(2))

        def forward(self, i):
            x = self.embed(i)
            for block in self.blocks:
                x = wrap(block, x)
            return self.head(x)

    target = torch.zeros(3 * 8, dtype=torch.long, device=D)
    train(
        Net(),
        lambda: torch.randint(0, 50, (3, 8), device=D),
        lambda y: F.cross_entropy(y.view(-1, 50).float(), target),
        torch.optim.AdamW,
        **how,
    )


def plain():
    transformer()


def checkpointed():
    transformer(
        lambda block, x: checkpoint(block, x, use_reentrant=False),
        accumulate=2,
        dtype=torch.bfloat16,
    )


def convolutions():
    model = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 8, 3, stride=2),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(8, 5),
    )
    train(
        model,
        lambda: torch.randn(4, 3, 16, 16, device=D),
        lambda y: y.pow(2).mean(),
        lambda p: torch.optim.SGD(p, 0.1, momentum=0.9, nesterov=True),
    )


def recurrent():
    out, _ = nn.LSTM(8, 16, 2).to(D)(torch.randn(5, 3, 8, device=D))
    out.sum().backward()


def copies():
    a = torch.randn(50, 40)
    b = a.to(D)
    pinned = a.pin_memory()
    c = pinned.to(D, non_blocking=True)
    d = b.to("npu:1")
    e = b.t().to("cpu")
    f = b.to("cpu", non_blocking=True)
    b.copy_(a)
    d.copy_(c)
    pinned.copy_(b, non_blocking=True)
    npu.synchronize()
    b.half()
    b.t().contiguous()
    assert e.stride() == (1, 40) and f.is_pinned()


def selections():
    x = torch.randn(20, 20, device=D)
    i = torch.randint(0, 20, (10,), device=D)
    x[i]
    x[:, i]
    x[i] = 1
    x.gather(1, i.view(-1, 1))
    x.sort()
    x.topk(3)
    x.max(1)
    x.cumsum(0)
    x.std()
    torch.cat([x, x]).split(7)
    torch.where(x > 0, x, 0.0)
    x.tril()
    F.pad(x, (1, 1))
    x.roll(1)
    x.median()


def streams():
    side = npu.Stream()
    x = torch.randn(1000, device=D)
    side.wait_stream(npu.current_stream())
    with npu.stream(side):
        torch.mul(x, 2)
        z = torch.empty(9000, device=D)
    x.record_stream(side)
    del x, z
    npu.synchronize()
    torch.randn(1000, device=D)


def frees():
    held = [torch.empty(n * 3000, device=D) for n in range(1, 60)]
    held[::2] = [None] * 30
    held += [torch.empty(n * 4500, device=D) for n in range(1, 40)]
    npu.empty_cache()
    npu.reset_peak_memory_stats()
    del held
    torch.empty(3 << 20, device=D)


def cycles():
    """Tensors that only the collector frees, some of them with others in between."""

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            ctx.itself = ctx
            return x * x

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 2 * x * grad

    for n in (100, 1000, 300, 100):
        x = torch.randn(n, device=D, requires_grad=True)
        Square.apply(Square.apply(x)).sum().backward()


def recorded():
    """Blocks that die while another stream may still use them."""
    side = npu.Stream()
    for n in range(1, 12):
        x, y = torch.randn(1000 * n, device=D), torch.randn(3000, device=D)
        side.wait_stream(npu.current_stream())
        with npu.stream(side):
            z = x * 2 + y[:1].sum()
        for each in (x, y):
            each.record_stream(side)
        z.record_stream(npu.current_stream())
        npu.synchronize()
        del each, x, y


def graphed():
    """A step that is captured with its optimizer, and partly graphed callables, in pools."""
    model = nn.Sequential(nn.Linear(40, 300), nn.GELU(), nn.Dropout(0.1), nn.Linear(300, 9)).to(D)
    optimizer = torch.optim.AdamW(model.parameters(), capturable=True)
    x, target = torch.randn(64, 40, device=D), torch.randn(64, 9, device=D)
    pool = npu.MemPool()

    def step():
        optimizer.zero_grad(set_to_none=True)
        F.mse_loss(model(x), target).backward()
        optimizer.step()

    side = npu.Stream()
    side.wait_stream(npu.current_stream())
    with npu.stream(side):
        step()
    npu.current_stream().wait_stream(side)
    graph, later = npu.NPUGraph(), npu.NPUGraph()
    with npu.graph(graph):
        step()
    with npu.graph(later, pool=graph.pool()):
        y = model(x)
    for _ in range(2):
        graph.replay()
        later.replay()
    del y
    graph.reset()
    with npu.use_mem_pool(pool):
        held = [torch.randn(n * 1000, device=D) for n in range(1, 40, 3)]
    sample = torch.randn(64, 40, device=D, requires_grad=True)
    head = npu.make_graphed_callables(lambda x: model[0](x).relu(), (sample,))
    head(sample).sum().backward()
    del held, later, head
    npu.empty_cache()
    npu.synchronize()


def out_of_memory():
    held = []
    try:
        while True:
            held.append(torch.empty(1 << 31, device=D))
    except torch.OutOfMemoryError as error:
        print(str(error).split("Process")[0], file=sys.stderr)


if __name__ == "__main__":
    # When the collector runs depends on how many objects were made, which differs between modes;
    # so then do the places of what only it frees.
    gc.collect()
    gc.disable()
    found = {}
    for program in (
        plain,
        checkpointed,
        convolutions,
        recurrent,
        copies,
        selections,
        streams,
        frees,
        cycles,
        recorded,
        graphed,
        out_of_memory,
    ):
        npu.reset_accumulated_host_memory_stats()
        npu.reset_peak_host_memory_stats()
        program()
        gc.collect()
        found[program.__name__] = (
            [npu.memory_stats(i) for i in range(2)],
            {key: value for key, value in npu.host_memory_stats().items() if "time" not in key},
        )
    json.dump(found, sys.stdout)
