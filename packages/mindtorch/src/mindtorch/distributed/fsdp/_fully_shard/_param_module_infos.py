"""Which modules have the parameters of a group."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._fsdp_param import ParamModuleInfo

__all__ = ["_get_param_module_infos"]


def _get_param_module_infos(params: list[Any], modules: Iterable[Any]) -> list[ParamModuleInfo]:
    """For each parameter the modules that have it, however often.

    Raises AssertionError for a parameter that none of *modules* has.
    """
    wanted, found = set(params), dict[Any, ParamModuleInfo]()
    for root in modules:
        for _, module in root.named_modules(remove_duplicate=False):
            for name, p in module._parameters.items():
                if p is None or p not in wanted:
                    continue
                if p not in found:
                    found[p] = ParamModuleInfo(module, name)
                else:
                    found[p].shared_modules.append(module)
                    found[p].shared_param_names.append(name)
    if len(found) != len(wanted):
        raise AssertionError(f"Some parameters are not in the module tree of {modules}")
    return [found[p] for p in params]
