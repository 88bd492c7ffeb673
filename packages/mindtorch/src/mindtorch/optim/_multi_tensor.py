"""The optimizers with ``foreach=True``, under their older home."""

from __future__ import annotations

import functools
from typing import Any, TypeVar

from . import adadelta as _adadelta
from . import adagrad as _adagrad
from . import adam as _adam
from . import adamax as _adamax
from . import adamw as _adamw
from . import asgd as _asgd
from . import nadam as _nadam
from . import radam as _radam
from . import rmsprop as _rmsprop
from . import rprop as _rprop
from . import sgd as _sgd

C = TypeVar("C", bound=type)


def partialclass(cls: C, *args: Any, **kwargs: Any) -> C:
    """A subclass of *cls* of the same name, whose arguments are given beforehand."""
    begin: Any = vars(cls)["__init__"]
    init = functools.partialmethod(begin, *args, **kwargs)
    body = {"__init__": init, "__module__": __name__, "__doc__": cls.__doc__}
    made: Any = type(cls.__name__, (cls,), body)
    return made


Adam = partialclass(_adam.Adam, foreach=True)
AdamW = partialclass(_adamw.AdamW, foreach=True)
NAdam = partialclass(_nadam.NAdam, foreach=True)
SGD = partialclass(_sgd.SGD, foreach=True)
RAdam = partialclass(_radam.RAdam, foreach=True)
RMSprop = partialclass(_rmsprop.RMSprop, foreach=True)
Rprop = partialclass(_rprop.Rprop, foreach=True)
ASGD = partialclass(_asgd.ASGD, foreach=True)
Adamax = partialclass(_adamax.Adamax, foreach=True)
Adadelta = partialclass(_adadelta.Adadelta, foreach=True)
Adagrad = partialclass(_adagrad.Adagrad, foreach=True)
