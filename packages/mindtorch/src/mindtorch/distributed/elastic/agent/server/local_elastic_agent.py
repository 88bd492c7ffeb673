"""``torch.distributed.elastic.agent.server.local_elastic_agent``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
