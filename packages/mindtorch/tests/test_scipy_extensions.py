"""scipy's compiled functions are there without its packages, which work when they are imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys, warnings
warnings.simplefilter("error")
import mindtorch
x = mindtorch.eye(3, dtype=mindtorch.float64) * 4
got = [
    mindtorch.linalg.cholesky(x)[0, 0].item(),
    mindtorch.fft.rfft(x[0])[0].real.item(),
    mindtorch.special.bessel_j0(x[0, 1]).item(),
    mindtorch.digamma(-x[0, 1]).item(),
]
before = [name for name in ("scipy.linalg", "scipy.fft", "scipy.special") if name in sys.modules]
# The older special functions: from 1.18 on scipy's module of them imports scipy.linalg itself.
got.append(mindtorch.special.ndtri(x[0, 0] / 5).item())
import numpy, scipy.linalg, scipy.fft, scipy.special
a = numpy.eye(3) * 4
from mindtorch.core.scipy_extensions import extension
assert scipy.linalg.lapack.dpotrf is extension("linalg._flapack").dpotrf
assert scipy.special.psi is extension("special._special_ufuncs").psi
assert got == [
    scipy.linalg.cholesky(a)[0, 0], scipy.fft.rfft(a[0])[0].real, scipy.special.j0(0.0), numpy.inf,
    scipy.special.ndtri(0.8),
], got
print(before)
"""


def test_packages_of_scipy_stay_away_and_can_be_imported_afterwards() -> None:
    """What is loaded without them is what they find."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_what_is_not_there_is_an_import_error() -> None:
    """As if it were imported."""
    from mindtorch.core.scipy_extensions import extension

    with pytest.raises(ModuleNotFoundError):
        extension("linalg._no_such_module")
