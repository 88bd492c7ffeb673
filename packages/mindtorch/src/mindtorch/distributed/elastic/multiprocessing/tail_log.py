"""``torch.distributed.elastic.multiprocessing.tail_log``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
