"""``torch.distributed.nn.jit.templates``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
