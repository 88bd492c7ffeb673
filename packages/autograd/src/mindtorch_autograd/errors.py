"""Every message of this package that torch words too: one function each, with its source.

All exceptions are torch's own types: ``RuntimeError`` (most), ``TypeError`` (a hook or an unpack
returned something that is no value), ``ValueError`` (contradictory arguments). Callers raise;
these functions only build.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "allow_unused_conflict",
    "backward_twice",
    "callback_outside_backward",
    "deprecated_variables_conflict",
    "dirty_leaf",
    "dirty_not_value",
    "does_not_require_grad",
    "empty_inputs",
    "enter_inference_grad",
    "grad_dtype_mismatch",
    "grad_none_with_size",
    "grad_shape_mismatch",
    "grad_wrong_type",
    "hook_count",
    "hook_not_tuple",
    "hook_not_value",
    "hook_on_constant",
    "hook_replaces_none",
    "hook_result_differs",
    "hooks_wrong_state",
    "input_not_required",
    "input_type",
    "input_unused",
    "invalid_gradient",
    "legacy_function",
    "modified_in_place",
    "nan_output",
    "node_argument_count",
    "not_real",
    "not_scalar",
    "once_differentiable_twice",
    "output_not_value",
    "pack_modified_input",
    "post_accumulate_on_result",
    "retain_on_constant",
    "root_count",
    "saved_not_value",
    "unpack_not_value",
    "wrong_gradient_count",
]


def backward_twice() -> RuntimeError:
    """torch csrc/autograd/saved_variable.cpp, ERR_BACKWARD_TWICE."""
    return RuntimeError(
        "Trying to backward through the graph a second time (or directly access saved tensors "
        "after they have already been freed). Saved intermediate values of the graph are freed "
        "when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to "
        "backward through the graph a second time or if you need to access saved tensors after "
        "calling backward."
    )


def modified_in_place(
    described: str, output_of: tuple[int, str] | None, version: int, expected: int, anomaly: bool
) -> RuntimeError:
    """torch csrc/autograd/saved_variable.cpp, SavedVariable::unpack."""
    what = f"[{described}]"
    if output_of is not None:
        what += f", which is output {output_of[0]} of {output_of[1]},"
    if anomaly:
        hint = (
            "the backtrace further above shows the operation that failed to compute its gradient. "
            "The variable in question was changed in there or anywhere later. Good luck!"
        )
    else:
        hint = (
            "enable anomaly detection to find the operation that failed to compute its gradient, "
            "with torch.autograd.set_detect_anomaly(True, check_nan=False)."
        )
    return RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: {what} is at version {version}; expected version {expected} instead. "
        f"Hint: {hint}"
    )


def pack_modified_input() -> RuntimeError:
    """torch csrc/autograd/saved_variable.cpp, SavedVariable::set_hooks_and_pack_data."""
    return RuntimeError(
        "A saved tensor pack hook is modifying its input in place. Tensors provided as input to "
        "pack hook cannot be modified by in-place operations as this can lead to unexpected "
        "side-effects. Please open an issue if you need to perform in-place operations on the "
        "input to a pack hook."
    )


def unpack_not_value(result: Any) -> TypeError:
    """torch csrc/autograd/python_saved_variable_hooks.cpp, PySavedVariableHooks::call_unpack_hook."""
    return TypeError(
        "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
        f"{type(result).__name__}"
    )


def does_not_require_grad(index: int) -> RuntimeError:
    """torch csrc/autograd/python_engine.cpp, THPEngine_run_backward."""
    return RuntimeError(
        f"element {index} of tensors does not require grad and does not have a grad_fn"
    )


def not_scalar() -> RuntimeError:
    """torch autograd/__init__.py, _make_grads."""
    return RuntimeError("grad can be implicitly created only for scalar outputs")


def not_real(dtype: Any) -> RuntimeError:
    """torch autograd/__init__.py, _make_grads."""
    return RuntimeError(
        f"grad can be implicitly created only for real scalar outputs but got {dtype}"
    )


def grad_shape_mismatch(index: int, grad_shape: Any, output_shape: Any) -> RuntimeError:
    """torch autograd/__init__.py, _make_grads; *index* is that of the pair (torch always says 0)."""
    return RuntimeError(
        f"Mismatch in shape: grad_output[{index}] has a shape of {grad_shape} and "
        f"output[{index}] has a shape of {output_shape}."
    )


def grad_dtype_mismatch(index: int, grad_dtype: Any, output_dtype: Any) -> RuntimeError:
    """torch autograd/__init__.py, _make_grads."""
    return RuntimeError(
        "For complex Tensors, both grad_output and output are required to have the same dtype. "
        f"Mismatch in dtype: grad_output[{index}] has a dtype of {grad_dtype} and "
        f"output[{index}] has a dtype of {output_dtype}."
    )


def grad_wrong_type(kind: str) -> TypeError:
    """torch autograd/__init__.py, _make_grads."""
    return TypeError(f"gradients can be either Tensors or None, but got {kind}")


def root_count(tensors: int, grads: int) -> RuntimeError:
    """torch csrc/autograd/python_engine.cpp, THPEngine_run_backward."""
    return RuntimeError(f"got {tensors} tensors and {grads} gradients")


def empty_inputs(function: str) -> RuntimeError:
    """torch autograd/__init__.py, backward and grad."""
    return RuntimeError(f"`inputs` argument to `{function}()` cannot be empty.")


def input_type(kind: str) -> RuntimeError:
    """torch csrc/autograd/python_engine.cpp, THPEngine_run_backward."""
    return RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {kind}")


def input_not_required() -> RuntimeError:
    """torch csrc/autograd/python_engine.cpp, THPEngine_run_backward."""
    return RuntimeError("One of the differentiated Tensors does not require grad")


def input_unused(index: int) -> RuntimeError:
    """torch csrc/autograd/python_engine.cpp, THPEngine_run_backward."""
    return RuntimeError(
        f"The differentiated Tensor at index {index} appears to not have been used in the graph. "
        "Set allow_unused=True if this is the desired behavior."
    )


def allow_unused_conflict(allow_unused: Any) -> ValueError:
    """torch autograd/__init__.py, grad."""
    return ValueError(
        "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
        f"allow_unused={allow_unused}."
    )


def deprecated_variables_conflict() -> RuntimeError:
    """torch autograd/__init__.py, backward."""
    return RuntimeError(
        "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. "
        "Please only use `grad_tensors`."
    )


def invalid_gradient(node: str, index: int, got: Any, want: Any) -> RuntimeError:
    """torch csrc/autograd/engine.cpp, validate_outputs; shapes as lists: ``[2, 3]``."""
    return RuntimeError(
        f"Function {node} returned an invalid gradient at index {index} - got {got} but expected "
        f"shape compatible with {want}"
    )


def wrong_gradient_count(node: str, expected: int, got: int) -> RuntimeError:
    """torch csrc/autograd/python_function.cpp, PyNode::apply."""
    return RuntimeError(
        f"function {node} returned an incorrect number of gradients "
        f"(expected {expected}, got {got})"
    )


def node_argument_count(expected: int, got: int) -> TypeError:
    """torch csrc/autograd/python_cpp_function.cpp, THPCppFunction_call."""
    return TypeError(f"expected {expected} arguments, got {got} instead")


def hook_on_constant() -> RuntimeError:
    """torch _tensor.py, Tensor.register_hook."""
    return RuntimeError("cannot register a hook on a tensor that doesn't require gradient")


def post_accumulate_on_result() -> RuntimeError:
    """torch _tensor.py, Tensor.register_post_accumulate_grad_hook."""
    return RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")


def retain_on_constant() -> RuntimeError:
    """torch csrc/autograd/variable.cpp, VariableHooks::retain_grad."""
    return RuntimeError("can't retain_grad on Tensor that has requires_grad=False")


def hook_not_value(result: Any) -> TypeError:
    """torch csrc/autograd/python_hook.cpp, check_single_result."""
    return TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")


def hook_not_tuple(result: Any) -> TypeError:
    """torch csrc/autograd/python_hook.cpp, ensure_tuple."""
    return TypeError(f"expected tuple, but hook returned '{type(result).__name__}'")


def hook_replaces_none() -> RuntimeError:
    """torch csrc/autograd/python_hook.cpp, check_single_result."""
    return RuntimeError("can't replace a None gradient with a non-None value")


def hook_count(hook: str, got: int, expected: int) -> RuntimeError:
    """torch csrc/autograd/python_hook.cpp, check_result."""
    return RuntimeError(
        f"hook '{hook}' has returned an incorrect number of values "
        f"(got {got}, but expected {expected})"
    )


def hook_result_differs(hook: str, difference: str) -> RuntimeError:
    """torch csrc/autograd/python_hook.cpp → variable.cpp, check_variable_result.

    *difference* is ``size of value``, ``type of value (was A got B)`` or ``device of value``.
    """
    return RuntimeError(f"hook '{hook}' has changed the {difference}")


def callback_outside_backward() -> RuntimeError:
    """torch csrc/autograd/engine.cpp, Engine::queue_callback."""
    return RuntimeError("Final callbacks can only be installed during backward pass.")


def nan_output(node: str, index: int) -> RuntimeError:
    """torch csrc/autograd/engine.cpp, evaluate_function."""
    return RuntimeError(f"Function '{node}' returned nan values in its {index}th output.")
