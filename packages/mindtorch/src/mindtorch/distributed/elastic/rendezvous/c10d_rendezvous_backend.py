"""``torch.distributed.elastic.rendezvous.c10d_rendezvous_backend``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
