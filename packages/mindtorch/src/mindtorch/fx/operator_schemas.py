"""Signatures of torch's functions, and calls brought into one form by them."""

from __future__ import annotations

import inspect
import numbers
import types
import typing
from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple, cast

from .. import _C, functional, nn
from .._ops import OpOverload, OpOverloadPacket, ops
from ..aten import torch
from ..aten.register import is_of_row
from ..core.warning import warn
from ._compatibility import compatibility

__all__ = [
    "ArgsKwargsPair", "check_for_mutable_operation", "create_type_hint",
    "get_signature_for_torch_op", "normalize_function", "normalize_module", "type_matches",
]  # fmt: skip


@compatibility(is_backward_compatible=False)
class ArgsKwargsPair(NamedTuple):
    """The arguments of a call, by place and by name."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


_KINDS: dict[str, Any] = {}


def _type_of(text: str) -> Any:
    """The Python type of an argument of a schema."""
    if not _KINDS:
        _KINDS.update(
            {
                "Tensor": torch.Tensor,
                "Device": torch.device,
                "Layout": torch.layout,
                "MemoryFormat": torch.memory_format,
                "ScalarType": torch.dtype,
                "Generator": torch.Generator,
                "number": numbers.Number,
                "Scalar": numbers.Number,
                "SymInt": int,
                "int": int,
                "bool": bool,
                "float": float,
                "complex": complex,
                "str": str,
                "Any": Any,
                "Storage": Any,
                "Stream": Any,
                "QScheme": Any,
                "NoneType": None,
            }
        )
    for prefix, kind in (("Optional[", typing.Optional), ("List[", list)):
        if text.startswith(prefix):
            return kind[_type_of(text[len(prefix) : -1])]
    if text.startswith("Dict["):
        key, value = text[5:-1].split(", ", 1)
        return typing.Dict[_type_of(key), _type_of(value)]  # type: ignore[misc]  # noqa: UP006
    return _KINDS.get(text, Any)


def _torchscript_type_to_python_type(ts_type: Any) -> Any:
    return _type_of(getattr(ts_type, "annotation_str", str(ts_type)))


def _torchscript_schema_to_signature(ts_schema: Any) -> inspect.Signature:
    parameters = []
    for arg in ts_schema.arguments:
        positional = inspect.Parameter.POSITIONAL_OR_KEYWORD
        kind = inspect.Parameter.KEYWORD_ONLY if arg.kwarg_only else positional
        name = "input" if arg.name == "self" else arg.name
        name = "from_" if name == "from" else name
        default = arg.default_value if arg.has_default_value() else inspect.Parameter.empty
        parameters.append(
            inspect.Parameter(
                name, kind, default=default, annotation=_torchscript_type_to_python_type(arg.type)
            )
        )
    returned = [_torchscript_type_to_python_type(r.type) for r in ts_schema.returns]
    result: Any = None
    if len(returned) == 1:
        result = returned[0]
    elif returned:
        result = tuple(returned)
    return inspect.Signature(parameters, return_annotation=result)


def _packet_of(op: Any) -> Any:
    """The operator that a function of torch is a name of."""
    name = getattr(op, "__name__", None)
    if not isinstance(name, str) or not _is_torchs(op, name):
        return None
    return getattr(ops.aten, name, None)


def _is_torchs(op: Any, name: str) -> bool:
    """Whether *op* stands for an op itself, not for Python code that calls ops."""
    if isinstance(op, types.BuiltinFunctionType) and getattr(op, "__module__", "") == "_operator":
        return False
    if name in functional.__all__ and getattr(functional, name, None) is op:
        return False
    return is_of_row(op) or any(getattr(space, name, None) is op for space in (torch, _C._nn))


@compatibility(is_backward_compatible=False)
def get_signature_for_torch_op(op: Callable[..., Any], return_schemas: bool = False) -> Any:
    """The signatures of the overloads of one of torch's functions; None for any other.

    :param return_schemas: give their schemas, too.
    """
    if isinstance(op, OpOverload):
        schemas = [op._schema]
    else:
        packet = op if isinstance(op, OpOverloadPacket) else _packet_of(op)
        if packet is None:
            return (None, None) if return_schemas else None
        schemas = [getattr(packet, name)._schema for name in packet.overloads()]
    signatures = [_torchscript_schema_to_signature(s) for s in schemas]
    return (signatures, schemas) if return_schemas else signatures


@compatibility(is_backward_compatible=False)
def check_for_mutable_operation(
    target: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Raise RuntimeError where a call would change an argument in place."""
    signatures, schemas = get_signature_for_torch_op(target, return_schemas=True)
    if not signatures or not schemas:
        return
    matched = []
    for signature, schema in zip(signatures, schemas, strict=True):
        try:
            signature.bind(*args, **kwargs)
        except TypeError:
            continue
        matched.append(schema)
    if len(matched) == 1 and matched[0].is_mutable:
        raise RuntimeError(
            f"Tried to trace mutable operation {matched[0]}. FX only supports functional code, so "
            "operations that mutate operands in-place (e.g. via `out` arguments) are not supported"
        )


