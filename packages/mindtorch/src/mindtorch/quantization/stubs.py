"""``torch.quantization.stubs``: its older place."""

from ..ao.quantization import stubs as _home

__all__ = list(_home.__all__)
globals().update({name: getattr(_home, name) for name in __all__})
