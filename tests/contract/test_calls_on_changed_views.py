"""A call on a view whose base came to require a gradient says nothing of calls on other views.

What a call of a layout comes to is remembered. A view learns of its base when it is used, so during
the call it may come to look otherwise than it did when the call was looked up.
"""

import pytest

from tests.contract.both_frameworks import agree

BASES = {
    "row": lambda t: t.zeros(2, 8)[0],
    "reshaped": lambda t: t.zeros(2, 4).view(8),
}


def _filled(t, row):
    a = t.zeros(8)
    a[2:5] = row[2:5]
    a[0] = row[1]
    return a


#: Calls of functions, methods, operators and subscripts; views, kernels and composites.
CALLS = {
    "slice": lambda t, r: r[2:5],
    "int": lambda t, r: r[2],
    "tuple": lambda t, r: r.view(2, 4)[:, 1:2],
    "tensor": lambda t, r: r[t.tensor([0, 2])],
    "assigned": _filled,
    "view": lambda t, r: r.view(4, 2),
    "unsqueeze": lambda t, r: r.unsqueeze(0),
    "expand": lambda t, r: r.expand(2, 8),
    "split": lambda t, r: r.split(3)[1],
    "unbind": lambda t, r: r.unbind()[0],
    "transposed": lambda t, r: r.view(4, 2).T,
    "flatten": lambda t, r: r.view(4, 2).flatten(),
    "diagonal": lambda t, r: r.view(4, 2).diagonal(),
    "as_strided": lambda t, r: r.as_strided((2,), (1,)),
    "narrow": lambda t, r: r.narrow(0, 2, 3),
    "mul": lambda t, r: r * 2,
    "reflected": lambda t, r: 2 - r,
    "pow": lambda t, r: r**2,
    "matmul": lambda t, r: t.ones(8, 8) @ r,
    "sin": lambda t, r: r.sin(),
    "clone": lambda t, r: r.clone(),
    "sum": lambda t, r: r.sum(),
    "sort": lambda t, r: r.sort()[0],
    "cat": lambda t, r: t.cat([t.ones(8), r]),
    "where": lambda t, r: t.where(r >= 0, r, t.ones(8)),
    "linear": lambda t, r: t.nn.functional.linear(r, t.ones(4, 8)),
    "layer_norm": lambda t, r: t.nn.functional.layer_norm(r, (8,)),
    "normalize": lambda t, r: t.nn.functional.normalize(r, dim=0),
    "added": lambda t, r: t.zeros(8).add_(r),
    "operator": lambda t, r: t.ops.aten.mul.Tensor(r, r),
}


@pytest.mark.parametrize("base", BASES)
def test_only_what_hangs_on_a_gradient_requires_one(base):
    def run(t):
        given, found = t.ones(3, requires_grad=True), {}
        for name, call in CALLS.items():
            notes = found[name] = []
            for _ in range(4):
                changed = BASES[base](t)
                changed._base[0].add_(given.sum())
                fresh = call(t, BASES[base](t)) if len(notes) % 4 else None
                notes.append(call(t, changed).requires_grad)
                if fresh is not None:
                    notes.append(fresh.requires_grad)
            notes += [call(t, BASES[base](t)).requires_grad for _ in range(3)]
        return found

    found = agree(run)
    assert all(True in notes and notes[-3:] == [False] * 3 for _, notes in found)


def test_rows_are_changed_in_place_one_after_another():
    def run(t):
        given, noise, level = t.arange(3.0, requires_grad=True), t.zeros(2, 8), t.zeros(2, 8)
        for step in range(3):
            for i in range(2):
                level[i][2:5].mul_(0.5).add_(given * step)
                seen = level[i][2:5] ** 2
                share = t.zeros(3) if step < 1 else t.full((3,), 0.3)
                noise[i][2:5].mul_(share).add_(seen * (1 - share))
        return [noise.detach(), noise.requires_grad, noise.grad_fn.name()]

    agree(run)
