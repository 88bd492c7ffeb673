"""The lines, in the order of the table. Targets: first and then, as ratios to torch eager."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from itertools import count as counting
from pathlib import Path
from typing import Any

from .large_matrices import LARGE_MATRICES
from .line import Line, Namespace, Probe
from .processes import PROCESSES
from .small_kernels import SMALL_KERNELS

__all__ = ["LINES"]

# Fresh processes ---------------------------------------------------------------------------------

_PEAK = """
import re
try:
    # Not ru_maxrss: a child inherits its parent's there.
    peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024
except OSError:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(peak)
"""

_RESIDENT = """
import gc, os, {torch} as torch
def resident():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE")
a, b = torch.ones(2), torch.ones(2)
count = 100_000
kept = [None] * count
warm = [a + b for _ in range(1000)]
before = resident()
for i in range(count):
    kept[i] = a + b
print((resident() - before) / count)
"""

#: A step of training in a process that has done some: how far its memory rises.
_STEP_PEAK = """
import ctypes, gc, {torch} as torch
nn = torch.nn
torch.set_num_threads(1)
model = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x, y = torch.randn(BATCH, 784), torch.randint(0, 10, (BATCH,))
def step():
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
def memory(name):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name + ":"))
for _ in range(3):
    step()
optimizer.zero_grad()
gc.collect()
ctypes.CDLL(None).malloc_trim(0)  # what is free goes back, so that taking it again is seen
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the highest level so far is the present one
before = memory("VmRSS")
step()
print(memory("VmHWM") - before)
"""

PROBES = [
    Probe(
        "import: time",
        "import time; t = time.process_time(); import {torch}; print(time.process_time() - t)",
        "s",
        0.12,
        0.09,
    ),
    Probe("import: peak memory", "import {torch}" + _PEAK, "B", 0.19, 0.15),
    Probe("bytes per live 2-element tensor", _RESIDENT, "B", 0.70, 0.53),
    *[
        Probe(
            f"MLP step 784-256-10, batch {batch}: peak memory",
            _STEP_PEAK.replace("BATCH", str(batch)),
            "B",
            1.1,
        )
        for batch in (64, 4096)
    ],
]

# Small ops ---------------------------------------------------------------------------------------


def small(torch: Any) -> Namespace:
    return {"a": torch.tensor([1.0, -2.0]), "b": torch.tensor([3.0, 4.0])}


def eight(torch: Any) -> Namespace:
    return {
        "x": torch.tensor([0.5, -1.0, 2.0, 3.0, -4.0, 5.0, 6.0, 7.0]),
        "w": torch.full((8,), 0.25, requires_grad=True),
        "b": torch.full((8,), 0.5, requires_grad=True),
    }


_TEN_TINY = "y = a * b + b\ny = (y - a).relu() * 2.0\ny = (y + 1.0) * a - b\ny = y.abs() + a\n"

SMALL = [
    Line("add", "a + b", small, 0.75, 0.50, check="a + b"),
    Line("mul", "a * b", small, 0.75, 0.50, check="a * b"),
    Line("relu", "a.relu()", small, 0.75, 0.50, check="a.relu()"),
    Line("sum", "a.sum()", small, 1.05, 0.85, check="a.sum()"),
    Line("view", "a.view(2, 1)", small, 0.70, 0.45, check="a.view(2, 1)"),
    Line("x[0]", "a[0]", small, 0.70, 0.45, check="a[0]"),
    Line(
        "chain of five",
        "((a + b) * a - b).relu() + a",
        small,
        0.75,
        0.50,
        check="((a + b) * a - b).relu() + a",
    ),
    Line(
        "tiny forward and backward",
        "(x * w + b).relu().sum().backward()",
        eight,
        0.45,
        0.25,
        check="w.grad / w.grad[-1]",
    ),
    Line(
        "pipeline of ten tiny ops",
        _TEN_TINY,
        small,
        0.90,
        0.75,
        ours="with torch.pipeline():\n" + "".join(f"    {s}\n" for s in _TEN_TINY.splitlines()),
        check="y",
    ),
]

# Graphs ------------------------------------------------------------------------------------------

NODES = 1000


def graph(torch: Any) -> Namespace:
    return {
        "x": torch.ones(2, requires_grad=True),
        "w": torch.full((2,), 0.999),
        "ones": torch.ones(2),
    }


_DEEP = f"y = x\nfor _ in range({NODES}):\n    y = y * w"
_WIDE = f"y = torch.stack([x * w for _ in range({NODES})]).sum()"

GRAPHS = [
    Line("deep graph: forward per node", _DEEP, graph, 1.0, 0.70, "y = None", check="y"),
    Line("deep graph: backward per node", "y.backward(ones)", graph, 0.60, 0.40, _DEEP),
    Line("wide graph: forward per node", _WIDE, graph, 1.0, 0.65, "y = None", check="y"),
    Line("wide graph: backward per node", "y.backward()", graph, 0.70, 0.45, _WIDE),
]
GRAPHS = [line._replace(units=NODES) for line in GRAPHS]

# Ops of one's own --------------------------------------------------------------------------------


def own_op(torch: Any) -> Namespace:
    """An op over ndarrays, defined in the same words on both sides."""

    def body(x: Any, y: Any) -> Any:
        return torch.from_numpy(x.numpy() + y.numpy())

    op = torch.library.custom_op(
        "benchmarks::add", body, mutates_args=(), schema="(Tensor x, Tensor y) -> Tensor"
    )
    op.register_autograd(lambda ctx, g: (g, g))
    names = small(torch)
    return {**names, "op": op, "body": body, "g": names["a"].clone().requires_grad_()}


def own_function(torch: Any) -> Namespace:
    """An ``autograd.Function`` that keeps its argument, and a gradient to send through it."""

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return g * x * 2

    names = small(torch)
    x = names["a"].clone().requires_grad_()
    square = Square.apply(x)
    return {"square": Square.apply, "x": x, "g": torch.ones_like(x), "y": square}


OWN = [
    Line(
        "Function.apply forward and backward",
        "y = square(x)\ny.backward(g)",
        own_function,
        0.80,
        0.60,
        check="y",
    ),
    Line("custom op call", "op(a, b)", own_op, 0.50, check="op(a, b)"),
    Line("custom op call that is recorded", "op(g, b)", own_op, 0.50, check="op(g, b)"),
    Line("body of the custom op alone", "body(a, b)", own_op, check="body(a, b)"),
]

# Training steps ----------------------------------------------------------------------------------

_STEP = """\
optimizer.zero_grad()
loss = criterion(model(x), y)
loss.backward()
optimizer.step()"""


def numbers(torch: Any, *shape: int) -> Any:
    """The same standard normal numbers on both sides."""
    import numpy as np

    values = np.random.default_rng(sum(shape)).standard_normal(shape)
    return torch.from_numpy(values.astype(np.float32))


def labels(torch: Any, count: int) -> Any:
    import numpy as np

    return torch.from_numpy(np.random.default_rng(count).integers(0, 10, count))


def training(torch: Any, model: Any, x: Any) -> Namespace:
    y, criterion = labels(torch, len(x)), torch.nn.CrossEntropyLoss()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(numbers(torch, *p.shape) * 0.05)
    return {
        "model": model,
        "x": x,
        "y": y,
        "criterion": criterion,
        "first_loss": criterion(model(x), y),
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9),
    }


def mlp(torch: Any) -> Namespace:
    nn = torch.nn
    model = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))
    return training(torch, model, numbers(torch, 64, 784))


def cnn(torch: Any) -> Namespace:
    from examples.digits import build

    return training(torch, build(torch), numbers(torch, 64, 1, 8, 8))


def transformer(torch: Any) -> Namespace:
    """Attention and a feed-forward part over 32 sequences of 32 tokens of width 128."""
    nn = torch.nn

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(128), nn.LayerNorm(128)
            self.qkv, self.out = nn.Linear(128, 384), nn.Linear(128, 128)
            self.up, self.down = nn.Linear(128, 512), nn.Linear(512, 128)
            self.head = nn.Linear(128, 10)

        def forward(self, x: Any) -> Any:
            q, k, v = (
                t.reshape(32, 32, 4, 32).transpose(1, 2)
                for t in self.qkv(self.norm1(x)).chunk(3, dim=-1)
            )
            weights = ((q @ k.transpose(-2, -1)) * 32**-0.5).softmax(-1)
            x = x + self.out((weights @ v).transpose(1, 2).reshape(32, 32, 128))
            x = x + self.down(nn.functional.gelu(self.up(self.norm2(x))))
            return self.head(x.mean(1))

    return training(torch, Block(), numbers(torch, 32, 32, 128))


def decoder(torch: Any) -> Namespace:
    """``token()``: attention of one more token to those before, in each of four layers.

    After 100 tokens the next sequence begins, of heads that are one wider: no size comes again.
    """
    width, caches = 8, [None] * 4

    def token() -> Any:
        nonlocal width
        if caches[0] is not None and caches[0].shape[1] == 100:
            width, caches[:] = width + 1, [None] * 4
        x = torch.ones(4, 1, width)
        with torch.no_grad():
            for layer, before in enumerate(caches):
                kept = x if before is None else torch.cat([before, x], 1)
                caches[layer] = kept
                weights = torch.softmax(x @ kept.transpose(1, 2) * 0.3, -1)
                x = x + (weights @ kept)
                x = x / x.norm()
        return x

    return {"token": token}


def boxes(torch: Any) -> Namespace:
    """``suppressed()``: of overlapping boxes the likeliest, each time of one box more.

    What is left after each step depends on the numbers: few sizes come again.
    """
    counts = counting(40)

    def suppressed(count: int = 0) -> Any:
        count = count or next(counts)
        drawn = torch.Generator().manual_seed(count)
        corners = torch.rand(count, 4, generator=drawn)
        corners[:, 2:] += corners[:, :2]
        area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
        left, kept = torch.rand(count, generator=drawn).argsort(descending=True), []
        while left.numel():
            best, left = left[0], left[1:]
            kept.append(best.item())
            low = torch.maximum(corners[best, :2], corners[left, :2])
            high = torch.minimum(corners[best, 2:], corners[left, 2:])
            sides = (high - low).clamp(min=0)
            inner = sides[:, 0] * sides[:, 1]
            left = left[inner / (area[best] + area[left] - inner) <= 0.5]
        return torch.tensor(kept)

    return {"suppressed": suppressed}


def encoder(torch: Any) -> Namespace:
    """``encoded()``: a layer of an encoder, with nothing recorded; ``projected()``: its product."""
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(32, 4, 64, batch_first=True).eval()
    linear, x = torch.nn.Linear(32, 32, bias=False), numbers(torch, 2, 16, 32)

    def encoded() -> Any:
        with torch.no_grad():
            return layer(x)

    def projected() -> Any:
        with torch.no_grad():
            return linear(x)

    return {"encoded": encoded, "projected": projected}


STEPS = [
    Line("encoder layer, no_grad", "encoded()", encoder, check="encoded()"),
    Line("linear without bias, no_grad", "projected()", encoder, check="projected()"),
    Line("decoder token, cache grows", "token()", decoder, check="token()"),
    Line("boxes suppressed, sizes change", "suppressed()", boxes, check="suppressed(30)"),
    Line("MLP step 784-256-10, batch 64", _STEP, mlp, 0.95, 0.80, check="first_loss"),
    Line("small CNN step, batch 64", _STEP, cnn, 1.5, 1.3, check="first_loss"),
    Line("transformer block step", _STEP, transformer, 1.15, 1.0, check="first_loss"),
]

# Large arrays ------------------------------------------------------------------------------------

_TEN_LARGE = "y = x * w + b\ny = y.relu() * 0.5 - x\ny = y.abs() + 1.0\ny = (y * y - b) * w\n"


def deferred(statements: str) -> str:
    return "with torch.pipeline():\n" + "".join(f"    {s}\n" for s in statements.splitlines())


def four_million(torch: Any) -> Namespace:
    return {name: numbers(torch, 4_000_000 + i)[:4_000_000] for i, name in enumerate("xwb")}


def rows(torch: Any) -> Namespace:
    nn = torch.nn
    return {
        "x": numbers(torch, 4096, 1024),
        "residual": numbers(torch, 1024, 4096).view(4096, 1024),
        "bias": numbers(torch, 1024),
        "F": nn.functional,
    }


_GELU = "y = F.gelu(x + bias) + residual"
_SOFTMAX = "y = (x * 0.125 + residual).softmax(-1) * x"
_LAYERNORM = "y = F.layer_norm(x + residual, (1024,)) * 0.5 + bias"


def square(torch: Any) -> Namespace:
    return {"m": numbers(torch, 1024, 1024), "n": numbers(torch, 1024, 1024)}


def batch(torch: Any) -> Namespace:
    return {"m": numbers(torch, 64, 128, 128), "n": numbers(torch, 64, 128, 129)[:, :, :128]}


def images(torch: Any) -> Namespace:
    return {
        "x": numbers(torch, 16, 64, 56, 56),
        "w": numbers(torch, 64, 64, 3, 3) * 0.05,
        "F": torch.nn.functional,
    }


LARGE = [
    Line("10 pointwise over 4M: eager", _TEN_LARGE, four_million, 0.85, 0.55, check="y"),
    Line(
        "10 pointwise over 4M: pipeline",
        _TEN_LARGE,
        four_million,
        0.55,
        0.10,
        ours=deferred(_TEN_LARGE),
        check="y",
    ),
    Line("bias + gelu + residual: pipeline", _GELU, rows, 3.0, 0.35, "", deferred(_GELU), "y"),
    Line("softmax chain: pipeline", _SOFTMAX, rows, 1.8, 0.7, "", deferred(_SOFTMAX), "y"),
    Line("layernorm chain: pipeline", _LAYERNORM, rows, 1.6, 0.6, "", deferred(_LAYERNORM), "y"),
    Line("matmul 1024", "y = m @ n", square, 1.0, 0.95, check="y"),
    Line("bmm 64x128x128", "y = torch.bmm(m, n)", batch, 1.0, 0.95, check="y"),
    Line("conv2d 3x3, 16x64x56x56", "y = F.conv2d(x, w, padding=1)", images, 1.5, 1.35, check="y"),
    Line("sum over dim 0", "y = x.sum(0)", rows, 0.30, 0.22, check="y"),
    Line("sum over dim 1", "y = x.sum(1)", rows, 1.2, 1.05, check="y"),
]

# Files -------------------------------------------------------------------------------------------


def file_of_100_mb(torch: Any) -> Namespace:
    folder = Path(tempfile.mkdtemp(prefix="benchmark"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = str(folder / "tensor.pt")
    x = numbers(torch, 26_214_400)
    torch.save(x, path)
    return {"x": x, "path": path}


FILES = [
    Line("save 100 MB", "torch.save(x, path)", file_of_100_mb, 1.0, 0.92),
    Line("load 100 MB", "y = torch.load(path)", file_of_100_mb, 0.50, 0.42, check="y"),
    Line("load 100 MB: mmap", "y = torch.load(path, mmap=True)", file_of_100_mb, 1.0, 0.8),
]

LINES: list[Line | Probe] = [
    *PROBES, *PROCESSES, *SMALL, *SMALL_KERNELS, *GRAPHS, *OWN, *STEPS, *LARGE, *LARGE_MATRICES,
    *FILES,
]  # fmt: skip
