"""Calls beside the measured lines that once cost a multiple of torch's, each with its limit."""

from __future__ import annotations

from typing import Any

from ..line import Line, Namespace

__all__ = ["CLIFFS"]


def vectors(torch: Any) -> Namespace:
    return {
        "a": torch.tensor([1.0, -2.0]),
        "b": torch.tensor([3.0, 4.0]),
        "c": torch.tensor([0.0, 0.0]),
        "add_tensor": torch.ops.aten.add.Tensor,
    }


def matrices(torch: Any) -> Namespace:
    return {
        "m": torch.linspace(-2, 2, 32).reshape(4, 8),
        "w": torch.ones(8),
        "b": torch.zeros(8),
        "i": torch.tensor([0, 1]),
        "j": torch.tensor([2, 3]),
        "target": torch.tensor([0, 1, 2, 3]),
        "F": torch.nn.functional,
    }


def attention(torch: Any) -> Namespace:
    q = torch.linspace(-1, 1, 64).reshape(1, 2, 4, 8)
    return {"q": q, "F": torch.nn.functional}


def lstm(torch: Any) -> Namespace:
    net = torch.nn.LSTM(4, 4, num_layers=2)
    with torch.no_grad():
        for weight in net.parameters():
            weight.copy_(torch.linspace(-1, 1, weight.numel()).reshape(weight.shape))
    return {"net": net, "x": torch.linspace(-1, 1, 12).reshape(3, 1, 4)}


def _cliff(name: str, statement: str, setup: Any, limit: float, check: str = "") -> Line:
    return Line(name, statement, setup, limit, check=check or statement)


#: ``first`` is the ratio that a call may have at most.
CLIFFS = [
    _cliff("out=", "torch.add(a, b, out=c)", vectors, 1.0),
    Line("randn(16)", "torch.randn(16)", vectors, 2.5),
    _cliff("add(alpha=2)", "torch.add(a, b, alpha=2)", vectors, 1.0),
    _cliff("cross_entropy", "F.cross_entropy(m, target)", matrices, 2.5),
    _cliff("layer_norm", "F.layer_norm(m, (8,), w, b)", matrices, 2.5),
    _cliff("chunk", "m.chunk(2)", matrices, 1.0, "m.chunk(2)[1]"),
    _cliff("small softmax", "torch.softmax(m, -1)", matrices, 2.5),
    _cliff("indexing by two tensors", "m[i, j]", matrices, 1.0),
    _cliff("cat", "torch.cat([a, b])", vectors, 1.3),
    _cliff("max(dim)", "m.max(1)", matrices, 1.0, "m.max(1)[0]"),
    _cliff("unsqueeze", "a.unsqueeze(0)", vectors, 1.0),
    _cliff("tiny attention", "F.scaled_dot_product_attention(q, q, q)", attention, 4.0),
    _cliff("tiny LSTM forward", "net(x)", lstm, 4.0, "net(x)[0]"),
    _cliff("torch.ops.aten.add.Tensor", "add_tensor(a, b)", vectors, 1.0),
    _cliff("a ** 2", "a ** 2", vectors, 1.0),
    _cliff("a > 0", "a > 0", vectors, 1.0),
]
