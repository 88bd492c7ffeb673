"""``torch.ops``: every registered op by namespace, name and overload.

``torch.ops.aten.add`` is a packet of overloads, ``torch.ops.aten.add.Tensor`` one of them. Both
can be called; arguments are bound by the schema, without the conversions of ``torch.add``.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from mindtorch_dispatch import DispatchKey as DispatchKey
from mindtorch_dispatch import Operator, errors, registry

from ._library.higher_order_operator import (
    HIGHER_ORDER,
    HigherOrderOperator,
    OperatorBase,
)
from ._library.op_overload import OpOverload
from .aten.method_ops import QUESTIONS
from .call.dispatch_entry import OVERLOADS
from .call.intercept import OPERATOR, Overridden, hand_over
from .call.schema_binding import MismatchError
from .core.pickling import Named

__all__ = [
    "HigherOrderOperator",
    "OpOverload",
    "OpOverloadPacket",
    "OperatorBase",
    "handle_of",
    "ops",
]


def _find_overload(namespace: str, name: str, overload: str) -> Any:
    return getattr(getattr(getattr(ops, namespace), name), overload)


OpOverload._find = staticmethod(_find_overload)


def handle_of(operator: Operator) -> OpOverload:
    """What users hold for an operator: ``torch.ops.aten.add.Tensor``.

    Raises AttributeError for one whose schema is not, or no longer, registered.
    """
    namespace = getattr(ops, operator.namespace)
    packet = getattr(namespace, operator.base.partition("::")[2])
    return getattr(packet, operator.overload or "default")


def operator_named(name: str) -> Any:
    """``torch.ops``' object for a qualified name: ``aten::add.Tensor``."""
    namespace, _, rest = name.partition("::")
    base, _, overload = rest.partition(".")
    return getattr(getattr(getattr(ops, namespace), base), overload or "default")


def packet_named(name: str) -> Any:
    """``torch.ops``' object for the overloads of a qualified name: ``aten::add``."""
    namespace, _, base = name.partition("::")
    return getattr(getattr(ops, namespace), base)


def overloads_named(name: str) -> list[Operator]:
    """The overloads of the op *name*, those included that only an interpreter knows."""
    found = [*registry.overloads(name), *QUESTIONS.overloads(name)]
    order = _overload_order().get(name)
    if order is not None:
        last = len(order)
        found.sort(key=lambda o: order.get(o.overload or "default", last))
    return found


@cache
def _overload_order() -> dict[str, dict[str, int]]:
    """torch's order of the overloads of ops, where it is not the one of registration here."""
    text = Path(__file__).with_name("overload_order.txt").read_text()
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return {f"aten::{base}": {n: i for i, n in enumerate(names)} for base, *names in lines}


def _no_match(misfits: list[str]) -> RuntimeError:
    return RuntimeError(
        "Overloaded torch operator invoked from Python failed to match any schema:\n"
        + "".join(f"{text}\n\n" for text in misfits)
    )


