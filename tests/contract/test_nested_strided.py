"""Nested tensors of the strided layout, which is the default."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .nested_programs import as_the_oracle_does, numbers, strided


def f(t: Any) -> Any:
    return t.nn.functional


def uneven(t: Any) -> Any:
    """Samples that differ in both sizes."""
    return t.nested.nested_tensor([numbers(t, 2, 3), numbers(t, 1, 2)])


def first_line(run: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The first sentence of the error: what follows lists torch's backends."""

    def work(t: Any, x: Any) -> Any:
        try:
            return run(t, x)
        except NotImplementedError as error:
            return str(error).partition(" This could be")[0]

    return work


PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "narrow too far": lambda t, x: x.narrow(0, 1, 5),
    "narrow of less": lambda t, x: x.narrow(0, 0, -1),
    "select too far": lambda t, x: x.select(1, 9),
    "too many numbers": lambda t, x: x[0, 0, 0, 0],
    "a number and the rest": lambda t, x: [x[0, ...], x[0, 1:], x[1, :, 2]],
    "none": lambda t, x: x[None],
    "a tensor of places": first_line(lambda t, x: x[t.tensor([0])]),
    "chunk of uneven samples": lambda t, x: uneven(t).chunk(2, -1),
    "chunk that does not divide": lambda t, x: x.chunk(3, -1),
    **{
        f"split into {sizes} along {dim}": lambda t, x, s=sizes, d=dim: x.split(s, d)
        for sizes in ([1, 3], [4], [0, 2, 2], [1, 1], [2, 3])
        for dim in (-1, 2, 1, 0)
    },
    "split of uneven samples": lambda t, x: uneven(t).split([1, 2], -1),
    **{
        f"sum over {dim}": lambda t, x, d=dim: x.sum(d)
        for dim in (0, 1, -1, 5, (0, 1), (1, 2), (2,))
    },
    "samples that are nested": lambda t, x: t.nested.nested_tensor([x]),
    "one sample that is nested": lambda t, x: t.nested.nested_tensor([t.ones(2), x]),
    "sum of rows": lambda t, x: x.sum(1, keepdim=True),
    "view that does not fit": lambda t, x: x.view(3, -1, 3),
    "squeeze of rows": lambda t, x: x.squeeze(1),
    "rows that do not fit": lambda t, x: x @ x,
    "batches that do not fit": lambda t, x: t.bmm(x, x),
    "linear of uneven samples": lambda t, x: f(t).linear(uneven(t), t.ones(4, 3)),
    "linear of another width": lambda t, x: f(t).linear(x, t.ones(4, 3)),
    "layer_norm of uneven samples": lambda t, x: f(t).layer_norm(
        uneven(t), (3,), t.ones(3), t.ones(3)
    ),
    "layer_norm of another width": lambda t, x: f(t).layer_norm(x, (3,), t.ones(3), t.ones(3)),
    "padded with samples": lambda t, x: x.to_padded_tensor(0.0, (5, 3, 4)),
    "cat with a tensor": lambda t, x: t.cat([x, t.ones(2, 3)]),
    "in place, several": lambda t, x: [x.abs_(), x.neg_(), x.tanh_(), x.relu_(), x.sgn_()],
    "a tensor of one": lambda t, x: x + t.ones(1),
    "sample of nothing": lambda t, x: t.nested.nested_tensor([])[0],
    "padding of nothing": lambda t, x: t.nested.nested_tensor([]).to_padded_tensor(0.0),
    "elementwise": lambda t, x: [x * 2, x + x, x - 1, x / 2, -x, x * t.tensor(2.0)],
    "activations": lambda t, x: [x.relu(), f(t).gelu(x), x.tanh(), f(t).silu(x), x.abs(), x.cos()],
    "other sizes": lambda t, x: x + uneven(t),
    "a vector": lambda t, x: x + t.ones(4),
    "in place": lambda t, x: [x.add_(1), x.mul_(2), x.fill_(3), x.zero_()],
    "comparison": lambda t, x: x >= 0,
    "masked_fill": lambda t, x: x.masked_fill(x > 0.5, 0.0),
    "like": lambda t, x: [t.zeros_like(x), t.ones_like(x), t.randn_like(x).dim()],
    "copies": lambda t, x: [x.clone(), x.detach(), x.contiguous(), x.float(), x.cpu()],
    "samples": lambda t, x: [x.unbind(), x[0], x[-1], x[0, 1], x.select(0, 1)],
    "no such sample": lambda t, x: x[5],
    "select": lambda t, x: [x.select(1, 0), x.select(2, 0), x[..., 0]],
    "narrow": lambda t, x: x.narrow(0, 0, 1),
    "narrow of samples": lambda t, x: x.narrow(1, 0, 1),
    "chunk": lambda t, x: x.chunk(2, -1),
    "chunk of samples": lambda t, x: x.chunk(2, 0),
    "unsqueeze": lambda t, x: [x.unsqueeze(-1), x.unsqueeze(1)],
    "unsqueeze of the batch": lambda t, x: x.unsqueeze(0),
    "squeeze": lambda t, x: x.squeeze(-1),
    "squeeze of the batch": lambda t, x: x.squeeze(0),
    "squeeze of all": lambda t, x: x.squeeze(),
    "transpose": lambda t, x: [x.transpose(1, 2), x.mT],
    "transpose of the batch": lambda t, x: x.transpose(0, 1),
    "view": lambda t, x: [x.view(3, -1, 4), x.reshape(3, -1, 2, 2)],
    "view of another batch": lambda t, x: x.view(2, -1, 4),
    "reshape of another batch": lambda t, x: x.reshape(2, -1, 4),
    "flatten": lambda t, x: x.flatten(),
    "cat": lambda t, x: t.cat([x, x]),
    "unbind of another": lambda t, x: x.unbind(1),
    "padded": lambda t, x: [x.to_padded_tensor(0.0), x.to_padded_tensor(-1.0, (3, 4, 5))],
    "padded too small": lambda t, x: x.to_padded_tensor(0.0, (3, 2, 4)),
    "softmax": lambda t, x: [x.softmax(-1), x.softmax(1)],
    "softmax of the batch": lambda t, x: x.softmax(0),
    "sum": lambda t, x: x.sum(-1, keepdim=True),
    "sum that loses a dimension": lambda t, x: x.sum(-1),
    "sum of two": lambda t, x: x.sum((1, 2), keepdim=True),
    "sum of all": first_line(lambda t, x: x.sum()),
    "mean": first_line(lambda t, x: x.mean()),
    "split": first_line(lambda t, x: x.split(1, -1)),
    "stack": first_line(lambda t, x: t.stack([x, x])),
    "slice": first_line(lambda t, x: x[0:1]),
    "equal": first_line(lambda t, x: t.equal(x, x)),
    "products": lambda t, x: [x @ x.transpose(1, 2), t.bmm(x, x.transpose(1, 2))],
    "product with a matrix": lambda t, x: x @ t.ones(4, 2, dtype=t.float64),
    "product of other batches": lambda t, x: x @ strided(t, (2, 3)),
    "linear": lambda t, x: f(t).linear(x, numbers(t, 5, 4), numbers(t, 5)),
    "layer_norm": lambda t, x: f(t).layer_norm(x, (4,), numbers(t, 4), numbers(t, 4)),
    "layer_norm without weights": lambda t, x: f(t).layer_norm(x, (4,)),
    "embedding": lambda t, x: f(t).embedding(
        t.nested.nested_tensor([t.tensor([0, 2]), t.tensor([1])]), numbers(t, 4, 3)
    ),
    "attention": lambda t, x: f(t).scaled_dot_product_attention(*[x.unsqueeze(1)] * 3),
    "dropout": lambda t, x: f(t).dropout(x, 0.0),
    "copy of other sizes": lambda t, x: x.copy_(strided(t, (1, 1, 1))),
    "sizes": lambda t, x: [x.size(0), x.size(2), x.size(-1), x.dim(), x.numel(), x.is_nested],
    "irregular size": lambda t, x: x.size(1),
    "shape": lambda t, x: x.shape,
    "size": lambda t, x: x.size(),
    "stride": lambda t, x: x.stride(),
    "length": lambda t, x: len(x),
    "iteration": lambda t, x: list(x),
    "numpy": lambda t, x: x.numpy(),
    "tolist": lambda t, x: x.tolist(),
    "item": lambda t, x: x.item(),
    "kinds": lambda t, x: [str(x.layout), str(x.dtype), x.is_contiguous(), x.is_leaf, x.ndim],
    "sizes of samples": lambda t, x: [
        x._nested_tensor_size(), x._nested_tensor_strides(), x._nested_tensor_storage_offsets(),
        x.values(),
    ],
    "printing": lambda t, x: [repr(x), str(uneven(t)), repr(strided(t, grad=True))],
    "printing of nothing": lambda t, x: repr(t.nested.nested_tensor([])),
    "of lists": lambda t, x: t.nested.nested_tensor([[1, 2], [3]]),
    "of numbers": lambda t, x: t.nested.nested_tensor([1, 2]),
    "of two dtypes": lambda t, x: t.nested.nested_tensor([t.ones(2), t.ones(2).long()]),
    "of two dimensions": lambda t, x: t.nested.nested_tensor([t.ones(2), t.ones(2, 2)]),
    "of a tensor": lambda t, x: t.nested.nested_tensor(t.ones(2, 2)),
    "as of a tensor": lambda t, x: t.nested.as_nested_tensor(numbers(t, 2, 3)),
    "as with a dtype": lambda t, x: t.nested.as_nested_tensor([t.ones(2)], dtype=t.float64),
    "as of another layout": lambda t, x: t.nested.as_nested_tensor(x, layout=t.jagged),
}  # fmt: skip


