"""``torch.cpu.amp``: the older names of ``torch.amp``, for the device type cpu."""

from .autocast_mode import autocast
from .grad_scaler import GradScaler
