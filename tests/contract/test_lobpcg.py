"""torch.lobpcg: the same pairs as torch finds, their gradients, and what it refuses."""

import mindtorch
import pytest
import torch as oracle

from tests.contract.both_frameworks import agree, refuse


def _matrices(t, dtype="float64", batch=()):
    t.manual_seed(5)
    dtype = getattr(t, dtype)
    A = t.randn(*batch, 15, 15, dtype=dtype)
    A = A @ A.mT + t.eye(15, dtype=dtype)
    B = t.diag(t.arange(1, 16).to(dtype))
    return A, B, t.randn(*batch, 15, 3, dtype=dtype)


def _rounded(pairs, digits=6):
    """The values, and the vectors but for their sign."""
    return [[round(x, digits) for x in v.abs().flatten().tolist()] for v in pairs]


WAYS = {
    "as many as begin": lambda A, B, X: {"X": X},
    "fewer": lambda A, B, X: {"X": X, "k": 2},
    "the smallest": lambda A, B, X: {"X": X, "largest": False},
    "the basic method": lambda A, B, X: {"X": X, "method": "basic"},
    "another form": lambda A, B, X: {"X": X, "B": B},
    "preconditioned": lambda A, B, X: {"X": X, "largest": False, "iK": A.inverse()},
    "random": lambda A, B, X: {"k": 2},
    "none named": lambda A, B, X: {},
    "more than wanted": lambda A, B, X: {"k": 2, "n": 4},
    "patient": lambda A, B, X: {"X": X, "niter": -1, "tol": 1e-9},
}


@pytest.mark.parametrize("way", WAYS)
def test_pairs_are_the_oracles(way):
    def found(t):
        A, B, X = _matrices(t)
        return _rounded(t.lobpcg(A, **({"tol": 1e-12} | WAYS[way](A, B, X))))

    agree(found)


def test_matrices_of_a_batch_have_their_pairs_each():
    def found(t):
        A, _, X = _matrices(t, batch=(2, 2))
        E, V = t.lobpcg(A, X=X, tol=1e-12)
        return list(E.shape), list(V.shape), _rounded((E, V))

    agree(found)


def test_single_precision_is_as_precise_as_it_can_be():
    def found(t):
        A, _, X = _matrices(t, "float32")
        E, _ = t.lobpcg(A, X=X)
        return str(E.dtype), [round(e, 2) for e in E.tolist()]

    agree(found)


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("part", ["values", "vectors", "both"])
def test_gradient_of_the_matrix(part, largest):
    def gradient(t):
        A, _, X = _matrices(t)
        A.requires_grad_()
        E, V = t.lobpcg(A, X=X, largest=largest, tol=1e-12)
        weights = t.arange(45).reshape(15, 3).double().cos()
        loss = {"values": E.sin().sum(), "vectors": (V**2 * weights).sum()}
        loss["both"] = loss["values"] + loss["vectors"]
        (g,) = t.autograd.grad(loss[part], A)
        return [round(x, 6) + 0.0 for x in g.flatten().tolist()]

    agree(gradient)


def test_no_gradient_of_another_form():
    def gradient(t):
        A, B, X = _matrices(t)
        t.lobpcg(A.requires_grad_(), X=X, B=B)[0].sum().backward()

    refuse(gradient)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda t, A, X: t.lobpcg(A, k=6),
        lambda t, A, X: t.lobpcg(A, X=X[:4]),
        lambda t, A, X: t.lobpcg(A[:5], k=1),
        lambda t, A, X: t.lobpcg(A, B=A[:3, :3]),
        lambda t, A, X: t.lobpcg(A.long(), k=2),
        lambda t, A, X: t.lobpcg(A, B=t.eye(15)),
    ],
)
def test_what_it_refuses(wrong):
    refuse(lambda t: wrong(t, *_matrices(t)[::2]))


def test_a_tracker_sees_every_step():
    """It is shown the state, with torch's names; the number of steps is the method's own."""
    for t in (oracle, mindtorch):
        A, _, X = _matrices(t)
        seen = []
        t.lobpcg(
            A,
            X=X,
            largest=False,
            tracker=lambda worker: seen.append(
                (worker.ivars["istep"], worker.ivars["converged_count"], tuple(worker.X.shape))
            ),
        )
        assert [step for step, _, _ in seen] == list(range(1, len(seen) + 1))
        assert seen[-1][1:] == (3, (15, 3))
