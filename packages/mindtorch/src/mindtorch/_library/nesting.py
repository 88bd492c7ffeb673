"""Lists of tensors among arguments and results, taken apart and put together again.

Autograd counts tensors, an op's formula counts arguments: a list of tensors is one argument with
an edge for each element. torch takes lists apart where *all* elements are tensors; a list with a
gap is passed whole, and no gradient flows to its tensors.
"""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor

__all__ = ["Nest", "apart", "together"]


class Nest:
    """Where the leaves of a value lie: None for a leaf, else the container and its parts."""

    __slots__ = ("kind", "parts")

    def __init__(self, kind: str, parts: tuple[Nest | None, ...]) -> None:
        self.kind = kind
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Nest):
            return NotImplemented
        return self.kind == other.kind and self.parts == other.parts

    def __hash__(self) -> int:
        return hash((self.kind, self.parts))

    def _text(self, indent: int) -> str:
        inner = ["*" if part is None else part._text(indent + 2) for part in self.parts]
        joint = ",\n" + " " * (indent + 2)
        return f"TreeSpec({self.kind}, None, [{joint.join(inner)}])"

    def __repr__(self) -> str:
        return self._text(0)


def apart(value: Any, leaves: list[Any], *, gaps: bool = False) -> Nest | None:
    """Append the leaves of *value* to *leaves*; gives back how they lie.

    :param gaps: also take lists apart that have None among their tensors.
    """
    if type(value) is tuple:
        return Nest("tuple", tuple([apart(v, leaves, gaps=gaps) for v in value]))
    if type(value) is list and all(isinstance(v, Tensor) or (gaps and v is None) for v in value):
        leaves += value
        return Nest("list", (None,) * len(value))
    leaves.append(value)
    return None


def together(nest: Nest | None, leaves: list[Any]) -> Any:
    """The value again, with *leaves* (taken from the front) in its places."""
    if nest is None:
        return leaves.pop(0)
    parts = [together(part, leaves) for part in nest.parts]
    return tuple(parts) if nest.kind == "tuple" else parts
