"""``torch.nn.utils``: what is done to modules and to many parameters at once."""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any

from ...core.submodules import reached as _reached
from .clip_grad import clip_grad_norm, clip_grad_norm_, clip_grad_value_, get_total_norm
from .clip_grad import clip_grads_with_norm_ as clip_grads_with_norm_
from .convert_parameters import parameters_to_vector, vector_to_parameters

# Modules and functions of one name: the function is meant, whoever imports the module later.
from .spectral_norm import remove_spectral_norm, spectral_norm
from .weight_norm import remove_weight_norm, weight_norm

__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "convert_conv2d_weight_memory_format",
    "convert_conv3d_weight_memory_format",
    "fuse_conv_bn_eval",
    "fuse_conv_bn_weights",
    "fuse_linear_bn_eval",
    "fuse_linear_bn_weights",
    "get_total_norm",
    "parameters_to_vector",
    "parametrizations",
    "remove_spectral_norm",
    "remove_weight_norm",
    "rnn",
    "skip_init",
    "spectral_norm",
    "stateless",
    "vector_to_parameters",
    "weight_norm",
]

#: Functions by the module that has them.
_HOMES = {
    "fusion": "fuse_conv_bn_eval fuse_conv_bn_weights fuse_linear_bn_eval fuse_linear_bn_weights",
    "init": "skip_init",
    "memory_format": "convert_conv2d_weight_memory_format convert_conv3d_weight_memory_format",
}
_HOME_OF = {name: f".{module}" for module, names in _HOMES.items() for name in names.split()}
_MODULES = frozenset(("parametrizations", "parametrize", "rnn", "stateless"))


__getattr__ = _reached(__name__, {*_MODULES, *_HOMES, "_named_member_accessor"}, _HOME_OF)


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES})
