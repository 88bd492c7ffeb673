"""Basic indices of tensors that no call knows: numpy makes the views that torch makes."""

from __future__ import annotations

import random

import mindtorch
import pytest
import torch

BASES = {
    "contiguous": lambda t: t.arange(120.0).reshape(2, 3, 4, 5),
    "transposed": lambda t: t.arange(120.0).reshape(5, 4, 3, 2).permute(3, 2, 1, 0),
    "a part": lambda t: t.arange(480.0).reshape(4, 6, 4, 5)[::2, 1:4],
    "expanded": lambda t: t.arange(5.0).expand(2, 3, 4, 5),
    "sizes of one": lambda t: t.arange(15.0).reshape(1, 3, 1, 5),
    "without elements": lambda t: t.zeros(2, 0, 4, 5),
    "complex": lambda t: (t.arange(120.0) * (1 + 2j)).reshape(2, 3, 4, 5),
    "conjugate": lambda t: (t.arange(120.0) * (1 + 2j)).reshape(2, 3, 4, 5).conj(),
    "bfloat16": lambda t: t.arange(120.0).reshape(2, 3, 4, 5).bfloat16(),
    "of no dimension": lambda t: t.tensor(3.0),
    "on meta": lambda t: t.empty(2, 3, 4, 5, device="meta"),
}


def items(draw):
    """An index of ints, slices, None and ``...``; some are out of range, or too many."""
    end = [None, None, -9, -2, 0, 1, 2, 4, 9]

    def item():
        kind = draw.random()
        if kind < 0.35:
            return draw.choice([-3, -2, -1, 0, 1, 2])
        if kind < 0.85:
            return slice(draw.choice(end), draw.choice(end), draw.choice([None, None, 1, 2, 3, -1]))
        return None if kind < 0.95 else ...

    found = tuple([item() for _ in range(draw.choice([1, 1, 2, 2, 3, 4, 5]))])
    return found[0] if len(found) == 1 and draw.random() < 0.7 else found


def look(t):
    """What can be seen of a view."""
    seen = (t.dtype, t.shape, t.stride(), t.storage_offset(), t._is_view(), t._version)
    values = None if t.device.type == "meta" else t.resolve_conj().float().tolist()
    return str(seen), values, t.requires_grad, t._base is not None and tuple(t._base.shape)


def outcome(call):
    try:
        return call()
    except Exception as error:
        return type(error).__name__, str(error)


def read(framework, kind, index):
    """The view, and what is left of it after its base was changed."""
    base = BASES[kind](framework)
    view = base[index]
    found = look(view)
    if kind != "expanded":
        base.add_(1)
    return found, look(view)


def written(framework, kind, index):
    """The base after a number, and after a tensor was written into a part of it."""
    base = BASES[kind](framework)
    base[index] = 7
    base[index] = framework.full((), 3, dtype=base.dtype, device=base.device)
    return look(base)


@pytest.mark.parametrize("kind", BASES)
@pytest.mark.filterwarnings("ignore")
def test_basic_indices_read_and_write_what_they_do_in_torch(kind):
    draw = random.Random(kind)
    for _ in range(60):
        index = items(draw)
        for way in (read, written):
            ours = outcome(lambda way=way, index=index: way(mindtorch, kind, index))
            theirs = outcome(lambda way=way, index=index: way(torch, kind, index))
            assert ours == theirs, (way.__name__, index)
            with mindtorch.no_grad(), torch.no_grad():
                ours = outcome(lambda way=way, index=index: way(mindtorch, kind, index))
                theirs = outcome(lambda way=way, index=index: way(torch, kind, index))
            assert ours == theirs, (way.__name__, index, "without grad")


def test_a_view_of_a_fresh_tensor_learns_what_its_base_comes_to_require():
    def outcomes(t):
        base = t.arange(6.0).reshape(2, 3)
        view = base[:, 1:]
        weight = t.ones(2, 3, requires_grad=True)
        base.mul_(weight)
        part = view[0]
        part.sum().backward()
        with t.no_grad():
            quiet = (base * 1)[:, 1:]
        inside = (base.detach() * 1)[1]
        names = [x.grad_fn and x.grad_fn.name() for x in (view, part, quiet, inside)]
        return names, weight.grad.tolist(), quiet.requires_grad, inside.requires_grad

    assert outcomes(mindtorch) == outcomes(torch)
