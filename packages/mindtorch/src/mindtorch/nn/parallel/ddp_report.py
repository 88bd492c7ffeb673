"""What ``DistributedDataParallel`` says: of hooks, unfinished steps and settings."""

from __future__ import annotations

import inspect
import os
from typing import Any

import mindtorch.distributed as dist

from ... import futures
from ...aten import torch

__all__ = ["objection_to", "unfinished"]

#: The variables of the environment that decide how processes find and reach each other.
_VARIABLES = (
    "RANK LOCAL_RANK WORLD_SIZE MASTER_PORT MASTER_ADDR CUDA_VISIBLE_DEVICES GLOO_SOCKET_IFNAME "
    "GLOO_DEVICE_TRANSPORT NCCL_SOCKET_IFNAME TORCH_NCCL_BLOCKING_WAIT NCCL_DEBUG "
    "NCCL_DEBUG_SUBSYS NCCL_IB_DISABLE NCCL_P2P_DISABLE NCCL_P2P_LEVEL NCCL_SHM_DISABLE "
    "NCCL_SOCKET_NTHREADS NCCL_NSOCKS_PERTHREAD NCCL_BUFFSIZE NCCL_NTHREADS NCCL_RINGS "
    "NCCL_MAX_NCHANNELS NCCL_MIN_NCHANNELS NCCL_CHECKS_DISABLE NCCL_CHECK_POINTERS "
    "NCCL_LAUNCH_MODE NCCL_IB_HCA NCCL_IB_TIMEOUT NCCL_IB_RETRY_CNT NCCL_IB_GID_INDEX NCCL_IB_SL "
    "NCCL_IB_TC NCCL_IB_AR_THRESHOLD NCCL_IB_CUDA_SUPPORT NCCL_NET_GDR_LEVEL NCCL_NET_GDR_READ "
    "NCCL_SINGLE_RING_THRESHOLD NCCL_LL_THRESHOLD NCCL_TREE_THRESHOLD NCCL_ALGO NCCL_PROTO "
    "NCCL_IGNORE_CPU_AFFINITY NCCL_DEBUG_FILE NCCL_COLLNET_ENABLE NCCL_TOPO_FILE "
    "NCCL_TOPO_DUMP_FILE TORCH_NCCL_ASYNC_ERROR_HANDLING"
).split()

_UNFINISHED = (
    "Expected to have finished reduction in the prior iteration before starting a new one. This "
    "error indicates that your "
)
_UNUSED = (
    "module has parameters that were not used in producing loss. You can enable unused parameter "
    "detection by passing the keyword argument `find_unused_parameters=True` to "
    "`torch.nn.parallel.DistributedDataParallel`, and by \n"
    "making sure all `forward` function outputs participate in calculating loss. \nIf you already "
    "have done the above, then the distributed data parallel module wasn't able to locate the "
    "output tensors in the return value of your module's `forward` function. Please include the "
    "loss function and the structure of the return value of `forward` of your module when "
    "reporting this issue (e.g. list, dict, iterable)."
)
_CHANGED = (
    "training graph has changed in this iteration, e.g., one parameter is used in first iteration, "
    "but then got unused in the second iteration. this is not compatible with static_graph set to "
    "True."
)
_MORE = (
    "\n In addition, you can set the environment variable TORCH_DISTRIBUTED_DEBUG to either INFO "
    "or DETAIL to print out information about which particular parameters did not receive gradient "
    "on this rank as part of this error"
)


def unfinished(reducer: Any) -> str:
    """What is said where gradients of the last backward are missing.

    Parameters are named where ``TORCH_DISTRIBUTED_DEBUG`` asks for details.
    """
    came, rank = reducer.arrived(), reducer.group.rank()
    expected = range(len(reducer.parameters)) if reducer.graph is None else sorted(reducer.graph)
    missing = [i for i in expected if i not in came]
    text = _UNFINISHED + (_CHANGED if reducer.static else _UNUSED)
    told = dist.get_debug_level() != dist.DebugLevel.OFF
    if told:  # the last comes first, as in torch's tables of names
        names = ", ".join(reducer.names[i] for i in reversed(missing))
        text += f"\nParameters which did not receive grad for rank {rank}: {names}"
    shown = " ".join(map(str, missing))
    text += f"\nParameter indices which did not receive grad for rank {rank}: {shown}"
    return text if told else text + _MORE


def objection_to(hook: Any) -> tuple[type[Exception], str] | None:
    """Why *hook* cannot reduce buckets of gradients; None if it can."""
    if not callable(hook):
        return TypeError, "Communication hook must be callable."
    signature = inspect.signature(hook)
    kind = signature.parameters["bucket"].annotation
    if kind not in (inspect._empty, dist.GradBucket) and not isinstance(kind, str):
        return ValueError, "Communication hook: bucket annotation should be dist.GradBucket."
    gives = signature.return_annotation
    allowed = (
        inspect._empty,
        futures.Future[torch.Tensor],
        futures.Future,
        Any,
    )
    if gives not in allowed and not isinstance(gives, str):
        return ValueError, (
            "Communication hook: return annotation should be torch.futures.Future[torch.Tensor]."
        )
    if getattr(hook, "__name__", "") in ("bf16_compress_hook", "bf16_compress_wrapper_hook"):
        return TypeError, (
            "BF16 all reduce communication hook required CUDA 11+ and NCCL 2.10+ or XPU and XCCL"
        )
    return None


def _dump_DDP_relevant_env_vars() -> None:
    """Print the variables of the environment by which processes find and reach each other."""
    print("".join(f"env:{name}={os.environ.get(name, 'N/A')}\n" for name in _VARIABLES))
