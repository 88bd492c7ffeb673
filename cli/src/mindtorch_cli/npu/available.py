"""What commands say that run a script on an NPU where there is none."""

from __future__ import annotations

import mindtorch as torch
import typer

__all__ = ["need_npu"]


def need_npu() -> None:
    """End with code 2 where no NPU can be had, with the reason."""
    if torch.npu.is_available():
        return
    try:
        torch.npu.init()
        return
    except AssertionError:  # as torch without CUDA says it
        reason = "there is no NPU: MINDTORCH_NPU_DEVICES or ASCEND_RT_VISIBLE_DEVICES leaves none"
    except (RuntimeError, ValueError) as error:
        reason = f"there is no NPU: {error}"
    raise typer.BadParameter(reason)
