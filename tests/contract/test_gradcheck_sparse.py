"""``gradcheck`` with sparse inputs: which of their elements count, and what is refused."""

from __future__ import annotations

import warnings

import pytest
import torch

from .both_frameworks import ours, outcome

LAYOUTS = ("sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc")


def sparse(t, layout, dtype="float64"):
    """A leaf of 4 x 2 with three elements."""
    x = t.tensor([[0, 1], [2, 0], [0, 0], [3, 0]], dtype=getattr(t, dtype))
    blocks = {"blocksize": (2, 1)} if layout in ("sparse_bsr", "sparse_bsc") else {}
    return x.to_sparse(layout=getattr(t, layout), **blocks).requires_grad_()


def wrong(t):
    """A function whose backward is twice what it should be."""

    class Wrong(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return g * 2

    return Wrong.apply


#: Functions of the module, a sparse tensor, and what becomes of gradients of missing elements.
FUNCTIONS = {
    "to_dense": lambda t, x, masked: x.to_dense(masked_grad=masked),
    "the other way": lambda t, x, masked: x.to_dense(masked_grad=not masked),
    "squared": lambda t, x, masked: x.to_dense(masked_grad=masked) ** 2,
    "wrong": lambda t, x, masked: wrong(t)(x.to_dense(masked_grad=masked)),
    "sparse": lambda t, x, masked: x * 2,
    "sum": lambda t, x, masked: x.to_dense(masked_grad=masked).sum(),
}


@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_sparse_inputs_are_checked(name, layout, masked):
    """What there is to say, in the oracle's words."""

    def check(t):
        with warnings.catch_warnings(action="ignore"):
            function = FUNCTIONS[name]
            x = sparse(t, layout)
            return t.autograd.gradcheck(lambda x: function(t, x, masked), (x,), masked=masked)

    assert outcome(check, ours) == outcome(check, torch)


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("masked", [True, False])
def test_complex_hybrid_and_second_gradients(masked, fast):
    """Whether the check passes, along one direction too."""

    def checks(t):
        autograd = t.autograd
        hybrid = t.tensor([[0.0, 0], [1, 2], [0, 0]], dtype=t.float64).to_sparse(1)

        def dense(x):
            return x.to_dense(masked_grad=masked)

        options = {"masked": masked, "fast_mode": fast}
        whole = sparse(t, "sparse_coo", "complex128")
        return [
            autograd.gradcheck(dense, hybrid.requires_grad_(), **options),
            autograd.gradcheck(lambda x: dense(x).abs(), whole, **options) if masked else None,
            autograd.gradcheck(lambda x: dense(x) * 1j, whole, **options),
            autograd.gradgradcheck(lambda x: dense(x) ** 2, sparse(t, "sparse_coo"), **options),
        ]

    assert outcome(checks, ours)[0] == outcome(checks, torch)[0]


def test_a_sparse_result_has_no_matrix():
    """The words are the oracle's."""

    def check(t):
        x = t.ones(2, dtype=t.float64, requires_grad=True)
        return t.autograd.gradcheck(lambda x: x.to_sparse(), x)

    found = outcome(check, ours)[0]
    assert found == outcome(check, torch)[0]
    assert found[0] == "ValueError"
