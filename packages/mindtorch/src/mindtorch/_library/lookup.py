"""Finding ops by name."""

from __future__ import annotations

from .._ops import OpOverload, ops

__all__ = ["lookup_op", "split_name"]


def split_name(qualname: str) -> tuple[str, str]:
    """``"aten::add.Tensor"`` → ``("aten", "add.Tensor")``. Raises ValueError for other shapes."""
    parts = qualname.split("::")
    if len(parts) != 2:
        raise ValueError(
            f'Expected `qualname` to be of the form "namespace::name", but got {qualname}. The '
            "qualname passed to the torch.library APIs must consist of a namespace and a name, "
            "e.g. aten::sin"
        )
    return parts[0], parts[1]


def lookup_op(qualname: str) -> OpOverload:
    """The overload of that name. Raises AttributeError if there is none."""
    namespace, name = split_name(qualname)
    base, _, overload = name.partition(".")
    packet = getattr(getattr(ops, namespace), base)
    found: OpOverload = getattr(packet, overload or "default")
    return found
