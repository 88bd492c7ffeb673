"""What the rows of linear algebra share: checks with torch's texts, layouts, LAPACK by matrix.

LAPACK reads and writes matrices column by column; torch's results keep that order, so theirs here
do too. Source of the texts: torch aten/src/ATen/native/LinearAlgebraUtils.h.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from mindtorch_storage.dtype import int32
from mindtorch_storage.layout import contiguous_strides

from ..call.elementwise_meta import broadcast_shapes, refuse
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.dims import element_strides, laid_out, scalar_name
from ..core.errors import LinAlgError
from ..core.operators import of
from ..core.scipy_extensions import extension
from ..core.signature import BATCHED

__all__ = [
    "CALLS_OF_NUMPY",
    "LAPACK",
    "LOW",
    "Together",
    "check_errors",
    "check_factorable",
    "check_matrix",
    "check_solvable",
    "check_square",
    "column_major",
    "column_strides",
    "copied_onto",
    "copied_result",
    "all_finite",
    "batches",
    "by_matrix",
    "each",
    "failure",
    "fitted",
    "info_of",
    "lapack",
    "like_matrix",
    "of_types",
    "refuse_all_but",
    "refuse_failed",
    "solved_shapes",
    "transposed",
]

Array = np.ndarray[Any, Any]
#: The dtypes that LAPACK computes in.
LAPACK = frozenset(("float32", "float64", "complex64", "complex128"))
LOW = frozenset(("float16", "bfloat16", "complex32"))


def copied_result(who: str, overload: str = "out") -> OutForm:
    """The ``out=`` form of an op *who* that copies its result to the target, by its own checks."""
    return OutForm(
        overload,
        castable=(who, "result"),
        elsewhere=f"{who}: Expected result and input tensors to be on the same device, but got "
        "result on {out} and input on {input}",
        meta="native",
    )


def check_matrix(a: Any, who: str, name: str = "A") -> None:
    """Refuse what has fewer than two dimensions."""
    if len(a.shape) < 2:
        raise RuntimeError(f"{who}: The input tensor {name} must have at least 2 dimensions.")


def check_square(a: Any, who: str, name: str = "A") -> None:
    """Refuse what is no batch of square matrices."""
    check_matrix(a, who, name)
    m, n = a.shape[-2:]
    if m != n:
        raise RuntimeError(
            f"{who}: {name} must be batches of square matrices, but they are {m} by {n} matrices"
        )


def check_factorable(a: Any, who: str, *, low: bool = True) -> None:
    """Refuse integers and, unless *low*, the half types."""
    dtype = a.dtype
    if not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(
            f"{who}: Expected a floating point or complex tensor as input. Got {scalar_name(dtype)}"
        )
    if not low and dtype.name not in LAPACK:
        raise RuntimeError(f"{who}: Low precision dtypes not supported. Got {scalar_name(dtype)}")


def refuse_all_but(a: Any, kernel: str, *, any_empty: bool = False) -> None:
    """Refuse what the CPU kernel called *kernel* lacks; with *any_empty* only of elements."""
    if a.dtype.name not in LAPACK and not (any_empty and 0 in a.shape):
        refuse(a.dtype, {kernel: frozenset((a.dtype.name,))}, a)


def of_types(a: Any) -> str:
    """A tensor's type in the texts of ``pinv``."""
    return f"{scalar_name(a.dtype)}{{[{', '.join(map(str, a.shape))}]}}"


def check_solvable(a: Any, b: Any, left: bool, who: str) -> None:
    """Refuse right-hand sides that do not fit.

    Source: torch LinearAlgebraUtils.h, linearSolveCheckInputs.
    """
    check_square(a, who)
    check_matrix(b, who, "B")
    side = -2 if left else -1
    if a.shape[-2] != b.shape[side]:
        form = "AX = B" if left else "XA = B"
        raise RuntimeError(
            f"{who}: Incompatible shapes of A and B for the equation {form} "
            f"({a.shape[-2]}x{a.shape[-1]} and {b.shape[-2]}x{b.shape[-1]})"
        )


