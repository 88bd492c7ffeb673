"""Every text of this package that torch has too: one function per text, with its source.

All are plain builtin exceptions, as in torch:

* ``RuntimeError`` - devices, shapes, promotion, storages
* ``TypeError`` - arguments of a wrong type
* ``IndexError`` - dimensions and offsets out of range
* ``ValueError`` - integers that do not fit
* ``AttributeError`` - attributes that cannot be written
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .arguments import argument_name, type_name


def _given(args: Sequence[Any], kwargs: dict[str, Any]) -> str:
    """The arguments of a call by type, as torch csrc/utils/invalid_arguments.cpp lists them."""
    words = [type_name(a) for a in args]
    words += [f"{k}={type_name(kwargs[k])}" for k in sorted(kwargs)]
    return ", ".join(words) + (", " if kwargs and not args else "")


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
    given = _given(args, kwargs)
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


def dtype_argument(function: str, name: str, position: int, value: Any) -> TypeError:
    """torch csrc/utils/python_arg_parser.cpp, FunctionSignature::parse."""
    return TypeError(
        f"{function}(): argument '{name}' (position {position}) must be torch.dtype, "
        f"not {type_name(value)}"
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


# ------------------------------------------------------------------------------ storages


def storage_arguments(args: Sequence[Any], kwargs: dict[str, Any]) -> TypeError:
    """torch csrc/utils/invalid_arguments.cpp, for THPStorage_pynew's three forms."""
    return TypeError(
        "torch.UntypedStorage() received an invalid combination of arguments - got "
        f"({_given(args, kwargs)}), but expected one of:\n"
        " * (*, int allocator = None, torch.device device = None)\n"
        " * (int size, *, int allocator = None, torch.device device = None)\n"
        " * (object sequence, *, int allocator = None, torch.device device = None)\n"
    )


def storage_not_a_sequence(value: Any) -> RuntimeError:
    """torch csrc/Storage.cpp, THPStorage_pynew."""
    return RuntimeError(
        f"torch.UntypedStorage(): Expected a sequence type, but got {type_name(value)}"
    )


def storage_item_not_int(sequence: Any, item: Any) -> RuntimeError:
    """torch csrc/Storage.cpp, THPStorage_pynew."""
    return RuntimeError(
        "torch.UntypedStorage(): tried to construct a storage from a sequence "
        f"({_tp_name(sequence)}), but one of the items was of type {_tp_name(item)} instead of int"
    )


def _tp_name(value: Any) -> str:
    return getattr(type(value), "torch_name", type(value).__name__)


def storage_device_unknown(device_type: str) -> RuntimeError:
    """torch csrc/Storage.cpp, THPStorage_pynew."""
    return RuntimeError(f"torch.UntypedStorage(): Storage device not recognized: {device_type}")


def device_not_compiled(device_type: str) -> AssertionError:
    """torch/cuda/__init__.py, torch/xpu/__init__.py, _lazy_init."""
    return AssertionError(f"Torch not compiled with {device_type.upper()} enabled")


def device_module_missing(device_type: str) -> AssertionError:
    """torch/_utils.py, _to."""
    return AssertionError(f"{device_type.upper()} device module is not loaded")


def allocation_negative(nbytes: int) -> RuntimeError:
    """torch c10/core/impl/alloc_cpu.cpp, alloc_cpu."""
    return RuntimeError(
        "[enforce fail at alloc_cpu.cpp:98] ((ptrdiff_t)nbytes) >= 0. alloc_cpu() seems to have "
        f"been called with negative number: {nbytes % 2**64}"
    )


def allocation_failed(nbytes: int) -> RuntimeError:
    """torch c10/core/impl/alloc_cpu.cpp, alloc_cpu."""
    return RuntimeError(
        "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory:"
        f" you tried to allocate {nbytes} bytes. Error code 12 (Cannot allocate memory)"
    )


def not_available_for_meta() -> NotImplementedError:
    """torch/storage.py, UntypedStorage.__getitem__."""
    return NotImplementedError("Not available for 'meta' device type")


def copy_out_of_meta() -> NotImplementedError:
    """torch aten/src/ATen/native/Copy.cpp, copy_impl."""
    return NotImplementedError("Cannot copy out of meta tensor; no data!")


def storage_index_out_of_range(index: int, size: int) -> IndexError:
    """torch csrc/StorageMethods.cpp, THPStorage_get; torch/storage.py, _maybe_wrap_index."""
    return IndexError(f"index {index} out of range for storage of size {size}")


def storage_index_out_of_bounds() -> RuntimeError:
    """torch csrc/StorageMethods.h, storage_set."""
    return RuntimeError("out of bounds")


def storage_index_type(index: Any) -> str:
    """torch csrc/StorageMethods.cpp: a TypeError on reading, a RuntimeError on writing."""
    return f"can't index a torch.UntypedStorage with {_tp_name(index)}"


