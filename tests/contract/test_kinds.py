"""Composite or one operator: what autograd, modes and versions see of ops made of other ops.

The tables themselves are compared by ``mindtorch dispatch diff``; here is what follows from them.
"""

from __future__ import annotations

import mindtorch
import mindtorch.utils._python_dispatch
import pytest
import torch
import torch.utils._python_dispatch

from .rows import error_text


def changed_twice(lib):
    """Sizes that differ count as a change; the same size does not."""
    x = lib.ones(2)
    x.resize_(3)
    x.resize_(3)
    return x._version


def written(lib):
    """One operator is one change of its target, however many ops are inside."""
    rows, matrix, bias = lib.ones(2, 3), lib.ones(4, 3), lib.ones(4)
    outs = [lib.ones(2, 4), lib.ones(5), lib.ones(2, 3), lib.ones(3), lib.ones(4), lib.ones(4)]
    lib._C._nn.linear(rows, matrix, out=outs[0])
    lib._C._nn.linear(rows, matrix, bias, out=outs[0])
    lib.linspace(lib.tensor(0.0), 1.0, 5, out=outs[1])
    lib.softmax(rows, 0, out=outs[2])
    lib.matmul(lib.ones(3, 3), lib.ones(3), out=outs[3])
    lib.randn(4, out=outs[4])
    lib.empty(4, out=outs[5])
    lib.empty(5, out=outs[5])
    return [out._version for out in outs]


def below_autograd(lib):
    """With autograd left out, the composite's changes still count once."""
    out = lib.ones(3, 3)
    with lib._C._AutoDispatchBelowAutograd():
        lib.matmul(lib.ones(3, 3), lib.ones(3, 3), out=out)
        view = lib.ones(4).narrow(0, 1, 2)
    return out._version, view._is_view()


def not_views(lib):
    """Memory is shared, but to autograd it is no view; ``detach_`` is no change."""
    lifted = lib.ops.aten.lift_fresh(lib.ones(2))
    x = lib.ones(2, requires_grad=True) * 2
    x.detach_()
    return lifted._is_view(), lifted._base is None, x._version


def refusals(lib):
    """What ``out=`` says to tensors that need gradients, and to a memory format."""
    target = lib.ones(2, requires_grad=True)
    texts = []
    for call in (
        lambda: lib.empty(3, out=target),
        lambda: lib.randn(3, out=target),
        lambda: lib.empty(3, out=lib.ones(3), memory_format=lib.contiguous_format),
        lambda: lib._C._nn.linear(target, lib.ones(1, 2), out=lib.ones(1)),
        lambda: lib.equal(lib.ones(2, device="meta"), lib.ones(2, device="meta")),
        lambda: lib.isclose(lib.ones(2), lib.ones(2, dtype=lib.int64)),
    ):
        try:
            texts.append(str(call()))
        except RuntimeError as error:
            texts.append(error_text(error))
    return texts


def seen(lib):
    """An explicit composite is one operator; an implicit one is what it is made of."""
    names = []

    class Mode(lib.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            names.append(str(func))
            return func(*args, **(kwargs or {}))

    x, out = lib.ones(3), lib.ones(3)
    empty = lib.ones(2, 0)
    with Mode():
        lib.allclose(x, x)
        lib.equal(x, x)
        lib.softmax(x, 0, out=out)
        lib.where(x > 0, 1, x)
        lib.where(x > 0, 2, 1.5)
        lib.isfinite(x + 1j)
        lib.isclose(empty, empty, equal_nan=True)
    return names


PROGRAMS = (changed_twice, written, below_autograd, not_views, refusals, seen)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_the_oracle(program):
    """The program's value in both."""
    assert program(mindtorch) == program(torch)
