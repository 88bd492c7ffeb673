"""Operators of all rows give on parts what they give on whole tensors, or refuse."""

from __future__ import annotations

import itertools
import warnings

import mindtorch as torch
import mindtorch.distributed as dist
import pytest
from mindtorch.call import lazy_registration
from mindtorch.call.row import ROWS
from mindtorch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor
from mindtorch.utils import _pytree as pytree

from .row_checks import calls
from .threads_as_ranks import on_ranks

GROUPS = 8
#: Rows whose results have other numbers each time, or say where memory is.
NEW_MEMORY = ("empty_like", "new_empty", "new_empty_strided", "as_strided", "as_strided_copy")


def rows(group):
    """Every eighth row that has samples of dense tensors and draws no numbers."""
    lazy_registration.load_all()
    named = sorted(ROWS)
    for name in named[group::GROUPS]:
        row = ROWS[name]
        drawn = row.random or "nondeterministic_seeded" in row.tags
        if row.samples and not drawn and row.base not in NEW_MEMORY and "sparse" not in row.base:
            yield row


def flat_calls(row):
    """The operator, and some calls: the flat arguments, and how to call with them."""
    packet = getattr(torch.ops.aten, row.base, None)
    func = getattr(packet, row.overload or "default", None)
    if func is None:
        return
    arguments = func._schema.arguments
    try:
        found = list(itertools.islice(calls(row), 2))
    except Exception:  # rows of overloads that samples do not call
        return
    for args in found:
        flat, tree = pytree.tree_flatten(tuple(args))

        def call(flat, tree=tree):
            given = zip(pytree.tree_unflatten(list(flat), tree), arguments, strict=False)
            named = {a.name: x for x, a in given if a.kwarg_only and not a.is_out}
            given = zip(pytree.tree_unflatten(list(flat), tree), arguments, strict=False)
            return func(*[x for x, a in given if not a.kwarg_only], **named)

        try:
            want = call([x.clone() if isinstance(x, torch.Tensor) else x for x in flat])
        except Exception:  # a call that needs more than its arguments
            continue
        dense = [x for x in pytree.tree_leaves((flat, want)) if isinstance(x, torch.Tensor)]
        if all(x.layout is torch.strided for x in dense):
            yield flat, call, want


def ways(flat):
    """How the tensors of a call lie: the first one cut or a sum, or all cut alike."""
    places = [i for i, x in enumerate(flat) if isinstance(x, torch.Tensor)]
    if not places:
        return
    lead = flat[places[0]]
    alike = len(places) > 1 and all(flat[i].shape == lead.shape for i in places)
    for dim in range(min(lead.ndim, 3)):
        yield {places[0]: Shard(dim)}
        if alike:
            yield dict.fromkeys(places, Shard(dim))
    if lead.is_floating_point():
        yield {places[0]: Partial()}


def lay(flat, way, mesh):
    return [
        distribute_tensor(x.detach().clone(), mesh, [way.get(i, Replicate())], src_data_rank=None)
        if isinstance(x, torch.Tensor)
        else x
        for i, x in enumerate(flat)
    ]


def whole(x):
    return pytree.tree_map(lambda y: y.full_tensor() if isinstance(y, DTensor) else y, x)


def alike(got, want):
    if isinstance(want, torch.Tensor):
        if not isinstance(got, torch.Tensor) or got.shape != want.shape or got.dtype != want.dtype:
            return False
        if want.is_floating_point() or want.is_complex():
            return torch.allclose(got, want, rtol=1e-6, atol=1e-8, equal_nan=True)
        return torch.equal(got, want)
    if isinstance(want, list | tuple):
        return len(got) == len(want) and all(map(alike, got, want))
    return True


@pytest.mark.parametrize("group", range(GROUPS))
def test_parts_have_what_the_whole_has(group):
    cases = [(row, *case) for row in rows(group) for case in flat_calls(row)]

    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2,))
        found = []
        for row, flat, call, want in cases:
            for way in ways(flat):
                try:
                    got = whole(call(lay(flat, way, mesh)))
                except (NotImplementedError, RuntimeError):  # no rule, or a view that would be none
                    continue
                found.append((row.name, way, alike(got, want)))
        return found

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answers = on_ranks(2, run)
    wrong = [(name, way) for found in answers for name, way, right in found if not right]
    assert not wrong
    assert len({name for name, _, _ in answers[0]}) > 50
