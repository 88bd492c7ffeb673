"""``torch.ao.pruning.scheduler.base_scheduler``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
