"""``torch.distributed.elastic.timer.file_based_local_timer``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
