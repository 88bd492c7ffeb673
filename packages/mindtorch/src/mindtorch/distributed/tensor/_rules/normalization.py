"""Rules of normalizations over the last dimensions."""

from __future__ import annotations

from collections.abc import Iterable

from .._sharding import Call, Choice, sharding_rule
from ..placement_types import Partial, Placement, Replicate, Shard

__all__: list[str] = []


def _cut(call: Call, of: str, partial: int | None = None) -> Iterable[Choice]:
    """Cut along the dimensions before those that are normalized; weight and bias are whole.

    :param of: the argument that is normalized.
    :param partial: from which result on they are sums over what is cut.
    """
    spec = call[of]
    whole = [i for name in ("weight", "bias") for i in call.places.get(name, ())]
    for dim in range(spec.ndim - len(call["normalized_shape"])):
        inputs: list[Placement] = [
            Replicate() if i in whole else Shard(dim) for i in range(len(call.tensors))
        ]
        outputs: list[Placement] = [
            Partial() if partial is not None and i >= partial else Shard(dim)
            for i in range(len(call.metas))
        ]
        yield call.choice(outputs, inputs)


@sharding_rule("native_layer_norm", "_fused_rms_norm")
def _forward(call: Call, mesh_dim: int) -> Iterable[Choice]:
    return _cut(call, "input")


@sharding_rule("native_layer_norm_backward", "_fused_rms_norm_backward")
def _backward(call: Call, mesh_dim: int) -> Iterable[Choice]:
    return _cut(call, "input", partial=1)
