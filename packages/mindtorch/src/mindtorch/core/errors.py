"""Error texts that are torch's, each with its source, and that more than one place raises."""

from __future__ import annotations

from typing import Any

from mindtorch_storage.dtype import DType, from_numpy
from mindtorch_storage.errors import storage_size_overflow

from . import signature as S
from . import vmap_errors


def raise_if(error: BaseException | None) -> None:
    """Raise *error*, if there is one: for checks that give an error back.

    A frame that holds the error that it raises is in a circle with the error's traceback, and keeps
    what it sees, tensors and their memory, until the garbage collector comes.
    """
    if error is not None:
        try:
            raise error
        finally:
            del error


def scalar_type(dtype: Any) -> str:
    """C++'s name of a dtype: ``Float``, ``Long`` … (c10/core/ScalarType.h, toString).

    Kernels know numpy's dtypes only.
    """
    if not isinstance(dtype, DType):
        dtype = from_numpy(dtype)
    return dtype.scalar_type


_CAFFE_NAMES = {
    "float32": "float",
    "float64": "double",
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "int64": "long int",
    "int32": "int",
    "int16": "short int",
    "int8": "signed char",
    "uint8": "unsigned char",
    "bool": "bool",
    "complex32": "c10::complex<c10::Half>",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
    "uint16": "short unsigned int",
    "uint32": "unsigned int",
    "uint64": "long unsigned int",
}


def c_type_name(dtype: Any) -> str:
    """The C++ type of a dtype's elements (caffe2::TypeMeta::name)."""
    name = dtype.name
    if name in _CAFFE_NAMES:
        return _CAFFE_NAMES[name]
    if "int" in name:  # fewer than eight bits
        kind, bits = name[:-1], name[-1]
        return f"c10::dummy_{kind}1_7_t<{bits}>"
    return f"c10::{name if name.startswith('bits') else dtype.scalar_type}"


def gradient_of_other_dtype(dtype: Any, wanted: Any) -> RuntimeError:
    """torch csrc/autograd/python_variable.cpp, THPVariable_set_grad."""
    return RuntimeError(
        f"attempting to assign a gradient with dtype '{c_type_name(dtype)}' to a tensor with "
        f"grad_dtype '{scalar_type(wanted)}'. The gradient must match the tensor's grad_dtype "
        "(defaults to the tensor's dtype). You can set the tensor's grad_dtype attribute with a "
        "specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging the "
        "dtypes of a tensor and its gradient may break downstream systems that assume they match."
    )


def grad_dtype_of_existing(wanted: Any, dtype: Any) -> RuntimeError:
    """torch csrc/autograd/python_variable.cpp, THPVariable_set_grad_dtype."""
    return RuntimeError(
        f"Cannot set grad_dtype to '{scalar_type(wanted)}' because there is already a gradient "
        f"with dtype '{c_type_name(dtype)}'. Please clear the gradient (.grad = None) before "
        "changing grad_dtype, or ensure the new grad_dtype matches the existing gradient's dtype."
    )


def requires_grad_of_non_leaf(value: bool = False) -> RuntimeError:
    """torch csrc/autograd/utils/error_messages.h, requires_grad_leaf_error."""
    text = "you can only change requires_grad flags of leaf variables."
    if not value:
        text += (
            " If you want to use a computed variable in a subgraph that doesn't require "
            "differentiation use var_no_grad = var.detach()."
        )
    return RuntimeError(text)


def not_differentiable_dtype() -> RuntimeError:
    """torch csrc/autograd/python_variable.cpp, THPVariable_set_requires_grad."""
    return RuntimeError("only Tensors of floating point and complex dtype can require gradients")


def no_complex_gradient(name: str) -> RuntimeError:
    """torch csrc/autograd/VariableTypeUtils.h, throw_error_for_complex_autograd."""
    return RuntimeError(
        f"{name} does not support automatic differentiation for outputs with complex dtype."
    )


def no_history_of(dtype: Any) -> RuntimeError:
    """torch csrc/autograd/functions/utils.h, set_history."""
    return RuntimeError(f"Autograd not support dtype: {scalar_type(dtype)}")


def integers_cannot_require_grad() -> RuntimeError:
    """torch tools/autograd/templates/python_variable_methods.cpp, THPVariable_requires_grad_."""
    return RuntimeError("only Tensors of floating point dtype can require gradients")


def factory_requires_grad() -> RuntimeError:
    """torch c10/core/TensorImpl.cpp, set_requires_grad."""
    return RuntimeError("Only Tensors of floating point and complex dtype can require gradients")


def hook_needs_requires_grad() -> RuntimeError:
    """torch _tensor.py, register_hook."""
    return RuntimeError("cannot register a hook on a tensor that doesn't require gradient")


