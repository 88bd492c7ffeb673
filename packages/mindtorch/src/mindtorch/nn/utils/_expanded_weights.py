"""Parameters of which each sample of a batch has a gradient of its own.

A layer that is called with :class:`ExpandedWeight` in place of its parameters computes what it
always does; its backward adds to each parameter's ``grad_sample`` what every sample contributes,
and nothing to ``grad``. The gradients of samples are the layer's own, asked for one sample under
``vmap``: no layer has a formula here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mindtorch_autograd import enable_grad, is_grad_enabled

from ...autograd import Function
from ...autograd import grad as gradients
from ...call.subclass import make_subclass
from ...func import vjp, vmap
from ...tensor import Tensor
from .. import functional as F

__all__ = ["ExpandedWeight"]


class ExpandedWeight(Tensor):
    """A parameter for a batch of *batch_size* samples, which only some layers can be called with.

    :param loss_reduction: ``"mean"`` where the loss is the mean over the batch: gradients of
        samples are then those of each sample's own loss.
    """

    def __new__(cls, orig_weight: Any, batch_size: int, loss_reduction: str) -> ExpandedWeight:
        """*orig_weight* as this class has it, with no history."""
        if not isinstance(orig_weight, Tensor):
            kind = type(orig_weight).__name__
            raise RuntimeError(f"Can only make Expanded Weights of Tensors, got {kind}")
        if not orig_weight.requires_grad:
            raise RuntimeError(
                "Can only build ExpandedWeights objects of tensors that requires_grad"
            )
        return make_subclass(cls, orig_weight, True)

    def __init__(self, orig_weight: Tensor, batch_size: int, loss_reduction: str) -> None:
        self.batch_size = batch_size
        self.orig_weight = orig_weight
        self.loss_reduction = loss_reduction

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call a layer's function; no other is known to keep samples apart."""
        layer = LAYERS.get(func)
        if layer is None:
            raise RuntimeError(
                f"Expanded Weights encountered but cannot handle function {func.__name__}"
            )
        return layer.call(func, dict(zip(layer.arguments, args)) | (kwargs or {}))

    # What modules ask of their parameters before they call a function.
    dtype = property(lambda self: self.orig_weight.dtype)
    data = property(lambda self: self.orig_weight.data)
    shape = property(lambda self: self.orig_weight.shape)
    device = property(lambda self: self.orig_weight.device)
    is_cuda = property(lambda self: self.orig_weight.is_cuda)

    def data_ptr(self) -> int:
        """Where the parameter's first element lies."""
        return self.orig_weight.data_ptr()

    def get_device(self) -> int:
        """The index of the parameter's device."""
        return self.orig_weight.get_device()


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
            if expanded.loss_reduction == "mean":
                found = found * expanded.batch_size
            before = getattr(expanded.orig_weight, "grad_sample", None)
            expanded.orig_weight.grad_sample = found if before is None else before + found
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

    def call(self, function: Any, given: dict[str, Any]) -> Any:
        """Call *function*, of whose arguments some are expanded weights."""
        sample = given.pop("input")
        expanded = {name: each for name, each in given.items() if isinstance(each, ExpandedWeight)}
        if isinstance(sample, ExpandedWeight):
            raise RuntimeError(
                "Expanded Weights do not support inputs that are also ExpandedWeights. "
                f"Input must be a Tensor, got {type(sample).__name__} in function "
                f"{function.__name__}"
            )
        if not isinstance(sample, Tensor):  # the function says so in its own words
            plain = {name: each.orig_weight for name, each in expanded.items()}
            return function(sample, **given | plain)
        self.check(function, given | {"input": sample})
        _check_batch(function, sample, list(expanded.values()))
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


def _check_batch(function: Any, sample: Any, weights: list[ExpandedWeight]) -> None:
    """Raise where the input is no batch, or another than that of the weights."""
    name = function.__name__
    if sample.dim() == 0:
        raise RuntimeError(
            "Expanded Weights requires a batch dimension but got an input of size 0 in "
            f"function {name}"
        )
    size = sample.shape[0]
    if size == 0:
        raise RuntimeError(
            "0 is not a valid batch size for Expanded Weights but got input tensor of "
            f"{sample} in function {name}"
        )
    for weight in weights:
        if weight.batch_size != size:
            raise RuntimeError(
                "Expected ExpandedWeights to have batch size matching input but got input batch "
                f"size of {size} with ExpandedWeight of batch size {weight.batch_size}"
            )
        if weight.loss_reduction != weights[0].loss_reduction:
            raise RuntimeError(
                "Expected ExpandedWeights to all have the same loss_reduction argument but got "
                f"onewith {weights[0].loss_reduction} and one with {weight.loss_reduction}"
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
LAYERS: dict[Any, Layer] = {
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
