"""What all schedules do: cut a batch, get stages ready, keep losses, put outputs together."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from ...aten import torch
from ...random import fork_rng
from ...tensor import Tensor
from ._batched_messages import _batch_p2p, _wait_batch_p2p
from ._metadata import InferenceMode
from .microbatch import (
    TensorChunkSpec,
    _split_tensor,
    merge_chunks,
    split_args_kwargs_into_chunks,
)
from .stage import PipelineStage, _PipelineStageBase

__all__ = ["_PipelineSchedule", "logger"]

logger = logging.getLogger(f"{__package__}.schedules")

#: Targets are cut along their rows.
_TARGET_CHUNK_SPEC = TensorChunkSpec(0)


class _PipelineSchedule(ABC):
    """The order in which the stages of a rank run the microbatches of a batch.

    :param n_microbatches: how many parts a batch is cut into.
    :param loss_fn: the loss of an output and a target; without one there is no backward.
    :param args_chunk_spec: how positional inputs are cut; along their rows, if not given.
    :param kwargs_chunk_spec: how inputs by keyword are cut.
    :param output_merge_spec: how outputs are put together; along their rows, if not given.
    :param scale_grads: whether gradients are divided by the number of microbatches, as losses that
        are means need it; not for losses that are sums.
    """

    def __init__(
        self,
        n_microbatches: int,
        loss_fn: Callable[..., Any] | None = None,
        args_chunk_spec: tuple[TensorChunkSpec, ...] | None = None,
        kwargs_chunk_spec: dict[str, TensorChunkSpec] | None = None,
        output_merge_spec: dict[str, Any] | tuple[Any] | None = None,
        scale_grads: bool = True,
    ) -> None:
        self._n_microbatches = n_microbatches
        self._loss_fn = loss_fn
        self.scale_grads = scale_grads
        self._args_chunk_spec = args_chunk_spec
        self._kwargs_chunk_spec = kwargs_chunk_spec
        self._output_merge_spec = output_merge_spec
        self._has_backward = loss_fn is not None
        self._internal_losses: list[Tensor] = []
        logger.info("Using %s", type(self).__name__)

    @property
    def _grad_scale_factor(self) -> int:
        return self._n_microbatches if self.scale_grads else 1

    # Losses

    def _compute_loss(self, output: Any, target: Any, loss_kwargs: Any = None) -> Any:
        assert self._loss_fn is not None
        return self._loss_fn(output, target, **(loss_kwargs or {}))

    def _maybe_compute_loss(
        self, stage: Any, output: Any, target_mbs: Any, mb_index: int, loss_kwargs: Any = None
    ) -> None:
        if stage.is_last and self._loss_fn is not None:
            loss = self._compute_loss(output, target_mbs[mb_index], loss_kwargs)
            self._internal_losses.append(loss)

    def _maybe_get_loss(self, stage: Any, mb_index: int) -> Any:
        """The loss of a microbatch; None where losses are not computed.

        Raises RuntimeError where that of this microbatch is not.
        """
        there = 0 <= mb_index < len(self._internal_losses)
        if stage.is_last and self._loss_fn is not None and there:
            return self._internal_losses[mb_index]
        if self._internal_losses and not there:
            raise RuntimeError(
                f"Loss for microbatch {mb_index} is not available. "
                f"Available losses for microbatches: {self._internal_losses}"
            )
        return None

    def _update_losses(self, stages: Any, losses: list[Any] | None) -> None:
        """Give the losses of a step to the program. Raises RuntimeError where some are missing."""
        stages = stages if isinstance(stages, list) else [stages]
        if losses is not None and any(stage.is_last for stage in stages):
            if len(self._internal_losses) != self._n_microbatches:
                raise RuntimeError(
                    f"Expecting {self._n_microbatches} losses but got {len(self._internal_losses)}"
                )
            losses[:] = self._internal_losses
        self._internal_losses.clear()

    # Before the first step

    def _warmup_p2p(
        self, stages: Sequence[_PipelineStageBase], has_backward: bool, p2p_done: bool
    ) -> None:
        """Let all stages agree whether metadata have to be found out; or only connect them.

        :param p2p_done: whether they are connected.
        """
        asking = [stage for stage in stages if isinstance(stage, PipelineStage)]
        if len(asking) < len(stages):
            if not p2p_done:
                ops = [op for stage in stages for op in stage._get_init_p2p_neighbors_ops()]
                _wait_batch_p2p(_batch_p2p(ops))
            return
        result: Tensor | None = None
        for stage in asking:
            result = stage._warmup_forward_vote(has_backward, received_acc=result)
        for stage in reversed(asking):
            result = stage._warmup_backward_result(received_result=result)
            all_know = result.item() == 1
            stage._inference_mode = InferenceMode.STATIC if all_know else InferenceMode.DYNAMIC

    def _initialize_pp_stages(
        self,
        stages: Sequence[_PipelineStageBase],
        args: Any,
        kwargs: dict[str, Any] | None,
        target: Any,
        fwd_initialized: bool,
        bwd_initialized: bool,
        loss_kwargs: dict[str, Any] | None = None,
    ) -> tuple[bool, bool]:
        """Get stages ready where they are not: whether forward is ready, and whether backward.

        Between training and evaluation all has to be done anew, as gradients are wanted or not.
        """
        connected = fwd_initialized
        if fwd_initialized and self._has_backward != bwd_initialized:
            fwd_initialized = bwd_initialized = False
        if fwd_initialized and (bwd_initialized or not self._has_backward):
            return fwd_initialized, bwd_initialized
        if not fwd_initialized:
            self._warmup_p2p(stages, self._has_backward, connected)
        devices: list[Any] = [torch.device(stage.device) for stage in stages]
        devices = [device for device in dict.fromkeys(devices) if device.type != "cpu"]
        kinds = {device.type for device in devices}
        if len(kinds) > 1:
            raise AssertionError(
                "All stages must have the same device type for RNG forking. "
                f"Found device types: {kinds}"
            )
        # Finding metadata runs the modules, which is to draw no random numbers of the training.
        with fork_rng(devices, device_type=kinds.pop() if kinds else None):
            if not fwd_initialized:
                told: Any = None
                for stage in stages:
                    told = stage._prepare_forward_infra(
                        self._n_microbatches,
                        args if stage.is_first else told,
                        kwargs,
                        has_backward=self._has_backward,
                    )
            if self._has_backward and not bwd_initialized:
                told = None
                for stage in reversed(stages):
                    told = stage._prepare_backward_infra(
                        self._n_microbatches,
                        loss_fn=self._loss_fn,
                        target=target,
                        received_grad_meta=told,
                        loss_kwargs=loss_kwargs,
                    )
        for stage in stages:
            if isinstance(stage, PipelineStage):
                stage._post_metadata_inference_cleanup()
        return True, self._has_backward

    # A step

    @abstractmethod
    def _step_microbatches(
        self,
        arg_mbs: list[Any] | None = None,
        kwarg_mbs: list[Any] | None = None,
        target_mbs: list[Any] | None = None,
        losses: list[Any] | None = None,
        return_outputs: bool = True,
        loss_kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Run all microbatches of a step."""

    @abstractmethod
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
        """

    def eval(
        self,
        *args: Any,
        target: Any = None,
        losses: list[Any] | None = None,
        **kwargs: Any,
    ) -> Any:
        """Run forward of one batch, without backward: see :meth:`step`."""
        before = self._has_backward
        try:
            self._has_backward = False
            return self.step(*args, target=target, losses=losses, **kwargs)
        finally:
            self._has_backward = before

    def _run(
        self,
        stages: list[Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        target: Any,
        losses: list[Any] | None,
        return_outputs: bool,
        loss_kwargs: dict[str, Any] | None,
        needs_grad: bool = True,
    ) -> Any:
        """Run one batch with *stages*. Raises RuntimeError for a backward under ``no_grad``."""
        if self._has_backward and needs_grad and not torch.is_grad_enabled():
            raise RuntimeError(
                "step() requires gradients to be enabled for backward computation; it should not "
                "be used under torch.no_grad() context. Please call eval() instead."
            )
        for stage in stages:
            stage.has_backward = self._has_backward
        for stage in stages:
            stage.clear_runtime_states()
        args_split, kwargs_split = self._split_inputs(args, kwargs)
        targets = None
        if target is not None:
            targets = list(_split_tensor(target, _TARGET_CHUNK_SPEC, self._n_microbatches))
        self._step_microbatches(
            args_split, kwargs_split, targets, losses, return_outputs, loss_kwargs=loss_kwargs
        )
        for stage in stages:
            if stage.is_last and return_outputs:
                return self._merge_outputs(stage.output_chunks)
        return None

    def _check_inputs(
        self,
        arg_mbs: list[Any] | None = None,
        kwarg_mbs: list[Any] | None = None,
        target_mbs: list[Any] | None = None,
        losses: list[Any] | None = None,
    ) -> tuple[list[Any], list[Any]]:
        """The inputs of all microbatches. Raises TypeError and ValueError for other lists."""
        given = {"arg_mbs": arg_mbs, "kwarg_mbs": kwarg_mbs, "target_mbs": target_mbs}
        for name, mbs in given.items():
            if mbs is None:
                continue
            if not isinstance(mbs, list):
                raise TypeError(f"{name} must be a list but got a {type(mbs)}")
            if len(mbs) != self._n_microbatches:
                raise ValueError(f"Expecting {self._n_microbatches} {name} but got {len(mbs)}")
        if losses is not None and not isinstance(losses, list):
            raise TypeError(f"losses must be a list but got a {type(losses)}")
        n = self._n_microbatches
        return [()] * n if arg_mbs is None else arg_mbs, [
            {}
        ] * n if kwarg_mbs is None else kwarg_mbs

    def _split_inputs(self, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Any:
        """Cut the inputs of a batch; stages in the middle get none."""
        if not args and not kwargs:
            return [()] * self._n_microbatches, [{}] * self._n_microbatches
        return split_args_kwargs_into_chunks(
            args, kwargs, self._n_microbatches, self._args_chunk_spec, self._kwargs_chunk_spec
        )

    def _merge_outputs(self, output_chunks: list[Any]) -> Any:
        return merge_chunks(output_chunks, self._output_merge_spec)
