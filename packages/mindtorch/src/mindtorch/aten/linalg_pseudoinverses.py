"""Pseudoinverses and ranks: what is told by singular values above a tolerance."""

from __future__ import annotations

from typing import Any

from ..call.row import op
from ..core.constants import strided
from ..core.dims import scalar_name
from ..core.operators import of, ops
from . import matrix_tangents
from .linalg_common import LAPACK, check_matrix, copied_result, of_types
from .linalg_inverses import pinv_gradient

__all__: list[str] = []


def _check_tolerance(value: Any, name: str, who: str) -> None:
    if hasattr(value, "dtype") and value.dtype.is_complex:
        raise RuntimeError(
            f"{who}: {name} tensor of complex type is not supported. Got {scalar_name(value.dtype)}"
        )


def _tolerances(self: Any, atol: Any, rtol: Any, who: str) -> tuple[Any, Any]:
    """Both as tensors. Source: torch LinearAlgebra.cpp, get_atol_rtol."""
    for value, name in ((atol, "atol"), (rtol, "rtol")):
        _check_tolerance(value, name, who)
    real = ops.float64

    def as_tensor(value: Any) -> Any:
        if hasattr(value, "dtype"):
            return value
        return ops.full((), value, dtype=real, layout=strided, device=self.device)

    if rtol is None:
        if self.dtype.name not in LAPACK:
            raise RuntimeError("This function doesn't handle types other than float and double")
        nonzero = atol is not None and not isinstance(atol, (int, float))
        size = max(self.size(-2), self.size(-1))
        default = ops.finfo(self.dtype).eps * size
        if nonzero:
            rtol = ops.where(atol > 0, as_tensor(0.0), as_tensor(default))
        else:
            rtol = 0.0 if atol is not None and atol > 0 else default
    if atol is None:
        atol = 0.0
    return as_tensor(atol), as_tensor(rtol)


def _zero(like: Any) -> Any:
    """A tensor without dims, as torch makes it for ``where``."""
    return ops.zeros((), dtype=like.dtype, device=like.device)


def _pinv(self: Any, atol: Any, rtol: Any, hermitian: bool) -> Any:
    """The pseudoinverse, by singular values or, of hermitian matrices, eigenvalues."""
    if len(self.shape) < 2 or self.dtype.name not in LAPACK:
        raise RuntimeError(
            f"linalg.pinv({of_types(self)}): expected a tensor with 2 or more dimensions of float, "
            "double, cfloat or cdouble types"
        )
    if self.numel() == 0:  # a product too, which autocast and gradients see
        *batch, m, n = self.shape
        return self.new_zeros((*batch, n, 0)).matmul(self.new_zeros((*batch, 0, m)))
    atol, rtol = _tolerances(self, atol, rtol, "torch.linalg.pinv")
    if hermitian:
        values, vectors = ops.linalg_eigh(self)
        size = values.abs()
        limit = ops.maximum(atol.unsqueeze(-1), rtol.unsqueeze(-1) * size.amax(-1, True))
        inverse = ops.where(size > limit, values.reciprocal(), _zero(values))
        return (vectors * inverse.unsqueeze(-2)).matmul(vectors.mH)
    u, s, vh = ops.linalg_svd(self, False)
    limit = ops.maximum(atol.unsqueeze(-1), rtol.unsqueeze(-1) * s.narrow(-1, 0, 1))
    inverse = ops.where(s > limit, s.reciprocal(), _zero(s)).to(self.dtype)
    return (vh.mH * inverse.unsqueeze(-2)).matmul(u.mH)


op(
    "linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, "
    "bool hermitian=False) -> Tensor",
    says="Return the pseudoinverse of matrices.",
    composite=_pinv,
    kinds={"functional": "explicit", "out": "explicit"},
    module="linalg",
    variants="function",
    out=copied_result("linalg.pinv", "atol_rtol_tensor_out"),
    grad={"self": lambda g, c: pinv_gradient(g, c.result, c.self)},
    samples="linalg_pinv_tensor",
    tangent=matrix_tangents.pinv,
    batch="on_whole",  # of few ranks only its own formula has gradients
)