class OpOverloadPacket(metaclass=Named):
    """All overloads of an op."""

    __module__ = "torch._ops"

    def __init__(self, namespace: str, name: str) -> None:
        self._namespace = namespace
        self.__name__ = name
        self.__module__ = f"torch._ops.{namespace}"
        self._qualified_op_name = f"{namespace}::{name}"
        self._known: dict[str, OpOverload] = {}
        self._found: list[Operator] = []
        self._generation = -1
        self._only: OpOverload | None = None

    def _operators(self) -> list[Operator]:
        if self._generation != registry.generation:
            with registry.lock:
                generation = registry.generation
                found = overloads_named(self._qualified_op_name)
                self._found = [o for o in found if o.has_schema]
                self._only = None
                if len(self._found) == 1:
                    self._only = getattr(self, self._found[0].overload or "default")
                self._generation = generation  # last: other threads look at it without the lock
        return self._found

    def overloads(self) -> list[str]:
        """The names of the overloads, in order of registration."""
        return [o.overload or "default" for o in self._operators()]

    @property
    def _overload_names(self) -> list[str]:
        return [o.overload for o in self._operators()]

    @property
    def op(self) -> Callable[..., Any]:
        """What calls the op."""
        return self.__call__

    _op = op

    @property
    def _schemas(self) -> dict[str, Any]:
        return {o.overload: o.schema for o in self._operators()}

    def __getattr__(self, key: str) -> OpOverload:
        if key.startswith("__"):
            raise AttributeError(
                f"'{self}' can't have an overload name beginning with '__' and the underlying op "
                f"{self._qualified_op_name} has no attribute {key} either."
            )
        name = self._qualified_op_name if key == "default" else f"{self._qualified_op_name}.{key}"
        operator = registry.find_exact(name) or QUESTIONS.find_exact(name)
        if operator is None or not operator.has_schema:
            raise AttributeError(f"The underlying op of '{self}' has no overload name '{key}'")
        known = self._known.get(key)
        if known is None or known._operator is not operator:
            with registry.lock:
                known = self._known.get(key)
                if known is None or known._operator is not operator:
                    known = self._known[key] = OpOverload(operator, self)
        if known._foreign is None:
            self.__dict__[key] = known  # ops that rows are stay
        return known

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        only = self._only
        if only is not None and self._generation == registry.generation:
            return only(*args, **kwargs)
        operators = self._operators()
        only = self._only
        if only is not None:
            return only(*args, **kwargs)
        if not operators:
            raise errors.schema_went_away()
        misfits = []
        for operator in operators:
            overload = getattr(self, operator.overload or "default")
            try:
                full = overload._bind(args, kwargs)
            except MismatchError as error:
                misfits.append(str(error))
            else:
                try:
                    return overload._call(full)
                except Overridden:
                    break
        else:
            from .call.torch_function import (
                handle_torch_function,
                has_torch_function,
                overriding,
            )

            given = overriding(args, kwargs)
            if has_torch_function(given):  # what is no tensor, but says what becomes of calls
                return handle_torch_function(self, given, *args, **kwargs)
            raise _no_match(misfits)
        return hand_over(self, args, kwargs, style=OPERATOR)

    def _check(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Raise RuntimeError for arguments that no overload takes; nothing is called."""
        misfits = []
        for name in self.overloads():
            try:
                getattr(self, name)._bind(args, kwargs)
            except MismatchError as error:
                misfits.append(str(error))
            else:
                return
        raise _no_match(misfits)

    def __iter__(self) -> Iterator[str]:
        return iter(self.overloads())

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self.overloads()})

    def __str__(self) -> str:
        return f"{self._namespace}.{self.__name__}"

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='{self._namespace}.{self.__name__}')>"

    def __deepcopy__(self, memo: Any = None) -> OpOverloadPacket:
        return self


class _OpNamespace(ModuleType, metaclass=Named):
    """The ops of one namespace."""

    __module__ = "torch._ops"
    __file__ = "torch.ops"

    def __init__(self, name: str) -> None:
        super().__init__(f"torch.ops.{name}")
        self.name = name
        self._packets: dict[str, OpOverloadPacket] = {}

    def __getattr__(self, op_name: str) -> OpOverloadPacket:
        packets = self.__dict__["_packets"]
        packet: OpOverloadPacket | None = packets.get(op_name)
        # A packet is kept; whether its op is still registered is asked each time.
        if packet is None or not packet._operators():
            known = overloads_named(f"{self.name}::{op_name}")
            if not any(operator.has_schema for operator in known):
                raise AttributeError(
                    f"'_OpNamespace' '{self.name}' object has no attribute '{op_name}'"
                )
            packet = packets.setdefault(op_name, OpOverloadPacket(self.name, op_name))
        if all(operator.name in OVERLOADS for operator in packet._operators()):
            self.__dict__[op_name] = packet  # ops that rows are stay
        return packet

    @property
    def _dir(self) -> list[str]:
        return list(self._packets)

    def __iter__(self) -> Iterator[str]:
        prefix = f"{self.name}::"
        names = (o.base for o in registry if o.name.startswith(prefix))
        return iter(dict.fromkeys(n[len(prefix) :] for n in names))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self})


class _HigherOrderNamespace(ModuleType, metaclass=Named):
    """The operators that take functions."""

    __module__ = "torch._ops"
    __file__ = "torch.ops"

    def __init__(self) -> None:
        super().__init__("torch.ops.higher_order")

    def __getattr__(self, name: str) -> HigherOrderOperator:
        if name not in HIGHER_ORDER and not name.startswith("__"):
            importlib.import_module("._higher_order_ops", __package__)  # makes its own
        found = HIGHER_ORDER.get(name)
        if found is None:
            raise AttributeError(
                f"'_HigherOrderNamespace' 'torch.ops.higher_order' object has no attribute '{name}'"
            )
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(HIGHER_ORDER)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *HIGHER_ORDER})


#: Namespaces whose operators a module of ours defines once a program asks for one.
_ON_DEMAND = {"prims": "._prims", "profiler": ".autograd.profiler_operators"}
#: Compiled libraries, by folder and name, whose ops a module of ours has in Python.
_IN_PYTHON = {"torchvision/_C": ".compat.torchvision_ops"}


class _Ops(ModuleType, metaclass=Named):
    """``torch.ops``."""

    __module__ = "torch._ops"
    __file__ = "_ops.py"

    def __init__(self) -> None:
        super().__init__("torch.ops")
        self.higher_order = _HigherOrderNamespace()
        #: Paths of the libraries that were loaded.
        self.loaded_libraries: set[str] = set()

    def __getattr__(self, name: str) -> _OpNamespace:
        if name.startswith("__"):
            raise AttributeError(f"module 'torch.ops' has no attribute '{name}'")
        found: _OpNamespace = self.__dict__.setdefault(name, _OpNamespace(name))
        if name in _ON_DEMAND:
            importlib.import_module(_ON_DEMAND[name], __package__)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(o.namespace for o in registry))

    def import_module(self, module: str) -> None:
        """Import a Python module, which registers ops."""
        importlib.import_module(module)

    def load_library(self, path: str) -> None:
        """Load a library of C++ ops: of those that mindtorch has in Python, these are registered.

        Raises OSError for another: nothing here could run it.
        """
        path = os.path.realpath(path)
        known = _IN_PYTHON.get("/".join(path.split(os.sep)[-2:]).partition(".")[0])
        if known is None:
            raise OSError(f"Could not load this library: {path}")
        if path not in self.loaded_libraries:
            importlib.import_module(known, __package__).define()
            self.loaded_libraries.add(path)


ops = _Ops()