def inference_in_place() -> RuntimeError:
    """torch csrc/autograd/VariableTypeUtils.h (ADInplaceOrView), of an inference tensor."""
    return RuntimeError(
        "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a "
        "clone to get a normal tensor before doing inplace update.See "
        "https://github.com/pytorch/rfcs/pull/17 for more details."
    )


def inference_saved() -> RuntimeError:
    """torch csrc/autograd/saved_variable.cpp, SavedVariable."""
    return RuntimeError(
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
        "inference mode in computation tracked by autograd. To work around this, you can make a "
        "clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
        "`torch.inference_mode()`."
    )


def inference_version() -> RuntimeError:
    """torch c10/core/TensorImpl.h, VariableVersion::current_version."""
    return RuntimeError("Inference tensors do not track version counter.")


def leaf_in_place() -> RuntimeError:
    """torch csrc/autograd/VariableTypeUtils.h, check_inplace."""
    return RuntimeError(
        "a leaf Variable that requires grad is being used in an in-place operation."
    )


def view_of_leaf_in_place() -> RuntimeError:
    """torch csrc/autograd/VariableTypeUtils.h, check_inplace."""
    return RuntimeError(
        "a view of a leaf Variable that requires grad is being used in an in-place operation."
    )


def _without_backward(node: str) -> str:
    """``SplitBackward0`` → ``Split``, ``SqueezeBackward1`` → ``Squeeze1``."""
    stem, _, number = node.rpartition("Backward")
    return stem if number == "0" else stem + number


def view_in_place(creation: str, indirect: bool, node: str = "", nr: int = 0) -> RuntimeError:
    """torch csrc/autograd/variable.cpp, handle_view_on_rebase.

    :param creation: how the view was made: ``"no_grad"``, ``"inference"``, ``"multi"`` for one that
        an op with several results made, ``"function"`` for one that an ``autograd.Function`` did.
    :param indirect: the view is used after its base was changed, and not itself about to be.
    :param node: the name of the node of the view, empty where it has none, which is result *nr*.
    """
    what = "its base or another view of its base has been" if indirect else "is being"
    view = f"Output {nr} of {_without_backward(node)} is a view"
    if creation in ("inference", "no_grad") or not node:
        begin = f"{view} of a view which was created in" if node else "A view was created in"
        if creation == "inference":
            text = f"{begin} inference mode and {what} modified inplace in normal mode."
        else:
            text = f"{begin} no_grad mode and {what} modified inplace with grad mode enabled."
    else:
        text = f"{view} and {what} modified inplace."
    return RuntimeError(f"{text} {_OF_CREATION[creation]}")


def _moving_both(block: str) -> str:
    return (
        "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify "
        f"your code by moving both the view and the inplace either both inside the {block} block "
        "(if you don't want the inplace to be tracked) or both outside (if you want the inplace "
        "to be tracked)."
    )


_OF_CREATION = {
    "function": "This view was created inside a custom Function (or because an input was returned "
    "as-is) and the autograd logic to handle view+inplace would override the custom backward "
    "associated with the custom Function, leading to incorrect gradients. This behavior is "
    "forbidden. You can fix this by cloning the output of the custom Function.",
    "inference": _moving_both("inference_mode"),
    "multi": "This view is the output of a function that returns multiple views. Such functions do "
    "not allow the output views to be modified inplace. You should replace the inplace operation "
    "by an out-of-place one.",
    "no_grad": _moving_both("no_grad"),
}


def batched_scalar() -> ValueError:
    """torch/_vmap_internals.py, _validate_and_get_batch_size: the vmap of batched gradients."""
    return ValueError(
        "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for some input, but that input is a "
        "Tensor of dimensionality 0 so expected in_dim to satisfy 0 <= in_dim < 0."
    )


def not_as_expected(what: str) -> RuntimeError:
    """torch c10/util/Exception.h, TORCH_CHECK without a text: *what* it checks, shown as it is."""
    return RuntimeError(
        f"Expected {what} to be true, but got false.  (Could this error message be improved?  If "
        "so, please report an enhancement request to PyTorch.)"
    )


def no_quantized_strides() -> RuntimeError:
    """torch aten/src/ATen/native/quantized/TensorFactories.cpp, empty_strided_unknown_quantized."""
    return RuntimeError(
        "empty_strided not supported on quantized tensors yet see "
        "https://github.com/pytorch/pytorch/issues/74540"
    )


def strides_of_channels() -> RuntimeError:
    """torch aten/src/ATen/native/quantized/TensorFactories.cpp: strides of scales of channels."""
    return RuntimeError("Setting strides is possible only on uniformly quantized tensor")


