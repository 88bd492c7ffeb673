"""How an op from ``torch.library`` runs over a batch: a rule registered with ``register_vmap``.

Source: torch/_functorch/autograd_function.py, custom_function_call_vmap_helper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import tls

from .._ops import OpOverload
from ..functionality.batching import batch, batched, level_of, levels
from ..tensor import Tensor
from ..utils._pytree import tree_structure

__all__ = ["VmapInfo", "apart", "innermost", "outside", "run_rule", "together", "vmap_kernel"]


class VmapInfo(NamedTuple):
    """What a rule is told of the batch."""

    batch_size: int
    randomness: str


def vmap_kernel(op: OpOverload, rule: Callable[[], Any]) -> Callable[..., Any]:
    """The kernel at the FuncTorchBatched key, which runs the newest *rule*.

    The rule is called as ``rule(info, in_dims, *args)`` with whole tensors, and returns the
    results and where their batch dimensions are.
    """

    def kernel(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        return run_rule(rule(), args, kwargs)

    return kernel


def run_rule(rule: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call *rule* for the innermost batch among the arguments, and wrap what it returns.

    Raises RuntimeError where that is not a pair of results and their batch dimensions.
    """
    number = innermost((args, tuple(kwargs.values())))
    level = next(iter(level_of(number)))
    whole, in_dims = apart(args, number)
    named = {name: apart(value, number)[0] for name, value in kwargs.items()}
    with outside(number):
        result = rule(VmapInfo(level.size, level.randomness), in_dims, *whole, **named)
    if not isinstance(result, tuple) or len(result) != 2:
        raise RuntimeError(_not_a_pair(result))
    if not _fit(*result):
        raise RuntimeError(_misfit(*result))
    return together(*result, number)


def innermost(values: Any) -> int:
    """The number of the innermost level at which a tensor among *values* is batched."""
    return max(t._batched.level for t in _tensors(values))


@contextmanager
def outside(number: int) -> Iterator[None]:
    """The state that was outside of level *number*, for its time."""
    below = tuple(level for level in levels.get() if level.number < number)
    token = levels.set(below)
    word = tls.state.get()
    included, excluded = tls.masks(word)
    left = included if below else included & ~K.FuncTorchVmapMode
    restored = tls.state.set(tls.with_masks(word, left, excluded))
    try:
        yield
    finally:
        tls.state.reset(restored)
        levels.reset(token)


def _fit(value: Any, dims: Any) -> bool:
    """Whether *dims* says for each result where its batch dimension is; one may stand for all."""
    if not isinstance(dims, (list, tuple)):
        return True
    if type(value) is not type(dims) or len(value) != len(dims):
        return False
    return all(_fit(v, d) for v, d in zip(value, dims, strict=True))


def _misfit(value: Any, dims: Any) -> str:
    return (
        "The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) "
        f"tuple. Expected out_dims={dims} to be compatible with the structure of `output`. "
        f"out_dims has structure {tree_structure(dims)} but output has structure "
        f"{tree_structure(value)}. For more details, please see "
        "https://pytorch.org/docs/main/notes/extending.func.html"
    )


def _not_a_pair(result: Any) -> str:
    start = (
        "Expected the vmap staticmethod to have two returns, an output and out_dims with pytree "
        "structure compatible with the output. "
    )
    if not isinstance(result, tuple):
        return f"{start}Got a {type(result)} instead"
    return f"{start}Got {len(result)} returns instead"


def _tensors(value: Any) -> Iterator[Any]:
    if isinstance(value, Tensor):
        if hasattr(value, "_batched"):
            yield value
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _tensors(inner)


def apart(value: Any, level: int) -> tuple[Any, Any]:
    """Whole tensors in place of batched ones, and their batch dimensions (None for the rest)."""
    if isinstance(value, (list, tuple)):
        pairs = [apart(v, level) for v in value]
        kind = type(value)
        return kind([p[0] for p in pairs]), kind([p[1] for p in pairs])
    found = batched(value, level)
    return (value, None) if found is None else (found.value, found.bdim)


def together(value: Any, dims: Any, level: int) -> Any:
    """Batched tensors in place of whole ones; one dimension may stand for several results."""
    if isinstance(value, (list, tuple)):
        each = dims if isinstance(dims, (list, tuple)) else [dims] * len(value)
        made = [together(v, d, level) for v, d in zip(value, each, strict=True)]
        return type(value)(made)
    if isinstance(value, Tensor) and dims is not None:
        return batch(value, dims, level)
    return value
