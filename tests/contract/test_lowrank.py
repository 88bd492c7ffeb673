"""torch.svd_lowrank and pca_lowrank, and the functions of torch._linalg_utils."""

import inspect

import pytest

from tests.contract.both_frameworks import BOTH, agree, refuse


def _matrix(t, kind):
    t.manual_seed(3)
    return {
        "tall": lambda: t.randn(9, 5, dtype=t.float64),
        "wide": lambda: t.randn(5, 9, dtype=t.float64),
        "batch": lambda: t.randn(2, 6, 5, dtype=t.float64),
        "complex": lambda: t.randn(7, 6, dtype=t.complex128),
    }[kind]()


def _rounded(found):
    return [[round(x, 6) for x in v.abs().flatten().tolist()] for v in found]


@pytest.mark.parametrize("kind", ["tall", "wide", "batch", "complex"])
def test_singular_values_of_low_rank_begin_at_the_same_random_numbers(kind):
    agree(lambda t: _rounded(t.svd_lowrank(_matrix(t, kind), 3, niter=1)))
    agree(lambda t: _rounded(t.svd_lowrank(_matrix(t, kind), 2, M=_matrix(t, kind) / 3)))
    agree(lambda t: _rounded(t.pca_lowrank(_matrix(t, kind), 3)))
    agree(lambda t: _rounded(t.pca_lowrank(_matrix(t, kind), center=False, niter=0)))


def test_what_is_no_rank_is_refused():
    refuse(lambda t: t.pca_lowrank(t.ones(4, 3), 4))
    refuse(lambda t: t.pca_lowrank(t.ones(4, 3), niter=-1))
    refuse(lambda t: t.svd_lowrank(t.ones(4, 3).long()))


@pytest.mark.parametrize("name", ["matrix_rank", "solve", "lstsq", "eig", "symeig"])
def test_functions_that_torch_removed_name_their_successors(name):
    arguments = (1,) if name in ("matrix_rank", "eig", "symeig") else (1, 2)
    refuse(lambda t: getattr(t, name)(*arguments))


def test_small_functions_of_linear_algebra():
    def run(t):
        from importlib import import_module

        u = import_module(f"{t.__name__}._linalg_utils")
        a = t.tensor([[2.0, 1.0], [1.0, 3.0]])
        return [
            u.matmul(None, a),
            u.matmul(a, a),
            u.bform(a, None, a),
            u.qform(a, a[:, :1]),
            _rounded(u.symeig(a)),
            _rounded(u.symeig(a, largest=True)),
            _rounded([u.basis(a)]),
            str(u.get_floating_dtype(a.long())),
            u.is_sparse(a),
        ]

    agree(run)


def test_the_signatures_are_torchs():
    for name in ("svd_lowrank", "pca_lowrank"):
        ours, theirs = (list(inspect.signature(getattr(t, name)).parameters) for t in BOTH)
        assert ours == theirs
