"""What a stage finds out about its tensors before the first step, from its neighbours.

All stages of a pipeline have to agree whether they ask: see ``_warmup_forward_vote``. Then metadata
go forward, each stage runs its module on tensors of that size, and gradients' metadata come back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...aten import torch
from ...tensor import Tensor
from .. import distributed_c10d as dist
from ..fsdp import FSDPModule
from ._backward import _autograd_grad_for_inputs
from ._metadata import (
    InferenceMode,
    PipeliningMetadataError,
    TensorMeta,
    _derive_grad_metas,
    _DTensorMeta,
    _StageBackwardMeta,
    _StageForwardMeta,
    _StageMeta,
    _TensorMeta,
    extract_tensor_meta,
    extract_tensor_metas,
)
from ._metadata_checks import validate_and_normalize_to_tuple, validate_tensors_metadata
from ._stage_base import _PipelineStageBase
from ._utils import flatten_args

__all__ = ["_InferringStage"]


class _InferringStage(_PipelineStageBase):
    """A stage that runs its module once to find metadata."""

    _user_meta: _StageMeta

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._inference_mode: InferenceMode | None = None
        self._forget_first_run()

    def _forget_first_run(self) -> None:
        self._fwd_outputs_for_bwd_meta: tuple[Tensor, ...] | None = None
        self._fwd_inputs_for_bwd_meta: tuple[Tensor, ...] | None = None
        self._fwd_kwargs_tensors_for_bwd_meta: tuple[Tensor, ...] | None = None

    def _complain(self, text: str) -> PipeliningMetadataError:
        return PipeliningMetadataError(f"Stage {self.stage_index}: {text}")

    # Between stages

    def _is_same_rank(self, other_stage: int) -> bool:
        return self.stage_index_to_group_rank[other_stage] == self.group_rank

    def _recv_meta(self, src_stage: int) -> Any:
        """What another rank says of a stage."""
        objects: list[Any] = [None]
        dist.recv_object_list(
            objects,
            src=self._resolve_peer_global_rank(src_stage),
            group=self.group,
            device=self.device,
            use_batch=True,
        )
        if len(objects) != 1:
            raise PipeliningMetadataError(
                f"Expected exactly one object to be received but got: {len(objects)}"
            )
        return objects[0]

    def _send_meta(self, meta: Any, dst_stage: int) -> None:
        """Tell another rank of a stage."""
        dist.send_object_list(
            [meta],
            dst=self._resolve_peer_global_rank(dst_stage),
            group=self.group,
            device=self.device,
            use_batch=True,
        )

    def _number_from(self, stage: int) -> Tensor:
        number = torch.zeros(1, dtype=torch.int32, device=self.device)
        dist.recv(number, src=self._resolve_peer_global_rank(stage), group=self.group)
        return number

    def _number_to(self, number: Tensor, stage: int) -> None:
        dist.send(number, dst=self._resolve_peer_global_rank(stage), group=self.group)

    def _warmup_forward_vote(
        self, has_backward: bool, received_acc: Tensor | None = None
    ) -> Tensor:
        """Vote 1 if enough is known of this stage; the product of all votes up to this stage.

        :param received_acc: that of the stage before, if it is on this rank.
        """
        knows = not InferenceMode.needs_dynamic(self._user_meta, has_backward)
        product = torch.tensor([int(knows)], dtype=torch.int32, device=self.device)
        if not self.is_first:
            if not self._is_same_rank(self.stage_index - 1):
                received_acc = self._number_from(self.stage_index - 1)
            assert received_acc is not None
            product = received_acc * product
        if not self.is_last and not self._is_same_rank(self.stage_index + 1):
            self._number_to(product, self.stage_index + 1)
        return product

    def _warmup_backward_result(self, received_result: Tensor | None = None) -> Tensor:
        """Hand the product of all votes back from the last stage to the first.

        :param received_result: that of the next stage, if it is on this rank.
        """
        if not self.is_last and not self._is_same_rank(self.stage_index + 1):
            received_result = self._number_from(self.stage_index + 1)
        assert received_result is not None
        if not self.is_first and not self._is_same_rank(self.stage_index - 1):
            self._number_to(received_result, self.stage_index - 1)
        return received_result

    # One run

    def _compute_outputs(self, *args: Any, module: Any, **kwargs: Any) -> Any:
        """Run the module; models with other ways of finding metadata override this."""
        return module(*args, **kwargs)

    def _compute_input_grads(
        self,
        outputs: list[Tensor],
        all_fwd_inputs: list[Tensor],
        grad_outputs: list[Tensor | None] | None = None,
    ) -> tuple[Tensor | None, ...]:
        """Compute gradients of inputs."""
        return _autograd_grad_for_inputs(outputs, all_fwd_inputs, grad_outputs, allow_unused=True)

    def _to_tensor(self, arg: Any) -> Any:
        """A leaf of a new graph: of a tensor with its numbers, of metadata with any.

        Raises PipeliningMetadataError for other things.
        """
        if isinstance(arg, Tensor):
            return arg.detach().requires_grad_(arg.requires_grad)
        if isinstance(arg, _DTensorMeta):
            return arg.to_dtensor(self.device, self._mesh_cache.get_mesh(arg.mesh_cache_key))
        if isinstance(arg, _TensorMeta):
            return arg.to_tensor(self.device)
        raise PipeliningMetadataError(f"Unsupported type {type(arg)} for _to_tensor: {arg}")

    def _ones_from_metadata(self, meta: TensorMeta) -> Any:
        ones = torch.ones(meta.shape, dtype=meta.dtype, device=self.device)
        if not isinstance(meta, _DTensorMeta):
            return ones
        return meta.assemble(ones, self._mesh_cache.get_mesh(meta.mesh_cache_key))

    def _told(self, given: Any, kind: type, neighbour: int) -> Any:
        """What the stage *neighbour* says: as an argument on this rank, else as a message.

        Raises PipeliningMetadataError for anything but a *kind*.
        """
        by = f"same-rank {'previous' if neighbour < self.stage_index else 'next'} stage"
        if not self._is_same_rank(neighbour):
            given, by = self._recv_meta(neighbour), "P2P"
        if not isinstance(given, kind):
            raise self._complain(f"Expected {kind.__name__} from {by}, got {type(given).__name__}.")
        return given

    def _tell(self, meta: Any, neighbour: int) -> Any:
        """Send *meta* to a stage; or give it back where it is on this rank, or is none."""
        if not 0 <= neighbour < self.num_stages or self._is_same_rank(neighbour):
            return meta
        self._send_meta(meta, neighbour)
        return None

    def _forward_metadata_inference(
        self,
        args: tuple[Any, ...] | _StageForwardMeta | None,
        kwargs: dict[str, Any] | None = None,
        has_backward: bool = False,
    ) -> _StageForwardMeta | None:
        """Find metadata of inputs and outputs; what the next stage of this rank has to know.

        :param args: tensors for the first stage, else what the stage before gave, if on this rank.
        """
        if self.is_first:
            if args is None or isinstance(args, _StageForwardMeta):
                raise self._complain(
                    f"First stage requires real tensors, got {type(args).__name__}."
                )
            tensors = validate_and_normalize_to_tuple(args)
            self._stage_meta.inputs = extract_tensor_metas(tensors)
            inputs = tuple(self._to_tensor(t) for t in tensors)
        else:
            told = self._told(args, _StageForwardMeta, self.stage_index - 1)
            self._stage_meta.inputs = told.forward_metas
            inputs = tuple(self._to_tensor(meta) for meta in told.forward_metas)
        named = {
            k: self._to_tensor(v) if isinstance(v, Tensor) else v for k, v in (kwargs or {}).items()
        }
        with torch.set_grad_enabled(has_backward):  # whatever the caller's mode, as other ranks do
            outputs = self._compute_outputs(*inputs, module=self.submod, **named)
        outputs = validate_and_normalize_to_tuple(outputs)
        self._stage_meta.outputs = extract_tensor_metas(outputs)
        self._fwd_outputs_for_bwd_meta = outputs
        self._fwd_inputs_for_bwd_meta = inputs
        self._fwd_kwargs_tensors_for_bwd_meta = tuple(
            v for v in flatten_args(named) if isinstance(v, Tensor)
        )
        if self._stage_meta.outputs is None:
            raise self._complain("output metadata is required for forward inference.")
        return self._tell(_StageForwardMeta(self._stage_meta.outputs), self.stage_index + 1)

    def _backward_metadata_inference(
        self,
        loss_fn: Callable[..., Tensor] | None = None,
        target: Tensor | None = None,
        received_grad_meta: _StageBackwardMeta | None = None,
        loss_kwargs: dict[str, Any] | None = None,
    ) -> _StageBackwardMeta | None:
        """Find metadata of gradients; what the stage before has to know, if on this rank.

        :param received_grad_meta: what the next stage gave, if on this rank.
        """
        outputs, inputs = self._fwd_outputs_for_bwd_meta, self._fwd_inputs_for_bwd_meta
        if outputs is None or inputs is None:
            raise PipeliningMetadataError(
                "Backward metadata inference requires forward metadata inference to run first"
            )
        everything = [*inputs, *(self._fwd_kwargs_tensors_for_bwd_meta or ())]
        self._forget_first_run()
        if self.is_last:
            if loss_fn is None or target is None:
                raise self._complain("loss_fn and target required for last stage")
            one = outputs[0] if len(outputs) == 1 else outputs
            loss = loss_fn(one, self._to_tensor(target), **(loss_kwargs or {}))
            self._stage_meta.output_grads = None
            grads = self._compute_input_grads([loss], everything)
        else:
            told = self._told(received_grad_meta, _StageBackwardMeta, self.stage_index + 1)
            self._stage_meta.output_grads = told.backward_metas
            grads = self._grads_for(outputs, everything)
        self._stage_meta.input_grads = tuple(
            self._grad_meta(grad, value) for grad, value in zip(grads, inputs, strict=False)
        )
        return self._tell(_StageBackwardMeta(self._stage_meta.input_grads), self.stage_index - 1)

    def _grads_for(
        self, outputs: Sequence[Tensor], inputs: list[Tensor]
    ) -> tuple[Tensor | None, ...]:
        """Run backward from what the next stage will send."""
        metas = self._stage_meta.output_grads
        if metas is None:
            raise self._complain("output_grads metadata is required for backward inference.")
        roots: list[Tensor] = []
        ones: list[Tensor | None] = []
        for i, (output, meta) in enumerate(zip(outputs, metas, strict=True)):
            if output.requires_grad:
                roots.append(output)
                ones.append(self._ones_from_metadata(meta) if meta else None)
            elif meta is not None:
                raise self._complain(
                    f"output {i} requires_grad=False, but output_grads metadata is provided: "
                    f"{meta}."
                )
        if not roots:
            return (None,) * len(inputs)
        return self._compute_input_grads(roots, inputs, ones)

    @staticmethod
    def _grad_meta(grad: Any, value: Tensor) -> TensorMeta | None:
        if isinstance(grad, Tensor):
            return extract_tensor_meta(grad)
        return _derive_grad_metas((extract_tensor_meta(value),))[0] if value.requires_grad else None

    def _validate_inferred_metadata(self) -> None:
        """Warn of what users have said otherwise."""
        for name in ("inputs", "outputs", "input_grads", "output_grads"):
            said, found = getattr(self._user_meta, name), getattr(self._stage_meta, name)
            if said and found:
                label = f"Stage {self.stage_index} {name[:-1]}"
                validate_tensors_metadata(label, said, found, warn_on_mismatch=True)

    def _post_metadata_inference_cleanup(self) -> None:
        """Undo what the first run has done to sharded modules."""
        self._forget_first_run()
        for module in self.submod.modules():
            if isinstance(module, FSDPModule):
                module.reshard()
                inside: Any = module
                for parameter in inside.parameters():
                    parameter.grad = None
