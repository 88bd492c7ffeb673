"""Texts about storages that torch has too: one function per text, with its source.

All are plain builtin exceptions, as in torch:

* ``RuntimeError`` - most of them
* ``TypeError``, ``ValueError`` - arguments of a wrong type, or that do not fit
* ``IndexError`` - elements that are not there
* ``NotImplementedError`` - meta storages have no data
* ``AssertionError`` - devices that are not there
* ``KeyError`` - names in checkpoints that stand for nothing
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .arguments import argument_types, type_name


def storage_arguments(args: Sequence[Any], kwargs: dict[str, Any]) -> TypeError:
    """torch csrc/utils/invalid_arguments.cpp, for THPStorage_pynew's three forms."""
    return TypeError(
        "torch.UntypedStorage() received an invalid combination of arguments - got "
        f"({argument_types(args, kwargs)}), but expected one of:\n"
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
        f"({type_name(sequence)}), but one of the items was of type {type_name(item)} "
        "instead of int"
    )


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


def no_memory() -> RuntimeError:
    """torch c10/core/TensorImpl.h, data_impl: a tensor that has shape but was given no storage."""
    return RuntimeError(
        "The tensor has a non-zero number of elements, but its data is not allocated yet.\n"
        "If you're using torch.compile/export/fx, it is likely that we are erroneously tracing "
        "into a custom kernel. To fix this, please wrap the custom kernel into an opaque custom "
        "op. Please see the following for details: "
        "https://pytorch.org/tutorials/advanced/custom_ops_landing_page.html\n"
        "If you're using Caffe2, Caffe2 uses a lazy allocation, so you will need to call "
        "mutable_data() or raw_mutable_data() to actually allocate memory."
    )


def invalid_storage(method: str = "") -> RuntimeError:
    """torch csrc/StorageMethods.cpp: the storage of a tensor that was given no memory."""
    what = f"call {method}()" if method else "access the data pointer"
    return RuntimeError(f"Attempted to {what} on an invalid python storage.")


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
    return f"can't index a torch.UntypedStorage with {type_name(index)}"


def storage_step(step: int) -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage_get."""
    return RuntimeError(f"Trying to slice with a step of {step}, but only a step of 1 is supported")


def storage_value_not_int(value: Any) -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage_set."""
    return RuntimeError(
        f"can only set storage content with a int types, but got {type_name(value)} instead"
    )


def fill_not_int(value: Any) -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage_fill_."""
    return RuntimeError(f"fill_ expects int, but got {type_name(value)}")


def resize_not_int(value: Any) -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage_resize_."""
    return RuntimeError(f"resize_ expects an int, but got {type_name(value)}")


def not_resizable() -> RuntimeError:
    """torch aten/src/ATen/native/Resize.cpp, resize_bytes_cpu."""
    return RuntimeError("Trying to resize storage that is not resizable")


def lazy_copy_refused() -> RuntimeError:
    """torch c10/core/impl/COW.cpp: the memory has a deleter of its own."""
    return RuntimeError(
        "Expected storage != nullptr to be true, but got false.  (Could this error message be "
        "improved?  If so, please report an enhancement request to PyTorch.)"
    )


def copy_source_type(value: Any) -> TypeError:
    """torch csrc/StorageMethods.cpp, THPStorage_copy_."""
    return TypeError(
        f"copy_(): argument 'src' (position 1) must be torch.Storage, not {type_name(value)}"
    )


def copy_size_mismatch(nbytes: int, source: int) -> RuntimeError:
    """torch aten/src/ATen/StorageUtils.cpp, storage_copy."""
    return RuntimeError(f"size does not match, self was {nbytes} bytes but src was {source} bytes")


def pin_device_deprecated(name: str) -> str:
    """torch aten/src/ATen/native/Memory.cpp, is_pinned and pin_memory: a warning."""
    return (
        f"The argument 'device' of Tensor.{name}() is deprecated. Please do not pass this argument."
    )


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


def shared_memory_unopenable(name: str, error: OSError) -> RuntimeError:
    """torch aten/src/ATen/MapAllocator.cpp, MapAllocator."""
    return RuntimeError(
        f"unable to open shared memory object <{name}> in read-write mode: "
        f"{error.strerror} ({error.errno})"
    )


def shared_memory_not_resized(name: str, error: OSError) -> RuntimeError:
    """torch aten/src/ATen/MapAllocator.cpp, MapAllocator."""
    return RuntimeError(
        f"unable to resize file <{name}> to the right size: {error.strerror} ({error.errno})"
    )


def descriptor_not_duplicated() -> RuntimeError:
    """torch csrc/StorageSharing.cpp, THPStorage_newSharedFd."""
    return RuntimeError("could not duplicate a shared memory file descriptor")


def no_shared_descriptor() -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage_getSharedFd."""
    return RuntimeError("couldn't retrieve a shared file descriptor")


def file_of_other_length(expected: int, length: int) -> RuntimeError:
    """torch csrc/serialization.cpp, THPStorage_readFileRaw, whose format was never filled in."""
    return RuntimeError(f"storage has wrong byte size: expected %ld got %ld{expected}{length}")


def byteswap_size_not_int() -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage__byteswap."""
    return RuntimeError("_byteswap(): arg must be an 'int'")


def byteswap_size_unknown() -> RuntimeError:
    """torch csrc/StorageMethods.cpp, THPStorage__byteswap."""
    return RuntimeError("elem_size must be 1, 2, 4, or 8")


def cuda_not_available() -> RuntimeError:
    """torch csrc/StorageSharing.cpp, the methods for CUDA."""
    return RuntimeError("CUDA is not available")


def sharing_elsewhere(method: str) -> RuntimeError:
    """torch csrc/StorageSharing.cpp, THPStorage_shareFd and shareFilename."""
    return RuntimeError(f"{method}: only available on CPU")


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


def not_of_accelerators(what: str, kind: str) -> RuntimeError:
    """torch/cuda/__init__.py, _CudaLegacyStorage."""
    return RuntimeError(f"{what}: Not available for {kind.upper()} storage")


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
