"""What ``DistributedDataParallel`` says: of hooks it cannot use, of unfinished steps."""

from __future__ import annotations

import inspect
from typing import Any

import mindtorch.distributed as dist

from ... import futures
from ...aten import torch

__all__ = ["UNFINISHED", "objection_to"]

UNFINISHED = (
    "Expected to have finished reduction in the prior iteration before starting a new one. This "
    "error indicates that your module has parameters that were not used in producing loss. You "
    "can enable unused parameter detection by passing the keyword argument "
    "`find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`, and by \n"
    "making sure all `forward` function outputs participate in calculating loss. \nIf you already "
    "have done the above, then the distributed data parallel module wasn't able to locate the "
    "output tensors in the return value of your module's `forward` function. Please include the "
    "loss function and the structure of the return value of `forward` of your module when "
    "reporting this issue (e.g. list, dict, iterable).\nParameter indices which did not receive "
    "grad for rank {rank}: {indices}\n In addition, you can set the environment variable "
    "TORCH_DISTRIBUTED_DEBUG to either INFO or DETAIL to print out information about which "
    "particular parameters did not receive gradient on this rank as part of this error"
)


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
