"""``torch.masked``: reductions of chosen elements. The names are here; refused when called."""

from __future__ import annotations

from typing import Any

from ..core.unavailable import offer

#: Filled below.
__all__: list[str] = []

_REASON = "needs masked tensors, which mindtorch does not have"
offer(
    globals(),
    _REASON,
    "amax amin argmax argmin as_masked_tensor cumprod cumsum log_softmax logaddexp logsumexp "
    "masked_tensor mean median norm normalize prod softmax softmin std sum var",
    "MaskedTensor",
)


def is_masked_tensor(obj: Any, /) -> bool:
    """False: there are no masked tensors here."""
    return False


__all__ += ["is_masked_tensor"]


def __dir__() -> list[str]:
    return sorted(__all__)
