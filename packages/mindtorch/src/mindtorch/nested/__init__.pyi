# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any

def as_nested_tensor(ts: Any, dtype: Any = None, device: Any = None, layout: Any = None) -> Any: ...
def masked_select(tensor: Any, mask: Any) -> Any: ...
def narrow(tensor: Any, dim: Any, start: Any, length: Any, layout: Any = ...) -> Any: ...
def nested_tensor(
    tensor_list: Any,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
    pin_memory: Any = False,
) -> Any: ...
def nested_tensor_from_jagged(
    values: Any,
    offsets: Any = None,
    lengths: Any = None,
    jagged_dim: Any = None,
    min_seqlen: Any = None,
    max_seqlen: Any = None,
) -> Any: ...
def to_padded_tensor(*args: Any, **kwargs: Any) -> Any: ...
