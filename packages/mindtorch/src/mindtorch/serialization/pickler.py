"""Writing pickles that torch reads: torch's names for ours, storages as persistent ids."""

from __future__ import annotations

import io
import pickle
from types import FunctionType
from typing import Any

import mindtorch_storage as st
import numpy as np
from mindtorch_storage import hooks

from .. import _utils
from ..core import constants
from ..core import signature as S
from ..core.pickling import METACLASSES
from ..core.qscheme import qscheme
from ..io.copying import rebuild_args
from ..tensor import Tensor
from . import errors, names
from .location import location_tag
from .opcodes import write_tensor
from .options import LOCAL


class Storages:
    """The storages that a pickle refers to, numbered in the order of their first use."""

    __slots__ = ("_dtypes", "_keys", "by_key", "itemsize")
    #: Whether ids have the five facts of the zip format.
    current = True
    #: Whether what has no name is refused in the words of the standard pickler.
    refuses_as_pickle = True

    def __init__(self) -> None:
        self.by_key: dict[str, st.UntypedStorage] = {}
        self.itemsize: dict[str, int] = {}
        self._keys: dict[int, str] = {}
        self._dtypes: dict[int, Any] = {}

    def refer(self, obj: Any) -> tuple[Any, ...]:
        """The persistent id of a storage of either kind.

        Raises RuntimeError if its memory is already referred to with another dtype.
        """
        if isinstance(obj, st.TypedStorage):
            kind = getattr(st, obj._pickle_storage_type())
            return self.number(obj._untyped_storage, obj.dtype, kind)
        return self.number(obj, st.uint8, st.UntypedStorage)

    def refer_to_class(self, cls: Any) -> tuple[Any, ...] | None:
        """The persistent id of a class, which only the old format has."""
        return None

    def number(self, storage: Any, dtype: Any, kind: Any) -> tuple[Any, ...]:
        """The persistent id of *storage* read as *dtype*, whose legacy class is *kind*."""
        if storage.device.type != "meta":
            address = storage.data_ptr()
            if address and self._dtypes.setdefault(address, dtype) is not dtype:
                raise errors.several_dtypes()
        key = self._keys.get(id(storage))
        if key is None:
            key = self._keys[id(storage)] = str(len(self._keys))
            self.by_key[key] = storage
            self.itemsize[key] = dtype.itemsize
        where = storage._fake_device or location_tag(storage)
        return ("storage", kind, key, str(where), storage.nbytes() // dtype.itemsize)


class _Naming:
    """A pickler that says torch's names. Mixed into a pickler written in Python."""

    storages: Storages

    def persistent_id(self, obj: Any) -> Any:
        if isinstance(obj, (st.TypedStorage, st.UntypedStorage)):
            return self.storages.refer(obj)
        if not self.storages.current and isinstance(obj, type):
            return self.storages.refer_to_class(obj)
        return None

    def reducer_override(self, obj: Any) -> Any:
        if type(obj) in METACLASSES:
            return obj.__qualname__  # by torch's name, as any other class
        return NotImplemented

    def save_global(self: Any, obj: Any, name: str | None = None) -> None:
        theirs = names.torch_name(obj, name)
        if theirs is None:
            try:
                super().save_global(obj, name)
            except pickle.PicklingError:
                if self.storages.refuses_as_pickle:
                    pickle.dumps(obj)  # does, in the words of the pickler in C, which torch uses
                raise
            return
        module, name = theirs
        if self.proto >= 4:
            self.save(module)
            self.save(name)
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(f"c{module}\n{name}\n".encode())
        self.memoize(obj)


def _save_tensor(self: Any, t: Any) -> None:
    state = t.__dict__
    if (
        not state
        and self.proto in (2, 3)
        and self.storages.current
        and not t._sig_ & (S.META | S.LAZY | S.FUNCTIONALITIES)
    ):
        write_tensor(self, t)
        return
    func, args = rebuild_args(t)
    if state:
        func, args = _utils._rebuild_from_type_v2, (func, Tensor, args, state)
    self.save_reduce(func, args, obj=t)


def _save_layout(self: Any, layout: Any) -> None:
    self.save_reduce(names._get_layout, (str(layout),), obj=layout)


def _save_by_name(self: Any, obj: Any) -> None:
    self.save_global(obj, str(obj).removeprefix("torch."))


_DISPATCH = {
    Tensor: _save_tensor,
    constants.layout: _save_layout,
    constants.memory_format: _save_by_name,
    st.DType: _save_by_name,
    qscheme: _save_by_name,
}


def _make(pickler: Any) -> Any:
    """*pickler*, which is written in Python, with our ways."""
    made: Any = type("TorchPickler", (_Naming, pickler), {})
    # The table holds functions, not names of methods: what is overridden must be entered again.
    made.dispatch = {**pickler.dispatch, FunctionType: made.save_global, **_DISPATCH}
    return made


_classes: dict[Any, Any] = {}


def dump(
    obj: Any, pickle_module: Any, protocol: int, storages: Storages | None = None
) -> tuple[bytes, Storages]:
    """*obj* as a pickle, and the storages that it refers to.

    Pickle modules whose pickler is written in C (but for the standard one, which has a twin in
    Python) write mindtorch's names, which only mindtorch reads.
    """
    # The standard pickler in C offers no way to say another name than the one to import.
    base = pickle._Pickler if pickle_module is pickle else pickle_module.Pickler
    made = _classes.get(base)
    if made is None:
        if issubclass(base, pickle._Pickler):
            made = _make(base)
        else:
            made = type("TorchPickler", (base,), {"persistent_id": _Naming.persistent_id})
        _classes[base] = made
    buffer = io.BytesIO()
    writer = made(buffer, protocol=protocol)
    if storages is None:
        storages = Storages()
    writer.storages = storages
    writer.dump(obj)
    return buffer.getvalue(), storages


def storage_bytes(storage: Any) -> memoryview:
    """The bytes of *storage*, from whatever device; zeros while :class:`skip_data` is open."""
    if LOCAL.skip_data or storage.device.type == "meta":
        data: Any = np.zeros(storage.nbytes(), np.uint8)
    else:
        if hooks.copy_elsewhere is not None:  # no array of the host has its bytes
            storage = storage.cpu()
        data = storage._writable()
    return memoryview(data)
