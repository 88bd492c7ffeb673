"""Functions of layers that are called with expanded weights.

The gradients of samples are the layer's own, asked for one sample under ``vmap``: no layer has a
formula here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mindtorch_autograd import enable_grad, is_grad_enabled

from ....autograd import Function
from ....autograd import grad as gradients
from ....func import vjp, vmap
from ....tensor import Tensor
from ... import functional as F
from .expanded_weights_impl import HANDLED_FUNCTIONS, ExpandedWeight
from .expanded_weights_utils import check_batch, set_grad_sample_if_exists

__all__ = ["handle"]


class PerSampleGrad(Function):
    """A layer's function: its gradient for each sample goes to ``grad_sample`` of the weights."""

    @staticmethod
    def forward(ctx: Any, function: Any, again: Any, rest: dict[str, Any], *tensors: Any) -> Any:
        """Call *function* with an input, named weights and the *rest*.

        :param again: what is called again for gradients: it changes none of its arguments.
        :param tensors: the input, then the weights and their expanded weights by name.
        """
        sample, names, expanded, *weights = tensors
        ctx.again, ctx.rest, ctx.names, ctx.expanded = again, rest, names, expanded
        ctx.save_for_backward(sample, *weights)
        return function(input=sample, **dict(zip(names, weights)), **rest)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The gradient of the input; those of the weights are put where they belong."""
        sample, *weights = ctx.saved_tensors
        (grad,) = grads

        def run(inputs: Any, *values: Any) -> Any:
            return ctx.again(input=inputs, **dict(zip(ctx.names, values)), **ctx.rest)

        def of_one(one: Any, its_grad: Any) -> Any:
            pull = vjp(lambda *values: run(one.unsqueeze(0), *values), *weights)[1]
            return pull(its_grad.unsqueeze(0))

        for expanded, found in zip(ctx.expanded, vmap(of_one)(sample, grad)):
            set_grad_sample_if_exists(expanded, lambda _: found)  # noqa: B023  # called at once
        of_input = None
        if ctx.needs_input_grad[3]:
            graph = is_grad_enabled()
            with enable_grad():
                out = run(sample, *weights)
            (of_input,) = gradients(out, sample, grad, create_graph=graph)
        return None, None, None, of_input, None, None, *(None for _ in weights)


@dataclass(frozen=True)
class Layer:
    """How a layer's function is called with expanded weights."""

    operation: type[PerSampleGrad]
    #: The names of its arguments, in order.
    arguments: tuple[str, ...]
    #: Raises where the function has no samples to keep apart.
    check: Callable[[Any, dict[str, Any]], None]
    #: What computes gradients if not the function: it leaves statistics and tables as they are.
    again: Callable[..., Any] | None

    def __call__(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Call *function*, of whose arguments some are expanded weights."""
        given = dict(zip(self.arguments, args)) | kwargs
        sample = given.pop("input")
        expanded = {name: each for name, each in given.items() if isinstance(each, ExpandedWeight)}
        if not isinstance(sample, Tensor):  # the function says so in its own words
            plain = {name: each.orig_weight for name, each in expanded.items()}
            return function(sample, **given | plain)
        if not isinstance(sample, ExpandedWeight):
            self.check(function, given | {"input": sample})
        check_batch(function, sample, expanded.values())
        rest = {name: each for name, each in given.items() if name not in expanded}
        weights = [each.orig_weight for each in expanded.values()]
        return self.operation.apply(
            function,
            self.again or function,
            rest,
            sample,
            tuple(expanded),
            tuple(expanded.values()),
            *weights,
        )


def _check_linear(function: Any, given: dict[str, Any]) -> None:
    rank = given["input"].dim()
    if rank < 2:
        raise RuntimeError(
            "Input does not have a batch dimension. Expanded Weights expected input of at least "
            f"rank 2, got of rank {rank}"
        )


def _check_convolution(function: Any, given: dict[str, Any]) -> None:
    rank, expected = given["input"].dim(), len(given["weight"].shape)
    if rank == expected - 1:
        raise RuntimeError(
            f"Expanded Weights only support convolution with batched input, got {function} with "
            f"anunbatched input of dim {rank}, expected input of dim {expected}"
        )


def _check_embedding(function: Any, given: dict[str, Any]) -> None:
    if given["input"].dim() == 1:
        raise RuntimeError(
            f"Expanded Weights needs an input with a batch size, got a 1D tensor, {given['input']}"
        )


def _check_layer_norm(function: Any, given: dict[str, Any]) -> None:
    shape = tuple(given["normalized_shape"])
    if len(shape) == given["input"].dim():
        raise RuntimeError(
            "Expanded Weights: Layer norm should not normalize over batch dimension for per "
            f"sample gradientcomputations but got that normalized shape, {shape}, matched input "
            "shape."
        )


def _unchecked(function: Any, given: dict[str, Any]) -> None:
    pass


def _embedding(input: Any, weight: Any, *args: Any, **options: Any) -> Any:
    """Rows of a table that is not scaled down again; as in torch, the row of padding counts."""
    return F.embedding(input, weight)


def _instance_norm(
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    use_input_stats: bool = True,
    **options: Any,
) -> Any:
    """Normalized samples; running statistics are not moved again."""
    if use_input_stats:
        running_mean = running_var = None
    else:
        running_mean, running_var = running_mean.clone(), running_var.clone()
    return F.instance_norm(
        input, running_mean, running_var, weight, bias, use_input_stats, **options
    )


def _layer(
    kind: str,
    arguments: str,
    check: Callable[[Any, dict[str, Any]], None] = _unchecked,
    again: Callable[..., Any] | None = None,
) -> Layer:
    operation = type(f"{kind}PerSampleGrad", (PerSampleGrad,), {"__module__": __name__})
    return Layer(operation, tuple(arguments.split()), check, again)


_CONVOLUTION = _layer(
    "Conv", "input weight bias stride padding dilation groups", _check_convolution
)
#: What can be called with expanded weights, by function.
_LAYERS: dict[Any, Layer] = {
    F.linear: _layer("Linear", "input weight bias", _check_linear),
    F.conv1d: _CONVOLUTION,
    F.conv2d: _CONVOLUTION,
    F.conv3d: _CONVOLUTION,
    F.embedding: _layer(
        "Embedding",
        "input weight padding_idx max_norm norm_type scale_grad_by_freq sparse",
        _check_embedding,
        _embedding,
    ),
    F.layer_norm: _layer("LayerNorm", "input normalized_shape weight bias eps", _check_layer_norm),
    F.group_norm: _layer("GroupNorm", "input num_groups weight bias eps"),
    F.instance_norm: _layer(
        "InstanceNorm",
        "input running_mean running_var weight bias use_input_stats momentum eps",
        again=_instance_norm,
    ),
}


def handle() -> None:
    """Let these functions be called with expanded weights."""
    HANDLED_FUNCTIONS.update(_LAYERS)
