"""``torch.distributed.tensor.debug``: what distributed tensors exchange."""

from mindtorch.core.unavailable import offer_listed

from .._dispatch import propagator
from ._comm_mode import CommDebugMode

__all__ = ["CommDebugMode", "visualize_sharding"]
offer_listed(globals())


def _clear_sharding_prop_cache() -> None:
    """Forget how calls were split."""
    propagator.forget()


#: There is one cache here, where torch has one in Python and one in C++.
_clear_python_sharding_prop_cache = _clear_sharding_prop_cache
_clear_fast_path_sharding_prop_cache = _clear_sharding_prop_cache
