"""Modules as functions of their parameters.

Source of the rules: torch/_functorch/functional_call.py, torch/nn/utils/stateless.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..core.operators import ops
from ..tensor import Tensor


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call *module* with other parameters and buffers than its own.

    :param parameter_and_buffer_dicts: a dictionary from name to tensor, or several.
    :param args: the arguments: a tuple, or the only one.
    :param tie_weights: what the module has under several names is replaced under all of them.
    :param strict: every parameter and buffer has to be given, and nothing else.

    Raises ValueError for dictionaries that contradict each other, RuntimeError for names that do
    not fit.
    """
    if isinstance(parameter_and_buffer_dicts, dict):
        given = parameter_and_buffer_dicts
    elif isinstance(parameter_and_buffer_dicts, Sequence):
        if not all(isinstance(d, dict) for d in parameter_and_buffer_dicts):
            raise ValueError(
                "Expected all elements of parameter_and_buffer_dicts to be dictionaries"
            )
        counts = Counter(k for d in parameter_and_buffer_dicts for k in d)
        repeated = [k for k, n in counts.items() if n > 1]
        if repeated:
            raise ValueError(
                f"{repeated} appeared in multiple dictionaries; behavior of functional call is "
                "ambiguous"
            )
        given = {k: v for d in parameter_and_buffer_dicts for k, v in d.items()}
    else:
        raise ValueError(
            "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got "
            f"{type(parameter_and_buffer_dicts)}"
        )
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    with _exchanged(module, given, tie_weights, strict):
        return module(*args, **(kwargs or {}))


@contextmanager
def _exchanged(
    module: Any, given: dict[str, Any], tie_weights: bool, strict: bool
) -> Iterator[None]:
    named = dict(module.named_parameters(remove_duplicate=False))
    named.update(module.named_buffers(remove_duplicate=False))
    wanted = _with_ties(named, given) if tie_weights else dict(given)
    if strict:
        unexpected = sorted(k for k in wanted if k not in named)
        missing = sorted(k for k in named if k not in wanted)
        text = f"Error(s) in reparametrizing for {type(module).__name__}:"
        if unexpected:
            text += "\n\tUnexpected key(s): " + ", ".join(map(repr, unexpected)) + "."
        if missing:
            text += "\n\tMissing key(s): " + ", ".join(map(repr, missing)) + "."
        if unexpected or missing:
            raise RuntimeError(text)
    before: list[tuple[dict[str, Any], str, str, Any]] = []
    try:
        for name, value in wanted.items():
            if not isinstance(value, Tensor):
                raise TypeError(f"{value} is not an instance of torch.Tensor")
            *path, leaf = name.split(".")
            if not leaf:
                raise KeyError('tensor name can\'t be empty string ""')
            owner = module
            for part in path:
                if part not in owner._modules:
                    raise AttributeError(f"{type(owner).__name__} has no attribute `{part}`")
                owner = owner._modules[part]
            stores = (owner._parameters, owner._buffers)
            store = next((d for d in stores if leaf in d), owner.__dict__)
            before.append((store, leaf, name, store.get(leaf, _ABSENT)))
            store[leaf] = value
        yield
    finally:
        for store, leaf, name, value in reversed(before):
            held = store.pop(leaf) if value is _ABSENT else store[leaf]
            if value is not _ABSENT:
                store[leaf] = value
            if name in given and held is not wanted[name]:
                given[name] = held  # the module has put another buffer there


_ABSENT = object()


def _with_ties(named: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """*given*, under all names of what it replaces.

    Raises ValueError where names of one tensor are given different tensors.
    """
    groups: dict[int, list[str]] = {}
    for name, t in named.items():
        groups.setdefault(id(t), []).append(name)
    made = dict(given)
    for names in groups.values():
        there = [n for n in names if n in given]
        if len({id(given[n]) for n in there}) > 1:
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(names)}, which are tied. "
                "Consider using tie_weights=False"
            )
        if there:
            for n in names:
                made[n] = given[there[0]]
    return made


def stack_module_state(models: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters and the buffers of several modules of one class, stacked.

    Raises RuntimeError for no module, and for modules that differ in class or mode.
    """
    if not len(models):
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({m.training for m in models}) > 1:
        raise RuntimeError(
            "stack_module_state: Expected all models to have the same training/eval mode."
        )
    if any(type(m) is not type(models[0]) for m in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    parameters = [dict(m.named_parameters()) for m in models]
    buffers = [dict(m.named_buffers()) for m in models]
    return (
        {k: _stacked([p[k] for p in parameters], k) for k in parameters[0]},
        {k: _stacked([b[k] for b in buffers], k) for k in buffers[0]},
    )


def _stacked(tensors: list[Any], name: str) -> Any:
    wanted = {t.requires_grad for t in tensors}
    if len(wanted) > 1:
        raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
    result = ops.stack(tensors)
    return result.detach().requires_grad_() if True in wanted else result