def solved_shapes(a: Any, b: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The shapes of both with one batch. A mismatch is told as torch tells it: of *b* and *a*."""
    batch = broadcast_shapes(tuple(b.shape[:-2]), tuple(a.shape[:-2]))
    return (*batch, *b.shape[-2:]), (*batch, *a.shape[-2:])


# -- layouts -------------------------------------------------------------------------------------


def column_strides(shape: Sequence[int]) -> tuple[int, ...] | None:
    """The strides of a batch of matrices that are stored column by column; None: contiguous."""
    if len(shape) < 2:
        return None
    *batch, m, n = shape
    *rest, s, t = contiguous_strides((*batch, n, m))
    found = (*rest, t, s)
    return None if found == contiguous_strides(tuple(shape)) else found


def copied_onto(meta: Callable[..., Any], *, unless_empty: bool = False) -> Callable[..., Any]:
    """What *meta* says, without strides: for results that are copied into what is given.

    :param unless_empty: what is written to targets without elements is not copied.
    """

    def one(target: Any, out: Out) -> Out:
        return out if unless_empty and not target.numel() else out._replace(strides=None)

    def onto(target: Any, *args: Any) -> Any:
        found = meta(*args)
        if isinstance(found, Out):
            return one(target, found)
        return tuple([one(t, out) for t, out in zip(target, found, strict=True)])

    return onto


def like_matrix(shape: Sequence[int], dtype: Any) -> Out:
    """A result of matrices stored column by column."""
    return Out(tuple(shape), dtype, column_strides(shape))


def info_of(a: Any) -> Out:
    """What LAPACK says of each matrix of a batch: an int32."""
    return Out(tuple(a.shape[:-2]), int32)


def column_major(a: Array) -> Array:
    """*a* as a batch of matrices stored column by column."""
    return fitted(a, column_strides(a.shape))


def fitted(a: Array, strides: tuple[int, ...] | None) -> Array:
    """*a* with *strides*, None meaning contiguous."""
    if strides is None:
        return np.ascontiguousarray(a).reshape(a.shape)
    return a if element_strides(a) == strides else laid_out(a, strides)


def transposed(a: Array) -> Array:
    """The conjugate transpose of each matrix."""
    return np.conjugate(np.swapaxes(a, -1, -2))


# -- LAPACK --------------------------------------------------------------------------------------


def lapack(name: str, a: Array, *, blas: bool = False) -> Callable[..., Any]:
    """LAPACK's (or BLAS's) function *name* for the dtype of *a*; ``or``/``un`` as that asks."""
    if a.dtype.kind == "c" and name.startswith("or"):
        name = "un" + name[2:]
    home = extension("linalg._fblas" if blas else "linalg._flapack")
    # Half types come without elements, and nothing is called.
    letter = {"d": "d", "F": "c", "D": "z"}.get(a.dtype.char, "s")
    found: Callable[..., Any] = getattr(home, f"{letter}{name}")
    return found


class Together(NamedTuple):
    """How many matrices are computed at once.

    *run* is given as many arrays as the function of one matrix, each of shape ``(matrices, …)``.
    It returns results of the same kind, and for which matrices the other is to be run all the
    same, as what they are like hangs on the last bit: a mask, or None. For all, if numpy's
    LinAlgError comes.
    """

    run: Callable[..., tuple[Sequence[Array], Array | None]]
    #: About how many calls of numpy it takes, whatever the number of matrices.
    calls: int


#: So many calls of numpy take the time in which one matrix goes to LAPACK from Python and back.
_CALLS_OF_ONE = 3
#: A function of numpy.linalg takes the time of so many: it calls LAPACK in a loop of its own.
CALLS_OF_NUMPY = 16
#: About so many numbers stay in a cache; and the least number of matrices for which numpy is called
#: over and over.
_BLOCK, _LEAST_BLOCK = 65536, 512


def by_matrix(
    one: Callable[..., tuple[Any, ...]],
    batch: tuple[int, ...],
    outs: Sequence[tuple[tuple[int, ...], Any]],
    *,
    nothing: bool = False,
    together: Together | None = None,
) -> Callable[..., tuple[Any, ...]]:
    """What runs *one*, of single matrices, for each of a *batch*: its results are written into one.

    :param outs: shape and numpy dtype of each result of *one*.
    :param nothing: the matrices have no elements: all results are zeros, and nothing is run.
    :param together: what computes the same of many matrices in less time.

    Results that are matrices lie column by column.
    """

    count, n = math.prod(batch), len(batch)
    if nothing or together is None or count * _CALLS_OF_ONE < together.calls:
        together, block = None, 0
    else:
        sizes = [math.prod(shape) for shape, _ in outs]
        block = max(_BLOCK // max(1, *sizes), _LEAST_BLOCK)
    turned = [(count, *shape[::-1]) for shape, _ in outs]
    whole = [(*batch, *shape[::-1]) for shape, _ in outs]
    dtypes, zeros = [dtype for _, dtype in outs], np.zeros

    def kernel(*arrays: Array) -> tuple[Array, ...]:
        flat = [a.reshape(count, *a.shape[n:]) for a in arrays]
        made = [zeros(shape, dtype) for shape, dtype in zip(turned, dtypes, strict=True)]
        left: Iterable[int] = range(0 if nothing else count)
        if together is not None:
            left = _by_blocks(together.run, flat, made, block)
        for i in left:
            for result, part in zip(made, one(*[a[i] for a in flat]), strict=True):
                result[i] = part.T
        return tuple(
            [
                (a.reshape(shape).swapaxes(-1, -2) if a.ndim == 3 else a.reshape(shape))
                for a, shape in zip(made, whole, strict=True)
            ]
        )

    return kernel if batch or nothing else one


def _by_blocks(
    run: Callable[..., tuple[Sequence[Array], Array | None]],
    arrays: Sequence[Array],
    made: Sequence[Array],
    block: int,
) -> list[int]:
    """Write what *run* gives for so many matrices at a time; which ones are doubtful."""
    doubtful: list[int] = []
    for start in range(0, len(made[0]), block):
        part = slice(start, start + block)
        try:
            results, left = run(*[a[part] for a in arrays])
        except np.linalg.LinAlgError:  # of which matrix is asked below
            doubtful += range(*part.indices(len(made[0])))
            continue
        for whole, result in zip(made, results, strict=True):
            whole[part] = result if result.ndim < 3 else result.swapaxes(-1, -2)
        if left is not None and left.any():
            doubtful += (left.nonzero()[0] + start).tolist()
    return doubtful


def all_finite(like: Array) -> Callable[[Array], bool]:
    """What says whether all numbers of arrays like *like* are finite."""
    zeros = np.zeros(like.size, like.dtype)
    if like.size > 4096:
        return lambda a: bool(np.isfinite(a).all())
    n = like.size
    return lambda a: bool(a.reshape(n).dot(zeros) == 0)  # each product is zero or NaN


def batches(batch: tuple[int, ...], array: Array, n: int = 2) -> Callable[[Array], Array]:
    """What gives arrays like *array*, of which the last *n* dims are one item, this *batch*."""
    shape = (*batch, *array.shape[array.ndim - n :])
    if shape == array.shape:
        return lambda a: a
    return lambda a: np.broadcast_to(a, shape)


def each(batch: Sequence[int]) -> Any:
    """The places of a batch, one after the other."""
    return np.ndindex(*batch)


# -- errors --------------------------------------------------------------------------------------

_SINGULAR = "The solver failed because the input matrix is singular."


def failure(who: str, info: int) -> Exception:
    """The text for a positive *info*.

    Source: torch BatchLinearAlgebra.cpp, _linalg_check_errors.
    """
    if "cholesky_inverse" in who or "inv" in who:
        return LinAlgError(
            f"The diagonal element {info} is zero, the inversion could not be completed because "
            "the input matrix is singular."
        )
    if "cholesky" in who:
        return LinAlgError(
            "The factorization could not be completed because the input is not positive-definite "
            f"(the leading minor of order {info} is not positive-definite)."
        )
    if "solve" in who:
        return LinAlgError(_SINGULAR)
    if "eig" in who:
        return LinAlgError(
            "The algorithm failed to converge because the input matrix is ill-conditioned or has "
            f"too many repeated eigenvalues (error code: {info})."
        )
    if "svd" in who:
        return LinAlgError(
            "The algorithm failed to converge because the input matrix is ill-conditioned or has "
            f"too many repeated singular values (error code: {info})."
        )
    if "lu_factor" in who:
        return RuntimeError(
            f"U[{info},{info}] is zero and using it on lu_solve would result in a division by "
            "zero. If you still want to perform the factorization, consider calling "
            "linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
        )
    return RuntimeError(
        'false INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/aten/src/ATen/native/'
        f'BatchLinearAlgebra.cpp":1642, please report a bug to PyTorch. {who}: Unknown error code: '
        f"{info}."
    )


def refuse_failed(info: Array, who: str, matrix: bool | None = None) -> None:
    """Raise for the first matrix of which LAPACK says that it failed."""
    bad = np.flatnonzero(info)
    if not bad.size:
        return
    first = int(bad[0])
    error = failure(who, int(info.reshape(-1)[first]))
    single = info.ndim == 0 if matrix is None else matrix
    place = "" if single else f"(Batch element {first}): "
    text = str(error)
    whole = text if text.startswith("false INTERNAL") else f"{who}: {place}{text}"
    raise type(error)(whole)


def _check_errors(info: Any, api_name: str, is_matrix: bool) -> None:
    if info.dtype is not int32:
        raise RuntimeError(
            'infos.scalar_type() == kInt INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/aten/src/'
            'ATen/native/BatchLinearAlgebra.cpp":1575, please report a bug to PyTorch. '
        )
    while info._sig_ & BATCHED:  # what looks for errors looks at the whole
        info = info._batched.value
    if info.device.type != "meta":
        refuse_failed(np.asarray(info.tolist()), api_name, is_matrix)


op(
    "_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()",
    composite=_check_errors,
    kinds={"functional": "tensors"},
    variants="function",
    samples="_linalg_check_errors",
)


def check_errors(info: Any, who: str, a: Any) -> None:
    """Raise for the first failure in a batch of results for *a*."""
    of("_linalg_check_errors")(info, who, is_matrix=a.dim() == 2)
