"""Training in fewer bits: forward and backward see copies of parameters, of a lower dtype."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...aten import torch
from ...distributed.utils import _free_storage

__all__ = ["LowPrecision"]


@dataclass
class _MixedPrecision:
    """The dtypes that ``DistributedDataParallel`` computes in; None: the parameters' own.

    :ivar param_dtype: of parameters and inputs, in forward and backward.
    :ivar reduce_dtype: of gradients while they are averaged; None: *param_dtype*.
    :ivar buffer_dtype: of buffers, from the beginning on.
    """

    param_dtype: torch.dtype | None = None
    reduce_dtype: torch.dtype | None = None
    buffer_dtype: torch.dtype | None = None


class LowPrecision:
    """The parameters of a wrapped module and their copies, by which they are replaced in a step.

    Each has its numbers as ``_fp_param`` and the copy as ``_mp_param``, whose memory is there in
    steps only. Buffers are cast once. Only floating-point tensors are cast.
    """

    def __init__(self, ddp: Any, config: _MixedPrecision) -> None:
        self.dtype = config.param_dtype
        ddp.reducer.reduce_dtype = config.reduce_dtype
        self._parameters = []
        self._inside = False
        if self.dtype is not None:
            self._parameters = [p for p in ddp._module_parameters if p.is_floating_point()]
        for p in self._parameters:
            p._fp_param = p.data
            p._mp_param = torch.zeros_like(p, dtype=self.dtype, requires_grad=False)
            _free_storage(p._mp_param)
        if config.buffer_dtype is not None:
            for b in ddp.modules_buffers:
                if b.is_floating_point():
                    b.data = b.to(config.buffer_dtype)

    def begin(self) -> None:
        """Let the parameters be their copies."""
        self._inside = True
        with torch.no_grad():
            for p in self._parameters:
                low = p._mp_param
                low.untyped_storage().resize_(low.numel() * low.element_size())
                low.copy_(p._fp_param)
                p.data = low
                if p.grad is not None:
                    p.grad.data = p.grad.to(low.dtype)

    def end(self) -> None:
        """Let them be what they were, with their gradients."""
        if not self._inside:
            return
        self._inside = False
        with torch.no_grad():
            for p in self._parameters:
                p.data = p._fp_param
                _free_storage(p._mp_param)
                if p.grad is not None:
                    p.grad.data = p.grad.to(p.dtype)
