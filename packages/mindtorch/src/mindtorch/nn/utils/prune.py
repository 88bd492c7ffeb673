"""Pruning: parameters with elements set to zero by a mask, which gradients respect."""

from __future__ import annotations

import numbers
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import mindtorch as torch

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
        before = None
        found = 0
        for key, hook in module._forward_pre_hooks.items():
            if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
                before, before_key = hook, key
                found += 1
        if found > 1:
            raise AssertionError(
                f"Avoid adding multiple pruning hooks to the same tensor {name} of module "
                f"{module}. Use a PruningContainer."
            )
        if before is not None:
            del module._forward_pre_hooks[before_key]
        method: Any = cls(*args, **kwargs)
        method._tensor_name = name
        if before is not None:
            if isinstance(before, PruningContainer):
                before.add_pruning_method(method)
                method = before
            else:
                container = PruningContainer(before)
                container.add_pruning_method(method)
                method = container
        original = getattr(module, name)
        if importance_scores is not None:
            if importance_scores.shape != original.shape:
                raise AssertionError(
                    f"importance_scores should have the same shape as parameter {name} of "
                    f"{module}, got {importance_scores.shape} vs {original.shape}"
                )
        else:
            importance_scores = original
        if not isinstance(method, PruningContainer):
            module.register_parameter(name + "_orig", module._parameters.pop(name))
            default_mask = torch.ones_like(original)
        else:
            default_mask = (
                getattr(module, name + "_mask")
                .detach()
                .clone(memory_format=torch.contiguous_format)
            )
        try:
            mask = method.compute_mask(importance_scores, default_mask=default_mask)
            module.register_buffer(name + "_mask", mask)
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if not isinstance(method, PruningContainer):
                original = getattr(module, name + "_orig")
                module.register_parameter(name, original)
                del module._parameters[name + "_orig"]
            raise
        return method

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Any:
        """The tensor *t* with zeros where this method prunes it; no module is needed."""
        if importance_scores is not None:
            if importance_scores.shape != t.shape:
                raise AssertionError(
                    "importance_scores should have the same shape as tensor t, "
                    f"got {importance_scores.shape} vs {t.shape}"
                )
        else:
            importance_scores = t
        default_mask = default_mask if default_mask is not None else torch.ones_like(t)
        return t * self.compute_mask(importance_scores, default_mask=default_mask)

    def remove(self, module: Any) -> None:
        """Make the pruned values the parameter; the mask is forgotten."""
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        weight = self.apply_mask(module)
        if hasattr(module, self._tensor_name):
            delattr(module, self._tensor_name)
        original = module._parameters[self._tensor_name + "_orig"]
        original.data = weight.data
        del module._parameters[self._tensor_name + "_orig"]
        del module._buffers[self._tensor_name + "_mask"]
        setattr(module, self._tensor_name, original)


class PruningContainer(BasePruningMethod):
    """Several methods that prune one parameter, one after the other."""

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: tuple[BasePruningMethod | None, ...] = ()
        if not isinstance(args, Iterable):
            self._tensor_name = args._tensor_name
            self.add_pruning_method(args)
        elif len(args) == 1:  # the first of them says which parameter
            self._tensor_name = args[0]._tensor_name
            self.add_pruning_method(args[0])
        else:
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
        mask = default_mask
        method: Any = self._pruning_methods[-1]
        mask = mask.to(dtype=t.dtype)
        if method.PRUNING_TYPE == "unstructured":
            left = mask == 1
        elif method.PRUNING_TYPE == "structured":
            if not hasattr(method, "dim"):
                raise AttributeError(
                    "Pruning methods of PRUNING_TYPE "
                    '"structured" need to have the attribute `dim` defined.'
                )
            # The channels of which something is left.
            dim = method.dim if method.dim >= 0 else t.dim() + method.dim
            others = [d for d in range(t.dim()) if d != dim]
            keep = mask.sum(dim=others) != 0
            left = [slice(None)] * t.dim()
            left[dim] = keep
        elif method.PRUNING_TYPE == "global":
            left = [slice(None)] * len(t.shape)
        else:
            raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
        if isinstance(left, list):
            left = tuple(left)
        partial = method.compute_mask(t[left], default_mask=mask[left])
        new = mask.clone()
        new[left] = partial.to(dtype=new.dtype)
        return new


