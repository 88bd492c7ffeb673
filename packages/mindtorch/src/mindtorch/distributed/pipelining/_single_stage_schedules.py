"""Schedules of ranks with one stage each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...autograd.profiler import record_function
from ._actions import B, F, _Action
from ._batched_messages import _batch_p2p, _sorted_batch_p2p, _wait_batch_p2p
from ._schedule_base import _PipelineSchedule
from ._schedule_passes import _add_reduce_grad
from .microbatch import TensorChunkSpec
from .stage import _PipelineStageBase

__all__ = ["PipelineScheduleSingle", "Schedule1F1B", "ScheduleGPipe", "_ScheduleForwardOnly"]

Order = list[_Action | None]


class PipelineScheduleSingle(_PipelineSchedule):
    """A schedule of one stage; subclasses say in which order it runs microbatches.

    :param stage: that of this rank.

    The other parameters are those of all schedules.
    """

    def __init__(
        self,
        stage: _PipelineStageBase,
        n_microbatches: int,
        loss_fn: Callable[..., Any] | None = None,
        args_chunk_spec: tuple[TensorChunkSpec, ...] | None = None,
        kwargs_chunk_spec: dict[str, TensorChunkSpec] | None = None,
        output_merge_spec: dict[str, Any] | tuple[Any] | None = None,
        scale_grads: bool = True,
    ) -> None:
        super().__init__(
            n_microbatches,
            loss_fn,
            args_chunk_spec,
            kwargs_chunk_spec,
            output_merge_spec,
            scale_grads,
        )
        self._stage = stage
        self._num_stages = stage.num_stages
        self._stage_forward_initialized = False
        self._stage_backward_initialized = False
        self.pipeline_order: dict[int, Order] | None = self._get_pipeline_order()

    def _initialize_stage(
        self, args: Any, kwargs: Any, target: Any = None, loss_kwargs: Any = None
    ) -> None:
        ready = self._initialize_pp_stages(
            [self._stage],
            args,
            kwargs,
            target,
            self._stage_forward_initialized,
            self._stage_backward_initialized,
            loss_kwargs=loss_kwargs,
        )
        self._stage_forward_initialized, self._stage_backward_initialized = ready

    def step(
        self,
        *args: Any,
        target: Any = None,
        losses: list[Any] | None = None,
        return_outputs: bool = True,
        loss_kwargs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> Any:
        """Run one batch: the outputs where the last stage is, else None.

        :param target: what the loss compares outputs with, where the last stage is.
        :param losses: is filled with the loss of each microbatch, where the last stage is.
        :param return_outputs: False: keep no outputs.
        :param loss_kwargs: more arguments for the loss.

        Raises RuntimeError for a backward under ``no_grad``.
        """
        return self._run([self._stage], args, kwargs, target, losses, return_outputs, loss_kwargs)

    def _get_pipeline_order(self) -> dict[int, Order] | None:
        """The actions of each rank, as a schedule of several stages has them; None: not known."""
        return None

    def _begin(
        self, arg_mbs: Any, kwarg_mbs: Any, target_mbs: Any, losses: Any, loss_kwargs: Any
    ) -> _Microbatches:
        """Check the inputs of a step, and get the stage ready."""
        arg_mbs, kwarg_mbs = self._check_inputs(arg_mbs, kwarg_mbs, target_mbs, losses)
        first = target_mbs[0] if target_mbs is not None else None
        self._initialize_stage(arg_mbs[0], kwarg_mbs[0], first, loss_kwargs)
        return _Microbatches(self, arg_mbs, kwarg_mbs, target_mbs, loss_kwargs)


class _Microbatches:
    """The microbatches of one step of one stage: each is run forward, and back."""

    def __init__(
        self,
        schedule: PipelineScheduleSingle,
        arg_mbs: list[Any],
        kwarg_mbs: list[Any],
        target_mbs: Any,
        loss_kwargs: Any,
    ) -> None:
        self._schedule, self._stage = schedule, schedule._stage
        self._args, self._kwargs = arg_mbs, kwarg_mbs
        self._targets, self._loss_kwargs = target_mbs, loss_kwargs

    def forward(self, i: int, save: bool) -> Any:
        """Run microbatch *i* forward."""
        return self._stage.forward_one_chunk(
            i, self._args[i], self._kwargs[i], save_forward_output=save
        )

    def compute_loss(self, output: Any, i: int) -> None:
        """Compute the loss of microbatch *i* where the last stage is."""
        self._schedule._maybe_compute_loss(self._stage, output, self._targets, i, self._loss_kwargs)

    def backward(self, i: int) -> None:
        """Run microbatch *i* back."""
        loss = self._schedule._maybe_get_loss(self._stage, i)
        last = i == self._schedule._n_microbatches - 1
        self._stage.backward_one_chunk(i, loss=loss, last_backward=last)


def _receive(ops: list[Any], desc: str) -> None:
    for works in _sorted_batch_p2p(ops, desc=desc).values():
        _wait_batch_p2p(works)


class _ScheduleForwardOnly(PipelineScheduleSingle):
    """All microbatches forward, and nothing back."""

    def _step_microbatches(
        self,
        arg_mbs: list[Any] | None = None,
        kwarg_mbs: list[Any] | None = None,
        target_mbs: list[Any] | None = None,
        losses: list[Any] | None = None,
        return_outputs: bool = True,
        loss_kwargs: dict[str, Any] | None = None,
    ) -> None:
        if target_mbs is not None or losses is not None:
            raise RuntimeError("Forward-only schedule does not support loss computation")
        batches = self._begin(arg_mbs, kwarg_mbs, target_mbs, losses, None)
        sent: list[Any] = []
        for i in range(self._n_microbatches):
            with record_function(f"Forward {i}"):
                _receive(self._stage.get_fwd_recv_ops(i), "fwd_recv")
                batches.forward(i, save=True)
                ops = self._stage.get_fwd_send_ops(i)
                sent.extend(_sorted_batch_p2p(ops, desc="fwd_send").values())
        for works in sent:
            _wait_batch_p2p(works)


class ScheduleGPipe(PipelineScheduleSingle):
    """All microbatches forward, then all back."""

    def _step_microbatches(
        self,
        arg_mbs: list[Any] | None = None,
        kwarg_mbs: list[Any] | None = None,
        target_mbs: list[Any] | None = None,
        losses: list[Any] | None = None,
        return_outputs: bool = True,
        loss_kwargs: dict[str, Any] | None = None,
    ) -> None:
        batches = self._begin(arg_mbs, kwarg_mbs, target_mbs, losses, loss_kwargs)
        sent: list[Any] = []
        for i in range(self._n_microbatches):
            with record_function(f"Forward {i}"):
                _receive(self._stage.get_fwd_recv_ops(i), "fwd_recv")
                output = batches.forward(i, save=return_outputs)
                ops = self._stage.get_fwd_send_ops(i)
                sent.extend(_sorted_batch_p2p(ops, desc="fwd_send").values())
            batches.compute_loss(output, i)
        for works in sent:
            _wait_batch_p2p(works)
        sent = []
        for i in range(self._n_microbatches):
            with record_function(f"Backward {i}"):
                _receive(self._stage.get_bwd_recv_ops(i), "bwd_recv")
                batches.backward(i)
                ops = self._stage.get_bwd_send_ops(i)
                sent.extend(_sorted_batch_p2p(ops, desc="bwd_send").values())
        for works in sent:
            _wait_batch_p2p(works)
        self._update_losses(self._stage, losses)
        self._stage.perform_reduce_grad(self._grad_scale_factor)

    def _get_pipeline_order(self) -> dict[int, Order] | None:
        n = self._n_microbatches
        return {
            rank: _add_reduce_grad([_Action(rank, kind, i) for kind in (F, B) for i in range(n)], n)
            for rank in range(self._num_stages)
        }


class Schedule1F1B(PipelineScheduleSingle):
    """One microbatch forward, one back, as soon as the last stage has one to send back.

    Raises ValueError for fewer microbatches than stages.
    """

    def __init__(
        self,
        stage: _PipelineStageBase,
        n_microbatches: int,
        loss_fn: Callable[..., Any] | None = None,
        args_chunk_spec: tuple[TensorChunkSpec, ...] | None = None,
        kwargs_chunk_spec: dict[str, TensorChunkSpec] | None = None,
        output_merge_spec: dict[str, Any] | tuple[Any] | None = None,
        scale_grads: bool = True,
    ) -> None:
        super().__init__(
            stage,
            n_microbatches,
            loss_fn,
            args_chunk_spec,
            kwargs_chunk_spec,
            output_merge_spec,
            scale_grads,
        )
        if n_microbatches < self._num_stages:
            raise ValueError(
                f"Number of microbatches ({n_microbatches}) must be greater than or equal to the "
                f"number of stages ({self._num_stages})."
            )

    def _step_microbatches(
        self,
        arg_mbs: list[Any] | None = None,
        kwarg_mbs: list[Any] | None = None,
        target_mbs: list[Any] | None = None,
        losses: list[Any] | None = None,
        return_outputs: bool = True,
        loss_kwargs: dict[str, Any] | None = None,
    ) -> None:
        batches = self._begin(arg_mbs, kwarg_mbs, target_mbs, losses, loss_kwargs)
        stage, n = self._stage, self._n_microbatches
        # The first stage is ahead of the last one by as many microbatches as there are stages.
        ahead = min(n, self._num_stages - stage.stage_index)
        pending: list[Any] = []
        sends: list[Any] = []
        for i in range(ahead):
            _wait_batch_p2p(_batch_p2p(stage.get_fwd_recv_ops(i), desc="fwd_recv"))
            output = batches.forward(i, save=return_outputs)
            _wait_batch_p2p(pending)
            sends = stage.get_fwd_send_ops(i)
            if i < ahead - 1:  # the last one goes together with what comes back first
                pending = _batch_p2p(sends, desc="fwd_send")
            batches.compute_loss(output, i)
        back = 0
        while True:
            ops = sends + stage.get_bwd_recv_ops(back)
            _wait_batch_p2p(_batch_p2p(ops, desc="fwd_send_bwd_recv"))
            batches.backward(back)
            sends = stage.get_bwd_send_ops(back)
            forth = back + ahead
            back += 1
            if forth == n:
                break
            ops = sends + stage.get_fwd_recv_ops(forth)
            _wait_batch_p2p(_batch_p2p(ops, desc="bwd_send_fwd_recv"))
            output = batches.forward(forth, save=return_outputs)
            batches.compute_loss(output, forth)
            sends = stage.get_fwd_send_ops(forth)
        pending = _batch_p2p(sends, desc="bwd_send")
        for i in range(back, n):
            _wait_batch_p2p(_batch_p2p(stage.get_bwd_recv_ops(i), desc="bwd_recv"))
            batches.backward(i)
            _wait_batch_p2p(pending)
            pending = _batch_p2p(stage.get_bwd_send_ops(i), desc="bwd_send")
        _wait_batch_p2p(pending)
        self._update_losses(stage, losses)
        stage.perform_reduce_grad(self._grad_scale_factor)

    def _get_pipeline_order(self) -> dict[int, Order] | None:
        n, order = self._n_microbatches, {}
        for rank in range(self._num_stages):
            ahead = self._num_stages - 1 - rank
            actions: Order = [_Action(rank, F, i) for i in range(ahead)]
            # torch's table counts the microbatches of the last rank from 1, as if one had run
            # before; the step itself does not.
            first = max(ahead, 1)
            steady = max(n - ahead, 0)
            for i in range(steady):
                actions += [_Action(rank, F, first + i), _Action(rank, B, i)]
            actions += [_Action(rank, B, i) for i in range(steady, n)]
            order[rank] = _add_reduce_grad(actions, n)
        return order
