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
    "dirty_view_among_results",
    "does_not_require_grad",
    "edge_of_constant",
    "empty_inputs",
    "grad_dtype_mismatch",
    "grad_mode_type",
    "grad_shape_mismatch",
    "grad_wrong_type",
    "hook_count",
    "hook_not_tuple",
    "hook_not_value",
    "hook_on_constant",
    "hook_replaces_none",
    "hook_result_differs",
    "hooks_not_callable",
    "hooks_on_freed",
    "hooks_on_none",
    "hooks_set_already",
    "input_not_required",
    "input_type",
    "input_unused",
    "invalid_gradient",
    "leaf_in_place",
    "modified_in_place",
    "multi_grad_mode",
    "nan_output",
    "node_argument_count",
    "not_a_value",
    "not_real",
    "not_scalar",
    "pack_modified_input",
    "post_accumulate_on_result",
    "retain_on_constant",
    "root_count",
    "saved_detached",
    "unpack_not_value",
]

#: The warnings that were given, of those that are given once in a process. Who joins packages may
#: put in another set, which forgets.
said: set[str] = set()


def backward_twice() -> RuntimeError:
    """torch csrc/autograd/saved_variable.cpp, ERR_BACKWARD_TWICE."""
    return RuntimeError(
        "Trying to backward through the graph a second time (or directly access saved tensors "
        "after they have already been freed). Saved intermediate values of the graph are freed "
        "when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to "
        "backward through the graph a second time or if you need to access saved tensors after "
        "calling backward."
    )


def saved_detached() -> RuntimeError:
    """torch csrc/autograd/saved_variable.cpp, SavedVariable::unpack."""
    return RuntimeError(
        "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_()."
        "This is not supported, please use out-of-place `.detach()` instead"
    )


def modified_in_place(
    described: str,
    output_of: tuple[str, int] | None,
    version: int,
    expected: int,
    anomaly: bool,
) -> RuntimeError:
    """torch csrc/autograd/saved_variable.cpp, SavedVariable::unpack.

    :param described: ``torch.FloatTensor [2]``.
    :param output_of: name of the node that made the value, and which of its outputs it is.
    :param anomaly: whether the hint may point at anomaly mode's traceback.
    """
    what = f"[{described}]"
    if output_of is not None:
        what += f", which is output {output_of[1]} of {_op_name(output_of[0])},"
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


def _op_name(node: str) -> str:
    """``MulBackward0`` → ``Mul``, ``FillBackward2`` → ``Fill2``."""
    stem, found, number = node.rpartition("Backward")
    if not found or not (number == "" or number.isdigit()):
        return node
    return stem if number in ("", "0") else stem + number


def pack_modified_input() -> RuntimeError:
    """torch csrc/autograd/saved_variable.cpp, SavedVariable::set_hooks_and_pack_data."""
    return RuntimeError(
        "A saved tensor pack hook is modifying its input in place. Tensors provided as input to "
        "pack hook cannot be modified by in-place operations as this can lead to unexpected "
        "side-effects. Please open an issue if you need to perform in-place operations on the "
        "input to a pack hook."
    )


def hooks_not_callable(pack_hook: Any, unpack_hook: Any) -> TypeError:
    """torch csrc/autograd/init.cpp, _push_saved_tensors_default_hooks (pybind11's words)."""
    return TypeError(
        "_push_saved_tensors_default_hooks(): incompatible function arguments. The following "
        "argument types are supported:\n"
        "    1. (arg0: collections.abc.Callable, arg1: collections.abc.Callable) -> None\n\n"
        f"Invoked with: {pack_hook!r}, {unpack_hook!r}"
    )


def disabled_message_type(message: Any) -> TypeError:
    """pybind11's text for torch._C._autograd._saved_tensors_hooks_disable."""
    return TypeError(
        "_saved_tensors_hooks_disable(): incompatible function arguments. The following argument "
        "types are supported:\n    1. (error_message: str, fail_if_non_empty: bool = True) -> "
        f"None\n\nInvoked with: {message!r}"
    )


def unpack_not_value(result: Any) -> TypeError:
    """torch csrc/autograd/python_saved_variable_hooks.cpp, call_unpack_hook."""
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


def grad_shape_mismatch(
    grad_index: int,
    grad_shape: Any,
    output_index: int,
    output_shape: Any,
    is_grads_batched: bool = False,
) -> RuntimeError:
    """torch autograd/__init__.py, _make_grads (whose indices are always 0)."""
    if is_grads_batched:
        return RuntimeError(
            "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as "
            "the batch dimension. The sizes of the remaining dimensions are expected to match the "
            "shape of corresponding output, but a mismatch was detected: "
            f"grad_output[{grad_index}] has a shape of {grad_shape} and "
            f"output[{output_index}] has a shape of {output_shape}. If you only want some tensors "
            "in `grad_output` to be considered batched, consider using vmap."
        )
    return RuntimeError(
        f"Mismatch in shape: grad_output[{grad_index}] has a shape of {grad_shape} and "
        f"output[{output_index}] has a shape of {output_shape}."
    )


