"""``torch._weights_only_unpickler``: :mod:`mindtorch.serialization.weights_only_unpickler`."""

import sys

from mindtorch.serialization import weights_only_unpickler

# The module itself: it is handed over as a pickle module, and looked for as one.
sys.modules[__name__] = weights_only_unpickler
