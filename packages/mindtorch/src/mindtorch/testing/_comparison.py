"""``assert_close``: two values, or two structures of them, are close; else an error says where.

A structure is walked once; every leaf becomes a *pair* (see :mod:`._pairs`). Only when all pairs
exist are they compared, so a structure that cannot be compared is refused before the first number
is looked at.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..aten import torch
from ..core.warning import warn
from ._mismatch import (
    ErrorMeta,
    item_text,
    make_scalar_mismatch_msg,
    make_tensor_mismatch_msg,
)
from ._pairs import (
    BooleanPair,
    NonePair,
    NumberPair,
    ObjectPair,
    Pair,
    Place,
    TensorLikePair,
    UnsupportedInputs,
)
from ._tolerances import ALLCLOSE_TOLERANCES, default_tolerances, get_tolerances

__all__ = [
    "BooleanPair",
    "ErrorMeta",
    "NonePair",
    "NumberPair",
    "ObjectPair",
    "Pair",
    "TensorLikePair",
    "UnsupportedInputs",
    "assert_allclose",
    "assert_close",
    "default_tolerances",
    "get_tolerances",
    "make_scalar_mismatch_msg",
    "make_tensor_mismatch_msg",
    "not_close_error_metas",
    "originate_pairs",
]


def originate_pairs(
    actual: Any,
    expected: Any,
    *,
    pair_types: Sequence[type[Pair]],
    sequence_types: tuple[type, ...] = (Sequence,),
    mapping_types: tuple[type, ...] = (Mapping,),
    id: Place = (),
    **options: Any,
) -> list[Pair]:
    """A pair for each leaf of two structures, in order.

    :param pair_types: the kinds that may take a leaf, the first that does is asked.
    :param options: for the pairs.
    :raises ErrorMeta: where the structures differ, or no kind takes two leaves.
    """
    kinds = {
        "pair_types": pair_types,
        "sequence_types": sequence_types,
        "mapping_types": mapping_types,
    }
    both = actual, expected
    if all([isinstance(v, sequence_types) and not isinstance(v, str) for v in both]):
        if len(actual) != len(expected):
            text = f"The length of the sequences mismatch: {len(actual)} != {len(expected)}"
            raise ErrorMeta(AssertionError, text, id=id)
        places: Any = range(len(actual))
    elif all([isinstance(v, mapping_types) for v in both]):
        missing, extra = set(expected) - set(actual), set(actual) - set(expected)
        if missing or extra:
            text = "The keys of the mappings do not match:\n"
            text += f"Missing keys in the actual mapping: {sorted(missing)}\n"
            text += f"Additional keys in the actual mapping: {sorted(extra)}"
            raise ErrorMeta(AssertionError, text, id=id)
        places = _in_order(actual)
    else:
        return [_leaf(actual, expected, pair_types, id, options)]
    found: list[Pair] = []
    for at in places:
        found += originate_pairs(actual[at], expected[at], id=(*id, at), **kinds, **options)
    return found


def _leaf(
    actual: Any, expected: Any, pair_types: Sequence[type[Pair]], id: Place, options: Any
) -> Pair:
    for kind in pair_types:
        try:
            return kind(actual, expected, id=id, **options)
        except UnsupportedInputs:
            continue
        except ErrorMeta:
            raise
        except Exception as error:
            parts = [f"{type(v).__name__}(): {v}" for v in (actual, expected)]
            raise RuntimeError(
                f"Originating a {kind.__name__}() at item {item_text(id)} with\n\n"
                f"{parts[0]}\n\nand\n\n{parts[1]}\n\n{_UNEXPECTED}"
            ) from error
    text = "No comparison pair was able to handle inputs of type "
    raise ErrorMeta(TypeError, f"{text}{type(actual)} and {type(expected)}.", id=id)


_UNEXPECTED = (
    "resulted in the unexpected exception above. If you are a user and see this message during "
    "normal operation please file an issue at https://github.com/pytorch/pytorch/issues. If you "
    "are a developer and working on the comparison functions, please except the previous error "
    "and raise an expressive `ErrorMeta` instead."
)


def not_close_error_metas(
    actual: Any,
    expected: Any,
    *,
    pair_types: Sequence[type[Pair]] = (ObjectPair,),
    sequence_types: tuple[type, ...] = (Sequence,),
    mapping_types: tuple[type, ...] = (Mapping,),
    **options: Any,
) -> list[ErrorMeta]:
    """What is wrong with each pair of leaves that is not close; an empty list where all are.

    Raises the error itself where the structures cannot be compared. See :func:`originate_pairs`.
    """
    __tracebackhide__ = True
    try:
        pairs = originate_pairs(
            actual,
            expected,
            pair_types=pair_types,
            sequence_types=sequence_types,
            mapping_types=mapping_types,
            **options,
        )
    except ErrorMeta as meta:
        raise meta.to_error() from None
    found = []
    for pair in pairs:
        try:
            pair.compare()
        except ErrorMeta as meta:
            found.append(meta)
        except Exception as error:
            raise RuntimeError(f"Comparing\n\n{pair}\n\n{_UNEXPECTED}") from error
    return found


def _unwrap_dtensor_for_comparison(actual: Any, expected: Any) -> tuple[Any, Any]:
    """Two values; in place of tensors that are spread over ranks the whole ones."""
    spread = sys.modules.get(f"{__name__.partition('.')[0]}.distributed.tensor")
    if spread is None:
        return actual, expected
    whole = [v.full_tensor() if isinstance(v, spread.DTensor) else v for v in (actual, expected)]
    return whole[0], whole[1]


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """Assert ``|actual - expected| <= atol + rtol * |expected|`` for every number of two values.

    :param actual: a tensor, number, bool, None, anything :func:`mindtorch.as_tensor` takes, or a
        sequence or mapping of those.
    :param expected: the same structure; leaves are of the same or a related type.
    :param rtol: relative tolerance; with *atol* or not at all. Unset: from the dtype
        (``1.3e-6`` and ``1e-5`` for float32, 0 for integers).
    :param equal_nan: whether NaN is close to NaN.
    :param msg: the text of the error, or what makes it from the text that would be used.
    :raises AssertionError: something differs; the text says by how much, and where.
    :raises TypeError: two leaves cannot be compared with each other.
    :raises ValueError: only one of *rtol* and *atol* is given.
    """
    __tracebackhide__ = True
    metas = not_close_error_metas(
        actual,
        expected,
        pair_types=(NonePair, BooleanPair, NumberPair, TensorLikePair),
        allow_subclasses=allow_subclasses,
        rtol=rtol,
        atol=atol,
        equal_nan=equal_nan,
        check_device=check_device,
        check_dtype=check_dtype,
        check_layout=check_layout,
        check_stride=check_stride,
    )
    if metas:
        raise metas[0].to_error(msg)


def assert_allclose(
    actual: Any,
    expected: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
    msg: str = "",
) -> None:
    """The deprecated forerunner of :func:`assert_close`: wider tolerances, any dtype and device."""
    warn(
        "`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a "
        "future release. Please use `torch.testing.assert_close()` instead. You can find detailed "
        "upgrade instructions in https://github.com/pytorch/pytorch/issues/61844.",
        FutureWarning,
    )
    if not isinstance(actual, torch.Tensor):
        actual = torch.tensor(actual)
    if not isinstance(expected, torch.Tensor):
        expected = torch.tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        rtol, atol = default_tolerances(actual, expected, dtype_precisions=ALLCLOSE_TOLERANCES)
    assert_close(
        actual,
        expected,
        rtol=rtol,
        atol=atol,
        equal_nan=equal_nan,
        check_device=True,
        check_dtype=False,
        check_stride=False,
        msg=msg or None,
    )


def _in_order(mapping: Mapping[Any, Any]) -> list[Any]:
    """The keys: sorted if they can be, so that the first failure does not depend on the order."""
    try:
        return sorted(mapping)
    except TypeError:
        return list(mapping)
