"""After an error nothing is changed that torch leaves alone, neither what a call reads nor writes.

torch gives some targets of a refused call their new shape, or fills them; that may be so here.
"""

from __future__ import annotations

import mindtorch
import torch
from mindtorch.aten.register import METHODS, MODULES
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.overload import INPLACE, OUT
from mindtorch.call.row import ROWS

from .bad_calls import KINDS
from .batches import every
from .rows import (
    NAMES,
    forms,
    is_internal,
    outcome,
    report,
    tensors_in,
)

#: The bytes of the ``out=`` below, and the most that are compared.
LARGEST = 56
#: Wrong calls that come far enough to change something.
_FAR = ("declared", "shape")


def state(t):
    """Everything of a tensor that a call can change, its memory included."""
    storage = t.untyped_storage()
    # A storage may have grown: what it has grown by, no tensor sees.
    memory = None if t.device.type == "meta" else bytes(storage.tolist()[:LARGEST])
    return {
        "shape": (tuple(t.shape), t.stride(), t.storage_offset(), t.dtype, t.device),
        "storage": (storage._cdata, storage.resizable()),
        "memory": memory,
        "version": t._version,
        "gradients": (t.requires_grad, id(t.grad_fn), t.grad is None, t.is_leaf),
        "view": (t._is_view(), t.is_conj(), t.is_neg()),
    }


def changed(function, call):
    """The facts of arguments that a call changed which fails; None where it does not fail."""
    tensors = tensors_in(call)
    before = [state(t) for t in tensors]
    if outcome(function, call).error is None:
        return None
    after = [state(t) for t in tensors]
    return {
        (i, fact): f"argument {i}: {fact} was {old[fact]!r:.80}, is {new[fact]!r:.80}"
        for i, (old, new) in enumerate(zip(before, after, strict=True))
        for fact in old
        if old[fact] != new[fact]
    }


def changes(ours, oracle, calls, what):
    """One line for each fact that a refused call changed here and does not change in torch."""
    mine = changed(ours, calls.ours)
    theirs = mine and changed(oracle, calls.oracle)
    if not mine or theirs is None:
        return []
    # A target that grows has another storage here.
    grown = {(i, "storage") for i, fact in theirs if fact == "shape"}
    return [f"{what} {calls.ours!r}: {mine[k]}" for k in mine if k not in grown.union(theirs)]


def targeted(call, target):
    """*call* into *target*."""
    return call._replace(kwargs={**call.kwargs, "out": target})


def oracle_home(row):
    """The namespace of torch that has the functions of *row*'s module."""
    names = {"": "", "nn": "_C._nn"}.get(row.module, f"_C._{row.module}")
    home = torch
    for name in filter(None, names.split(".")):
        home = getattr(home, name)
    return home


#: Factorizations that torch computes elsewhere, and then copies to their target.
RESIZED = frozenset(("cholesky", "cholesky_inverse", "ormqr"))
WRITING = [n for n in NAMES if not is_internal(ROWS[n]) and not ROWS[n].random and ROWS[n].samples]


@every("name", WRITING)
def test_a_refused_call_changes_nothing(name):
    """The function or method, the in-place method and ``out=`` of every row."""
    row, lines = ROWS[name], []
    base = row.base.removesuffix("_") + "_"
    kinds = {o.kind for o in OVERLOADS.values() if o.row is row}
    plain = forms(row)[-1]
    in_place = METHODS.get(base) if INPLACE in kinds else None
    with_out = MODULES[row.module].get(row.base) if OUT in kinds else None
    home = oracle_home(row)
    for kind in _FAR:
        for bad in KINDS[kind](row):
            lines += changes(plain.ours, plain.oracle, bad, plain.name)
            first = bad.ours.args[:1]
            if in_place is not None and first and isinstance(first[0], mindtorch.Tensor):
                lines += changes(in_place, getattr(torch.Tensor, base), bad, base)
            if with_out is not None and name not in RESIZED:
                wrong = bad._replace(
                    ours=targeted(bad.ours, mindtorch.ones(7, 1, 2)),
                    oracle=targeted(bad.oracle, torch.ones(7, 1, 2)),
                )
                lines += changes(with_out, getattr(home, row.base), wrong, "out=")
    report(lines)
