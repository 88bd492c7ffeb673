"""Functions of places: which keys a query sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...aten import torch
from ...func.vmap import vmap

__all__ = [
    "and_masks",
    "create_mask",
    "noop_mask",
    "or_masks",
]

Mod = Callable[..., Any]


def noop_mask(batch: Any, head: Any, token_q: Any, token_kv: Any) -> Any:
    """A mask that hides nothing."""
    return batch.new_ones((), dtype=torch.bool, device=batch.device)


def _identity(score: Any, batch: Any, head: Any, token_q: Any, token_kv: Any) -> Any:
    return score


def _joined(mask_mods: tuple[Mod, ...], start: bool, join: Callable[[Any, Any], Any]) -> Mod:
    if not all(callable(mod) for mod in mask_mods):
        raise RuntimeError(f"All inputs should be callable mask_mods: {mask_mods}")

    def mask(b: Any, h: Any, q_idx: Any, kv_idx: Any) -> Any:
        result = b.new_ones((), dtype=torch.bool) if start else b.new_zeros((), dtype=torch.bool)
        for mod in mask_mods:
            result = join(result, mod(b, h, q_idx, kv_idx))
        return result

    return mask


def or_masks(*mask_mods: Mod) -> Mod:
    """A mask that shows what any of *mask_mods* shows."""
    return _joined(mask_mods, False, lambda a, b: a | b)


def and_masks(*mask_mods: Mod) -> Mod:
    """A mask that shows what all of *mask_mods* show."""
    return _joined(mask_mods, True, lambda a, b: a & b)


def _vmap_for_bhqkv(
    fn: Mod,
    prefix: tuple[int | None, ...],
    suffix: tuple[int | None, ...] = (),
    out_dims: Any = 0,
    group_dim: bool = False,
) -> Mod:
    """*fn* of single places over all keys, queries, heads and batches."""
    dims: list[tuple[int | None, ...]] = [
        (None, None, None, 0), (None, None, 0, None), (None, 0, None, None),
    ]  # fmt: skip
    dims += [(None, 0, None, None)] if group_dim else []
    dims += [(0, None, None, None)]
    for own in dims:
        fn = vmap(fn, in_dims=prefix + own + suffix, out_dims=out_dims)
    return fn


def _places(sizes: tuple[int, ...], device: Any) -> list[Any]:
    return [torch.arange(0, n, device=device) for n in sizes]


def create_mask(
    mod_fn: Mod, B: int | None, H: int | None, Q_LEN: int, KV_LEN: int, device: Any = None
) -> Any:
    """The mask (B, H, Q_LEN, KV_LEN) that a function of places makes.

    A function of scores hides what it makes minus infinity.
    """
    device = "cpu" if device is None else device
    sizes = (1 if B is None else B, 1 if H is None else H, Q_LEN, KV_LEN)
    places = _places(sizes, device)
    count = _arguments(mod_fn)
    if count == 5:
        scores = torch.zeros(sizes, device=device)
        scored = _vmap_for_bhqkv(mod_fn, prefix=(0,))(scores, *places)
        return torch.where(torch.isneginf(scored), False, True)
    if count == 4:
        return _vmap_for_bhqkv(mod_fn, prefix=())(*places).expand(sizes)
    raise AssertionError("mod_fn must be a score_mod or mask_mod")


def _arguments(fn: Mod) -> int:
    import inspect

    parameters = inspect.signature(fn).parameters.values()
    return sum(p.default is inspect.Parameter.empty for p in parameters)
