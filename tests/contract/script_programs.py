"""Functions and modules that torch compiles, for tests that read its archives."""

# No import of the feature "annotations": torch.jit reads types.
import enum
import math
from typing import Any, NamedTuple

import torch
from torch import nn


def numbers(a: float, b: float, i: int, j: int):
    """Arithmetic and functions of numbers."""
    return (
        (round(a), a // b, a % b, float(i // j), float(i % j), a**b, float(i**j), i / j, i // j),
        (i << 2, i >> 1, i & j, i | j, i ^ j, -i, abs(i), divmod(i, j), math.gcd(i, j)),
        (math.floor(a), math.ceil(a), math.sqrt(abs(a)), math.exp(a), math.sin(a), math.log(2.0)),
        (int(a), max(i, j), min(a, b), pow(i, j), sum([i, j]), i == j, a < b, not i, bool(i)),
        (math.isnan(a), math.copysign(a, b), math.fmod(a, b), math.degrees(a), math.erf(a)),
    )


def strings(s: str, x: float, n: int, t: list[float]):
    """Methods of strings, and texts of values."""
    return (
        (s.upper(), s.split(), s.strip("x"), s.replace("a", "z"), s[1:3], s[0], s[-1], len(s)),
        (s.startswith("x"), s.center(20, "*"), s.zfill(12), s.join(["1", "2"]), s.find("b")),
        (s.count("a"), s + "q", ord("a"), s < "b", s.isdigit(), s.rsplit("a", 1), s.splitlines()),
        (str(x), str(n), str(t), f"{x} {n} {s}", f"{t}", str(n == 2)),
        "%s-%d" % (s, n),  # noqa: UP031 (an operator of scripts)
        (str((n, s)), str({"a": x}), str(n if n > 5 else None), str([s]), s.endswith("c")),
    )


def containers(given: list[int], d: dict[str, int]):
    """Lists and dicts, changed in place."""
    given.append(5)
    given.extend([1])
    given.insert(0, 9)
    last = given.pop()
    given.reverse()
    given.remove(5)
    given.sort()
    first = given.pop(0)
    given[0] = 7
    given[-1] += 2
    d["z"] = 3
    got = (d.get("y"), d.get("y", 4), d.setdefault("k", 8), list(d.keys()), list(d.values()))
    pairs = list(d.items())
    popped = d.pop("z")
    d.update({"n": 1})
    has = "n" in d
    del d["n"]
    many = [i + x * y for i, (x, y) in enumerate(zip(given, [1, 2]))]
    copied = given.copy()
    more = (given * 2, given + [1], given.index(7), given.count(7), sorted(given), given == [7])
    given.clear()
    return given, last, first, got, pairs, popped, has, d, many, copied, more


def control(x: torch.Tensor, n: int):
    """Branches, loops, futures and tensors that decide."""
    found = []
    for i in range(n):
        if i == 3:
            continue
        found.append(x * i)
        if i > 5:
            break
    while bool(x.sum() < 20):
        x = x + 1
    if x.dtype == torch.float32 and x.dim() == 2:
        x = x.to(torch.float64)
    later = torch.jit.wait(torch.jit.fork(torch.sin, x))
    x[0] = 5.0
    made = torch.zeros(2, 3, dtype=torch.int64, device=x.device)
    return torch.stack(found), x[..., None, 1:2], later, made, x.new_zeros([2])


class Color(enum.Enum):
    """An enum of a script."""

    RED = 1
    GREEN = 2


class Pair(NamedTuple):
    """A named tuple of a script."""

    a: torch.Tensor
    n: int


class Counter:
    """An object of a script."""

    def __init__(self, n: int):
        self.n = n

    def add(self, k: int) -> int:
        self.n += k
        return self.n


class Kinds(nn.Module):
    """A module with attributes of all kinds."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(3))
        self.fixed = nn.Parameter(torch.ones(2), requires_grad=False)
        self.register_buffer("passing", torch.ones(1), persistent=False)
        self.color = Color.GREEN
        self.counter = torch.jit.script(Counter)(3)
        self.numbers = [1, 2]
        self.tensors = [torch.ones(1), torch.ones(2)]
        self.table = {"a": torch.ones(1)}
        self.device = torch.device("cpu")
        self.nothing = None
        self.step, self.angle, self.both = 2.5, 1j, (1, "a", 2.0)
        self.norm = nn.BatchNorm1d(3)
        self.brief = torch.ones(2, dtype=torch.bfloat16)

    def forward(self, x: torch.Tensor, color: Color = Color.RED):
        y = x * 2 if color == Color.RED else x * self.w
        count = self.counter.add(2)
        self.numbers.append(count)
        self.step = self.step + 1.0
        if x.dim() > 5:
            raise ValueError("too many " + str(x.dim()))
        assert x.dim() > 0, "no dims"
        with torch.no_grad():
            z = self.norm(y) + 1
        return Pair(y, count), z, {k: v + 1 for k, v in self.table.items()}, self.both, self.step

    @torch.jit.export
    def state(self, n: int = 3, a: float = 2.0, b: float = -0.1, c: str = "q", d: bool = True):
        """What calls have changed."""
        return self.numbers, self.counter.n, n, self.tensors, a, b, c, d


class Net(nn.Module):
    """Layers that have weights, lists of them, and a loss."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.bn = nn.BatchNorm2d(4)
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])
        self.tail = nn.Sequential(nn.Linear(4, 3), nn.GELU(), nn.Dropout(0.1))

    def forward(self, x):
        y = self.bn(self.conv(x)).relu().mean([2, 3])
        for layer in self.layers:
            y = torch.tanh(layer(y))
        return self.tail(y)


