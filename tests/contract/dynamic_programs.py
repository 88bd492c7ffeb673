"""Programs that are exported for sizes that vary: what is said of their sizes, and other inputs."""

from __future__ import annotations

import math


def programs(t):
    """By what is particular to it: module, arguments, what is said of sizes, other arguments."""
    nn, F = t.nn, t.nn.functional
    Dim = t.export.Dim
    auto, dynamic, static = Dim.AUTO, Dim.DYNAMIC, Dim.STATIC
    batch, length = Dim("batch", min=2, max=1024), Dim("length")

    class Of(nn.Module):
        """A module of a function."""

        def __init__(self, function):
            super().__init__()
            self.function = function

        def forward(self, x):
            return self.function(x)

    class OfTwo(Of):
        """The same of two arguments."""

        def forward(self, x, y):
            return self.function(x, y)

    class OfMany(Of):
        """The same of arguments without names."""

        def forward(self, *a):
            return self.function(*a)

    class Nested(nn.Module):
        """Arguments that are nested."""

        def forward(self, x, more, *, k=None):
            return x + more["a"][0], k * 2, more["b"]

    class Convolutional(nn.Module):
        """A small network for images."""

        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(3, 4, 3, stride=2, padding=1)
            self.norm = nn.BatchNorm2d(4)
            self.last = nn.Linear(4, 2)

        def forward(self, x):
            x = F.max_pool2d(F.relu(self.norm(self.conv(x))), 2)
            return self.last(t.flatten(F.adaptive_avg_pool2d(x, 1), 1))

    class Recurrent(nn.Module):
        """An embedding and a cell over steps of a length that is fixed."""

        def __init__(self):
            super().__init__()
            self.embed, self.cell = nn.Embedding(9, 4), nn.LSTMCell(4, 5)

        def forward(self, ids):
            x = self.embed(ids)
            state = x.new_zeros(x.shape[0], 5), x.new_zeros(x.shape[0], 5)
            for i in range(3):
                state = self.cell(x[:, i], state)
            return state[0]

    class Attention(nn.Module):
        """Attention whose heads are viewed by hand."""

        def __init__(self):
            super().__init__()
            self.qkv = nn.Linear(8, 24)

        def forward(self, x):
            b, s, d = x.shape
            q, k, v = self.qkv(x).view(b, s, 3, 2, d // 2).permute(2, 0, 3, 1, 4).unbind(0)
            scores = q @ k.transpose(-2, -1) / math.sqrt(d // 2)
            mask = t.ones(s, s, dtype=t.bool).tril()
            weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
            return (weights @ v).transpose(1, 2).reshape(b, s, d)

    def rand(*size):
        return t.arange(1.0, 1 + math.prod(size)).reshape(size) / math.prod(size)

    def of(function, *args, shapes, other=None, module=Of):
        return module(function), args, shapes, other

    mlp = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()
    nested = {"x": {0: batch}, "more": {"a": [{0: batch}], "b": None}, "k": (auto, None)}
    return {
        "mlp": (mlp, (rand(5, 3),), ({0: batch},), (rand(7, 3),)),
        "mlp, auto": (mlp, (rand(5, 3),), ({0: auto},), (rand(7, 3),)),
        "mlp, dynamic": (mlp, (rand(5, 3),), [(dynamic, static)], (rand(2, 3),)),
        "mlp, by name": (mlp, (rand(5, 3),), {"input": {0: Dim("n", max=10)}}, (rand(3, 3),)),
        "mlp, out of range": (mlp, (rand(5, 3),), ({0: batch},), (rand(1025, 3),)),
        "mlp, another width": (mlp, (rand(5, 3),), ({0: batch},), (rand(5, 4),)),
        "mlp, another rank": (mlp, (rand(5, 3),), ({0: batch},), (rand(5, 3, 3),)),
        "convolutional": (
            Convolutional().eval(),
            (rand(2, 3, 16, 16),),
            ({0: auto, 2: auto, 3: auto},),
            (rand(3, 3, 20, 12),),
        ),
        "convolutional, in training": (
            Convolutional(),
            (rand(2, 3, 16, 16),),
            ({0: batch},),
            (rand(3, 3, 16, 16),),
        ),
        "encoder": (layer, (rand(2, 5, 8),), ({0: batch, 1: length},), (rand(3, 4, 8),)),
        "attention": (Attention(), (rand(2, 5, 8),), ({0: batch, 1: length},), (rand(3, 4, 8),)),
        "recurrent": (
            Recurrent(),
            (t.tensor([[0, 3, 8], [1, 2, 3]]),),
            ({0: batch},),
            (t.tensor([[0, 3, 8], [1, 2, 3], [4, 5, 6]]),),
        ),
        "nested": (
            Nested(),
            (rand(4, 3), {"a": [rand(4, 3)], "b": 3}),
            nested,
            None,
            {"k": rand(2, 2)},
        ),
        "many": of(
            lambda x, y: x + y, rand(4), rand(4), shapes=(({0: batch}, {0: batch}),),
            other=(rand(6), rand(6)), module=OfMany,
        ),
        "views": of(
            lambda x: (x.view(x.shape[0] * 2, 2), x.reshape(-1), x.flatten(), x.t().contiguous()),
            rand(6, 4), shapes=({0: batch},), other=(rand(3, 4),),
        ),
        "sizes as results": of(
            lambda x: (x.shape[0], x.shape[0] * 2 + 1, x.numel(), x + x.shape[0], x.size(1)),
            rand(6, 4), shapes=({0: auto},), other=(rand(3, 4),),
        ),
        "slices": of(
            lambda x: (x[:, 1:], x[..., -1], x[:2], x[:, None]),
            rand(6, 4), shapes=({0: auto},), other=(rand(3, 4),),
        ),
        "joined": of(
            lambda x, y: (t.cat([x, y]), t.stack([x, x], 1), t.cat([x, x], 1)),
            rand(6, 4), rand(5, 4), shapes=({0: auto}, {0: auto}), other=(rand(3, 4), rand(2, 4)),
            module=OfTwo,
        ),
        "made": of(
            lambda x: (t.arange(x.shape[0]), t.zeros(x.shape[0], 3), t.ones_like(x),
                       t.full((x.shape[0],), 2.0), x.new_zeros(x.shape[0] + 1)),
            rand(6, 4), shapes=({0: auto},), other=(rand(3, 4),),
        ),
        "padded": of(
            lambda x: (F.pad(x, (1, 2)), x.unsqueeze(0).expand(3, -1, -1), x.repeat(2, 1)),
            rand(6, 4), shapes=({0: auto},), other=(rand(3, 4),),
        ),
        "interpolated": of(
            lambda x: F.interpolate(x, scale_factor=2.0),
            rand(2, 1, 6, 4), shapes=({0: auto, 2: auto},), other=(rand(3, 1, 5, 4),),
        ),
        "reduced": of(
            lambda x: (x.sum(0), x.mean(), x.max(1), x.std(0), x.softmax(-1), x.argmax(0)),
            rand(6, 4), shapes=({0: auto},), other=(rand(3, 4),),
        ),
        "einsum": of(
            lambda x, y: t.einsum("bij,bjk->bik", x, y),
            rand(2, 3, 4), rand(2, 4, 5), shapes=({0: batch}, {0: batch}),
            other=(rand(3, 3, 4), rand(3, 4, 5)), module=OfTwo,
        ),
        "scaled attention": of(
            lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True),
            rand(2, 2, 5, 4), shapes=({0: batch, 2: length},), other=(rand(3, 2, 6, 4),),
        ),
        "condition": of(
            lambda x: x.sin() if x.shape[0] > 4 else x.cos(),
            rand(6, 4), shapes=({0: auto},), other=(rand(7, 4),),
        ),
        "condition, not met": of(
            lambda x: x.sin() if x.shape[0] > 4 else x.cos(),
            rand(6, 4), shapes=({0: auto},), other=(rand(3, 4),),
        ),
        "condition, violated": of(
            lambda x: x.sin() if x.shape[0] > 4 else x.cos(), rand(6, 4), shapes=({0: batch},)
        ),
        "condition, of a dim without bounds": of(
            lambda x: x.sin() if x.shape[0] < 9 else x.cos(), rand(6, 4), shapes=({0: length},)
        ),
        "constant": of(lambda x: x + t.ones(6, 1), rand(6, 4), shapes=({0: batch},)),
        "constant, dynamic": of(lambda x: x + t.ones(6, 1), rand(6, 4), shapes=({0: dynamic},)),
        "constant, auto": of(
            lambda x: x + t.ones(6, 1), rand(6, 4), shapes=({0: auto},), other=(rand(5, 4),)
        ),
        "equal to a constant": of(
            lambda x, y: x + y, rand(6, 4), rand(6, 4), shapes=({0: batch}, None), module=OfTwo
        ),
        "equal to another": of(
            lambda x, y: x + y, rand(6, 4), rand(6, 4),
            shapes=({0: batch}, {0: Dim("other")}), module=OfTwo,
        ),
        "equal, auto": of(
            lambda x, y: x + y, rand(6, 4), rand(6, 4), shapes=({0: auto}, {0: auto}),
            other=(rand(6, 4), rand(5, 4)), module=OfTwo,
        ),
        "equal by name, apart": of(
            lambda x, y: (x + 1, y + 1), rand(6, 4), rand(6, 4), shapes=({0: batch}, {0: batch}),
            other=(rand(6, 4), rand(5, 4)), module=OfTwo,
        ),
        "derived": of(
            lambda x, y: x[1:] + y, rand(6, 4), rand(5, 4),
            shapes=({0: length + 1}, {0: length}), other=(rand(4, 4), rand(3, 4)), module=OfTwo,
        ),
        "derived, a multiple": of(
            lambda x, y: x.view(-1, 2, 4).sum(1) + y, rand(6, 4), rand(3, 4),
            shapes=({0: 2 * length}, {0: length}), other=(rand(8, 4), rand(4, 4)), module=OfTwo,
        ),
        "derived, alone": of(
            lambda x: x.view(-1, 2), rand(6), shapes=({0: 2 * length},), other=(rand(8),)
        ),
        "divided": of(lambda x: x.view(-1, 2), rand(6), shapes=({0: batch},)),
        "divided, auto": of(
            lambda x: x.view(-1, 2), rand(6), shapes=({0: auto},), other=(rand(5),)
        ),
        "halved": of(
            lambda x: (x[: x.shape[0] // 2], x.shape[0] % 2, max(x.shape[0], 3)),
            rand(7), shapes=({0: auto},), other=(rand(9),),
        ),
        "loop": of(
            lambda x: sum(x[:, i] * i for i in range(x.shape[1])),
            rand(6, 4), shapes=({0: batch},), other=(rand(3, 4),),
        ),
        "loop over a dim": of(lambda x: sum(x[i] for i in range(x.shape[0])), rand(3, 4),
                              shapes=({0: batch},)),
        "matched": of(
            lambda x, y: x @ y, rand(6, 4), rand(4, 3), shapes=({0: auto, 1: auto}, {0: auto}),
            other=(rand(5, 2), rand(2, 3)), module=OfTwo,
        ),
        "normalized": of(
            lambda x: F.layer_norm(x, x.shape[1:]) + F.normalize(x, dim=1),
            rand(6, 4), shapes=({0: auto},), other=(rand(3, 4),),
        ),
        "losses": of(
            lambda x, y: F.mse_loss(x, y) + F.cross_entropy(x, y.softmax(-1)),
            rand(6, 4), rand(6, 4), shapes=({0: batch}, {0: batch}),
            other=(rand(3, 4), rand(3, 4)), module=OfTwo,
        ),
        "one of several": of(
            lambda x: x * 2, rand(1, 4), shapes=({0: auto},), other=(rand(3, 4),)
        ),
        "one, dynamic": of(lambda x: x * 2, rand(1, 4), shapes=({0: dynamic},)),
        "not in its range": of(lambda x: x * 2, rand(6, 4), shapes=({0: Dim("n", max=4)},)),
        "bounds of a hint": of(
            lambda x: x * 2, rand(6, 4), shapes=({0: auto(min=3, max=9)},), other=(rand(2, 4),)
        ),
        "numbers": of(
            lambda x, y: x * y, rand(6, 4), 3, shapes=({0: auto}, None), other=(rand(3, 4), 4),
            module=OfTwo,
        ),
        "wrong name": of(lambda x: x, rand(6), shapes={"z": {0: batch}}),
        "wrong structure": of(lambda x: x, [rand(6)], shapes=(None,)),
        "wrong length": of(lambda x: x, rand(6), shapes=((batch, batch),)),
        "wrong dim": of(lambda x: x, rand(6), shapes=({0: "n"},)),
        "two definitions": of(
            lambda x, y: x, rand(6), rand(6), shapes=({0: batch}, {0: Dim("batch")}), module=OfTwo
        ),
        "checked": of(
            lambda x: (t._check(x.shape[0] <= 9), x + 1)[1],
            rand(6), shapes=({0: auto},), other=(rand(10),),
        ),
    }  # fmt: skip


def subscripts():
    """Functions of a tensor of three dimensions, the first of which varies, and of an index."""
    return {
        "x[:, 0]": lambda x, i: x[:, 0],
        "x[:, 0, 1:]": lambda x, i: x[:, 0, 1:],
        "x[:, :, 0]": lambda x, i: x[:, :, 0],
        "x[:, 0, None]": lambda x, i: x[:, 0, None],
        "x[1:, 0]": lambda x, i: x[1:, 0],
        "x[:, 1:]": lambda x, i: x[:, 1:],
        "x[:, None]": lambda x, i: x[:, None],
        "x[:, i]": lambda x, i: x[:, i],
        "x[:]": lambda x, i: x[:],
        "x[..., 0]": lambda x, i: x[..., 0],
        "x[0]": lambda x, i: x[0],
        "x[:, -1]": lambda x, i: x[:, -1],
        "x[i]": lambda x, i: x[i],
        "x[i, 0]": lambda x, i: x[i, 0],
        "x[:n - 1]": lambda x, i: x[: x.shape[0] - 1],
        "x[n - 1]": lambda x, i: x[x.shape[0] - 1],
        "x[None]": lambda x, i: x[None],
        "x[:, ::2]": lambda x, i: x[:, ::2],
        "x[::2]": lambda x, i: x[::2],
        "x[-2:]": lambda x, i: x[-2:],
        "x[:-1]": lambda x, i: x[:-1],
        "x[1:3]": lambda x, i: x[1:3],
    }
