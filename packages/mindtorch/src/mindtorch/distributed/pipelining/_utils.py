"""``torch.distributed.pipelining._utils``: ranks of stages, flat arguments, metadata."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...fx import Graph
from ...tensor import Tensor
from ...utils._pytree import tree_flatten, tree_unflatten
from ._metadata import (
    GetMeshCallback,
    InferenceMode,
    MeshCacheKey,
    PipeliningMetadataError,
    TensorMeta,
    _derive_grad_metas,
    _DTensorMeta,
    _make_tensor_from_meta,
    _MeshCache,
    _StageBackwardMeta,
    _StageForwardMeta,
    _StageMeta,
    _TensorMeta,
    extract_tensor_meta,
    extract_tensor_metas,
    to_local_if_dtensor,
)
from ._metadata_checks import (
    validate_and_normalize_to_tuple,
    validate_metadata,
    validate_static_arg_grad_correspondence,
    validate_tensors_metadata,
)

__all__ = [
    "GetMeshCallback",
    "InferenceMode",
    "MeshCacheKey",
    "PipeInfo",
    "PipeliningMetadataError",
    "TensorMeta",
    "_DTensorMeta",
    "_MeshCache",
    "_StageBackwardMeta",
    "_StageForwardMeta",
    "_StageMeta",
    "_TensorMeta",
    "_derive_grad_metas",
    "_make_tensor_from_meta",
    "extract_tensor_meta",
    "extract_tensor_metas",
    "flatten_args",
    "flatten_args_detach",
    "generate_rank_to_stage_mapping",
    "generate_stage_to_rank_mapping",
    "to_local_if_dtensor",
    "validate_and_normalize_to_tuple",
    "validate_metadata",
    "validate_static_arg_grad_correspondence",
    "validate_tensors_metadata",
]


@dataclass(slots=True)
class PipeInfo:
    """What a stage has to know of the model that it is cut from."""

    graph: Graph
    num_stages: int
    has_loss_and_backward: bool


def flatten_args(args: Any, *, detach: bool = False) -> Any:
    """List the leaves of nested arguments.

    :param detach: give, too, the arguments with tensors that are leaves of a new graph.
    """
    flat, spec = tree_flatten(args)
    if not detach:
        return flat
    flat = [
        a.detach().requires_grad_(a.requires_grad) if isinstance(a, Tensor) else a for a in flat
    ]
    return tree_unflatten(flat, spec), flat


def flatten_args_detach(args: Any) -> Any:
    """List the leaves of nested arguments, detached: ``flatten_args(args, detach=True)``."""
    return flatten_args(args, detach=True)


def generate_stage_to_rank_mapping(
    pp_size: int, num_stages: int, style: str = "loop"
) -> dict[int, int]:
    """Say which rank has which stage.

    :param style: ``"loop"`` deals stages out in turn, ``"v"`` back and forth.

    Raises ValueError for other styles, and for a V of stages that do not divide evenly.
    """
    if style not in ("loop", "v"):
        raise ValueError(f"Style {style} is not supported.")
    if style == "v" and num_stages % pp_size != 0:
        raise ValueError(
            f"num_stages {num_stages} must be evenly divisible by pp_size {pp_size} for V schedules"
        )
    ranks = {}
    for stage in range(num_stages):
        turn, place = divmod(stage, pp_size)
        ranks[stage] = pp_size - 1 - place if style == "v" and turn % 2 else place
    return ranks


def generate_rank_to_stage_mapping(
    pp_size: int, num_stages: int, style: str = "loop"
) -> dict[int, list[int]]:
    """Say which stages a rank has, in their order."""
    stages: dict[int, list[int]] = {}
    for stage, rank in generate_stage_to_rank_mapping(pp_size, num_stages, style).items():
        stages.setdefault(rank, []).append(stage)
    return stages
