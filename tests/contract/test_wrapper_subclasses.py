"""Derivatives of subclasses that stand for another tensor: as those of the tensor they wrap."""

from __future__ import annotations

from typing import Any

import mindtorch as mt
import mindtorch.nn.functional as F
import pytest
import torch
from mindtorch.utils._pytree import tree_map


class Wrapped(mt.Tensor):
    """A tensor without memory, whose ops run on the tensor it holds."""

    inner: Any

    @staticmethod
    def __new__(cls, inner: Any) -> Any:
        return mt.Tensor._make_wrapper_subclass(
            cls,
            inner.size(),
            dtype=inner.dtype,
            device=inner.device,
            strides=inner.stride(),
            requires_grad=inner.requires_grad,
        )

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        def bare(x: Any) -> Any:
            return x.inner if isinstance(x, Wrapped) else x

        out = func(*tree_map(bare, args), **tree_map(bare, kwargs or {}))
        return tree_map(lambda x: Wrapped(x) if isinstance(x, mt.Tensor) else x, out)


#: Functions of a tensor of the sizes that stand beside them.
FUNCTIONS: dict[str, tuple[Any, tuple[int, ...]]] = {
    "exp times": (lambda x: x.exp() * x, (3,)),
    "layer_norm": (lambda x: F.layer_norm(x, (3,)), (2, 3)),
    "rms_norm": (lambda x: F.rms_norm(x, (3,)), (2, 3)),
    "instance_norm": (lambda x: F.instance_norm(x), (1, 2, 4)),
    "batch_norm": (lambda x: F.batch_norm(x, None, None, training=True), (4, 3)),
    "softmax": (lambda x: x.softmax(1), (2, 3)),
    "log_softmax": (lambda x: x.log_softmax(1), (2, 3)),
    "logsumexp": (lambda x: x.logsumexp(0), (3,)),
    "gelu": (F.gelu, (3,)),
    "sigmoid": (lambda x: x.sigmoid(), (3,)),
    "sqrt": (lambda x: x.sqrt(), (3,)),
    "in place": (lambda x: (x * 1).add_(1).mul_(x).div_(2).rsqrt_(), (3,)),
    "power": (lambda x: x**1.5, (3,)),
    "quotient": (lambda x: 1 / x, (3,)),
    "product": (lambda x: x @ x.t(), (2, 3)),
    "convolution": (lambda x: F.conv2d(x, mt.ones(1, 1, 2, 2, dtype=x.dtype)), (1, 1, 3, 3)),
    "max_pool": (lambda x: F.max_pool2d(x, 2), (1, 1, 4, 4)),
    "cross_entropy": (lambda x: F.cross_entropy(x, mt.tensor([0, 1])), (2, 3)),
    "binary_cross_entropy": (
        lambda x: F.binary_cross_entropy_with_logits(x, mt.ones(3, dtype=x.dtype)),
        (3,),
    ),
    "smooth_l1_loss": (lambda x: F.smooth_l1_loss(x, mt.ones(3, dtype=x.dtype)), (3,)),
    "cumprod": (lambda x: x.cumprod(0), (3,)),
    "prod": (lambda x: x.prod(), (3,)),
    "std": (lambda x: x.std(0), (3,)),
    "max": (lambda x: x.max(0)[0], (3,)),
    "sort": (lambda x: x.sort()[0], (3,)),
    "indices": (lambda x: x[mt.tensor([0, 1])], (3,)),
    "cat": (lambda x: mt.cat([x, x * 2]), (3,)),
    "attention": (lambda x: F.scaled_dot_product_attention(x, x, x), (1, 1, 3, 4)),
    "determinant": (lambda x: mt.linalg.det(x), (2, 2)),
    "inverse": (lambda x: mt.linalg.inv(x + 3 * mt.eye(2, dtype=x.dtype)), (2, 2)),
    "interpolate": (lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), (1, 1, 2, 2)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_of_what_is_wrapped(name: str) -> None:
    """The first and the second gradient."""
    function, shape = FUNCTIONS[name]

    def derivatives(x: Any) -> Any:
        (first,) = mt.autograd.grad((function(x) ** 2).sum(), x, create_graph=True)
        return first, *mt.autograd.grad(first.pow(2).sum(), x)

    mt.manual_seed(0)
    numbers = mt.rand(shape, dtype=mt.float64) + 0.1
    want = derivatives(numbers.clone().requires_grad_())
    for mine, its in zip(derivatives(Wrapped(numbers).requires_grad_()), want, strict=True):
        assert type(mine) is Wrapped
        mt.testing.assert_close(mine.inner, its.detach())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_transforms_of_what_is_wrapped(name: str) -> None:
    """``torch.func`` gives tensors of the class, and the numbers of the plain tensor."""
    function, shape = FUNCTIONS[name]
    mt.manual_seed(0)
    numbers = mt.rand(shape, dtype=mt.float64) + 0.1

    def transformed(x: Any, direction: Any) -> list[Any]:
        gradient = mt.func.grad(lambda x: (function(x) ** 2).sum())
        result, pull = mt.func.vjp(function, x)
        return [gradient(x), result, *pull(result), *mt.func.jvp(function, (x,), (direction,))]

    want = transformed(numbers, numbers)
    found = transformed(Wrapped(numbers), Wrapped(numbers))
    for mine, its in zip(found, want, strict=True):
        assert type(mine) is Wrapped
        mt.testing.assert_close(mine.inner, its)


def test_a_hessian_of_what_is_wrapped() -> None:
    """``autograd.functional`` gives the numbers of the plain tensor."""
    numbers = mt.tensor([1.0, 2.0, 3.0])
    found = mt.autograd.functional.hessian(lambda x: (x.exp() * x).sum(), Wrapped(numbers))
    mt.testing.assert_close(found.inner, mt.diag((numbers + 2) * numbers.exp()))


def test_marks_for_a_backward_are_refused_in_transforms() -> None:
    """``retain_grad`` and ``requires_grad_`` inside of ``torch.func``'s functions."""

    def texts(t: Any) -> Any:
        found = []
        whole = t.ones(2, requires_grad=True) * 2
        transforms = t.func.grad, t.vmap, lambda f: lambda x: t.func.jvp(f, (x,), (x,))
        for transform in transforms:
            for method in ("retain_grad", "requires_grad_"):
                for mark in (lambda x: x * 2, lambda x: whole):

                    def marked(x: Any, method: str = method, mark: Any = mark) -> Any:
                        getattr(mark(x), method)()
                        return x.sum()

                    try:
                        transform(marked)(t.ones(2))
                        found.append("")
                    except RuntimeError as error:
                        found.append(str(error))
        return found

    assert texts(mt) == texts(torch)
