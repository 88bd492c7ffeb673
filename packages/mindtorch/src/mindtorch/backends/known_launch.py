"""Kernels of one layout on the streams of an NPU.

A kernel that costs little runs at once where its stream is idle, and its result is the array that
it makes; else memory is taken, and the kernel is queued to write there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from sys import getrefcount
from typing import Any

import numpy as np
from mindtorch_npu.backend import AT_ONCE, BUSY, call_site, current_queue
from mindtorch_npu.thread_state import bound_queue, everywhere, places_of_queues
from mindtorch_storage import Device

from ..call.fragments import Kernel, Launching
from ..call.row import Out
from ..core.copies import store, store_all
from ..tensor import blank
from ..tensor.array_memory import empty_array
from .held import holder, holding

__all__ = ["Layout", "launched", "launched_into", "unwritten"]

_ndarray = np.ndarray
#: References to the base of a window: the window's, a name's and an argument's.
_ALONE = 3
#: Text that is worked out without a call.
_NAME = re.compile(r"\*?\w+(\._a_)?")


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
) -> Callable[..., Any] | Launching:
    """What launches *kernel* on arrays on *device* and gives the results.

    :param name: the op, for errors.
    :param cost: of the kernel; see :mod:`.costs`.
    :param layouts: of its results, whose tensors get the *metas*.
    """
    hold, several = holder(device).hold, kernel.several
    run = kernel.run if kernel.make is None else _filling(kernel.run, kernel.make)
    parts = [*zip(kernel.looks, layouts, metas if several else [metas], strict=True)]

    def tensor(array: Any, meta: Any, alias: Any) -> Any:
        r = blank()
        r._a_ = alias.owner = array
        r._sig_ = meta.sig
        r._meta_ = meta
        r._shared_ = alias
        r._edge_ = r._state_ = None
        return r

    def waiting(queue: Any) -> list[Any]:
        """Tensors whose numbers come later."""
        made = []
        for _, layout, meta in parts:
            alias = hold(queue, layout.nbytes)  # first: what does not fit is not taken on the host
            array = empty_array(layout.shape, layout.dtype, layout.strides)
            made.append(tensor(array, meta, alias))
        return made

    def later(queue: Any, *arrays: Any) -> Any:
        made = waiting(queue)
        targets = [r._a_ for r in made]
        queue.enqueue(_write, (run, arrays, targets, several), name, call_site(2))
        return tuple(made) if several else made[0]

    def launch(*arrays: Any) -> Any:
        queue = current_queue(device.index)
        try:
            values = BUSY if cost > AT_ONCE else queue.compute(run, *arrays)
        except Exception as error:
            queue.keep_error(error, name, call_site(1))
            made = waiting(queue)
            return tuple(made) if several else made[0]
        if values is BUSY:
            return later(queue, *arrays)
        made = []
        for x, (look, layout, meta) in zip(values, parts, strict=True):
            array = own_array(x, look)
            made.append(tensor(array, meta, hold(queue, layout.nbytes, array)))
        return tuple(made)

    if several or cost > AT_ONCE:
        return launch
    ((look, layout, meta),) = parts

    def failed(queue: Any, error: Exception) -> Any:
        """What stands for the result of a kernel that failed."""
        queue.keep_error(error, name, call_site(2))
        return empty_array(layout.shape, layout.dtype, layout.strides)

    cells = _stream(device) | _memory(device, layout, meta)
    cells |= {"failed": failed, "run": run, "later": later, "ndarray": _ndarray}
    cells |= {"own_array": own_array, "look": look}
    cells |= {"dtype0": look.dtype, "strides0": look.strides}
    right = "x0.base is None and x0.dtype is dtype0 and x0.strides == strides0"
    checks = f"if x0.__class__ is not ndarray or not ({right}): x0 = own_array(x0, look)"

    def lines(given: Sequence[str]) -> list[str]:
        before, operands = _bound(given)
        # What is trusted is a ufunc's own result, which is always a new array.
        wrapped = [*([] if kernel.trusted else [checks]), *_wrapped(layout)]
        return [
            *before,
            *_QUEUE,
            *_at_once(f"x0 = run({operands})", "x0 = failed(queue, error)"),
            "if turn is None:",
            *[f"    {line}" for line in wrapped],
            f"else: r0 = later(queue, {operands})",
        ]

    return Launching(lines, cells)


def unwritten(device: Device, layout: Layout, kernel: Kernel, meta: Any) -> Launching:
    """What gives memory of *device* that nothing is written to: it orders nothing on its stream."""
    make = partial(empty_array, layout.shape, layout.dtype, layout.strides)
    cells = _stream(device) | _memory(device, layout, meta) | {"make": make}
    return Launching(lambda given: [*_QUEUE, "x0 = make()", *_wrapped(layout)], cells)


#: Lines that find this thread's current stream, and the lines that begin with it.
_QUEUE = (
    "queue = everywhere.queue",
    "if queue is None:",
    "    try: queue = here.queue",
    "    except AttributeError: queue = bound_queue(device_index)",
)


def _stream(device: Device) -> dict[str, Any]:
    """What :data:`_QUEUE` and the lines of :func:`_at_once` name, but for ``failed``."""
    index = device.index
    cells: dict[str, Any] = {"here": places_of_queues()[index], "everywhere": everywhere[index]}
    return cells | {"bound_queue": bound_queue, "device_index": index}


def _wrapped(layout: Layout) -> list[str]:
    """Lines that make the tensor ``r0`` over ``x0``, in memory for the stream ``queue``."""
    return [
        "r0 = blank()",
        "r0._a_ = x0",
        "r0._sig_ = sig0",
        "r0._meta_ = meta0",
        "r0._edge_ = r0._state_ = None",
        *holding("x0", "nbytes" if layout.nbytes else ""),
        "r0._shared_ = alias",
    ]


def _memory(device: Device, layout: Layout, meta: Any) -> dict[str, Any]:
    """What the lines of :func:`_wrapped` name."""
    cells: dict[str, Any] = {"blank": blank, "sig0": meta.sig, "meta0": meta}
    return cells | holder(device).cells | {"nbytes": layout.nbytes}


def _bound(given: Sequence[str]) -> tuple[list[str], str]:
    """Lines that work out what is *given*, before anything is held; and the arguments."""
    names = [text if _NAME.fullmatch(text) else f"g{i}" for i, text in enumerate(given)]
    pairs = zip(names, given, strict=True)
    return [f"{name} = {text}" for name, text in pairs if name != text], ", ".join(names)


def _at_once(run: str, failed: str) -> list[str]:
    """Lines that do *run* at once as the next kernel of ``queue``: if so, ``turn`` is None.

    It is :meth:`WorkQueue.compute`, without the two calls; *failed* is done where it raises.
    """
    return [
        "if queue.entries: turn = queue",
        "else:",
        "    turn = queue.at_once",
        "    try: del turn.free",
        "    except AttributeError: turn = queue",
        "    else:",
        f"        try: {run}",
        f"        except Exception as error: {failed}",
        "        finally:",
        "            turn.free = True",
        "            turn = None",
        "            if queue.entries: queue.rouse()",
    ]


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
) -> Launching:
    """What launches *kernel* on a target and arrays on *device*; the target gets its result."""
    run = kernel.run
    if kernel.writes:
        text = "run({0})"

        def write(target: Any, *arrays: Any) -> None:
            run(*arrays)

    elif type(run) is np.ufunc:
        text = "run({0}out={1})"

        def write(target: Any, *arrays: Any) -> None:
            run(*arrays, out=target)

    else:
        text = "copyto({1}, run({0}), 'unsafe')"

        def write(target: Any, *arrays: Any) -> None:
            np.copyto(target, run(*arrays), "unsafe")

    def later(queue: Any, *arrays: Any) -> None:
        queue.enqueue(write, arrays, name, call_site(2))

    def failed(queue: Any, error: Exception) -> None:
        queue.keep_error(error, name, call_site(2))

    cells = _stream(device) | {"failed": failed, "later": later}
    cells |= {"run": run, "copyto": np.copyto}

    def lines(arrays: Sequence[str]) -> list[str]:
        target, *others = arrays
        before, operands = _bound(others)
        given = f"{operands}, " if operands else ""
        wait = f"later(queue, {target}, {operands})"
        if cost > AT_ONCE:
            return [*before, *_QUEUE, wait]
        at_once = _at_once(text.format(given, target), "failed(queue, error)")
        return [*before, *_QUEUE, *at_once, f"if turn is not None: {wait}"]

    return Launching(lines, cells)
