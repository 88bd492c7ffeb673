"""``torch.distributed.tensor.debug``: what distributed tensors exchange."""

from functools import _CacheInfo

from mindtorch.core.unavailable import offer_listed

from .._dispatch import propagator
from ._comm_mode import CommDebugMode

__all__ = ["CommDebugMode", "visualize_sharding"]
offer_listed(globals())


def _clear_sharding_prop_cache() -> None:
    """Forget how calls were split."""
    propagator.forget()


def _get_fast_path_sharding_prop_cache_stats() -> tuple[int, int]:
    """How many calls were split as before, and how many were planned."""
    return propagator.hits, propagator.misses


def _get_python_sharding_prop_cache_info() -> _CacheInfo:
    """The same of the cache behind that one, which finds nothing: there is no other."""
    return _CacheInfo(0, propagator.misses, None, propagator.kept)


#: There is one cache here, where torch has one in Python and one in C++.
_clear_python_sharding_prop_cache = _clear_sharding_prop_cache
_clear_fast_path_sharding_prop_cache = _clear_sharding_prop_cache
