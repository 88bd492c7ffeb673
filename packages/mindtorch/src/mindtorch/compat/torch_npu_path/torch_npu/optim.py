"""Optimizers whose steps are fused on the hardware: torch's own, with their fused clipping.

The hardware's keep parameters and states in one piece of memory for each dtype, which these do
not: a plan of a program shows the states one by one.
"""

from __future__ import annotations

from typing import Any

from mindtorch import optim
from mindtorch.nn.utils import clip_grad_norm_

__all__ = [
    "NpuFusedAdadelta",
    "NpuFusedAdam",
    "NpuFusedAdamW",
    "NpuFusedOptimizerBase",
    "NpuFusedRMSprop",
    "NpuFusedSGD",
]


class NpuFusedOptimizerBase:
    """What fused optimizers have in common."""

    param_groups: list[dict[str, Any]]

    def clip_grad_norm_fused_(self, max_norm: float, norm_type: float = 2.0) -> Any:
        """Scale the gradients of all parameters so that their norm is at most *max_norm*.

        The norm before is returned.
        """
        every = [p for group in self.param_groups for p in group["params"]]
        return clip_grad_norm_(every, max_norm, norm_type)


class NpuFusedAdam(NpuFusedOptimizerBase, optim.Adam):
    """``torch.optim.Adam``."""


class NpuFusedAdamW(NpuFusedOptimizerBase, optim.AdamW):
    """``torch.optim.AdamW``."""


class NpuFusedSGD(NpuFusedOptimizerBase, optim.SGD):
    """``torch.optim.SGD``."""


class NpuFusedRMSprop(NpuFusedOptimizerBase, optim.RMSprop):
    """``torch.optim.RMSprop``."""


class NpuFusedAdadelta(NpuFusedOptimizerBase, optim.Adadelta):
    """``torch.optim.Adadelta``."""
