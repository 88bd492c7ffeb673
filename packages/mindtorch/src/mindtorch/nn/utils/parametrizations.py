"""Ready parametrizations: orthogonal matrices, weight norms, spectral norms."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any

from ... import autograd, linalg, nn
from ...aten import torch
from ...aten.torch import Tensor
from .. import functional as F
from ..modules import Module
from . import parametrize

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def _is_orthogonal(Q: Any, eps: float | None = None) -> bool:
    n, k = Q.size(-2), Q.size(-1)
    eye = torch.eye(k, dtype=Q.dtype, device=Q.device)
    # A reasonable eps, but not too large.
    eps = 10.0 * n * torch.finfo(Q.dtype).eps
    return bool(torch.allclose(Q.mH @ Q, eye, atol=eps))


def _make_orthogonal(A: Any) -> Any:
    """The orthogonal factor of *A* whose other factor has a positive diagonal."""
    reflections, scales = torch.geqrf(A)
    signs = reflections.diagonal(dim1=-2, dim2=-1).sgn()
    return linalg.householder_product(reflections, scales).mul_(signs.unsqueeze(-2))


def _named_weight(module: Module, name: str) -> Tensor:
    """The tensor *name* of *module*. Raises ValueError where there is none."""
    found = getattr(module, name, None)
    if isinstance(found, Tensor):
        return found
    raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")


class _OrthMaps(Enum):
    """How an orthogonal matrix is made of any."""

    matrix_exp = auto()
    cayley = auto()
    householder = auto()


class _Orthogonal(Module):
    base: Tensor

    def __init__(
        self, weight: Any, orthogonal_map: _OrthMaps, *, use_trivialization: bool = True
    ) -> None:
        super().__init__()
        if weight.is_complex() and orthogonal_map == _OrthMaps.householder:
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.orthogonal_map = orthogonal_map
        self.shape = weight.shape
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Any) -> Any:
        wide = X.size(-2) < X.size(-1)
        tall = X.mT if wide else X
        if self.orthogonal_map == _OrthMaps.householder:
            made = self._reflected(tall)
        else:
            made = self._rotated(tall)
        if hasattr(self, "base"):
            made = self.base @ made
        return made.mT if wide else made

    def _reflected(self, x: Any) -> Any:
        """The product of the reflections that stand below the diagonal of *x*."""
        below = x.tril(diagonal=-1)
        scales = 2.0 / ((below * below).sum(dim=-2) + 1.0)
        signs = x.diagonal(dim1=-2, dim2=-1).int()  # 1 or -1
        return linalg.householder_product(below, scales) * signs.unsqueeze(-2)

    def _rotated(self, x: Any) -> Any:
        """The exponential, or Cayley's map, of a skew matrix made of *x*: its first columns."""
        n, k = x.shape[-2:]
        lower = x.tril()
        if n > k:
            zeros = lower.new_zeros(n, n - k).expand(*lower.shape[:-2], -1, -1)
            lower = torch.cat([lower, zeros], dim=-1)
        skew = lower - lower.mH
        if self.orthogonal_map == _OrthMaps.matrix_exp:
            made = torch.matrix_exp(skew)
        else:  # (I - A/2)^-1 (I + A/2)
            eye = torch.eye(n, dtype=skew.dtype, device=skew.device)
            minus, plus = (torch.add(eye, skew, alpha=half) for half in (-0.5, 0.5))
            made = linalg.solve(minus, plus)
        return made[..., :k] if n > k else made

    @autograd.no_grad()
    def right_inverse(self, Q: Any) -> Any:
        if Q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. "
                f"Got a tensor of shape {Q.shape}."
            )
        given = Q
        n, k = Q.size(-2), Q.size(-1)
        transposed = n < k
        if transposed:
            Q = Q.mT
            n, k = k, n
        if not hasattr(self, "base"):
            if self.orthogonal_map != _OrthMaps.householder:
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential or the Cayley "
                    "parametrizations when use_trivialization=False."
                )
            # The reflections of which Q is made; where there is none the diagonal turns round.
            reflections, scales = torch.geqrf(Q)
            signs = reflections.diagonal(dim1=-2, dim2=-1).sign_()
            signs[scales == 0.0] *= -1
            return reflections.mT if transposed else reflections
        if n == k:
            Q = Q.clone() if _is_orthogonal(Q) else _make_orthogonal(Q)
        else:
            rest = torch.randn(*(Q.size()[:-2] + (n, n - k)), dtype=Q.dtype, device=Q.device)
            Q = _make_orthogonal(torch.cat([Q, rest], dim=-1))
        self.base = Q
        # All maps send this to the identity.
        negative = torch.zeros_like(given)
        negative.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return negative


