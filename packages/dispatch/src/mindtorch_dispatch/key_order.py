"""Orders of keys that only listings need: torch's enum, and torch's order of a mask's keys."""

from __future__ import annotations

from .keys import ALIAS_KEYS, BACKEND_COMPONENTS, TORCH_ORDER, DispatchKey

__all__ = ["ENUM_RANK", "torch_keys_in"]

_PER_BACKEND = {  # functionality → its lowest runtime key
    DispatchKey.Dense: DispatchKey.CPU,
    DispatchKey.Quantized: DispatchKey.QuantizedCPU,
    DispatchKey.Sparse: DispatchKey.SparseCPU,
    DispatchKey.SparseCsr: DispatchKey.SparseCsrCPU,
    DispatchKey.NestedTensor: DispatchKey.NestedTensorCPU,
    DispatchKey.AutogradFunctionality: DispatchKey.AutogradCPU,
}


def _enum_rank() -> dict[int, int]:
    """Functionalities, then the runtime keys of those that have one per backend, then aliases."""
    first = {lowest: key for key, lowest in _PER_BACKEND.items()}
    width = len(BACKEND_COMPONENTS)
    per_backend = sum(lowest * ((1 << width) - 1) for lowest in first)
    order = [DispatchKey.Undefined]
    for key in TORCH_ORDER:
        if key in first:
            order.append(first[key])
        if not key & per_backend:
            order.append(key)
    order += [k for k in TORCH_ORDER if k & per_backend]
    order += ALIAS_KEYS
    return {int(k): rank for rank, k in enumerate(order)}


#: key → its place in torch's enum, in whose order registrations are listed.
ENUM_RANK: dict[int, int] = _enum_rank()


def torch_keys_in(mask: int) -> list[DispatchKey]:
    """The runtime keys of *mask* in torch's order, lowest first."""
    return [k for k in TORCH_ORDER if k & mask]
