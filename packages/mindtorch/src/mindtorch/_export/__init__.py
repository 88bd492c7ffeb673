"""``torch._export``: what ``torch.export`` is made of."""

from ..core.submodules import reached as _reached

__getattr__ = _reached(__name__, ("config", "passes", "serde", "utils", "verifier", "wrappers"))
