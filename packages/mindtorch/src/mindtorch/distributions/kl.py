"""Kullback-Leibler divergences between distributions, found by the distributions' classes."""

from __future__ import annotations

from ..core.module_names import adopt
from . import _kl_across_families, _kl_in_families, _kl_registry
from ._kl_across_families import *  # noqa: F403  # the formulas by torch's names
from ._kl_in_families import *  # noqa: F403  # the same
from ._kl_registry import _KL_MEMOIZE as _KL_MEMOIZE
from ._kl_registry import _KL_REGISTRY as _KL_REGISTRY
from ._kl_registry import _batch_trace_XXT as _batch_trace_XXT
from ._kl_registry import _dispatch_kl as _dispatch_kl
from ._kl_registry import _infinite_like as _infinite_like
from ._kl_registry import _Match as _Match
from ._kl_registry import _x_log_x as _x_log_x
from ._kl_registry import kl_divergence, register_kl

__all__ = ["register_kl", "kl_divergence"]

adopt(__name__, _kl_across_families, _kl_in_families, _kl_registry)
