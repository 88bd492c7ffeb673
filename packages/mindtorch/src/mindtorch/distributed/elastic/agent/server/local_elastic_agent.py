"""``torch.distributed.elastic.agent.server.local_elastic_agent``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
