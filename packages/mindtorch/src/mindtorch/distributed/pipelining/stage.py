"""``torch.distributed.pipelining.stage``: the parts of a model, each in one process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...nn import Module
from ...tensor import Tensor
from ._metadata import (
    GetMeshCallback,
    InferenceMode,
    TensorMeta,
    _derive_grad_metas,
    _make_tensor_from_meta,
    _MeshCache,
    _StageBackwardMeta,
    _StageForwardMeta,
    _StageMeta,
    extract_tensor_metas,
)
from ._metadata_checks import (
    validate_and_normalize_to_tuple,
    validate_static_arg_grad_correspondence,
)
from ._receiving import _RecvInfo
from ._stage_base import _PipelineStageBase as _PipelineStageBase
from ._stage_inference import _InferringStage
from ._stage_messages import _normalize_model_output_as_tuple as _normalize_model_output_as_tuple
from ._traced_stage import _PipelineStage
from ._utils import PipeInfo

__all__ = ["PipelineStage", "build_stage"]


class PipelineStage(_InferringStage):
    """A stage that a program makes of a module of its own, for a model that is a chain of them.

    What passes between stages is found out in the first step, unless *input_args* and
    *output_args* of all stages (for distributed tensors the gradients, too) say what it is.

    :param submodule: what the stage runs; it returns a tensor or a tuple of tensors.
    :param stage_index: which stage it is, from 0.
    :param num_stages: how many there are in all processes.
    :param device: the device that tensors are received on.
    :param input_args: tensors like the inputs of a microbatch; one, or a tuple.
    :param output_args: tensors like its outputs.
    :param output_grads: tensors like the gradients that the next stage sends.
    :param input_grads: tensors like the gradients that it sends to the stage before.
    :param group: the processes of the pipeline; all, if not given.
    :param dw_builder: gives after a backward what computes the gradients of weights later on, for
        modules that put that off by themselves.
    :param get_mesh: finds the mesh of distributed tensors that another stage sends.

    Raises PipeliningMetadataError for what is no tensor, and for gradients that do not fit tensors.
    """

    def __init__(
        self,
        submodule: Module,
        stage_index: int,
        num_stages: int,
        device: Any,
        input_args: Tensor | tuple[Tensor, ...] | None = None,
        output_args: Tensor | tuple[Tensor, ...] | None = None,
        output_grads: Tensor | tuple[Tensor | None, ...] | None = None,
        input_grads: Tensor | tuple[Tensor | None, ...] | None = None,
        group: Any = None,
        dw_builder: Callable[[], Callable[..., None]] | None = None,
        get_mesh: GetMeshCallback | None = None,
    ) -> None:
        super().__init__(submodule, stage_index, num_stages, device, group, dw_builder)
        self._mesh_cache = _MeshCache(get_mesh_cb=get_mesh)
        inputs = validate_and_normalize_to_tuple(input_args)
        outputs = validate_and_normalize_to_tuple(output_args)
        in_grads = validate_and_normalize_to_tuple(input_grads, allow_none=True)
        out_grads = validate_and_normalize_to_tuple(output_grads, allow_none=True)
        self._user_meta = _StageMeta(
            inputs=extract_tensor_metas(inputs),
            outputs=extract_tensor_metas(outputs),
            input_grads=extract_tensor_metas(in_grads, allow_none=True),
            output_grads=extract_tensor_metas(out_grads, allow_none=True),
        )
        for tensors in (inputs, outputs, in_grads, out_grads):
            self._mesh_cache.update_from_tensors(tensors or ())
        if self._user_meta.has_dtensors():
            for tensors, grads, is_input in ((inputs, in_grads, True), (outputs, out_grads, False)):
                if tensors and grads:
                    validate_static_arg_grad_correspondence(stage_index, tensors, grads, is_input)

    def _prepare_forward_infra(
        self,
        num_microbatches: int,
        args: tuple[Any, ...] | _StageForwardMeta | None,
        kwargs: dict[str, Any] | None = None,
        has_backward: bool = False,
    ) -> _StageForwardMeta | None:
        """Get ready for forward; what the next stage has to know, if it is on this rank."""
        if self._inference_mode is None:
            raise self._complain("inference mode not set. Run warmup vote protocol first.")
        told = None
        if self._inference_mode is InferenceMode.DYNAMIC:
            told = self._forward_metadata_inference(args, kwargs, has_backward)
            self._validate_inferred_metadata()
        else:
            self._stage_meta.inputs = self._user_meta.inputs
            self._stage_meta.outputs = self._user_meta.outputs
        self._setup_forward_recv_info(num_microbatches)
        self._setup_forward_send_info()
        return told

    def _prepare_backward_infra(
        self,
        num_microbatches: int,
        loss_fn: Callable[..., Tensor] | None = None,
        target: Tensor | None = None,
        received_grad_meta: _StageBackwardMeta | None = None,
        loss_kwargs: dict[str, Any] | None = None,
    ) -> _StageBackwardMeta | None:
        """Get ready for backward; what the stage before has to know, if it is on this rank."""
        told = None
        if self._inference_mode is InferenceMode.DYNAMIC:
            told = self._backward_metadata_inference(
                loss_fn, target, received_grad_meta, loss_kwargs
            )
            self._validate_inferred_metadata()
        else:
            said, meta = self._user_meta, self._stage_meta
            meta.output_grads = said.output_grads or self._derived("output", meta.outputs)
            meta.input_grads = said.input_grads or self._derived("input", meta.inputs)
        self._setup_backward_recv_info(num_microbatches)
        return told

    def _derived(
        self, what: str, metas: tuple[TensorMeta, ...] | None
    ) -> tuple[TensorMeta | None, ...]:
        if metas is None:
            raise self._complain(f"{what} metadata is required for backward inference.")
        return _derive_grad_metas(metas)

    def _setup_forward_recv_info(self, num_microbatches: int) -> None:
        metas, before = self._stage_meta.inputs, self.stage_index - 1
        if metas is None:
            raise self._complain("inputs metadata required for recv info.")
        for chunk in range(num_microbatches):
            if self.is_first:
                infos = [
                    _RecvInfo(f"root_input_{i}", None, None, meta, is_root_arg=True)
                    for i, meta in enumerate(metas)
                ]
            else:
                name = f"recv_for_{self.stage_index}_from_{before}"
                infos = [
                    _RecvInfo(name, before, _make_tensor_from_meta(meta, self.device), meta)
                    for meta in metas
                ]
            self.args_recv_info[chunk] = tuple(infos)

    def _setup_forward_send_info(self) -> None:
        if self._stage_meta.outputs is None:
            raise self._complain("outputs metadata required for recv info.")
        after = [] if self.is_last else [self.stage_index + 1]
        self.act_send_info = {i: list(after) for i in range(len(self._stage_meta.outputs))}

    def _create_grad_recv_info(self, act_send_info: dict[int, Any]) -> tuple[_RecvInfo, ...]:
        if self.is_last:
            return ()
        metas = self._stage_meta.output_grads
        if metas is None:
            raise self._complain(
                "output_grads metadata is required for creating grad recv info. Ensure backward "
                "metadata is populated."
            )
        infos = []
        for i, stages in act_send_info.items():
            if stages is None:
                raise self._complain(f"output {i} is not sent to any stage.")
            meta = metas[i]
            buffer = _make_tensor_from_meta(meta, self.device) if meta else None
            name = f"recv_grad_for_{self.stage_index}_from_{stages[0]}"
            infos.append(_RecvInfo(name, stages[0], buffer, meta))
        return tuple(infos)


def build_stage(
    stage_module: Module, stage_index: int, pipe_info: PipeInfo, device: Any, group: Any = None
) -> _PipelineStage:
    """Make a stage of a module that was cut from a model.

    :param pipe_info: what ``Pipe.info()`` says of the model.
    :param group: the processes of the pipeline; all, if not given.
    """
    return _PipelineStage(stage_module, stage_index, pipe_info, device, group)
