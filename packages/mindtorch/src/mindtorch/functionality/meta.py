"""The Meta key for ops that have no kernel for it: torch's refusal, which says what to register."""

from __future__ import annotations

from typing import Any, NoReturn

from mindtorch_dispatch import Operator

__all__ = ["meta_fallback"]


def meta_fallback(
    operator: Operator, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> NoReturn:
    """Raise NotImplementedError. Source: torch ATen/core/MetaFallbackKernel.cpp."""
    raise NotImplementedError(
        f"{operator.name}: attempted to run this operator with Meta tensors, but there was no fake"
        " impl or Meta kernel registered. You may have run into this message while using an"
        " operator with PT2 compilation APIs (torch.compile/torch.export); in order to use this"
        " operator with those APIs you'll need to add a fake impl. Please see the following for"
        " next steps:  https://pytorch.org/tutorials/advanced/custom_ops_landing_page.html"
    )
