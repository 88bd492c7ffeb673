# Written by `python -m tests.stubs --write`; see tests/stubs.
from collections.abc import Mapping
from collections.abc import Sequence
from functools import cache
from mindtorch.tensor import Tensor
from mindtorch_storage import DType
from typing import Any

@cache
def _define() -> Any: ...
def _dtype(dtype: DType | int) -> DType: ...
def _node(domain_op: str, attrs: Mapping[str, Any] | None, version: int | None) -> str: ...
def _plain(value: Any) -> Any: ...
def aten_decompositions() -> dict[Any, Any]: ...
def attention(
    Q: Any,
    K: Any,
    V: Any,
    attn_mask: Any = None,
    past_key: Any = None,
    past_value: Any = None,
    *,
    is_causal: Any = False,
    kv_num_heads: Any = 0,
    q_num_heads: Any = 0,
    qk_matmul_output_mode: Any = 0,
    scale: Any = None,
    softcap: Any = 0.0,
    softmax_precision: Any = None,
) -> Any: ...
def rotary_embedding(
    X: Any,
    cos_cache: Any,
    sin_cache: Any,
    position_ids: Any = None,
    *,
    interleaved: Any = False,
    num_heads: Any = 0,
    rotary_embedding_dim: Any = 0,
) -> Any: ...
def symbolic(domain_op: str, /, inputs: Sequence[Tensor | None], attrs: Mapping[str, Any] | None=None, *, dtype: DType | int, shape: Sequence[int], version: int | None=None, metadata_props: Mapping[str, str] | None=None) -> Tensor: ...
def symbolic_multi_out(domain_op: str, /, inputs: Sequence[Tensor | None], attrs: Mapping[str, Any] | None=None, *, dtypes: Sequence[DType | int], shapes: Sequence[Sequence[int]], version: int | None=None, metadata_props: Mapping[str, str] | None=None) -> Sequence[Tensor]: ...
