"""An optimizer, after the steps of which a model is averaged."""

from __future__ import annotations

from typing import Any

from ...core.warning import warn
from ...optim.optimizer import Optimizer

__all__ = ["PostLocalSGDOptimizer"]


class PostLocalSGDOptimizer(Optimizer):
    """An optimizer, after the steps of which a model is averaged."""

    def __init__(self, optim: Optimizer, averager: Any) -> None:
        self.optim = optim
        self.param_groups = self.optim.param_groups
        self.averager = averager

    @property
    def state(self) -> Any:  # type: ignore[override]  # that of the optimizer inside
        """The state of the optimizer."""
        return self.optim.state

    def __repr__(self) -> str:
        return self.optim.__repr__()

    def state_dict(self) -> dict[str, Any]:
        """The state of the optimizer, and the step."""
        return {**self.optim.state_dict(), "step": self.averager.step}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load the state of the optimizer, and the step; warn where that is missing."""
        self.optim.load_state_dict(state_dict)
        if "step" not in state_dict:
            warn(
                "Loaded state dict does not contain a step counter for an averager. Setting step "
                "counter to 0.",
            )
        self.averager.step = state_dict.get("step", 0)

    def step(self) -> None:  # type: ignore[override]  # as torch: no closure
        """Step, then average."""
        self.optim.step()
        self.averager.average_parameters(params=self.param_groups)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget gradients."""
        self.optim.zero_grad(set_to_none=set_to_none)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Take more parameters."""
        self.optim.add_param_group(param_group)
