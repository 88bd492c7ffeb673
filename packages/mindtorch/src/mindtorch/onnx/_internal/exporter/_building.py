"""``torch.onnx._internal.exporter._building``: puts the nodes of a graph of ONNX together.

A translation asks the builder for nodes by the names of ONNX's operators and gets a :class:`Value`.
Two rules stand here, so that no translation has to think of them: numbers among the inputs become
constants of the other inputs' dtype, and an operator that ONNX defines for fewer dtypes than torch
computes in a wider one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import onnx
from mindtorch_storage import DType, get_default_dtype
from mindtorch_storage.dtype import ALL_DTYPES
from mindtorch_storage.promotion import result_type

from ._errors import DispatchError

__all__ = ["Builder", "Node", "Value", "dtype_of_array", "onnx_type"]

_TYPES = {
    "bool": "BOOL", "uint8": "UINT8", "int8": "INT8", "int16": "INT16", "int32": "INT32",
    "int64": "INT64", "uint16": "UINT16", "uint32": "UINT32", "uint64": "UINT64",
    "float16": "FLOAT16", "bfloat16": "BFLOAT16", "float32": "FLOAT", "float64": "DOUBLE",
    "float8_e4m3fn": "FLOAT8E4M3FN", "float8_e4m3fnuz": "FLOAT8E4M3FNUZ",
    "float8_e5m2": "FLOAT8E5M2", "float8_e5m2fnuz": "FLOAT8E5M2FNUZ",
}  # fmt: skip
#: The names of dtypes in the type constraints of operators.
_IN_CONSTRAINTS = {"float32": "float", "float64": "double"}
_DTYPES = {dtype.name: dtype for dtype in ALL_DTYPES}
BOOL, INT32, INT64 = _DTYPES["bool"], _DTYPES["int32"], _DTYPES["int64"]
FLOAT32, FLOAT64, UINT8 = _DTYPES["float32"], _DTYPES["float64"], _DTYPES["uint8"]
#: Where an operator does not take a dtype, the first of these that it takes.
_WIDER = {
    "float16": (FLOAT32,), "bfloat16": (FLOAT32,), "bool": (UINT8, INT32, INT64, FLOAT32),
    "uint16": (INT32, INT64), "uint32": (INT64,), "uint64": (INT64,), "float64": (FLOAT32,),
}  # fmt: skip
_WIDER_INTEGERS = (INT32, INT64)


def onnx_type(dtype: DType) -> int:
    """ONNX's number of a dtype. Raises DispatchError for one that ONNX lacks."""
    if dtype.name not in _TYPES:
        raise DispatchError(f"ONNX has no tensors of {dtype}")
    found: int = onnx.TensorProto.DataType.Value(_TYPES[dtype.name])
    return found


def numpy_type(dtype: DType) -> Any:
    """numpy's dtype for elements of *dtype*."""
    if dtype.name == "bfloat16" or dtype.name.startswith("float8"):
        return np.dtype(getattr(ml_dtypes, dtype.name))
    return dtype.np


def dtype_of_array(array: Any) -> DType:
    """The dtype of tensors for the elements of an ndarray."""
    return _DTYPES[array.dtype.name]


def dtype_of_number(number: int) -> DType:
    """The dtype of ONNX's *number* for it."""
    names = {onnx.TensorProto.DataType.Value(text): name for name, text in _TYPES.items()}
    return _DTYPES[names[number]]


#: What operators have taken as an input since some version, and as an attribute before it.
_ONCE_ATTRIBUTES = {
    "Squeeze": ("axes", 13), "Unsqueeze": ("axes", 13), "ReduceSum": ("axes", 13),
    "Split": ("split", 13), "ReduceMean": ("axes", 18), "ReduceMax": ("axes", 18),
    "ReduceMin": ("axes", 18), "ReduceProd": ("axes", 18), "ReduceL1": ("axes", 18),
    "ReduceL2": ("axes", 18),
}  # fmt: skip


