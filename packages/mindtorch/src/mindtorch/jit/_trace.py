"""``torch.jit._trace``: traced functions and modules, which run what they were made of.

torch records the ops of one run and repeats them. Here the function itself runs again: a branch
that a record would have fixed is decided anew.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Callable
from typing import Any, NamedTuple

from .. import nn
from ..aten import torch
from ..core.warning import warn
from ._deprecation import TO_COMPILE, deprecated
from ._import import import_module
from ._script import (
    CompilationUnit,
    RecursiveScriptModule,
    ScriptFunction,
    ScriptModule,
    no_script,
)
from ._state import _enabled
from ._tracing import depth, tracing
from .internal import module_has_exports

__all__ = [
    "ONNXTracedModule",
    "TopLevelTracedModule",
    "TracedModule",
    "TracerWarning",
    "TracingCheckError",
    "is_tracing",
    "trace",
    "trace_module",
]


class Example(NamedTuple):
    """The arguments that a function or module was traced with."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def write(
        self, called: Any, root: nn.Module | None, file: Any, _extra_files: Any = None
    ) -> None:
        """Write the archive of *called*, as it runs on these arguments."""
        from ._export_module import write_module  # graphs, whose types need this package

        write_module(called, root, self.args, self.kwargs, file, _extra_files)

    def code(self, called: Any, root: nn.Module | None) -> str:
        """The source of ``forward`` in that archive."""
        written = io.BytesIO()
        self.write(called, root, written)
        written.seek(0)
        code: str = import_module(written, None, None).code
        return code


class TracerWarning(Warning):
    """A trace may not hold for other inputs."""

    @staticmethod
    def ignore_lib_warnings() -> None:
        """Say nothing of torch's own code."""


class TracingCheckError(Exception):
    """Two traces of one function differ."""

    def __init__(
        self, graph_diff_error: Any, tensor_compare_error: Any, extra_msg: str | None = None
    ) -> None:
        self.message = "Tracing failed sanity checks!\n" + (f"{extra_msg}\n" if extra_msg else "")
        super().__init__(self.message)


def is_tracing() -> bool:
    """Whether a function is being traced, or what was traced runs."""
    return depth.value > 0


class TracedModule(RecursiveScriptModule):
    """A module that was traced, inside of another."""

    def _get_name(self) -> str:
        return self.original_name


class TopLevelTracedModule(TracedModule):
    """A module that was traced."""

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module computes."""
        with tracing():
            return super().forward(*args, **kwargs)

    def _wrap(self, child: nn.Module) -> nn.Module:
        return child if isinstance(child, ScriptModule) else TracedModule(child)


class ONNXTracedModule(nn.Module):
    """A module that is traced for ONNX: making one raises NotImplementedError."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise no_script("torch.jit.ONNXTracedModule")


def _tuple(inputs: Any) -> tuple[Any, ...]:
    if isinstance(inputs, (torch.Tensor, dict)):
        return (inputs,)
    return tuple(inputs)


_ONLY = (
    "Only tensors, lists, tuples of tensors, or dictionary of tensors can be output from "
    "traced functions"
)


def _check_outputs(found: Any, strict: bool) -> None:
    """Raise RuntimeError for what a trace cannot return; warn of lists, which may be longer."""
    if isinstance(found, torch.Tensor):
        return
    if isinstance(found, list):
        if not found:
            raise RuntimeError(
                "Tracer cannot infer type of []\n:List trace inputs must have elements"
            )
        if not all(isinstance(item, torch.Tensor) for item in found):
            raise RuntimeError(_ONLY)
        if strict:
            warn(_container("list"), TracerWarning)
    elif isinstance(found, tuple):
        for item in found:
            _check_outputs(item, strict)
    elif isinstance(found, dict):
        if strict:
            raise RuntimeError(_container("dict"))
        for item in found.values():
            _check_outputs(item, strict)
    else:
        raise RuntimeError(_ONLY)


def _container(kind: str) -> str:
    return (
        f"Encountering a {kind} at the output of the tracer might cause the trace to be incorrect, "
        "this is only valid if the container structure does not change based on the module's "
        "inputs. Consider using a constant container instead (e.g. for `list`, use a `tuple` "
        "instead. for `dict`, use a `NamedTuple` instead). If you absolutely need this and know "
        "the side effects, pass strict=False to trace() to allow this behavior."
    )


def _run_once(fn: Callable[..., Any], inputs: Any, strict: bool, kwargs: Any = None) -> None:
    with tracing():
        found = fn(**kwargs) if kwargs is not None else fn(*_tuple(inputs))
    _check_outputs(found, strict)


