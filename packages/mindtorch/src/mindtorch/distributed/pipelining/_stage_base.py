"""Stages: forward and backward of one microbatch."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from ...tensor import Tensor
from ._backward import stage_backward, stage_backward_input, stage_backward_weight
from ._data_parallel import forward_without_sync, reduce_sharded_gradients, run_backward
from ._debug import map_debug_info
from ._metadata import _StageBackwardMeta, _StageForwardMeta
from ._stage_messages import _normalize_model_output_as_tuple, _StageMessages, logger
from ._utils import flatten_args

__all__ = ["_PipelineStageBase"]

#: The gradients of inputs, and what backward of weights needs.
Gradients = tuple[tuple[Tensor | None, ...], list[dict[str, Any]] | None]


class _PipelineStageBase(_StageMessages):
    """A stage of a pipeline: a part of a model, and what it exchanges with the others.

    :param group: the processes of the pipeline; all, if not given.
    :param dw_builder: gives after a backward what computes the gradients of weights later on, for
        modules that put that off by themselves.

    Raises ValueError for an index that is too large, RuntimeError for fewer stages than processes.
    """

    @abstractmethod
    def _prepare_forward_infra(
        self,
        num_microbatches: int,
        args: tuple[Any, ...] | _StageForwardMeta | None,
        kwargs: dict[str, Any] | None = None,
        has_backward: bool = False,
    ) -> _StageForwardMeta | None:
        """Get ready for forward; what the next stage of this rank has to know of it."""

    @abstractmethod
    def _prepare_backward_infra(
        self,
        num_microbatches: int,
        loss_fn: Callable[..., Tensor] | None = None,
        target: Tensor | None = None,
        received_grad_meta: _StageBackwardMeta | None = None,
        loss_kwargs: dict[str, Any] | None = None,
    ) -> _StageBackwardMeta | None:
        """Get ready for backward; what the stage before, on this rank, has to know of it."""

    def clear_runtime_states(self) -> None:
        """Forget the last step, so that gradients of what is received do not add up."""
        self.fwd_cache.clear()
        self.output_chunks.clear()
        for infos in self.args_recv_info.values():
            for info in infos:
                if not info.is_root_arg and info.buffer is not None:
                    info.buffer.grad = None

    # Forward

    def forward_maybe_with_nosync(self, *args: Any, **kwargs: Any) -> Any:
        """Run the module; a parallel one does not average gradients of single microbatches."""
        return forward_without_sync(self.submod, args, kwargs)

    def forward_one_chunk(
        self,
        fwd_chunk_id: int,
        args: tuple[Any, ...],
        kwargs: dict[str, Any] | None = None,
        save_forward_output: bool = True,
    ) -> Any:
        """Run the module on one microbatch; what it returns.

        :param args: of the first stage; others run on what they have received.
        :param save_forward_output: keep outputs of the last stage for the program.

        Raises RuntimeError, with what the module got, where it fails.
        """
        inputs = args if self.is_first else self._retrieve_recv_activations(fwd_chunk_id)
        kwargs = kwargs or {}
        if self._runtime_validate:
            self._validate_stage_tensors(
                f"Stage {self.stage_index} forward inputs", self._stage_meta.inputs, inputs
            )
        try:
            output = self.forward_maybe_with_nosync(*inputs, **kwargs)
        except Exception as e:
            raise RuntimeError(
                f"\n            {self.log_prefix} failed to run forward:\n"
                f"            args: {map_debug_info(inputs)}\n"
                f"            kwargs: {map_debug_info(kwargs)}\n            "
            ) from e
        outputs = _normalize_model_output_as_tuple(output)
        if self.is_last and save_forward_output:
            self.output_chunks.append(output)
        self.fwd_cache[fwd_chunk_id] = (outputs, flatten_args(inputs) + flatten_args(kwargs))
        logger.debug("%s Forwarded chunk %s", self.log_prefix, fwd_chunk_id)
        if self._runtime_validate and not self.is_last:
            self._validate_stage_tensors(
                f"Stage {self.stage_index} forward outputs", self._stage_meta.outputs, outputs
            )
        return output

    # Backward

    def backward_maybe_with_nosync(
        self, backward_type: str, bwd_kwargs: dict[str, Any], last_backward: bool = False
    ) -> Gradients:
        """Run a backward: ``"full"``, of the ``"input"`` alone, or of the ``"weight"`` after that.

        Raises RuntimeError for other types.
        """
        runs: dict[str, Callable[[], Gradients]] = {
            "full": lambda: (
                stage_backward(
                    bwd_kwargs["stage_output"],
                    bwd_kwargs["output_grads"],
                    bwd_kwargs["input_values"],
                ),
                None,
            ),
            "input": lambda: stage_backward_input(
                bwd_kwargs["stage_output"],
                bwd_kwargs["output_grads"],
                bwd_kwargs["input_values"],
                self.submod.parameters(),
            ),
            "weight": lambda: (
                stage_backward_weight(self.submod.parameters(), bwd_kwargs["param_groups"]),
                None,
            ),
        }
        if backward_type not in runs:
            raise RuntimeError(f"Unknown backward type: {backward_type}")
        output = bwd_kwargs["stage_output"]
        return run_backward(self.submod, runs[backward_type], output, last_backward)

    def backward_one_chunk(
        self,
        bwd_chunk_id: int,
        loss: Any = None,
        full_backward: bool = True,
        last_backward: bool = False,
    ) -> None:
        """Run backward of one microbatch, once; nothing where there is no backward.

        :param loss: of the last stage; others run from what they have received.
        :param full_backward: False: leave the weights to :meth:`backward_weight_one_chunk`.
        :param last_backward: whether data parallel modules average gradients now.
        """
        if not self.has_backward:
            return
        self._check_chunk_id(bwd_chunk_id)
        output, inputs = self.fwd_cache.pop(bwd_chunk_id)
        given: dict[str, Any] = {
            "stage_output": loss if self.is_last else output,
            "output_grads": None if self.is_last else self._gradients_of_outputs(bwd_chunk_id),
            "input_values": inputs,
        }
        if self.dw_builder or full_backward:
            grads, _ = self.backward_maybe_with_nosync("full", given, last_backward=last_backward)
            if self.dw_builder:
                finish = self.dw_builder()
                if full_backward:
                    finish()
                else:
                    self.dw_runner[bwd_chunk_id] = finish
        else:
            grads = self._backward_of_inputs(bwd_chunk_id, given, last_backward)
        assert self._stage_meta.inputs is not None
        grads = grads[: len(self._stage_meta.inputs)]  # those of arguments by keyword stay here
        if self._runtime_validate and not self.is_first:
            self._validate_stage_tensors(
                f"Stage {self.stage_index} backward output (input_grads)",
                self._stage_meta.input_grads,
                grads,
            )
        self.bwd_cache[bwd_chunk_id] = grads
        if self.is_last and not self.is_first:
            for tensor in output:  # the program gets them, without the graph of this stage
                if not tensor._is_view():
                    tensor.detach_()
        logger.debug("%s Backwarded chunk %s", self.log_prefix, bwd_chunk_id)

    def _gradients_of_outputs(self, chunk: int) -> tuple[Any, ...]:
        grads = self._retrieve_recv_grads(chunk)
        if self._runtime_validate:
            self._validate_stage_tensors(
                f"Stage {self.stage_index} backward input (output_grads)",
                self._stage_meta.output_grads,
                grads,
            )
        return grads

    def _backward_of_inputs(
        self, chunk: int, given: dict[str, Any], last: bool
    ) -> tuple[Tensor | None, ...]:
        """Run backward for the inputs, and keep what that of the weights needs.

        The first stage has none to send, so all of its backward is left for later.
        """
        grads: tuple[Tensor | None, ...] = ()
        groups = None
        if not self.is_first:
            if isinstance(given["stage_output"], Tensor):
                given["stage_output"] = (given["stage_output"],)
            grads, groups = self.backward_maybe_with_nosync("input", given, last_backward=last)
        self.backward_state[chunk] = (
            given["input_values"],
            groups,
            given["stage_output"],
            given["output_grads"],
        )
        self.dw_runner[chunk] = lambda: None
        return grads

    def backward_weight_one_chunk(self, bwd_chunk_id: int, last_backward: bool = False) -> None:
        """Compute the gradients of weights that a backward has left.

        Raises AssertionError where none has.
        """
        if not self.has_backward:
            return
        if bwd_chunk_id not in self.dw_runner:
            raise AssertionError(
                f"{self.log_prefix} Attempted to run backward_weight_one_chunk for chunk "
                f"{bwd_chunk_id} without first calling `backward_one_chunk(full_backward=False)`"
            )
        if self.dw_builder is not None:
            self.dw_runner.pop(bwd_chunk_id)()
            return
        inputs, groups, output, output_grads = self.backward_state.pop(bwd_chunk_id)
        given = {"stage_output": output, "param_groups": groups}
        if self.is_first:
            given = {"stage_output": output, "output_grads": output_grads, "input_values": inputs}
        self.backward_maybe_with_nosync(
            "full" if self.is_first else "weight", given, last_backward=last_backward
        )

    # After the last backward

    def scale_grads(self, grad_scale_factor: int) -> None:
        """Divide gradients, as where the losses of microbatches are means of their rows."""
        if grad_scale_factor != 1:
            for parameter in self.submod.parameters():
                if parameter.grad is not None:
                    parameter.grad.div_(grad_scale_factor)

    def perform_reduce_grad(self, grad_scale_factor: int) -> None:
        """Average gradients of sharded modules, and divide by the number of microbatches."""
        reduce_sharded_gradients(self.submod)
        self.scale_grads(grad_scale_factor)
