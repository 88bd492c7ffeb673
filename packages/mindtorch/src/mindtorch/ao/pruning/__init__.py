"""``torch.ao.pruning``: sparsifiers. The names are here; refused when called."""

from __future__ import annotations

from ..._unavailable import offer

offer(
    globals(),
    "is not in mindtorch: use torch.nn.utils.prune",
    "fqn_to_module get_arg_info_from_tensor_fqn module_to_fqn",
    "BaseDataScheduler BaseDataSparsifier BaseScheduler BaseSparsifier CubicSL FakeSparsity "
    "LambdaSL NearlyDiagonalSparsifier WeightNormSparsifier",
)
