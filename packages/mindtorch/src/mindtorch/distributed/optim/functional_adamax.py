"""``torch.distributed.optim.functional_adamax``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
