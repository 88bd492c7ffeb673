"""Texts about devices, dtypes and shapes that torch has too: one function each, with its source.

Those about storages are in ``storage_errors.py``.

All are plain builtin exceptions, as in torch:

* ``RuntimeError`` - devices, shapes, promotion
* ``TypeError`` - arguments of a wrong type
* ``IndexError`` - dimensions and offsets out of range
* ``ValueError`` - integers that do not fit
* ``AttributeError`` - attributes that cannot be written
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .arguments import argument_name, argument_types, type_name

#: The warnings that were given, of those that are given once in a process. Who joins packages may
#: put in another set, which forgets.
said: set[str] = set()

# ----------------------------------------------------------------------------- devices


def device_type_unknown(names: Iterable[str], text: str) -> RuntimeError:
    """torch c10/core/Device.cpp, parse_type (`npu` stands where torch says `privateuseone`)."""
    return RuntimeError(
        f"Expected one of {', '.join(names)} device type at start of device string: {text}"
    )


def device_string_empty() -> RuntimeError:
    """torch c10/core/Device.cpp, Device::Device(const std::string&)."""
    return RuntimeError("Device string must not be empty")


def device_string_invalid(text: str) -> RuntimeError:
    """torch c10/core/Device.cpp, Device::Device(const std::string&)."""
    return RuntimeError(f"Invalid device string: '{text}'")


def device_index_unparsable(index: str, text: str) -> RuntimeError:
    """torch c10/core/Device.cpp, Device::Device(const std::string&)."""
    return RuntimeError(f"Could not parse device index '{index}' in device string '{text}'")


def device_index_negative() -> RuntimeError:
    """torch csrc/Device.cpp, THPDevice_pynew."""
    return RuntimeError("Device index must not be negative")


def device_index_given_twice(text: str) -> RuntimeError:
    """torch csrc/Device.cpp, THPDevice_pynew."""
    return RuntimeError(
        f"type (string) must not include an index because index was passed explicitly: {text}"
    )


def integer_overflow() -> ValueError:
    """torch csrc/utils/python_numbers.h, THPUtils_unpackLong."""
    return ValueError("Overflow when unpacking long long")


def device_argument(name: str, position: int | None, expected: str, value: Any) -> TypeError:
    """torch csrc/utils/python_arg_parser.cpp, FunctionSignature::parse."""
    where = "" if position is None else f" (position {position})"
    return TypeError(
        f"device(): argument '{name}'{where} must be {expected}, not {type_name(value)}"
    )


def device_argument_repeated(name: str) -> TypeError:
    """torch csrc/utils/python_arg_parser.cpp, extra_kwargs."""
    return TypeError(f"device() got multiple values for argument '{name}'")


def device_argument_unexpected(name: str) -> TypeError:
    """torch csrc/utils/python_arg_parser.cpp, extra_kwargs."""
    return TypeError(f"device() got an unexpected keyword argument '{name}'")


def device_arguments(args: Sequence[Any], kwargs: dict[str, Any]) -> TypeError:
    """torch csrc/utils/invalid_arguments.cpp, format_invalid_args, for device()'s two forms."""
    given = argument_types(args, kwargs)
    why = ""
    if len(args) + len(kwargs) == 1:
        if args:
            wrong = f"!{argument_name(args[0])}!"
            why = f"some of the arguments have invalid types: ({wrong})"
        elif "device" in kwargs:
            wrong = f"!device={argument_name(kwargs['device'])}!, "
            why = f"some of the arguments have invalid types: ({wrong})"
        else:
            why = f"some of the keywords were incorrect: {', '.join(kwargs)}"
        why = f"      didn't match because {why}\n"
    return TypeError(
        f"device() received an invalid combination of arguments - got ({given}), but expected one"
        f" of:\n * (torch.device device)\n{why} * (str type, int index = -1)\n"
    )


def not_orderable() -> TypeError:
    """torch csrc/Device.cpp, THPDevice_rc."""
    return TypeError("comparison not implemented")


# ------------------------------------------------------------- types and their attributes


def attribute_not_writable(type_name: str, attribute: str) -> AttributeError:
    """CPython Objects/descrobject.c, descr_setcheck, for torch's read-only getters."""
    return AttributeError(f"attribute '{attribute}' of '{type_name}' objects is not writable")


def attribute_missing(type_name: str, attribute: str) -> AttributeError:
    """CPython Objects/object.c, _PyObject_GenericSetAttrWithDict."""
    return AttributeError(f"'{type_name}' object has no attribute '{attribute}'")


def unhashable(type_name: str) -> TypeError:
    """CPython Objects/object.c, PyObject_HashNotImplemented."""
    return TypeError(f"unhashable type: '{type_name}'")


def not_picklable(type_name: str) -> TypeError:
    """CPython Objects/typeobject.c, object_getstate_default."""
    return TypeError(f"cannot pickle '{type_name}' object")


def not_a_base_type(type_name: str) -> TypeError:
    """CPython Objects/typeobject.c, best_base."""
    return TypeError(f"type '{type_name}' is not an acceptable base type")


