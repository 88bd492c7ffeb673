"""Sobol' sequences: direction numbers, points, and their scrambling.

Points are integers of 30 bits. The direction numbers are those of Joe and Kuo (2008), 'Constructing
Sobol sequences with better two-dimensional projections', which come with scipy.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
from mindtorch_storage.dtype import get_default_dtype, int64

from ..call.elementwise_meta import NOT_REAL_FLOATING, refuse
from ..call.row import op
from ..core.scipy_extensions import folder
from ..tensor.construction import wrap

__all__: list[str] = []

Array = np.ndarray[Any, Any]

_BITS: Final = 30
#: What the place of a bit in a row of bits, highest first, is worth.
_WORTH: Final = np.int64(1) << np.arange(_BITS - 1, -1, -1, dtype=np.int64)


@cache
def _directions() -> tuple[Array, Array]:
    """Of each dimension the polynomial's coefficients as bits, and the first direction numbers."""
    with np.load(folder("stats") / "_sobol_direction_numbers.npz") as data:
        return data["poly"], data["vinit"]


def _initial(dimension: int) -> Array:
    polynomials, first = (a[:dimension] for a in _directions())
    state = np.zeros((dimension, _BITS), np.int64)
    state[0] = 1
    # A row takes as many given numbers as its polynomial's degree; the recurrence makes the rest.
    degrees = np.array([int(p).bit_length() - 1 for p in polynomials])
    for degree in np.unique(degrees[1:]):
        rows = np.flatnonzero(degrees == degree)
        rows = rows[rows > 0]
        state[rows, :degree] = first[rows, :degree]
        for m in range(degree, _BITS):
            new = state[rows, m - degree]
            for k in range(degree):
                taken = (polynomials[rows] >> (degree - 1 - k)) & 1
                new = new ^ (taken << (k + 1)) * state[rows, m - k - 1]
            state[rows, m] = new
    return state * _WORTH


def _need_long(tensor: Any, name: str) -> None:
    if tensor.dtype is not int64:
        raise RuntimeError(f"{name} needs to be of type Long")


def _zero_bit(n: int) -> int:
    """The place of the lowest bit of *n* that is not set."""
    return (~n & (n + 1)).bit_length() - 1


def _steps(state: Array, n: int, generated: int) -> Array:
    """What each of the *n* points after the first *generated* changes, in Gray code order."""
    places = [_zero_bit(i) for i in range(generated, generated + n)]
    return state[:, places].T


def _draw(
    quasi: Any, n: int, sobolstate: Any, dimension: int, num_generated: int, dtype: Any
) -> tuple[Any, Any]:
    _need_long(sobolstate, "sobolstate")
    _need_long(quasi, "quasi")
    dtype = get_default_dtype() if dtype is None else dtype
    refuse(dtype, {"_sobol_engine_draw": NOT_REAL_FLOATING}, quasi)
    last = quasi.numpy()
    steps = _steps(sobolstate.numpy(), n, num_generated)
    points = np.bitwise_xor.accumulate(np.concatenate([last[None], steps]))[1:]
    if n:
        last = points[-1]
    unit = points.astype(np.float64 if dtype.itemsize == 8 else np.float32) * 2.0**-_BITS
    return wrap(unit.astype(dtype.np)), wrap(last.copy())


def _fast_forward(quasi: Any, n: int, sobolstate: Any, dimension: int, num_generated: int) -> Any:
    _need_long(sobolstate, "sobolstate")
    _need_long(quasi, "quasi")
    steps = _steps(sobolstate.numpy(), n, num_generated)
    moved = quasi.numpy() ^ np.bitwise_xor.reduce(steps, axis=0)
    return quasi.copy_(wrap(moved))


def _initialize(self: Any, dimension: int) -> Any:
    _need_long(self, "sobolstate")
    return self.copy_(wrap(_initial(dimension)))


def _scramble(self: Any, ltm: Any, dimension: int) -> Any:
    """Multiply the bits of the direction numbers by the lower triangular matrices *ltm*.

    Their diagonals are taken to be one, without which points would be lost.
    """
    _need_long(self, "sobolstate")
    matrices = ltm.numpy() & 1 | np.eye(_BITS, dtype=np.int64)
    bits = (self.numpy()[:, :, None] & _WORTH != 0).astype(np.int64)
    mixed = np.matmul(bits, matrices.transpose(0, 2, 1)) & 1
    return self.copy_(wrap((mixed * _WORTH).sum(-1)))


for _schema, _composite in (
    (
        "_sobol_engine_draw(Tensor quasi, int n, Tensor sobolstate, int dimension, "
        "int num_generated, ScalarType? dtype) -> (Tensor, Tensor)",
        _draw,
    ),
    (
        "_sobol_engine_ff_(Tensor(a!) self, int n, Tensor sobolstate, int dimension, "
        "int num_generated) -> Tensor(a!)",
        _fast_forward,
    ),
    ("_sobol_engine_initialize_state_(Tensor(a!) self, int dimension) -> Tensor(a!)", _initialize),
    (
        "_sobol_engine_scramble_(Tensor(a!) self, Tensor ltm, int dimension) -> Tensor(a!)",
        _scramble,
    ),
):
    op(_schema, composite=_composite, variants="function")
