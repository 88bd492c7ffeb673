"""``torch.Tensor``: its slots, and methods that come from the op rows.

=========  ========================================================================
slot       holds
=========  ========================================================================
_a_        the ndarray: shape, strides, dtype and (but for meta tensors) the memory
_sig_      the call signature, see :mod:`mindtorch.core.signature`
_shared_   :class:`Alias`: version counter and storage, one for all tensors over the
           same memory; None until first needed
_edge_     where gradients go: a ``Node``, an ``Output`` (one result of several); None
           where no gradient is wanted; a :class:`Leaf` for a leaf that requires grad (its
           AccumulateGrad node is made on demand and held weakly)
_meta_     what an interned layout says, see :mod:`mindtorch.tensor.interning`
_state_    rare things: None, or a :class:`State`. Of a view its base, if nothing else is to be
           said of it; or (base, version of its edge, how it was made)
_content_  of a tensor with a functionality of its own what it consists of (see
           :mod:`mindtorch.tensor.sparse_content`), of a functional one what it stands for (see
           :mod:`mindtorch.functionality.functional_tensor`); not set where the signature names none
=========  ========================================================================

Subclasses keep attributes of their own, such as ``_meta``: so these names end in an underscore.

For a pending tensor and for one on the NPU ``_a_`` is the memory that *will be* written; reading
it goes through :meth:`Tensor._host_`, which flushes and waits.
"""

from __future__ import annotations

from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core import signature as S
from .casting import Casting
from .conversion import Conversion
from .disabled import (
    default_torch_function,
    disabled_torch_dispatch,
    disabled_torch_function,
)
from .gradient import Gradient, not_writable
from .layout import Layout
from .legacy import legacy_tensor
from .protocol import Protocol
from .replay import Replay
from .tensor_impl import LEAF, Alias, Leaf, State, base_of, is_leaf, state_of


class Tensor(Layout, Conversion, Casting, Gradient, Protocol, Replay):
    """A multi-dimensional array of one dtype on one device, as ``torch.Tensor``."""

    __slots__ = (
        "__dict__", "__weakref__", "_a_", "_content_", "_edge_", "_meta_", "_shared_", "_sig_",
        "_state_",
    )  # fmt: skip

    _a_: np.ndarray[Any, Any]
    _sig_: int
    _shared_: Alias | None
    _edge_: Any
    _state_: Any
    _content_: Any

    __array_priority__ = 1000
    __module__ = "torch"

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        return legacy_tensor(cls, args, kwargs)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    if TYPE_CHECKING:  # methods of ops are attached by name

        def __getattr__(self, name: str) -> Any: ...

        def __getitem__(self, index: Any) -> Any: ...

    __torch_dispatch__ = disabled_torch_dispatch

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Notice classes that override operators."""
        super().__init_subclass__(**kwargs)
        if cls.__torch_dispatch__ is not disabled_torch_dispatch:
            # A class that overrides operators does not, by torch's default, override functions.
            if getattr(cls.__torch_function__, "__func__", None) is _DEFAULT:
                cls.__torch_function__ = disabled_torch_function

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Call *func* and make its results instances of this class.

        Subclasses override it to see every function of the API that they are given to.
        """
        return default_torch_function(cls, func, types, args, kwargs)


#: A tensor with nothing set: what the code that sets every slot begins with.
blank = partial(object.__new__, Tensor)


def named_as_tensors(method: FunctionType, name: str) -> None:
    """Python's own errors name a method by its class."""
    method.__qualname__ = f"Tensor.{name}"
    method.__module__ = f"{__name__.partition('.')[0]}._tensor"  # torch's, where it is called that


for _part in Tensor.__bases__:
    for _name, _method in tuple(vars(_part).items()):
        if isinstance(_method, FunctionType):
            named_as_tensors(_method, _name)
        elif type(_method) is property and _method.fset is None:
            setattr(_part, _name, not_writable(_name, _method))


_DEFAULT: Any = Tensor.__torch_function__.__func__

__all__ = [
    "LEAF",
    "Alias",
    "Leaf",
    "State",
    "Tensor",
    "base_of",
    "is_leaf",
    "state_of",
    "S",
    "blank",
]
