"""``functorch``'s functions: those of ``torch.func``, with a warning that says so."""

from __future__ import annotations

import functools
import textwrap
import warnings
from collections.abc import Callable
from typing import Any

from .. import func as _func
from . import make_functional as _models

__all__ = [
    "combine_state_for_ensemble",
    "functionalize",
    "get_warning",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "make_functional",
    "make_functional_with_buffers",
    "vjp",
    "vmap",
    "warn_deprecated",
]


def get_warning(api: str, new_api: str | None = None, replace_newlines: bool = False) -> str:
    """What is said of ``functorch.<api>``: what to call in its place."""
    new_api = new_api or f"torch.func.{api}"
    lines = (
        "We've integrated functorch into PyTorch. As the final step of the \n"
        f"integration, `functorch.{api}` is deprecated as of PyTorch \n"
        "2.0 and will be deleted in a future version of PyTorch >= 2.3. \n"
        f"Please use `{new_api}` instead; see the PyTorch 2.0 release notes \n"
        "and/or the `torch.func` migration guide for more details \n"
        "https://pytorch.org/docs/main/func.migrating.html"
    )
    return lines.replace("\n", "") if replace_newlines else lines


def warn_deprecated(api: str, new_api: str | None = None) -> None:
    """Say so to whoever calls the function of that name."""
    warnings.warn(get_warning(api, new_api, replace_newlines=True), FutureWarning, stacklevel=3)


def _older(function: Callable[..., Any], new_api: str | None = None) -> Callable[..., Any]:
    """*function* under its older name."""
    name = function.__name__

    @functools.wraps(function)
    def older(*args: Any, **kwargs: Any) -> Any:
        warn_deprecated(name, new_api)
        return function(*args, **kwargs)

    older.__module__ = __name__
    if function.__doc__ is not None:
        note = "\n.. warning::\n\n" + textwrap.indent(get_warning(name, new_api), "    ")
        older.__doc__ = function.__doc__ + textwrap.indent(note, "    ")
    return older


vmap = _older(_func.vmap, "torch.vmap")
grad = _older(_func.grad)
grad_and_value = _older(_func.grad_and_value)
vjp = _older(_func.vjp)
jvp = _older(_func.jvp)
jacrev = _older(_func.jacrev)
jacfwd = _older(_func.jacfwd)
hessian = _older(_func.hessian)
functionalize = _older(_func.functionalize)
make_functional = _older(_models.make_functional, "torch.func.functional_call")
make_functional_with_buffers = _older(
    _models.make_functional_with_buffers, "torch.func.functional_call"
)
combine_state_for_ensemble = _older(
    _models.combine_state_for_ensemble, "torch.func.stack_module_state"
)
