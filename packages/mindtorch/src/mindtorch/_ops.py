"""``torch.ops``: every registered op by namespace, name and overload.

``torch.ops.aten.add`` is a packet of overloads, ``torch.ops.aten.add.Tensor`` one of them. Both
can be called; arguments are bound by the schema, without the conversions of ``torch.add``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mindtorch_dispatch import (
    DispatchKey,
    DispatchKeySet,
    Operator,
    call_kernel,
    parse_key,
    redispatch,
    registry,
)

from ._library.foreign import as_kernels_take, foreign_of
from ._library.interception import find_rule
from .calls import OVERLOADS, run, split_keywords, wrapped_number
from .schema_binding import MismatchError, bind
from .tensor import Tensor

_COMPOSITE = int(DispatchKey.CompositeImplicitAutograd)


class OpOverload:
    """One overload of an op."""

    __slots__ = ("__weakref__", "_foreign", "_operator", "overloadpacket")
    __module__ = "torch._ops"

    def __init__(self, operator: Operator, packet: OpOverloadPacket) -> None:
        self._operator = operator
        #: The calls of an op that is no row.
        self._foreign = foreign_of(operator)
        #: The packet this belongs to.
        self.overloadpacket = packet

    @property
    def _schema(self) -> Any:
        return self._operator.schema

    @property
    def namespace(self) -> str:
        """``aten`` of ``aten.add.Tensor``."""
        return self._operator.namespace

    @property
    def _opname(self) -> str:
        return self._operator.base.partition("::")[2]

    @property
    def _overloadname(self) -> str:
        return self._operator.overload or "default"

    @property
    def __name__(self) -> str:
        return f"{self._opname}.{self._overloadname}"

    def name(self) -> str:
        """``aten::add.Tensor``."""
        return self._operator.name

    @property
    def tags(self) -> list[Any]:
        """What the op's definition says of it (:class:`torch.Tag`)."""
        return list(self._operator.tags)

    def python_rule(self, kind: type) -> Any:
        """What ``register_torch_dispatch`` registered for a mode or subclass; None for none."""
        return find_rule(self.name(), kind)

    @property
    def is_view(self) -> bool:
        """Whether a result shares memory with an argument that is not written."""
        return any(
            a.alias_info is not None and not a.alias_info.is_write for a in self._schema.arguments
        )

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        foreign = self._foreign
        if foreign is not None:
            return foreign.entry(*args, **kwargs)
        return self._call(self._bind(args, kwargs))

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        convert = None if self._foreign is None else as_kernels_take
        return bind(self._schema, args, kwargs, convert)

    def _call(self, full: tuple[Any, ...]) -> Any:
        if self._foreign is not None:
            self._foreign.schema  # noqa: B018  (analyses on first use)
            return self._foreign.call(full)
        overload = OVERLOADS[self._operator.name]
        overload.schema  # noqa: B018  (analyses on first use)
        places = overload.tensor_positions
        if places and not overload.list_positions:
            if not any(isinstance(full[i], Tensor) for i in places):
                full = tuple(
                    wrapped_number(v) if i in places and v is not None else v
                    for i, v in enumerate(full)
                )
        return run(overload, full)

    @property
    def schema(self) -> Any:
        """The schema."""
        return self._operator.schema

    def redispatch(self, keyset: DispatchKeySet, /, *args: Any, **kwargs: Any) -> Any:
        """Go on from inside a kernel with what is left of its key set."""
        positional, keywords = split_keywords(self, self._bind(args, kwargs))
        return redispatch(self._operator, keyset, *positional, **keywords)

    def has_kernel_for_dispatch_key(self, k: Any) -> bool:
        """Whether a kernel is registered at exactly this key."""
        return self._operator.has_kernel(parse_key(k))

    def has_kernel_for_any_dispatch_key(self, ks: DispatchKeySet) -> bool:
        """Whether a kernel is registered at one of these keys."""
        return any(self._operator.has_kernel(k) for k in ks)

    def _can_decompose(self) -> bool:
        return _COMPOSITE in self._operator.entries

    def decompose(self, *args: Any, **kwargs: Any) -> Any:
        """Call the composite kernel; NotImplemented if the op has none."""
        if not self._can_decompose():
            return NotImplemented
        full = bind(self._schema, args, kwargs)
        positional, keywords = split_keywords(self, full)
        key = DispatchKey.CompositeImplicitAutograd
        return call_kernel(self._operator, key, *positional, **keywords)

    def __str__(self) -> str:
        return f"{self.namespace}.{self._opname}.{self._overloadname}"

    def __repr__(self) -> str:
        return (
            f"<OpOverload(op='{self.namespace}.{self._opname}', overload='{self._overloadname}')>"
        )

    def __deepcopy__(self, memo: Any = None) -> OpOverload:
        return self

    def __reduce__(self) -> Any:
        return _find_overload, (self.namespace, self._opname, self._overloadname)