def _wider(one: Any, other: Any) -> Any:
    """Which of two classes holds the objects of both; Any, where neither does."""
    if one is Any or issubclass(other, one):
        return one
    return other if issubclass(one, other) else Any


@compatibility(is_backward_compatible=False)
def create_type_hint(x: object) -> object:
    """The type of a list or tuple of values of one class; anything else comes back."""
    try:
        if isinstance(x, (list, tuple)):
            kind = reduce(_wider, x, x[0]) if x else Any
            made = types.GenericAlias
            return made(list, kind) if isinstance(x, list) else made(tuple, (kind, ...))
    except Exception:
        warn("We were not able to successfully create type hint from the type {x}")
    return x


@compatibility(is_backward_compatible=False)
def type_matches(signature_type: Any, argument_type: Any) -> bool:
    """Whether a value of one type may be given where a signature says another."""
    if signature_type == argument_type or signature_type is Any:
        return True
    origin = getattr(signature_type, "__origin__", signature_type)
    if origin in (typing.Union, types.UnionType) and signature_type != argument_type:
        inner = getattr(argument_type, "__args__", ())
        if getattr(argument_type, "__origin__", None) is typing.Union:
            return all(type_matches(signature_type, a) for a in inner)
        return any(type_matches(c, argument_type) for c in signature_type.__args__)
    if origin in (list, tuple) and getattr(signature_type, "__args__", None):
        element = signature_type.__args__[0]
        if element is int and argument_type is int:
            return True  # torch takes one number for a list of them
        if getattr(argument_type, "__origin__", None) in (list, tuple):
            kinds = [a for a in argument_type.__args__ if a is not ...]
            return all(
                isinstance(element, type)
                and isinstance(k, type)
                and issubclass(k, element)
                or type_matches(element, k)
                for k in kinds
            )
        return False
    if signature_type is numbers.Number and argument_type in (int, float):
        return True
    if inspect.isclass(signature_type) and inspect.isclass(argument_type):
        return issubclass(argument_type, signature_type)
    return False


