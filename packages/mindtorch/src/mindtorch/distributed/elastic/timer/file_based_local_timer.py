"""``torch.distributed.elastic.timer.file_based_local_timer``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
