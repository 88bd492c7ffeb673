"""The contexts that keep gradients over remote calls, by their numbers.

Tensors that need gradients leave a worker through a node of a context, and come into another by one
of the same number. Backward of the second sends gradients to the first, which goes on from there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any

from .._C._collector import Collector
from .._C._followed_threads import followed_by, follower
from ..aten import torch
from ..autograd import Function
from ..autograd import backward as run_backward
from ..autograd.profiler_ranges import record_function
from ..core.module_names import living_in
from ..futures._future import Future
from ..tensor import Tensor

__all__ = [
    "DistAutogradContext",
    "backward",
    "begin",
    "current",
    "current_number",
    "enter",
    "entered",
    "get_gradients",
    "leave",
    "propagate",
    "release",
    "there",
]

#: How far a number of a worker is from those of its contexts and messages.
_SHIFT = 48
_entered = threading.local()
_open: dict[int, DistAutogradContext] = {}
_lock = threading.RLock()


class _Numbers:
    """The numbers of a worker's contexts and messages, which no other worker gives."""

    def __init__(self) -> None:
        self.worker: int | None = None
        self._contexts = self._messages = count()

    def begin(self, worker: int) -> None:
        self.worker = worker
        self._contexts = count(worker << _SHIFT)
        self._messages = count(worker << _SHIFT)

    def context(self) -> int:
        return next(self._contexts)

    def message(self) -> int:
        return next(self._messages)


_numbers = _Numbers()


class SendRpc(Function):
    """Where tensors leave: the node from which backward goes on when their gradients come."""

    @staticmethod
    def forward(ctx: Any, *tensors: Tensor) -> Tensor:
        return torch.zeros(())

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        raise RuntimeError("gradients of what was sent come from the worker it was sent to")


class RecvRpc(Function):
    """Where tensors come from another worker, which gets their gradients."""

    @staticmethod
    def forward(ctx: Any, send_back: Any, beginning: Tensor, *tensors: Tensor) -> Any:
        ctx.send_back = send_back
        ctx.set_materialize_grads(False)
        # What is strided is handed on as a view; there are no views of what is sparse.
        return tuple(t if t.layout == torch.strided else t.detach() for t in tensors)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        ctx.send_back(grads)
        return (None,) * (2 + len(grads))


def _named_node(function: Any) -> str:
    """Let nodes of *function* have the name that torch's have, which a library of C++ defines."""
    name = f"torch::distributed::autograd::{function._backward_cls.__name__}"
    function._backward_cls.name = lambda node: name
    return name


_send_name = _named_node(SendRpc)
_named_node(RecvRpc)
#: Gradients come into ``.grad`` for a moment, on their way into a context: one pass at a time.
_running = threading.RLock()


