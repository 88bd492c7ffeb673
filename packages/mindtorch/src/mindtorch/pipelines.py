"""``torch.pipeline()``: deferred execution for a block of code."""

from __future__ import annotations

from mindtorch_dispatch import Pipeline, current_pipeline
from mindtorch_dispatch import pipeline_context as pipeline

__all__ = ["Pipeline", "current_pipeline", "pipeline"]
