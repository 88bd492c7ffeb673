"""``torch._prims.context``: a mode in which references take the place of functions.

The reference of an operator is the operator itself here: see ``torch._refs``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from importlib import import_module
from typing import Any

from .._prims_common import torch_function_passthrough
from ..overrides import TorchFunctionMode, resolve_name

__all__ = ["TorchRefsMode"]


def _reference(func: Callable[..., Any]) -> Any:
    """The reference of a function or method; None where there is none."""
    _, _, name = (resolve_name(func) or "").partition(".")
    *space, name = name.removeprefix("Tensor.").split(".")
    try:
        module = import_module(".".join([__package__.rpartition(".")[0] + "._refs", *space]))
        return getattr(module, name, None)
    except ModuleNotFoundError:
        return None


class TorchRefsMode(TorchFunctionMode):
    """Calls in the block run as references.

    :param strict: functions without a reference raise RuntimeError.
    :param should_fallback_fn: says of a call whether its function runs although there is a
        reference: it gets the mode, the function, the reference and the arguments.
    """

    def __init__(
        self,
        strict: bool = False,
        should_fallback_fn: Callable[..., bool] = lambda *_: False,
        prims_mode_cls: type = nullcontext,
    ) -> None:
        super().__init__()
        self.strict = strict
        self.should_fallback_fn = should_fallback_fn
        self.prims_mode_cls = prims_mode_cls

    def __torch_function__(
        self,
        orig_func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Run the reference of *orig_func*, or the function where there is none."""
        kwargs = kwargs or {}
        if orig_func in torch_function_passthrough:
            with self.prims_mode_cls():
                return orig_func(*args, **kwargs)
        reference = _reference(orig_func)
        if reference is None:
            if self.strict:
                raise RuntimeError(f"no _refs support for {resolve_name(orig_func)}")
        elif not self.should_fallback_fn(self, orig_func, reference, args, kwargs):
            return reference(*args, **kwargs)
        return orig_func(*args, **kwargs)
