"""Shapes and strides against what real tensors get: seeded, thousands of random layouts."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch
from mindtorch_storage import layout, output_layout

SIZES = (0, 1, 1, 2, 2, 3, 4)


class Layouts:
    """Random tensors: permuted, sliced with steps, expanded, channels_last, freely strided."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def shape(self) -> list[int]:
        return [self.random.choice(SIZES) for _ in range(self.random.choice((0, 1, 2, 3, 4, 4, 5)))]

    def tensor(self, shape: list[int]) -> torch.Tensor:
        """A tensor of exactly *shape*."""
        rnd, n = self.random, len(shape)
        if n and rnd.random() < 0.08:
            strides = [rnd.choice((0, 1, 2, 3, 6, 12)) for _ in shape]
            return torch.empty(400).as_strided(shape, strides)
        order = list(range(n))
        if rnd.random() < 0.6:
            rnd.shuffle(order)
        steps = [rnd.choice((1, 1, 1, 2)) for _ in shape]
        gaps = [rnd.choice((0, 0, 0, 1)) for _ in shape]
        expanded = [rnd.random() < 0.1 for _ in shape]
        base = [
            1 if e else s * k + g for s, k, g, e in zip(shape, steps, gaps, expanded, strict=True)
        ]
        t = torch.empty([base[d] for d in order])
        if n in (4, 5) and rnd.random() < 0.3:
            format = torch.channels_last if n == 4 else torch.channels_last_3d
            t = t.contiguous(memory_format=format)
        t = t.permute([order.index(d) for d in range(n)])
        for d in range(n):
            if expanded[d]:
                t = t.expand([shape[d] if k == d else -1 for k in range(n)])
            else:
                t = t[(slice(None),) * d + (slice(0, shape[d] * steps[d], steps[d]),)]
        assert list(t.shape) == shape
        return t


def geometry(t: torch.Tensor) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(t.shape), tuple(t.stride())


def outcome(fn: Any) -> Any:
    try:
        return fn()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("seed", range(4))
def test_questions_about_a_layout(seed):
    """contiguous, channels_last, dense, and what empty_like and clone make of it."""
    layouts = Layouts(seed)
    for _ in range(1500):
        t = layouts.tensor(layouts.shape())
        shape, strides = geometry(t)
        assert layout.numel(shape) == t.numel()
        assert layout.is_contiguous(shape, strides) == t.is_contiguous()
        assert layout.is_non_overlapping_and_dense(
            shape, strides
        ) == torch.ops.aten.is_non_overlapping_and_dense(t)
        if t.dim() in (4, 5):
            format = torch.channels_last if t.dim() == 4 else torch.channels_last_3d
            want = t.is_contiguous(memory_format=format)
            assert layout.is_channels_last_contiguous(shape, strides) == want
            made = torch.empty(shape, memory_format=format)
            assert layout.channels_last_strides(shape) == made.stride()
        assert layout.contiguous_strides(shape) == torch.empty(shape).stride()
        assert output_layout.empty_like_strides(shape, strides) == torch.empty_like(t).stride()
        assert output_layout.empty_like_strides(shape, strides) == t.clone().stride()


@pytest.mark.parametrize("dims", [4, 5])
def test_suggested_memory_format(dims):
    """`is_channels_last` is what convolution, pooling and resizing ask of their input."""
    layouts = Layouts(100 + dims)
    for _ in range(3000):
        t = layouts.tensor([layouts.random.choice(SIZES) for _ in range(dims)])
        formats = {4: torch.channels_last, 5: torch.channels_last_3d}
        want = torch._prims_common.suggest_memory_format(t) is formats[dims]
        assert layout.is_channels_last(*geometry(t)) == want, geometry(t)


@pytest.mark.parametrize("seed", range(4))
def test_output_strides_of_elementwise_operations(seed):
    """What TensorIterator picks for one, two and three operands with broadcasting."""
    layouts, operator = Layouts(200 + seed), {1: torch.neg, 2: torch.add, 3: torch.addcmul}
    rnd = layouts.random
    for _ in range(2000):
        shape = layouts.shape()
        operands = [layouts.tensor(shape)]
        for _ in range(rnd.randint(0, 2)):
            other = shape
            if rnd.random() < 0.5:
                first = rnd.randint(0, len(shape)) if rnd.random() < 0.4 else 0
                other = [1 if rnd.random() < 0.3 else s for s in shape][first:]
            operands.append(layouts.tensor(other))
        rnd.shuffle(operands)
        out = operator[len(operands)](*operands)
        sizes = [tuple(t.shape) for t in operands]
        assert layout.broadcast_shapes(*sizes) == tuple(out.shape)
        got = output_layout.elementwise_strides(tuple(out.shape), [geometry(t) for t in operands])
        assert got == out.stride(), [geometry(t) for t in operands]


@pytest.mark.parametrize("seed", range(4))
def test_views(seed):
    """The strides of view, or its refusal."""
    layouts = Layouts(300 + seed)
    rnd = layouts.random
    for _ in range(2000):
        t = layouts.tensor(layouts.shape())
        rest, target = t.numel(), []
        for _ in range(rnd.randint(0, 4)):
            d = rnd.choice([k for k in range(1, rest + 1) if rest % k == 0] or [0, 2])
            target.append(d)
            rest //= d or 1
        target.append(rest)
        rnd.shuffle(target)
        if rnd.random() < 0.2:
            target = list(t.shape)
        if target and rnd.random() < 0.3:
            target[rnd.randrange(len(target))] = -1
        if rnd.random() < 0.1:
            target.append(rnd.choice((-1, -2, 2)))
        want = outcome(lambda t=t, s=target: geometry(t.view(s)))
        assert outcome(lambda t=t, s=target: layout.view_geometry(*geometry(t), s)) == want


