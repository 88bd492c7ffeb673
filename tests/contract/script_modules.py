"""Modules that can be scripts, of either framework, each with arguments."""

import math
from enum import Enum
from typing import Final, NamedTuple


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
