"""Metadata as pickles that name classes as torch does, whatever this package is called."""

from __future__ import annotations

import pickle
from typing import IO, Any

from ...aten import torch

_OURS = __name__.partition(".")[0]


class _Pickler(pickle._Pickler):  # type: ignore[name-defined,misc]  # stubs lack the Python one
    """Writes the classes of this package under torch's names."""

    def save_global(self, obj: Any, name: str | None = None) -> None:
        module = getattr(obj, "__module__", None) or ""
        if module.partition(".")[0] != _OURS:
            super().save_global(obj, name)
            return
        there = "torch" + module[len(_OURS) :]
        if there == "torch.size":
            there = "torch"
        self.write(f"c{there}\n{name or obj.__qualname__}\n".encode())
        self.memoize(obj)

    def save(self, obj: Any, save_persistent_id: bool = True) -> Any:
        if isinstance(obj, torch.dtype) and id(obj) not in self.memo:
            self.write(f"c{str(obj).replace('.', chr(10))}\n".encode())
            self.memoize(obj)
            return None
        if isinstance(obj, torch.layout) and id(obj) not in self.memo:
            self.write(b"ctorch.serialization\n_get_layout\nX")
            text = str(obj).encode()
            self.write(len(text).to_bytes(4, "little") + text + pickle.TUPLE1 + pickle.REDUCE)
            self.memoize(obj)
            return None
        if type(obj) is torch.Size and id(obj) not in self.memo:
            self.write(b"ctorch\nSize\n")
            super().save((tuple(obj),))
            self.write(pickle.REDUCE)
            self.memoize(obj)
            return None
        return super().save(obj, save_persistent_id)


class _Unpickler(pickle.Unpickler):
    """Reads torch's names as those of this package."""

    def find_class(self, module: str, name: str) -> Any:
        if module == "torch.serialization" and name == "_get_layout":
            return lambda text: getattr(torch, text.removeprefix("torch."))
        if module == "torch":
            return getattr(torch, name)
        if module.startswith("torch."):
            module = _OURS + module[5:]
        return super().find_class(module, name)


def dump(obj: Any, file: IO[bytes]) -> None:
    """Write *obj*."""
    _Pickler(file, protocol=4).dump(obj)


def load(file: IO[bytes]) -> Any:
    """Read what ``dump``, or torch, has written."""
    return _Unpickler(file).load()
