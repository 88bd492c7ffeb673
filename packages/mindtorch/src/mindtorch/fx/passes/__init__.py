"""Passes over graphs."""

from ...core.submodules import reached as _reached

__getattr__ = _reached(
    __name__,
    (
        "graph_drawer graph_manipulation infra net_min_base operator_support param_fetch "
        "regional_inductor reinplace runtime_assert shape_prop split_module split_utils "
        "splitter_base tools_common utils"
    ).split(),
)
