"""The machine behind ``weights_only=True``: pickle's opcodes without pickle's powers.

It knows the opcodes that protocol 2 writes for plain data and for calls, looks names up in a
table in place of importing them, calls nothing that is not in that table, and sets state only of
what torch sets state of. It reads from bytes in memory, so nothing that a file declares about
lengths makes it allocate.

Source of what is allowed, and of the texts: torch/_weights_only_unpickler.py.
"""

from __future__ import annotations

import pickle
from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING
from collections import Counter, OrderedDict
from collections.abc import Callable
from importlib import import_module
from struct import Struct
from struct import error as StructError
from types import BuiltinMethodType, MethodType
from typing import Any

from ..core.warning import warn
from ..tensor import Tensor
from . import errors
from .allowed import (
    BLOCKED_MODULES,
    PARAMETER,
    default_ids,
    is_absent,
    lookup,
    of_users,
    weighed_ids,
)
from .weighing import check_call, check_keys

_INT, _UINT, _USHORT, _FLOAT = Struct("<i"), Struct("<I"), Struct("<H"), Struct(">d")

_STOP_CODE = pickle.STOP[0]
#: STRING, BINSTRING and SHORT_BINSTRING, which Python 2 wrote for its strings of bytes.
_PYTHON_2_STRINGS = frozenset(b"STU")

_DISTRIBUTED = frozenset(
    {
        "torch.distributed.device_mesh.DeviceMesh",
        "torch.distributed.tensor._dtensor_spec.DTensorSpec",
        "torch.distributed.tensor._dtensor_spec.TensorMeta",
        "torch.distributed.tensor.DTensor",
        "torch.distributed.tensor.placement_types.Partial",
        "torch.distributed.tensor.placement_types.Replicate",
        "torch.distributed.tensor.placement_types.Shard",
    }
)
#: What nested tensors are made of in a file: allowed, and imported when it first comes up.
_NESTED = frozenset(
    {
        "torch.nested._internal.nested_tensor.NestedTensor",
        "torch.nested._internal.nested_tensor._rebuild_njt",
        "torch._dynamo.decorators._DimRange",
    }
)


class _Stop(Exception):
    """The pickle is complete."""


