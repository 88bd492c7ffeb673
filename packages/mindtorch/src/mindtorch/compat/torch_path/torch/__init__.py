"""Becomes mindtorch when it is imported.

The folder above stands on ``sys.path`` and in ``PYTHONPATH`` once :func:`mindtorch.as_torch` was
called, so that child processes, too, find mindtorch as torch.
"""

from mindtorch.compat.import_alias import as_torch

as_torch()
