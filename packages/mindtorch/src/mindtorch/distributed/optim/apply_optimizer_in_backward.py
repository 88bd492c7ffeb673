"""``torch.distributed.optim.apply_optimizer_in_backward``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
