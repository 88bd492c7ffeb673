"""``torch.optim``: optimizers and their learning rate schedules."""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any

from ..core.submodules import reached as _reached
from . import lr_scheduler
from ._adafactor import Adafactor
from ._muon import Muon
from .adadelta import Adadelta
from .adagrad import Adagrad
from .adam import Adam
from .adamax import Adamax
from .adamw import AdamW
from .asgd import ASGD
from .lbfgs import LBFGS
from .nadam import NAdam
from .optimizer import Optimizer
from .radam import RAdam
from .rmsprop import RMSprop
from .rprop import Rprop
from .sgd import SGD
from .sparse_adam import SparseAdam

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Muon",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "SparseAdam",
    "lr_scheduler",
    "swap_in_optimizer_params_and_state",
    "swa_utils",
]

_MODULES = ("_adafactor", "_functional", "_multi_tensor", "_muon", "_stateless", "swa_utils")
__getattr__ = _reached(__name__, _MODULES, {"swap_in_optimizer_params_and_state": "._stateless"})


def __dir__() -> list[str]:
    return sorted(__all__)