def cannot_create(type_name: str) -> TypeError:
    """CPython Objects/typeobject.c, type_call, for types without tp_new."""
    return TypeError(f"cannot create '{type_name}' instances")


# ------------------------------------------------------------------------------ dtypes


def promotion_unsupported(a: str, b: str) -> RuntimeError:
    """torch c10/core/ScalarType.cpp, promoteTypes; *a* and *b* are ScalarType names."""
    return RuntimeError(
        "Promotion for uint16, uint32, uint64 types is not supported, "
        f"attempted to promote {a} and {b}"
    )


def promotion_of_quantized(a: str, b: str) -> RuntimeError:
    """torch c10/core/ScalarType.cpp, promoteTypes."""
    return RuntimeError(
        "promoteTypes with quantized numbers is not handled yet; figure out what the correct rules "
        f"should be, offending types: {a} {b}"
    )


def promotion_of_bits(a: str, b: str) -> RuntimeError:
    """torch csrc/autograd (generated), promote_types."""
    return RuntimeError(f"Promotion from {a} and {b} is unsupported.")


def promotion_of_float8(a: str, b: str) -> RuntimeError:
    """torch c10/core/ScalarType.cpp, promoteTypes."""
    return RuntimeError(
        f"Promotion for Float8 Types is not supported, attempted to promote {a} and {b}"
    )


def promotion_without_entry(which: str) -> RuntimeError:
    """torch c10/core/ScalarType.cpp, promoteTypes: an internal check of its table."""
    return RuntimeError(f"{which} != -1 INTERNAL ASSERT FAILED: there is no rule for this dtype")


def sign_undefined(*, quantized: bool) -> RuntimeError:
    """torch c10/core/ScalarType.h, isSignedType."""
    if quantized:
        return RuntimeError("isSignedType not supported for quantized types")
    return RuntimeError("Bits types are undefined")


def limits_not_implemented(what: str, scalar_type: str) -> NotImplementedError:
    """torch csrc/TypeInfo.cpp, by AT_DISPATCH."""
    return NotImplementedError(f"\"{what}\" not implemented for '{scalar_type}'")


def default_without_storage(scalar_type: str) -> TypeError:
    """torch csrc/tensor/python_tensor.cpp, py_set_default_dtype."""
    return TypeError(f"couldn't find storage object {scalar_type}Storage")


def no_complex_type(scalar_type: str) -> RuntimeError:
    """torch c10/core/ScalarType.h, toComplexType."""
    return RuntimeError(f"Unknown Complex ScalarType for {scalar_type}")


def default_dtype_not_a_dtype() -> TypeError:
    """torch csrc/tensor/python_tensor.cpp, py_set_default_dtype."""
    return TypeError(
        "invalid dtype object: only floating-point types are supported as the default type"
    )


def default_dtype_not_floating() -> TypeError:
    """torch csrc/tensor/python_tensor.cpp, set_default_tensor_type."""
    return TypeError("only floating-point types are supported as the default type")


def wrong_argument(
    function: str, name: str, wanted: str, value: Any, position: int = 0
) -> TypeError:
    """torch csrc/utils/python_arg_parser.cpp, FunctionSignature::parse."""
    place = f" (position {position})" if position else ""
    return TypeError(
        f"{function}(): argument '{name}'{place} must be {wanted}, not {type_name(value)}"
    )


def array_dtype_unsupported(dtype: Any) -> TypeError:
    """torch csrc/utils/tensor_numpy.cpp, numpy_dtype_to_aten."""
    name = f"{dtype.type.__module__}.{dtype.type.__name__}"
    return TypeError(
        f"can't convert np.ndarray of type {name}. The only supported types are: float64, "
        "float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, "
        "uint16, uint8, and bool."
    )


def finfo_needs_floating() -> TypeError:
    """torch csrc/TypeInfo.cpp, THPFInfo_pynew."""
    return TypeError(
        "torch.finfo() requires a floating point input type. "
        "Use torch.iinfo to handle 'torch.finfo'"
    )


def iinfo_needs_integer() -> TypeError:
    """torch csrc/TypeInfo.cpp, THPIInfo_pynew."""
    return TypeError(
        "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'"
    )


def iinfo_unsupported(dtype: Any) -> TypeError:
    """torch csrc/TypeInfo.cpp, THPIInfo_pynew."""
    return TypeError(f"{dtype} is not supported by torch.iinfo")


def argument_missing(function: str, name: str) -> TypeError:
    """torch csrc/utils/python_arg_parser.cpp, missing_args."""
    return TypeError(f'{function}() missing 1 required positional arguments: "{name}"')


# ------------------------------------------------------------------- shapes and strides


def size_mismatch(a: int, b: int, dim: int) -> RuntimeError:
    """torch aten/src/ATen/ExpandUtils.cpp, infer_size_impl."""
    return RuntimeError(
        f"The size of tensor a ({a}) must match the size of tensor b ({b}) "
        f"at non-singleton dimension {dim}"
    )


def broadcast_mismatch(size: int, dim: int, argument: int, shape: Any, common: Any) -> RuntimeError:
    """torch _refs/__init__.py, _broadcast_shapes."""
    return RuntimeError(
        f"Attempting to broadcast a dimension of length {size} at {dim}! "
        f"Mismatching argument at index {argument} had {shape}; "
        f"but expected shape should be broadcastable to {list(common)}"
    )


