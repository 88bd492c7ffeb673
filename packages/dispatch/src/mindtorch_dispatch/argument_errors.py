"""Texts of the argument parser: torch's, one function per message.

Source: torch/csrc/utils/python_arg_parser.cpp, as torch 2.13 prints them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .parameter import Parameter, Signature

#: The warnings that were given, of those that are given once in a process. Who joins packages may
#: put in another set, which forgets.
said: set[str] = set()


def unknown_parameter_type(text: str) -> ValueError:
    """Our own text: a signature with a parameter type that no Python value has."""
    return ValueError(f"no Python value is known for a parameter type of {text}")


def unknown_signature_mark(mark: str) -> ValueError:
    """Our own text: something other than "deprecated" after the bar of a written signature."""
    return ValueError(f"a signature may be marked |deprecated, not |{mark}")


def too_many_arguments(signature: Signature, given: int) -> TypeError:
    """extra_args."""
    least, most = signature.min_args, signature.max_positional
    if least != most:
        takes, plural = f"from {least} to {most}", "s"
    else:
        takes, plural = str(most), "" if most == 1 else "s"
    verb = "was" if given == 1 and least == most else "were"
    return TypeError(
        f"{signature.name}() takes {takes} positional argument{plural} but {given} {verb} given"
    )


def missing_arguments(name: str, missing: Sequence[str]) -> TypeError:
    """missing_args; the plural is the wrong way round in torch."""
    count = len(missing)
    noun = "arguments" if count == 1 else "argument"
    listed = ", ".join([f'"{m}"' for m in missing])
    return TypeError(f"{name}() missing {count} required positional {noun}: {listed}")


def unknown_keyword(signature: Signature, kwargs: Iterable[object], given: int) -> TypeError:
    """extra_kwargs."""
    places = {p.name: i for i, p in enumerate(signature.parameters)}
    for name in kwargs:
        if not isinstance(name, str):
            return TypeError("keywords must be strings")
        if name not in places:
            return TypeError(f"{signature.name}() got an unexpected keyword argument '{name}'")
        if places[name] < given:
            return TypeError(f"{signature.name}() got multiple values for argument '{name}'")
    return TypeError("invalid keyword arguments")


def wrong_keyword_type(name: str, parameter: Parameter, got: str) -> TypeError:
    """FunctionSignature::parse, an argument given by keyword."""
    return TypeError(
        f"{name}(): argument '{parameter.name}' must be {parameter.type_name}, not {got}"
    )


def wrong_type(name: str, parameter: Parameter, position: int, got: str) -> TypeError:
    """FunctionSignature::parse, a positional argument."""
    return TypeError(
        f"{name}(): argument '{parameter.name}' (position {position + 1}) must be "
        f"{parameter.type_name}, not {got}"
    )


def wrong_element_type(
    name: str, parameter: Parameter, position: int, got: str, at: int
) -> TypeError:
    """FunctionSignature::parse, an element of a positional list."""
    return TypeError(
        f"{name}(): argument '{parameter.name}' (position {position + 1}) must be "
        f"{parameter.type_name}, but found element of type {got} at pos {at}"
    )


def wrong_keyword_element(name: str, parameter: Parameter, got: str, at: int) -> TypeError:
    """python_arg_parser.h, PythonArgs::getDoublelist."""
    return TypeError(
        f"{name}(): argument '{parameter.name}' must be {parameter.type_name}, but found element "
        f"of type {got} at pos {at}"
    )


def element_is_no_tensor(place: int, argument: int, got: str) -> TypeError:
    """is_tensor_list_and_append_overloaded."""
    return TypeError(f"expected Tensor as element {place} in argument {argument}, but got {got}")


def unpack_failed(name: str, parameter: Parameter, at: int, reason: str) -> TypeError:
    """throw_intlist_exception. (torch adds a C++ stack trace to an overflow.)"""
    return TypeError(
        f"{name}(): argument '{parameter.name}' failed to unpack the object at pos {at} with error "
        f'"{reason}"'
    )


def tuple_length(expected: int, got: int) -> TypeError:
    """python_arg_parser.h, PythonArgs::tensorlist_n."""
    return TypeError(f"expected tuple of {expected} elements but got {got}")


def takes_no_arguments(name: str, given: int, keywords: bool) -> TypeError:
    """CPython's text for a method of a C class that is declared without arguments."""
    if keywords:
        return TypeError(f"TensorBase.{name}() takes no keyword arguments")
    return TypeError(f"TensorBase.{name}() takes no arguments ({given} given)")


def int_overflow() -> ValueError:
    """csrc/utils/python_numbers.h, THPUtils_unpackLong."""
    return ValueError("Overflow when unpacking long long")


def scalar_overflow(value: int) -> OverflowError:
    """CPython's texts; PythonArgs::scalar_slow reads what int64 cannot hold as uint64."""
    if value < 0:
        return OverflowError("can't convert negative int to unsigned")
    return OverflowError("int too big to convert")


def complex_as_float() -> RuntimeError:
    """c10/util/TypeCast.cpp, report_overflow."""
    return RuntimeError("value cannot be converted to type double without overflow")


def bool_tensor_as_symint() -> RuntimeError:
    """csrc/utils/pybind.cpp, the caster of c10::SymInt (an assertion, with its path)."""
    return RuntimeError(
        "scalar.isIntegral( false) INTERNAL ASSERT FAILED at "
        '"/__w/pytorch/pytorch/torch/csrc/utils/pybind.cpp":27, please report a bug to PyTorch. '
    )


def bool_tensor_as_index() -> RuntimeError:
    """csrc/utils/pybind.cpp, the caster of c10::SymInt, in a list."""
    return RuntimeError(
        "Expected scalar.isIntegral( false) to be true, but got false.  (Could this error message "
        "be improved?  If so, please report an enhancement request to PyTorch.)"
    )


def deprecated_overload(name: str, signature: str, listed: Sequence[str]) -> str:
    """PythonArgParser::check_deprecated."""
    text = f"This overload of {name} is deprecated:\n\t{name}{signature}"
    if listed:
        text += "\nConsider using one of the following signatures instead:"
        text += "".join([f"\n\t{name}{one}" for one in listed])
    where = "/__w/pytorch/pytorch/torch/csrc/utils/python_arg_parser.cpp:1841."
    return f"{text} (Triggered internally at {where})"


#: Flags of types: made at run time, and by C that lets nobody change them.
_HEAP, _IMMUTABLE = 1 << 9, 1 << 8


def python_type_name(value: object) -> str:
    """The name C has for the type of *value*: with its module where the type is built in."""
    kind = type(value)
    if kind.__flags__ & (_HEAP | _IMMUTABLE) == _HEAP or kind.__module__ == "builtins":
        return kind.__name__
    return f"{kind.__module__}.{kind.__qualname__}"
