"""The parameters of one call of ``fully_shard``, which are exchanged together."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Any

from mindtorch_autograd import watch_leaf_order

from .... import nn
from ....aten import torch
from ....profiler import record_function
from ....tensor import Tensor
from ... import distributed_c10d as c10d
from ...utils import _apply_to_tensors
from ._fsdp_api import (
    AllGather,
    CPUOffloadPolicy,
    MixedPrecisionPolicy,
    OffloadPolicy,
    ReduceScatter,
)
from ._fsdp_collectives import (
    AllGatherResult,
    DefaultAllGather,
    DefaultReduceScatter,
    foreach_all_gather,
    foreach_all_gather_copy_out,
    foreach_reduce,
    share_memory,
)
from ._fsdp_comm_context import FSDPCommContext
from ._fsdp_common import (
    DataParallelMeshInfo,
    DDPMeshInfo,
    FSDPMeshInfo,
    HSDPMeshInfo,
    TrainingState,
)
from ._fsdp_param import FSDPParam, ShardedState
from ._param_module_infos import _get_param_module_infos as _get_param_module_infos
from ._post_backward import RegisterPostBackwardFunction

__all__ = ["FSDPCommContext", "FSDPParamGroup", "RegisterPostBackwardFunction"]

logger = logging.getLogger("mindtorch.distributed.fsdp.fully_shard")


class FSDPParamGroup:
    """Parameters that become whole together, and whose gradients are reduced together."""

    def __init__(
        self,
        params: list[Any],
        modules: tuple[nn.Module, ...],
        mesh_info: DataParallelMeshInfo,
        post_forward_mesh_info: FSDPMeshInfo | None,
        device: Any,
        shard_placement_fn: Callable[..., Any] | None,
        mp_policy: MixedPrecisionPolicy,
        offload_policy: OffloadPolicy,
    ) -> None:
        self.modules = modules
        how = (mesh_info, post_forward_mesh_info, device)
        rest = (shard_placement_fn, mp_policy, offload_policy)
        infos = _get_param_module_infos(params, modules)
        self.fsdp_params = [
            FSDPParam(p, info, *how, *rest) for p, info in zip(params, infos, strict=True)
        ]
        self.mesh_info, self.post_forward_mesh_info = mesh_info, post_forward_mesh_info
        self.device, self.mp_policy, self.offload_policy = device, mp_policy, offload_policy
        self._training_state = TrainingState.IDLE
        self._sharded_state = ShardedState.SHARDED
        self._module_fqn: str | None = None
        self.comm_ctx = FSDPCommContext()
        self.comm_ctx.lazy_init(device)
        self._param_group_index, self._num_param_groups = 0, 1
        self._all_gather_comm: AllGather = DefaultAllGather()
        self._reduce_scatter_comm: ReduceScatter = DefaultReduceScatter()
        self._all_reduce_hook: Callable[[Any], None] | None = None
        self._all_reduce_hook_stream: Any = None
        self.reduce_grads = True
        self.all_reduce_grads = True
        self.reshard_after_backward = True
        self.reduce_scatter_max_input_buffers = 1
        self.gradient_divide_factor: float | None = None
        self.reduce_scatter_unused_params = False
        self.force_sum_reduction_for_comms = False
        self.unshard_async_op = False
        self.unshard_in_backward = True
        self._all_gather_result: AllGatherResult | None = None
        #: Places of this group in the order of forward.
        self._post_forward_indices: list[int] = []
        #: A sum of gradients that is not yet that of the processes with the same parts.
        self._partial_reduce_output: Any = None
        self._has_state_hooks = False
        self._orig_dtype: Any = None
        self._reduce_dtype: Any = None

    def __repr__(self) -> str:
        return f"FSDPParamGroup(fqn={self._module_fqn})"

    # Before the first forward

    def lazy_init(self) -> None:
        """Take note of what became of parameters since they were split.

        Raises RuntimeError for parameters that lie nowhere, and for those not on the host that
        should be there; AssertionError where trained ones have several dtypes.
        """
        if self.is_sharded:
            for p in self.fsdp_params:
                p.reset_sharded_param()
        self._validate_no_meta_params()
        self._validate_cpu_offload_params()
        self._init_mp_dtypes()
        self._register_state_dict_hooks()

    def _validate_no_meta_params(self) -> None:
        nowhere = [p._param_fqn for p in self.fsdp_params if p.sharded_param.device.type == "meta"]
        if nowhere:
            raise RuntimeError(
                "FSDP parameters should be materialized from meta device before training, but the "
                f"following were still on meta device: {nowhere}\nFor example, call "
                "module.to_empty(device) to materialize to device and call "
                "module.reset_parameters() on each module to initialize values."
            )

    def _validate_cpu_offload_params(self) -> None:
        if not isinstance(self.offload_policy, CPUOffloadPolicy):
            return
        found = [(p._param_fqn, p.sharded_param.device) for p in self.fsdp_params]
        wrong = [(name, device) for name, device in found if device.type != "cpu"]
        if wrong:
            raise RuntimeError(
                "FSDP parameters should be materialized on CPU when enabling CPU offloading. For "
                'example, load a CPU state dict or call module.to_empty(device="cpu"). Found '
                f"following parameters on non-CPU device: {wrong}\n"
            )

    def _init_mp_dtypes(self) -> None:
        for p in self.fsdp_params:
            p.init_dtype_attrs(self.mp_policy)
        trained = [p for p in self.fsdp_params if p.sharded_param.requires_grad]
        for kind, dtypes in (
            ("original parameter", {p.orig_dtype for p in trained}),
            ("reduce", {p.reduce_dtype for p in trained}),
        ):
            if len(dtypes) > 1:
                raise AssertionError(f"FSDP expects uniform {kind} dtype but got {dtypes}")
        self._orig_dtype = trained[0].orig_dtype if trained else None
        self._reduce_dtype = trained[0].reduce_dtype if trained else None

    def _register_state_dict_hooks(self) -> None:
        """Let states be those of split parameters."""
        if self._has_state_hooks:
            return
        self._has_state_hooks = True

        def split_first(*args: Any, **kwargs: Any) -> None:
            self._to_sharded()

        for module in dict.fromkeys(p._module_info.module for p in self.fsdp_params):
            module.register_state_dict_pre_hook(split_first)
            module._register_load_state_dict_pre_hook(split_first)

    # Parameters

    def _world_size(self) -> int:
        if not isinstance(self.mesh_info, FSDPMeshInfo):
            return 1
        return int(self._all_gather_process_group.size())

    def unshard(self, async_op: bool = False) -> None:
        """Begin to gather what is not whole; :meth:`wait_for_unshard` ends it."""
        if self._all_gather_result is not None or self.is_unsharded:
            return
        if not self.unshard_in_backward and self._training_state is TrainingState.PRE_BACKWARD:
            return
        if self.is_sharded:
            for p in self.fsdp_params:
                p.reset_sharded_param()
        if self._world_size() == 1:
            self._all_gather_result = AllGatherResult(None, None, None, [], [], [])
            return
        with record_function(self._with_fqn("FSDP::all_gather")):
            self._all_gather_result = foreach_all_gather(
                self.fsdp_params,
                self._all_gather_process_group,
                True,
                *self.comm_ctx.get_all_gather_streams(async_op, self._training_state),
                self.device,
                self._all_gather_comm,
            )

    def wait_for_unshard(self) -> None:
        """Let modules see whole parameters that were asked for."""
        result = self._all_gather_result
        if result is None:
            return
        if result.all_gather_output is None:
            self._copy_own()
        else:
            with record_function(self._with_fqn("FSDP::all_gather_copy_out")):
                foreach_all_gather_copy_out(
                    result, self.fsdp_params, self._all_gather_process_group
                )
        for p in self.fsdp_params:
            p.init_unsharded_param()
        self._to_unsharded()
        self._all_gather_result = None

    @torch.no_grad()
    def _copy_own(self) -> None:
        """What a single process has is the whole."""
        sent = [p.all_gather_inputs for p in self.fsdp_params]
        dtypes = [[x.dtype for x in lines] for lines in sent]
        numels = [[x.numel() for x in lines] for lines in sent]
        what = AllGatherResult(None, None, None, dtypes, numels, [])
        share_memory(self.fsdp_params, what, 1, self.device)
        for i, p in enumerate(self.fsdp_params):
            p.init_all_gather_outputs(numels[i], dtypes[i], 1, self.device)
            p.receive([[x] for x in sent[i]])

    def drop(self) -> None:
        """Forget what was gathered early and not used, for parameters may change."""
        result, self._all_gather_result = self._all_gather_result, None
        if result is not None and result.all_gather_work is not None:
            result.all_gather_work.wait()

    def reshard(self) -> None:
        """Let go of what others have; after forward, as much as was asked for."""
        if self._training_state is TrainingState.FORWARD:
            if self.post_forward_mesh_info is None:
                return
            if self._use_post_forward_mesh:
                self._to_sharded_post_forward()
                return
        self._to_sharded()

    @torch.no_grad()
    def _to_sharded(self) -> None:
        self.drop()
        if not self.is_sharded:
            for p in self.fsdp_params:
                p.to_sharded()
            self._sharded_state = ShardedState.SHARDED

    @torch.no_grad()
    def _to_sharded_post_forward(self) -> None:
        if not self.is_sharded_post_forward:
            for p in self.fsdp_params:
                p.to_sharded_post_forward()
            for p in self.fsdp_params:
                p.free_unsharded_param()
            self._sharded_state = ShardedState.SHARDED_POST_FORWARD

    def _to_unsharded(self) -> None:
        if not self.is_unsharded:
            for p in self.fsdp_params:
                p.to_unsharded()
            self._sharded_state = ShardedState.UNSHARDED

    @property
    def is_sharded(self) -> bool:
        """Whether modules see the parts of this process."""
        return self._sharded_state is ShardedState.SHARDED

    @property
    def is_sharded_post_forward(self) -> bool:
        """Whether modules see the larger parts between forward and backward."""
        return self._sharded_state is ShardedState.SHARDED_POST_FORWARD

    @property
    def is_unsharded(self) -> bool:
        """Whether modules see whole parameters."""
        return self._sharded_state is ShardedState.UNSHARDED

    # Forward and backward

    def pre_forward(self, module: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
        """Have parameters whole; backward through the inputs ends that of this group."""
        logger.debug("%s", self._with_fqn("FSDP::pre_forward"))
        with record_function(self._with_fqn("FSDP::pre_forward")):
            entering = self._training_state is not TrainingState.FORWARD
            self._training_state = TrainingState.FORWARD
            self.unshard(self.unshard_async_op)
            self.wait_for_unshard()
            if entering:
                return self._register_post_backward_hook(args, kwargs)
        return args, kwargs

    def post_forward(self, module: Any, input: Any, output: Any) -> Any:
        """Split parameters again, if so asked for, and note the order."""
        logger.debug("%s", self._with_fqn("FSDP::post_forward"))
        with record_function(self._with_fqn("FSDP::post_forward")):
            self.reshard()
            self._record_post_forward()
            self._training_state = TrainingState.IDLE
        return output

    def _record_post_forward(self) -> None:
        order = self.comm_ctx.post_forward_order
        self._post_forward_indices.append(len(order))
        order.append(self)

    def pre_backward(self, default_prefetch: bool, *unused: Any) -> None:
        """Have parameters whole, and begin to gather those that backward needs next."""
        if self._training_state is TrainingState.PRE_BACKWARD and self.is_unsharded:
            return
        logger.debug("%s", self._with_fqn("FSDP::pre_backward"))
        with record_function(self._with_fqn("FSDP::pre_backward")):
            self._training_state = TrainingState.PRE_BACKWARD
            self.unshard(self.unshard_async_op)
            self.wait_for_unshard()
            if default_prefetch:
                self._backward_prefetch()

    def _backward_prefetch(self) -> None:
        if not self._post_forward_indices:
            return
        at = self._post_forward_indices.pop()
        order = self.comm_ctx.post_forward_order[:at]
        for target in reversed(order):
            if target.modules is not self.modules:
                self._prefetch_unshard(target, "backward")
                return

    @staticmethod
    def _prefetch_unshard(target: FSDPParamGroup, pass_type: str) -> None:
        """Begin to gather the parameters of another group for a forward or a backward.

        Raises ValueError for another word.
        """
        states = {"backward": TrainingState.PRE_BACKWARD, "forward": TrainingState.FORWARD}
        if pass_type not in states:
            raise ValueError(f"Unknown pass type: {pass_type}")
        with (
            record_function(f"FSDP::{pass_type}_prefetch for {target._module_fqn}"),
            target.use_training_state(states[pass_type]),
        ):
            target.unshard(target.unshard_async_op)

    @contextlib.contextmanager
    def use_training_state(self, training_state: TrainingState) -> Iterator[None]:
        """Be at *training_state* in the body."""
        before, self._training_state = self._training_state, training_state
        try:
            yield
        finally:
            self._training_state = before

    def post_backward(self, *unused: Any) -> None:
        """Reduce the gradients that there are, if so asked for, and split parameters."""
        logger.debug("%s", self._with_fqn("FSDP::post_backward"))
        self._training_state = TrainingState.POST_BACKWARD
        with record_function(self._with_fqn("FSDP::post_backward_accumulate")):
            for p in self.fsdp_params:
                p.accumulate_unsharded_grad_if_needed()
        with record_function(self._with_fqn("FSDP::post_backward_reshard")):
            found = self._gradients() if self.reduce_grads else []
            if self.reshard_after_backward:
                self.reshard()
            if not self.reduce_grads:
                for p in self.fsdp_params:
                    p.to_accumulated_grad_if_needed()
                return
        if found:
            with record_function(self._with_fqn("FSDP::post_backward_reduce")):
                self._reduce([p for p, _ in found], [grad for _, grad in found])

    def _gradients(self) -> list[tuple[FSDPParam, Any]]:
        """Take what there is of gradients from whole parameters."""
        found = []
        for p in self.fsdp_params:
            whole = p._unsharded_param
            if whole is None:
                continue
            if p.unsharded_accumulated_grad is not None:
                found.append((p, p.unsharded_accumulated_grad_data))
                p.unsharded_accumulated_grad = None
            elif whole.grad is not None:
                found.append((p, p.unsharded_grad_data))
                whole.grad = None
            elif self.reduce_scatter_unused_params and whole.requires_grad:
                found.append((p, p.unsharded_zero_grad_data))
        return found

    def _reduce(self, params: list[FSDPParam], grads: list[Any]) -> None:
        info = self.mesh_info
        every = info.replicate_process_group if isinstance(info, DDPMeshInfo) else None
        stream = self.comm_ctx.all_reduce_stream
        if every is None and self._all_reduce_hook_stream is not None:
            stream = self._all_reduce_hook_stream
        answer = foreach_reduce(
            params,
            grads,
            self._reduce_scatter_process_group if isinstance(info, FSDPMeshInfo) else None,
            self.comm_ctx.reduce_scatter_stream,
            self._reduce_scatter_comm,
            self._orig_dtype,
            self._reduce_dtype,
            self.device,
            self.gradient_divide_factor,
            every,
            stream,
            self.all_reduce_grads,
            self._partial_reduce_output,
            self._all_reduce_hook,
            self.force_sum_reduction_for_comms,
        )
        self._partial_reduce_output = answer[-1]

    def finalize_backward(self) -> None:
        """Forget what the last backward of an iteration has left."""
        self.drop()
        self._post_forward_indices.clear()

    def _reset_iter_state(self) -> None:
        """Forget an iteration that failed, with its gradients."""
        self._partial_reduce_output = None
        self._post_forward_indices.clear()
        self._training_state = TrainingState.IDLE
        self._to_sharded()

    def _register_post_backward_hook(self, args: Any, kwargs: Any) -> tuple[Any, Any]:
        if not torch.is_grad_enabled():
            return args, kwargs
        found: list[Tensor] = []

        def collect(x: Tensor) -> Tensor:
            if x.requires_grad:
                found.append(x)
            return x

        _apply_to_tensors(collect, (args, kwargs))
        if not found:
            return args, kwargs
        passed = RegisterPostBackwardFunction.apply(self, *found)
        # Gradients of parameters have to be there when backward comes to the inputs.
        watch_leaf_order(passed[0].grad_fn)
        made = iter(passed)
        args, kwargs = _apply_to_tensors(
            lambda x: next(made) if x.requires_grad else x, (args, kwargs)
        )
        return args, kwargs

    # Groups of processes

    @property
    def _use_post_forward_mesh(self) -> bool:
        after = self.post_forward_mesh_info
        return after is not None and after is not self.mesh_info and after != self.mesh_info

    @property
    def _reshard_after_forward(self) -> bool:
        return self.post_forward_mesh_info is not None

    @property
    def _is_hsdp(self) -> bool:
        return isinstance(self.mesh_info, HSDPMeshInfo)

    @property
    def _all_gather_process_group(self) -> Any:
        after = self.is_sharded_post_forward
        info: Any = self.post_forward_mesh_info if after else self.mesh_info
        return info.shard_process_group

    @property
    def _reduce_scatter_process_group(self) -> Any:
        info: Any = self.mesh_info
        return info.reduce_scatter_process_group or info.shard_process_group

    def _set_separate_reduce_scatter_group(
        self, enable: bool, new_groups: dict[tuple[int, ...], Any]
    ) -> None:
        info: Any = self.mesh_info
        if not enable:
            info.reduce_scatter_process_group = None
            return
        ranks = tuple(c10d.get_process_group_ranks(info.shard_process_group))
        if ranks not in new_groups:
            new_groups[ranks] = info.reduce_scatter_process_group or c10d.new_group(
                list(ranks), use_local_synchronization=True, group_desc="fsdp_reduce_scatter"
            )
        info.reduce_scatter_process_group = new_groups[ranks]

    def _with_fqn(self, label: str) -> str:
        return f"{label} ({self._module_fqn})" if self._module_fqn else label
