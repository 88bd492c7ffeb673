"""Recorded calls of ops from ``torch.library``, for schemas without lists, keywords and defaults.

What ``Function.apply`` finds out of each call is known here from the schema and the signature, so
the function that records is written as text, as those of the rows are (``functionality.forward``).
The node is the same that ``Function.apply`` would make, and is at once the ``ctx``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from mindtorch_autograd import anomaly, grad_mode, next_key, streams
from mindtorch_autograd.function_results import finish, keep, save
from mindtorch_dispatch import FunctionSchema, tls
from mindtorch_storage import CPU

from ..autograd.grad_ops import NOT_FRESH
from ..call import code
from ..call.dispatch_entry import Call
from ..core import functionality_keys
from ..core import signature as S
from ..tensor import Leaf, Tensor
from ..tensor.edges import new_leaf_edge
from ..tensor.tensor_meta import Facts, describe
from .schemas import is_tensor, is_tensor_list

__all__ = ["Formula", "is_plain", "recording_call", "set_excluded", "without_autograd"]


class Formula(Protocol):
    """What an op's gradient is, as far as it is known."""

    _backward_fn: Callable[..., Any] | None
    _setup_context_fn: Callable[..., Any] | None


class _Excluded(dict[int, int]):
    """A thread's state -> the same with the autograd keys excluded."""

    def __missing__(self, word: int) -> int:
        found = self[word] = tls.with_excluded(word, functionality_keys.AUTOGRAD_BLOCK)
        return found


_EXCLUDED = _Excluded()
_state, _set_state, _reset_state = tls.state.get, tls.state.set, tls.state.reset


def set_excluded() -> Any:
    """Exclude the autograd keys in this thread; gives back what ``tls.state.reset`` takes."""
    return _set_state(_EXCLUDED[_state()])


def without_autograd(call: Call, arity: int | None = None) -> Call:
    """*call* with the autograd keys excluded: what it calls is not recorded.

    :param arity: the number of its arguments, where none goes by keyword.
    """
    if arity is None:

        def below(*args: Any, **kwargs: Any) -> Any:
            token = _set_state(_EXCLUDED[_state()])
            try:
                return call(*args, **kwargs)
            finally:
                _reset_state(token)

        return below
    names = ", ".join([f"a{i}" for i in range(arity)])
    text = f"""\
def below({names}):
    token = set_state(EXCLUDED[state()])
    try:
        return call({names})
    finally:
        reset_state(token)
"""
    return _written(text, "below", {"call": call})


def is_plain(schema: FunctionSchema) -> bool:
    """Whether every argument is given by position in every call, and none is a list of tensors."""
    return not any(
        a.kwarg_only or a.has_default_value() or is_tensor_list(a) for a in schema.arguments
    ) and not any(is_tensor_list(r) for r in schema.returns)


