"""``torch.distributed.algorithms.ddp_comm_hooks.ddp_zero_hook``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
