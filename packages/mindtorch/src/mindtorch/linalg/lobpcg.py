"""``torch.lobpcg``: a few extreme eigenvalues of a large symmetric matrix, found by iteration.

The method is the locally optimal block preconditioned conjugate gradient method of Knyazev (2001).
Each step improves the vectors within the span of themselves, their preconditioned residuals and
the directions of the last step; the basis of that span is orthonormalized as Duersch and others
(2018) do, so that columns that depend on others are dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import linalg
from ..aten import torch
from ..autograd import Function
from ..call.intercept import overridable
from . import utils as _utils

__all__ = ["lobpcg"]


class LOBPCG:
    """The state of the iteration for one matrix, which a *tracker* is shown.

    ``iparams``, ``fparams`` and ``bparams`` are the settings by the type of their values;
    ``ivars``, ``fvars``, ``bvars`` and ``tvars`` what changes; ``E`` and ``X`` are the eigenvalues
    and vectors so far, ``R`` their residuals and ``S`` the span in which the next are looked for.
    """

    def __init__(
        self,
        A: Any,
        B: Any,
        X: Any,
        iK: Any,
        iparams: dict[str, int],
        fparams: dict[str, float],
        bparams: dict[str, bool],
        method: str,
        tracker: Callable[[LOBPCG], Any] | None,
    ) -> None:
        self.A, self.B, self.iK = A, B, iK
        self.iparams, self.fparams, self.bparams = iparams, fparams, bparams
        self.method, self.tracker = method, tracker
        self.X = X
        self.E = X.new_zeros(X.shape[-1])
        self.R = X.new_zeros(X.shape)
        self.S = X.new_zeros((X.shape[0], 0))
        self.ivars = {"istep": 0, "converged_count": 0, "iterations_left": iparams["niter"]}
        self.tvars: dict[str, Any] = {}
        self.fvars = {"_": 0.0}
        self.bvars = {"_": False}

    def run(self) -> None:
        """Iterate until all wanted pairs have converged, or no iteration is left."""
        self._rotate(self._orthonormal(self.X))
        self._measure()
        while True:
            if self.tracker is not None and self.ivars["istep"]:
                self.tracker(self)
            if self.stop_iteration():
                return
            self.update()

    def stop_iteration(self) -> bool:
        """Whether there is nothing left to do."""
        done = self.ivars["converged_count"] >= self.iparams["k"]
        return done or self.ivars["iterations_left"] <= 0

    def update(self) -> None:
        """Do one step."""

        previous = self.X
        directions = self.tvars.get("P")
        span = [previous, _utils.matmul(self.iK, self.R)]
        if directions is not None:
            span.append(directions)
        self.S = self._orthonormal(torch.cat(span, -1))
        self._rotate(self.S)
        # What the new vectors have that the old ones lacked.
        self.tvars["P"] = self.X - previous @ _utils.bform(previous, self.B, self.X)
        self.ivars["istep"] += 1
        self.ivars["iterations_left"] -= 1
        self._measure()

    def _rotate(self, basis: Any) -> None:
        """Take the best vectors of the span of an orthonormal *basis*, after Rayleigh and Ritz."""
        values, vectors = _utils.symeig(_utils.qform(self.A, basis), self.bparams["largest"])
        n = self.iparams["n"]
        self.E, self.X = values[:n], basis @ vectors[:, :n]

    def _measure(self) -> None:
        """Count the pairs, from the first, whose residual is small enough."""

        product, weight = _utils.matmul(self.A, self.X), _utils.matmul(self.B, self.X)
        self.R = product - weight * self.E
        size = linalg.norm(self.X)
        self.fvars["X_norm"] = size.item()
        self.fvars["A_norm"] = (linalg.norm(product) / size).item()
        self.fvars["B_norm"] = (linalg.norm(weight) / size).item()
        scale = self.fvars["A_norm"] + self.E.abs() * self.fvars["B_norm"]
        relative = linalg.norm(self.R, 2, (0,)) / (size * scale)
        self.tvars["rerr"] = relative
        small = (relative <= self.fparams["tol"]).tolist()
        self.ivars["converged_count"] = (small + [False]).index(False)

    def _orthonormal(self, S: Any) -> Any:
        """A basis of what the columns of *S* span, orthonormal by the form of ``B``.

        Columns that the others nearly span are dropped. The second round makes up for the digits
        that the first lost.
        """

        S = S / linalg.norm(S, 2, (0,)).clamp(min=torch.finfo(S.dtype).tiny)
        for _ in range(2):
            values, vectors = linalg.eigh(_utils.qform(self.B, S))
            kept = values > values[-1] * torch.finfo(S.dtype).eps * S.shape[-1]
            S = S @ (vectors[:, kept] / values[kept].sqrt())
        return S


class LOBPCGAutogradFunction(Function):
    """The pairs, with the gradient of the matrix that they come from."""

    @staticmethod
    def forward(ctx: Any, A: Any, settings: Callable[[Any], Any], B: Any) -> Any:
        """Iterate, as *settings* say."""
        values, vectors = settings(A)
        ctx.save_for_backward(A, values, vectors)
        ctx.general = B is not None
        return values, vectors

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The gradient of ``A``, which is taken to be symmetric.

        A change ``dA`` moves an eigenvector ``x`` by ``-(A - e)^+ dA x``.
        """

        if ctx.general or ctx.needs_input_grad[2]:
            raise ValueError("lobpcg.backward does not support backward with B != I yet.")
        A, values, vectors = ctx.saved_tensors
        value_grad, vector_grad = grads
        found = (vectors * value_grad.unsqueeze(-2)) @ vectors.mT
        if vector_grad is not None and vector_grad.any():
            all_values, all_vectors = linalg.eigh(A)
            gaps = all_values.unsqueeze(-1) - values.unsqueeze(-2)
            own = gaps.abs() == gaps.abs().amin(-2, keepdim=True)
            inverse = gaps.masked_fill(own, 1).reciprocal().masked_fill(own, 0)
            moved = all_vectors @ (inverse * (all_vectors.mT @ vector_grad))
            found = found - moved @ vectors.mT
        return (found + found.mT) / 2, None, None