def storage_step(step: int) -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage_get."""
    return RuntimeError(f"Trying to slice with a step of {step}, but only a step of 1 is supported")


def storage_value_not_int(value: Any) -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage_set."""
    return RuntimeError(
        f"can only set storage content with a int types, but got {_tp_name(value)} instead"
    )


def fill_not_int(value: Any) -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage_fill_."""
    return RuntimeError(f"fill_ expects int, but got {_tp_name(value)}")


def resize_not_int(value: Any) -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage_resize_."""
    return RuntimeError(f"resize_ expects an int, but got {_tp_name(value)}")


def not_resizable() -> RuntimeError:
    """torch aten/src/ATen/native/Resize.cpp, resize_bytes_cpu."""
    return RuntimeError("Trying to resize storage that is not resizable")


def copy_source_type(value: Any) -> TypeError:
    """torch csrc/StorageMethods.cpp, THPStorage_copy_."""
    return TypeError(
        f"copy_(): argument 'src' (position 1) must be torch.Storage, not {type_name(value)}"
    )


def copy_size_mismatch(nbytes: int, source: int) -> RuntimeError:
    """torch aten/src/ATen/StorageUtils.cpp, storage_copy."""
    return RuntimeError(f"size does not match, self was {nbytes} bytes but src was {source} bytes")


def accelerator_missing() -> RuntimeError:
    """torch aten/src/ATen/DeviceAccelerator.cpp, getAccelerator."""
    return RuntimeError("Cannot access accelerator device when none is available.")


def accelerator_not_one(device_type: str) -> RuntimeError:
    """torch aten/src/ATen/native/Memory.cpp, pin_memory."""
    return RuntimeError(f"{device_type.upper()} device type not an accelerator.")


def pin_not_host(storage_type: str) -> TypeError:
    """torch/storage.py, pin_memory."""
    return TypeError(f"cannot pin '{storage_type}' only CPU memory can be pinned")


def not_a_dtype(value: Any) -> RuntimeError:
    """torch csrc/Module.cpp, THPModule_elementSize."""
    return RuntimeError(f"expected torch.dtype, but got {type(value)}")


def byteswap_length(element_size: int) -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage_byteswap."""
    return RuntimeError(f"the length of data is not a multiple of {element_size}")


def buffer_byte_order_missing() -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage_fromBuffer."""
    return RuntimeError("function missing required argument 'byte_order' (pos 2)")


def buffer_byte_order_invalid(byte_order: str) -> ValueError:
    """torch csrc/StorageMethods.cpp, THPStorage_fromBuffer."""
    return ValueError(f"invalid byte_order '{byte_order}' (expected 'big', 'little', or 'native')")


def buffer_dtype_missing() -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage_fromBuffer."""
    return RuntimeError("argument 'dtype' cannot be None")


def buffer_dtype_invalid() -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage_fromBuffer."""
    return RuntimeError("argument 'dtype' must be of type torch.dtype")