def recording_call(
    function: Any, formula: Formula, schema: FunctionSchema, sig: int, inner: Call
) -> Call:
    """The call that records the node of *function*, for arguments of signature *sig*.

    :param inner: the call below autograd.
    """
    arguments = schema.arguments
    names = [f"a{i}" for i in range(len(arguments))]
    edges: list[str] = []
    facts: list[str] = []
    needs: list[str] = []
    kinds: list[str] = []
    lines = [f"def record({', '.join(names)}):"]
    for i, argument in enumerate(arguments):
        if not is_tensor(argument):
            needs.append("False")
            kinds.append("False")
            continue
        optional = str(argument.type) != "Tensor"
        if optional:
            lines.append(f"    e{i} = f{i} = None")
            lines.append(f"    if a{i} is not None:")
            lines.append(f"        e{i} = a{i}._edge_")
            indent = " " * 8
        else:
            lines.append(f"    e{i} = a{i}._edge_")
            indent = " " * 4
        lines.append(f"{indent}if type(e{i}) is Leaf: e{i} = e{i}() or new_leaf_edge(a{i})")
        lines.append(f"{indent}f{i} = None if e{i} is None else {_facts(f'a{i}', sig)}")
        present = f"a{i} is not None"
        edges.append(f"*(() if a{i} is None else (e{i},))" if optional else f"e{i}")
        facts.append(f"*(() if a{i} is None else (f{i},))" if optional else f"f{i}")
        test = f"a{i}._sig_ & REQUIRES_GRAD != 0"  # a view made in no_grad has no edge
        needs.append(f"{present} and {test}" if optional else test)
        kinds.append(present if optional else "True")
    # The last argument stands for torch's, which tells the node what it was called with.
    needs.append("False")
    kinds.append("False")
    given = f"({', '.join(names)},)"
    fresh = " and ".join([f"result is not a{i}" for i, a in enumerate(arguments) if is_tensor(a)])
    stamp = "    if streams.source is not None: streams.stamp(node)\n" if sig & S.STREAMED else ""
    anomalous = "    if anomaly.enabled: note(node)\n" if sig & grad_mode.RARE else ""
    lines.append(
        f"""\
    node = new(Node)
    node._key_ = next_key()
    node._edges_ = ({", ".join(edges)},)
    node._saved_ = ()
    node._extra_ = None
    node._is_value_ = ({", ".join(kinds)},)
    node.needs_input_grad = ({", ".join(needs)},)
    node._argument_facts_ = ({", ".join(facts)},)
{anomalous}{stamp}\
    grad_token = set_grad(grad() & ~1)
    token = set_state(EXCLUDED[state()])
    try:
        result = inner({", ".join(names)})
        setup = formula._setup_context_fn
        if setup is not None:
            setup(ctx=node, inputs={given}, output=result)
            if node.dirty_tensors is not None or node.non_differentiable is not None:
                result = finish(node, {given}, result, True)
                keep(node, True)
                return result
        if (
            type(result) is Tensor
            and not result._sig_ & NOT_FRESH
            and result._state_ is None
            and {fresh}
            and result._a_.dtype.kind not in "biu"
        ):
            result._edge_ = node
            result._sig_ |= REQUIRES_GRAD
            result._meta_ = STALE
            node._result_facts_ = ({_facts("result", sig)},)
            alias = result._shared_
            if alias is not None: alias.touched = True
            if node.to_save is not None:
                save(node, node.to_save, {given})
                node.to_save = None
            return result
        result = finish(node, {given}, result, True)
        keep(node, True)
        return result
    finally:
        reset_state(token)
        reset_grad(grad_token)
"""
    )
    scope = {
        "CPU": CPU,
        "Facts": Facts,
        "Leaf": Leaf,
        "NOT_FRESH": NOT_FRESH | S.BACKENDS & ~(sig & S.BACKENDS),
        "Node": function._backward_cls,
        "ON_CPU": S.CPU,
        "REQUIRES_GRAD": S.REQUIRES_GRAD,
        "STALE": S.STALE,
        "Tensor": Tensor,
        "anomaly": anomaly,
        "describe": describe,
        "finish": finish,
        "formula": formula,
        "grad": grad_mode.state.get,
        "inner": inner,
        "keep": keep,
        "make": tuple.__new__,
        "new": object.__new__,
        "new_leaf_edge": new_leaf_edge,
        "next_key": next_key,
        "note": _note,
        "reset_grad": grad_mode.state.reset,
        "save": save,
        "set_grad": grad_mode.state.set,
        "streams": streams,
    }
    return _written("\n".join(lines), "record", scope)


def _facts(name: str, sig: int) -> str:
    """What gives the facts of a tensor; written out where all are on the cpu.

    That the strides are numpy's, also where there are no elements, is no matter for a gradient.
    """
    if sig & S.BACKENDS != S.CPU:
        return f"describe({name})"
    return (
        f"make(Facts, (({name}_ := {name}._a_).shape, {name}_.dtype, ON_CPU, CPU, "
        f"{name}_.strides, -1))"
    )


def _note(node: Any) -> None:
    anomaly.record_forward_call(node, skip=1)


def _written(text: str, name: str, scope: dict[str, Any]) -> Call:
    scope |= {
        "EXCLUDED": _EXCLUDED,
        "reset_state": _reset_state,
        "set_state": _set_state,
        "state": _state,
    }
    made: Call = code.function(f"{text}\nreturn {name}", scope)
    return made
