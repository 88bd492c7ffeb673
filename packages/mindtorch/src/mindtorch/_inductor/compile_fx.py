"""``torch._inductor.compile_fx``: compiling of graphs, which run as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core.unavailable import COMPILER, offer_listed
from .config import patch

__all__ = ["compile_fx"]


def compile_fx(
    model_: Any,
    example_inputs_: Sequence[Any],
    inner_compile: Callable[..., Any] | None = None,
    config_patches: dict[str, Any] | None = None,
    decompositions: dict[Any, Callable[..., Any]] | None = None,
    ignore_shape_env: bool = False,
    compile_region_name: str | None = None,
) -> Callable[..., Any]:
    """Return a function that runs the graph *model_*, as ``torch.compile`` does with "inductor".

    :param config_patches: options by their names, which are checked and change no result.
    """
    if inner_compile is not None or decompositions is not None:
        raise NotImplementedError(
            f"torch._inductor.compile_fx with a compiler or decompositions of its own {COMPILER}"
        )
    with patch(config_patches or {}):
        forward = model_.forward

    def run(*args: Any) -> Any:
        results = forward(*args)
        return list(results) if type(results) is tuple else results  # torch's are lists

    return run


offer_listed(globals())