def gradient_complexity() -> RuntimeError:
    """torch csrc/autograd/engine.cpp, validate_outputs_impl: an assertion, shown as it is."""
    return not_as_expected(
        "isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex)"
    )


def in_place_shape(out: tuple[int, ...], broadcast: tuple[int, ...]) -> RuntimeError:
    """torch aten/src/ATen/TensorIterator.cpp, compute_shape / mark_resize_outputs."""
    return RuntimeError(
        f"output with shape {list(out)} doesn't match the broadcast shape {list(broadcast)}"
    )


def cannot_cast(result: Any, to: Any) -> RuntimeError:
    """torch aten/src/ATen/TensorIterator.cpp, compute_types."""
    return RuntimeError(
        f"result type {scalar_type(result)} can't be cast to the desired output type "
        f"{scalar_type(to)}"
    )


def cannot_cast_to(result: Any, to: Any) -> RuntimeError:
    """torch aten/src/ATen/native/TensorCompare.cpp, TORCH_META_FUNC(clamp)."""
    return RuntimeError(
        f"result type {scalar_type(result)} can't be cast to the desired output type "
        f"{c_type_name(to)}"
    )


def bad_in_place(what: str, have: Any, result: Any) -> RuntimeError:
    """torchgen register_dispatch_key.py, check_inplace of structured kernels."""
    return RuntimeError(
        f"Bad in-place call: input tensor {what} {have} and output tensor {what} {result} should "
        "match"
    )


def resize_needs_no_grad() -> RuntimeError:
    """torch csrc/autograd/VariableTypeManual.cpp, resize_."""
    return RuntimeError("cannot resize variables that require grad")


def typed_source_of_other_dtype(dtype: str, given: Any) -> RuntimeError:
    """torch csrc/autograd (generated), set_ with a typed storage."""
    return RuntimeError(
        f"Expected a Storage of type {dtype} or an UntypedStorage, but got type "
        f"{scalar_type(given)} for argument 1 'storage'"
    )


def source_of_other_dtype(dtype: Any, given: Any) -> RuntimeError:
    """torch aten/src/ATen/core/TensorBase / TensorShape.cpp, set_ of a tensor."""
    return RuntimeError(
        f"Could not set tensor of type {c_type_name(given)} to a tensor of type "
        f"{c_type_name(dtype)}"
    )


def source_of_other_device(device: Any, given: Any) -> RuntimeError:
    """torch aten/src/ATen/native/Resize.h, checkSetStorage."""
    return RuntimeError(
        f'Attempted to set the storage of a tensor on device "{device}" to a storage on different '
        f'device "{given}".  This is no longer allowed; the devices must match.'
    )


def source_not_contiguous() -> RuntimeError:
    """torch aten/src/ATen/native/TensorShape.cpp, set_ of a window on a tensor."""
    return RuntimeError("passed in tensor to be used as storage must be contiguous")


def strides_of_other_length(shape: Any, strides: Any) -> RuntimeError:
    """torch aten/src/ATen/native/Resize.h, checkSetStorage."""
    return RuntimeError(f"unequal size length ({len(shape)}) and stride length ({len(strides)})")


def invalid_storage_offset(offset: int) -> RuntimeError:
    """torch aten/src/ATen/native/Resize.h, checkSetStorage."""
    return RuntimeError(f"Tensor: invalid storage offset {offset}")


def window_out_of_bounds(
    shape: Any, strides: Any, offset: int, item: int, needed: int, have: int
) -> RuntimeError:
    """torch aten/src/ATen/native/Resize.h, checkInBoundsForStorage."""
    if needed >= 1 << 63:
        return storage_size_overflow(shape, strides)
    return RuntimeError(
        f"setStorage: sizes {list(shape)}, strides {list(strides)}, storage offset {offset}, and "
        f"itemsize {item} requiring a storage size of {needed} are out of bounds for storage of "
        f"size {have}"
    )


def out_needs_no_grad(name: str) -> RuntimeError:
    """torch csrc/autograd/VariableTypeUtils.h, throw_error_out_requires_grad."""
    return RuntimeError(
        f"{name}(): functions with out=... arguments don't support automatic differentiation, "
        "but one of the arguments requires grad."
    )


def expected_scalar_type(want: Any, found: Any) -> RuntimeError:
    """torch aten/src/ATen/templates/TensorMethods.cpp, check_type."""
    return RuntimeError(f"expected scalar type {scalar_type(want)} but found {scalar_type(found)}")


def several_changed_views() -> RuntimeError:
    """torch csrc/autograd/variable.cpp, rebase_history."""
    return RuntimeError("Functions which modify views in-place must return a single Variable")


