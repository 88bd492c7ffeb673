"""``torch.nested``: tensors of several lengths. The names are here; refused when called."""

from __future__ import annotations

from ..core.unavailable import NESTED, offer

#: Filled below.
__all__: list[str] = []

offer(
    globals(),
    NESTED,
    "as_nested_tensor masked_select narrow nested_tensor nested_tensor_from_jagged "
    "to_padded_tensor",
)


def __dir__() -> list[str]:
    return sorted(__all__)
