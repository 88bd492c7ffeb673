"""``out=`` tensors as they were, where a call fails after it gave them its result's shape."""

from __future__ import annotations

from typing import Any

from ..calls import Call
from ..construct import address, owner_of
from ..ops.overload import Overload
from ..resizing import window

__all__ = ["restoring"]


def restoring(overload: Overload, call: Call) -> Call:
    """*call*, after whose failure its targets have their shape, memory and version back.

    torch leaves them resized.
    """
    overload.schema  # noqa: B018  (analyses on first use)
    positions = overload.out_positions
    if len(positions) == 1:
        at = positions[0]

        def one(*args: Any) -> Any:
            t = args[at]
            array, alias = t._a, t._shared
            facts = (t._sig, alias and alias.storage, alias and alias.value)
            try:
                return call(*args)
            except Exception:
                if t._a is not array:
                    _restore(t, array, alias, facts)
                raise

        return one

    def several(*args: Any) -> Any:
        before = []
        for i in positions:
            t = args[i]
            alias = t._shared
            facts = (t._sig, alias and alias.storage, alias and alias.value)
            before.append((t, t._a, alias, facts))
        try:
            return call(*args)
        except Exception:
            for t, array, alias, facts in before:
                if t._a is not array:
                    _restore(t, array, alias, facts)
            raise

    return several


def _restore(t: Any, array: Any, alias: Any, facts: tuple[Any, Any, Any]) -> None:
    sig, storage, version = facts
    t._sig, t._shared = sig, alias
    if storage is not None:
        alias.storage, alias.value = storage, version
        owner = owner_of(array)
        if storage._owner is not None and owner_of(storage._owner) is not owner:
            # It has grown, and its bytes lie elsewhere.
            item = array.itemsize
            offset = (address(array) - address(owner)) // item
            strides = [s // item for s in array.strides]
            array = window(storage, array.dtype, array.shape, strides, offset)
    t._a = array
