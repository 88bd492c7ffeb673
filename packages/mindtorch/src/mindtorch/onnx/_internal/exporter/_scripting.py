"""Translations that users write: functions of onnxscript, and of the older kind.

onnxscript's operators ask an *evaluator* what to do; during an export that one makes nodes. The
older functions get a graph context, ``g.op("Domain::Name", inputs, attribute_i=1)``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ._building import Builder, dtype_of_number

__all__ = ["GraphContext", "Symbolic", "recording"]


class _Recorder:
    """An evaluator of onnxscript's that makes nodes."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def eval(self, schema: Any, inputs: Sequence[Any], attributes: Mapping[str, Any]) -> Any:
        """One node."""
        given = {k: v for k, v in attributes.items() if v is not None}
        return node(self.builder, schema.domain, schema.name, inputs, given)

    def eval_function(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """The nodes of a function's body."""
        return function.function(*args, **kwargs)

    def eval_op(self, op: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """One node."""
        return self.eval(op.op_schema, args, kwargs)


def node(
    g: Builder, domain: str, kind: str, inputs: Sequence[Any], attributes: Mapping[str, Any]
) -> Any:
    """The output of a node; of ONNX's own operators as many as the program asks for."""
    outs = g.out if isinstance(g.out, (list, tuple)) else [g.out]
    if domain in ("", "ai.onnx"):
        if kind == "Cast" and "to" in attributes:
            return g.op(kind, *inputs, **attributes, dtype=dtype_of_number(attributes["to"]))
        return g.op(kind, *inputs, **attributes, dtype=getattr(outs[0], "dtype", None))
    values = [g.const(v) if isinstance(v, (int, float, bool)) else v for v in inputs]
    found = g.custom(kind, domain, values, [o.dtype for o in outs], **attributes)
    return found[0] if len(found) == 1 else found


@contextmanager
def recording(builder: Builder) -> Iterator[None]:
    """Inside, onnxscript's operators make nodes, where a program has loaded it."""
    if "onnxscript" not in sys.modules:
        yield
        return
    from onnxscript import evaluator

    with evaluator.default_as(_Recorder(builder)):
        yield


class GraphContext:
    """What older translations make nodes with."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.opset = builder.version

    def op(self, name: str, *inputs: Any, outputs: int = 1, **attributes: Any) -> Any:
        """The outputs of a node. Attributes end in what they are: ``axis_i``, ``mode_s``.

        :param name: an operator of ONNX, or ``domain::operator``.
        """
        domain, _, kind = name.rpartition("::")
        given = {key.rpartition("_")[0]: value for key, value in attributes.items()}
        if kind == "Constant":
            value = given["value"]
            array = value.detach().cpu().numpy() if hasattr(value, "detach") else value
            return self.builder.const(array)
        return node(self.builder, domain, kind, inputs, given)

    def at(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: there is no such domain here."""
        raise NotImplementedError("operators of ATen in a file of ONNX")


class Symbolic:
    """An older translation, ``function(g, *args)``, which gets every argument of the schema."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, builder: Builder, op: Any, args: Sequence[Any], kwargs: Any) -> Any:
        given = list(args)
        for argument in op._schema.arguments[len(args) :]:
            given.append(kwargs.get(argument.name, argument.default_value))
        return self.function(GraphContext(builder), *given)