@compatibility(is_backward_compatible=False)
def normalize_function(
    target: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    arg_types: tuple[Any] | None = None,
    kwarg_types: dict[str, Any] | None = None,
    normalize_to_only_use_kwargs: bool = False,
) -> ArgsKwargsPair | None:
    """The arguments of a call of one of torch's functions, with its defaults filled in.

    None for what is none of torch's, and for calls that fit no signature. Where several fit,
    *arg_types* and *kwarg_types* say which is meant; RuntimeError is raised without.
    """
    kwargs = kwargs or {}
    overloads = (OpOverloadPacket, OpOverload)
    if not isinstance(target, overloads) and hasattr(target, "_op"):
        target = target._op  # a library's class around an overload
    builtin = isinstance(target, types.BuiltinFunctionType) or is_of_row(target)
    if not builtin and not isinstance(target, overloads):
        if not callable(target):
            raise AssertionError(f"target_for_analysis must be callable, got {type(target)}")
        signature = inspect.signature(inspect.unwrap(target))
        return _bound(signature, args, kwargs, normalize_to_only_use_kwargs)
    signatures = get_signature_for_torch_op(target)
    if not signatures:
        return None
    fitting = [s for s in signatures if _binds(s, args, kwargs)]
    if not fitting:
        return None
    if len(fitting) > 1:
        if arg_types is None and kwarg_types is None:
            said = "\n".join(str(s) for s in fitting)
            raise RuntimeError(
                f"Tried to normalize arguments to {torch.typename(target)} but the schema match "
                f"was ambiguous! Please provide argument types to the normalize_arguments() call. "
                f"Available schemas:\n{said}"
            )
        typed = []
        for signature in fitting:
            bound = signature.bind(*cast("tuple[Any, ...]", arg_types or ()), **(kwarg_types or {}))
            if all(
                type_matches(signature.parameters[name].annotation, kind)
                for name, kind in bound.arguments.items()
            ):
                typed.append(signature)
        fitting = typed[:1]
        if not fitting:
            return None
    return _bound(fitting[0], args, kwargs, normalize_to_only_use_kwargs)


def _binds(signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    try:
        signature.bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def _fast_bind(sig: inspect.Signature, *args: Any, **kwargs: Any) -> inspect.BoundArguments:
    """What ``sig.bind`` gives. Raises TypeError with texts of its own where there are no stars."""
    try:
        return sig.bind(*args, **kwargs)
    except TypeError:
        stars = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        if any(p.kind in stars for p in sig.parameters.values()):
            raise
        raise TypeError(_unbindable(sig, args, kwargs)) from None


def _unbindable(sig: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Why these arguments do not fit a signature without stars."""
    named = sig.parameters
    hidden = [n for n, p in named.items() if p.kind is inspect.Parameter.POSITIONAL_ONLY]
    placed = [n for n, p in named.items() if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    wrong = [n for n in hidden if n in kwargs]
    if wrong:
        given = ", ".join(map(repr, wrong))
        return f"Got some positional-only arguments passed as keyword arguments: {given}"
    if len(args) > len(placed):
        return f"Too many positional arguments: expected max {len(placed)}, got {len(args)}"
    for name in placed[: len(args)]:
        if name in kwargs:
            return f"Multiple values for argument {name!r}"
    for name in kwargs:
        if name not in named:
            return f"Got an unexpected keyword argument {name!r}"
    given_names = {*placed[: len(args)], *kwargs}
    missing = (
        n for n, p in named.items() if n not in given_names and p.default is inspect.Parameter.empty
    )
    return f"Missing required argument {next(missing)!r}"


@compatibility(is_backward_compatible=False)
def normalize_module(
    root: Any,
    target: str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    normalize_to_only_use_kwargs: bool = False,
) -> ArgsKwargsPair | None:
    """The arguments of a call of a submodule of ``torch.nn``, with its defaults filled in."""
    try:
        module = root.get_submodule(target)
    except AttributeError as error:
        raise RuntimeError(
            f"Tried to normalize node with target {target} but root did not have that target!"
        ) from error
    if getattr(nn, type(module).__name__, None) is not type(module):
        return None
    signature = inspect.signature(module.forward)
    return _bound(signature, args, kwargs or {}, normalize_to_only_use_kwargs)


def _bound(
    signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any], by_name: bool
) -> ArgsKwargsPair | None:
    """The arguments in the signature's order; None for kinds of parameters that have no name."""
    supported = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = signature.parameters.values()
    if any(p.kind not in supported for p in parameters) and list(signature.parameters) != [
        "input", "from", "to", "generator",
    ]:  # fmt: skip
        return None
    bound = _fast_bind(signature, *args, **kwargs)
    bound.apply_defaults()
    given: dict[str, Any] = {}
    placed: list[Any] = []
    for i, p in enumerate(parameters):
        value = bound.arguments[p.name]
        if not by_name and i < len(args):
            placed.append(value)
        else:
            given[p.name] = value
    return ArgsKwargsPair(tuple(placed), given)


_args_kwargs_to_normalized_args_kwargs = _bound
