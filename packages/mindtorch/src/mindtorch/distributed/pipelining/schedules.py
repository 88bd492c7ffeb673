"""``torch.distributed.pipelining.schedules``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

from . import Schedule1F1B as Schedule1F1B
from . import ScheduleGPipe as ScheduleGPipe
from . import ScheduleInterleaved1F1B as ScheduleInterleaved1F1B
from . import ScheduleInterleavedZeroBubble as ScheduleInterleavedZeroBubble
from . import ScheduleLoopedBFS as ScheduleLoopedBFS
from . import ScheduleZBVZeroBubble as ScheduleZBVZeroBubble

offer_listed(globals())
