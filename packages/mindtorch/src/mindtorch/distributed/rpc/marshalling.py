"""What calls take and give, on its way between workers: bytes, tensors and contexts of gradients.

What a call takes and gives is written down, also where the worker calls itself: what a call
changes, its caller does not see.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from mindtorch_dispatch.trace import untraced

from ..._C._profiler import ProfilerConfig
from ...aten import torch
from ...futures import Future
from ...futures._future import Future as AnyFuture
from ...tensor import Tensor
from .. import _gradient_contexts as contexts
from . import internal
from .membership import Membership
from .options import RpcBackendOptions
from .profiling import CallProfile, Events
from .worker_info import WorkerInfo

__all__ = ["Marshalling", "Written"]

#: From so many bytes on, a tensor that shows at most half of its memory is sent without the rest.
_COPIED = 8 * 1024


class Written(NamedTuple):
    """What is sent: bytes and tensors, and the context of gradients that it is a part of.

    :ivar tensors: each with whether it needs gradients, and the device that it goes to.
    :ivar message: the number by which the context knows the tensors that need gradients; None where
        there is none of them.
    :ivar config: of a call: what its profile is to keep; None where there is no profile.
    :ivar events: of an answer: the profile.
    """

    data: bytes
    tensors: list[tuple[Tensor, bool, str | None]]
    context: int | None
    message: int | None
    config: ProfilerConfig | None = None
    events: Events | None = None


class Marshalling:
    """Writes down what goes to the workers of *membership*, and reads what comes from them.

    :param request: sends a message of a kind to a worker; a future of the answer.
    """

    def __init__(
        self,
        membership: Membership,
        options: RpcBackendOptions,
        request: Callable[..., AnyFuture],
    ) -> None:
        self._membership, self._options, self._request = membership, options, request

    def write(
        self, to: int, value: Any, context: int | None = None, events: Events | None = None
    ) -> Written:
        """*value* for worker *to*, in a context of gradients; tensors keep it where they need it.

        :param events: the profile of the call that gives *value*.

        Raises RuntimeError for tensors of a device that the options do not map.
        """
        return self.wrap(to, *internal.serialize(value), context)._replace(events=events)

    def wrap(self, to: int, data: bytes, tensors: list[Tensor], context: int | None) -> Written:
        """The same for what is bytes and tensors already."""
        with untraced():  # calls of this module are no part of a program's profile
            return self._wrapped(to, data, tensors, context)

    def _wrapped(self, to: int, data: bytes, tensors: list[Tensor], context: int | None) -> Written:
        message = None
        if context is not None:
            needing = [t for t in tensors if t.requires_grad]
            contexts.there(context).meet(to)
            if needing:
                message = contexts.there(context).send(needing)
        return Written(data, [self._sent(to, t) for t in tensors], context, message)

    def _sent(self, to: int, tensor: Tensor) -> tuple[Tensor, bool, str | None]:
        """What is sent of *tensor*: on the host, without memory that it does not show."""
        sent, device = tensor.detach(), None
        if sent.device.type != "cpu":
            device = str(self._mapped(to, sent.device))
            sent = sent.cpu()
        elif sent.layout == torch.strided:
            memory, shown = sent.untyped_storage().nbytes(), sent.numel() * sent.element_size()
            if memory >= max(_COPIED, 2 * shown):
                sent = sent.clone()
        return sent, tensor.requires_grad, device

    def device_map(self, to: WorkerInfo) -> dict[Any, Any]:
        """Which devices of worker *to* stand for which of this one."""
        return dict(getattr(self._options, "device_maps", {}).get(to.name, {}))

    def _mapped(self, to: int, device: Any) -> Any:
        """The device of worker *to* that stands for *device* of this one."""
        if to == self._membership.info.id:
            return device
        worker = self._membership.find(to)
        for here, there in self.device_map(worker).items():
            if torch.device(here) == device:
                return torch.device(there)
        raise RuntimeError(
            "TensorPipe RPC backend only supports CPU tensors by default, please move your tensors "
            "to CPU before sending them over RPC, or call `set_device_map` on "
            "`TensorPipeRpcBackendOptions` to explicitly configure device mapping. Request device "
            f"mapping is not available for destination {worker.name}"
        )

    def read(self, sender: int, written: Written) -> Any:
        """What *sender* has written."""
        with untraced():
            tensors = self._tensors(sender, written)
        return internal.deserialize(written.data, tensors)

    def _tensors(self, sender: int, written: Written) -> list[Tensor]:
        """The tensors of what *sender* has written, in their context of gradients."""
        tensors = [t if device is None else t.to(device) for t, _, device in written.tensors]
        needing = [i for i, (_, needs, _) in enumerate(written.tensors) if needs]
        if written.context is not None:
            contexts.there(written.context).meet(sender)
        if written.context is not None and written.message is not None:
            number, message = written.context, written.message

            def give(grads: list[Tensor | None]) -> AnyFuture:
                return self._request(sender, "gradients", (number, message, grads), -1)

            made = contexts.there(number).receive(message, [tensors[i] for i in needing], give)
            for i, tensor in zip(needing, made, strict=True):
                tensors[i] = tensor
        else:
            for i in needing:
                tensors[i].requires_grad_()
        return tensors

    def answer_of(
        self,
        worker: WorkerInfo,
        answer: AnyFuture,
        check: Callable[[Any], None] = internal._handle_exception,
        profile: CallProfile | None = None,
    ) -> Future[Any]:
        """A future of what *worker* has written in *answer*.

        :param check: raises what that tells of, if it is an error.
        :param profile: shows what the worker ran.
        """
        future: Future[Any] = Future()

        def read() -> None:
            try:
                written = answer.value()
                if profile is not None and written.events is not None:
                    profile.receive(worker.id, written.events)
                value = self.read(worker.id, written)
                check(value)
            except Exception as error:
                future._complete(None, error)
            else:
                future.set_result(value)

        answer._when_done(read)
        return future
