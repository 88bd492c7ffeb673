"""``torch._ops.OpOverload``: one overload of an op, as users hold it and call it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from mindtorch_dispatch import (
    DispatchKey,
    DispatchKeySet,
    Operator,
    call_kernel,
    parse_key,
    redispatch,
)

from ..aten.method_ops import is_method
from ..call.arguments import split_keywords, wrapped_number
from ..call.dispatch_entry import OVERLOADS, signature
from ..call.entrance import Entrance
from ..call.intercept import OPERATOR, Overridden, ask, hand_over, overridden_by_object
from ..call.overload import Overload
from ..call.overload_entrance import SchemaParser
from ..call.schema_binding import bind, converted, number_or_converted, taken
from ..core import signature as S
from ..core.dtype_codes import code_of
from ..core.key_sets import grad_state, tls_state
from ..core.pickling import Named
from ..core.tags import Tag
from ..tensor import Tensor
from .foreign import foreign_of
from .interception import find_rule
from .operator_handle import _DispatchOperatorHandle

__all__ = ["OpOverload"]

_COMPOSITE = int(DispatchKey.CompositeImplicitAutograd)


#: What may make a call somebody else's: the thread's state, or an overriding class.
_RARE = S.FUNCTION | -1 << S.TLS_SHIFT


def _packs(overload: Overload) -> Callable[[Any], Any] | None:
    """What operators make of a result: lists, and of a dtype its number."""
    if overload.pack is tuple:
        return list
    return code_of if overload.schema_text.endswith("-> ScalarType") else None


class OpOverload(metaclass=Named):
    """One overload of an op.

    :ivar py_kernels: what :meth:`py_impl` registered, by key.
    """

    __slots__ = (
        "__dict__",
        "__weakref__",
        "_entrance",
        "_foreign",
        "_operator",
        "_py_kernels",
        "overloadpacket",
    )
    __module__ = "torch._ops"

    #: What a pickle calls to find an overload; ``torch.ops``, which stands on this, puts it here.
    _find: ClassVar[Callable[..., Any]]

    def __init__(self, operator: Operator, packet: Any) -> None:
        self._operator = operator
        #: The calls of an op that is no row.
        self._foreign = foreign_of(operator)
        #: The packet this belongs to.
        self.overloadpacket = packet
        self._py_kernels: dict[Any, Callable[..., Any]] | None = None
        self.__module__ = f"torch._ops.{operator.namespace}"
        self.__qualname__ = operator.name

    @property
    def _schema(self) -> Any:
        return self._operator.schema

    @property
    def namespace(self) -> str:
        """``aten`` of ``aten.add.Tensor``."""
        return self._operator.namespace

    _namespace = namespace

    @property
    def _opname(self) -> str:
        return self._operator.base.partition("::")[2]

    @property
    def _overloadname(self) -> str:
        return self._operator.overload or "default"

    @property
    def _overloadpacket(self) -> Any:
        return self.overloadpacket

    @property
    def __name__(self) -> str:
        return f"{self._opname}.{self._overloadname}"

    def name(self) -> str:
        """``aten::add.Tensor``."""
        return self._operator.name

    @property
    def _name(self) -> str:
        return self._operator.name

    @property
    def tags(self) -> list[Any]:
        """What the op's definition says of it (:class:`torch.Tag`)."""
        operator = self._operator
        if not operator.tags and not self._defined_in_python:
            from ..aten.tags import tags_of  # data that few programs ask for

            operator.tags = tuple(tags_of(operator))
        return list(operator.tags)

    _tags = tags

    @property
    def _nondeterministic_seeded(self) -> bool:
        return Tag.nondeterministic_seeded in self.tags

    @property
    def _defined_in_python(self) -> bool:
        return self._foreign is not None and not is_method(self._operator.name)

    @property
    def _handle(self) -> Any:
        return _DispatchOperatorHandle(self._operator)

    @property
    def op(self) -> Callable[..., Any]:
        """What calls the op."""
        return self.__call__

    _op = op

    def _op_dk(self, key: DispatchKey, /, *args: Any, **kwargs: Any) -> Any:
        return self.redispatch(DispatchKeySet(key), *args, **kwargs)

    def python_rule(self, kind: type) -> Any:
        """What ``register_torch_dispatch`` registered for a mode or subclass; None for none."""
        return find_rule(self.name(), kind)

    # Kernels in Python for a key, which the Python dispatcher asks first

    @property
    def py_kernels(self) -> dict[Any, Callable[..., Any]]:
        """The kernels that :meth:`py_impl` registered, by key."""
        if self._py_kernels is None:
            self._py_kernels = {}
        return self._py_kernels

    def py_impl(self, k: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorator: the function serves key *k* while the Python dispatcher is enabled.

        Raises RuntimeError if the key has one, AssertionError for the key ``Python``.
        """

        def register(fn: Callable[..., Any]) -> Callable[..., Any]:
            assert k != DispatchKey.Python, (
                "Please register a mode for the DispatchKey.Python key instead."
            )
            if k in self.py_kernels:
                raise RuntimeError(
                    f"Trying to override a python impl for {k} on operator {self.name()}"
                )
            self.py_kernels[k] = fn
            return fn

        return register

    def _get_dispatch(self, key: DispatchKey) -> Any:
        """What serves *key* under the Python dispatcher: a function, or the key that does."""
        kernels = self._py_kernels
        if not kernels:
            return key
        found = kernels.get(key)
        if found is not None:
            return found
        chosen = self._operator.explain(key).kernel
        return key if chosen is None else kernels.get(chosen.key, key)

    @property
    def is_view(self) -> bool:
        """Whether a result shares memory with an argument that is not written."""
        return any(
            a.alias_info is not None and not a.alias_info.is_write for a in self._schema.arguments
        )

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        try:
            entrance = self._entrance
        except AttributeError:
            entrance = self._entrance = self._make_entrance()
        return entrance(*args, **kwargs)

    def _make_entrance(self) -> Callable[..., Any]:
        """What takes the arguments of a call."""
        if self._foreign is None:
            return OperatorEntrance(self).function
        foreign = self._foreign

        def entrance(*args: Any, **kwargs: Any) -> Any:
            try:
                return foreign.entry(*args, **kwargs)
            except Overridden:
                pass
            except (RuntimeError, TypeError):
                if not overridden_by_object(args, kwargs):
                    raise
            return hand_over(self, args, kwargs, style=OPERATOR)

        return entrance

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        if self._foreign is not None:
            convert = taken
        elif "takes_numbers" in OVERLOADS[self._operator.name].row.tags:
            convert = number_or_converted
        else:
            convert = converted
        return bind(self._schema, args, kwargs, convert)

    def _call(self, full: tuple[Any, ...]) -> Any:
        if self._foreign is not None:
            self._foreign.analyse()
            return self._foreign.call(full)
        overload = OVERLOADS[self._operator.name]
        overload.analyse()
        places = overload.tensor_positions
        if places and not overload.list_positions:
            if not any(isinstance(full[i], Tensor) for i in places):
                full = tuple(
                    wrapped_number(v) if i in places and v is not None else v
                    for i, v in enumerate(full)
                )
        sig = signature(overload, full) | grad_state() | tls_state()
        if sig & _RARE:
            ask(sig)
        result = overload.table[sig](*full)
        pack = _packs(overload)
        return result if pack is None else pack(result)

    @property
    def schema(self) -> Any:
        """The schema."""
        return self._operator.schema

    def redispatch(self, keyset: DispatchKeySet, /, *args: Any, **kwargs: Any) -> Any:
        """Go on from inside a kernel with what is left of its key set."""
        if not isinstance(keyset, (DispatchKeySet, DispatchKey)):
            raise TypeError(
                "redispatch_boxed(): incompatible function arguments. The following argument types"
                " are supported:\n    1. (self: object, arg0: c10::DispatchKeySet, *args,"
                f" **kwargs) -> object\n\nInvoked with: {keyset!r}"
            )
        full = self._bind(args, kwargs)
        positional, keywords = split_keywords(self, full)
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
        positional, keywords = split_keywords(self, self._bind(args, kwargs))
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
        return self._find, (self.namespace, self._opname, self._overloadname)


class OperatorEntrance(Entrance):
    """The entrance of an overload that a row is; its arguments are checked by the schema."""

    __slots__ = ("_op",)

    def __init__(self, op: OpOverload) -> None:
        self._op = op
        overload = OVERLOADS[op.name()]
        overload.analyse()
        super().__init__(
            SchemaParser(overload, op._bind),
            [overload],
            name=overload.base,
            calls=overload.table,
            pack=_packs,
            after=lambda parser, which, overload, full: op._call(full),
        )

    def parse(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[int, tuple[Any, ...] | Any]:
        """As every entrance, but an object that overrides functions takes over what fits not."""
        try:
            return super().parse(args, kwargs)
        except (RuntimeError, TypeError):
            if not overridden_by_object(args, kwargs):
                raise
        raise Overridden

    def takes_over(self, sig: int) -> None:
        """Raise Overridden where a call of this signature belongs to somebody else."""
        if sig & _RARE:
            ask(sig)

    def hand_over(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Give the call to the mode or class that takes it over."""
        return hand_over(self._op, args, kwargs, style=OPERATOR)