def _pinv_floats(self: Any, atol: Any, rtol: Any, hermitian: bool) -> Any:
    if len(self.shape) >= 2:
        atol, rtol = _tolerances(self, atol, rtol, "torch.linalg.pinv")
    else:
        atol = rtol = None
    return of("linalg_pinv.atol_rtol_tensor")(self, atol=atol, rtol=rtol, hermitian=hermitian)


op(
    "linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, "
    "bool hermitian=False) -> Tensor",
    composite=_pinv_floats,
    module="linalg",
    variants="function",
    out=copied_result("linalg.pinv", "atol_rtol_float_out"),
    samples="linalg_pinv",
)


def _pinv_rcond(self: Any, rcond: Any, hermitian: bool) -> Any:
    _check_tolerance(rcond, "rcond", "torch.linalg.pinv")
    if hasattr(rcond, "dtype"):
        zero = ops.zeros((), dtype=ops.float64, layout=self.layout, device=self.device)
        return _pinv_floats(self, zero, rcond, hermitian)
    return _pinv_floats(self, 0.0, rcond, hermitian)


op(
    "linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor",
    composite=_pinv_rcond,
    module="linalg",
    variants="function",
    out=copied_result("linalg.pinv"),
    samples="linalg_pinv_rcond",
)
op(
    "linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor",
    composite=_pinv_rcond,
    module="linalg",
    variants="function",
    out=copied_result("linalg.pinv", "out_rcond_tensor"),
    samples="linalg_pinv_rcond_tensor",
    tags=("loops: functional",),
)
op(
    "pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor",
    says="Return the pseudoinverse of matrices.",
    composite=lambda self, rcond: _pinv_floats(self, 0.0, rcond, False),
    samples="pinverse",
    autocast=("float32", ""),
)


def _rank(self: Any, atol: Any, rtol: Any, hermitian: bool) -> Any:
    check_matrix(self, "torch.linalg.matrix_rank", "input")
    for value, name in ((atol, "atol"), (rtol, "rtol")):
        if hasattr(value, "device") and value.device != self.device:
            raise RuntimeError(
                f"torch.linalg.matrix_rank: Expected {name} and input tensors to be on the same "
                f"device, but got {name} on {value.device} and input on {self.device}"
            )
    atol, rtol = _tolerances(self, atol, rtol, "torch.linalg.matrix_rank")
    if self.numel() == 0:
        return ops.zeros(tuple(self.shape[:-2]), dtype=ops.int64, device=self.device)
    if hermitian:
        values = ops.linalg_eigvalsh(self).abs()
        largest = values.amax(-1, True)
    else:
        values = ops.linalg_svdvals(self)
        largest = values.narrow(-1, 0, 1)
    limit = ops.maximum(atol.unsqueeze(-1), rtol.unsqueeze(-1) * largest)
    return (values > limit).sum(-1)


op(
    "linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, "
    "bool hermitian=False) -> Tensor",
    says="Return the number of singular values above a tolerance.",
    composite=_rank,
    module="linalg",
    variants="function",
    out=copied_result("torch.linalg.matrix_rank", "atol_rtol_tensor_out"),
    samples="linalg_rank_tensor",
    autocast=("float32", ""),
)
op(
    "linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, "
    "bool hermitian=False) -> Tensor",
    composite=_rank,
    module="linalg",
    variants="function",
    out=copied_result("torch.linalg.matrix_rank", "atol_rtol_float_out"),
    samples="linalg_rank",
    autocast=("float32", ""),
)


def _rank_tol(self: Any, tol: Any, hermitian: bool) -> Any:
    return _rank(self, tol, 0.0, hermitian)


op(
    "linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor",
    composite=_rank_tol,
    module="linalg",
    variants="function",
    out=copied_result("torch.linalg.matrix_rank"),
    samples="linalg_rank_tol",
    autocast=("float32", ""),
    tags=("loops: functional",),
)
op(
    "linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor",
    composite=_rank_tol,
    module="linalg",
    variants="function",
    out=copied_result("torch.linalg.matrix_rank", "out_tol_tensor"),
    samples="linalg_rank_tol_tensor",
    autocast=("float32", ""),
    tags=("loops: functional",),
)
