"""``torch.ao.quantization.fuse_modules``: layers of a model that become one."""

from __future__ import annotations

import copy
from typing import Any

from mindtorch.nn.utils.parametrize import type_before_parametrizations

from ... import nn
from .fuser_method_mappings import get_fuser_method

__all__ = ["fuse_known_modules", "fuse_modules", "fuse_modules_qat"]


def _place(model: Any, name: str) -> tuple[Any, str]:
    """The module that the one called *name* is in, and its name there."""
    *path, last = name.split(".")
    for part in path:
        model = getattr(model, part)
    return model, last


def fuse_known_modules(
    mod_list: list[Any], is_qat: bool, additional_fuser_method_mapping: Any = None
) -> list[Any]:
    """The one that the modules of *mod_list* become, and identities for the others.

    What is called before the first, and after the last, is called before and after it.
    """
    kinds = tuple(type_before_parametrizations(m) for m in mod_list)
    fused = get_fuser_method(kinds, additional_fuser_method_mapping)(is_qat, *mod_list)
    first, last = mod_list[0], mod_list[-1]
    for key in list(first._forward_pre_hooks):
        fused.register_forward_pre_hook(first._forward_pre_hooks.pop(key))
    for key in list(last._forward_hooks):
        fused.register_forward_hook(last._forward_hooks.pop(key))
    found = [fused]
    for _ in mod_list[1:]:
        identity = nn.Identity()
        identity.training = first.training
        found.append(identity)
    return found


def _fuse_group(model: Any, names: list[str], is_qat: bool, fuser: Any, mapping: Any) -> None:
    places = [_place(model, name) for name in names]
    modules = [getattr(parent, name) for parent, name in places]
    for (parent, name), made in zip(places, fuser(modules, is_qat, mapping), strict=True):
        setattr(parent, name, made)


def _fused(
    model: Any, groups: Any, is_qat: bool, inplace: bool, fuser: Any, config: dict[str, Any] | None
) -> Any:
    if not inplace:
        model = copy.deepcopy(model)
    mapping = (config or {}).get("additional_fuser_method_mapping", {})
    if all(isinstance(name, str) for name in groups):  # one group
        groups = [groups]
    for names in groups:
        _fuse_group(model, names, is_qat, fuser, mapping)
    return model


def fuse_modules(
    model: Any,
    modules_to_fuse: list[Any],
    inplace: bool = False,
    fuser_func: Any = fuse_known_modules,
    fuse_custom_config_dict: dict[str, Any] | None = None,
) -> Any:
    """Fuse layers of a model for evaluation, as convolutions with the norms that follow.

    :param modules_to_fuse: groups of names, or one group.
    :param inplace: change *model* itself.
    """
    return _fused(model, modules_to_fuse, False, inplace, fuser_func, fuse_custom_config_dict)


def fuse_modules_qat(
    model: Any,
    modules_to_fuse: list[Any],
    inplace: bool = False,
    fuser_func: Any = fuse_known_modules,
    fuse_custom_config_dict: dict[str, Any] | None = None,
) -> Any:
    """Put layers of a model into one module each, to be trained with weights that are rounded.

    :param modules_to_fuse: groups of names, or one group.
    :param inplace: change *model* itself.
    """
    return _fused(model, modules_to_fuse, True, inplace, fuser_func, fuse_custom_config_dict)
