"""What a sparse tensor consists of, as users ask for it: indices, values, how many, of which dims.

``indices()`` and ``values()`` look at the memory of the tensor. ``_indices()`` and ``_values()`` do
so of a tensor that is not coalesced, too, and have no history.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...call.row import op
from ...core.constants import sparse_coo
from ...core.layout_names import layout_name
from ...core.operators import ops
from ...tensor import Tensor
from ...tensor.construction import share
from ...tensor.sparse_content import BY_COLUMN
from .parts import COMPRESSED, COO, DENSE

__all__: list[str] = []

_EXPLICIT = {"functional": "explicit"}


def _refusing(name: str, wanted: str) -> Callable[[Tensor], Any]:
    def refuse(self: Tensor) -> Any:
        raise RuntimeError(f"{name} expected {wanted} layout but got {layout_name(self.layout)}")

    return refuse


def _part(t: Tensor) -> Tensor:
    """*t*, which a tensor consists of, as another tensor over the same memory."""
    return share(t._a_, t)


def _coalesced_part(name: str) -> Callable[[Tensor], Tensor]:
    def part(self: Tensor) -> Tensor:
        if not self._content_.coalesced:
            raise RuntimeError(
                f"Cannot get {name} on an uncoalesced tensor, please call .coalesce() first"
            )
        return _part(getattr(self._content_, name))

    return part


def _values_backward(g: Any, c: Any) -> Any:
    like = c.self
    if like.layout is sparse_coo:
        made = ops._sparse_coo_tensor_unsafe(
            like._indices(), g, like.shape, dtype=None, layout=None, device=None,
            pin_memory=None, is_coalesced=True,
        )  # fmt: skip
        return made
    content = like._content_
    return ops._sparse_compressed_tensor_unsafe(
        content.compressed, content.plain, g, like.shape, dtype=None, layout=like.layout,
        device=None, pin_memory=None,
    )  # fmt: skip


op(
    "indices(Tensor(a) self) -> Tensor(a)",
    says="Return the coordinates of a coalesced COO tensor, a column for each element.",
    composite=_refusing("indices", "sparse coordinate tensor"),
    kinds=_EXPLICIT,
    variants="method",
    grad=None,
    samples="coalesced_operand",
)
op(
    "values(Tensor(a) self) -> Tensor(a)",
    says="Return the elements of a sparse tensor; a COO tensor has to be coalesced.",
    composite=_refusing("values", "sparse tensor"),
    kinds=_EXPLICIT,
    variants="method",
    grad={"self": _values_backward},
    samples="coalesced_operand",
)
COO.register("indices", _coalesced_part("indices"))
COO.register("values", _coalesced_part("values"))
COMPRESSED.register("values", lambda self: _part(self._content_.values))

for _name in ("_indices", "_values"):
    op(
        f"{_name}(Tensor(a) self) -> Tensor(a)",
        variants="method",
        grad=None,
        samples="coo_operand",
    )
COO.register("_indices", lambda self: _part(self._content_.indices))
COO.register("_values", lambda self: _part(self._content_.values))


def _of_lines(name: str, part: str, by_column: bool) -> Callable[[Tensor], Tensor]:
    """The indices that a tensor has whose rows, or columns, are compressed."""
    wanted = f"sparse {'column' if by_column else 'row'} compressed tensor"
    refuse = _refusing(name, wanted)

    def get(self: Tensor) -> Tensor:
        content = self._content_
        if (content.layout in BY_COLUMN) is not by_column:
            refuse(self)
        return _part(getattr(content, part))

    return get


_LINES = {
    "crow_indices": ("compressed", False, "where each row begins among the elements"),
    "col_indices": ("plain", False, "the column of each element"),
    "ccol_indices": ("compressed", True, "where each column begins among the elements"),
    "row_indices": ("plain", True, "the row of each element"),
}
for _name, (_which, _by_column, _what) in _LINES.items():
    _wanted = f"sparse {'column' if _by_column else 'row'} compressed tensor"
    op(
        f"{_name}(Tensor(a) self) -> Tensor(a)",
        says=f"Return {_what}, of a tensor whose {'columns' if _by_column else 'rows'} are "
        "compressed.",
        composite=_refusing(_name, _wanted),
        kinds=_EXPLICIT,
        variants="method",
        grad=None,
        samples="column_operand" if _by_column else "row_operand",
    )
    COMPRESSED.register(_name, _of_lines(_name, _which, _by_column))


def _copying(name: str) -> Callable[[Tensor], Tensor]:
    return lambda self: getattr(ops, name)(self).clone()


for _name, _samples in (
    ("values", "row_operand"),
    ("indices", "row_operand"),
    ("crow_indices", "row_operand"),
    ("col_indices", "row_operand"),
    ("ccol_indices", "column_operand"),
    ("row_indices", "column_operand"),
):
    op(
        f"{_name}_copy(Tensor self) -> Tensor",
        says=f"Return a copy of what ``Tensor.{_name}`` gives, of a compressed tensor.",
        variants="function",
        samples=_samples,
    )
    for _kernels in (DENSE, COMPRESSED):  # a dense tensor is refused as by what is copied
        _kernels.register(f"{_name}_copy", _copying(_name))

op("_nnz(Tensor self) -> int", variants="method", samples="sparse_operand")
op("_dimI(Tensor self) -> int", variants="method", samples="coo_operand")
op("_dimV(Tensor self) -> int", variants="method", samples="coo_operand")
op(
    "sparse_dim(Tensor self) -> int",
    says="Return how many dimensions of a sparse tensor have coordinates; 0 of a dense one.",
    composite=lambda self: 0,
    kinds=_EXPLICIT,
    variants="method",
    samples="sparse_operand",
)
op(
    "dense_dim(Tensor self) -> int",
    says="Return how many dimensions an element of a sparse tensor has; all of a dense one.",
    composite=lambda self: self.dim(),
    kinds=_EXPLICIT,
    variants="method",
    samples="sparse_operand",
)
for _kernels in (COO, COMPRESSED):
    _kernels.register("_nnz", lambda self: self._content_.nnz)
    _kernels.register("sparse_dim", lambda self: self._content_.sparse_dim)
    _kernels.register("dense_dim", lambda self: self._content_.dense_dim)
COO.register("_dimI", lambda self: self._content_.sparse_dim)
COO.register("_dimV", lambda self: self._content_.dense_dim)
