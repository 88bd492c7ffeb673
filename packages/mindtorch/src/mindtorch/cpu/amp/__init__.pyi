# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import autocast_mode as autocast_mode
from . import grad_scaler as grad_scaler
from mindtorch.cpu.amp.autocast_mode import autocast as autocast
from mindtorch.cpu.amp.grad_scaler import GradScaler as GradScaler

