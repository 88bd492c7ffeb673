"""``torch._numpy``: numpy's functions and arrays over tensors."""

from __future__ import annotations

from math import e, inf, nan, pi

from . import _dtypes, _funcs, _ufuncs, fft, linalg, random
from ._dtypes import *
from ._getlimits import finfo, iinfo
from ._ndarray import (
    array,
    asarray,
    ascontiguousarray,
    can_cast,
    from_dlpack,
    ndarray,
    newaxis,
    result_type,
)
from ._util import AxisError, UFuncTypeError

globals().update({name: vars(_funcs)[name] for name in _funcs.__all__})
globals().update({name: vars(_ufuncs)[name] for name in _ufuncs.__all__})

False_ = False
True_ = True
