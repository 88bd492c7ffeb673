"""Masks of the dispatch keys that lie below a functionality."""

from __future__ import annotations

from mindtorch_dispatch import DispatchKey as K

#: Everything below the autograd block, which begins with AutogradOther.
BELOW_AUTOGRAD = int(K.AutogradOther) - 1
#: The bits of all Autograd keys.
AUTOGRAD_BLOCK = ((int(K.AutogradNestedTensor) << 1) - 1) & ~BELOW_AUTOGRAD
BELOW_ADINPLACEORVIEW = int(K.ADInplaceOrView) - 1
BELOW_PIPELINE = int(K.Pipeline) - 1
BELOW_BACKEND_SELECT = int(K.BackendSelect) - 1
