"""``torch.distributed.elastic.multiprocessing.errors.error_handler``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
