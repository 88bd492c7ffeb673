"""``torch.distributed.rpc.internal``: how calls are written down, and what they raise."""

from __future__ import annotations

import collections
import contextlib
import copyreg
import io
import pickle
import sys
import threading
import traceback
from collections.abc import Callable, Generator
from enum import Enum
from operator import attrgetter
from typing import Any

from ..._ops import OpOverloadPacket, packet_named
from ...jit._script import ScriptFunction
from ...tensor import Tensor

__all__ = ["PythonUDF", "RPCExecMode", "RemoteException", "deserialize", "serialize"]

PythonUDF = collections.namedtuple("PythonUDF", ["func", "args", "kwargs"])
RemoteException = collections.namedtuple("RemoteException", ["msg", "exception_type"])


class RPCExecMode(Enum):
    """How a call is made."""

    SYNC = "sync"
    ASYNC = "async"
    ASYNC_JIT = "async_jit"
    REMOTE = "remote"


#: The tensors of what is being written or read in a thread.
_tables = threading.local()


@contextlib.contextmanager
def _table(tensors: list[Tensor]) -> Generator[None, None, None]:
    before = getattr(_tables, "tensors", None)
    _tables.tensors = tensors
    try:
        yield
    finally:
        _tables.tensors = before


def _tensor_of_table(index: int) -> Tensor:
    found: Tensor = _tables.tensors[index]
    return found


def _reduce_tensor(tensor: Tensor) -> Any:
    _tables.tensors.append(tensor)
    return _tensor_of_table, (len(_tables.tensors) - 1,)


def _read_reference(data: Any) -> Any:
    return _references[0]._deserialize(data)


def _reduce_reference(reference: Any) -> Any:
    return _read_reference, (reference._serialize(),)


def _read_script(module: str, name: str) -> Any:
    return attrgetter(name)(sys.modules[module])


def _reduce_script(script: ScriptFunction) -> Any:
    """A scripted function is sent by its name, as every function is."""
    function = script._torchdynamo_inline
    return _read_script, (function.__module__, function.__qualname__)


def _read_operator(name: str) -> Any:
    return packet_named(name)


def _reduce_operator(packet: OpOverloadPacket) -> Any:
    return _read_operator, (packet._qualified_op_name,)


#: The classes whose objects are references to values of workers.
_references: list[Any] = []


class _InternalRPCPickler:
    """Writes objects as bytes beside their tensors, which are sent for themselves."""

    def __init__(self) -> None:
        self._class_reducer_dict: dict[type, Callable[[Any], Any]] = {}

    def _register_reducer(self, obj_class: type, reducer: Callable[[Any], Any]) -> None:
        """Let *reducer* write the objects of a class, unless another does."""
        self._class_reducer_dict.setdefault(obj_class, reducer)

    def serialize(self, obj: Any) -> tuple[bytes, list[Tensor]]:
        """The bytes of *obj*, and its tensors."""
        file, tensors = io.BytesIO(), list[Tensor]()
        pickler = pickle.Pickler(file)
        tables: list[Any] = [
            self._class_reducer_dict,
            {Tensor: _reduce_tensor, ScriptFunction: _reduce_script},
            {OpOverloadPacket: _reduce_operator},
            dict.fromkeys(_references, _reduce_reference),
            copyreg.dispatch_table,
        ]
        pickler.dispatch_table = collections.ChainMap(*tables)
        with _table(tensors):
            pickler.dump(obj)
        return file.getvalue(), tensors

    def deserialize(self, binary_data: bytes, tensor_table: list[Tensor]) -> Any:
        """The object of these bytes and tensors; an AttributeError where a name is missing."""
        with _table(tensor_table):
            try:
                return pickle.loads(binary_data)
            except AttributeError as error:
                told = AttributeError(
                    f"{error} Default RPC pickler does not serialize\n            function code. "
                    "Ensure that UDFs are defined on both caller and\n            callee modules."
                )
                told.__cause__ = error
                return told


_internal_rpc_pickler = _InternalRPCPickler()


def serialize(obj: Any) -> tuple[bytes, list[Tensor]]:
    """The bytes of *obj*, and its tensors."""
    return _internal_rpc_pickler.serialize(obj)


def deserialize(binary_data: bytes, tensor_table: list[Tensor]) -> Any:
    """The object of these bytes and tensors."""
    return _internal_rpc_pickler.deserialize(binary_data, tensor_table)


def _told(worker: Any, error: Exception) -> RemoteException:
    """*error* for another worker: its type, and a text that says where it was raised."""
    text = f"On {worker!r}:\n{error!r}\n{traceback.format_exc()}"
    print(text, file=sys.stderr)
    return RemoteException(text, type(error))


def _handle_exception(result: Any) -> None:
    """Raise what *result* tells of, if it is the error of another worker."""
    if not isinstance(result, RemoteException):
        return
    text = result.msg.encode("utf-8").decode("unicode_escape")
    try:
        errors = [result.exception_type(text)]
    except BaseException as why:  # it takes other arguments
        raise RuntimeError(
            f"Failed to create original exception type. Error msg was {why} Original exception on "
            f"remote side was {text}"
        ) from why
    raise errors.pop()


def _handle_exception_of_call(result: Any) -> None:
    """The same for futures of calls, which know two types of errors beside RuntimeError."""
    try:
        _handle_exception(result)
    except Exception as error:
        kind = type(error) if type(error) in (TypeError, ValueError) else RuntimeError
        raise kind(f"{type(error).__name__}: {error}") from None


def _build_rpc_profiling_key(
    exec_type: RPCExecMode, func_name: str, current_worker_name: str, dst_worker_name: str
) -> str:
    """What a profile calls a call by."""
    return f"rpc_{exec_type.value}#{func_name}({current_worker_name} -> {dst_worker_name})"
