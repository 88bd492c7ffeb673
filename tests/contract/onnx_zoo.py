"""Modules as users write them, each with arguments, to be exported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindtorch as torch
from mindtorch import nn
from mindtorch.nn import functional as F

__all__ = ["ZOO"]

ZOO: dict[str, Callable[[], tuple[nn.Module, tuple[Any, ...]]]] = {}


def model(*args: Any) -> Callable[[Any], Any]:
    """Put the decorated class, or a function of tensors, among the modules with these arguments."""

    def register(made: Any) -> Any:
        ZOO[made.__name__] = lambda: (made() if isinstance(made, type) else _Calls(made), args)
        return made

    return register


class _Calls(nn.Module):
    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: Any) -> Any:
        return self.function(*args)


def _numbers(*shape: int) -> torch.Tensor:
    count = 1
    for size in shape:
        count *= size
    return torch.arange(count).mul(37).remainder(101).float().sub(50).div(25).reshape(shape)


IMAGE = _numbers(2, 3, 8, 8)
ROWS = _numbers(4, 6)
STEPS = _numbers(2, 5, 6)
WORDS = torch.tensor([[1, 2, 3, 0], [4, 5, 0, 0]])


@model(ROWS)
class MLP(nn.Sequential):
    def __init__(self) -> None:
        super().__init__(nn.Linear(6, 8), nn.GELU(), nn.Dropout(0.5), nn.Linear(8, 3, bias=False))


@model(IMAGE)
class ConvNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 4, 3, padding=1),
            nn.BatchNorm2d(4),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(2),
            nn.Conv2d(4, 8, 3, padding="same", groups=2),
            nn.SiLU(),
            nn.AdaptiveAvgPool2d(1),
        )
        self.head = nn.Linear(8, 3)

    def forward(self, x: Any) -> Any:
        return F.log_softmax(self.head(torch.flatten(self.features(x), 1)), dim=1)


@model(IMAGE)
class ResidualBlock(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 6, 3, stride=2, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(6)
        self.conv2 = nn.Conv2d(6, 6, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(6, affine=False)
        self.short = nn.Conv2d(3, 6, 1, stride=2)

    def forward(self, x: Any) -> Any:
        y = F.relu(self.norm1(self.conv1(x)))
        return F.relu(self.norm2(self.conv2(y)) + self.short(x))


@model(IMAGE)
class SqueezeAndExcite(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down, self.up = nn.Conv2d(3, 2, 1), nn.Conv2d(2, 3, 1)

    def forward(self, x: Any) -> Any:
        return x * F.hardsigmoid(self.up(F.hardswish(self.down(x.mean((2, 3), keepdim=True)))))


@model(IMAGE)
class UNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Conv2d(3, 4, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(4, 4, 2, stride=2)
        self.out = nn.Conv2d(7, 2, 1)
        self.norm = nn.GroupNorm(2, 4)

    def forward(self, x: Any) -> Any:
        y = F.leaky_relu(self.norm(self.down(x)), 0.2)
        y = F.interpolate(F.max_pool2d(y, 2), scale_factor=2, mode="nearest") + y
        return torch.sigmoid(self.out(torch.cat([self.up(y), x], 1)))


@model(IMAGE)
class Upsampler(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv, self.shuffle = nn.Conv2d(3, 12, 3, padding=1), nn.PixelShuffle(2)

    def forward(self, x: Any) -> Any:
        a = F.interpolate(x, size=(16, 16), mode="bilinear", align_corners=False)
        b = F.interpolate(x, scale_factor=2, mode="bicubic", align_corners=True)
        return self.shuffle(self.conv(x)) + a + b


@model(IMAGE)
def instance_norms(x: Any) -> Any:
    return F.instance_norm(x), F.layer_norm(x, (8, 8)), F.local_response_norm(x, 2)


@model(IMAGE)
def paddings(x: Any) -> Any:
    y = F.pad(x, (1, 2, 0, 1)), F.pad(x, (1, 1, 2, 0), mode="reflect")
    return (*y, F.pad(x, (2, 1, 1, 0), mode="replicate"), F.pad(x, (1, 1, 1, 1), mode="circular"))


@model(IMAGE)
def pools(x: Any) -> Any:
    y = F.avg_pool2d(x, 3, 2, 1, ceil_mode=True), F.adaptive_avg_pool2d(x, (3, 5))
    return (*y, F.adaptive_max_pool2d(x, 4), F.lp_pool2d(x, 2, 2), F.max_pool2d(x, 3, 2, 1))


@model(IMAGE, _numbers(2, 2, 3))
def spatial_transformer(x: Any, theta: Any) -> Any:
    grid = F.affine_grid(theta, (2, 3, 4, 4), align_corners=False)
    return F.grid_sample(x, grid, align_corners=False, padding_mode="border")


@model(_numbers(2, 3, 12))
class Wave(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv1d(3, 4, 3, dilation=2)
        self.up = nn.ConvTranspose1d(4, 2, 4, stride=2, padding=1, output_padding=1)
        self.normed = nn.utils.parametrizations.weight_norm(nn.Conv1d(2, 2, 1))
        self.slope = nn.PReLU(4)

    def forward(self, x: Any) -> Any:
        return self.normed(torch.tanh(self.up(self.slope(self.conv(x)))))


@model(_numbers(1, 2, 4, 4, 4))
class Volume(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv, self.pool = nn.Conv3d(2, 3, 2), nn.AvgPool3d(2, 1)

    def forward(self, x: Any) -> Any:
        return F.interpolate(self.pool(F.elu(self.conv(x))), scale_factor=2, mode="trilinear")


@model(STEPS)
class LSTM(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(6, 4, num_layers=2, batch_first=True, bidirectional=True)

    def forward(self, x: Any) -> Any:
        out, (h, c) = self.lstm(x)
        return out[:, -1], h, c


@model(STEPS)
class GRU(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gru, self.head = nn.GRU(6, 4, batch_first=True), nn.Linear(4, 2)

    def forward(self, x: Any) -> Any:
        return self.head(self.gru(x)[0])


@model(STEPS, _numbers(1, 5, 3))
class RNN(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rnn = nn.RNN(6, 3)

    def forward(self, x: Any, h: Any) -> Any:
        return self.rnn(x, h)


@model(ROWS, _numbers(4, 3), _numbers(4, 3))
class Cells(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm, self.gru = nn.LSTMCell(6, 3), nn.GRUCell(6, 3)

    def forward(self, x: Any, h: Any, c: Any) -> Any:
        h, c = self.lstm(x, (h, c))
        return self.gru(x, h), c


@model(WORDS)
class TextClassifier(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.head = nn.Embedding(8, 6, padding_idx=0), nn.Linear(6, 2)

    def forward(self, words: Any) -> Any:
        known = (words != 0).unsqueeze(-1)
        total = (self.words(words) * known).sum(1)
        return self.head(total / known.sum(1).clamp(min=1))


@model(torch.tensor([1, 2, 3, 4, 5, 1]), torch.tensor([0, 2, 2]))
class Bags(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        modes = ("sum", "mean", "max")
        self.bags = nn.ModuleList(nn.EmbeddingBag(8, 3, mode=m, padding_idx=2) for m in modes)

    def forward(self, words: Any, offsets: Any) -> Any:
        return [bag(words, offsets) for bag in self.bags], self.bags[0](words.view(2, 3))


@model(STEPS)
class TransformerEncoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(6, 2, 8, batch_first=True, activation="gelu")
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, x: Any) -> Any:
        mask = nn.Transformer.generate_square_subsequent_mask(5)
        return self.encoder(x, mask=mask, is_causal=True)


@model(STEPS, _numbers(2, 3, 6))
class TransformerDecoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.TransformerDecoderLayer(6, 3, 8, batch_first=True, norm_first=True)

    def forward(self, x: Any, memory: Any) -> Any:
        return self.layer(x, memory)


@model(STEPS, torch.tensor([[False, False, True, False, True], [False] * 5]))
class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(6, 2, batch_first=True)

    def forward(self, x: Any, padding: Any) -> Any:
        return self.attention(x, x, x, key_padding_mask=padding)


@model(_numbers(1, 4, 5, 6), _numbers(1, 2, 5, 6))
def grouped_attention(q: Any, k: Any) -> Any:
    return F.scaled_dot_product_attention(q, k, k, is_causal=True, enable_gqa=True)


@model(WORDS)
class GPT(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(8, 6), nn.Embedding(4, 6)
        self.qkv, self.out = nn.Linear(6, 18), nn.Linear(6, 6)
        self.norm, self.head = nn.RMSNorm(6), nn.Linear(6, 8, bias=False)
        self.register_buffer("mask", torch.ones(4, 4).tril().bool(), persistent=False)

    def forward(self, words: Any) -> Any:
        b, t = words.shape
        x = self.words(words) + self.places(torch.arange(t))
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        q, k, v = (y.view(b, t, 2, 3).transpose(1, 2) for y in (q, k, v))
        scores = (q @ k.transpose(-2, -1) / 3**0.5).masked_fill(~self.mask, float("-inf"))
        y = (F.softmax(scores, -1) @ v).transpose(1, 2).reshape(b, t, 6)
        return self.head(x + self.out(y)).argmax(-1)


@model(_numbers(2, 4, 6))
def rotary(x: Any) -> Any:
    places = torch.arange(4).float()
    angles = torch.outer(places, 1.0 / 10 ** (torch.arange(0, 6, 2).float() / 6))
    cos, sin = (torch.cat([f, f], -1) for f in (angles.cos(), angles.sin()))
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat([-b, a], -1) * sin


@model(ROWS, torch.tensor([0, 2, 1, 2]))
def losses(x: Any, y: Any) -> Any:
    a = F.cross_entropy(x[:, :3], y), F.mse_loss(x, x + 1), F.smooth_l1_loss(x, x * 2)
    return (*a, F.binary_cross_entropy_with_logits(x, torch.ones_like(x)), F.huber_loss(x, -x))


@model(ROWS)
def subscripts(x: Any) -> Any:
    y = x.clone()
    y[1:3, ::2] = 0.5
    y[:, 1] += 1
    picked = x[torch.tensor([0, 3]), torch.tensor([1, 5])]
    many = y[:, None, torch.tensor([[0, 1], [2, 3]])], x[::2, 1:-1]
    return (y, picked, x[..., -1], x[[2, 0]], *many)


@model(ROWS)
def masks(x: Any) -> Any:
    y = x.clone()
    y[y > 0.5] = 0
    return y, torch.where(x < 0, x, -x), x.masked_fill(x < 0, 2.0), (x > 0).any(1), x.isnan().all()


@model(ROWS)
def statistics(x: Any) -> Any:
    values, places = x.topk(2)
    y = x.std(0), x.var(1, unbiased=False), x.norm(dim=1), torch.logsumexp(x, 1), values, places
    return (*y, x.sort(descending=True)[0], x.cumsum(1), x.max(1)[1], x.amax(), x.prod(0))


@model(ROWS, torch.tensor([[0, 1], [2, 0], [1, 1], [0, 0]]))
def scatters(x: Any, places: Any) -> Any:
    y = torch.zeros(4, 6).scatter_add(1, places, x[:, :2]), x.gather(1, places)
    return (*y, x.scatter(1, places, 9.0), F.one_hot(places, 4), x.index_add(0, places[:, 0], x))


@model(ROWS, torch.tensor([[-7, 7, 5, -5, 3, -3]]))
def integers(x: Any, n: Any) -> Any:
    y = n // 2, n % 3, n.div(2, rounding_mode="trunc"), n / 2, n & 3, n << 1, n >> 1
    return (*y, (x > 0).sum(1), x.long(), n.float() // 2.5, x % 0.7, n.bool(), (x > 0) ^ (n > 0))


@model(ROWS)
def shapes(x: Any) -> Any:
    y = x.repeat(2, 1), x.flip(0), x.roll(1, 1), x.unfold(1, 3, 2), x.tril(), torch.rot90(x)
    a, *_ = x.split([2, 4], 1)
    return (*y, a, torch.stack([x, x], 1), x.expand(2, 4, 6), x.T, torch.einsum("ij,kj->ik", x, x))


@model({"x": ROWS, "more": [ROWS, 2.0]}, None)
class Nested(nn.Module):
    def forward(self, given: Any, nothing: Any) -> Any:
        return {"sum": given["x"] + given["more"][0] * given["more"][1], "same": given["x"]}
