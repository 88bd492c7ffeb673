"""``torch.distributed.flight_recorder.components``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