class WeightsUnpickler:
    """Reads one pickle from *data*, beginning at *position*, which then is past its end.

    :param persistent_load: turns the ids of storages into storages.
    """

    __slots__ = (
        "_data",
        "_encoding",
        "_ids",
        "_in_call",
        "_marks",
        "_memo",
        "_persistent_load",
        "_stack",
        "_user_ids",
        "_users",
        "position",
    )

    def __init__(
        self,
        data: bytes,
        persistent_load: Callable[[Any], Any] | None = None,
        encoding: str = "utf-8",
        position: int = 0,
    ) -> None:
        self._data = data
        self._encoding = encoding
        self._persistent_load = persistent_load
        self.position = position
        self._users = of_users()
        self._user_ids = set(map(id, self._users.values()))
        self._ids = {*default_ids(), *self._user_ids}
        self._memo: dict[int, Any] = {}
        self._stack: list[Any] = []
        self._marks: list[list[Any]] = []
        self._in_call = False

    def load(self) -> Any:
        """The object.

        Raises UnpicklingError for what is not allowed or makes no sense, EOFError where the data
        ends too soon; what an allowed function raises passes through.
        """
        data, handlers = self._data, _HANDLERS
        code = 0
        try:
            while True:
                try:
                    code = data[self.position]
                except IndexError:
                    raise EOFError from None  # torch says no more
                self.position += 1
                handlers[code](self)
        except _Stop as stop:
            return stop.args[0]
        except (IndexError, KeyError, StructError, UnicodeDecodeError) as error:
            if self._in_call:
                raise
            if isinstance(error, UnicodeDecodeError) and code in _PYTHON_2_STRINGS:
                raise  # the caller gave another encoding than theirs
            if self.position >= len(data) and code != _STOP_CODE:
                raise EOFError("Ran out of input: the pickle is truncated") from None
            raise pickle.UnpicklingError(
                f"the pickle is corrupt at byte {self.position - 1}: {_reason(error)}"
            ) from None

    # reading --------------------------------------------------------------------------------

    def _take(self, size: int) -> bytes:
        start = self.position
        self.position = end = start + size
        if end > len(self._data):
            raise EOFError("Ran out of input: the pickle is truncated")
        return self._data[start:end]

    def _number(self, kind: Struct) -> Any:
        start = self.position
        self.position = start + kind.size
        return kind.unpack_from(self._data, start)[0]

    def _line(self) -> str:
        start = self.position
        end = self._data.find(b"\n", start)
        if end < 0:
            raise EOFError("Ran out of input: the pickle is truncated")
        self.position = end + 1
        return self._data[start:end].decode("utf-8")

    def _pop_mark(self) -> list[Any]:
        items = self._stack
        self._stack = self._marks.pop()
        return items

    # plain data -----------------------------------------------------------------------------

    def _proto(self) -> None:
        (protocol,) = self._take(1)
        if protocol != 2:
            warn(
                f"Detected pickle protocol {protocol} in the checkpoint, which was not the "
                "default pickle protocol used by `torch.load` (2). The weights_only Unpickler "
                "might not support all instructions implemented by this protocol, please file an "
                "issue for adding support if you encounter this.",
                UserWarning,
            )

    def _stop(self) -> None:
        raise _Stop(self._stack.pop())

    def _mark(self) -> None:
        self._marks.append(self._stack)
        self._stack = []

    def _none(self) -> None:
        self._stack.append(None)

    def _true(self) -> None:
        self._stack.append(True)

    def _false(self) -> None:
        self._stack.append(False)

    def _byte(self) -> None:
        position = self.position
        self._stack.append(self._data[position])
        self.position = position + 1

    def _int(self) -> None:
        self._stack.append(self._number(_INT))

    def _short(self) -> None:
        self._stack.append(self._number(_USHORT))

    def _float(self) -> None:
        self._stack.append(self._number(_FLOAT))

    def _long(self) -> None:
        (size,) = self._take(1)
        self._stack.append(int.from_bytes(self._take(size), "little", signed=True))

    def _text(self) -> None:
        self._stack.append(str(self._take(self._number(_UINT)), "utf-8", "surrogatepass"))

    def _old_text(self) -> None:
        (size,) = self._take(1)
        raw = self._take(size)
        self._stack.append(raw if self._encoding == "bytes" else raw.decode(self._encoding))

    def _get(self) -> None:
        position = self.position
        self._stack.append(self._memo[self._data[position]])
        self.position = position + 1

    def _long_get(self) -> None:
        self._stack.append(self._memo[self._number(_UINT)])

    def _put(self) -> None:
        position = self.position
        self._memo[self._data[position]] = self._stack[-1]
        self.position = position + 1

    def _long_put(self) -> None:
        self._memo[self._number(_UINT)] = self._stack[-1]

    # containers -----------------------------------------------------------------------------

    def _empty_tuple(self) -> None:
        self._stack.append(())

    def _empty_list(self) -> None:
        self._stack.append([])

    def _empty_dict(self) -> None:
        self._stack.append({})

    def _empty_set(self) -> None:
        self._stack.append(set())

    def _tuple(self) -> None:
        items = tuple(self._pop_mark())
        self._stack.append(items)

    def _tuple1(self) -> None:
        stack = self._stack
        stack[-1] = (stack[-1],)

    def _tuple2(self) -> None:
        stack = self._stack
        last = stack.pop()
        stack[-1] = (stack[-1], last)

    def _tuple3(self) -> None:
        stack = self._stack
        last, middle = stack.pop(), stack.pop()
        stack[-1] = (stack[-1], middle, last)

    def _append(self) -> None:
        item = self._stack.pop()
        target = self._stack[-1]
        if type(target) is not list:
            raise pickle.UnpicklingError(f"Can only append to lists, but got {type(target)}")
        target.append(item)

    def _appends(self) -> None:
        items = self._pop_mark()
        target = self._stack[-1]
        if type(target) is not list:
            raise pickle.UnpicklingError(f"Can only extend lists, but got {type(target)}")
        target.extend(items)

    def _setitem(self) -> None:
        value, key = self._stack.pop(), self._stack.pop()
        target = self._mapping("SETITEM")
        check_keys((key,), len(self._data))
        target[key] = value

    def _setitems(self) -> None:
        items = self._pop_mark()
        target = self._mapping("SETITEMS")
        if len(items) % 2:
            raise IndexError("a key without a value")
        keys = items[::2]
        check_keys(keys, len(self._data))
        for key, value in zip(keys, items[1::2], strict=True):
            target[key] = value

    def _mapping(self, opcode: str) -> Any:
        target = self._stack[-1]
        if type(target) not in (dict, OrderedDict, Counter):
            raise pickle.UnpicklingError(
                f"Can only {opcode} for dict, collections.OrderedDict, collections.Counter, but "
                f"got {type(target)}"
            )
        return target

    # names and calls ------------------------------------------------------------------------

    def _global(self) -> None:
        module, name = modern(self._line(), self._line())
        path = f"{module}.{name}"
        if module in BLOCKED_MODULES:
            raise errors.module_blocked(path, module)
        found = lookup(path)
        if found is not None:
            self._ids.add(id(found))
            self._stack.append(found)
        elif path in self._users:
            self._stack.append(self._users[path])
        elif path in _NESTED:
            found = getattr(import_module(module.replace("torch", "mindtorch", 1)), name)
            self._users[path] = found
            self._user_ids.add(id(found))
            self._ids.add(id(found))
            self._stack.append(found)
        elif path in _DISTRIBUTED:
            raise pickle.UnpicklingError(
                "``torch.distributed.tensor`` must be imported to load DTensors"
            )
        elif is_absent(path):
            raise errors.not_here(path)
        else:
            raise errors.global_not_allowed(path)

    def _reduce(self) -> None:
        args = self._stack.pop()
        function = self._stack[-1]
        if id(function) not in self._ids and not self._is_method_of_users(function):
            text = f"Trying to call reduce for unrecognized function {function}"
            if hasattr(function, "__self__"):
                text += f" which belongs to {function.__self__}"
            raise pickle.UnpicklingError(text)
        if id(function) in weighed_ids():
            check_call(function, args, len(self._data))
        self._in_call = True
        self._stack[-1] = function(*args)
        self._in_call = False

    def _is_method_of_users(self, function: Any) -> bool:
        """Whether users allow it as a method of a class, which is made anew at each look."""
        return isinstance(function, (BuiltinMethodType, MethodType)) and (
            function in self._users.values()
        )

    def _newobj(self) -> None:
        args, kind = self._stack.pop(), self._stack.pop()
        if id(kind) not in self._ids or not isinstance(kind, type):
            raise pickle.UnpicklingError(
                "Can only create new object for nn.Parameter or classes allowlisted via "
                f"`add_safe_globals` but got {kind}"
            )
        if id(kind) in weighed_ids():
            check_call(kind, args, len(self._data))
        self._in_call = True
        self._stack.append(kind.__new__(kind, *args))
        self._in_call = False

    def _build(self) -> None:
        state = self._stack.pop()
        target = self._stack[-1]
        kind = type(target)
        # Storages are allowed classes too, but their state is their memory: not for files to set.
        if kind is not OrderedDict and not _is_tensor(kind) and id(kind) not in self._user_ids:
            raise pickle.UnpicklingError(
                "Can only build Tensor, Parameter, OrderedDict or types allowlisted via "
                f"`add_safe_globals`, but got {kind}"
            )
        self._in_call = True
        if kind is OrderedDict:
            target.__dict__.update(state)
        elif hasattr(target, "__setstate__"):
            target.__setstate__(state)
        else:
            _set_state(target, state)
        self._in_call = False

    def _persistent(self) -> None:
        identity = self._stack.pop()
        if type(identity) not in (tuple, int):
            raise pickle.UnpicklingError(
                f"persistent_load id must be tuple or int, but got {type(identity)}"
            )
        if type(identity) is tuple and identity and identity[0] not in ("storage", b"storage"):
            raise pickle.UnpicklingError(
                f"Only persistent_load of storage is allowed, but got {type(identity[0])}"
            )
        if self._persistent_load is None:
            raise pickle.UnpicklingError("unsupported persistent id encountered")
        self._in_call = True
        self._stack.append(self._persistent_load(identity))
        self._in_call = False

    def _unsupported(self) -> None:
        code = self._data[self.position - 1]
        raise pickle.UnpicklingError(f"Unsupported operand {code}")


