"""``out=`` tensors as they were, where a call fails after it gave them its result's shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call.arguments import tensors_of
from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..core import signature as S
from ..tensor.array_memory import address, owner_of
from ..tensor.resizing import window

__all__ = ["restoring"]


def restoring(overload: Overload, call: Call) -> Call:
    """*call*, after whose failure its targets have their shape, memory and version back.

    torch leaves them resized. Numbers need no care: ops check everything before they write. Only
    a composite tagged ``"writes_in_steps"`` may be refused half way, and keeps what it writes over.
    """
    overload.analyse()
    positions = overload.out_positions
    if "writes_in_steps" in overload.row.tags:
        call = _keeping(overload, call)
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


def _keeping(overload: Overload, call: Call) -> Call:
    """*call*, after whose failure the memory of its targets holds what it held."""

    positions = overload.out_positions

    def kept(*args: Any) -> Any:
        # Whole memories: a target that grows may do so over its neighbours.
        for i in positions:
            _written(args[i])
        owners = [owner_of(args[i]._a) for i in positions]
        contents = [owner.copy() for owner in owners]
        versions = [args[i]._shared and args[i]._shared.value for i in positions]
        try:
            return call(*args)
        except Exception:
            for t in tensors_of(overload, args):  # a stream may still be about to write
                _written(t)
            for i, owner, content, version in zip(positions, owners, contents, versions):
                t = args[i]
                now = owner_of(t._a)
                if now is owner:
                    np.copyto(owner, content)
                else:  # it has grown, and its bytes lie elsewhere
                    memory = now.reshape(-1).view(np.uint8)
                    memory[: content.nbytes] = content.reshape(-1).view(np.uint8)[: memory.size]
                if t._shared is not None:
                    t._shared.value = version or 0
            raise

    return kept


def _written(t: Any) -> None:
    """Wait until what was queued to write *t* has done so."""
    if not t._sig & S.META:
        t._host()


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
