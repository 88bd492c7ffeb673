"""What ``torch.func``'s functions ask of their arguments and results, in torch's words.

Source: torch/_functorch/eager_transforms.py.
"""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor
from ..utils._pytree import tree_leaves


def slice_argnums(args: tuple[Any, ...], argnums: Any, as_tuple: bool = True) -> Any:
    """The arguments that *argnums* names: an int, or a tuple of them."""
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    if isinstance(argnums, int):
        index = _index(argnums, len(args))
        return (args[index],) if as_tuple else args[index]
    indices = tuple([_index(i, len(args)) for i in argnums])
    if not indices:
        raise RuntimeError("argnums must be non-empty")
    if len(set(indices)) != len(indices):
        raise RuntimeError(f"argnums elements must be unique, got {indices}")
    return tuple([args[i] for i in indices])


def replaced(args: tuple[Any, ...], new: tuple[Any, ...], argnums: Any) -> tuple[Any, ...]:
    """*args* with others at *argnums*."""
    numbers = (argnums,) if isinstance(argnums, int) else argnums
    made = list(args)
    for number, value in zip(numbers, new, strict=True):
        made[_index(number, len(args))] = value
    return tuple(made)


def _index(argnum: Any, count: int) -> int:
    if not isinstance(argnum, int):
        raise RuntimeError(f"argnum must be int, got: {type(argnum)}")
    if -count <= argnum < count:
        return argnum % count
    raise RuntimeError(f"Got argnum={argnum}, but only {count} positional inputs")


def refuse_complex(name: str, args: Any, is_input: bool) -> None:
    """Raise RuntimeError for a complex tensor among *args*."""
    for i, t in enumerate(tree_leaves(args)):
        if isinstance(t, Tensor) and t.dtype.is_complex:
            raise RuntimeError(
                f"{name}: Expected all {'inputs' if is_input else 'outputs'} to be real but "
                f"received complex tensor at flattened input idx: {i}"
            )


def check_outputs(output: list[Any], api: str) -> None:
    """Raise RuntimeError unless *output* is a list of tensors."""
    if not output or (len(output) == 1 and output[0] is None):
        raise RuntimeError(
            f"{api}: Expected f to be a function that has non-empty output (got output = {output})"
        )
    for value in output:
        if not isinstance(value, Tensor):
            raise RuntimeError(
                f"{api}: expected f(*primals) to return only tensors, got unsupported type "
                f"{type(value)}"
            )


def check_tensors(values: list[Any], api: str, what: str) -> None:
    """Raise RuntimeError unless *values* is a list of tensors."""
    if not values:
        raise RuntimeError(f"{api}: Expected {what} to contain at least one Tensor.")
    for value in values:
        if not isinstance(value, Tensor):
            raise RuntimeError(f"{api}: Expected {what} to only contain Tensors, got {type(value)}")


def with_aux(output: Any, api: str) -> tuple[Any, Any]:
    """The parts of the output of a function that has something to say besides."""
    if not (isinstance(output, tuple) and len(output) == 2):
        raise RuntimeError(
            f"{api}: output of function f should be a tuple: (output, aux) if has_aux is True"
        )
    return output
