"""Pruning: parameters with elements set to zero by a mask, which gradients respect."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from ...aten import torch
from ...core.module_names import adopt, spelled_out
from . import _pruning_amounts
from ._pruning_amounts import (
    _compute_norm,
    _compute_nparams_toprune,
    _validate_pruning_amount,
    _validate_pruning_amount_init,
    _validate_pruning_dim,
    _validate_structured_pruning,
)
from .convert_parameters import parameters_to_vector

__all__ = [
    "BasePruningMethod",
    "CustomFromMask",
    "Identity",
    "L1Unstructured",
    "LnStructured",
    "PruningContainer",
    "RandomStructured",
    "RandomUnstructured",
    "custom_from_mask",
    "global_unstructured",
    "identity",
    "is_pruned",
    "l1_unstructured",
    "ln_structured",
    "random_structured",
    "random_unstructured",
    "remove",
]

_DENSE = torch.contiguous_format


class BasePruningMethod(ABC):
    """What says which elements are pruned, and the hook that applies the mask before a forward.

    A subclass has ``PRUNING_TYPE`` (``"unstructured"``, ``"structured"`` or ``"global"``) and
    ``compute_mask``.
    """

    _tensor_name: str

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask of *t*: *default_mask*, with zeros where this method prunes more."""

    def apply_mask(self, module: Any) -> Any:
        """The parameter of *module* times its mask."""
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        mask = getattr(module, self._tensor_name + "_mask")
        original = getattr(module, self._tensor_name + "_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(
        cls,
        module: Any,
        name: str,
        *args: Any,
        importance_scores: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Prune the parameter *name* of *module*, on top of what pruned it before.

        :param importance_scores: by what elements are judged, the parameter itself if None.
        """
        mine = [k for k, hook in module._forward_pre_hooks.items() if _prunes(hook, name)]
        if len(mine) > 1:
            raise AssertionError(
                f"Avoid adding multiple pruning hooks to the same tensor {name} of module "
                f"{module}. Use a PruningContainer."
            )
        earlier = [module._forward_pre_hooks.pop(key) for key in mine]
        method: Any = cls(*args, **kwargs)
        method._tensor_name = name
        for hook in earlier:  # one at the most
            container = hook if isinstance(hook, PruningContainer) else PruningContainer(hook)
            container.add_pruning_method(method)
            method = container
        original = getattr(module, name)
        scores = _scores_for(original, importance_scores, f"parameter {name} of {module}")
        first = not isinstance(method, PruningContainer)
        mask_name, original_name = f"{name}_mask", f"{name}_orig"
        if first:
            module.register_parameter(original_name, original)
            del module._parameters[name]
            before = torch.ones_like(original)
        else:
            before = getattr(module, mask_name).detach().clone(memory_format=_DENSE)
        try:
            module.register_buffer(mask_name, method.compute_mask(scores, default_mask=before))
            method(module, None)
            module.register_forward_pre_hook(method)
        except Exception:
            if first:
                module.register_parameter(name, module._parameters.pop(original_name))
            raise
        return method

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Any:
        """The tensor *t* with zeros where this method prunes it; no module is needed."""
        scores = _scores_for(t, importance_scores, "tensor t")
        before = torch.ones_like(t) if default_mask is None else default_mask
        return self.compute_mask(scores, default_mask=before) * t

    def remove(self, module: Any) -> None:
        """Make the pruned values the parameter; the mask is forgotten."""
        name = self._tensor_name
        if name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        values = self.apply_mask(module).data
        vars(module).pop(name, None)
        del module._buffers[f"{name}_mask"]
        param = module._parameters.pop(f"{name}_orig")
        param.data = values
        setattr(module, name, param)


def _prunes(hook: Any, name: str) -> bool:
    return isinstance(hook, BasePruningMethod) and hook._tensor_name == name


def _scores_for(t: Any, scores: Any, what: str) -> Any:
    """By what the elements of *t* are judged: *scores*, or *t* itself."""
    if scores is None:
        return t
    if scores.shape != t.shape:
        raise AssertionError(
            f"importance_scores should have the same shape as {what}, got {scores.shape} vs "
            f"{t.shape}"
        )
    return scores


class PruningContainer(BasePruningMethod):
    """Several methods that prune one parameter, one after the other."""

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: tuple[BasePruningMethod | None, ...] = ()
        if len(args) == 1:  # it says which parameter
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        """Prune by *method*, too. Raises TypeError, or ValueError for another parameter."""
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(
                "Can only add pruning methods acting on the parameter named "
                f"'{self._tensor_name}' to PruningContainer {self}."
                f" Found '{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Any:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: Any) -> Any:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask of the last method, of what the earlier ones left."""
        method: Any = self._pruning_methods[-1]
        places = self._places_(method, t, default_mask)
        whole = default_mask.to(dtype=t.dtype, copy=True)
        whole[places] = method.compute_mask(t[places], default_mask=whole[places]).to(whole.dtype)
        return whole

    @staticmethod
    def _places_(method: Any, t: Any, mask: Any) -> Any:
        """The places of *t* that *method* may judge."""
        kind = method.PRUNING_TYPE
        if kind == "unstructured":
            return mask.to(t.dtype) == 1
        everywhere = [slice(None)] * t.dim()
        if kind == "global":
            return tuple(everywhere)
        if kind != "structured":
            raise ValueError(f"Unrecognized PRUNING_TYPE {kind}")
        if not hasattr(method, "dim"):
            raise AttributeError(
                'Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` '
                "defined."
            )
        # The channels of which something is left.
        dim = method.dim % t.dim() if method.dim < 0 else method.dim
        others = [d for d in range(t.dim()) if d != dim]
        return _channels(t, dim, mask.to(t.dtype).sum(dim=others) != 0)


def _channels(t: Any, dim: int, chosen: Any) -> tuple[Any, ...]:
    """An index of the *chosen* channels of *t*."""
    index: list[Any] = [slice(None)] * t.dim()
    index[dim] = chosen
    return tuple(index)


class Identity(BasePruningMethod):
    """Prunes nothing, with a mask of ones."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        return default_mask

    @classmethod
    def apply(cls, module: Any, name: str) -> Any:  # type: ignore[override]  # as torch has it
        return super().apply(module, name)


@spelled_out()
class _ByElements(BasePruningMethod):
    """Prunes as many elements as *amount* says, or that part of them."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount: float) -> None:
        _validate_pruning_amount_init(amount)
        self.amount = amount

    def _pruned_(self, t: Any, count: int) -> Any:
        """The numbers of *count* elements that are to go."""
        raise NotImplementedError

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        count = _compute_nparams_toprune(self.amount, t.nelement())
        _validate_pruning_amount(count, t.nelement())
        mask = default_mask.clone(memory_format=_DENSE)
        if count:
            mask.view(-1)[self._pruned_(t, count)] = 0
        return mask


class RandomUnstructured(_ByElements):
    """Prunes elements at random.

    :param amount: how many, or which part of them.
    """

    def _pruned_(self, t: Any, count: int) -> Any:
        return torch.rand_like(t).view(-1).topk(count).indices

    @classmethod
    def apply(cls, module: Any, name: str, amount: float) -> Any:  # type: ignore[override]  # as torch
        return super().apply(module, name, amount=amount)


class L1Unstructured(_ByElements):
    """Prunes the elements with the least absolute values.

    :param amount: how many, or which part of them.
    """

    def _pruned_(self, t: Any, count: int) -> Any:
        return t.abs().view(-1).topk(count, largest=False).indices

    @classmethod
    def apply(  # type: ignore[override]  # as torch has it
        cls, module: Any, name: str, amount: float, importance_scores: Any = None
    ) -> Any:
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


@spelled_out()
class _ByChannels(BasePruningMethod):
    """Prunes as many channels as *amount* says, or that part of them."""

    PRUNING_TYPE = "structured"
    amount: float
    dim: int

    def _kept_(self, t: Any, count: int) -> Any:
        """What chooses the channels that stay, all but *count*."""
        raise NotImplementedError

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        _validate_structured_pruning(t)
        _validate_pruning_dim(t, self.dim)
        channels = t.shape[self.dim]
        count = _compute_nparams_toprune(self.amount, channels)
        _validate_pruning_amount(count, channels)
        kept = self._kept_(t, count)
        if not count:
            return default_mask
        mask = torch.zeros_like(t)
        mask[_channels(t, self.dim, kept)] = 1
        return mask.mul_(default_mask.to(mask.dtype))


class RandomStructured(_ByChannels):
    """Prunes whole channels at random.

    :param amount: how many, or which part of them.
    :param dim: the dimension of the channels.
    """

    def __init__(self, amount: float, dim: int = -1) -> None:
        _validate_pruning_amount_init(amount)
        self.amount = amount
        self.dim = dim

    def _kept_(self, t: Any, count: int) -> Any:
        chances = torch.rand(t.shape[self.dim])
        return chances > chances.kthvalue(count).values if count else None

    @classmethod
    def apply(  # type: ignore[override]  # as torch has it
        cls, module: Any, name: str, amount: float, dim: int = -1
    ) -> Any:
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(_ByChannels):
    """Prunes the channels with the least norms.

    :param amount: how many, or which part of them.
    :param n: the order of the norm, as :func:`torch.norm` takes it.
    :param dim: the dimension of the channels.
    """

    def __init__(self, amount: float, n: Any, dim: int = -1) -> None:
        _validate_pruning_amount_init(amount)
        self.amount = amount
        self.n = n
        self.dim = dim

    def _kept_(self, t: Any, count: int) -> Any:
        left = t.shape[self.dim] - count
        return _compute_norm(t, self.n, self.dim).topk(left).indices

    @classmethod
    def apply(  # type: ignore[override]  # as torch has it
        cls,
        module: Any,
        name: str,
        amount: float,
        n: Any,
        dim: int,
        importance_scores: Any = None,
    ) -> Any:
        return super().apply(
            module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores
        )


class CustomFromMask(BasePruningMethod):
    """Prunes what a given mask says."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Any) -> None:
        self.mask = mask

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape "
                f"{self.mask.shape}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)

    @classmethod
    def apply(cls, module: Any, name: str, mask: Any) -> Any:  # type: ignore[override]  # as torch
        return super().apply(module, name, mask=mask)


def identity(module: Any, name: str) -> Any:
    """Give the parameter *name* a mask of ones, which prunes nothing."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: Any, name: str, amount: float) -> Any:
    """Prune elements of the parameter *name* at random."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module: Any, name: str, amount: float, importance_scores: Any = None) -> Any:
    """Prune the elements of the parameter *name* with the least absolute values."""
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: Any, name: str, amount: float, dim: int) -> Any:
    """Prune channels of the parameter *name* along *dim* at random."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: Any, name: str, amount: float, n: Any, dim: int, importance_scores: Any = None
) -> Any:
    """Prune the channels of the parameter *name* along *dim* with the least *n*-norms."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def global_unstructured(
    parameters: Any, pruning_method: Any, importance_scores: Any = None, **kwargs: Any
) -> None:
    """Prune several parameters as if they were one.

    :param parameters: pairs of a module and a parameter's name.
    :param pruning_method: a subclass of :class:`BasePruningMethod` that is unstructured.
    :param importance_scores: a dictionary from such pairs to scores.
    """
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    given = {} if importance_scores is None else importance_scores
    if not isinstance(given, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    pairs = list(parameters)
    scores = parameters_to_vector(
        [given.get((module, name), getattr(module, name)) for module, name in pairs]
    )
    default_mask = parameters_to_vector(
        [
            getattr(module, name + "_mask", torch.ones_like(getattr(module, name)))
            for module, name in pairs
        ]
    )
    container = PruningContainer()
    container._tensor_name = "temp"
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    container.add_pruning_method(method)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            'Only "unstructured" PRUNING_TYPE supported for '
            f"the `pruning_method`. Found method {pruning_method} of type {method.PRUNING_TYPE}"
        )
    final = container.compute_mask(scores, default_mask)
    start = 0
    for module, name in pairs:
        param = getattr(module, name)
        count = param.numel()
        custom_from_mask(module, name, mask=final[start : start + count].view_as(param))
        start += count


def custom_from_mask(module: Any, name: str, mask: Any) -> Any:
    """Prune the parameter *name* where *mask* is zero."""
    CustomFromMask.apply(module, name, mask)
    return module


def remove(module: Any, name: str) -> Any:
    """Make the pruning of the parameter *name* permanent. Raises ValueError where there is none."""
    for key, hook in module._forward_pre_hooks.items():
        if _prunes(hook, name):
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(
        f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed"
    )


def is_pruned(module: Any) -> bool:
    """Whether *module*, or one inside it, has pruned parameters."""
    return any(
        isinstance(hook, BasePruningMethod)
        for _, inner in module.named_modules()
        for hook in inner._forward_pre_hooks.values()
    )


adopt(__name__, _pruning_amounts)
