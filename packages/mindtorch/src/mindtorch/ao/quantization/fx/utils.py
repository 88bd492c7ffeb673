"""``torch.ao.quantization.fx.utils``: what is asked of nodes and modules of graphs."""

from __future__ import annotations

from mindtorch.core.unavailable import offer_listed

__all__: list[str] = []


def parent_and_name(target: str) -> tuple[str, str]:
    """The path of the module that something is in, and its name there."""
    parent, _, name = target.rpartition(".")
    return parent, name


offer_listed(globals())
