"""``torch.distributed.optim.functional_rmsprop``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
