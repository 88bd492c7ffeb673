"""Programs of TorchScript for either framework: functions, and modules, with arguments for them.

Each is written once; ``of(t)`` gives those of a framework.
"""

import math
import warnings
from enum import Enum
from typing import Any, Final, NamedTuple


def functions(t):
    """Functions, each with arguments; a tensor is a list of sizes in a tuple ``("t", …)``."""
    nn, Tensor, F = t.nn, t.Tensor, t.nn.functional

    def straight(x, y):
        z = x + y
        unused = x * 2  # noqa: F841  # the compiler drops it
        return z * w(z)

    def w(z):
        return z.sum() / 2

    def branch(x, y):
        z = x + y
        if z.sum() > 0:
            z = z * 2
            k = 1
        else:
            k = 2
        return z * k

    def early(x, y: Tensor | None = None, k: int = 2, s: str = "a"):
        if y is None:
            return x
        z = y + x
        while bool(z.sum() < 10):
            z += 1
        return F.relu(z)[0, 1:, ..., None].view(-1, 3)

    def loop(x, n: int):
        out = []
        for i in range(n):
            x = x + i
            if i > 3:
                break
            out.append(x)
        return t.stack(out), out

    def nested(x, n: int):
        s = 0.0
        for i in range(n):
            if i == 2:
                continue
            for j in range(2, n, 2):
                s += j * 0.5
                if s > 10:
                    return x
        return x * s

    def containers(x):
        a, b = x.chunk(2)
        d = {"a": a}
        d["b"] = b
        pair = (a, b)
        assert a.dim() == 1, "bad"
        q = [i * 2 for i in [1, 2, 3]]
        if len(q) > 2 and q[0] == 1 or q[1] in q:
            q.append(7)
        return f"{3} {4}", d, pair[0] if True else pair[1], not q[0] > 1, q

    def in_place(x):
        y = x.clone()
        y[0] = 1.0
        y[1:] += 2
        y.mul_(2)
        return y.T * y.shape[0] / 3**2

    def walks(x: list[int], d: dict[str, Tensor]) -> int | None:
        total = 0
        for k in d:
            if k == "z":
                return None
        for a, (_, v) in zip(x, d.items()):
            total += a * int(v.sum())
        for i, e in enumerate(x):
            x[i] = e + 1
        del d["a"]
        return x[-1] + total

    def numbers(x, n: int, f: float):
        return (2 + x, 2 - x, f * x, 2 / x, x // n, x % 2, n > x, -x, n // 2, f**2, n % 3)

    def indices(x):
        return x[:2], x[:, 0], x[1:2, ::3], x[None], x[-1], x[[0, 1]], x[x > 0]

    def texts(values: list[int], s: str):
        return values[:2], values[1:], s[1:], s[0], values + values, f"{s}-{values[0]}", s.upper()

    def refined(x, y: int | None):
        if y is not None and y > 2:
            x = x + y
        if isinstance(y, int):
            x = x + y
        z: dict[str, list[int]] = {}
        z["a"] = [1]
        best = x.max(dim=0)
        u, v = x.topk(2)
        return z, best.values, u, x.shape, x.dtype, x.ndim

    def quiet(x):
        with t.no_grad():
            y = x * 2
        return y + x

    def chosen(x, y: Tensor | None = None):
        return x if y is None else y + x

    def commented(x, n):
        # type: (Tensor, int) -> Tensor
        """Types in a comment."""
        for _ in range(n):
            x = x.relu() - 0.5
        return x

    def either(x: int | str) -> int:
        if isinstance(x, int):
            return x + 1
        return len(x)

    def guarded(x):
        if x.size(0) == 0:
            raise ValueError("empty: " + str(x.size(0)))
        return math.sqrt(2.0) + x

    def scripted(x):
        if t.jit.is_scripting():
            return x + 1
        return x.numpy()

    def made(x):
        a = t.zeros(2, 3, dtype=t.float64) + t.ones([2, 3])
        b = t.tensor([1.0, 2.0])
        c = t.cat([x, x], dim=1)
        return a, b, c.to(t.float64), t.arange(3), t.full((2,), 1.5)

    def annotated(x):
        items = t.jit.annotate(list[Tensor], [])
        items.append(x)
        best: Tensor | None = None
        for item in items:
            best = item
        assert best is not None
        return best

    def forked(x):
        future = t.jit._fork(w, x)
        return t.jit._wait(future) + 1

    def mapped(x):
        d = {"a": x, "b": x}
        return {k: v + 1 for k, v in d.items()}, [v + 1 for v in x], list(d.keys()), len(d)

    def library(x):
        x = F.softmax(F.gelu(x), dim=-1)
        x = F.dropout(x, 0.0, training=False)
        x = F.layer_norm(x, [x.size(-1)])
        return F.linear(x, t.ones(2, x.size(-1))), F.pad(x, [1, 1]), F.normalize(x)

    x, y = ("t", 3, 4), ("t", 3, 4)
    del nn
    return [
        (straight, (x, y)), (branch, (x, y)), (early, (x,)), (early, (x, y)), (loop, (x, 3)),
        (loop, (x, 7)), (nested, (x, 3)), (nested, (x, 8)), (containers, (("t", 4),)),
        (in_place, (x,)), (walks, ([1, 2], {"a": ("t", 2), "b": ("t", 2)})),
        (numbers, (x, 7, 1.5)), (indices, (x,)), (texts, ([1, 2, 3], "abc")), (refined, (x, 3)),
        (refined, (x, None)), (quiet, (x,)), (chosen, (x,)), (chosen, (x, y)),
        (commented, (x, 2)), (either, (3,)), (either, ("abc",)), (guarded, (x,)),
        (scripted, (x,)), (made, (x,)), (annotated, (x,)), (forked, (x,)), (mapped, (x,)),
        (library, (x,)),
    ]  # fmt: skip


def modules(t):
    """Modules, each with arguments."""
    nn, Tensor, F = t.nn, t.Tensor, t.nn.functional

    class Point(NamedTuple):
        x: Tensor
        y: Tensor

    class Color(Enum):
        RED = 1
        BLUE = 2

    class Counter:
        def __init__(self, start: int) -> None:
            self.count = start

        def step(self, by: int = 1) -> int:
            self.count += by
            return self.count

    class Attributes(nn.Module):
        scale: Final[float]
        last: Tensor | None
        names: list[str]

        def __init__(self):
            super().__init__()
            self.scale = 2.0
            self.n = 3
            self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 3)])
            self.last = None
            self.names = []
            self.register_buffer("seen", t.zeros(()))

        def forward(self, x):
            for i, layer in enumerate(self.layers):
                x = layer(x) + i
            self.last = x
            self.seen += 1
            return self.helper(x) * self.scale + self.n

        def helper(self, x):
            return x - 1

        @t.jit.export
        def other(self, y: int):
            return y + self.n

        @t.jit.unused
        def never(self, y):
            return sum(map(float, y))

    class Kinds(nn.Module):
        def __init__(self):
            super().__init__()
            self.color = Color.BLUE
            self.named = nn.ModuleDict({"a": nn.Linear(4, 4), "b": nn.ReLU()})
            self.sizes = (2, 2)

        def forward(self, x):
            for name, layer in self.named.items():
                if name == "a":
                    x = layer(x)
                else:
                    x = layer(x) * 2
            if self.color == Color.RED:
                x = x + 1
            p = Point(x, x * 2)
            counter = Counter(1)
            counter.step(3)
            return p.x + p.y + counter.step() + self.sizes[0]

    class Block(nn.Module):
        def __init__(self, inside, outside, stride=1):
            super().__init__()
            self.conv1 = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
            self.bn1 = nn.BatchNorm2d(outside)
            self.relu = nn.ReLU(inplace=True)
            self.conv2 = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
            self.bn2 = nn.BatchNorm2d(outside)
            self.downsample = None
            if stride != 1 or inside != outside:
                self.downsample = nn.Sequential(
                    nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside)
                )

        def forward(self, x: Tensor) -> Tensor:
            identity = x
            out = self.relu(self.bn1(self.conv1(x)))
            out = self.bn2(self.conv2(out))
            if self.downsample is not None:
                identity = self.downsample(x)
            out += identity
            return self.relu(out)

    class ResNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.stem = nn.Sequential(nn.Conv2d(3, 4, 3, 2, 1), nn.BatchNorm2d(4), nn.ReLU())
            self.layer1 = nn.Sequential(Block(4, 4), Block(4, 8, 2))
            self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
            self.fc = nn.Linear(8, 5)

        def forward(self, x):
            x = self.layer1(self.stem(x))
            x = t.flatten(self.avgpool(x), 1)
            return self.fc(x)

    class UNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.down = nn.Conv2d(3, 4, 3, padding=1)
            self.pool = nn.MaxPool2d(2)
            self.mid = nn.Conv2d(4, 4, 3, padding=1)
            self.up = nn.ConvTranspose2d(4, 4, 2, stride=2)
            self.out = nn.Conv2d(8, 1, 1)

        def forward(self, x):
            skip = F.relu(self.down(x))
            x = F.leaky_relu(self.mid(self.pool(skip)), 0.2)
            x = t.cat([self.up(x), skip], dim=1)
            x = F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)
            return t.sigmoid(self.out(x))

    class Tagger(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(10, 6, padding_idx=0)
            self.lstm = nn.LSTM(6, 4, num_layers=2, batch_first=True, bidirectional=True)
            self.encoder = nn.TransformerEncoder(
                nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2
            )
            self.head = nn.Linear(8, 3)

        def forward(self, tokens, hidden: tuple[Tensor, Tensor] | None = None):
            x, state = self.lstm(self.embed(tokens), hidden)
            x = self.encoder(x)
            return self.head(x), state

    class Hidden(nn.Linear):
        """A layer of the library with more."""

        def __init__(self):
            super().__init__(4, 4)
            self.gain = nn.Parameter(t.ones(4))

        def forward(self, x):
            return F.linear(x, self.weight * self.gain, self.bias)

    class Base(nn.Module):
        k: int

        def __init__(self):
            super().__init__()
            self.k = 2
            self.w = nn.Parameter(t.ones(4))
            self.numbered = nn.ParameterList([nn.Parameter(t.ones(4)) for _ in range(2)])
            self.act = F.relu
            self.squash = t.tanh
            self.inner = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
            self.drop = nn.Dropout(0.5)

        def forward(self, x):
            return self.body(x)

        def body(self, x):
            return x

        @property
        def twice(self) -> int:
            return self.k * 2

        @staticmethod
        def plus(x, n: int):
            return x + n

        @t.jit.unused
        def never(self, x):
            return x

    class Derived(Base):
        def body(self, x):
            for p in self.numbered:
                x = x * p
            x = self.act(x) + self.squash(x)
            x = self.inner[0](x) + self.inner(x)
            if self.k > 5:
                return self.never(x)
            return self.plus(x, self.twice) * self.w + len(self.inner)

    class Stacked(nn.Module):
        def __init__(self):
            super().__init__()
            self.blocks = nn.ModuleList(
                [
                    nn.ModuleDict({"conv": nn.Conv1d(3, 3, 1), "norm": nn.BatchNorm1d(3)})
                    for _ in range(3)
                ]
            )
            self.eps = 1e-5
            self.steps = [0]

        def forward(self, x: Tensor, mask: Tensor | None = None):
            outs: list[Tensor] = []
            for i, b in enumerate(self.blocks):
                r = x
                x = b["conv"](x)
                x = b["norm"](x)
                if mask is not None:
                    x = x.masked_fill(mask, 0.0)
                x = r + x
                if i % 2 == 0:
                    outs.append(x)
            B, _, H = x.shape
            m = x.mean(dim=(1, 2), keepdim=True)
            v = ((x - m) ** 2).mean([1, 2], keepdim=True)
            x = (x - m) / t.sqrt(v + self.eps)
            q = t.einsum("bth,bsh->bts", x, x) * (1.0 / math.sqrt(H))
            self.steps.append(1)
            return q.softmax(dim=-1), t.stack(outs), x.view(B, -1).transpose(0, 1), {"m": m}

    x, image = ("t", 2, 4), ("t", 2, 3, 8, 8)
    return [
        (Attributes, (x,)), (Kinds, (x,)), (ResNet, (image,)), (UNet, (image,)),
        (Tagger, (("i", 2, 5),)), (Hidden, (x,)), (Derived, (x,)), (Stacked, (("t", 2, 3, 4),)),
    ]  # fmt: skip


del Any, warnings


class _Plain:
    """A class of which scripts know nothing."""


LIMIT = 3


def refused(t):
    """Functions that scripts refuse."""
    Tensor = t.Tensor

    def generator(x):
        return sum(i for i in x)

    def lambdas(x):
        f = lambda y: y + 1  # noqa: E731
        return f(x)

    def tries(x):
        try:
            return x
        except Exception:
            return x + 1

    def undefined(x):
        return x + missing  # noqa: F821

    def retyped(x):
        y = 1
        if x.sum() > 0:
            y = "a"
        return y

    def results(x):
        if x.sum() > 0:
            return 1
        return "a"

    def declared(x) -> int:
        return x

    def unknown_method(x):
        return x.no_such_method()

    def unknown_type(x: "NoSuchType"):  # noqa: F821
        return x

    def arguments(x):
        return t.add("a", x)

    def one_overload(x):
        return t.dropout(x, "a", True)

    def global_number(x):
        return x + LIMIT

    def variable(*args):
        return args[0]

    def mutable(x, k: list[int] = [1]):
        return x

    def unpacked(x):
        a, b = (x, x, x)
        return a, b

    def half_defined(x):
        if x.sum() > 0:
            y = 1
        return y

    def nested_def(x):
        def inner(y):
            return y

        return inner(x)

    def classes(x):
        class A:
            pass

        return x

    def deleted(x):
        yield x

    def called(x):
        return early(x, 1, 2)

    def early(x, y: int):
        return x + y

    def missing_argument(x):
        return early(x)

    def optional(x: Tensor | None):
        return x + 1

    def outside(x):
        if x:
            return
        break_ = x.foo
        return break_

    def tuples(x):
        return (x, 1)[2]

    def lists(x):
        return [1, "a"]

    def strings(x: str) -> float:
        return x

    def no_return(x) -> int:
        x + 1

    def keyword_only(x, *, k: int = 1):
        return x + k

    def wrong_default(x, k=1):
        return x

    def itself(x):
        return itself(x)

    def walrus(x):
        if (y := x.sum()) > 0:
            return y
        return x

    def sets(x):
        return {1, 2}

    def imports(x):
        import os

        return os

    def with_else(x):
        for _ in range(3):
            x = x + 1
        else:
            x = x - 1
        return x

    def attribute(x):
        x.foo = 3
        return x

    return [
        keyword_only, wrong_default, itself, walrus, sets, imports, with_else, attribute,
        generator, lambdas, tries, undefined, retyped, results, declared, unknown_method,
        unknown_type, arguments, one_overload, global_number, variable, mutable, unpacked,
        half_defined, nested_def, classes, deleted, called, missing_argument, optional, outside,
        tuples, lists, strings, no_return,
    ]  # fmt: skip
