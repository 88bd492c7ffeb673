"""Questions about a tensor that look at no data (``is_signed``, ``numel``, …), each an op in torch.

The answers are methods of ``Tensor``; here they become functions with torch's argument errors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..call.row import op

__all__: list[str] = []


def _asking(name: str) -> Callable[..., Any]:
    def composite(tensor: Any, *rest: Any) -> Any:
        return getattr(tensor, name)(*rest)

    return composite


for _schema, _says in (
    ("is_complex(Tensor self) -> bool", "Say whether the dtype is complex."),
    ("is_conj(Tensor self) -> bool", "Say whether a conjugation is pending."),
    ("is_floating_point(Tensor self) -> bool", "Say whether the dtype is a floating-point one."),
    ("is_inference(Tensor self) -> bool", "Say whether the tensor was made in inference mode."),
    ("is_neg(Tensor self) -> bool", "Say whether a negation is pending."),
    (
        "_is_zerotensor(Tensor self) -> bool",
        "Say whether a tensor is known to be zero without memory, which none is here.",
    ),
    (
        "is_same_size(Tensor self, Tensor other) -> bool",
        "Say whether two tensors have the same shape.",
    ),
    ("is_signed(Tensor self) -> bool", "Say whether the dtype holds negative numbers."),
    ("numel(Tensor self) -> int", "Return the number of elements."),
):
    op(
        _schema,
        says=_says,
        composite=_asking(_schema.partition("(")[0]),
        kinds={"functional": "explicit"} if "other" in _schema else None,
        variants="function",
        samples="equal" if "other" in _schema else "unary",
    )
op(
    "is_nonzero(Tensor self) -> bool",
    says="Say whether a tensor's only element is nonzero.",
    composite=_asking("is_nonzero"),
    variants="function",
    samples="one_element",
    tags=("data_dependent_output",),
)