def tens(self, input: tuple[torch.Tensor]) -> tuple[torch.Tensor]:
    """A hook before a module runs."""
    return (input[0] * 10,)


def halves(self, input: tuple[torch.Tensor], output: torch.Tensor) -> torch.Tensor:
    """A hook after a module has run."""
    return output + 0.5


class Inner(nn.Module):
    """A module that keeps a state of its own in files."""

    def __init__(self):
        super().__init__()
        self.n = 3
        self.w = torch.ones(2)

    @torch.jit.export
    def __getstate__(self):
        return self.n + 1, self.w, self.training

    @torch.jit.export
    def __setstate__(self, state: tuple[int, torch.Tensor, bool]):
        self.n = state[0]
        self.w = state[1] * 2
        self.training = state[2]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        numbers: list[float] = self.w.tolist()
        return x * self.n + numbers[0]


class Hooked(nn.Module):
    """A module with hooks around it and its part."""

    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.inner.register_forward_pre_hook(tens)
        self.inner.register_forward_hook(halves)
        self.register_forward_hook(halves)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x) * 2


def layers(nn: Any) -> list[tuple[Any, tuple[int, ...]]]:
    """Layers of either framework, and the shape of what they take."""
    encoder = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
    return [
        (nn.Linear(3, 2), (2, 3)),
        (nn.Conv1d(3, 4, 3), (2, 3, 8)),
        (nn.Conv2d(4, 4, 3, padding=1, padding_mode="circular", groups=2), (2, 4, 8, 8)),
        (nn.ConvTranspose2d(3, 2, 3, stride=2), (1, 3, 4, 4)),
        (nn.MaxPool2d(2), (1, 2, 4, 4)),
        (nn.AdaptiveAvgPool2d(2), (1, 2, 4, 4)),
        (nn.ReflectionPad2d(1), (1, 2, 4, 4)),
        (nn.BatchNorm1d(3), (4, 3)),
        (nn.GroupNorm(2, 4), (2, 4, 3)),
        (nn.InstanceNorm2d(3, affine=True), (2, 3, 4, 4)),
        (nn.LayerNorm(3), (2, 3)),
        (nn.RMSNorm(3), (2, 3)),
        (nn.LSTMCell(3, 4), (2, 3)),
        (nn.TransformerEncoder(encoder, 2), (2, 3, 4)),
        (nn.Upsample(scale_factor=2.0, mode="bilinear"), (1, 2, 3, 3)),
        (nn.PixelShuffle(2), (1, 4, 2, 2)),
        (nn.Unflatten(1, (1, 3)), (2, 3)),
        (nn.LogSoftmax(-1), (2, 3)),
        (nn.Dropout2d(), (1, 2, 3, 3)),
        (nn.PReLU(), (3,)),
        (nn.Sequential(nn.GELU(), nn.Hardswish(), nn.Softplus(), nn.CELU(), nn.GLU()), (2, 4)),
    ]