class Value:
    """What goes into nodes and comes out of them.

    :param shape: None where nobody needs to know it.
    """

    __slots__ = ("array", "dtype", "name", "shape")

    def __init__(
        self, name: str, dtype: DType, shape: Sequence[Any] | None = None, array: Any = None
    ) -> None:
        self.name = name
        self.dtype = dtype
        self.shape = None if shape is None else tuple(shape)
        #: The numbers of a constant that a translation has made.
        self.array = array

    def __repr__(self) -> str:
        return f"%{self.name}: {self.dtype}{list(self.shape or ())}"

    @property
    def sizes(self) -> tuple[Any, ...]:
        """The shape. Raises DispatchError where it is not known."""
        if self.shape is None:
            raise DispatchError(f"the shape of {self.name} is not known")
        return self.shape

    @property
    def rank(self) -> int:
        """The number of dimensions. Raises DispatchError where it is not known."""
        return len(self.sizes)


class Node:
    """One node: an operator of ONNX, its inputs, outputs and attributes."""

    __slots__ = ("attributes", "domain", "inputs", "kind", "name", "origin", "outputs")

    def __init__(
        self,
        kind: str,
        inputs: Sequence[Value | None],
        outputs: Sequence[Value],
        attributes: dict[str, Any],
        domain: str = "",
    ) -> None:
        self.kind, self.inputs, self.outputs = kind, list(inputs), list(outputs)
        self.attributes, self.domain = attributes, domain
        self.name = ""
        #: The node of the program that this one is made for.
        self.origin: Any = None


@cache
def _schema(kind: str, version: int) -> Any:
    try:
        return onnx.defs.get_schema(kind, version)
    except Exception:  # its class is in no public module
        raise DispatchError(f"ONNX has no {kind} in version {version}") from None


@cache
def _constraints(kind: str, version: int) -> dict[str, frozenset[str]]:
    """The types that each of an operator's type variables stands for."""
    return {
        c.type_param_str: frozenset(c.allowed_type_strs)
        for c in _schema(kind, version).type_constraints
    }


def _parameter(parameters: Sequence[Any], place: int) -> Any:
    return parameters[min(place, len(parameters) - 1)]  # the last may stand for several


def _takes(allowed: frozenset[str], dtype: DType) -> bool:
    return f"tensor({_IN_CONSTRAINTS.get(dtype.name, dtype.name)})" in allowed


