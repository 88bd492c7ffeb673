"""Ops of nested tensors of the jagged layout: values, refusals and gradients."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import mindtorch as mt
import pytest
import torch

from .batches import every
from .nested_programs import as_the_oracle_does, jagged, numbers

Program = Callable[[Any, Any], Any]


def w(t: Any, *shape: int) -> Any:
    return numbers(t, *shape, scale=1.7)


def f(t: Any) -> Any:
    return t.nn.functional


METHODS = (
    "abs ceil cos erf exp floor isfinite isnan log1p logical_not neg relu rsqrt sigmoid sign sin "
    "sqrt square tanh"
).split()
ACTIVATIONS = (
    "gelu silu leaky_relu elu selu celu mish softplus hardtanh relu6 hardsigmoid "
    "softsign tanhshrink hardshrink softshrink"
).split()

ELEMENTWISE: dict[str, Program] = {
    **{name: lambda t, x, n=name: getattr(x, n)() for name in METHODS},
    **{name: lambda t, x, n=name: getattr(f(t), n)(x) for name in ACTIVATIONS},
    "by a number": lambda t, x: x * 2,
    "by itself": lambda t, x: x * x,
    "with a vector": lambda t, x: x + w(t, 4),
    "with leading ones": lambda t, x: x + w(t, 1, 1, 4),
    "with one row per sample": lambda t, x: x * w(t, 3, 1, 4),
    "with one number per sample": lambda t, x: x * w(t, 3, 1, 1),
    "with a scalar tensor": lambda t, x: x * t.tensor(3.0),
    "with one column": lambda t, x: x + x.sum(-1, keepdim=True),
    "number first": lambda t, x: (1 - x, 2 / (x + 3)),
    "other samples": lambda t, x: x + jagged(t),
    "a matrix": lambda t, x: x + w(t, 3, 4),
    "too many dimensions": lambda t, x: x + w(t, 2, 3, 1, 4),
    "clamp": lambda t, x: x.clamp(-0.2, 0.5),
    "power": lambda t, x: x**2,
    "comparisons": lambda t, x: (x < 0, x == x),
    "masked_fill": lambda t, x: x.masked_fill(x > 0, 0.0),
    "where": lambda t, x: t.where(x > 0, x, x * 2),
    "addcmul": lambda t, x: t.addcmul(x, x, x, value=0.5) if t is mt else x + x * x * 0.5,
    "maximum": lambda t, x: t.maximum(x, x * 2),
    "alpha": lambda t, x: t.add(x, x, alpha=3),
    "conversions": lambda t, x: (x.float(), x.to("cpu", t.float32), (x * 3).long()),
    "copies": lambda t, x: (x.clone(), x.detach(), x.contiguous() is x),
    "in place": lambda t, x: (x * 1).add_(1).mul_(x).clamp_(-0.5),
    "filled": lambda t, x: ((x * 1).zero_(), (x * 1).fill_(2.0), (x * 1).copy_(x * 2)),
    "views in place": lambda t, x: (x * 1).unsqueeze_(-1),
    "transposed in place": lambda t, x: (x * 1).transpose_(1, 2),
    "dropout": lambda t, x: (f(t).dropout(x, 0.0), f(t).dropout(x, 1.0)),
    "zeroed": lambda t, x: (x * 1).zero_(),
    "copied": lambda t, x: (x * 1).copy_(x * 2),
    "frexp": lambda t, x: t.frexp(x),
    "fill": lambda t, x: x.fill(2.0) if hasattr(x, "fill") else t.fill(x, 2.0),
}
SHAPES: dict[str, Program] = {
    "transpose": lambda t, x: (x.transpose(1, 2), x.transpose(-1, -2).transpose(1, 2), x.mT),
    "transpose of the batch": lambda t, x: x.transpose(0, 1),
    "squeeze of all": lambda t, x: x.squeeze(),
    "unsqueeze": lambda t, x: [x.unsqueeze(d) for d in (1, 2, 3, -1)],
    "unsqueeze of the batch": lambda t, x: x.unsqueeze(0),
    "squeeze": lambda t, x: x.unsqueeze(-1).squeeze(-1),
    "squeeze of the ragged": lambda t, x: x.squeeze(1),
    "split": lambda t, x: (x.split(3, -1), x.split([1, 3], -1)),
    "split of the ragged": lambda t, x: x.split(2, 1),
    "split of the batch": lambda t, x: x.split(2),
    "chunk": lambda t, x: (x.chunk(2, -1), x.chunk(2)),
    "chunk of the ragged": lambda t, x: x.chunk(2, 1),
    "chunk of a transpose": lambda t, x: x.transpose(1, 2).chunk(2, 1),
    "cat": lambda t, x: t.cat([x, x * 2], -1),
    "cat of samples": lambda t, x: t.cat([x, x]),
    "stack": lambda t, x: t.stack([x, x], -1),
    "stack of samples": lambda t, x: t.stack([x, x]),
    "stack of tensors": lambda t, x: t.stack([x, jagged(t)], -1),
    "unbind": lambda t, x: (x.unbind(), list(x)),
    "unbind of the ragged": lambda t, x: x.unbind(1),
    "select": lambda t, x: [x[1], x[-1], x.select(0, 2), x[..., 1], x.select(-1, 0), x[0, 1]],
    "select of the ragged": lambda t, x: x.select(1, 0),
    "slice": lambda t, x: [x[..., 1:3], x[..., ::2]],
    "slice of samples": lambda t, x: x[0:1],
    "none": lambda t, x: x[..., None],
    "narrow": lambda t, x: x.narrow(-1, 1, 2),
    "permute": lambda t, x: x.permute(0, 2, 1),
    "permute of the batch": lambda t, x: x.permute(1, 0, 2),
    "permute of too few": lambda t, x: x.permute(0, 1),
    "view": lambda t, x: (x.view(3, -1, 2, 2), x.view(3, x.size(1), 2, 2)),
    "view of numbers": lambda t, x: x.view(3, 6, 4),
    "view without samples": lambda t, x: x.view(-1, 4),
    "reshape": lambda t, x: x.reshape(3, -1, 2, 2),
    "unflatten": lambda t, x: (x.unflatten(-1, (2, 2)), x.unflatten(-1, (2, -1))),
    "flatten": lambda t, x: x.unflatten(-1, (2, 2)).flatten(2),
    "flatten of the ragged": lambda t, x: x.flatten(1),
    "expand": lambda t, x: x.unsqueeze(-1).expand(3, x.shape[1], 4, 2),
    "padded": lambda t, x: (x.to_padded_tensor(0.0), t.nested.to_padded_tensor(x, -1.0)),
    "padded to a size": lambda t, x: (
        x.to_padded_tensor(0.0, (3, 5, 4)), x.to_padded_tensor(0.0, (3, 2, 4)),
    ),
    "padded transpose": lambda t, x: x.transpose(1, 2).to_padded_tensor(1.0),
    "contiguous": lambda t, x: x.transpose(1, 2).contiguous(),
    "values": lambda t, x: x.values(),
    "like": lambda t, x: [t.ones_like(x), t.zeros_like(x), t.full_like(x, 3.0)],
    "new": lambda t, x: x.new_zeros(()),
    "new of a shape": lambda t, x: x.new_zeros((2,)),
    "index_put": lambda t, x: (
        x.index_put((t.tensor([0, 2]),), t.tensor(2.0, dtype=t.float64)),
        x.index_put(
            (t.tensor([0, 1, 1]), t.tensor([1, 2, 0])),
            t.tensor(2.0, dtype=t.float64),
            accumulate=True,
        ),
        (x * 1).index_put_((t.tensor([1]),), t.tensor(5.0, dtype=t.float64)),
    ),
    "index_put beside a sample": lambda t, x: x.index_put(
        (t.tensor([0, 1, 2]), t.tensor([0, 1, 1])), t.tensor(2.0, dtype=t.float64)
    ),
    "masked_select": lambda t, x: x.sum(-1).masked_select(x.sum(-1) > 0),
}  # fmt: skip
REDUCTIONS: dict[str, Program] = {
    f"{name}{args}": lambda t, x, n=name, a=args: getattr(x, n)(*a)
    for name in "sum mean prod amax amin any all argmax argmin max min".split()
    for args in (
        (), (-1,), (1,), (0,), ((0, 1),), ((1, 2),), ((0, 1, 2),), (2, True), (1, True),
        ((0, 1), True),
    )
}  # fmt: skip
PRODUCTS: dict[str, Program] = {
    "linear": lambda t, x: f(t).linear(x, w(t, 5, 4), w(t, 5)),
    "linear of a transpose": lambda t, x: f(t).linear(x.transpose(1, 2), w(t, 5, 4)),
    "by a matrix": lambda t, x: x @ w(t, 4, 5),
    "by one matrix per sample": lambda t, x: (x @ w(t, 3, 4, 5), t.bmm(x, w(t, 3, 4, 5))),
    "matrix first": lambda t, x: w(t, 5, 4) @ x.transpose(1, 2),
    "one matrix per sample first": lambda t, x: w(t, 3, 5, 4) @ x.transpose(1, 2),
    "over the ragged": lambda t, x: x.transpose(1, 2) @ x,
    "of rows": lambda t, x: x @ x,
    "by a vector": lambda t, x: x @ w(t, 4),
    "softmax": lambda t, x: (x.softmax(-1), f(t).softmax(x, dim=-1), x.log_softmax(-1)),
    "softmax of the ragged": lambda t, x: x.softmax(1),
    "softmax of the batch": lambda t, x: x.softmax(0),
    "softmax of a transpose": lambda t, x: x.transpose(1, 2).softmax(2),
    "log_softmax of the ragged": lambda t, x: x.log_softmax(1),
    "layer_norm": lambda t, x: f(t).layer_norm(x, (4,), w(t, 4), w(t, 4)),
    "layer_norm of samples": lambda t, x: f(t).layer_norm(
        x.unflatten(-1, (2, 2)), (x.shape[1], 2, 2)
    ),
    "layer_norm of all": lambda t, x: f(t).layer_norm(x, (3, x.shape[1], 4)),
    "rms_norm": lambda t, x: f(t).rms_norm(x, (4,), w(t, 4)),
    "rms_norm of the ragged": lambda t, x: f(t).rms_norm(x, (2, 4)),
    "attention": lambda t, x: attention(t, x),
    "attention with a mask": lambda t, x: f(t).scaled_dot_product_attention(
        x, x, x, attn_mask=t.ones(2, 2)
    ),
    "attention with a tensor": lambda t, x: f(t).scaled_dot_product_attention(x, w(t, 3, 2, 4), x),
}


def attention(t: Any, x: Any) -> Any:
    heads = (x @ w(t, 4, 8)).unflatten(-1, (2, 4)).transpose(1, 2)
    return f(t).scaled_dot_product_attention(heads, heads, heads)


ALL = {**ELEMENTWISE, **SHAPES, **REDUCTIONS, **PRODUCTS}


@every("case", ALL)
def test_op_of_nested_tensors(case: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        as_the_oracle_does(lambda t: ALL[case](t, jagged(t)), rtol=1e-8)


def scalar(t: Any, result: Any) -> Any:
    """A number that everything of *result* that can have a gradient goes into."""
    total: Any = 0.0
    for part in result if isinstance(result, (tuple, list)) else [result]:
        if isinstance(part, t.Tensor) and part.requires_grad:
            flat = part.values() if part.is_nested else part
            places = t.arange(flat.numel(), dtype=flat.dtype).reshape(flat.shape)
            total = total + (flat * (places * 0.1).cos()).sum()
    return total


@pytest.mark.parametrize("name", [*METHODS, *ACTIVATIONS, "by itself", "power", "by a number"])
def test_gradient_is_that_of_each_sample(name: str) -> None:
    def mine() -> list[Any]:
        x = jagged(mt, grad=True)
        result = ALL[name](mt, x)
        if not result.requires_grad:
            return []
        (result * result).values().nan_to_num().sum().backward()
        return [part.tolist() for part in x.grad.unbind()]

    def of_samples() -> list[Any]:
        parts = [p.clone().requires_grad_() for p in jagged(torch).unbind()]
        results = [ALL[name](torch, p) for p in parts]
        if not results[0].requires_grad:
            return []
        sum((r * r).nan_to_num().sum() for r in results).backward()
        return [p.grad.tolist() for p in parts]

    ours, oracle = mine(), of_samples()
    assert len(ours) == len(oracle)
    for a, b in zip(ours, oracle, strict=True):
        assert mt.allclose(mt.tensor(a), mt.tensor(b), rtol=1e-9, atol=1e-12, equal_nan=True)


@pytest.mark.parametrize(
    "name",
    """transpose|squeeze|cat|stack|permute|view|reshape|unflatten|flatten|expand|padded
    contiguous|with a vector|with leading ones|with one row per sample|where|masked_fill
    clamp|alpha|dropout|in place|zeroed|copied|linear|by a matrix|by one matrix per sample
    matrix first|layer_norm|rms_norm|attention|max(-1,)|amax(-1,)|mean()|mean(-1,)""".replace(
        "\n    ", "|"
    ).split("|"),
)
def test_gradient_of_nested_tensors(name: str) -> None:
    def run(t: Any) -> Any:
        x = jagged(t, grad=True)
        scalar(t, ALL[name](t, x)).backward()
        return x.grad

    as_the_oracle_does(run, rtol=1e-8)


@pytest.mark.parametrize(
    ("name", "dense"),
    [
        ("sum(-1,)", lambda t, p: p.sum(-1)),
        ("sum(1,)", lambda t, p: p.sum(0)),
        ("mean(1,)", lambda t, p: p.mean(0)),
        ("softmax of the ragged", lambda t, p: p.softmax(0)),
        ("narrow", lambda t, p: p.narrow(-1, 1, 2)),
        ("select of a column", lambda t, p: p[..., 1]),
        ("log_softmax", lambda t, p: p.log_softmax(-1)),
        ("var", lambda t, p: p.var(-1)),
        ("normalize", lambda t, p: f(t).normalize(p, dim=-1)),
        ("hardswish", lambda t, p: f(t).hardswish(p)),
        ("maximum", lambda t, p: t.maximum(p, p * 2)),
        ("padded and back", lambda t, p: p * 2),
    ],
)
def test_gradient_that_the_oracle_has_of_samples_alone(name: str, dense: Program) -> None:
    """The oracle refuses these of nested tensors, or gives the gradient of another function."""
    programs: dict[str, Program] = {
        **ALL,
        "select of a column": lambda t, x: x[..., 1],
        "log_softmax": lambda t, x: x.log_softmax(-1),
        "var": lambda t, x: x.var(-1),
        "normalize": lambda t, x: f(t).normalize(x, dim=-1),
        "hardswish": lambda t, x: f(t).hardswish(x),
        "padded and back": lambda t, x: x.transpose(1, 2).to_padded_tensor(0.0) * 2,
    }
    x = jagged(mt, grad=True)
    result = programs[name](mt, x)
    flat = result.values() if result.is_nested else result
    (flat * flat * flat).sum().backward()
    parts = [p.clone().requires_grad_() for p in jagged(torch).unbind()]
    sum((dense(torch, p) ** 3).sum() for p in parts).backward()
    for ours, oracle in zip(x.grad.unbind(), parts, strict=True):
        expected = mt.tensor(oracle.grad.tolist(), dtype=mt.float64)
        assert mt.allclose(ours, expected, rtol=1e-9, atol=1e-12)
