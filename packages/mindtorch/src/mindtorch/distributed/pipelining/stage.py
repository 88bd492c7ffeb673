"""``torch.distributed.pipelining.stage``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

from . import PipelineStage as PipelineStage
from . import build_stage as build_stage

offer_listed(globals())