BY_CODE = {
    pickle.PROTO: WeightsUnpickler._proto,
    pickle.STOP: WeightsUnpickler._stop,
    pickle.MARK: WeightsUnpickler._mark,
    pickle.NONE: WeightsUnpickler._none,
    pickle.NEWTRUE: WeightsUnpickler._true,
    pickle.NEWFALSE: WeightsUnpickler._false,
    pickle.BININT: WeightsUnpickler._int,
    pickle.BININT1: WeightsUnpickler._byte,
    pickle.BININT2: WeightsUnpickler._short,
    pickle.BINFLOAT: WeightsUnpickler._float,
    pickle.LONG1: WeightsUnpickler._long,
    pickle.BINUNICODE: WeightsUnpickler._text,
    pickle.SHORT_BINSTRING: WeightsUnpickler._old_text,
    pickle.BINGET: WeightsUnpickler._get,
    pickle.LONG_BINGET: WeightsUnpickler._long_get,
    pickle.BINPUT: WeightsUnpickler._put,
    pickle.LONG_BINPUT: WeightsUnpickler._long_put,
    pickle.EMPTY_TUPLE: WeightsUnpickler._empty_tuple,
    pickle.EMPTY_LIST: WeightsUnpickler._empty_list,
    pickle.EMPTY_DICT: WeightsUnpickler._empty_dict,
    pickle.EMPTY_SET: WeightsUnpickler._empty_set,
    pickle.TUPLE: WeightsUnpickler._tuple,
    pickle.TUPLE1: WeightsUnpickler._tuple1,
    pickle.TUPLE2: WeightsUnpickler._tuple2,
    pickle.TUPLE3: WeightsUnpickler._tuple3,
    pickle.APPEND: WeightsUnpickler._append,
    pickle.APPENDS: WeightsUnpickler._appends,
    pickle.SETITEM: WeightsUnpickler._setitem,
    pickle.SETITEMS: WeightsUnpickler._setitems,
    pickle.GLOBAL: WeightsUnpickler._global,
    pickle.REDUCE: WeightsUnpickler._reduce,
    pickle.NEWOBJ: WeightsUnpickler._newobj,
    pickle.BUILD: WeightsUnpickler._build,
    pickle.BINPERSID: WeightsUnpickler._persistent,
}
_HANDLERS: list[Callable[[WeightsUnpickler], None]] = [
    BY_CODE.get(bytes((code,)), WeightsUnpickler._unsupported) for code in range(256)
]


def modern(module: str, name: str) -> tuple[str, str]:
    """Python 3's name for one that protocol 2 writes as Python 2's."""
    if (module, name) in NAME_MAPPING:
        found: tuple[str, str] = NAME_MAPPING[module, name]
        return found
    return IMPORT_MAPPING.get(module, module), name


def _is_tensor(kind: type) -> bool:
    return kind is Tensor or (kind.__name__ == "Parameter" and kind is lookup(PARAMETER))


def _set_state(target: Any, state: Any) -> None:
    """What pickle does with the state of an object that does not care itself."""
    slots = None
    if isinstance(state, tuple) and len(state) == 2:
        state, slots = state
    if state:
        target.__dict__.update(state)
    for name, value in (slots or {}).items():
        setattr(target, name, value)


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"nothing was stored as number {error}"
    if isinstance(error, UnicodeDecodeError):
        return "a text is no UTF-8"
    return "an instruction lacks its operand" if isinstance(error, IndexError) else str(error)
