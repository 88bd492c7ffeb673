"""Masks of the dispatch keys that lie below a functionality."""

from __future__ import annotations

from mindtorch_dispatch import DispatchKey as K

_TOP = int(K.AutogradNestedTensor)
for _k in K:
    if _k.name.startswith("Autograd") and _k.name not in ("Autograd",):
        _TOP = max(_TOP, int(_k))
_BOTTOM = int(K.AutogradOther)
for _k in K:
    if _k.name.startswith("Autograd") and _k.name not in ("Autograd",):
        _BOTTOM = min(_BOTTOM, int(_k))

#: The bits of all Autograd keys.
AUTOGRAD_BLOCK = (_TOP << 1) - _BOTTOM
#: Everything below the autograd block (the alias keys among it).
BELOW_AUTOGRAD = _BOTTOM - 1
BELOW_ADINPLACEORVIEW = int(K.ADInplaceOrView) - 1
BELOW_PIPELINE = int(K.Pipeline) - 1
BELOW_BACKEND_SELECT = int(K.BackendSelect) - 1
