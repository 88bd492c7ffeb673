"""``torch.vmap``: what samples may not be asked or done to, in torch's words."""

from __future__ import annotations

import copy
import importlib
import pickle

import pytest

from .programs import collector, run_both

PROGRAMS, program = collector()


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_same_program_same_notes(function):
    """What the program noted under torch it notes under mindtorch."""
    run_both(function)


def func(torch):
    return importlib.import_module(f"{torch.__name__}.func")


@program
def statistics_that_samples_share(torch, ns, note):
    norm = torch.nn.functional.batch_norm
    x = torch.arange(24.0).reshape(2, 3, 4)
    mean, var = torch.zeros(4), torch.ones(4)
    for training in (True, False):
        for dims in ((0, None, None), (0, 0, None), (0, 0, 0), (None, None, None)):
            given = [t if d is None else torch.stack([t, t]) for t, d in zip((mean, var), dims[1:])]
            first = x if dims[0] == 0 else x[0]
            run = torch.vmap(lambda *a: norm(*a, training=training).shape[0] + a[1].sum(), dims)
            note(lambda: run(first, *given))
    note(mean)
    net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4))
    note(lambda: torch.vmap(net)(x))
    note(lambda: torch.vmap(net.eval())(x).shape)


@program
def windows_on_memory(torch, ns, note):
    x = torch.arange(24.0).reshape(2, 3, 4)
    for size, stride, offset in (
        ((2, 2), (1, 1), None), ((20,), (1,), None), ((2, 2), (1, 1), 9), ((2, 2), (1, 1), 13),
        ((2, 2), (1, 6), 5), ((2,), (1, 2), None), ((0, 2), (1, 2), 50), ((3,), (4,), 4),
    ):  # fmt: skip
        for dim in (0, 1, 2):
            note(lambda: torch.vmap(lambda a: a.as_strided(size, stride, offset), dim)(x))
        note(lambda: torch.vmap(lambda a: a[1:].as_strided(size, stride, offset))(x))
        note(lambda: torch.vmap(torch.vmap(lambda a: a.as_strided(size, stride, offset)))(x))


@program
def products_of_other_ranks(torch, ns, note):
    x = torch.arange(24.0).reshape(2, 3, 4)
    for name in ("dot", "mv", "mm", "bmm"):
        for a, b in ((x, x), (x[:, 0], x), (x, x[:, 0]), (x[..., None], x)):
            note(lambda: torch.vmap(getattr(torch, name))(a, b))
            note(lambda: torch.vmap(getattr(torch, name), (0, None))(a, b))


@program
def questions_to_samples(torch, ns, note):
    F = func(torch)
    x = torch.arange(6.0).reshape(2, 3)
    one_hot = torch.nn.functional.one_hot
    of_values = [
        lambda a: a.data,
        lambda a: setattr(a, "data", a),
        lambda a: a if a.sum() > 0 else -a,
        lambda a: a * a.sum().item(),
    ]
    others = [
        copy.deepcopy,
        pickle.dumps,
        lambda a: torch.where(a > 1),
        lambda a: one_hot(a.long()),
        lambda a: one_hot(a.long(), 8),
        lambda a: a.clone(memory_format=torch.channels_last),
        lambda a: a.contiguous(memory_format=torch.channels_last),
        lambda a: a.is_contiguous(memory_format=torch.channels_last),
        lambda a: torch.tensor(a.is_contiguous()),
    ]
    for f in of_values + others:
        note(lambda: torch.vmap(f)(x))
        note(lambda: torch.vmap(torch.vmap(f))(x))
    for f in of_values:
        note(lambda: torch.vmap(F.grad(lambda a: (f(a) * a).sum()))(x))


@program
def samples_after_their_vmap(torch, ns, note):
    kept = []
    torch.vmap(lambda a: kept.append(a) or a.sum())(torch.ones(2, 2))
    left = kept[0]
    for f in (
        lambda: left + 1,
        lambda: torch.ones(2) + left,
        left.sin,
        left.clone,
        left.t,
        lambda: left[0],
        lambda: left.view(1, 2),
        lambda: torch.nn.functional.linear(left, torch.ones(2, 2)),
        lambda: torch.rand_like(left),
        lambda: (left.shape, left.dtype, left.requires_grad),
    ):
        note(lambda f=f: f())