@pytest.mark.parametrize("seed", range(4))
def test_expand(seed):
    """Shape and strides of expand, or its refusal."""
    layouts = Layouts(400 + seed)
    rnd = layouts.random
    for _ in range(2000):
        t = layouts.tensor(layouts.shape())
        shape = tuple(t.shape)
        target = [rnd.choice((-1, s, s, 2 if s != 1 else 3)) for s in shape]
        # torch lets a negative leading size pass beside a size of 0, and the tensor is broken.
        new = (0, 1, 2, 4) if 0 in shape or not shape else (1, 2, 4, -1)
        target = [rnd.choice(new) for _ in range(rnd.choice((0, 0, 1, 2)))] + target
        if rnd.random() < 0.1:
            target = target[1:]
        want = outcome(lambda t=t, s=target: geometry(t.expand(s)))
        assert outcome(lambda t=t, s=target: layout.expand_strides(*geometry(t), s)) == want


def zeros(*shape: int) -> torch.Tensor:
    return torch.zeros(shape)


@pytest.mark.parametrize(
    "ours, oracle",
    [
        (lambda: layout.broadcast_shapes((3,), (4,)), lambda: zeros(3) + zeros(4)),
        (lambda: layout.broadcast_shapes((2, 3), (3, 3)), lambda: zeros(2, 3) + zeros(3, 3)),
        (lambda: layout.broadcast_shapes((2, 0), (2, 3)), lambda: zeros(2, 0) + zeros(2, 3)),
        (lambda: layout.broadcast_shapes((2, 3), (2,)), lambda: zeros(2, 3) + zeros(2)),
        (lambda: layout.wrap_dim(2, 2), lambda: zeros(2, 3).sum(2)),
        (lambda: layout.wrap_dim(-3, 2), lambda: zeros(2, 3).sum(-3)),
        (lambda: layout.wrap_dim(1, 0), lambda: zeros().sum(1)),
        (lambda: layout.wrap_dim(-2, 0), lambda: zeros().sum(-2)),
        (lambda: layout.wrap_dim(0, 0, wrap_scalar=False), lambda: zeros().size(0)),
        (lambda: layout.wrap_dim(1, 0, wrap_scalar=False), lambda: zeros().size(1)),
        (lambda: layout.wrap_dims((0, 0), 2), lambda: zeros(2, 3).sum((0, 0))),
        (lambda: layout.wrap_dims((0, -2), 2), lambda: zeros(2, 3).sum((0, -2))),
        (lambda: layout.wrap_dims((5, 0), 2), lambda: zeros(2, 3).sum((5, 0))),
        (lambda: layout.wrap_dims((0, 5), 2), lambda: zeros(2, 3).flip((0, 5))),
        (lambda: layout.wrap_dims((0, -1), 0), lambda: zeros().sum((0, -1))),
        (lambda: layout.checked_shape((-1,), 4), lambda: torch.empty(-1)),
        (lambda: layout.checked_shape((2, -3), 4), lambda: torch.empty(2, -3)),
        (lambda: layout.checked_shape((2**60, 2), 4), lambda: torch.empty(2**60, 2)),
        (
            lambda: layout.storage_nbytes_needed((2, 2), (1,), 0, 4),
            lambda: torch.empty_strided((2, 2), (1,)),
        ),
        (
            lambda: layout.storage_nbytes_needed((2, 2), (-1, 1), -1, 4),
            lambda: torch.empty_strided((2, 2), (-1, 1)),
        ),
        (
            lambda: layout.channels_last_strides((2, 3)),
            lambda: torch.empty(2, 3, memory_format=torch.channels_last),
        ),
        (
            lambda: layout.channels_last_3d_strides((2, 3)),
            lambda: torch.empty(2, 3, memory_format=torch.channels_last_3d),
        ),
    ],
)
def test_texts(ours, oracle):
    """Errors that random layouts do not meet."""
    want = outcome(oracle)
    assert isinstance(want, str), "the oracle must refuse"
    assert outcome(ours) == want


@pytest.mark.parametrize(
    "shapes",
    [
        ((3,), (4,)),
        ((2, 3), (2, 4), (5,)),
        ((1, 3), (2, -1)),
        ((1,), (-1,)),
        (),
        ((0,), (1,)),
        ((0,), (2,)),
        (3, (1, 3)),
        ((2, 3), (3, 1), (4, 1, 3)),
        ((1, 3), (2, 1), (5, 2, 3)),
        (3, -1),
        (-1,),
        ((2, -1), (2, 3)),
        ([2], [3]),
        ((5, 1), (1, 0)),
        ((3,), (0,)),
    ],
)
def test_broadcast_shapes_as_a_function(shapes):
    """torch.broadcast_shapes has rules and texts of its own."""
    want = outcome(lambda: tuple(torch.broadcast_shapes(*shapes)))
    assert outcome(lambda: layout.broadcast_shapes_checked(*shapes)) == want