def broadcast_negative() -> ValueError:
    """torch _refs/__init__.py, _broadcast_shapes."""
    return ValueError("Attempting to broadcast a dimension with negative length!")


def reshape_mismatch(shape: Sequence[int], numel: int) -> RuntimeError:
    """torch aten/src/ATen/InferSize.h, infer_size_impl."""
    return RuntimeError(f"shape '{list(shape)}' is invalid for input of size {numel}")


def reshape_infers_twice() -> RuntimeError:
    """torch aten/src/ATen/InferSize.h, infer_size_impl."""
    return RuntimeError("only one dimension can be inferred")


def reshape_negative(size: int, index: int, shape: Sequence[int]) -> RuntimeError:
    """torch aten/src/ATen/InferSize.h, infer_size_impl."""
    return RuntimeError(f"invalid shape dimension {size} at index {index} of shape {list(shape)}")


def reshape_ambiguous(shape: Sequence[int]) -> RuntimeError:
    """torch aten/src/ATen/InferSize.h, infer_size_impl."""
    return RuntimeError(
        f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified "
        "dimension size -1 can be any value and is ambiguous"
    )


def view_incompatible() -> RuntimeError:
    """torch aten/src/ATen/native/TensorShape.cpp, alias_with_sizes_and_strides of view."""
    return RuntimeError(
        "view size is not compatible with input tensor's size and stride (at least one dimension "
        "spans across two contiguous subspaces). Use .reshape(...) instead."
    )


def expand_mismatch(
    wanted: int, size: int, dim: int, target: Sequence[int], shape: Sequence[int]
) -> RuntimeError:
    """torch aten/src/ATen/ExpandUtils.cpp, inferExpandGeometryImpl."""
    return RuntimeError(
        f"The expanded size of the tensor ({wanted}) must match the existing size ({size}) at "
        f"non-singleton dimension {dim}.  Target sizes: {list(target)}.  "
        f"Tensor sizes: {list(shape)}"
    )


def expand_leading(dim: int) -> RuntimeError:
    """torch aten/src/ATen/ExpandUtils.cpp, inferExpandGeometryImpl."""
    return RuntimeError(
        "The expanded size of the tensor (-1) isn't allowed in a leading, "
        f"non-existing dimension {dim}"
    )


def expand_too_few(tensor_type: str, shape: Sequence[int], target: Sequence[int]) -> RuntimeError:
    """torch aten/src/ATen/native/TensorShape.cpp, expand."""
    return RuntimeError(
        f"expand({tensor_type}{{{list(shape)}}}, size={list(target)}): the number of sizes "
        f"provided ({len(target)}) must be greater or equal to the number of dimensions in the "
        f"tensor ({len(shape)})"
    )


def numel_overflow() -> RuntimeError:
    """torch c10/core/TensorImpl.h, safe_compute_numel."""
    return RuntimeError("numel: integer multiplication overflow")


def dimension_out_of_range(dim: int, ndim: int) -> IndexError:
    """torch c10/core/WrapDimMinimal.cpp, maybe_wrap_dim_slow."""
    return IndexError(
        f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {dim})"
    )


def dimension_of_scalar(dim: int) -> IndexError:
    """torch c10/core/WrapDimMinimal.cpp, maybe_wrap_dim_slow."""
    return IndexError(f"Dimension specified as {dim} but tensor has no dimensions")


def dimension_repeated(dim: int) -> RuntimeError:
    """torch aten/src/ATen/WrapDimUtilsMulti.h, dim_list_to_bitset."""
    return RuntimeError(f"dim {dim} appears multiple times in the list of dims")


def size_negative(size: int, shape: Sequence[int]) -> RuntimeError:
    """torch aten/src/ATen/EmptyTensor.cpp, check_size_nonnegative."""
    return RuntimeError(f"Trying to create tensor with negative dimension {size}: {list(shape)}")


def storage_size_overflow(shape: Sequence[int], strides: Sequence[int] | None) -> RuntimeError:
    """torch aten/src/ATen/EmptyTensor.cpp, computeStorageNbytes(Contiguous)."""
    more = "" if strides is None else f" and strides={list(strides)}"
    return RuntimeError(f"Storage size calculation overflowed with sizes={list(shape)}{more}")


def strides_length_mismatch(shape: Sequence[int], strides: Sequence[int]) -> RuntimeError:
    """torch aten/src/ATen/EmptyTensor.cpp, computeStorageNbytes."""
    return RuntimeError(
        f"dimensionality of sizes ({len(shape)}) must match dimensionality of strides "
        f"({len(strides)})"
    )


def channels_last_rank() -> RuntimeError:
    """torch c10/core/TensorImpl.h, empty_tensor_restride."""
    return RuntimeError("required rank 4 tensor to use channels_last format")


def channels_last_3d_rank() -> RuntimeError:
    """torch c10/core/TensorImpl.h, empty_tensor_restride."""
    return RuntimeError("required rank 5 tensor to use channels_last_3d format")
