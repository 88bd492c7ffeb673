"""``torch.distributed.optim.functional_adadelta``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
