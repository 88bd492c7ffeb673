"""Weights divided by their largest singular value, by hooks; see ``parametrizations`` too."""

from __future__ import annotations

from typing import Any, TypeVar

from ... import linalg
from ...aten import torch
from .. import functional as F
from ..modules import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d, Module
from ..parameter import Parameter, UninitializedParameter

__all__ = [
    "SpectralNorm",
    "SpectralNormLoadStateDictPreHook",
    "SpectralNormStateDictHook",
    "remove_spectral_norm",
    "spectral_norm",
]

T_module = TypeVar("T_module", bound=Module)


class SpectralNorm:
    """The hook that divides the weight before each forward, and estimates by what.

    The estimate is the power method's: each forward in training continues it.
    """

    #: Since 1, files hold ``v`` and not the weight that was computed.
    _version: int = 1
    name: str
    dim: int
    n_power_iterations: int
    eps: float

    def __init__(
        self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12
    ) -> None:
        self.name = name
        self.dim = dim
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got "
                f"n_power_iterations={n_power_iterations}"
            )
        self.n_power_iterations = n_power_iterations
        self.eps = eps

    def reshape_weight_to_matrix(self, weight: Any) -> Any:
        """The weight as a matrix whose rows are slices along ``dim``."""
        matrix = weight
        if self.dim != 0:
            others = [d for d in range(matrix.dim()) if d != self.dim]
            matrix = matrix.permute(self.dim, *others)
        return matrix.reshape(matrix.size(0), -1)

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Any:
        """The weight over its largest singular value.

        :param do_power_iteration: improve the singular vectors first, in the module's buffers.
        """
        weight = getattr(module, self.name + "_orig")
        u = getattr(module, self.name + "_u")
        v = getattr(module, self.name + "_v")
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with torch.no_grad():
                for _ in range(self.n_power_iterations):
                    v = F.normalize(torch.mv(matrix.t(), u), dim=0, eps=self.eps, out=v)
                    u = F.normalize(torch.mv(matrix, v), dim=0, eps=self.eps, out=u)
                if self.n_power_iterations > 0:
                    # The next forward changes the buffers; this one's gradient needs what is now.
                    u = u.clone(memory_format=torch.contiguous_format)
                    v = v.clone(memory_format=torch.contiguous_format)
        sigma = torch.dot(u, torch.mv(matrix, v))
        return weight / sigma

    def remove(self, module: Module) -> None:
        """Make the divided weight a parameter, and forget the rest."""
        with torch.no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for suffix in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + suffix)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Module, inputs: Any) -> None:
        weight = self.compute_weight(module, do_power_iteration=module.training)
        setattr(module, self.name, weight)

    def _solve_v_and_rescale(self, weight_mat: Any, u: Any, target_sigma: Any) -> Any:
        """The right singular vector that belongs to *u*, so that the estimate is *target_sigma*."""
        gram = weight_mat.t().mm(weight_mat).pinverse()
        v = linalg.multi_dot([gram, weight_mat.t(), u.unsqueeze(1)]).squeeze(1)
        return v.mul_(target_sigma / torch.dot(u, torch.mv(weight_mat, v)))

    @staticmethod
    def apply(
        module: Module, name: str, n_power_iterations: int, dim: int, eps: float
    ) -> SpectralNorm:
        """Register the hook for the weight *name* of *module*, with its buffers."""
        hooks = module._forward_pre_hooks.values()
        if any(isinstance(hook, SpectralNorm) and hook.name == name for hook in hooks):
            raise RuntimeError(
                f"Cannot register two spectral_norm hooks on the same parameter {name}"
            )
        weight = module._parameters[name]
        fn = SpectralNorm(name, n_power_iterations, dim, eps)
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        if isinstance(weight, UninitializedParameter):
            raise ValueError(
                "The module passed to `SpectralNorm` can't have uninitialized parameters. Make "
                "sure to run the dummy forward before applying spectral normalization"
            )
        sizes = fn.reshape_weight_to_matrix(weight).size()
        with torch.no_grad():
            vectors = [
                F.normalize(weight.new_empty(n).normal_(0, 1), dim=0, eps=eps) for n in sizes
            ]
        delattr(module, name)
        module.register_parameter(f"{name}_orig", weight)
        # No parameter, so that assigning the divided weight to it is allowed.
        setattr(module, name, weight.data)
        for side, vector in zip("uv", vectors, strict=True):
            module.register_buffer(f"{name}_{side}", vector)
        for register, hook in (
            (module.register_forward_pre_hook, fn),
            (module._register_state_dict_hook, SpectralNormStateDictHook(fn)),
            (module._register_load_state_dict_pre_hook, SpectralNormLoadStateDictPreHook(fn)),
        ):
            register(hook)
        return fn


class SpectralNormLoadStateDictPreHook:
    """Finds ``v`` for files of before version 1, which have the divided weight in its place."""

    def __init__(self, fn: SpectralNorm) -> None:
        self.fn = fn

    def __call__(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: Any,
        unexpected_keys: Any,
        error_msgs: Any,
    ) -> None:
        fn = self.fn
        version = local_metadata.get("spectral_norm", {}).get(fn.name + ".version", None)
        if version is not None and version >= 1:
            return
        key = prefix + fn.name
        whole = all(key + suffix in state_dict for suffix in ("_orig", "_u", "_v"))
        if version is None and whole and key not in state_dict:
            return
        missing = [key + s for s in ("_orig", "", "_u") if key + s not in state_dict]
        if missing:
            if strict:
                missing_keys.extend(missing)
            return
        with torch.no_grad():
            original = state_dict[key + "_orig"]
            weight = state_dict.pop(key)
            sigma = (original / weight).mean()
            matrix = fn.reshape_weight_to_matrix(original)
            state_dict[key + "_v"] = fn._solve_v_and_rescale(matrix, state_dict[key + "_u"], sigma)


class SpectralNormStateDictHook:
    """Notes the version in the metadata of a state dict."""

    def __init__(self, fn: SpectralNorm) -> None:
        self.fn = fn

    def __call__(self, module: Any, state_dict: Any, prefix: str, local_metadata: Any) -> None:
        versions = local_metadata.setdefault("spectral_norm", {})
        key = self.fn.name + ".version"
        if key in versions:
            raise RuntimeError(f"Unexpected key in metadata['spectral_norm']: {key}")
        versions[key] = self.fn._version


def spectral_norm(
    module: T_module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> T_module:
    """Divide the weight *name* by its largest singular value before each forward.

    :param dim: the dimension of outputs; None for that of the layer.
    """
    if dim is None:
        transposed = (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)
        dim = 1 if isinstance(module, transposed) else 0
    SpectralNorm.apply(module, name, n_power_iterations, dim, eps)
    return module


def remove_spectral_norm(module: T_module, name: str = "weight") -> T_module:
    """Undo :func:`spectral_norm`. Raises ValueError where it was not applied."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            break
    else:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    for key, state_hook in module._state_dict_hooks.items():
        if isinstance(state_hook, SpectralNormStateDictHook) and state_hook.fn.name == name:
            del module._state_dict_hooks[key]
            break
    for key, load_hook in module._load_state_dict_pre_hooks.items():
        inner = getattr(load_hook, "hook", load_hook)
        if isinstance(inner, SpectralNormLoadStateDictPreHook) and inner.fn.name == name:
            del module._load_state_dict_pre_hooks[key]
            break
    return module
