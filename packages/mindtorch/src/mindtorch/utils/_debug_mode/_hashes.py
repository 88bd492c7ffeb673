"""Hashes of what operators took and gave, and how those of two runs differ."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...tensor import Tensor
from .._pytree import keystr, tree_map_with_path
from ._calls import _get_call_name, _RedistributeCall
from ._utils import _compute_rel_diff, hash_tensor_fn, norm_hash_fn

__all__: list[str] = []


def _is_tensor(x: Any) -> bool:
    return isinstance(x, Tensor)


def _hash_function(given: Any) -> Callable[[Any], Any]:
    """The function for what :meth:`DebugMode.log_tensor_hashes` was given."""

    def named(name: Any) -> Callable[[Any], Any]:
        if name not in ("norm", "hash_tensor"):
            raise AssertionError(f"hash_type must be 'norm' or 'hash_tensor', got {name!r}")
        return functools.partial(
            norm_hash_fn if name == "norm" else hash_tensor_fn, use_scalar=True
        )

    if callable(given):
        return given
    if isinstance(given, str):
        return named(given)
    if isinstance(given, list):
        functions = [named(name) for name in given]
        return lambda x: tuple(f(x) for f in functions)
    raise NotImplementedError(
        "log_tensor_hashes() expected hash_fn to be callable, str, or list[str], but found "
        f"{type(given)}"
    )


def _check_same_call(i: int, one: Any, other: Any) -> None:
    """Raise ValueError unless two lines are about the same call."""
    kind, its = type(one).__name__, type(other).__name__
    if kind != its:
        raise ValueError(f"Call types don't match at index {i}: {kind} vs {its}")
    name, named = _get_call_name(one), _get_call_name(other)
    if name != named:
        raise ValueError(f"Operators don't match at index {i}: {kind}[{name}] vs {kind}[{named}]")
    if one.call_depth != other.call_depth:
        raise ValueError(
            f"Call depths for {kind}[{name}] don't match at index {i}: {one.call_depth} vs "
            f"{other.call_depth}"
        )
    if isinstance(one, _RedistributeCall) and tuple(one) != tuple(other):
        raise ValueError(f"Redistribute calls don't match at index {i}: {one} vs {other}")


def _compare_hashes(i: int, one: Any, other: Any, key: str, found: list[dict[str, Any]]) -> None:
    """Note the tensors whose hashes differ."""
    name = _get_call_name(one)
    has = [key in (call.log or {}) for call in (one, other)]
    if has[0] != has[1]:
        said = "Output hash" if key == "hash" else "Input hash"
        raise ValueError(
            f"{said} presence inconsistent for triton kernel {type(one).__name__}[{name}] "
            f"at index {i}: log1 has {key}={has[0]}, log2 has {key}={has[1]}"
        )
    if not has[0]:
        return

    def compare(path: Any, hash1: Any, hash2: Any) -> None:
        if hash1 != hash2:
            found.append(
                {
                    "call_type": "torch op",
                    "call": name,
                    "arg_name": None,
                    "pytree_path": keystr(path),
                    "hash1": hash1,
                    "hash2": hash2,
                    "rel_diff": _compute_rel_diff(hash1, hash2),
                    "is_input_hash": key == "input_hash",
                }
            )

    tree_map_with_path(compare, one.log[key], other.log[key])
