"""``torch.nested``: tensors of several lengths. The names are here; refused when called."""

from __future__ import annotations

from .._unavailable import NESTED, offer

offer(
    globals(),
    NESTED,
    "as_nested_tensor masked_select narrow nested_tensor nested_tensor_from_jagged "
    "to_padded_tensor",
)
