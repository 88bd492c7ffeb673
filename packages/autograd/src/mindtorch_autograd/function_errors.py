"""Messages about ``Function`` that torch words too: one function each, with its source."""

from __future__ import annotations

from typing import Any

__all__ = [
    "argument_before_keyword_missing",
    "attribute_not_readable",
    "backward_and_vjp",
    "DIRTY_NOT_INPUT",
    "dirty_not_returned",
    "dirty_not_value",
    "gradient_not_value",
    "keyword_given_twice",
    "legacy_function",
    "marks_not_tuple",
    "materialize_grads_type",
    "non_differentiable_not_value",
    "saved_input_returned",
    "saved_not_tuple",
    "saved_not_value",
    "saved_read_twice",
    "unexpected_gradient",
    "unexpected_keyword",
    "wrong_gradient_count",
]


def wrong_gradient_count(node: str, expected: int, got: int) -> RuntimeError:
    """torch csrc/autograd/python_function.cpp, PyNode::apply."""
    return RuntimeError(
        f"function {node} returned an incorrect number of gradients "
        f"(expected {expected}, got {got})"
    )


def unexpected_gradient(node: str, position: int) -> RuntimeError:
    """torch csrc/autograd/python_function.cpp, PyNode::apply; *position* counts from 1."""
    return RuntimeError(
        f"function {node} returned a gradient different than None at position {position}, but the "
        "corresponding forward input was not a Variable"
    )


def gradient_not_value(result: Any) -> RuntimeError:
    """torch csrc/autograd/python_function.cpp, PyNode::to_variable_list."""
    return RuntimeError(f"expected Variable or None (got {type(result).__name__})")


def saved_not_value(index: int, value: Any) -> TypeError:
    """torch csrc/autograd/python_function.cpp, _get_tensors_to_save."""
    return TypeError(
        f"save_for_backward can only save variables, but argument {index} is of type "
        f"{type(value).__name__}"
    )


def saved_input_returned() -> RuntimeError:
    """torch csrc/autograd/custom_function.cpp, _view_as_self_with_no_grad."""
    return RuntimeError(
        "An input that has been returned as-is as output is being saved for backward. This is not "
        "supported if you override setup_context. You should return and save a view of the input "
        "instead, e.g. with x.view_as(x) or setup ctx inside the forward function itself."
    )


def saved_not_tuple() -> RuntimeError:
    """torch csrc/autograd/python_function.cpp, _get_tensors_to_save (the type is left out)."""
    return RuntimeError(
        "autograd internal error: to_save attribute is expected to be a tuple but is "
    )


def saved_read_twice() -> RuntimeError:
    """torch csrc/autograd/python_function.cpp, unpack_saved_variables."""
    return RuntimeError(
        "saved_tensors can only be accessed once when clear_saved_tensors_on_access=True is set "
        "on the autograd.Function. Either access saved_tensors only once, or set "
        "clear_saved_tensors_on_access=False."
    )


def attribute_not_readable(name: str) -> AttributeError:
    """torch csrc/autograd/python_function.cpp: a property that can only be set."""
    return AttributeError(f"attribute '{name}' of 'torch._C._FunctionBase' objects is not readable")


def materialize_grads_type(setter: str) -> TypeError:
    """torch csrc/autograd/python_function.cpp, THPFunction_set_materialize_grads."""
    return TypeError(
        f"{setter} received an invalid combination of arguments - got (), but expected (bool)"
    )


def pure_view_of_many() -> RuntimeError:
    """torch csrc/autograd/python_function.cpp, process_outputs."""
    return RuntimeError(
        "Pure view custom Function can only have one input Tensor and one output Tensor. Open an "
        "issue if you need to support more."
    )


def unexpected_keyword(name: str) -> TypeError:
    """torch autograd/function.py: a keyword that ``forward`` does not take by position."""
    return TypeError(f"forward() got an unexpected keyword argument '{name}'")


def keyword_given_twice(name: str) -> TypeError:
    """torch autograd/function.py: a keyword for an argument that was given by position."""
    return TypeError(f"forward() got multiple values for argument '{name}'")


def argument_before_keyword_missing(name: str, position: int) -> TypeError:
    """torch autograd/function.py: nothing given for an argument before one given by keyword."""
    return TypeError(f"forward() missing required argument: '{name}' (position {position})")


def dirty_not_returned() -> RuntimeError:
    """torch csrc/autograd/custom_function.cpp, _process_backward_mode_ad."""
    return RuntimeError(
        "Some elements marked as dirty during the forward method were not returned as output. The "
        "inputs that are modified inplace must all be outputs of the Function."
    )


#: torch csrc/autograd/custom_function.cpp, _process_backward_mode_ad.
DIRTY_NOT_INPUT = (
    "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been "
    "mutated should be passed to ctx.mark_dirty()."
)


def dirty_not_value() -> RuntimeError:
    """torch csrc/autograd/python_function.cpp, _mark_dirty (which forgets to name the type)."""
    return RuntimeError("mark_dirty can only accept variables, but argument ")


def non_differentiable_not_value() -> RuntimeError:
    """torch csrc/autograd/python_function.cpp, _parse_non_differentiable."""
    return RuntimeError("mark_non_differentiable only accepts variable arguments, but got ")


def marks_not_tuple(name: str) -> RuntimeError:
    """torch csrc/autograd/python_function.cpp, _mark_dirty and _get_non_differentiable."""
    return RuntimeError(
        f"autograd internal error: {name} attribute is expected to be a tuple but is "
    )


def legacy_function() -> RuntimeError:
    """torch autograd/function.py, Function.__call__."""
    return RuntimeError(
        "Legacy autograd function with non-static forward method is deprecated. Please use "
        "new-style autograd function with static forward method. (Example: "
        "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
    )


def backward_and_vjp() -> RuntimeError:
    """torch autograd/function.py, BackwardCFunction.apply."""
    return RuntimeError(
        "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should "
        "only implement one of them."
    )
