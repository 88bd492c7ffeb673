"""The stub of ``torch.return_types``: the named tuples that ops return."""

from __future__ import annotations

from . import rows
from .facade import HEAD
from .hints import GIVEN


def text() -> str:
    """The whole stub."""
    lines = ["from collections.abc import Iterable", "from typing import Any, ClassVar, Self", ""]
    lines += ["from mindtorch.tensor import Tensor", ""]
    lines += ["all_return_types: list[type[tuple[Any, ...]]]"]
    lines += ["def pytree_register_structseq(cls: Any) -> None: ..."]
    for name, fields in rows.structures().items():
        made = [(field, GIVEN[kind]) for field, kind in fields]
        parts = ", ".join(hint for _, hint in made)
        lines += [
            f"class {name}(tuple[{parts}]):",
            "    n_fields: ClassVar[int]",
            "    n_sequence_fields: ClassVar[int]",
            "    n_unnamed_fields: ClassVar[int]",
            "    def __new__(cls, sequence: Iterable[Any], dict: Any = None) -> Self: ...",
        ]
        for field, hint in made:
            lines += ["    @property", f"    def {field}(self) -> {hint}: ..."]
    return HEAD + "\n".join(lines) + "\n"
