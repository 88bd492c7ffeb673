"""Deferred execution: the queue, and the context that records into it."""

from mindtorch_dispatch import Entry, Pipeline, current_pipeline

from ..tensor.pipelines import pipeline as pipeline_context

__all__ = ["Entry", "Pipeline", "current_pipeline", "pipeline_context"]
