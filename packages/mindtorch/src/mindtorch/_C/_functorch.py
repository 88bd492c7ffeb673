"""``torch._C._functorch``: samples of batches, levels, and whether ops without a rule may run.

torch wraps the tensors of each level anew. Here only samples are wrapped; that other tensors belong
to a level is known while it is open.
"""

from __future__ import annotations

from mindtorch_storage.layout import wrap_dim

from ..functionality.batching import batch, batched, births, is_sample, levels, shown
from ..functionality.fallback_switches import (
    _is_vmap_fallback_enabled,
    _set_vmap_fallback_enabled,
    _set_vmap_fallback_warning_enabled,
)
from ..functionality.tangents import without_history
from ..functionality.transform_guards import birth_of
from ..tensor import Tensor

__all__ = [
    "_add_batch_dim",
    "_is_vmap_fallback_enabled",
    "_remove_batch_dim",
    "_set_vmap_fallback_enabled",
    "_set_vmap_fallback_warning_enabled",
    "_unwrap_batched",
    "current_level",
    "get_unwrapped",
    "is_batchedtensor",
    "is_functorch_wrapped_tensor",
    "is_gradtrackingtensor",
    "is_legacy_batchedtensor",
    "maybe_current_level",
    "maybe_get_bdim",
    "maybe_get_level",
    "reshape_dim_into",
    "reshape_dim_outof",
]


def _outermost(t: Tensor) -> tuple[int, bool]:
    """The level that made *t* last, counting all that are open, and whether it is of a derivative.

    The level is -1 where *t* is of none.
    """
    birth = birth_of(t) if births.get() else None
    if birth is not None and not (is_sample(t) and t._batched.level > birth.depth):
        return birth.depth + births.get().index(birth) + 1, True
    return (shown(t._batched.level) if is_sample(t) else -1), False


def is_batchedtensor(t: Tensor, /) -> bool:
    """Whether *t* is one sample of a batch, and no level inside of that made it."""
    return is_sample(t) and not is_gradtrackingtensor(t)


def is_gradtrackingtensor(t: Tensor, /) -> bool:
    """Whether *t* is of an open ``grad``, ``vjp`` or ``jvp``, and no sample inside of that."""
    return _outermost(t)[1]


def is_functorch_wrapped_tensor(t: Tensor, /) -> bool:
    """Whether *t* is of a level."""
    return _outermost(t)[0] != -1


def maybe_get_level(t: Tensor, /) -> int:
    """The level of which *t* is, -1 where it is of none."""
    return _outermost(t)[0]


def maybe_get_bdim(t: Tensor, /) -> int:
    """Which dimension of its batch *t* is a sample along, -1 where it is no sample."""
    return t._batched.bdim if is_batchedtensor(t) else -1


def maybe_current_level() -> int | None:
    """The level that is open innermost, ``functionalize`` left out; None where none is."""
    return len(levels.get()) + len(births.get()) or None


def current_level() -> int:
    """The same. Raises RuntimeError where none is open."""
    level = maybe_current_level()
    if level is None:
        raise RuntimeError("no transform of torch.func is open")
    return level


def _unwrap_batched(t: Tensor, level: int, /) -> tuple[Tensor, int | None]:
    """The batch of which *t* is a sample at *level*, and its dimension; else *t* and None."""
    if is_batchedtensor(t) and maybe_get_level(t) == level:
        return t._batched.value, t._batched.bdim
    return t, None


def reshape_dim_into(src: int, dst: int, t: Tensor, /) -> Tensor:
    """Dimension *src* of *t* becomes the slower part of what is then dimension *dst*."""
    src, dst = wrap_dim(src, t.dim()), wrap_dim(dst, t.dim() - 1)
    if t.dim() < 2:
        raise RuntimeError(f"a tensor of {t.dim()} dimensions has none to join")
    sizes = [n for i, n in enumerate(t.shape) if i != src]
    sizes[dst] *= t.shape[src]
    return t.movedim(src, dst).reshape(sizes)


def reshape_dim_outof(src: int, size: int, t: Tensor, /) -> Tensor:
    """Dimension *src* of *t* in two, the slower one of *size*."""
    src = wrap_dim(src, t.dim())
    if not size or t.shape[src] % size:
        raise RuntimeError(f"a dimension of {t.shape[src]} is no multiple of {size}")
    return t.reshape([*t.shape[:src], size, t.shape[src] // size, *t.shape[src + 1 :]])


def is_legacy_batchedtensor(t: Tensor, /) -> bool:
    """Whether *t* is a sample of the ``vmap`` that there was before: never."""
    return False


def get_unwrapped(t: Tensor, /) -> Tensor:
    """What *t* is one level further out. Raises RuntimeError where it is of no level."""
    if is_gradtrackingtensor(t):
        return _apart(t)
    if not is_sample(t):
        raise RuntimeError("No wrappers present!")
    value: Tensor = t._batched.value
    return value


def _apart(t: Tensor) -> Tensor:
    """The numbers of *t*, which belong to no level of a derivative."""
    if not is_sample(t):
        return without_history(t)
    value, bdim, level = t._batched
    return batch(_apart(value), bdim, level)


def _add_batch_dim(t: Tensor, batch_dim: int, level: int, /) -> Tensor:
    """One sample of *t* in the ``vmap`` of *level*."""
    return batch(t, batch_dim, level)


def _remove_batch_dim(t: Tensor, level: int, batch_size: int, out_dim: int, /) -> Tensor:
    """What *t* is for the whole batch of ``vmap`` *level*, the samples along *out_dim*."""
    n = t.dim() + 1
    if not -n <= out_dim < n:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got "
            f"{out_dim})"
        )
    out_dim %= n
    found = batched(t, level)
    if found is None:
        return t.unsqueeze(out_dim).expand(*t.shape[:out_dim], batch_size, *t.shape[out_dim:])
    if found.bdim == out_dim:
        return found.value
    return found.value.movedim(found.bdim, out_dim)
