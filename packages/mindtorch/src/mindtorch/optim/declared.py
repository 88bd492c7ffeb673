"""Optimizers that declare their options with the rules of these, their state, their step."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any, ClassVar

from ..core.module_names import spelled_out
from ..core.operators import ops
from ..core.tracebacks import shorten
from ..tensor import Tensor
from .counting import evaluated, make_counts_tensors, step_count
from .optimizer import Optimizer
from .option_rules import Rule
from .step_options import _use_grad_for_differentiable

__all__ = ["DeclaredOptimizer", "ListedOptimizer", "count", "zeros"]


def zeros(param: Any, grad: Any, group: dict[str, Any]) -> Any:
    """State that begins as zeros, of the parameter's shape."""
    return ops.zeros_like(param)


def count(param: Any, grad: Any, group: dict[str, Any], first: float = 0.0) -> Any:
    """A number in the state, which lies where the kernel that reads it runs."""
    return step_count(param, bool(group.get("capturable") or group.get("fused")), first)


@spelled_out("__setstate__")
class DeclaredOptimizer(Optimizer):
    """An optimizer whose constructor's parameters are its options."""

    #: The options in the order of torch's state dicts.
    _OPTIONS_: ClassVar[tuple[str, ...]]
    #: What they may be, in the order in which torch looks.
    _RULES_: ClassVar[tuple[Rule, ...]]
    #: What a group lacks that was saved before torch had it.
    _LATER_: ClassVar[dict[str, Any]] = {}
    #: Options that are not kept as they were given.
    _KEPT_: ClassVar[dict[str, Callable[[Any], Any]]] = {}

    def __init__(self, params: Any, given: Mapping[str, Any]) -> None:
        try:
            for rule in self._RULES_:
                rule(given)
            defaults = {name: given[name] for name in self._OPTIONS_}
            for name, keep in self._KEPT_.items():
                defaults[name] = keep(defaults[name])
            super().__init__(params, defaults)
        except Exception as error:
            shorten(error)
            raise

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            for name, value in self._LATER_.items():
                group.setdefault(name, value)

    def _scaler_results_(self, group: dict[str, Any]) -> tuple[Any, Any]:
        """What a gradient scaler left for a fused step: its scale, whether it found inf."""
        if not group.get("fused"):
            return None, None
        return getattr(self, "grad_scale", None), getattr(self, "found_inf", None)


