"""``torch.sparse._triton_ops_meta``: which parameters are best for a kernel that is tuned.

The table is empty at first: no kernel in Triton is here, so none was measured. A library that
measures its own keeps the results here with :func:`update`, finds them with :func:`get_meta`, and
searches with :func:`minimize`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from ..aten import torch

Parameters = dict[str, Any]

#: The names of what an operation's parameters are, in the order in which they are kept.
_NAMES = {
    "scatter_mm": ("GROUP_SIZE", "SPLIT_N", "TILE_M", "TILE_N", "num_stages", "num_warps"),
    "bsr_dense_addmm": ("GROUP_SIZE_ROW", "SPLIT_N", "num_stages", "num_warps"),
}
_NAMES["_int_bsr_dense_addmm"] = _NAMES["bsr_dense_addmm"]
#: (operation, device, version) -> key of the inputs -> parameters.
_operation_device_version_data: dict[Any, dict[Any, tuple[Any, ...]]] = {}


def _get_device_name() -> str:
    """The name of the accelerator: none, as kernels in Triton run on none of those here."""
    return ""


def _named(op: str, values: tuple[Any, ...]) -> Parameters:
    if op not in _NAMES:
        raise NotImplementedError(f"names for {op=}")
    return dict(zip(_NAMES[op], values, strict=True))


def get_meta(
    op: str,
    key: tuple[Any, ...],
    device_name: str | None = None,
    version: Any = (0, torch.float16, 0.5),
    exact: bool = False,
) -> Parameters | None:
    """The parameters that are kept for inputs of this *key*; None where none are.

    A ``"*"`` in *key* stands for anything: the result is then a dict of all keys that fit.
    Without *exact*, what is kept for another device that is named alike counts, too.
    """
    device_name = _get_device_name() if device_name is None else device_name
    kept = _operation_device_version_data.get((op, device_name, version))
    if kept is None and not exact:
        alike = (
            name
            for name in _operation_device_version_data
            if (name[0], name[2]) == (op, version) and name[1].startswith(device_name or "\0")
        )
        kept = _operation_device_version_data.get(next(alike, None))
    if kept is None:
        return None
    if "*" in key:
        fitting = {
            name: _named(op, values)
            for name, values in sorted(kept.items())
            if len(name) == len(key) and all(k in ("*", n) for k, n in zip(key, name, strict=True))
        }
        return fitting or None
    values = kept.get(key)
    return None if values is None else _named(op, values)


def update(op: str, device_name: str, version: Any, key: Any, value: tuple[Any, ...]) -> None:
    """Keep *value*, parameters in the order of their names, for inputs of this *key*."""
    kept = _operation_device_version_data.setdefault((op, device_name, version), {})
    if value:
        kept[key] = value
    else:
        kept.pop(key, None)


def _steps(count: int, length: int) -> Iterator[tuple[int, ...]]:
    """The ways to go *length* steps in all along *count* directions, the lowest first."""
    for step in itertools.product(range(-length, length + 1), repeat=count):
        if sum(map(abs, step)) == length:
            yield step


def minimize(
    target_func: Callable[[Parameters], float],
    initial_parameters: Parameters,
    reference_parameters: Parameters,
    step_func: Callable[[str, Any, int, Parameters], Any],
    max_step: int = 2,
    verbose: bool = False,
    all_values: dict[Any, float] | None = None,
) -> tuple[Parameters, float, float, str]:
    """Search for parameters with a low *target_func*, by steps from one set to a better one.

    Gives the parameters, by how many percent they are better than the reference, what
    *target_func* is there, and a text of how it changes beside them.

    :param step_func: the value of a parameter one step up or down; the same value at the end.
    :param max_step: how many steps away a better set is looked for.
    :param all_values: filled with what was measured, by the values in the order of their names.
    """
    measured = {} if all_values is None else all_values
    names = sorted(initial_parameters)

    def timing(parameters: Parameters) -> float:
        key = tuple(parameters[name] for name in names)
        if key not in measured:
            try:
                measured[key] = target_func(parameters)
            except Exception:
                measured[key] = float("inf")  # parameters that a kernel does not take
        return measured[key]

    def moved(parameters: Parameters, step: tuple[int, ...]) -> Parameters:
        found = dict(parameters)
        for name, count in zip(names, step, strict=True):
            for _ in range(abs(count)):
                found[name] = step_func(name, found[name], 1 if count > 0 else -1, found)
        return found

    reference, first = timing(reference_parameters), timing(initial_parameters)
    best, lowest = dict(initial_parameters), first
    looking = True
    while looking:
        looking = False
        for length in range(1, max_step + 1):
            around = (moved(best, step) for step in _steps(len(names), length))
            better = next((p for p in around if timing(p) < lowest), None)
            if better is not None:
                best, lowest, looking = better, timing(better), True
                break
    changes = [
        _changes(timing, moved, best, names, i, max_step) for i in reversed(range(len(names)))
    ]
    changes.sort(key=lambda change: -change[0])
    text = ", ".join([f"timing0={first:.3f}", *(told for _, told in changes)])
    return best, (1 - lowest / reference) * 100, lowest, text


def _changes(
    timing: Callable[[Parameters], float],
    moved: Callable[[Parameters, tuple[int, ...]], Parameters],
    best: Parameters,
    names: list[str],
    index: int,
    max_step: int,
) -> tuple[float, str]:
    """The largest change beside *best* along one parameter, and the changes in words."""
    lowest = timing(best)
    along = [
        round((1 - timing(moved(best, step)) / lowest) * -100, 1)
        for count in (*range(-max_step, 0), *range(1, max_step + 1))
        for step in [tuple(count if i == index else 0 for i in range(len(names)))]
    ]
    low, high = ("|".join(map(str, part)) for part in (along[:max_step], along[max_step:]))
    return max(along), f"{names[index]}={best[names[index]]} ({low}...{high} %)"
