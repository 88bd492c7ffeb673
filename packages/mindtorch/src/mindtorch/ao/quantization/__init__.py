"""``torch.ao.quantization``: observers, rounding in training, and layers that become one.

Models are quantized module by module (:mod:`quantize`) or by their graphs (:mod:`quantize_fx`).
"""

from __future__ import annotations

from mindtorch.core.unavailable import offer_listed

from . import (
    fake_quantize,
    fuser_method_mappings,
    observer,
    qconfig,
    qconfig_mapping,
    quant_type,
    quantization_mappings,
    stubs,
)
from . import fuse_modules as _fusing
from . import quantize as _preparing

#: What the modules offer and the package does not.
_INNER = ("fuse_known_modules", "is_activation_post_process")
__all__: list[str] = []
for _module in (
    *(stubs, fake_quantize, observer, qconfig, qconfig_mapping, quant_type, _preparing),
    *(fuser_method_mappings, _fusing, quantization_mappings),
):
    _names = [name for name in _module.__all__ if name not in (*__all__, *_INNER)]
    globals().update({name: getattr(_module, name) for name in _names})
    __all__ += _names

offer_listed(globals())
