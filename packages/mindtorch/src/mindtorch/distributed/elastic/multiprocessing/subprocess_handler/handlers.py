"""``torch.distributed.elastic.multiprocessing.subprocess_handler.handlers``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
