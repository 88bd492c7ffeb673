"""``torch.ao.pruning.sparsifier.base_sparsifier``: masks of a model's parameters, kept together."""

from __future__ import annotations

import abc
from collections import defaultdict
from copy import deepcopy
from typing import Any

from .... import nn
from ....aten import torch
from ....autograd.grad_mode import no_grad
from ....nn.utils import parametrize
from ....nn.utils.parametrize import type_before_parametrizations
from .utils import (
    FakeSparsity,
    get_arg_info_from_tensor_fqn,
    module_contains_param,
    module_to_fqn,
    swap_module,
)

__all__ = ["BaseSparsifier"]

SUPPORTED_MODULES: set[type[nn.Module]] = {nn.Linear}
#: Where a tensor is, which is found again from its name when a state is loaded.
KEYS_NOT_IN_STATE_DICT = ["module", "module_fqn", "tensor_name"]


class BaseSparsifier(abc.ABC):
    """What all sparsifiers share: a derived class says in ``update_mask`` which numbers go.

    Args:
        defaults: options for the tensors whose group does not say otherwise.
    """

    model: nn.Module
    config: list[dict[str, Any]]

    def __init__(self, defaults: dict[str, Any] | None = None) -> None:
        super().__init__()
        self.defaults: dict[str, Any] = defaults or {}
        self.state: dict[str, dict[str, Any]] = defaultdict(dict)
        self.groups: list[dict[str, Any]] = []
        self.enable_mask_update = True

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "groups": self.groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __repr__(self) -> str:
        text = type(self).__name__ + " ("
        for number, group in enumerate(self.groups):
            text += f"\n\tGroup {number}\n\t    module: {group['module']}\n"
            for key in sorted(group.keys() - {"module"}):
                text += f"\t    {key}: {group[key]}\n"
        return text + ")"

    def state_dict(self) -> dict[str, Any]:
        """Give the masks by the names of tensors (``state``), and the options (``groups``)."""
        groups = [
            {key: value for key, value in group.items() if key not in KEYS_NOT_IN_STATE_DICT}
            for group in self.groups
        ]
        return {"state": self.state, "groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any], strict: bool = True) -> None:
        """Take masks and options from *state_dict*, for tensors of the prepared model.

        Raises:
            RuntimeError: *strict*, and the model has no module of a name.
        """
        groups = deepcopy(state_dict["groups"])
        states = state_dict["state"]
        for name, state in states.items():
            where = get_arg_info_from_tensor_fqn(self.model, name)
            if strict and where["module"] is None:
                raise RuntimeError(f"Error loading {name} into the model")
            sparsity = _sparsity_of(where["module"], where["tensor_name"])
            if state.get("mask") is not None:
                sparsity.mask = state.pop("mask")
            for group in groups:
                if group["tensor_fqn"] == name:
                    group.update(where)
        self.__setstate__({"state": states, "groups": groups})

    def make_config_from_model(
        self, model: nn.Module, SUPPORTED_MODULES: set[type[nn.Module]] = SUPPORTED_MODULES
    ) -> None:
        """Put the weights of all modules of *SUPPORTED_MODULES* into ``config``."""
        self.config = []
        left = [model]
        while left:
            for child in left.pop().children():
                if type(child) in SUPPORTED_MODULES:
                    self.config.append({"tensor_fqn": f"{module_to_fqn(model, child)}.weight"})
                else:
                    left.append(child)

    def prepare(self, model: nn.Module, config: list[dict[str, Any]] | None) -> None:
        """Give the tensors of *model* that *config* names masks of ones.

        The model is changed.

        Args:
            model: what has the tensors.
            config: for each tensor its name, ``tensor_fqn``, and options; the weights of all
                linear layers by default.

        Raises:
            AssertionError: an element of *config* is no dict or names no tensor, or says of its
                place something else than the name.
        """
        self.model = model
        if config is None:
            self.make_config_from_model(model)
        else:
            self.config = config
        for given in self.config:
            self.groups.append(self._group(model, given))
        self._prepare()

    def _group(self, model: nn.Module, given: Any) -> dict[str, Any]:
        """The options for a tensor, with its place."""
        if not isinstance(given, dict):
            raise AssertionError(
                "config elements should be dicts not modules i.e.:"
                "[{`tensor_fqn`: `foo.bar.weight`}, {`tensor_fqn`: ... }, ...]"
            )
        if not isinstance(self.defaults, dict):
            raise AssertionError("defaults must be a dict")
        group = {**deepcopy(self.defaults), **given}
        name = group.get("tensor_fqn")
        if name is None:
            raise AssertionError(
                "tensor_fqn is a required argument in the sparsity config which "
                "replaces previous `module` and [module]`fqn` arguments"
            )
        where = get_arg_info_from_tensor_fqn(model, name)
        for key in where.keys() & group.keys():
            if where[key] != group[key]:
                raise AssertionError(
                    f"Given both `{key}` and `tensor_fqn` in the config, "
                    "it is expected them to agree!"
                )
        return {**group, **where}

    def _prepare(self, *args: Any, **kwargs: Any) -> None:
        """Register the mask of each group as a parametrization."""
        for group in self.groups:
            module, name = group["module"], group["tensor_name"]
            mask = group.get("mask", torch.ones_like(getattr(module, name)))
            self.state[group["tensor_fqn"]]["mask"] = mask
            made = group.get("parametrization", FakeSparsity)(mask)
            parametrize.register_parametrization(module, name, made)

    def squash_mask(
        self,
        params_to_keep: tuple[str, ...] | None = None,
        params_to_keep_per_layer: dict[str, tuple[str, ...]] | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        """Write the zeros into the tensors, and take the masks away.

        Args:
            params_to_keep: options that each module keeps in a dict ``sparse_params``.
            params_to_keep_per_layer: further ones, by the names of modules.

        Raises:
            KeyError: a group has no such option.
        """
        for group in self.groups:
            module = group["module"]
            parametrize.remove_parametrizations(
                module, group["tensor_name"], leave_parametrized=True
            )
            kept = (params_to_keep_per_layer or {}).get(group["module_fqn"]) or ()
            options = {key: group[key] for key in (*(params_to_keep or ()), *kept)}
            if options:
                module.sparse_params = options

    def convert(
        self,
        module: nn.Module,
        mapping: dict[type[nn.Module], type[nn.Module]] | None = None,
        inplace: bool = False,
        parameterization: type[nn.Module] = FakeSparsity,
    ) -> nn.Module:
        """Put other modules in the place of those that have masks.

        Args:
            module: the model.
            mapping: classes, and what is made of them by ``from_dense``.
            inplace: change *module*, not a copy.
            parameterization: the class of masks.

        Raises:
            NotImplementedError: there is no *mapping*.
        """
        if mapping is None:
            raise NotImplementedError("Need to auto generate mapping ")
        if not inplace:
            module = deepcopy(module)
        made = {}
        for name, child in module.named_children():
            if (
                module_contains_param(child, parameterization)
                and type_before_parametrizations(child) in mapping
            ):
                made[name] = swap_module(child, mapping)
            else:
                made[name] = self.convert(
                    child, mapping=mapping, inplace=True, parameterization=parameterization
                )
        module._modules.update(made)
        return module

    def step(self, use_path: bool = True) -> None:
        """Compute all masks anew, unless ``enable_mask_update`` is False."""
        if not self.enable_mask_update:
            return
        with no_grad():
            for group in self.groups:
                self.update_mask(**group)

    @abc.abstractmethod
    def update_mask(self, module: nn.Module, tensor_name: str, **kwargs: Any) -> None:
        """Write a new mask for the tensor *tensor_name* of *module*; options come by name."""


def _sparsity_of(module: nn.Module, name: str) -> FakeSparsity:
    """The mask's parametrization of a tensor that has some, which gets one of ones if need be."""
    lists: Any = module.parametrizations
    for one in lists[name]:
        if isinstance(one, FakeSparsity):
            return one
    made = FakeSparsity(torch.ones(getattr(module, name).shape))
    parametrize.register_parametrization(module, name, made)
    return made
