"""``torch.distributed.optim.apply_optimizer_in_backward``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
