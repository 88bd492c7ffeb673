"""``torch.ao.pruning``: masks of zeros for the parameters of a model, and schedules of them."""

from ._mappings import get_dynamic_sparse_quantized_mapping, get_static_sparse_quantized_mapping
from .scheduler.base_scheduler import BaseScheduler
from .scheduler.cubic_scheduler import CubicSL
from .scheduler.lambda_scheduler import LambdaSL
from .sparsifier.base_sparsifier import BaseSparsifier
from .sparsifier.nearly_diagonal_sparsifier import NearlyDiagonalSparsifier
from .sparsifier.utils import (
    FakeSparsity,
    fqn_to_module,
    get_arg_info_from_tensor_fqn,
    module_to_fqn,
)
from .sparsifier.weight_norm_sparsifier import WeightNormSparsifier

__all__ = [
    "BaseScheduler",
    "BaseSparsifier",
    "CubicSL",
    "FakeSparsity",
    "LambdaSL",
    "NearlyDiagonalSparsifier",
    "WeightNormSparsifier",
    "fqn_to_module",
    "get_arg_info_from_tensor_fqn",
    "get_dynamic_sparse_quantized_mapping",
    "get_static_sparse_quantized_mapping",
    "module_to_fqn",
]
