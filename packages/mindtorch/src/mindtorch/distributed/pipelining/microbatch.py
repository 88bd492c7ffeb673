"""``torch.distributed.pipelining.microbatch``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
