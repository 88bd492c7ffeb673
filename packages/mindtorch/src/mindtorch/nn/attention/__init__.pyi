# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.tensor.types import _bool
from . import _utils as _utils
from . import bias as bias
from . import flex_attention as flex_attention
from . import varlen as varlen
from collections.abc import Iterable
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

class SDPBackend(metaclass=_Members):
    __slots__ = ('_name', '_value')
    _all: dict[int, SDPBackend] = {}
    ERROR: SDPBackend
    MATH: SDPBackend
    FLASH_ATTENTION: SDPBackend
    EFFICIENT_ATTENTION: SDPBackend
    CUDNN_ATTENTION: SDPBackend
    OVERRIDEABLE: SDPBackend

    def __new__(cls, value: int) -> SDPBackend:
        ...

    @property
    def name(self) -> str:
        ...

    @property
    def value(self) -> int:
        ...

    def __int__(self) -> int:
        ...
    __index__ = __int__

    def __hash__(self) -> int:
        ...

    def __eq__(self, other: object) -> bool:
        ...

    def __repr__(self) -> str:
        ...

    def __str__(self) -> str:
        ...

    def __reduce__(self) -> Any:
        ...
WARN_FOR_UNFUSED_KERNELS: _bool
class _Members(type):
    __members__: dict[str, Any] = {}
def _backend_from_string(name: str) -> Any: ...
def _cur_sdpa_kernel_backends(with_priority: bool=False) -> list[SDPBackend]: ...
def _sdpa_kernel(backends: Iterable[Any], set_priority: bool=False) -> None: ...
def _sdpa_kernel_variadic(*backends: Any) -> Any: ...
def activate_flash_attention_impl(impl: str) -> None: ...
def current_flash_attention_impl() -> str | None: ...
def list_flash_attention_impls() -> list[str]: ...
def register_flash_attention_impl(impl: str, *, register_fn: Any) -> None: ...
def restore_flash_attention_impl(_raise_warn: bool=True) -> None: ...
@contextmanager
def sdpa_kernel(backends: Any, set_priority: bool=False) -> Iterator[dict[Any, Any]]: ...
