"""Becomes mindtorch when it is imported.

The folder above stands on ``sys.path`` and in ``PYTHONPATH`` once :func:`mindtorch.as_torch` was
called, so that child processes, too, find mindtorch as torch.
"""

import mindtorch

mindtorch.as_torch()
