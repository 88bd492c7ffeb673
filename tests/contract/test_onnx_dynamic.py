"""Sizes that vary in models of ONNX: what they are called, and that other sizes give the same."""

from __future__ import annotations

import io

import mindtorch as torch
import onnx
import pytest
from mindtorch import nn
from mindtorch.nn import functional as F

from .onnx_models import checked

Dim = torch.export.Dim


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = nn.Linear(6, 8), nn.Linear(8, 3)

    def forward(self, x):
        return self.out(F.gelu(self.hidden(x))).softmax(-1)


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 4, 3, stride=2, padding=1), nn.BatchNorm2d(4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        y = F.max_pool2d(self.norm(self.conv(x)).relu(), 2)
        return self.head(y.mean((2, 3)).flatten(1))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(8, 6), nn.Embedding(16, 6)
        self.qkv, self.norm = nn.Linear(6, 18), nn.LayerNorm(6)

    def forward(self, words):
        b, t = words.shape
        x = self.words(words) + self.places(torch.arange(t))
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        q, k, v = (y.view(b, t, 2, 3).transpose(1, 2) for y in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return y.transpose(1, 2).reshape(b, t, 6)


class LSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(6, 4, batch_first=True)

    def forward(self, x):
        return self.lstm(x)[0][:, -1]


class Sizes(nn.Module):
    def forward(self, x):
        n = x.shape[0]
        made = torch.zeros(n, 3), x.new_ones(n, 1), x.expand(n, 6) + n, x.sum() / n
        moved = x.view(n * 2, 3), x.flatten(), torch.cat([x, x]), x.repeat(2, 1), x.unfold(1, 2, 2)
        return (*made, *moved, x.std(0), F.pad(x, (0, 0, 1, 1)))


class Images(nn.Module):
    def forward(self, x):
        y = F.interpolate(x, scale_factor=2), F.interpolate(x, scale_factor=2.0, mode="bilinear")
        return (*y, F.adaptive_avg_pool2d(x, 1), F.group_norm(x, 3))


CASES = {
    "MLP": (MLP, (4, 6), {0: Dim("batch")}, (7, 6), [["batch", 3]]),
    "CNN": (CNN, (2, 3, 16, 16), {0: Dim("batch")}, (5, 3, 16, 16), [["batch", 2]]),
    "GPT": (GPT, (2, 5), {0: Dim("b"), 1: Dim("t", max=16)}, (3, 9), [["b", "t", 6]]),
    "LSTM": (LSTM, (2, 5, 6), {0: Dim("b")}, (3, 5, 6), [["b", 4]]),
    "Sizes": (Sizes, (4, 6), {0: Dim("n")}, (7, 6), None),
    "Images": (
        Images,
        (2, 3, 4, 4),
        {0: Dim("n"), 2: Dim("h"), 3: Dim("w")},
        (5, 3, 6, 8),
        [["n", 3, "2*h", "2*w"]] * 2 + [["n", 3, 1, 1], ["n", 3, "h", "w"]],
    ),
}


def sizes_of(value):
    return [d.dim_param or d.dim_value for d in value.type.tensor_type.shape.dim]


def argument(name, shape):
    if name == "GPT":
        return torch.arange(shape[0] * shape[1]).remainder(8).reshape(shape)
    return torch.linspace(-1, 1, torch.Size(shape).numel()).reshape(shape)


@pytest.mark.parametrize("name", CASES)
def test_other_sizes_give_the_same(name):
    """Sizes have the names of their dims, as in torch; computed ones are computations of these."""
    kind, shape, said, other, wanted = CASES[name]
    module = kind().eval()
    program = torch.onnx.export(
        module, (argument(name, shape),), dynamic_shapes=(said,), verbose=False
    )
    graph = checked(program.model_proto).graph
    if wanted is not None:
        assert [sizes_of(v) for v in graph.output] == wanted
    x = argument(name, other)
    results = module(x)
    results = results if isinstance(results, tuple) else (results,)
    for mine, theirs in zip(program.call_reference(x), results, strict=True):
        torch.testing.assert_close(mine, theirs.detach(), rtol=1e-4, atol=1e-5)


def test_axes_by_the_names_of_inputs():
    """Both exporters take them; the older one names sizes of outputs, too."""
    module, x = MLP().eval(), torch.ones(4, 6)
    with pytest.warns(UserWarning, match="^# 'dynamic_axes' is not recommended when dynamo=True"):
        program = torch.onnx.export(
            module, (x,), input_names=["rows"], dynamic_axes={"rows": {0: "count"}}, verbose=False
        )
    assert sizes_of(program.model_proto.graph.input[0]) == ["count", 6]
    file = io.BytesIO()
    axes = {"rows": {0: "count"}, "out": [0]}
    names = {"input_names": ["rows"], "output_names": ["out"]}
    torch.onnx.export(module, (x,), file, dynamo=False, dynamic_axes=axes, **names)
    graph = onnx.load_from_string(file.getvalue()).graph
    assert sizes_of(graph.input[0]) == ["count", 6]
    assert sizes_of(graph.output[0]) == ["out_dynamic_axes_1", 3]
