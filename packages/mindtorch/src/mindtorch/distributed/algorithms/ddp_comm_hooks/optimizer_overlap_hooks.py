"""``torch.distributed.algorithms.ddp_comm_hooks.optimizer_overlap_hooks``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