class DistAutogradContext:
    """What a worker keeps of one context: where tensors left and came, and gradients."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._sent: dict[int, tuple[Tensor, list[Tensor]]] = {}
        self._received: dict[int, Any] = {}
        self._workers: dict[int, None] = {}
        self._gradients: dict[Tensor, Tensor] = {}
        self._under_way: list[Future] = []
        #: What follows the thread that began the pass which runs.
        self._follower: Collector | None = None
        self.passes = 0

    def _context_id(self) -> int:
        return self._number

    def _send_functions(self) -> dict[int, Any]:
        return {number: node.grad_fn for number, (node, _) in self._sent.items()}

    def _recv_functions(self) -> dict[int, Any]:
        return dict(self._received)

    def _known_worker_ids(self) -> set[int]:
        return set(self._workers)

    def meet(self, worker: int) -> None:
        """Note that *worker* has a part of this context."""
        self._workers[worker] = None

    def send(self, tensors: Sequence[Tensor]) -> int:
        """Let *tensors*, which need gradients, leave. Returns the number of their message."""
        number = _numbers.message()
        with torch.enable_grad():
            self._sent[number] = SendRpc.apply(*tensors), list(tensors)
        return number

    def receive(
        self,
        number: int,
        tensors: Sequence[Tensor],
        give: Callable[[list[Tensor | None]], Future],
    ) -> list[Tensor]:
        """*tensors* of message *number*, whose gradients go to *give*."""

        def send_back(grads: Iterable[Tensor | None]) -> None:
            given = [None if g is None else g.detach() for g in grads]
            self._under_way.append(give(given))

        with torch.enable_grad():
            beginning = torch.empty(0, requires_grad=True)
            made = RecvRpc.apply(send_back, beginning, *tensors)
        self._received[number] = made[0].grad_fn
        return list(made)

    def run(self, roots: Sequence[Tensor], grads: Sequence[Tensor] | None = None) -> None:
        """Compute gradients of *roots* here and in the workers that have a part in them."""
        with _running:
            self.passes += 1
            try:
                self._run_here(roots, grads)
            finally:
                waited, self._under_way = self._under_way, []
        try:
            for future in waited:
                future.wait()
        finally:
            self.passes -= 1

    def _run_here(self, roots: Sequence[Tensor], grads: Sequence[Tensor] | None) -> None:
        leaves = _leaves(roots)
        # Who averages gradients when the last has come finds those of earlier passes, too.
        shown = list({id(leaf): leaf for leaf in (*leaves, *self._gradients)}.values())
        before = [leaf.grad for leaf in shown]
        for leaf in shown:
            leaf.grad = self._gradients.get(leaf)
        try:
            # The graph is kept until the context ends: gradients come once for each message.
            run_backward(roots, grads, retain_graph=True, inputs=leaves)
            for leaf in shown:
                if leaf.grad is not None:
                    self._gradients[leaf] = leaf.grad
        finally:
            for leaf, grad in zip(shown, before, strict=True):
                leaf.grad = grad

    def begin(self, roots: Sequence[Tensor]) -> None:
        """Compute gradients of *roots*; what the pass runs in other threads is profiled, too."""
        self._follower = follower()
        try:
            with record_function("torch::distributed::autograd::backward"):
                self.run(roots)
        finally:
            self._follower = None

    def propagate(self, number: int, grads: Sequence[Tensor | None]) -> None:
        """Go on from the tensors of message *number* with their gradients."""
        beginning, tensors = self._sent[number]
        there = [(t, g) for t, g in zip(tensors, grads, strict=True) if g is not None]
        if not there:
            return
        with followed_by(self._follower):
            profile = follower()
            if profile is not None:  # the engine does not come to the node: here is its turn
                with profile.node(_send_name, beginning.grad_fn, grads):
                    pass
            self.run([t for t, _ in there], [g for _, g in there])


def begin(worker: int) -> None:
    """Let this process be *worker*: its contexts and messages have numbers of their own."""
    _numbers.begin(worker)


def enter() -> DistAutogradContext:
    """Open a context in this thread. Raises RuntimeError within another, and before RPC begins."""
    if _numbers.worker is None:
        raise RuntimeError(
            "Need to initialize distributed autograd using torch.distributed.autograd.init()"
        )
    if current() is not None:
        raise RuntimeError("Already have an autograd context id for this thread.")
    made = there(_numbers.context())
    _entered.context = made
    return made


def leave(context_id: int) -> set[int]:
    """Close a context in this thread. Returns the workers that have parts of it."""
    _entered.context = None
    return release(context_id)


def release(context_id: int) -> set[int]:
    """Forget a context. Returns the workers that have parts of it."""
    with _lock:
        found = _open.pop(context_id, None)
    return set() if found is None else found._known_worker_ids()


def current() -> DistAutogradContext | None:
    """The context of this thread."""
    return getattr(_entered, "context", None)


def current_number() -> int | None:
    """The number of the context of this thread."""
    found = current()
    return None if found is None else found._context_id()


class entered:
    """Within it, this thread is in the context *number*; None: in none."""

    def __init__(self, number: int | None) -> None:
        self._context = None if number is None else there(number)

    def __enter__(self) -> None:
        self._before = current()
        _entered.context = self._context

    def __exit__(self, *exc: Any) -> None:
        _entered.context = self._before


def there(context_id: int) -> DistAutogradContext:
    """The context of this number, which is begun if it is not there."""
    with _lock:
        found = _open.get(context_id)
        if found is None:
            found = _open[context_id] = DistAutogradContext(context_id)
        return found


def _of(context_id: int) -> DistAutogradContext:
    try:
        return _open[context_id]
    except KeyError:
        raise RuntimeError(f"Could not find autograd context with id: {context_id}") from None


def _leaves(roots: Sequence[Tensor]) -> list[Tensor]:
    """The leaves that *roots* were computed from."""
    found: dict[int, Tensor] = {id(r): r for r in roots if r.grad_fn is None and r.requires_grad}
    waiting, seen = [r.grad_fn for r in roots if r.grad_fn is not None], set()
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        leaf = getattr(node, "variable", None)
        if leaf is not None:
            found[id(leaf)] = leaf
        waiting += [each for each, _ in node.next_functions if each is not None]
    return list(found.values())


def backward(context_id: int, roots: list[Tensor], retain_graph: bool = False) -> None:
    """Compute the gradients of *roots*, numbers all, into the context.

    Raises RuntimeError for a context that is not open, and for a root that is no number.
    """
    if not isinstance(context_id, int) or not isinstance(roots, list | tuple):
        raise TypeError(
            "backward(): incompatible function arguments. The following argument types are "
            "supported:\n    1. (arg0: int, roots: list[torch.Tensor], retain_graph: bool = False)"
            f" -> None\n\nInvoked with: {context_id!r}, {roots!r}"
        )
    context = _of(context_id)
    if not roots:
        raise RuntimeError("No tensors provided for gradient computation.")
    for root in roots:
        if not root.requires_grad:
            raise RuntimeError("requires_grad not set on root")
        if root.numel() != 1:
            raise RuntimeError(f"{root} is not a scalar, all roots need to be scalar")
        if root.grad_fn is None:
            raise RuntimeError(f"{root} does not have a valid gradient function.")
    context.begin(roots)


def propagate(context_id: int, number: int, grads: Sequence[Tensor | None]) -> None:
    """Go on in a context from the tensors of a message. Raises RuntimeError if it is closed."""
    _of(context_id).propagate(number, grads)


def get_gradients(context_id: int) -> dict[Tensor, Tensor]:
    """The gradients of a context, by leaf. Raises RuntimeError for one that is not open."""
    return dict(_of(context_id)._gradients)


def _retrieve_context(context_id: int) -> DistAutogradContext:
    """The context of a number. Raises RuntimeError for one that is not open."""
    return _of(context_id)


def _current_context() -> DistAutogradContext:
    """The context of this thread. Raises RuntimeError without one."""
    found = current()
    if found is None:
        raise RuntimeError(
            "Current thread doesn't have a valid autograd context. Please wrap your code using: "
            "`with torch.distributed.autograd.context() as context_id` to generate a valid context"
        )
    return found


def _is_valid_context(worker_id: int) -> bool:
    """Whether a context of this number is open."""
    return worker_id in _open


def _get_max_id() -> int:
    """The highest number that a context of this worker may have."""
    return ((_numbers.worker or 0) << _SHIFT) | ((1 << _SHIFT) - 1)


def _get_debug_info() -> dict[str, int]:
    """How many contexts are open, and how many of them compute gradients."""
    passes = sum(context.passes > 0 for context in list(_open.values()))
    return {"num_current_backward_passes": passes, "num_autograd_contexts": len(_open)}


living_in("mindtorch.distributed.autograd", backward, get_gradients)
living_in("mindtorch._C._distributed_autograd", DistAutogradContext)
