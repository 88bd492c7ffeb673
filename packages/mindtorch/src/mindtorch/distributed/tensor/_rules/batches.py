"""Rules of ops on batches: the first dimension numbers samples, which are independent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .._sharding import Call, Choice, Plan, sharding_rule
from ..placement_types import Partial, Placement, Replicate, Shard
from .families import along_dims

__all__: list[str] = []

_REPLICATE = Replicate()
_FIRST = Shard(0)


@sharding_rule(
    "_adaptive_avg_pool2d",
    "_adaptive_avg_pool2d_backward",
    "_adaptive_avg_pool3d",
    "_adaptive_avg_pool3d_backward",
    "adaptive_max_pool2d",
    "adaptive_max_pool2d_backward",
    "adaptive_max_pool3d",
    "adaptive_max_pool3d_backward",
    "avg_pool2d",
    "avg_pool2d_backward",
    "avg_pool3d",
    "avg_pool3d_backward",
    "max_pool2d_with_indices",
    "max_pool2d_with_indices_backward",
    "max_pool3d_with_indices",
    "max_pool3d_with_indices_backward",
    "max_unpool2d",
    "max_unpool3d",
)
def _pools(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Windows are of one sample and one channel; without samples, of one channel."""
    yield call.same(_FIRST)
    if call.tensors[0].ndim > 3 and "3d" not in call.func._opname or call.tensors[0].ndim > 4:
        yield call.same(Shard(1))


@sharding_rule("fractional_max_pool2d", "fractional_max_pool3d")
def _random_pools(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """As other pools; what is drawn is of each sample and channel, too."""
    if call["self"].ndim == len(call["kernel_size"]) + 2:
        yield call.same(_FIRST)
        yield call.same(Shard(1))


@sharding_rule("native_channel_shuffle", "channel_shuffle")
def _channels(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Channels change places, also of what is to be reduced."""
    yield from along_dims(call, mesh_dim, [1])
    p = call.now(mesh_dim)[0]
    if isinstance(p, Partial):
        yield call.same(p)


@sharding_rule("grid_sampler_2d", "grid_sampler_3d")
def _samples(call: Call, mesh_dim: int) -> Iterable[Choice]:
    yield call.same(_FIRST)


@sharding_rule("pixel_shuffle", "pixel_unshuffle")
def _pixels(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """The last three dimensions belong together."""
    for dim in range(call.tensors[0].ndim - 3):
        yield call.same(Shard(dim))


@sharding_rule("convolution")
def _convolution(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Samples, or the channels that come out where there is one group."""
    others = len(call.tensors) - 1
    if call["input"].ndim != call["weight"].ndim:
        return
    yield call.choice([_FIRST], [_FIRST, *[_REPLICATE] * others])
    if call["groups"] == 1 and not call["transposed"]:
        yield call.choice([Shard(1)], [_REPLICATE, *[_FIRST] * others])


@sharding_rule("convolution_backward")
def _convolution_backward(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Gradients of weight and bias are sums over samples."""
    yield call.choice([_FIRST, Partial(), Partial()], [_FIRST, _FIRST, _REPLICATE])


def _of_samples_here(plan: Plan, *args: Any, **kwargs: Any) -> Any:
    """The op with the number of samples that are here."""
    call, given = plan.call, list(args)
    given[call.names.index("N")] = given[call.names.index("input")].shape[0]
    return call.func(*given, **kwargs)


@sharding_rule("native_group_norm", local=_of_samples_here)
def _group_norm(call: Call, mesh_dim: int) -> Iterable[Choice]:
    yield call.choice([_FIRST] * 3, _by_sample(call, ("input",)))


@sharding_rule("native_group_norm_backward", local=_of_samples_here)
def _group_norm_backward(call: Call, mesh_dim: int) -> Iterable[Choice]:
    inputs = _by_sample(call, ("grad_out", "input", "mean", "rstd"))
    yield call.choice([_FIRST, Partial(), Partial()], inputs)


def _by_sample(call: Call, names: tuple[str, ...]) -> list[Placement]:
    """The arguments called *names* cut by sample, the others whole."""
    cut = [i for name in names for i in call.places.get(name, ())]
    return [_FIRST if i in cut else _REPLICATE for i in range(len(call.tensors))]


@sharding_rule("native_batch_norm", "cudnn_batch_norm", "miopen_batch_norm")
def _batch_norm(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Channels are independent; samples too, where statistics are those from before."""
    channels: list[Placement] = [_FIRST] * len(call.tensors)
    channels[0] = Shard(1)
    learns = "training" not in call or call["training"]
    kept = _FIRST if learns else _REPLICATE  # nothing is saved else
    yield call.choice([Shard(1), kept, kept], channels)
    if not learns:
        yield call.choice([_FIRST, _REPLICATE, _REPLICATE], _by_sample(call, ("input",)))


@sharding_rule("native_batch_norm_backward")
def _batch_norm_backward(call: Call, mesh_dim: int) -> Iterable[Choice]:
    channels: list[Placement] = [_FIRST] * len(call.tensors)
    channels[0] = channels[1] = Shard(1)
    yield call.choice([Shard(1), _FIRST, _FIRST], channels)


_WAYS = (
    "nearest1d nearest2d nearest3d linear1d bilinear2d bicubic2d trilinear3d".split()
    + "nearest_exact1d nearest_exact2d nearest_exact3d bilinear2d_aa bicubic2d_aa".split()
    + ["lanczos2d_aa"]
)


def _resized_here(plan: Plan, *args: Any, **kwargs: Any) -> Any:
    """The op with the size of the input that is here, where the gradient asks for it."""
    call, given = plan.call, list(args)
    spec = plan.outputs[0]
    if "input_size" in call and spec is not None:
        place = call.names.index("input_size")
        size, here = list(given[place]), given[0].shape
        given[place] = [here[0], here[1], *size[2:]]
    return call.func(*given, **kwargs)


@sharding_rule(
    *(f"{'_' * ('exact' in w or w.endswith('aa'))}upsample_{w}" for w in _WAYS),
    *(f"{'_' * ('exact' in w or w.endswith('aa'))}upsample_{w}_backward" for w in _WAYS),
    local=_resized_here,
)
def _resized(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Pictures are resized by sample and channel, by a linear function."""
    yield call.same(_FIRST)
    yield call.same(Shard(1))
    for name in Partial.LINEAR_REDUCE_OPS:
        yield call.same(Partial(name))
