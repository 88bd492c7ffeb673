"""``torch.distributed.elastic.multiprocessing.subprocess_handler.handlers``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