def trace(
    func: Any,
    example_inputs: Any = None,
    optimize: Any = None,
    check_trace: bool = True,
    check_inputs: Any = None,
    check_tolerance: float = 1e-5,
    strict: bool = True,
    _force_outplace: bool = False,
    _module_class: Any = None,
    _compilation_unit: CompilationUnit | None = None,
    example_kwarg_inputs: Any = None,
    _store_inputs: bool = True,
) -> Any:
    """Run *func*, a function or module, once, and return what runs it as a trace would.

    Raises RuntimeError if it returns other than tensors, or, where *strict*, in lists or dicts.
    """
    deprecated("trace", TO_COMPILE)
    if not _enabled:
        return func
    if isinstance(func, ScriptModule):
        return func
    if isinstance(func, nn.Module):
        for _ in range(1 + check_trace):  # torch traces through its other name, and once more
            deprecated("trace_method", TO_COMPILE)
        if example_kwarg_inputs is not None:
            if not isinstance(example_kwarg_inputs, dict):
                raise RuntimeError("example_kwarg_inputs should be a dict")
            _run_once(func, None, strict, example_kwarg_inputs)
            return _traced(func, Example((), example_kwarg_inputs))
        _run_once(func, example_inputs, strict)
        return _traced(func, Example(_tuple(example_inputs), {}))
    if check_trace:
        deprecated("trace", TO_COMPILE)
    owner = getattr(func, "__self__", None)
    _run_once(func, example_inputs, strict, example_kwarg_inputs)
    if example_kwarg_inputs is not None:
        example = Example((), example_kwarg_inputs)
    else:
        example = Example(_tuple(example_inputs), {})
    if isinstance(owner, nn.Module) and func.__name__ == "forward":
        return _traced(owner, example)
    if isinstance(func, ScriptFunction):
        func = func._torchdynamo_inline
    return ScriptFunction(func, example)


def trace_module(
    mod: Any,
    inputs: dict[str, Any],
    optimize: Any = None,
    check_trace: bool = True,
    check_inputs: Any = None,
    check_tolerance: float = 1e-5,
    strict: bool = True,
    _force_outplace: bool = False,
    _module_class: Any = None,
    _compilation_unit: CompilationUnit | None = None,
    example_inputs_is_kwarg: bool = False,
    _store_inputs: bool = True,
) -> Any:
    """Run methods of *mod* once, on *inputs* by their names, and return what runs them.

    Raises AttributeError for what is no module or has no such method.
    """
    deprecated("trace_method", TO_COMPILE)
    if not _enabled:
        return mod
    if not isinstance(mod, nn.Module):
        raise AttributeError("expected torch.nn.Module as the first argument")
    if not isinstance(inputs, dict):
        raise AttributeError("expected a dictionary of (method_name, input) pairs")
    for name, example in inputs.items():
        # ``forward`` runs through the call, so that hooks run too.
        method = mod if name == "forward" else getattr(mod, name)
        _run_once(method, example, strict, example if example_inputs_is_kwarg else None)
    forward = inputs.get("forward")
    if forward is None:
        return _traced(mod, None)
    by_name = example_inputs_is_kwarg
    return _traced(mod, Example((), forward) if by_name else Example(_tuple(forward), {}))


def _traced(module: nn.Module, example: Example | None) -> ScriptModule:
    """The traced *module*; one with exported methods is scripted, as in torch."""
    if module_has_exports(module):
        return RecursiveScriptModule(module)
    made = TopLevelTracedModule(module)
    made.__dict__["_writer"] = example
    return made


def _script_if_tracing(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls *fn*: torch scripts it when it is first traced."""

    @functools.wraps(fn)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return fn(*args, **kwargs)

    wrapper.__dict__["__original_fn"] = fn
    wrapper.__dict__["__script_if_tracing_wrapper"] = True
    return wrapper


def _unique_state_dict(module: nn.Module, keep_vars: bool = False) -> dict[str, Any]:
    """The state dict without names that share a tensor."""
    seen: set[int] = set()
    unique = {}
    for name, value in module.state_dict(keep_vars=True).items():
        if id(value) not in seen:
            seen.add(id(value))
            unique[name] = value if keep_vars else value.detach()
    return unique


def _get_trace_graph(
    f: Callable[..., Any],
    args: Any = (),
    kwargs: dict[str, Any] | None = None,
    strict: bool = True,
    _force_outplace: bool = False,
    return_inputs: bool = False,
    _return_inputs_states: bool = False,
) -> Any:
    """Run *f* once: the graph of its operators, and what it returned."""
    from ._trace_graph import trace_graph  # graphs, whose types need this package

    given = args if isinstance(args, tuple) else (args,)
    graph, found = trace_graph(f, given, kwargs or {})
    _check_outputs(found, strict)
    return (graph, found, given) if return_inputs else (graph, found)
