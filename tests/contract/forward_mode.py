"""``torch.autograd.forward_ad`` of either framework, the oracle's ready to be compared."""

from __future__ import annotations

import functools
import importlib
import warnings
from typing import Any

__all__ = ["forward_mode", "warm_up"]


@functools.cache
def warm_up() -> None:
    """The oracle compiles its decompositions upon the first dual tensor, and warns of that."""
    import torch
    import torch.autograd.forward_ad as oracle

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with oracle.dual_level():
            oracle.make_dual(torch.ones(1), torch.ones(1))


def forward_mode(torch: Any) -> Any:
    """The module of *torch*, a framework."""
    warm_up()
    return importlib.import_module(f"{torch.__name__}.autograd.forward_ad")
