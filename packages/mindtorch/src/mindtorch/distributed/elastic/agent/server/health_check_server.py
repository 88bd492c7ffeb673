"""``torch.distributed.elastic.agent.server.health_check_server``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
