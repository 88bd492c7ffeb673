"""``torch.ao.pruning.scheduler.cubic_scheduler``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