def lobpcg(
    A: Any,
    k: int | None = None,
    B: Any = None,
    X: Any = None,
    n: int | None = None,
    iK: Any = None,
    niter: int | None = None,
    tol: float | None = None,
    largest: bool | None = None,
    method: str | None = None,
    tracker: Any = None,
    ortho_iparams: dict[str, int] | None = None,
    ortho_fparams: dict[str, float] | None = None,
    ortho_bparams: dict[str, bool] | None = None,
) -> Any:
    """Return the *k* largest eigenvalues of ``A x = e B x`` and their vectors, ``(E, X)``.

    :param A: symmetric matrices of shape (\\*, m, m).
    :param k: how many; as many as *X* has columns, else one.
    :param B: symmetric positive definite matrices of the same shape; none, the identity.
    :param X: where to begin, of shape (\\*, m, n); drawn at random if it is not given.
    :param n: how many vectors the iteration works with, *k* at least.
    :param iK: a preconditioner, close to the inverse of *A*.
    :param niter: how many steps at most; 1000, and until it converges if it is -1.
    :param tol: how small a residual, relative to the matrix's norm, has converged.
    :param largest: False for the smallest eigenvalues.
    :param method: ``"basic"`` or ``"ortho"``: both iterate in the stable way.
    :param tracker: called with the :class:`LOBPCG` after each step.

    Raises ValueError for fewer rows than three times *n*.
    """

    assert A.shape[-2] == A.shape[-1], f"A must be square, got shape {A.shape}"
    if B is not None:
        assert A.shape == B.shape, f"A and B must have same shape, got {A.shape} vs {B.shape}"
    dtype, m = _utils.get_floating_dtype(A), A.shape[-1]
    wanted = (1 if X is None else X.shape[-1]) if k is None else k
    size = (wanted if X is None else X.shape[-1]) if n is None else n
    if m < 3 * size:
        raise ValueError(
            f"LOBPCG algorithm is not applicable when the number of A rows (={m}) is smaller than "
            f"3 x the number of requested eigenpairs (={size})"
        )
    if X is None:
        X = torch.randn((*A.shape[:-1], size), dtype=dtype, device=A.device)
    start = X
    assert start.shape == (*A.shape[:-1], size), (
        f"X shape mismatch: got {start.shape}, expected {(*A.shape[:-1], size)}"
    )
    close = (2.23e-16 if dtype is torch.float64 else 1.2e-07) ** 0.5
    iparams = {"m": m, "n": size, "k": wanted, "niter": 1000 if niter is None else niter}
    iparams |= {f"ortho_{name}": value for name, value in (ortho_iparams or {}).items()}
    fparams = {"tol": close if tol is None else tol}
    fparams |= {f"ortho_{name}": value for name, value in (ortho_fparams or {}).items()}
    bparams = {"largest": True if largest is None else largest}
    bparams |= {f"ortho_{name}": value for name, value in (ortho_bparams or {}).items()}
    if iparams["niter"] < 0:
        iparams["niter"] = 1 << 62
    how = method or "ortho"

    def found(A: Any) -> Any:
        flat = A.reshape(-1, m, m) if A.dim() > 2 else [A]  # which may be sparse
        pairs = []
        for i, matrix in enumerate(flat):
            others = [None if t is None else t.reshape(-1, m, m)[i] for t in (B, iK)]
            begin = start.reshape(-1, m, size)[i]
            settings = (iparams.copy(), fparams.copy(), bparams.copy(), how, tracker)
            worker = LOBPCG(matrix, others[0], begin, others[1], *settings)
            worker.run()
            pairs.append((worker.E[:wanted], worker.X[:, :wanted]))
        values, vectors = (torch.stack(list(each)) for each in zip(*pairs, strict=True))
        batch, count = A.shape[:-2], values.shape[-1]
        return values.reshape(*batch, count), vectors.reshape(*batch, m, count)

    if torch.is_grad_enabled() and (A.requires_grad or (B is not None and B.requires_grad)):
        return LOBPCGAutogradFunction.apply(A, found, B)
    return found(A)


lobpcg = overridable(lobpcg)
