"""``parallelize_module``."""

from __future__ import annotations

import warnings
from fnmatch import fnmatch

from .... import nn
from ....core.warning import warn
from ...device_mesh import DeviceMesh, _mesh_resources
from .style import ParallelStyle

__all__ = ["parallelize_module"]


def parallelize_module(
    module: nn.Module,
    device_mesh: DeviceMesh | None = None,
    parallelize_plan: ParallelStyle | dict[str, ParallelStyle] | None = None,
    *,
    src_data_rank: int | None = 0,
) -> nn.Module:
    """Lay a module on a mesh as a style says, or its submodules as those of their names.

    Warns of names that no submodule has.
    """
    mesh = device_mesh or _mesh_resources.get_current_mesh()
    if parallelize_plan is None:
        warnings.warn(
            "No parallelize_plan is provided and auto-parallel is not supported at the moment, so "
            "this parallelize_module call will do nothing."
        )
        return module
    if isinstance(parallelize_plan, ParallelStyle):
        parallelize_plan.src_data_rank = src_data_rank
        return parallelize_plan._apply(module, mesh)
    if not isinstance(parallelize_plan, dict):
        raise TypeError(
            "Expect Union[ParallelStyle, Dict[str, ParallelStyle]] for parallelize_plan, "
            f"{type(parallelize_plan)} found!"
        )
    for path, style in parallelize_plan.items():
        if path == "":
            parallelize_module(module, mesh, style, src_data_rank=src_data_rank)
            continue
        first, _, rest = path.partition(".")
        found = [child for name, child in module.named_children() if fnmatch(name, first)]
        if not found:
            warn(
                f"Parallelize plan key '{path}' could not be resolved: no submodule matching token "
                f"'{first}' in module {module}, skipping this plan entry.",
            )
        for child in found:
            parallelize_module(child, mesh, {rest: style}, src_data_rank=src_data_rank)
    return module