def grad_mode_type(mode: Any) -> TypeError:
    """torch csrc/autograd/init.cpp, set_grad_enabled."""
    return TypeError(
        "set_grad_enabled(): argument 'enabled' (position 1) must be bool, "
        f"not {type(mode).__name__}"
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


def invalid_gradient(node: str, index: int, problem: str) -> RuntimeError:
    """torch csrc/autograd/engine.cpp, validate_outputs.

    *problem* is ``got [3] but expected shape compatible with [2]``, or about type or device.
    """
    return RuntimeError(
        f"Function {node} returned an invalid gradient at index {index} - {problem}"
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


def attribute_not_writable(name: str, kind: str) -> AttributeError:
    """torch csrc/autograd/python_cpp_function.cpp: its getters have no setters."""
    return AttributeError(f"attribute '{name}' of '{kind}' objects is not writable")


def post_accumulate_result() -> RuntimeError:
    """torch csrc/autograd/python_hook.cpp, PyFunctionTensorPostAccGradHooks."""
    return RuntimeError("Tensor post accumulate grad hooks should return None.")


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


def switch_type(function: str, argument: str, position: int, given: Any) -> TypeError:
    """torch csrc/autograd/init.cpp: what a switch is set to is no bool."""
    return TypeError(
        f"{function}(): argument '{argument}' (position {position}) must be bool, not "
        f"{type(given).__name__}"
    )


def node_method_arguments(node: str, method: str, given: int, named: bool) -> TypeError:
    """CPython's text for a method of a C type that takes one argument by position."""
    if named:
        return TypeError(f"{node}.{method}() takes no keyword arguments")
    return TypeError(f"{node}.{method}() takes exactly one argument ({given} given)")


def leaf_of_grad() -> RuntimeError:
    """torch csrc/Module.cpp, _will_engine_execute_node."""
    return RuntimeError(
        "A leaf node was passed to _will_engine_execute_node but we are currently running "
        "autograd.grad(). This is currently not supported."
    )


def order_outside_backward() -> RuntimeError:
    """torch csrc/autograd/engine.cpp, get_current_graph_task_execution_order."""
    return RuntimeError(
        "_current_graph_task_execution_order should only be called during the backward pass"
    )


def order_with_threads() -> RuntimeError:
    """torch csrc/autograd/engine.cpp, get_current_graph_task_execution_order."""
    return RuntimeError(
        "get_current_graph_task_execution_order expects the current backward to be executed with "
        "multithreading disabled, e.g. by running:\n\n>>> with torch.autograd."
        "set_multithreading_enabled(False):\n...     torch.autograd.grad(...)\n"
    )


def nan_output(node: str, index: int) -> RuntimeError:
    """torch csrc/autograd/engine.cpp, evaluate_function."""
    return RuntimeError(f"Function '{node}' returned nan values in its {index}th output.")


def edge_of_constant() -> RuntimeError:
    """torch autograd/graph.py, get_gradient_edge."""
    return RuntimeError(
        "It is not possible to get the gradient edge for a Tensor that does not require gradients"
    )


def not_a_value() -> AssertionError:
    """torch autograd/__init__.py, _make_grads."""
    return AssertionError("Expected output to be a torch.Tensor")


def not_a_pair_of_hooks(place: Any, given: tuple[Any, ...]) -> TypeError:
    """pybind11's text for torch._C._autograd.SavedTensor.register_hooks."""
    invoked = ", ".join(map(repr, (place, *given)))
    return TypeError(
        "register_hooks(): incompatible function arguments. The following argument types are "
        "supported:\n    1. (self: torch._C._autograd.SavedTensor, arg0: "
        "collections.abc.Callable, arg1: collections.abc.Callable) -> None\n\n"
        f"Invoked with: {invoked}"
    )


def hooks_on_freed() -> RuntimeError:
    """torch csrc/autograd/saved_variable.cpp, SavedVariable::register_hooks."""
    return RuntimeError(
        "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate "
        "values of the graph are freed when you call .backward() or autograd.grad(). Specify "
        "retain_graph=True if you need to backward through the graph a second time or if you need "
        "to access saved variables after calling backward."
    )


def hooks_on_none() -> RuntimeError:
    """torch csrc/autograd/saved_variable.cpp, SavedVariable::register_hooks."""
    return RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")


def hooks_set_already() -> RuntimeError:
    """torch csrc/autograd/saved_variable.cpp, SavedVariable::register_hooks."""
    return RuntimeError(
        "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only "
        "one pair of hooks is allowed at a time."
    )


def leaf_in_place() -> RuntimeError:
    """torch csrc/autograd/custom_function.cpp, _process_backward_mode_ad."""
    return RuntimeError(
        "a leaf Variable that requires grad has been used in an in-place operation."
    )


def dirty_view_among_results() -> RuntimeError:
    """torch csrc/autograd/custom_function.cpp, _process_backward_mode_ad."""
    return RuntimeError(
        "If your Function modifies inplace an input that is a view of another Tensor, your "
        "Function cannot return more than one Tensor. This is not supported by the current "
        "autograd engine. You should either make sure the input is not a view (using .clone() for "
        "example) or make your Function only return one Tensor (potentially splitting it into two "
        "Functions: one doing the inplace that returns a single Tensor and a second one that does "
        "the other operations). You can ask on the forum https://discuss.pytorch.org/ if you need "
        "help to do this change."
    )


def multi_grad_mode(mode: Any) -> ValueError:
    """torch autograd/graph.py, register_multi_grad_hook."""
    return ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")


def flag_is_no_byte(number: int) -> OverflowError:
    """CPython's text for the format ``b``."""
    side = "less than minimum" if number < 0 else "greater than maximum"
    return OverflowError(f"unsigned byte integer is {side}")
