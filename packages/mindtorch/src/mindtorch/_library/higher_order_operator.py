"""Operators in Python that may take functions as arguments, with a kernel for each dispatch key."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import DispatchKey
from mindtorch_dispatch.keyset import DEVICE_BIT
from mindtorch_dispatch.modes import DISPATCH, PRE_DISPATCH, without_top

from ..aten import torch
from ..call.torch_function import handle_torch_function, has_torch_function
from ..utils._pytree import tree_leaves

__all__ = ["HIGHER_ORDER", "HigherOrderOperator", "OperatorBase"]

#: All of them, by name: ``torch.ops.higher_order``.
HIGHER_ORDER: dict[str, HigherOrderOperator] = {}
#: Modes of the library itself see what the functions of a call do.
_LIBRARY = ("mindtorch.", "torch.")
_HOME = __name__.partition(".")[0] + "._ops"


class OperatorBase:
    """Kernels of an operator by dispatch key, mode or subclass of Tensor."""

    def __init__(self) -> None:
        self._dispatch_cache: dict[Any, Any] = {}
        self.py_kernels: dict[Any, Callable[..., Any]] = {}
        self.python_key_table: dict[Any, Callable[..., Any]] = {}
        self.functorch_table: dict[Any, Callable[..., Any]] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    def has_kernel_for_dispatch_key(self, k: Any) -> bool:
        """Whether there is a kernel for the key."""
        return k in self.py_kernels

    def has_kernel_for_any_dispatch_key(self, ks: Any) -> bool:
        """Whether there is a kernel for one of the keys."""
        return any(ks.has(k) for k in self.py_kernels)

    def py_impl(self, k: Any) -> Callable[..., Any]:
        """A decorator: the function is the kernel for *k*.

        :param k: a dispatch key, a transform, a class of modes or a subclass of Tensor.
        """

        def inner(fn: Callable[..., Any]) -> Callable[..., Any]:
            if isinstance(k, type):
                if k in self.python_key_table:
                    raise RuntimeError(f"{k}-python-key handler already registered")
                self.python_key_table[k] = fn
            elif type(k).__name__ == "TransformType":
                self.functorch_table[k] = fn
            else:
                if k in self.py_kernels:
                    raise RuntimeError(
                        f"Trying to override a python impl for {k} on operator {self.name()}"
                    )
                self.py_kernels[k] = fn
            self._dispatch_cache.clear()
            return fn

        return inner

    def py_functionalize_impl(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        """A decorator: the function says what functionalization makes of a call."""
        self.py_kernels[DispatchKey.Functionalize] = fn
        return fn

    def name(self) -> str:
        """The operator's name."""
        raise NotImplementedError


class HigherOrderOperator(OperatorBase):
    """An operator whose calls go to the kernel of the arguments' key.

    Modes and subclasses of Tensor come first, then autograd, then what computes. A kernel that
    calls the operator again gets to the next one.
    """

    def __init__(self, name: str, *, cacheable: bool = False) -> None:
        super().__init__()
        if type(self) is HigherOrderOperator:
            raise RuntimeError(
                "Direct instantiation of HigherOrderOperator is not allowed. Please subclass it."
            )
        self._name = name
        self.__name__ = name
        self._ns = "higher_order"
        self.__module__ = "torch.ops.higher_order"
        HIGHER_ORDER[name] = self
        self._cacheable = cacheable
        self._local = threading.local()
        self.non_fallthrough_keys: set[Any] = set()

    @property
    def namespace(self) -> str:
        """Where torch.ops has such operators."""
        return self._ns

    def name(self) -> str:
        """The operator's name."""
        return self._name

    def cacheable(self) -> bool:
        """Whether what a compiler makes of it may be kept."""
        return self._cacheable

    def fallthrough(self, dispatch_key: Any) -> None:
        """Let calls pass a key."""
        self.py_kernels[dispatch_key] = _pass

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        leaves = tree_leaves((args, kwargs))
        if has_torch_function(tuple(leaves)):
            return handle_torch_function(self, tuple(leaves), *args, **kwargs)
        for mode in (PRE_DISPATCH.top, DISPATCH.top):
            if mode is not None and type(mode) in self.python_key_table:
                return self.python_key_table[type(mode)](mode, *args, **kwargs)
        mode = DISPATCH.top
        if mode is not None and not f"{type(mode).__module__}.".startswith(_LIBRARY):
            return self._handed_over(mode, args, kwargs)
        for leaf in leaves:
            if type(leaf) in self.python_key_table:
                return self.python_key_table[type(leaf)](*args, **kwargs)
        return self.dispatch(leaves, args, kwargs)

    def _handed_over(self, mode: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a program's mode makes of the call.

        Raises NotImplementedError for one that does not say that it takes such operators.
        """
        if not mode.supports_higher_order_operators:
            raise NotImplementedError(
                f"There was no rule registered for HigherOrderOperator {self._name} and mode "
                f"{mode}.Hint: set {mode}'s supports_higher_order_operators to True. This causes "
                f"all higher order operators to pass through {mode}'s __torch_dispatch__, so "
                "handle them accordingly by adding support for HigerOrderOperators (in this case, "
                f"{self._name}) in {mode}.__torch_dispatch__ or returning NotImplemented when not "
                "supported."
            )
        with without_top(DISPATCH):
            return mode.__torch_dispatch__(self, [], args, kwargs)

    def dispatch(self, leaves: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the kernel of the arguments' key. Raises NotImplementedError if there is none."""
        K = DispatchKey
        tensors = [x for x in leaves if isinstance(x, torch.Tensor)]
        device = tensors[0].device.type if tensors else "cpu"
        backend = DispatchKey(DEVICE_BIT[device]).name
        chain = []
        if tensors:
            chain.append(f"Autograd{backend}")
        chain.append(backend)
        aliases = {
            f"Autograd{backend}": ("Autograd", "CompositeImplicitAutograd"),
            backend: ("CompositeExplicitAutograd", "CompositeImplicitAutograd"),
        }
        depth = getattr(self._local, "depth", 0)
        for at, key in enumerate(chain[depth:], depth):
            for name in (key, *aliases[key]):
                kernel = self.py_kernels.get(getattr(K, name, None))
                if kernel is None:
                    continue
                if kernel is _pass:
                    break
                self._local.depth = min(at + 1, len(chain) - 1)
                try:
                    return kernel(*args, **kwargs)
                finally:
                    self._local.depth = depth
            else:
                raise NotImplementedError(
                    f"could not find kernel for HigherOrderOperator {self._name} at dispatch key "
                    f"DispatchKey.{key} (resolved from DispatchKey.{key})"
                )
        raise NotImplementedError(
            f"could not find kernel for HigherOrderOperator {self._name} at dispatch key "
            f"DispatchKey.{chain[-1]} (resolved from DispatchKey.{chain[-1]})"
        )

    def __str__(self) -> str:
        return self._name


def _pass(*args: Any, **kwargs: Any) -> Any:
    raise AssertionError("a key that is passed has no kernel")


OperatorBase.__module__ = HigherOrderOperator.__module__ = _HOME
