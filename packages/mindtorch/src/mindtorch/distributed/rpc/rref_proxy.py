"""``torch.distributed.rpc.rref_proxy``: methods of the value behind a reference."""

from __future__ import annotations

from functools import partial
from typing import Any

from .constants import UNSET_RPC_TIMEOUT

__all__ = ["RRefProxy"]


def _call_method(method_name: str, rref: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a method of the value of *rref*."""
    return getattr(rref.local_value(), method_name)(*args, **kwargs)


def _invoke_rpc(
    rref: Any, rpc_api: Any, func_name: str, timeout: float, *args: Any, **kwargs: Any
) -> Any:
    kind = rref._get_type()
    if kind is not type(None):
        getattr(kind, func_name)  # raises in the words of the class
    return rpc_api(
        rref.owner(), _call_method, args=(func_name, rref, *args), kwargs=kwargs, timeout=timeout
    )


class RRefProxy:
    """Calls methods of the value of *rref* through *rpc_api*."""

    def __init__(self, rref: Any, rpc_api: Any, timeout: float = UNSET_RPC_TIMEOUT) -> None:
        self.rref, self.rpc_api, self.rpc_timeout = rref, rpc_api, timeout

    def __getattr__(self, func_name: str) -> Any:
        return partial(_invoke_rpc, self.rref, self.rpc_api, func_name, self.rpc_timeout)
