"""``torch.distributed.elastic.multiprocessing.api``: names that refuse, and streams."""

from mindtorch._unavailable import offer_listed

from . import SignalException as SignalException
from . import Std as Std
from . import to_map as to_map

offer_listed(globals())