class Builder:
    """Collects the nodes and constants of one graph.

    :param version: of ONNX's operators.
    """

    def __init__(self, version: int) -> None:
        self.version = version
        self.nodes: list[Node] = []
        self.constants: list[Value] = []
        #: Versions of other domains that nodes ask for.
        self.domains: dict[str, int] = {}
        self._known: dict[tuple[Any, ...], Value] = {}
        self._count = 0
        self._origin: Any = None
        #: What the operator gives that is translated: a tensor, or several; None for no tensor.
        self.out: Any = None

    # Values ---------------------------------------------------------------------------------------

    def begin(self, origin: Any, out: Any) -> None:
        """Translate the next node of the program, which gives *out*."""
        self._origin, self.out = origin, out

    def is_dense(self, place: int) -> bool:
        """Whether the program's argument at *place* has its elements in order, from its start."""
        like = self._origin.args[place].meta["val"]
        return bool(like.is_contiguous()) and int(like.storage_offset()) == 0

    def name(self) -> str:
        """A name that nothing has."""
        self._count += 1
        return f"val_{self._count - 1}"

    def const(self, value: Any, dtype: DType | None = None) -> Value:
        """A constant: a number, or numbers in lists or an ndarray.

        :param dtype: the default is int64, and the ndarray's own.
        """
        if dtype is None:
            dtype = dtype_of_array(value) if isinstance(value, np.ndarray) else INT64
        with np.errstate(all="ignore"):
            array = np.asarray(value).astype(numpy_type(dtype))
        key = (dtype.name, array.shape, array.tobytes())
        if key not in self._known:
            made = Value(self.name(), dtype, array.shape, array)
            self._known[key] = made
            self.constants.append(made)
        return self._known[key]

    def ints(self, values: Iterable[Any]) -> Value:
        """A list of integers: numbers, and values of one element."""
        given = list(values)
        if not any(isinstance(v, Value) for v in given):
            return self.const(np.array([int(v) for v in given], np.int64))
        parts = [
            self.reshape(self.cast(v, INT64), [1]) if isinstance(v, Value) else self.const([int(v)])
            for v in given
        ]
        return parts[0] if len(parts) == 1 else self.op("Concat", *parts, axis=0)

    def size(self, value: Value, dim: int) -> Any:
        """A size of *value*: a number where it is one, else a value of one element."""
        assert value.shape is not None
        size = value.shape[dim]
        if isinstance(size, int):
            return size
        dim %= len(value.shape)
        return self.op("Shape", value, start=dim, end=dim + 1, dtype=INT64)

    def value(self, given: Any, dtype: DType) -> Value:
        """A value of *dtype*: a cast one, or a constant of a number."""
        return self.cast(given, dtype) if isinstance(given, Value) else self.const(given, dtype)

    def cast(self, value: Value, dtype: DType) -> Value:
        """*value* in another dtype; itself where it has that."""
        if value.dtype is dtype:
            return value
        if value.array is not None and value.array.size <= 16:
            return self.const(value.array, dtype)
        return self.op("Cast", value, to=onnx_type(dtype), dtype=dtype, shape=value.shape)

    def common(self, *operands: Any) -> DType:
        """The dtype that torch computes in for *operands*: values and numbers."""
        return result_type(
            (v.dtype, v.shape == (), False)
            if isinstance(v, Value)
            else (_dtype_of_number(v), True, True)
            for v in operands
        )

    def promoted(self, *operands: Any) -> list[Value]:
        """*operands* in their common dtype."""
        dtype = self.common(*operands)
        return [self.value(v, dtype) for v in operands]

    # Nodes ----------------------------------------------------------------------------------------

    def op(
        self, kind: str, *inputs: Any, dtype: DType | None = None, shape: Any = None, **attrs: Any
    ) -> Value:
        """The first output of a new node.

        :param inputs: values; None for one that is left out; numbers.
        :param dtype: of the output. The default follows from the operator, where it can.
        :param shape: of the output, where somebody asks for it.
        """
        return self.ops(kind, 1, *inputs, dtypes=(dtype,), shape=shape, **attrs)[0]

    def ops(
        self,
        kind: str,
        count: int,
        *inputs: Any,
        dtypes: Sequence[DType | None] | None = None,
        shape: Any = None,
        **attrs: Any,
    ) -> tuple[Value, ...]:
        """The *count* outputs of a new node."""
        inputs, attrs = self._as_attributes(kind, inputs, attrs)
        schema, constraints = _schema(kind, self.version), _constraints(kind, self.version)
        for name, said in attrs.items():
            if said is not None and name not in schema.attributes:
                raise DispatchError(f"ONNX's {kind} has no {name} in version {self.version}")
        variables = [_parameter(schema.inputs, i).type_str for i in range(len(inputs))]
        of: dict[str, DType] = {}  # what the type variables are
        for given, variable in zip(inputs, variables, strict=True):
            if isinstance(given, Value):
                of.setdefault(variable, given.dtype)
        narrow: dict[str, DType] = {}
        for variable, found in of.items():
            wide = _wide(constraints.get(variable), found)
            if wide is not found and "to" not in attrs:
                narrow[variable], of[variable] = found, wide
        values = [
            self._input(given, variable, of, narrow)
            for given, variable in zip(inputs, variables, strict=True)
        ]
        while values and values[-1] is None:
            values.pop()
        outputs = []
        for i in range(count):
            variable = _parameter(schema.outputs, i).type_str
            said = dtypes[i] if dtypes is not None else None
            found = of.get(variable) or said or _only(constraints, variable)
            assert found is not None, f"{kind}: say what dtype comes out"
            if variable not in of and said is not None:
                found = said
            outputs.append(Value(self.name(), found, shape))
        self._add(Node(kind, values, outputs, {k: v for k, v in attrs.items() if v is not None}))
        back = [narrow.get(_parameter(schema.outputs, i).type_str) for i in range(count)]
        return tuple(self.cast(v, b) if b else v for v, b in zip(outputs, back, strict=True))

    def custom(
        self, kind: str, domain: str, inputs: Sequence[Any], dtypes: Sequence[DType], **attrs: Any
    ) -> tuple[Value, ...]:
        """The outputs of a node of another *domain*, of which nothing is known here."""
        outputs = [Value(self.name(), dtype) for dtype in dtypes]
        self._add(Node(kind, inputs, outputs, attrs, domain))
        return tuple(outputs)

    def _add(self, node: Node) -> None:
        node.origin = self._origin
        self.nodes.append(node)

    def _as_attributes(
        self, kind: str, inputs: tuple[Any, ...], attrs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The second input as an attribute, where this version of the operator has it as that."""
        name, since = _ONCE_ATTRIBUTES.get(kind, ("", 0))
        if self.version >= since or len(inputs) < 2:
            return inputs, attrs
        if inputs[1] is None:
            return inputs[:1], attrs
        if inputs[1].array is None:
            raise DispatchError(f"{kind} of a size that varies, in version {self.version}")
        return inputs[:1], {**attrs, name: inputs[1].array.tolist()}

    def _input(
        self, given: Any, variable: str, of: dict[str, DType], narrow: dict[str, DType]
    ) -> Value | None:
        if given is None:
            return None
        dtype = of.get(variable)
        if not isinstance(given, Value):
            if dtype is None and isinstance(given, float):
                dtype = next(iter(of.values()))  # of the first input
            return self.const(given, dtype)
        return self.cast(given, dtype) if variable in narrow and dtype is not None else given

    # Nodes that many translations are made of -----------------------------------------------------

    def reshape(self, value: Value, sizes: Sequence[Any]) -> Value:
        """*value* in another shape; -1 stands for what is left."""
        if value.shape is not None and value.shape == tuple(sizes):
            return value
        empty = any(isinstance(s, int) and s == 0 for s in sizes)
        known = all(isinstance(s, int) and s >= 0 for s in sizes)
        return self.op(
            "Reshape",
            value,
            self.ints(sizes),
            allowzero=1 if empty else None,
            shape=sizes if known else None,
        )

    def axes(self, kind: str, value: Value, axes: Sequence[int], **attrs: Any) -> Value:
        """A node whose second input is a list of dimensions."""
        return self.op(kind, value, self.ints(axes), **attrs)

    def unsqueeze(self, value: Value, *axes: int) -> Value:
        """*value* with dimensions of size 1."""
        return self.axes("Unsqueeze", value, axes)

    def split(self, value: Value, count: int, axis: int) -> tuple[Value, ...]:
        """*count* equal parts of a dimension."""
        named = {"num_outputs": count} if self.version >= 18 else {}
        return self.ops("Split", count, value, axis=axis, **named)

    def transpose(self, value: Value, perm: Sequence[int]) -> Value:
        """*value* with its dimensions in another order."""
        if list(perm) == list(range(len(perm))):
            return value
        shape = value.shape and [value.shape[p] for p in perm]
        return self.op("Transpose", value, perm=list(perm), shape=shape)

    def expand(self, value: Value, sizes: Sequence[Any]) -> Value:
        """*value* repeated to *sizes*."""
        if value.shape is not None and value.shape == tuple(sizes):
            return value
        shape = [None if isinstance(s, Value) else s for s in sizes]
        return self.op("Expand", value, self.ints(sizes), shape=shape)

    def where(self, condition: Value, yes: Any, no: Any, dtype: DType) -> Value:
        """The elements of *yes* or *no*, as *dtype*."""
        values = (self.value(yes, dtype), self.value(no, dtype))
        return self.op("Where", self.cast(condition, BOOL), *values)

    def slice(self, value: Value, axis: int, start: Any, end: Any, step: int = 1) -> Value:
        """A part of one dimension."""
        bounds = (self.ints([start]), self.ints([end]), self.ints([axis]), self.ints([step]))
        return self.op("Slice", value, *bounds)

    def chain(self, kind: str, values: Sequence[Value]) -> Value:
        """An operator of two inputs between all of *values*."""
        found = values[0]
        for value in values[1:]:
            found = self.op(kind, found, value)
        return found


def _dtype_of_number(value: Any) -> DType:
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return INT64
    if isinstance(value, float):
        return get_default_dtype()
    raise DispatchError(f"ONNX has no numbers of {type(value).__name__}")


def _wide(allowed: frozenset[str] | None, dtype: DType) -> DType:
    """*dtype*, or what an operator computes in that does not take it."""
    if allowed is None or _takes(allowed, dtype):
        return dtype
    others = _WIDER.get(dtype.name, _WIDER_INTEGERS)
    if dtype.is_floating_point:
        others = _WIDER.get(dtype.name, ())
    for other in others:
        if _takes(allowed, other):
            return other
    raise DispatchError(f"an operator of ONNX does not take {dtype}")


def _only(constraints: dict[str, frozenset[str]], variable: str) -> DType | None:
    """What a type is that no input decides; None where it may be several."""
    allowed = constraints.get(variable, frozenset([variable]))
    if len(allowed) != 1:
        return None
    text = next(iter(allowed)).removeprefix("tensor(").removesuffix(")")
    return _DTYPES[{"float": "float32", "double": "float64"}.get(text, text)]
