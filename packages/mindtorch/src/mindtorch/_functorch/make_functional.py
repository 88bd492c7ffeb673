"""Modules as functions of their parameters, as functorch made them before ``functional_call``."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from .. import nn
from ..aten import torch
from ..aten.torch import Tensor
from ..nn.utils._named_member_accessor import NamedMemberAccessor


def raise_parameter_tying_error() -> NoReturn:
    """Raise the RuntimeError for modules that share parameters."""
    raise RuntimeError(
        "make_functional(module): we don't yet support models that do parameter tying (also "
        "sometimes known as weight sharing). Please try to rewrite your model by replacing all "
        "instances of the tied parameter with another and/or comment your support in "
        "https://github.com/pytorch/functorch/issues/446"
    )


def create_names_map(named_params: Any, tied_named_params: Any) -> dict[str, list[str]]:
    """Name -> all names that the same tensor has.

    :param named_params: each tensor once.
    :param tied_named_params: each tensor under all its names.
    """
    once, tied = dict(named_params), dict(tied_named_params)
    names: dict[Tensor, tuple[str, list[str]]] = {v: (k, []) for k, v in once.items()}
    for name, tensor in tied.items():
        names[tensor][1].append(name)
    return dict(names.values())


def _extract_members(
    mod: nn.Module, named_members: Callable[..., Iterable[Any]], subclass: Callable[[Tensor], Any]
) -> tuple[tuple[Tensor, ...], tuple[str, ...], dict[str, list[str]]]:
    every = tuple(named_members(remove_duplicate=False))
    once = tuple(named_members(remove_duplicate=True))
    names_map = create_names_map(once, every)
    # What is left in the module says what belongs there, without data.
    memo: dict[Tensor, Any] = {}
    accessor = NamedMemberAccessor(mod)
    for name, tensor in every:
        if tensor not in memo:
            memo[tensor] = subclass(torch.empty_like(tensor, device="meta"))
        accessor.set_tensor(name, memo[tensor])
    if not once:
        return (), (), names_map
    names, tensors = zip(*once)
    return tensors, names, names_map


def extract_weights(mod: nn.Module) -> tuple[Any, Any, Any]:
    """Take the parameters out of a module: they, their names, and all names of each."""
    return _extract_members(mod, mod.named_parameters, nn.Parameter)


def extract_buffers(mod: nn.Module) -> tuple[Any, Any, Any]:
    """The same for buffers."""
    return _extract_members(mod, mod.named_buffers, lambda x: x)


def load_weights(
    mod: nn.Module, names: Sequence[str], params: Sequence[Tensor], as_params: bool = False
) -> None:
    """Put parameters back into a module."""
    accessor = NamedMemberAccessor(mod)
    given = [nn.Parameter(p) for p in params] if as_params else params
    accessor.set_tensors(names, given)


def load_buffers(
    mod: nn.Module, names: Sequence[str], buffers: Sequence[Tensor], as_params: bool = False
) -> None:
    """Put buffers back into a module."""
    NamedMemberAccessor(mod).set_tensors(names, buffers)


def _swap_state(
    mod: nn.Module, names_map: dict[str, list[str]], elems: Iterable[Tensor]
) -> list[Tensor]:
    """Put tensors into a module; gives those that were there."""
    before = []
    accessor = NamedMemberAccessor(mod)
    for names, elem in zip(names_map.values(), elems):
        for i, name in enumerate(names):
            if i == 0:
                before.append(accessor.swap_tensor(name, elem))
            else:
                accessor.set_tensor(name, elem)
    return before


def load_state(
    model: nn.Module,
    weights: Sequence[Tensor],
    weight_names: Sequence[str],
    buffers: Sequence[Tensor] = (),
    buffer_names: Sequence[str] = (),
) -> nn.Module:
    """Put parameters and buffers back into a module."""
    assert len(weight_names) == len(weights)
    load_weights(model, weight_names, weights)
    if len(buffers) > 0:
        assert len(buffer_names) == len(buffers)
        load_buffers(model, buffer_names, buffers)
    return model


def make_functional_deprecated_v1(model: nn.Module) -> Any:
    """The parameters, a function of them and the arguments, and their names."""
    if list(model.buffers()):
        raise RuntimeError(
            "make_functional_deprecated_v1(model): `model` has buffers. Please use "
            "make_functional_with_buffers_deprecated_v1(model) instead."
        )
    weights, names, _ = extract_weights(model)

    def fun(weights: Any, data: Any) -> Any:
        mutable = copy.deepcopy(model)
        load_weights(mutable, names, weights)
        return mutable(*data)

    return weights, fun, names


def make_functional_with_buffers_deprecated_v1(model: nn.Module) -> Any:
    """The same for modules with buffers."""
    weights, weight_names, _ = extract_weights(model)
    buffers, buffer_names, _ = extract_buffers(model)

    def fun(weights: Any, buffers: Any, data: Any) -> Any:
        mutable = copy.deepcopy(model)
        load_weights(mutable, weight_names, weights)
        load_buffers(mutable, buffer_names, buffers)
        return mutable(*data)

    return weights, buffers, fun, weight_names, buffer_names


class FunctionalModuleWithBuffers(nn.Module):
    """A module that takes its parameters and buffers as arguments."""

    def __init__(
        self,
        stateless_model: nn.Module,
        param_names: tuple[str, ...],
        buffer_names: tuple[str, ...],
        param_names_map: dict[str, list[str]],
        buffer_names_map: dict[str, list[str]],
    ) -> None:
        super().__init__()
        self.stateless_model = stateless_model
        self.param_names = param_names
        self.buffer_names = buffer_names
        self.all_names_map = {**param_names_map, **buffer_names_map}

    @staticmethod
    def _create_from(model: nn.Module, disable_autograd_tracking: bool = False) -> Any:
        stateless = copy.deepcopy(model)
        params, param_names, param_map = extract_weights(stateless)
        buffers, buffer_names, buffer_map = extract_buffers(stateless)
        if disable_autograd_tracking:
            for p in params:
                p.requires_grad_(False)
        made = FunctionalModuleWithBuffers(
            stateless, param_names, buffer_names, param_map, buffer_map
        )
        return made, params, buffers

    def forward(self, params: Any, buffers: Any, *args: Any, **kwargs: Any) -> Any:
        """What the module gives with these parameters and buffers."""
        before = _swap_state(self.stateless_model, self.all_names_map, (*params, *buffers))
        try:
            return self.stateless_model(*args, **kwargs)
        finally:
            _swap_state(self.stateless_model, self.all_names_map, before)


class FunctionalModule(nn.Module):
    """A module that takes its parameters as an argument."""

    def __init__(
        self,
        stateless_model: nn.Module,
        param_names: tuple[str, ...],
        names_map: dict[str, list[str]],
    ) -> None:
        super().__init__()
        self.stateless_model = stateless_model
        self.param_names = param_names
        self.names_map = names_map

    @staticmethod
    def _create_from(model: nn.Module, disable_autograd_tracking: bool = False) -> Any:
        stateless = copy.deepcopy(model)
        params, names, names_map = extract_weights(stateless)
        if disable_autograd_tracking:
            for p in params:
                p.requires_grad_(False)
        return FunctionalModule(stateless, names, names_map), params

    def forward(self, params: Any, *args: Any, **kwargs: Any) -> Any:
        """What the module gives with these parameters."""
        before = _swap_state(self.stateless_model, self.names_map, params)
        try:
            return self.stateless_model(*args, **kwargs)
        finally:
            _swap_state(self.stateless_model, self.names_map, before)


def make_functional(model: nn.Module, disable_autograd_tracking: bool = False) -> Any:
    """A copy of *model* that takes its parameters as first argument, and the parameters.

    :param disable_autograd_tracking: the parameters ask for no gradients.

    Raises RuntimeError for modules with buffers.
    """
    if list(model.buffers()):
        raise RuntimeError(
            "make_functional(model): `model` has buffers. Please use "
            "make_functional_with_buffers(model) instead."
        )
    return FunctionalModule._create_from(model, disable_autograd_tracking=disable_autograd_tracking)


def make_functional_with_buffers(model: nn.Module, disable_autograd_tracking: bool = False) -> Any:
    """The same with buffers: the copy takes parameters and buffers first."""
    return FunctionalModuleWithBuffers._create_from(
        model, disable_autograd_tracking=disable_autograd_tracking
    )


def transpose_stack(tuple_of_tuple_of_tensors: Any) -> Any:
    """The first tensors of all tuples stacked, the second ones, and so on."""
    columns = tuple(zip(*tuple_of_tuple_of_tensors))
    return tuple(torch.stack(column).detach() for column in columns)


def combine_state_for_ensemble(models: Sequence[nn.Module]) -> Any:
    """A function of parameters and buffers, and those of all models stacked.

    Raises RuntimeError for no model, and for models that differ in class or mode.
    """
    if not models:
        raise RuntimeError("combine_state_for_ensemble: Expected at least one model, got 0.")
    if len({bool(m.training) for m in models}) > 1:
        raise RuntimeError(
            "combine_state_for_ensemble: Expected all models to have the same training/eval mode."
        )
    kind = type(models[0])
    if not all(type(m) is kind for m in models):
        raise RuntimeError(
            "combine_state_for_ensemble: Expected all models to be of the same class."
        )
    functions, params, buffers = zip(*[make_functional_with_buffers(m) for m in models])
    return (
        functions[0],
        transpose_stack(params),
        transpose_stack(buffers),
    )


def _initializer(
    model_class: type[nn.Module], shape: tuple[int, ...], device: Any, take: Any, states: int
) -> Callable[..., Any]:
    """What makes models and *take*s them apart: the first *states* parts of several are stacked."""

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if len(shape) > 1:
            raise ValueError("NYI: ensemble_shape with more than 1 element")
        make = functools.partial(model_class, *args, **kwargs)
        if not shape:
            return make_functional_deprecated_v1(make().to(device))
        if shape[0] <= 0:
            raise ValueError(f"num_models {shape[0]} should be > 0")
        taken = [take(make().to(device))[:states] for _ in range(shape[0])]
        return (*map(transpose_stack, zip(*taken)), *take(make())[states:])

    return wrapped


def functional_init(
    model_class: type[nn.Module], ensemble_shape: tuple[int, ...] = (), device: Any = "cpu"
) -> Callable[..., Any]:
    """A function that makes the parameters of one model, or of several stacked."""
    return _initializer(model_class, ensemble_shape, device, make_functional_deprecated_v1, 1)


def functional_init_with_buffers(
    model_class: type[nn.Module], ensemble_shape: tuple[int, ...] = (), device: Any = "cpu"
) -> Callable[..., Any]:
    """The same with buffers."""
    take = make_functional_with_buffers_deprecated_v1
    return _initializer(model_class, ensemble_shape, device, take, 2)
