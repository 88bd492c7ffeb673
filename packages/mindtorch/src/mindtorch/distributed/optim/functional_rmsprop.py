"""``torch.distributed.optim.functional_rmsprop``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
