"""A tensor's opcodes, written at once.

The general pickler takes 40 µs for the two dozen small objects that describe a tensor; models
have thousands. What is written, and what is remembered in the memo, is the same to the byte.
"""

from __future__ import annotations

from collections import OrderedDict
from pickle import encode_long
from struct import Struct
from typing import Any

import mindtorch_storage as st
from mindtorch_autograd.hooks import warn_if_has_hooks
from mindtorch_storage.legacy_names import STORAGE_NAMES

from .. import _utils
from ..tensor.array_memory import storage_of

_UINT, _INT = Struct("<I"), Struct("<i")
_PUT = [b"q" + bytes((i,)) for i in range(256)]
_GET = [b"h" + bytes((i,)) for i in range(256)]
_BYTES = [b"K" + bytes((i,)) for i in range(256)]
_TUPLES = (b")", b"\x85", b"\x86", b"\x87")
_STORAGE = "storage"


def write_tensor(pickler: Any, t: Any) -> None:
    """Write the call of ``_rebuild_tensor_v2`` (or ``_v3``) that makes the plain tensor *t*.

    For protocols 2 and 3, and for tensors that have a storage.
    """
    warn_if_has_hooks(t)
    memo: dict[int, Any] = pickler.memo
    storage, dtype = storage_of(t), t.dtype
    legacy = STORAGE_NAMES.get(dtype)
    if legacy is not None:
        func: Any = _utils._rebuild_tensor_v2
        kind, width = getattr(st, legacy), dtype
    else:
        func, kind, width = _utils._rebuild_tensor_v3, st.UntypedStorage, st.uint8
    _, _, key, location, numel = pickler.storages.number(storage, width, kind)
    out = [_global(pickler, func), b"((", _text(memo, _STORAGE), _global(pickler, kind)]
    out += (_text(memo, key), _text(memo, location), _int(numel), b"t", _skip(memo), b"Q")
    out += (_int(t.storage_offset()), _ints(memo, t._a_.shape), _ints(memo, t.stride()))
    out.append(b"\x88" if t.requires_grad else b"\x89")
    out += (_global(pickler, OrderedDict), b")R", _skip(memo))
    if legacy is None:
        out.append(_global(pickler, dtype))
    out += (b"t", _skip(memo), b"R", _put(memo, t))
    pickler.write(b"".join(out))


def _global(pickler: Any, obj: Any) -> bytes:
    """The opcodes for a class or function; the first time the pickler itself writes them."""
    found = pickler.memo.get(id(obj))
    if found is not None:
        return _get(found[0])
    written: list[bytes] = []
    pickler.write, write = written.append, pickler.write
    try:
        pickler.save(obj)
    finally:
        pickler.write = write
    return b"".join(written)


def _get(index: int) -> bytes:
    return _GET[index] if index < 256 else b"j" + _UINT.pack(index)


def _put(memo: dict[int, Any], obj: Any) -> bytes:
    """The opcode that stores *obj*, just written, under the next number."""
    index = len(memo)
    memo[id(obj)] = (index, obj)
    return _PUT[index] if index < 256 else b"r" + _UINT.pack(index)


def _skip(memo: dict[int, Any]) -> bytes:
    """As :func:`_put` for what exists only in the file: the number is used up, nothing is kept."""
    index = len(memo)
    memo[~index] = None  # no object has a negative id
    return _PUT[index] if index < 256 else b"r" + _UINT.pack(index)


def _text(memo: dict[int, Any], text: str) -> bytes:
    """A str that is written once."""
    found = memo.get(id(text))
    if found is not None:
        return _get(found[0])
    data = text.encode("utf-8", "surrogatepass")
    return b"X" + _UINT.pack(len(data)) + data + _put(memo, text)


def _int(n: int) -> bytes:
    if 0 <= n < 256:
        return _BYTES[n]
    if 0 <= n < 65536:
        return b"M" + n.to_bytes(2, "little")
    if -(1 << 31) <= n < 1 << 31:
        return b"J" + _INT.pack(n)

    data = encode_long(n)
    return b"\x8a" + bytes((len(data),)) + data


def _ints(memo: dict[int, Any], values: tuple[int, ...]) -> bytes:
    """A tuple of ints."""
    n = len(values)
    if not n:
        return b")"
    body = b"".join([_int(v) for v in values])
    return body + _TUPLES[n] + _skip(memo) if n <= 3 else b"(" + body + b"t" + _skip(memo)
