"""Lines of factorizations and Fourier transforms of one matrix, 512 by 512."""

from __future__ import annotations

from typing import Any, Final

from .line import Line, Namespace

__all__ = ["LARGE_MATRICES"]

_SIZE: Final = 512
#: What a call may cost in units of torch's: both hand the work to a library.
_FIRST: Final = 1.2


def _matrices(torch: Any) -> Namespace:
    """A matrix, a positive definite one, right sides, and a complex matrix; float32."""
    torch.manual_seed(0)
    a = torch.randn(_SIZE, _SIZE)
    positive = a @ a.T / _SIZE + torch.eye(_SIZE)
    return {
        "a": a + 8 * torch.eye(_SIZE),
        "p": positive,
        "b": torch.randn(_SIZE, 16),
        "z": torch.complex(torch.randn(_SIZE, _SIZE), torch.randn(_SIZE, _SIZE)),
    }


#: Names of the lines and their statements.
_STATEMENTS: Final = {
    "linalg.solve": "torch.linalg.solve(a, b)",
    "linalg.inv": "torch.linalg.inv(a)",
    "linalg.det": "torch.linalg.slogdet(a)",
    "linalg.lu_factor": "torch.linalg.lu_factor(a)",
    "linalg.cholesky": "torch.linalg.cholesky(p)",
    "linalg.qr": "torch.linalg.qr(a)",
    "linalg.eigh": "torch.linalg.eigh(p)",
    "linalg.svd": "torch.linalg.svd(a, full_matrices=False)",
    "linalg.svdvals": "torch.linalg.svdvals(a)",
    "linalg.lstsq": "torch.linalg.lstsq(a, b)",
    "linalg.solve_triangular": "torch.linalg.solve_triangular(a, b, upper=True)",
    "linalg.matrix_exp": "torch.linalg.matrix_exp(p)",
    "fft.fft": "torch.fft.fft(z)",
    "fft.fft2": "torch.fft.fft2(z)",
    "fft.rfft2": "torch.fft.rfft2(a)",
    "fft.ifft2": "torch.fft.ifft2(z)",
    "fft.irfft2": "torch.fft.irfft2(z)",
}

LARGE_MATRICES: Final = tuple(
    Line(f"{name}, {_SIZE} by {_SIZE}", statement, _matrices, _FIRST)
    for name, statement in _STATEMENTS.items()
)
