"""``vmap`` over quantized and sparse tensors, and over functions that make them."""

from __future__ import annotations

import re
import warnings

import pytest

from .helpers import assert_same_value, both

INDICES = [[0, 1], [1, 0]]


def quantized(t):
    return t.quantize_per_tensor(t.arange(6.0).reshape(3, 2), 0.1, 0, t.qint8)


def numbers(t):
    return t.arange(6.0).reshape(3, 2)


#: What is batched, and what is done with a sample.
PROGRAMS = {
    "dequantize": (quantized, lambda t, q: q.dequantize()),
    "int_repr": (quantized, lambda t, q: q.int_repr()),
    "relu of quantized": (quantized, lambda t, q: t.relu(q).dequantize()),
    "max of quantized": (quantized, lambda t, q: q.max().dequantize()),
    "view of quantized": (quantized, lambda t, q: q.view(2, 1).dequantize()),
    "comparison of quantized": (quantized, lambda t, q: q == q),
    "quantize": (numbers, lambda t, x: t.quantize_per_tensor(x, 0.1, 0, t.qint8).dequantize()),
    "to_dense": (lambda t: t.eye(3).to_sparse(), lambda t, s: s.to_dense()),
    "floor": (lambda t: t.eye(3).to_sparse(), lambda t, s: s.floor().to_dense()),
    "product of a row": (lambda t: t.eye(3).to_sparse(), lambda t, s: s.to_dense() @ t.ones(3)),
    "layout": (lambda t: t.eye(3).to_sparse(), lambda t, s: t.tensor(s.is_sparse)),
    "sum": (lambda t: t.eye(3).to_sparse(), lambda t, s: s.sum()),
    "product": (
        lambda t: t.arange(12.0).reshape(3, 2, 2),
        lambda t, x: t.sparse.mm(t.eye(2).to_sparse(), x),
    ),
    "coo": (numbers, lambda t, x: t.sparse_coo_tensor(INDICES, x, (2, 2)).to_dense()),
    "coo without size": (numbers, lambda t, x: t.sparse_coo_tensor(t.tensor(INDICES), x)),
    "csr": (numbers, lambda t, x: t.sparse_csr_tensor([0, 1, 2], [0, 1], x, (2, 2))),
    "to_sparse": (numbers, lambda t, x: t.stack([x, x]).to_sparse()),
    "to_sparse_csr": (numbers, lambda t, x: t.stack([x, x]).to_sparse_csr()),
    "sparse_mask": (
        lambda t: t.ones(3, 2, 2),
        lambda t, x: x.sparse_mask(t.eye(2).to_sparse()),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_sample_is_what_it_is_in_torch(name):
    given, function = PROGRAMS[name]
    ours, oracle = both(lambda t: t.vmap(lambda x: function(t, x))(given(t)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            oracle()
        except (RuntimeError, NotImplementedError) as error:
            first = str(error).partition(". ")[0]  # what comes after names all registrations
            with pytest.raises(type(error), match=f"^{re.escape(first)}"):
                ours()
        else:
            assert_same_value(ours, oracle)
