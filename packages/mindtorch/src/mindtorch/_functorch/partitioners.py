"""``torch._functorch.partitioners``: arguments of joint graphs; cutting them in two refuses."""

from __future__ import annotations

from typing import Any

from ..core.unavailable import offer_listed


def _is_primal(node: Any) -> bool:
    """Whether *node* is an argument of the function whose joint graph it stands in."""
    return node.op == "placeholder" and not _named_after(node, *_GRADIENTS, *_SEEDS)


def _is_tangent(node: Any) -> bool:
    """Whether *node* is the gradient of a result that a joint graph takes."""
    return node.op == "placeholder" and _named_after(node, *_GRADIENTS)


_GRADIENTS = ("tangents",)
#: States of the generator of either half.
_SEEDS = ("fwd_seed", "fwd_base_offset", "bwd_seed", "bwd_base_offset")


def _named_after(node: Any, *parts: str) -> bool:
    return any(part in str(node.target) for part in parts)


offer_listed(globals())
