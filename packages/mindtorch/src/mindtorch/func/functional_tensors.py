"""``torch._to_functional_tensor`` and its like: functionalization without a level.

Source: torch/csrc/autograd/python_torch_functions_manual.cpp.
"""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import tls

from ..functionality import functional_tensor
from ..functionality.functionalization_levels import DIRECT
from ..tensor import Tensor

__all__ = [
    "_disable_functionalization",
    "_enable_functionalization",
    "_from_functional_tensor",
    "_is_functional_tensor",
    "_sync",
    "_to_functional_tensor",
]

_KEY = int(K.Functionalize)


def _checked(name: str, t: Any, result: str) -> None:
    if not isinstance(t, Tensor):
        raise TypeError(
            f"{name}(): incompatible function arguments. The following argument types are "
            f"supported:\n    1. (arg0: torch.Tensor) -> {result}\n\nInvoked with: {t!r}"
        )


def _to_functional_tensor(t: Tensor) -> Tensor:
    """*t* as a functional tensor; it is never changed itself."""
    _checked("_to_functional_tensor", t, "torch.Tensor")
    if functional_tensor.is_functional(t):
        raise RuntimeError("!at::functionalization::impl::isFunctionalTensor(base_)")
    return functional_tensor.wrapped(t, -1)


def _from_functional_tensor(t: Tensor) -> Tensor:
    """The value of a functional tensor, as it was when last brought up to date."""
    _checked("_from_functional_tensor", t, "torch.Tensor")
    if not functional_tensor.is_functional(t):
        raise RuntimeError("!assert_functional")
    return t._content_.value


def _is_functional_tensor(t: Tensor) -> bool:
    """Whether *t* is a functional tensor."""
    _checked("_is_functional_tensor", t, "bool")
    return functional_tensor.is_functional(t)


def _sync(t: Tensor) -> None:
    """Bring a functional tensor up to date with all changes of its aliases."""
    _checked("_sync", t, "None")
    if not functional_tensor.is_functional(t):
        raise RuntimeError("at::functionalization::impl::isFunctionalTensor(t)")
    functional_tensor.sync(t)


def _enable_functionalization(*, reapply_views: bool = False) -> None:
    """Every call goes through the Functionalize key from now on.

    :param reapply_views: whether views stay views; else they become copies.
    """
    word = tls.state.get()
    included, excluded = tls.masks(word)
    if included & _KEY:
        raise RuntimeError(
            "multiple layers of mode-style functionalization nesting is not currently supported, "
            "outside of the functionalize() transform"
        )
    tls.state.set(tls.with_masks(word, included | _KEY, excluded & ~_KEY))
    DIRECT.set(reapply_views)


def _disable_functionalization() -> None:
    """Take back ``_enable_functionalization``."""
    word = tls.state.get()
    included, excluded = tls.masks(word)
    tls.state.set(tls.with_masks(word, included & ~_KEY, excluded))
    DIRECT.set(None)
