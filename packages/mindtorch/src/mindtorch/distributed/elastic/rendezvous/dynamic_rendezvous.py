"""``torch.distributed.elastic.rendezvous.dynamic_rendezvous``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
