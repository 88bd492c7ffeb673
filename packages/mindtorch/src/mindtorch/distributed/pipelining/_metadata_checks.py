"""Checks of tensors against metadata, and of what users say of a stage's tensors."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from ...tensor import Tensor
from ..tensor import DTensor
from ._metadata import PipeliningMetadataError, TensorMeta, extract_tensor_meta

__all__ = [
    "validate_and_normalize_to_tuple",
    "validate_metadata",
    "validate_static_arg_grad_correspondence",
    "validate_tensors_metadata",
]


def validate_and_normalize_to_tuple(args: Any, allow_none: bool = False) -> Any:
    """Make a tuple of one tensor or several; None stays what it is.

    Raises PipeliningMetadataError for what is no tensor, and for a None that is not allowed.
    """
    if args is None:
        return None
    if isinstance(args, Tensor):
        return (args,)
    if not isinstance(args, (tuple, list)):
        raise PipeliningMetadataError(
            f"Stage args must be a tensor, tuple, or list of tensors, got {type(args).__name__}."
        )
    for i, arg in enumerate(args):
        if arg is None and not allow_none:
            raise PipeliningMetadataError(
                f"Stage arg[{i}] is None. Stage args must be tensors. Use kwargs for optional "
                "values."
            )
        if arg is not None and not isinstance(arg, Tensor):
            raise PipeliningMetadataError(
                f"Stage arg[{i}] has type {type(arg).__name__}. All stage args must be tensors. "
                "Use kwargs for non-tensor inputs."
            )
    return tuple(args) if isinstance(args, list) else args


def validate_metadata(
    desc: str,
    expected: TensorMeta,
    actual: Tensor | TensorMeta,
    *,
    raise_on_mismatch: bool = False,
    warn_on_mismatch: bool = False,
) -> list[str]:
    """Name the differences between metadata and a tensor, or other metadata.

    Raises PipeliningMetadataError for differences if so asked; or warns of them.
    """
    found = extract_tensor_meta(actual) if isinstance(actual, Tensor) else actual
    kind = "Metadata mismatch"
    if type(expected) is not type(found):
        kind = "Metadata type mismatch"
        wanted, got = type(expected).__name__, type(found).__name__
        differences = [f"type: expected {wanted}, got {got}"]
    else:
        differences = expected.get_diff(found)
    if differences:
        text = "; ".join(differences)
        if raise_on_mismatch:
            raise PipeliningMetadataError(f"{desc}: {text}")
        if warn_on_mismatch:
            warnings.warn(
                f"{desc}: {kind}. {text}. Using dynamically inferred metadata instead.",
                UserWarning,
                stacklevel=2,
            )
    return differences


def validate_tensors_metadata(
    desc: str,
    expected: Sequence[TensorMeta | None],
    actual: Sequence[Tensor | TensorMeta | None],
    *,
    raise_on_mismatch: bool = True,
    warn_on_mismatch: bool = False,
) -> list[str]:
    """Name the differences between metadata and tensors, one by one.

    Raises PipeliningMetadataError for the first difference, unless told otherwise.
    """

    def tell(text: str) -> list[str]:
        if raise_on_mismatch:
            raise PipeliningMetadataError(text)
        if warn_on_mismatch:
            warnings.warn(text, UserWarning, stacklevel=3)
        return [text]

    if len(expected) != len(actual):
        return tell(f"{desc}: expected {len(expected)} tensors, got {len(actual)}")
    found: list[str] = []
    for i, (wanted, got) in enumerate(zip(expected, actual, strict=True)):
        if wanted is not None and got is not None:
            found += validate_metadata(
                f"{desc}[{i}]",
                wanted,
                got,
                raise_on_mismatch=raise_on_mismatch,
                warn_on_mismatch=warn_on_mismatch,
            )
        elif wanted is not got:
            said = ["None" if each is None else "metadata" for each in (wanted, got)]
            found += tell(f"{desc}[{i}]: expected {said[0]}, got {said[1]}")
    return found


def validate_static_arg_grad_correspondence(
    stage_index: int, args: Sequence[Tensor], grads: Sequence[Tensor | None], is_input: bool
) -> None:
    """Check that every tensor that is given for a stage has the gradient that is given for it.

    Raises PipeliningMetadataError for another number of them, for a gradient of what has none and
    for one of a distributed tensor that is not distributed; warns of gradients that are missing.
    """
    kind = "input" if is_input else "output"
    stage = f"Stage {stage_index}: "
    if len(args) != len(grads):
        raise PipeliningMetadataError(
            f"{stage}{kind}_grads length ({len(grads)}) does not match {kind}_args length "
            f"({len(args)}). Each forward tensor must have a corresponding gradient entry (use "
            "None for tensors that don't require grad)."
        )
    for i, (arg, grad) in enumerate(zip(args, grads, strict=True)):
        if not arg.requires_grad and grad is not None:
            raise PipeliningMetadataError(
                f"{stage}{kind}_args[{i}] has requires_grad=False, but {kind}_grads[{i}] is not "
                f"None ({type(grad).__name__}). Non-differentiable tensors must have None as their "
                "gradient entry."
            )
        if arg.requires_grad and grad is None:
            warnings.warn(
                f"{stage}{kind}_args[{i}] has requires_grad=True, but {kind}_grads[{i}] is None. "
                "This is legal at pipeline boundaries but may indicate a missing gradient.",
                UserWarning,
                stacklevel=2,
            )
        needs = isinstance(arg, DTensor) and arg.requires_grad and grad is not None
        if needs and not isinstance(grad, DTensor):
            raise PipeliningMetadataError(
                f"{stage}{kind}_args[{i}] is a DTensor with requires_grad=True, but {kind}_grads"
                f"[{i}] is {type(grad).__name__}, expected DTensor or None. DTensor gradients may "
                "have different placements than forward tensors."
            )
