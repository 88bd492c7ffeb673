"""Kernels of one layout on the streams of an NPU.

A kernel that costs little runs at once where its stream is idle, and its result is the array that
it makes; else memory is taken, and the kernel is queued to write there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from sys import getrefcount
from typing import Any

import numpy as np
from mindtorch_npu.backend import AT_ONCE, BUSY, call_site, current_queue
from mindtorch_storage import Device

from ..call.fragments import Kernel
from ..call.row import Out
from ..tensor import blank
from ..tensor.array_memory import empty_array
from .held import holder
from .plan import store, store_all

__all__ = ["Layout", "launched", "launched_into"]

_ndarray = np.ndarray
#: References to the base of a window: the window's, a name's and an argument's.
_ALONE = 3


class Layout:
    """Sizes, strides and bytes of a result that meta has described."""

    __slots__ = ("dtype", "nbytes", "shape", "strides")

    def __init__(self, out: Out) -> None:
        self.shape = tuple(out.shape)
        self.dtype = out.dtype.np
        self.strides = None if out.strides is None else tuple(out.strides)
        self.nbytes: int = self.dtype.itemsize * prod(self.shape)


def launched(
    name: str,
    device: Device,
    cost: int,
    layouts: Sequence[Layout],
    kernel: Kernel,
    metas: Any,
) -> Callable[..., Any]:
    """A function of arrays on *device* that launches *kernel* and gives the results.

    :param name: the op, for errors.
    :param cost: of the kernel; see :mod:`.costs`.
    :param layouts: of its results, whose tensors get the *metas*.
    """
    index, hold, several = device.index, holder(device), kernel.several
    run = kernel.run if kernel.make is None else _filling(kernel.run, kernel.make)
    parts = [*zip(kernel.looks, layouts, metas if several else [metas], strict=True)]

    def tensor(array: Any, meta: Any, alias: Any) -> Any:
        r = blank()
        r._a = alias.owner = array
        r._sig = meta.sig
        r._meta = meta
        r._shared = alias
        r._edge = r._state = None
        return r

    def waiting(queue: Any) -> list[Any]:
        """Tensors whose numbers come later."""
        made = []
        for _, layout, meta in parts:
            alias = hold(queue, layout.nbytes)  # first: what does not fit is not taken on the host
            array = empty_array(layout.shape, layout.dtype, layout.strides)
            made.append(tensor(array, meta, alias))
        return made

    def later(queue: Any, arrays: tuple[Any, ...]) -> Any:
        made = waiting(queue)
        targets = [r._a for r in made]
        queue.enqueue(_write, (run, arrays, targets, several), name, call_site(3))
        return tuple(made) if several else made[0]

    def failed(queue: Any, error: Exception) -> Any:
        queue.keep_error(error, name, call_site(3))
        made = waiting(queue)
        return tuple(made) if several else made[0]

    def launch_several(*arrays: Any) -> Any:
        queue = current_queue(index)
        try:
            values = queue.compute(run, *arrays)
        except Exception as error:
            return failed(queue, error)
        if values is BUSY:
            return later(queue, arrays)
        made = []
        for x, (look, layout, meta) in zip(values, parts, strict=True):
            array = own_array(x, look)
            made.append(tensor(array, meta, hold(queue, layout.nbytes, array)))
        return tuple(made)

    (look, layout, meta), *_ = parts
    dtype, strides, nbytes, sig = look.dtype, look.strides, layout.nbytes, meta.sig

    def launch_one(*arrays: Any) -> Any:
        queue = current_queue(index)
        try:
            x = queue.compute(run, *arrays)
        except Exception as error:
            return failed(queue, error)
        if x is BUSY:
            return later(queue, arrays)
        whole = x.__class__ is _ndarray and x.base is None
        if not whole or x.dtype is not dtype or x.strides != strides:
            x = own_array(x, look)
        r = blank()
        r._a = x
        r._sig = sig
        r._meta = meta
        r._shared = hold(queue, nbytes, x)
        r._edge = r._state = None
        return r

    if cost > AT_ONCE:
        return lambda *arrays: later(current_queue(index), arrays)
    return launch_several if several else launch_one


def own_array(value: Any, look: Any) -> Any:
    """What a kernel gave, as it has to be, in memory of its own."""
    x = value
    if x.__class__ is not _ndarray or x.dtype is not look.dtype or x.strides != look.strides:
        x = look.finish(value)
    base = x.base
    if base is None or not x.size:
        return x
    # A window on all of an array that nobody else has, as numpy's products are.
    if base.__class__ is _ndarray and base.nbytes == x.nbytes and getrefcount(base) == _ALONE:
        return x
    return x.copy("K")


def _filling(run: Callable[..., Any], make: Callable[[], Any]) -> Callable[..., Any]:
    """*run*, a ufunc, which writes into a new array of the right layout."""

    def fill(*arrays: Any) -> Any:
        made = make()
        run(*arrays, out=made)
        return made

    return fill


def _write(
    run: Callable[..., Any], arrays: tuple[Any, ...], targets: list[Any], several: bool
) -> None:
    result = run(*arrays)
    if several:
        store_all(targets, result)
    else:
        store(targets[0], result)


def launched_into(
    name: str, device: Device, cost: int, kernel: Kernel, metas: Any = None
) -> Callable[..., None]:
    """A function of a target and of arrays that launches *kernel*, whose result the target gets."""
    index, run = device.index, kernel.run
    if kernel.writes:

        def write(target: Any, *arrays: Any) -> None:
            run(*arrays)

    elif type(run) is np.ufunc:

        def write(target: Any, *arrays: Any) -> None:
            run(*arrays, out=target)

    else:

        def write(target: Any, *arrays: Any) -> None:
            np.copyto(target, run(*arrays), "unsafe")

    def launch(*arrays: Any) -> None:
        queue = current_queue(index)
        if cost <= AT_ONCE:
            try:
                if queue.compute(write, *arrays) is not BUSY:
                    return
            except Exception as error:
                queue.keep_error(error, name, call_site(2))
                return
        queue.enqueue(write, arrays, name, call_site(2))

    return launch
