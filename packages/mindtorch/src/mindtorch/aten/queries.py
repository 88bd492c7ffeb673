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


for _schema in (
    "is_complex(Tensor self) -> bool",
    "is_conj(Tensor self) -> bool",
    "is_floating_point(Tensor self) -> bool",
    "is_inference(Tensor self) -> bool",
    "is_neg(Tensor self) -> bool",
    "is_same_size(Tensor self, Tensor other) -> bool",
    "is_signed(Tensor self) -> bool",
    "numel(Tensor self) -> int",
):
    op(
        _schema,
        composite=_asking(_schema.partition("(")[0]),
        kinds={"functional": "explicit"} if "other" in _schema else None,
        variants="function",
        samples="equal" if "other" in _schema else "unary",
    )
op(
    "is_nonzero(Tensor self) -> bool",
    composite=_asking("is_nonzero"),
    variants="function",
    samples="one_element",
    tags=("data_dependent_output",),
)
