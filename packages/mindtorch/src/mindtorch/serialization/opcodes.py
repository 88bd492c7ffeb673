"""A tensor's opcodes, written at once.

The general pickler takes 40 µs for the two dozen small objects that describe a tensor; models
have thousands. What is written, and what is remembered in the memo, is the same to the byte.
"""

from __future__ import annotations

from collections import OrderedDict
from struct import Struct
from typing import Any

_UINT, _INT = Struct("<I"), Struct("<i")
_PUT = [b"q" + bytes((i,)) for i in range(256)]
_GET = [b"h" + bytes((i,)) for i in range(256)]
_BYTES = [b"K" + bytes((i,)) for i in range(256)]
_TUPLES = (b")", b"\x85", b"\x86", b"\x87")
_STORAGE = "storage"


def write_tensor(pickler: Any, t: Any, func: Any, args: tuple[Any, ...]) -> None:
    """Write the call ``func(*args)`` that rebuilds the tensor *t* from its storage.

    For protocols 2 and 3, and for the arguments of ``_rebuild_tensor_v2`` and ``_v3``.
    """
    memo = pickler.memo
    storage, offset, size, stride, requires_grad, hooks, *dtype = args
    identity = pickler.storages.refer(storage)
    _, kind, key, location, numel = identity
    put = _Memo(memo)
    out = [_global(pickler, func), b"((", put.text(_STORAGE), _global(pickler, kind)]
    out += (put.text(key), put.text(location), _int(numel), b"t", put.new(identity), b"Q")
    out += (_int(offset), put.ints(size), put.ints(stride))
    out.append(b"\x88" if requires_grad else b"\x89")
    out += (_global(pickler, OrderedDict), b")R", put.new(hooks))
    if dtype:
        out.append(_global(pickler, dtype[0]))
    out += (b"t", put.new(args), b"R", put.new(t))
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


def _int(n: int) -> bytes:
    if 0 <= n < 256:
        return _BYTES[n]
    if 0 <= n < 65536:
        return b"M" + n.to_bytes(2, "little")
    if -(1 << 31) <= n < 1 << 31:
        return b"J" + _INT.pack(n)
    from pickle import encode_long

    data = encode_long(n)
    return b"\x8a" + bytes((len(data),)) + data


class _Memo:
    """Remembers objects under the numbers that the pickler would give them."""

    __slots__ = ("_memo",)

    def __init__(self, memo: dict[int, tuple[int, Any]]) -> None:
        self._memo = memo

    def new(self, obj: Any) -> bytes:
        """The opcode that stores *obj*, just written, in the memo."""
        memo = self._memo
        index = len(memo)
        memo[id(obj)] = (index, obj)
        return _PUT[index] if index < 256 else b"r" + _UINT.pack(index)

    def text(self, text: str) -> bytes:
        """A str that is written once."""
        found = self._memo.get(id(text))
        if found is not None:
            return _get(found[0])
        data = text.encode("utf-8", "surrogatepass")
        return b"X" + _UINT.pack(len(data)) + data + self.new(text)

    def ints(self, values: tuple[int, ...]) -> bytes:
        """A tuple of ints."""
        found = self._memo.get(id(values))
        if found is not None:
            return _get(found[0])
        n = len(values)
        if not n:
            return b")"
        body = b"".join([_int(v) for v in values])
        if n <= 3:
            return body + _TUPLES[n] + self.new(values)
        return b"(" + body + b"t" + self.new(values)
