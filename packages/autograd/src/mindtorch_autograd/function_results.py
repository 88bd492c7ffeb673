"""What becomes of the results of a ``Function``: their history, and what was saved of them.

Source: torch csrc/autograd/custom_function.cpp, _process_backward_mode_ad, and
csrc/autograd/python_function.cpp, _wrap_outputs and _save_variables.
"""

from __future__ import annotations

import warnings
from typing import Any

from mindtorch_autograd import errors, function_errors, grad_mode, installed
from mindtorch_autograd.function_context import BackwardCFunction
from mindtorch_autograd.node import Edge, Node, Output
from mindtorch_autograd.saved_variable import SavedVariable

__all__ = ["finish", "keep", "save"]


def finish(
    node: BackwardCFunction,
    args: tuple[Any, ...],
    output: Any,
    recorded: bool,
    separate: bool = False,
) -> Any:
    """Give the results of *node* their history; returns what the caller of ``apply`` gets.

    Whoever calls this has grad mode switched off, and calls :func:`keep` next.

    :param separate: whether ``setup_context`` said what to save, to which an argument that was
        returned as it is cannot be told from its result.
    """
    single = not isinstance(output, tuple)
    outputs = [output] if single else list(output)
    dirty, constant = _marked(node, outputs)
    space = installed.space
    is_value = space.is_value
    given = {id(x) for x in args if is_value(x)}
    pure = node._pure_view_
    if pure and (len(outputs) != 1 or sum(map(is_value, args)) != 1):
        raise function_errors.pure_view_of_many()
    node._num_outputs_ = len(outputs)
    values = [x for x in outputs if is_value(x)]
    many = sum(id(x) not in constant and space.differentiable(x) for x in values) > 1
    mapped: dict[int, Any] = {}
    dead: list[int] = []
    for nr, x in enumerate(outputs):
        if not is_value(x):
            continue
        handed_through = id(x) in given and id(x) not in dirty
        live = recorded and id(x) not in constant and space.differentiable(x)
        if handed_through and separate and (live or not space.requires_grad(x)):
            if _is_kept(x, node):  # both would be one, of which a view is handed out
                raise function_errors.saved_input_returned()
        if not live:
            dead.append(nr)
            if id(x) in dirty:
                space.make_views_stale(x)
            outputs[nr] = mapped[id(x)] = _without_history(x, id(x) in given, handed_through)
            if id(x) not in given or handed_through:
                space.made_inside(outputs[nr])
            continue
        result = x
        edge = node if len(outputs) == 1 else Output(node, nr)
        if id(x) in dirty:
            if id(x) in given:
                space.check_dirty(x, len(values) == 1)
                space.set_history(result, edge)
            else:
                _check_dirty_intermediate(x)
                space.hand_out(result, edge, many, pure)
        else:
            if handed_through:
                result = space.view(x)
            space.hand_out(result, edge, many, pure)
        outputs[nr] = mapped[id(x)] = result
    if recorded:
        node._result_facts_ = tuple([space.describe(x) if is_value(x) else None for x in outputs])
        node._constant_results_ = tuple(dead)
    # What was saved under the name of a result is the result with its history.
    saved = node.to_save
    if isinstance(saved, tuple) and mapped:
        node.to_save = tuple([mapped.get(id(x), x) if id(x) not in given else x for x in saved])
    return outputs[0] if single else tuple(outputs)


def _marked(node: BackwardCFunction, outputs: list[Any]) -> tuple[set[int], set[int]]:
    """Return the values marked dirty, and those without gradients, after torch's checks."""
    is_value = installed.space.is_value
    for name in ("dirty_tensors", "non_differentiable"):
        found = getattr(node, name)
        if found is not None and not isinstance(found, tuple):
            raise function_errors.marks_not_tuple(name)
    dirty: set[int] = set()
    for x in node.dirty_tensors or ():
        if not is_value(x):
            raise function_errors.dirty_not_value()
        dirty.add(id(x))
        installed.space.count_change(x)
    constant: set[int] = set()
    for x in node.non_differentiable or ():
        if not is_value(x):
            raise function_errors.non_differentiable_not_value()
        constant.add(id(x))
    if dirty:
        if not dirty <= {id(x) for x in outputs}:
            raise function_errors.dirty_not_returned()
    return dirty, constant


def _check_dirty_intermediate(x: Any) -> None:
    """Refuse a result that was marked dirty, is no input and has others' memory; else warn."""
    space = installed.space
    text = function_errors.DIRTY_NOT_INPUT
    if space.is_view(x):  # whose history is not asked for: the change makes that an error
        raise errors.leaf_in_place() if space.requires_grad(x) else RuntimeError(text)
    if space.requires_grad(x) and space.grad_fn(x) is None:
        raise errors.leaf_in_place()
    warnings.warn(text, UserWarning, stacklevel=5)


def _is_kept(x: Any, node: BackwardCFunction) -> bool:
    """Whether *x* is among what is saved, for whichever mode."""
    kept = [given for given in (node.to_save, node.saved_for_forward) if isinstance(given, tuple)]
    return any(x is each for given in kept for each in given)


def _without_history(x: Any, is_input: bool, handed_through: bool) -> Any:
    """Return the result *x* as one that no gradient comes to."""
    space = installed.space
    if not space.requires_grad(x):
        return space.view(x) if handed_through else x
    if is_input:  # which must not lose its history
        return space.detach(x)
    if not space.is_view(x):
        space.forget_history(x)
    return x


def keep(node: BackwardCFunction, recorded: bool) -> None:
    """Save what ``save_for_backward`` was given, and forget what only ``forward`` had to say."""
    if recorded and node.to_save is not None:
        save(node, node.to_save)
    node.to_save = node.dirty_tensors = node.non_differentiable = None


def save(node: BackwardCFunction, values: Any, args: tuple[Any, ...] = ()) -> None:
    """Let *node* keep *values*, which are its arguments, results, or anything in between.

    :param args: arguments that are no results, which spares a look at their history.
    """
    if not isinstance(values, tuple):
        raise function_errors.saved_not_tuple()
    space = installed.space
    version, value_class = space.version, space.value_class
    hooked = grad_mode.state.get() & grad_mode.RARE
    saved: list[Any] = []
    versions: list[int] = []
    for index, x in enumerate(values):
        number = 0
        if x is not None:
            if not isinstance(x, value_class):
                raise function_errors.saved_not_value(index, x)
            for a in args:
                if a is x:
                    is_output = False
                    break
            else:
                is_output = _made_by(space.grad_fn(x), node)
            if is_output or hooked:
                x = SavedVariable(x, is_output)
            else:
                number = version(x)
        saved.append(x)
        versions.append(number)
    node._saved_ = tuple(saved)
    node._versions_ = tuple(versions)


def _made_by(edge: Edge, node: Node) -> bool:
    return edge is node or (edge.__class__ is Output and edge._edges_[0] is node)