class Identity(BasePruningMethod):
    """Prunes nothing, with a mask of ones."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        return default_mask

    @classmethod
    def apply(cls, module: Any, name: str) -> Any:  # type: ignore[override]  # as torch has it
        return super().apply(module, name)


class RandomUnstructured(BasePruningMethod):
    """Prunes elements at random.

    :param amount: how many, or which part of them.
    """

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount: float) -> None:
        _validate_pruning_amount_init(amount)
        self.amount = amount

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        tensor_size = t.nelement()
        count = _compute_nparams_toprune(self.amount, tensor_size)
        _validate_pruning_amount(count, tensor_size)
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if count != 0:
            chances = torch.rand_like(t)
            chosen = torch.topk(chances.view(-1), k=count)
            mask.view(-1)[chosen.indices] = 0
        return mask

    @classmethod
    def apply(cls, module: Any, name: str, amount: float) -> Any:  # type: ignore[override]  # as torch
        return super().apply(module, name, amount=amount)


class L1Unstructured(BasePruningMethod):
    """Prunes the elements with the least absolute values.

    :param amount: how many, or which part of them.
    """

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount: float) -> None:
        _validate_pruning_amount_init(amount)
        self.amount = amount

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        tensor_size = t.nelement()
        count = _compute_nparams_toprune(self.amount, tensor_size)
        _validate_pruning_amount(count, tensor_size)
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if count != 0:
            least = torch.topk(torch.abs(t).view(-1), k=count, largest=False)
            mask.view(-1)[least.indices] = 0
        return mask

    @classmethod
    def apply(  # type: ignore[override]  # as torch has it
        cls, module: Any, name: str, amount: float, importance_scores: Any = None
    ) -> Any:
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


class RandomStructured(BasePruningMethod):
    """Prunes whole channels at random.

    :param amount: how many, or which part of them.
    :param dim: the dimension of the channels.
    """

    PRUNING_TYPE = "structured"

    def __init__(self, amount: float, dim: int = -1) -> None:
        _validate_pruning_amount_init(amount)
        self.amount = amount
        self.dim = dim

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        _validate_structured_pruning(t)
        _validate_pruning_dim(t, self.dim)
        tensor_size = t.shape[self.dim]
        count = _compute_nparams_toprune(self.amount, tensor_size)
        _validate_pruning_amount(count, tensor_size)
        chances = torch.rand(tensor_size)
        threshold = torch.kthvalue(chances, k=count).values if count else None
        if count == 0:
            return default_mask
        kept = chances > threshold
        mask = torch.zeros_like(t)
        place: list[Any] = [slice(None)] * len(t.shape)
        place[self.dim] = kept
        mask[tuple(place)] = 1
        mask *= default_mask.to(dtype=mask.dtype)
        return mask

    @classmethod
    def apply(  # type: ignore[override]  # as torch has it
        cls, module: Any, name: str, amount: float, dim: int = -1
    ) -> Any:
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(BasePruningMethod):
    """Prunes the channels with the least norms.

    :param amount: how many, or which part of them.
    :param n: the order of the norm, as :func:`torch.norm` takes it.
    :param dim: the dimension of the channels.
    """

    PRUNING_TYPE = "structured"

    def __init__(self, amount: float, n: Any, dim: int = -1) -> None:
        _validate_pruning_amount_init(amount)
        self.amount = amount
        self.n = n
        self.dim = dim

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        _validate_structured_pruning(t)
        _validate_pruning_dim(t, self.dim)
        tensor_size = t.shape[self.dim]
        count = _compute_nparams_toprune(self.amount, tensor_size)
        kept = tensor_size - count
        _validate_pruning_amount(count, tensor_size)
        norm = _compute_norm(t, self.n, self.dim)
        largest = torch.topk(norm, k=kept, largest=True)
        if count == 0:
            return default_mask
        mask = torch.zeros_like(t)
        place: list[Any] = [slice(None)] * len(t.shape)
        place[self.dim] = largest.indices
        mask[tuple(place)] = 1
        mask *= default_mask.to(dtype=mask.dtype)
        return mask

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
    importance_scores = importance_scores if importance_scores is not None else {}
    if not isinstance(importance_scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    pairs = list(parameters)
    scores = torch.nn.utils.parameters_to_vector(
        [importance_scores.get((module, name), getattr(module, name)) for module, name in pairs]
    )
    default_mask = torch.nn.utils.parameters_to_vector(
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
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
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


def _validate_pruning_amount_init(amount: Any) -> None:
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    whole = isinstance(amount, numbers.Integral)
    if (whole and amount < 0) or (not whole and (float(amount) > 1.0 or float(amount) < 0.0)):
        raise ValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a non-negative "
            "integer"
        )


def _validate_pruning_amount(amount: Any, tensor_size: int) -> None:
    if isinstance(amount, numbers.Integral) and int(amount) > tensor_size:
        raise ValueError(
            f"amount={amount} should be smaller than the number of parameters to "
            f"prune={tensor_size}"
        )


def _validate_structured_pruning(t: Any) -> None:
    shape = t.shape
    if len(shape) <= 1:
        raise ValueError(
            "Structured pruning can only be applied to multidimensional tensors. "
            f"Found tensor of shape {shape} with {len(shape)} dims"
        )


def _compute_nparams_toprune(amount: Any, tensor_size: int) -> int:
    if isinstance(amount, numbers.Integral):
        return amount  # type: ignore[return-value]  # a number of elements
    return round(amount * tensor_size)


def _validate_pruning_dim(t: Any, dim: int) -> None:
    if dim >= t.dim():
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")


def _compute_norm(t: Any, n: Any, dim: int) -> Any:
    dims = list(range(t.dim()))
    if dim < 0:
        dim = dims[dim]
    dims.remove(dim)
    return torch.norm(t, p=n, dim=dims)