def _find_overload(namespace: str, name: str, overload: str) -> Any:
    return getattr(getattr(getattr(ops, namespace), name), overload)


def handle_of(operator: Operator) -> OpOverload:
    """What users hold for an operator: ``torch.ops.aten.add.Tensor``.

    Raises AttributeError for one whose schema is not, or no longer, registered.
    """
    namespace = getattr(ops, operator.namespace)
    packet = getattr(namespace, operator.base.partition("::")[2])
    return getattr(packet, operator.overload or "default")  # type: ignore[no-any-return]


class OpOverloadPacket:
    """All overloads of an op."""

    __module__ = "torch._ops"

    def __init__(self, namespace: str, name: str) -> None:
        self._namespace = namespace
        self.__name__ = name
        self._qualified_op_name = f"{namespace}::{name}"
        self._known: dict[str, OpOverload] = {}
        self._found: list[Operator] = []
        self._generation = -1
        self._only: OpOverload | None = None

    def _operators(self) -> list[Operator]:
        if self._generation != registry.generation:
            self._generation = registry.generation
            found = registry.overloads(self._qualified_op_name)
            self._found = [o for o in found if o.has_schema]
            self._only = None
            if len(self._found) == 1:
                self._only = getattr(self, self._found[0].overload or "default")
        return self._found

    def overloads(self) -> list[str]:
        """The names of the overloads, in order of registration."""
        return [o.overload or "default" for o in self._operators()]

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
        operator = registry.find_exact(name)
        if operator is None or not operator.has_schema:
            raise AttributeError(f"The underlying op of '{self}' has no overload name '{key}'")
        known = self._known.get(key)
        if known is None or known._operator is not operator:
            known = self._known[key] = OpOverload(operator, self)
        return known

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if self._generation == registry.generation and self._only is not None:
            return self._only(*args, **kwargs)
        operators = self._operators()
        if self._only is not None:
            return self._only(*args, **kwargs)
        misfits = []
        for operator in operators:
            overload = getattr(self, operator.overload or "default")
            try:
                full = overload._bind(args, kwargs)
            except MismatchError as error:
                misfits.append(str(error))
            else:
                return overload._call(full)
        raise RuntimeError(
            "Overloaded torch operator invoked from Python failed to match any schema:\n"
            + "".join(f"{text}\n\n" for text in misfits)
        )

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


class OpNamespace:
    """The ops of one namespace."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._packets: dict[str, OpOverloadPacket] = {}

    def __getattr__(self, op_name: str) -> OpOverloadPacket:
        packet = self._packets.get(op_name)
        # A packet is kept; whether its op is still registered is asked each time.
        if packet is None or not packet._operators():
            if op_name.startswith("__") or not registry.overloads(f"{self._name}::{op_name}"):
                raise AttributeError(
                    f"'_OpNamespace' '{self._name}' object has no attribute '{op_name}'"
                )
            packet = self._packets[op_name] = OpOverloadPacket(self._name, op_name)
        return packet

    def __iter__(self) -> Iterator[str]:
        prefix = f"{self._name}::"
        names = (o.base for o in registry if o.name.startswith(prefix))
        return iter(dict.fromkeys(n[len(prefix) :] for n in names))

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self})

    def __repr__(self) -> str:
        return f"<module 'torch.ops.{self._name}' from 'torch.ops'>"


class Ops:
    """``torch.ops``."""

    def __init__(self) -> None:
        self._namespaces: dict[str, OpNamespace] = {}

    def __getattr__(self, name: str) -> OpNamespace:
        if name.startswith("__"):
            raise AttributeError(f"module 'torch.ops' has no attribute '{name}'")
        found = self._namespaces.get(name)
        if found is None:
            found = self._namespaces[name] = OpNamespace(name)
            self.__dict__[name] = found
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(o.namespace for o in registry))

    def __repr__(self) -> str:
        return "<module 'torch.ops' from '_ops.py'>"


ops = Ops()
