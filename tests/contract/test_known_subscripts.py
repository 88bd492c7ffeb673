"""Subscripts that come again do what they did the first time, and what torch does."""

from __future__ import annotations

import mindtorch
import pytest
import torch

from .batches import every

#: Of a tensor of shape 3, 4, 5; ``t`` is the framework.
INDICES = [
    lambda t: 1,
    lambda t: -1,
    lambda t: True,
    lambda t: None,
    lambda t: ...,
    lambda t: slice(None),
    lambda t: slice(1, None),
    lambda t: slice(0, 3, 2),
    lambda t: (slice(None), 1),
    lambda t: (slice(None), slice(1, 3)),
    lambda t: (..., 2),
    lambda t: (..., None),
    lambda t: (0, ..., slice(1, 4)),
    lambda t: (1, 2, 3),
    lambda t: (slice(0, 0),),
    lambda t: (slice(t.tensor(1), None),),
    lambda t: t.tensor([0, 2]),
    lambda t: t.tensor([2, -1]),
    lambda t: t.tensor(1),
    lambda t: t.tensor([True, False, True]),
    lambda t: [0, 2],
    lambda t: (t.tensor([0, 1]), t.tensor([1, 2])),
    lambda t: (slice(None), t.tensor([0, 1])),
    lambda t: (t.tensor([0, 1]), None, slice(None), t.tensor([1, 2])),
    lambda t: (1, t.tensor([[0, 1], [2, 3]])),
    lambda t: 3,
    lambda t: (0, 0, 0, 0),
    lambda t: (slice(None, None, -1),),
    lambda t: t.tensor([0, 2, 1])[:2],
    lambda t: t.tensor([0, 7]),
]


def outcome(call):
    """What *call* comes to, as plain values."""
    try:
        r = call()
    except Exception as error:
        return type(error).__name__, str(error)
    if r is None:
        return None
    return r.tolist(), r.shape, r.stride(), r._is_view(), r.requires_grad, r._version


@every("number", range(len(INDICES)))
@pytest.mark.parametrize("kind", ["plain", "changed", "a view", "recorded", "in no_grad"])
def test_reading(number, kind):
    def outcomes(t):
        x = t.arange(60.0).reshape(3, 4, 5).clone()
        if kind == "changed":
            x.mul_(2)
        if kind == "a view":
            x = t.arange(120.0).reshape(2, 3, 4, 5).clone()[1]
        if kind == "recorded":
            x = x.requires_grad_()
        with t.set_grad_enabled(kind != "in no_grad"):
            return [outcome(lambda: x[INDICES[number](t)]) for _ in range(8)]

    ours = outcomes(mindtorch)
    assert ours == outcomes(torch) and ours == ours[:1] * 8


@pytest.mark.parametrize("number", range(len(INDICES) - 1))  # of the last one torch writes a part
@pytest.mark.parametrize("value", ["number", "tensor", "row"])
def test_writing(number, value):
    def outcomes(t):
        x = t.zeros(3, 4, 5)
        put = {"number": 2.5, "tensor": t.tensor(3.5), "row": t.arange(5.0)}[value]
        found = []
        for _ in range(8):
            found.append(outcome(lambda: x.__setitem__(INDICES[number](t), put)))
            found.append((x.tolist(), x._version))
            x.zero_()
        return found

    assert outcomes(mindtorch) == outcomes(torch)


@pytest.mark.parametrize("t", [mindtorch, torch], ids=["mindtorch", "torch"])
def test_equal_numbers_of_other_kinds_are_other_indices(t):
    x = t.arange(6).reshape(2, 3)
    for _ in range(8):
        assert x[1].shape == (3,) and x[True].shape == (1, 2, 3)
        assert x[0].tolist() == [0, 1, 2] and x[False].shape == (0, 2, 3)


@pytest.mark.parametrize("t", [mindtorch, torch], ids=["mindtorch", "torch"])
def test_other_numbers_in_an_index_are_heeded(t):
    x = t.arange(5)
    for i in range(4):
        assert x[t.tensor([i, i + 1])].tolist() == [i, i + 1]
        assert x[t.tensor(i)].item() == i
        assert x[x > i].tolist() == list(range(i + 1, 5))
        assert x[slice(t.tensor(i), None)].tolist() == list(range(i, 5))


@pytest.mark.parametrize("t", [mindtorch, torch], ids=["mindtorch", "torch"])
def test_a_view_as_an_index_is_not_taken_for_all_of_the_tensor(t):
    x, places = t.arange(6).reshape(3, 2), t.tensor([2, 0, 1])
    for _ in range(8):
        assert x[...].shape == (3, 2)
        assert x[places[:1]].tolist() == [[4, 5]]


@pytest.mark.parametrize("t", [mindtorch, torch], ids=["mindtorch", "torch"])
def test_a_view_of_a_base_that_came_to_require_grad_has_a_history(t):
    base = t.zeros(2, 3)
    view = base[1]
    for _ in range(8):
        assert not view[0].requires_grad
    base.mul_(t.ones(3, requires_grad=True))
    part = view[0]
    assert part.requires_grad and part.grad_fn.name() == "SelectBackward0"


def test_numbers_that_are_put_in_are_not_changed_by_what_they_are_put_into():
    x, y = mindtorch.zeros(3), mindtorch.zeros(3)
    for t in (x, y) * 3:
        t[0] = 4.0
        t.mul_(2)
    assert x[0] == 8.0 and y[0] == 8.0


@pytest.mark.parametrize("kind", ["plain", "a view", "recorded", "strided"])
def test_any_part_is_that_of_its_number(kind):
    """What is known of ``x[i]`` holds for every i, and errors name theirs."""

    def outcomes(t):
        x = t.arange(60.0).reshape(3, 4, 5).clone()
        if kind == "a view":
            x = x[:, 1:3]
        if kind == "recorded":
            x.requires_grad_()
        if kind == "strided":
            x = x.permute(2, 0, 1)
        found = []
        for part in (x, x[0], x[0][0]):
            for i in (0, 1, -1, -2, 0, 1, 7, -8, 1, 0):
                found.append(outcome(lambda part=part, i=i: part[i]))
                found.append(outcome(lambda part=part, i=i: part.detach().__setitem__(i, 1.0 + i)))
        if kind == "recorded":
            (g,) = t.autograd.grad(x[2].sum() + x[-1].sum(), x)
            found.append(g.tolist())
        return found

    assert outcomes(mindtorch) == outcomes(torch)
