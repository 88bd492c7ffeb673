"""The operators of the attributes ``T``, ``mT``, ``H`` and ``mH``."""

from __future__ import annotations

from operator import attrgetter

from ..call.row import op

__all__: list[str] = []

for _name, _attribute, _says in (
    ("numpy_T", "T", "View the tensor with its dimensions in reverse order."),
    ("mT", "mT", "View the tensor with its last two dimensions exchanged."),
    ("matrix_H", "H", "Return the conjugate transpose of a matrix."),
    ("mH", "mH", "Return the conjugate with the last two dimensions exchanged."),
):
    op(
        f"{_name}(Tensor(a) self) -> Tensor(a)",
        says=_says,
        composite=attrgetter(_attribute),
        variants="",
        samples="transposes",
    )