@spelled_out("__setstate__")
class ListedOptimizer(DeclaredOptimizer):
    """An optimizer that collects what a step needs in lists, and hands them to one function."""

    #: The step. Its keyword parameters are options, or parts of them.
    _FUNCTION_: ClassVar[Callable[..., None]]
    #: The lists of ``_init_group`` behind parameters and gradients, each with its part of state.
    _LISTS_: ClassVar[dict[str, str]]
    #: What makes each part of the state, in torch's order.
    _STATE_: ClassVar[dict[str, Callable[[Any, Any, dict[str, Any]], Any]]]
    #: Parts of the state that are there only where an option is on.
    _ONLY_WITH_: ClassVar[dict[str, str]] = {}
    #: Options that the function wants in parts.
    _PARTS_: ClassVar[dict[str, tuple[str, ...]]] = {"betas": ("beta1", "beta2")}
    #: Whether gradients may be sparse.
    _TAKES_SPARSE_: ClassVar[bool] = False
    #: The names by which ``_init_group`` knows its first lists.
    _FIRST_: ClassVar[tuple[str, str]] = ("params_with_grad", "grads")
    _LATER_ = {"foreach": None, "maximize": False, "differentiable": False, "capturable": False}
    #: The options that the function wants as they are, and those that it wants in parts.
    _direct_: ClassVar[tuple[str, ...]]
    _split_: ClassVar[tuple[tuple[str, tuple[str, ...]], ...]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "_FUNCTION_" in vars(cls):  # torch's have a step each; subclasses inherit it
            parts = {part for parts in cls._PARTS_.values() for part in parts}
            named = inspect.signature(cls._FUNCTION_).parameters
            options = parts.union(cls._OPTIONS_).difference(cls._LISTS_)
            wanted = [name for name in named if name in options]
            cls._direct_ = tuple(name for name in wanted if name not in parts)
            cls._split_ = tuple(each for each in cls._PARTS_.items() if each[0] in cls._OPTIONS_)
            cls.step = _step_of(cls)  # type: ignore[method-assign]  # each class is hooked alone
            cls._init_group = _init_group_of(cls)  # type: ignore[method-assign]  # with torch's names

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            on_device = bool(group.get("capturable") or group.get("fused"))
            make_counts_tensors(self.state, group, on_device)

    def _init_group(self, group: dict[str, Any], *lists: list[Any], **named: list[Any]) -> Any:
        """Fill *lists* with parameters, gradients and state; whether a parameter is complex."""
        raise NotImplementedError

    def _exists_(self, part: str, group: dict[str, Any]) -> bool:
        option = self._ONLY_WITH_.get(part)
        return option is None or group[option] > 0

    def _start_(self, param: Any, grad: Any, group: dict[str, Any]) -> None:
        """Make the state of *param*."""
        state = self.state[param]
        for part, make in self._STATE_.items():
            if self._exists_(part, group):
                state[part] = make(param, grad, group)

    def _collect_(
        self, group: dict[str, Any], params: list[Any], grads: list[Any], *lists: list[Any]
    ) -> Any:
        """Fill the lists with what has a gradient. Returns whether a parameter is complex."""
        found = []
        for param in group["params"]:
            grad = param.grad
            if grad is None:
                continue
            if grad.is_sparse and not self._TAKES_SPARSE_:
                raise RuntimeError(self._no_sparse_())
            state = self.state[param]
            if not state:
                self._start_(param, grad, group)
            params.append(param)
            grads.append(grad)
            found.append(state)
        for values, part in zip(lists, self._LISTS_.values()):
            if part not in self._ONLY_WITH_ or self._exists_(part, group):
                values += map(itemgetter(part), found)
        return any(map(Tensor.is_complex, params))

    def _no_sparse_(self) -> str:
        return f"{type(self).__name__} does not support sparse gradients"

    def _apply_(self, group: dict[str, Any], lists: list[list[Any]], has_complex: Any) -> None:
        """Change the parameters that were collected."""
        arguments = {name: group[name] for name in self._direct_}
        for option, parts in self._split_:
            arguments.update(zip(parts, group[option]))
        if group.get("fused"):
            arguments["grad_scale"], arguments["found_inf"] = self._scaler_results_(group)
        params, grads, *state = lists
        arguments.update(zip(self._LISTS_, state))
        type(self)._FUNCTION_(params, grads, has_complex=has_complex, **arguments)


def _step_of(cls: type[ListedOptimizer]) -> Callable[..., Any]:
    """The ``step`` of *cls*."""
    may_be_captured = "capturable" in cls._OPTIONS_

    def step(self: Any, closure: Callable[[], Any] | None = None) -> Any:
        """One step. Returns what *closure* returns, else None."""
        if may_be_captured:
            self._accelerator_graph_capture_health_check()
        loss = None if closure is None else evaluated(closure)
        for group in self.param_groups:
            lists: list[list[Any]] = [[] for _ in range(2 + len(self._LISTS_))]
            has_complex = self._init_group(group, *lists)
            self._apply_(group, lists, has_complex)
        return loss

    step.__qualname__, step.__module__ = f"{cls.__name__}.step", cls.__module__
    return _use_grad_for_differentiable(step)


def _init_group_of(cls: type[ListedOptimizer]) -> Callable[..., Any]:
    """The ``_init_group`` of *cls*, whose lists have torch's names."""
    names = (*cls._FIRST_, *cls._LISTS_)

    def _init_group(self: Any, group: dict[str, Any], *lists: list[Any], **named: list[Any]) -> Any:
        """Fill *lists* with parameters, gradients and state; whether a parameter is complex."""
        if named:
            lists += tuple([named[name] for name in names[len(lists) :]])
        return self._collect_(group, *lists)

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(name, kind) for name in ("self", "group", *names)]
    made: Any = _init_group
    made.__qualname__ = f"{cls.__name__}._init_group"
    made.__signature__ = inspect.Signature(parameters)
    return made
