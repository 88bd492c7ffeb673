# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import scheduler as scheduler
from . import sparsifier as sparsifier

BaseScheduler: Any
BaseSparsifier: Any
CubicSL: Any
FakeSparsity: Any
LambdaSL: Any
NearlyDiagonalSparsifier: Any
WeightNormSparsifier: Any
def fqn_to_module(model: Any, path: Any) -> Any: ...
def get_arg_info_from_tensor_fqn(model: Any, tensor_fqn: Any) -> Any: ...
def get_dynamic_sparse_quantized_mapping() -> Any: ...
def get_static_sparse_quantized_mapping() -> Any: ...
def module_to_fqn(model: Any, module: Any, prefix: Any = "") -> Any: ...