@pytest.mark.parametrize("case", PROGRAMS)
def test_program(case: str) -> None:
    as_the_oracle_does(lambda t: PROGRAMS[case](t, strided(t)), rtol=1e-8)


def of_leaf(run: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    def work(t: Any) -> Any:
        x = strided(t, grad=True)
        (run(t, x) ** 2).sum().backward()
        return x.grad

    return work


def of_list(t: Any) -> Any:
    parts = [numbers(t, 2, 3).requires_grad_(), numbers(t, 1, 3).requires_grad_()]
    made = t.nested.as_nested_tensor(parts)
    made.softmax(-1).to_padded_tensor(0.0).pow(2).sum().backward()
    return *(p.grad for p in parts), made.requires_grad, made.is_leaf


def of_nested(t: Any) -> Any:
    x = strided(t, grad=True)
    (x * 2).backward(x.detach())
    return x.grad


def in_place(t: Any) -> Any:
    x = strided(t, grad=True)
    y = x * 2
    y.mul_(3)
    y.to_padded_tensor(0.0).sum().backward()
    return x.grad


def leaf_in_place(t: Any) -> Any:
    return strided(t, grad=True).add_(1)


GRADIENTS: dict[str, Callable[[Any], Any]] = {
    "in place": in_place,
    "in place of a leaf": leaf_in_place,
    "padded": of_leaf(lambda t, x: x.to_padded_tensor(0.0)),
    "linear": of_leaf(lambda t, x: f(t).linear(x, numbers(t, 3, 4)).relu().to_padded_tensor(0.0)),
    "split": of_leaf(lambda t, x: x.split([1, 3], -1)[1].contiguous().to_padded_tensor(0.0)),
    "sample": of_leaf(lambda t, x: x.unbind()[1] * 2),
    "product": of_leaf(lambda t, x: (x @ x.transpose(1, 2)).to_padded_tensor(0.0)),
    "list": of_list,
    "nested": of_nested,
}


@pytest.mark.parametrize("case", GRADIENTS)
def test_gradient(case: str) -> None:
    as_the_oracle_does(GRADIENTS[case], rtol=1e-8)
