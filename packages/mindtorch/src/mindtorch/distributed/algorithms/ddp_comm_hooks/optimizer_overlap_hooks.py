"""``torch.distributed.algorithms.ddp_comm_hooks.optimizer_overlap_hooks``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