def index_put_dtypes(to: str, dtype: str) -> RuntimeError:
    """torch aten/src/ATen/native/TensorAdvancedIndexing.cpp, make_index_put_iterator."""
    return RuntimeError(
        "Index put requires the source and destination dtypes match, "
        f"got {to} for the destination and {dtype} for the source."
    )


def indices_elsewhere(device: Any) -> RuntimeError:
    """torch aten/src/ATen/native/TensorAdvancedIndexing.cpp."""
    return RuntimeError(
        f"indices should be either on cpu or on the same device as the indexed tensor ({device})"
    )


def values_elsewhere(device: Any, got: Any) -> RuntimeError:
    """torch aten/src/ATen/native/TensorAdvancedIndexing.cpp, _index_put_impl_."""
    return RuntimeError(f"expected device {device} but got device {got} for value tensor")


def devices_differ(first: Any, other: Any) -> RuntimeError:
    """torch aten/src/ATen/TensorIterator.cpp, compute_types; structured kernels' common device."""
    return RuntimeError(
        "Expected all tensors to be on the same device, but found at least two devices, "
        f"{first} and {other}!"
    )


def argument_elsewhere(name: str, device: Any, expected: Any, method: str) -> RuntimeError:
    """c10/core/impl (common_device_check_failure), asked by wrappers made for an accelerator."""
    backend = (device if expected.type == "cpu" else expected).type.upper()
    return RuntimeError(
        f"Expected all tensors to be on the same device, but got {name} is on {device}, different "
        f"from other tensors on {expected} (when checking argument in method "
        f"wrapper_{backend}_{method})"
    )


def out_dtype(result: Any, to: Any) -> RuntimeError:
    """torchgen register_dispatch_key.py, resize_out of structured kernels."""
    return RuntimeError(
        f"Expected out tensor to have dtype {c_type_name(result)}, but got {c_type_name(to)} "
        "instead"
    )


def out_device(device: Any, to: Any) -> RuntimeError:
    """torchgen register_dispatch_key.py, resize_out of structured kernels."""
    return RuntimeError(f"Expected out tensor to have device {device}, but got {to} instead")


def out_same_dtype(out: Any, result: Any) -> RuntimeError:
    """torch aten/src/ATen/TensorIterator.cpp, compute_types (check_all_same_dtype)."""
    return RuntimeError(f"Found dtype {scalar_type(out)} but expected {scalar_type(result)}")


def not_implemented_for(kernel: str, dtype: Any) -> NotImplementedError:
    """torch aten/src/ATen/Dispatch.h, AT_DISPATCH_SWITCH's default case."""
    return NotImplementedError(f"\"{kernel}\" not implemented for '{scalar_type(dtype)}'")


def all_refused(name: str, method: str, types: Any, mode: Any) -> TypeError:
    """torch/csrc/utils/python_arg_parser.cpp, handle_torch_function_no_python_arg_parser."""
    lines = "" if mode is None else f"  - mode object {mode!r}\n"
    lines += "".join(f"  - tensor subclass {t!r}\n" for t in types)
    return TypeError(
        f"Multiple dispatch failed for '{name}'; all {method} handlers returned NotImplemented:"
        f"\n\n{lines}\nFor more information, try re-running with TORCH_LOGS=not_implemented"
    )


def no_data() -> RuntimeError:
    """A sample of a batch has no memory of its own."""
    return RuntimeError(vmap_errors.NO_DATA)


def no_data_pointer() -> RuntimeError:
    """A sparse tensor has no memory in which its elements lie."""
    return RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")


def no_item(sig: int, truth: bool = False) -> RuntimeError:
    """A meta tensor has no number in it, and a sample of a batch has many."""
    if sig & S.BATCHED:
        return RuntimeError(vmap_errors.CONTROL_FLOW if truth else vmap_errors.ITEM)
    return RuntimeError("Tensor.item() cannot be called on meta tensors")


def no_numbers(name: str) -> RuntimeError:
    """Our own text: dry mode has no numbers from which a shape could follow."""
    return RuntimeError(
        f"{name}: the shape of the result depends on numbers, and dry mode computes none"
    )


class LinAlgError(RuntimeError):
    """What linear algebra raises for matrices it cannot factor: ``torch.linalg.LinAlgError``."""


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"
LinAlgError.__module__ = "mindtorch._C"


def no_method_of(name: str, value: object) -> TypeError:
    """CPython's text for a method of a C class that is called on something else."""
    return TypeError(
        f"descriptor '{name}' for 'torch._C.TensorBase' objects doesn't apply to a "
        f"'{type(value).__name__}' object"
    )