def orthogonal(
    module: Module,
    name: str = "weight",
    orthogonal_map: str | None = None,
    *,
    use_trivialization: bool = True,
) -> Module:
    """Keep a matrix, or a batch of them, orthogonal (unitary if complex).

    :param orthogonal_map: ``"matrix_exp"``, ``"cayley"`` or ``"householder"``.
    :param use_trivialization: around the matrix that was last assigned, which needs memory.
    """
    weight = _named_weight(module, name)
    if weight.ndim < 2:
        raise ValueError(
            f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions."
        )
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1)
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    kind = getattr(_OrthMaps, orthogonal_map, None)
    if kind is None:
        raise ValueError(
            'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". '
            f"Got: {orthogonal_map}"
        )
    made = _Orthogonal(weight, kind, use_trivialization=use_trivialization)
    parametrize.register_parametrization(module, name, made, unsafe=True)
    return module


class _WeightNorm(Module):
    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Any, weight_v: Any) -> Any:
        return torch._weight_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Any) -> Any:
        return torch.norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int = 0) -> Module:
    """Make the weight *name* a length (``original0``) times a direction (``original1``).

    State dicts of :func:`torch.nn.utils.weight_norm` can be loaded.

    :param dim: the dimension along which each slice has a length of its own; None for one length.
    """
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def _weight_norm_compat_hook(
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: Any,
        unexpected_keys: Any,
        error_msgs: Any,
    ) -> None:
        length, direction = f"{prefix}{name}_g", f"{prefix}{name}_v"
        if length in state_dict and direction in state_dict:
            place = f"{prefix}parametrizations.{name}.original"
            state_dict[f"{place}0"] = state_dict.pop(length)
            state_dict[f"{place}1"] = state_dict.pop(direction)

    module._register_load_state_dict_pre_hook(_weight_norm_compat_hook)
    return module


class _SpectralNorm(Module):
    _u: Any
    _v: Any

    def __init__(
        self, weight: Any, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12
    ) -> None:
        super().__init__()
        ndim = weight.ndim
        if not -ndim <= dim < ndim:
            raise IndexError(
                "Dimension out of range (expected to be in range of "
                f"[-{ndim}, {ndim - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got "
                f"n_power_iterations={n_power_iterations}"
            )
        self.dim = dim % ndim
        self.eps = eps
        if ndim > 1:  # of a vector nothing has to be estimated
            self.n_power_iterations = n_power_iterations
            matrix = self._reshape_weight_to_matrix(weight)
            h, w = matrix.size()
            u = matrix.new_empty(h).normal_(0, 1)
            v = matrix.new_empty(w).normal_(0, 1)
            self.register_buffer("_u", F.normalize(u, dim=0, eps=self.eps))
            self.register_buffer("_v", F.normalize(v, dim=0, eps=self.eps))
            self._power_method(matrix, 15)

    def _reshape_weight_to_matrix(self, weight: Any) -> Any:
        if self.dim != 0:
            others = [d for d in range(weight.dim()) if d != self.dim]
            weight = weight.permute(self.dim, *others)
        return weight.flatten(1)

    @autograd.no_grad()
    def _power_method(self, weight_mat: Any, n_power_iterations: int) -> None:
        for _ in range(n_power_iterations):
            # In place, so that replicas on other devices see it.
            self._u = F.normalize(torch.mv(weight_mat, self._v), dim=0, eps=self.eps, out=self._u)
            self._v = F.normalize(torch.mv(weight_mat.H, self._u), dim=0, eps=self.eps, out=self._v)

    def forward(self, weight: Any) -> Any:
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._reshape_weight_to_matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        # The next forward changes the buffers; this one's gradient needs what is now.
        u = self._u.clone(memory_format=torch.contiguous_format)
        v = self._v.clone(memory_format=torch.contiguous_format)
        sigma = torch.vdot(u, torch.mv(matrix, v))
        return weight / sigma

    def right_inverse(self, value: Any) -> Any:
        # What is assigned may have any norm.
        return value


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """Divide the weight *name* by its largest singular value, which is estimated while training.

    :param dim: the dimension of outputs; None for that of the layer.
    """
    weight = _named_weight(module, name)
    if dim is None:
        transposed = (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)
        dim = 1 if isinstance(module, transposed) else 0
    made = _SpectralNorm(weight, n_power_iterations, dim, eps)
    parametrize.register_parametrization(module, name, made)
    return module
