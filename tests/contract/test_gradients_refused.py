"""Gradients that torch refuses: of another shape than the result, of integers, of what changed."""

import importlib

import pytest
import torch

ours = importlib.import_module("mindtorch")


def outcome(call, t):
    try:
        results = call(t)
    except (RuntimeError, IndexError) as error:
        return type(error).__name__, str(error)
    return [r.tolist() for r in results]


@pytest.mark.parametrize("transposed", [False, True], ids=["plain", "transposed"])
@pytest.mark.parametrize("n", [2, 3])
def test_a_gradient_of_another_shape_than_the_convolution_is_refused(n, transposed):
    channels = (1, 2) if transposed else (2, 1)
    fits = (6,) * n if transposed else (1,) * n

    def call(shape):
        return lambda t: t.ops.aten.convolution_backward(
            t.ones(shape, dtype=t.float64),
            t.ones((1, 1, *(2 if transposed else 4,) * n), dtype=t.float64),
            t.ones((*channels, *(4,) * n), dtype=t.float64),
            *([2], [2], [0], [1], transposed, [0], 1, [True, True, True]),
        )

    for sizes in (fits, (2,) * n, (*fits[1:], 3), fits[1:], (*fits, 1)):
        for lead in ((1, 2), (1, 3), (2,)):
            shape = (*lead, *sizes)
            assert outcome(call(shape), ours) == outcome(call(shape), torch), shape


@pytest.mark.parametrize("padding", [-1, 1])
def test_rows_that_a_table_does_not_have_get_no_gradient(padding):
    for shape in ((2, 3), (3, 2), (3,), (6,), (), (1, 3, 2), (0, 2)):
        for rows in ([0, 1, 2], [[0, 1, 2]], [0, 9, 1], [0, -1, 1], []):

            def call(t, shape=shape, rows=rows):
                at = t.tensor(rows, dtype=t.int64)
                return [t.ops.aten.embedding_dense_backward(t.ones(shape), at, 4, padding, False)]

            assert outcome(call, ours) == outcome(call, torch), (shape, rows)


#: Calls of tensors that require grad: ``s`` of one number, ``m`` of four, ``c`` complex.
_NOT_RECORDED = [
    *(
        f"t.{call}"
        for kind in ("int64", "uint8", "bool")
        for call in (
            f"fill(t.zeros(2, dtype=t.{kind}), s)",
            f"zeros(2, dtype=t.{kind}).masked_fill(t.tensor([True, False]), s)",
            f"zeros(2, dtype=t.{kind}).index_fill(0, t.tensor([0]), s)",
        )
    ),
    *(f"c.{name}()" for name in ("to_sparse", "to_sparse_csr", "to_sparse_csc")),
    "c.to_sparse(1)",
    "c.to_sparse_bsr((1, 1))",
    *(
        f"[x := m * 3, y := x.div_(x, rounding_mode={mode!r}), y.mul_(2), y.sum().backward()]"
        for mode in ("floor", "trunc")
    ),
    *(
        f"[x := m * 3, y := t.div(m, x, rounding_mode={mode!r}), x.mul_(2), y.sum().backward()]"
        for mode in ("floor", "trunc", None)
    ),
]


def test_what_has_no_gradient_or_was_changed_is_refused_with_torchs_text():
    for program in _NOT_RECORDED:
        found = []
        for t in (ours, torch):
            names = {"t": t, "s": t.tensor(2.0), "m": t.ones(4), "c": t.ones(2, 2) * 1j}
            for leaf in ("s", "m", "c"):
                names[leaf].requires_grad_()
            with pytest.raises(RuntimeError) as refusal:
                eval(program, names)
            found.append(str(refusal.value))
        assert found[0] == found[1], program


#: Writes of ``s`` or ``v``, which require grad, into integers ``x``; and what is done with these.
_WRITES = [
    "x.fill_(s)",
    "x.masked_fill_(m, s)",
    "x.index_fill_(0, t.tensor([0]), s)",
    "x.index_put_((m,), s)",
    *(
        f"x.__setitem__({index}, s)"
        for index in ("slice(None)", "...", "slice(0, 2)", "0", "m", "[0, 1]")
    ),
    "x.__setitem__(slice(0, 2), v[:1])",
    "x.copy_(v)",
]
_AFTERWARDS = [
    "x", "x * 2", "-x", "x * 2.0", "x.sum()", "x.float()", "x.clone()", "x[1:]", "x.view(3, 1)",
    "x.detach()", "x == 1", "x.add_(1)", "x.zero_()", "x.max()", "x.numpy()",
    "x.requires_grad_(False)", "t.cat([x, x])", "t.ones(3).copy_(x)", "x.tolist()",
]  # fmt: skip


def test_integers_that_a_number_with_a_gradient_was_written_to_have_history_of_it():
    def told(t, kind, write, after):
        x = t.zeros(3, dtype=getattr(t, kind))
        names = {"t": t, "x": x, "m": t.tensor([True, False, True])}
        names["s"] = t.tensor(2.0, requires_grad=True)
        names["v"] = t.ones(3, requires_grad=True)
        try:
            eval(write, names)
            result = eval(after, names)
        except RuntimeError as error:
            return str(error)
        if not isinstance(result, t.Tensor):
            return str(result)
        node = result.grad_fn
        return result.requires_grad, node and type(node).__name__, result._version, result.tolist()

    cases = [(k, w, "x") for k in ("int64", "bool", "uint8") for w in _WRITES]
    cases += [("int64", w, a) for w in (_WRITES[0], _WRITES[-1]) for a in _AFTERWARDS]
    for case in cases:
        assert told(ours, *case) == told(torch, *case), case