def buffer_dtype_unknown(scalar_type: str) -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage_fromBuffer."""
    return RuntimeError(f"Unknown type: {scalar_type}")


def buffer_offset(offset: int, length: int) -> ValueError:
    """torch csrc/StorageMethods.cpp, THPStorage_fromBuffer (its two numbers are swapped)."""
    return ValueError(
        f"offset must be non-negative and no greater than buffer length ({offset}) , "
        f"but got {length}"
    )


def buffer_not_a_multiple(length: int, element_size: int) -> ValueError:
    """torch csrc/StorageMethods.cpp, THPStorage_fromBuffer."""
    return ValueError(f"buffer size ({length}) must be a multiple of element size ({element_size})")


def buffer_too_short(available: int, offset: int, count: int) -> ValueError:
    """torch csrc/StorageMethods.cpp, THPStorage_fromBuffer."""
    return ValueError(
        f"buffer has only {available} elements after offset {offset}, "
        f"but specified a size of {count}"
    )


def file_unopenable(path: str, mode: str, error: OSError) -> RuntimeError:
    """torch aten/src/ATen/MapAllocator.cpp, MapAllocator."""
    return RuntimeError(
        f"unable to open file <{path}> in {mode} mode: {error.strerror} ({error.errno})"
    )


def file_too_small(path: str, size: int, nbytes: int) -> RuntimeError:
    """torch aten/src/ATen/MapAllocator.cpp, MapAllocator."""
    return RuntimeError(
        f"file <{path}> size <{size}> is smaller than the required mapping size <{nbytes}>"
    )


def file_unmappable(path: str, nbytes: int, reason: str) -> RuntimeError:
    """torch aten/src/ATen/MapAllocator.cpp, MapAllocator."""
    return RuntimeError(f"unable to mmap {nbytes} bytes from file <{path}>: {reason}")


# ------------------------------------------------------------------------ typed storages


def typed_arguments(more: str) -> str:
    """torch/storage.py, TypedStorage.__init__, arg_error_msg."""
    return (
        "TypedStorage.__init__ received an invalid combination of arguments. Expected one of:\n"
        " * (*, torch.device device, torch.dtype dtype)\n"
        " * (int size, *, torch.device device, torch.dtype dtype)\n"
        " * (Sequence data, *, torch.device device, torch.dtype dtype)\n"
        f" * (*, UntypedStorage wrap_storage, torch.dtype dtype)\n{more}"
    )


def legacy_arguments(cls: type, more: str) -> str:
    """torch/storage.py, TypedStorage.__new__, arg_error_msg."""
    return (
        f"{cls}.__new__ received an invalid combination of arguments. Expected one of:\n"
        " * no arguments\n"
        " * (int size)\n"
        " * (Sequence data)\n"
        f" * (*, UntypedStorage wrap_storage)\n{more}"
    )


def legacy_base() -> RuntimeError:
    """torch/storage.py, TypedStorage.__new__."""
    return RuntimeError("Only child classes of _LegacyStorage can be instantiated")


def typed_index_type(storage: Any, index: Any) -> str:
    """torch/storage.py, _getitem, _setitem and _maybe_wrap_index."""
    return f"can't index a {type(storage)} with {type(index)}"


def typed_slice() -> RuntimeError:
    """torch/storage.py, TypedStorage._getitem."""
    return RuntimeError("slices are only supported in UntypedStorage.__getitem__")


def typed_value_is_storage(value: Any) -> RuntimeError:
    """torch/storage.py, TypedStorage._setitem."""
    return RuntimeError(f"cannot set item with value type {type(value)}")


def tensor_index_out_of_bounds(index: int, size: int) -> IndexError:
    """torch csrc/autograd/python_variable_indexing.cpp, through TypedStorage._setitem."""
    return IndexError(f"index {index} is out of bounds for dimension 0 with size {size}")


def slice_step_not_positive() -> ValueError:
    """torch csrc/autograd/python_variable_indexing.cpp, through TypedStorage._setitem."""
    return ValueError("step must be greater than zero")


def cannot_assign(value: Any, tensor_type: str) -> TypeError:
    """torch csrc/autograd/python_variable_indexing.cpp, valueToTensor."""
    return TypeError(f"can't assign a {type_name(value)} to a {tensor_type}")


def value_overflow(type_in_text: str) -> RuntimeError:
    """torch c10/util/TypeCast.cpp, report_overflow."""
    return RuntimeError(f"value cannot be converted to type {type_in_text} without overflow")


def sequence_of_type(value: Any) -> TypeError:
    """torch csrc/utils/tensor_new.cpp, internal_new_from_data."""
    return TypeError(f"new(): invalid data type '{type_name(value)}'")


def sequence_item_type(value: Any) -> ValueError:
    """torch csrc/utils/tensor_new.cpp, compute_sizes."""
    return ValueError(f"too many dimensions '{type_name(value)}'")


def sequence_ragged(expected: int, dim: int, got: int) -> ValueError:
    """torch csrc/utils/tensor_new.cpp, recursive_store."""
    return ValueError(f"expected sequence of length {expected} at dim {dim} (got {got})")


def not_a_real_number(value: Any) -> TypeError:
    """CPython Objects/floatobject.c, PyFloat_AsDouble."""
    return TypeError(f"must be real number, not {type_name(value)}")


def not_an_integer(value: Any) -> TypeError:
    """CPython Objects/abstract.c, PyNumber_Index."""
    return TypeError(f"'{type_name(value)}' object cannot be interpreted as an integer")


def cast_target_type(value: Any) -> TypeError:
    """torch/storage.py, _to."""
    return TypeError(f"Argument 'dtype' must be torch.dtype, not {type(value)}")


def pickle_type_unknown(dtype: Any) -> KeyError:
    """torch/storage.py, TypedStorage._pickle_storage_type."""
    return KeyError(f"dtype {dtype} is not recognized")


def pickle_name_unknown(name: str) -> KeyError:
    """torch/storage.py, _get_dtype_from_pickle_storage_type."""
    return KeyError(f'pickle storage type "{name}" is not recognized')


def from_buffer_keyword(name: str) -> RuntimeError:
    """torch/storage.py, TypedStorage._from_buffer."""
    return RuntimeError(
        f"from_buffer: '{name}' can only be specified in "
        "UntypedStorage.from_buffer and TypedStorage.from_buffer"
    )


def from_buffer_device(device_type: str) -> RuntimeError:
    """torch/storage.py, TypedStorage._from_buffer."""
    return RuntimeError(f"TypedStorage.from_buffer: Not available for device {device_type}")


def from_file_needs_dtype() -> RuntimeError:
    """torch/storage.py, TypedStorage.from_file."""
    return RuntimeError("from_file can only be called on derived classes")
