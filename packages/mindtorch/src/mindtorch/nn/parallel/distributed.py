"""``DistributedDataParallel``: a module whose gradients are averaged over processes."""

from __future__ import annotations

import copy
import os
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import mindtorch.distributed as dist

from ... import autograd, nn
from ..._utils import _get_device_index
from ...aten import torch
from ...aten.torch import Tensor
from ...autograd import Function as Function
from ...autograd import Variable as Variable
from ...autograd.profiler import record_function
from ...core.module_names import adopt, name_parts
from ...distributed import ReduceOp as ReduceOp
from ...distributed.algorithms.ddp_comm_hooks.optimizer_overlap_hooks import (
    _apply_optim_in_backward_hook,
)
from ...distributed.algorithms.join import Join, Joinable
from ...distributed.distributed_c10d import _get_default_group as _get_default_group
from ...distributed.distributed_c10d import _rank_not_in_group as _rank_not_in_group
from ...distributed.optim.apply_optimizer_in_backward import param_to_optim_hook_handle_map
from ...distributed.utils import (
    _cast_forward_inputs,
    _recursive_to,
    _sync_module_states,
    _to_kwargs,
)
from ..modules import Module as Module
from . import bucket_capacity, buffer_broadcast, ddp_join, ddp_report, output_sink
from .bucket_capacity import _DEFAULT_BUCKET_CAP_MB as _DEFAULT_BUCKET_CAP_MB
from .bucket_capacity import _MB_TO_BYTES, _BucketCapacityConfig
from .buffer_broadcast import BufferBroadcast, buffers_sent
from .buffer_broadcast import _BufferCommHook as _BufferCommHook
from .buffer_broadcast import _BufferCommHookLocation as _BufferCommHookLocation
from .ddp_join import JoinedModel
from .ddp_join import _DDPJoinHook as _DDPJoinHook
from .ddp_report import _dump_DDP_relevant_env_vars as _dump_DDP_relevant_env_vars
from .ddp_report import objection_to, unfinished
from .low_precision import LowPrecision
from .low_precision import _MixedPrecision as _MixedPrecision
from .output_sink import _DDPSink as _DDPSink
from .output_sink import through_sink
from .scatter_gather import gather as gather
from .scatter_gather import scatter_kwargs as scatter_kwargs
from .trained_parameters import TrainedParameters
from .used_parameters import _find_tensors

__all__ = ["DistributedDataParallel"]


class DistributedDataParallel(BufferBroadcast, TrainedParameters, nn.Module, JoinedModel):
    """A module, the gradients of which are averaged over all processes of a group."""

    _active_ddp_module: DistributedDataParallel | None = None

    def __init__(
        self,
        module: Any,
        device_ids: Any = None,
        output_device: Any = None,
        dim: int = 0,
        broadcast_buffers: Any = None,
        init_sync: bool = True,
        process_group: Any = None,
        bucket_cap_mb: Any = None,
        find_unused_parameters: bool = False,
        check_reduction: bool = False,
        gradient_as_bucket_view: bool = False,
        static_graph: bool = False,
        delay_all_reduce_named_params: Any = None,
        param_to_hook_all_reduce: Any = None,
        mixed_precision: _MixedPrecision | None = None,
        device_mesh: Any = None,
        skip_all_reduce_unused_params: bool = False,
        bucket_cap_mb_list: list[int] | None = None,
        batched_grad_copy: bool = False,
        forward_sync_buffers: bool | None = None,
    ) -> None:
        super().__init__()
        Joinable.__init__(self)
        self._use_python_reducer = False
        self.logger: Any = None
        if process_group is not None and device_mesh is not None:
            raise RuntimeError("Cannot specify both process_group and device_mesh arguments.")
        if device_mesh is not None:
            if device_mesh.ndim != 1:
                raise RuntimeError(f"Only 1D device mesh is supported, but got {device_mesh}.")
            self.device_mesh = device_mesh
            self.process_group = device_mesh.get_group(mesh_dim=0)
        elif process_group is None:
            self.process_group = dist.distributed_c10d._get_default_group()
        else:
            self.process_group = process_group
        self._delay_all_reduce_params: list[Tensor] = []
        ignored = getattr(module, "_ddp_params_and_buffers_to_ignore", None)
        self.parameters_to_ignore = set(ignored) if ignored is not None else set()
        for name, _ in delay_all_reduce_named_params or ():
            self.parameters_to_ignore.add(name)
        self._module_parameters = [
            p for n, p in module.named_parameters() if n not in self.parameters_to_ignore
        ]
        if not any(p.requires_grad for p in self._module_parameters):
            self._log_and_throw(
                RuntimeError,
                "DistributedDataParallel is not needed when a module doesn't have any parameter "
                "that requires a gradient.",
            )
        if device_ids is not None and len(device_ids) > 1:
            self._log_and_throw(
                ValueError, "device_ids can only be None or contain a single element."
            )
        devices = {p.device for p in self._module_parameters}
        self.is_multi_device_module = len(devices) > 1
        types = {d.type for d in devices}
        if len(types) != 1:
            self._log_and_throw(
                ValueError,
                "DistributedDataParallel's input module must be on the same type of devices, but "
                f"input module parameters locate in {types}.",
            )
        self.device_type = next(iter(types))
        on_host = self.device_type == "cpu" or self.is_multi_device_module
        if (device_ids is None or len(device_ids) == 0 or on_host) and (
            device_ids or output_device
        ):
            self._log_and_throw(
                ValueError,
                "DistributedDataParallel device_ids and output_device arguments only work with "
                "single-device/multiple-device GPU modules or CPU modules, but got device_ids "
                f"{device_ids}, output_device {output_device}, and module parameters {devices}.",
            )
        if not device_ids:
            self.device_ids: Any = None
            self.output_device: Any = None
        else:
            self.device_ids = [_get_device_index(each, True) for each in device_ids]
            given = device_ids[0] if output_device is None else output_device
            self.output_device = _get_device_index(given, True)
        self.static_graph = False
        self.dim = dim
        self.module = module
        self.device = next(iter(self._module_parameters)).device
        first, each = buffers_sent(broadcast_buffers, forward_sync_buffers)
        self.forward_sync_buffers = each
        self.find_unused_parameters = find_unused_parameters
        self.require_backward_grad_sync = True
        self.require_forward_param_sync = True
        self.gradient_as_bucket_view = gradient_as_bucket_view
        self.batched_grad_copy = batched_grad_copy
        self.mixed_precision = mixed_precision
        self.broadcast_bucket_size = 250 * _MB_TO_BYTES
        config = _BucketCapacityConfig.create(
            bucket_cap_mb, bucket_cap_mb_list, self._use_python_reducer
        )
        self._bucket_config = config
        self.bucket_bytes_cap = config.bucket_bytes_cap
        self.bucket_bytes_cap_list = list(config.per_bucket_bytes_caps)
        self.bucket_bytes_cap_default = config.first_bucket_bytes_cap < config.bucket_bytes_cap
        self.use_side_stream_for_tensor_copies = (
            os.environ.get("PYTORCH_DDP_USE_SIDE_STREAM", "1") == "1"
        )
        self.skip_all_reduce_unused_params = skip_all_reduce_unused_params
        self._lazy_init_ran = False
        self._ddp_sink_clone = True
        self._accumulate_hooks: list[Any] = []
        self._comm_hooks: list[Any] = []
        self._delayed = list(delay_all_reduce_named_params or ())
        parameters, expect_sparse = self._build_params_for_reducer()
        if init_sync:
            dist._verify_params_across_processes(self.process_group, parameters)
            _sync_module_states(
                module,
                self.process_group,
                self.broadcast_bucket_size,
                0,
                self.parameters_to_ignore,
                first,
            )
        names = self._build_debug_param_to_name_mapping(parameters)
        self._ddp_init_helper(parameters, expect_sparse, names, static_graph)
        if static_graph:
            self._set_static_graph()

    # What it was made with

    @property
    def broadcast_buffers(self) -> bool:
        """Whether buffers of the first process are sent before each forward."""
        return self.forward_sync_buffers

    @broadcast_buffers.setter
    def broadcast_buffers(self, value: bool) -> None:
        self.forward_sync_buffers = value

    def _ddp_init_helper(
        self,
        parameters: list[Tensor],
        expect_sparse_gradient: list[bool],
        param_to_name_mapping: dict[int, str],
        static_graph: bool,
    ) -> None:
        limits, limits_later = self._bucket_config.compute_bucket_size_limits(
            static_graph, self.find_unused_parameters
        )
        found, sizes = dist._compute_bucket_assignment_by_size(
            parameters, limits, expect_sparse_gradient
        )
        self.reducer = dist.Reducer(
            parameters,
            list(reversed(found)),
            list(reversed(sizes)),
            self.process_group,
            expect_sparse_gradient,
            self.bucket_bytes_cap,
            self.find_unused_parameters,
            self.gradient_as_bucket_view,
            param_to_name_mapping,
            self._bucket_config.first_bucket_bytes_cap,
            self.skip_all_reduce_unused_params,
            self._use_python_reducer,
            limits_later,
            self.batched_grad_copy,
        )
        self._queued = False
        self._low: LowPrecision | None = None
        if self.mixed_precision is not None:
            self._low = LowPrecision(self, self.mixed_precision)
        self._autograd_hooks = [
            p.register_post_accumulate_grad_hook(self._ready_hook_(i))
            for i, p in enumerate(parameters)
        ]
        self.logger = dist.Logger(self.reducer)
        self.logger.set_construction_data_and_log(
            type(self.module).__name__,
            [] if self.device_ids is None else self.device_ids,
            -1 if self.output_device is None else self.output_device,
            self.broadcast_buffers,
            any(isinstance(m, nn.SyncBatchNorm) for m in self.module.modules()),
            static_graph,
        )

    # Backward

    def _ready_hook_(self, index: int) -> Callable[[Tensor], None]:
        def hook(param: Tensor) -> None:
            if not self._queued and (self.reducer.expecting or self._low is not None):
                self._queued = True
                autograd.Variable._execution_engine.queue_callback(self._finish_)
            if self.reducer.expecting:
                self.reducer.ready(index)
            else:
                self.reducer.note_use(index)

        return hook

    def _finish_(self) -> None:
        """The end of a backward: reduce, unless gradients are still to come."""
        self._queued = False
        ends = self.reducer.is_complete or self.reducer.waits_for_end
        if self.reducer.expecting and ends:
            self.reducer.expecting = False
            self.reducer.reduce()
        if self._low is not None:
            self._low.end()

    def _check_reducer_finalized(self) -> bool:
        return not self.reducer.expecting

    def _check_prior_backward_(self) -> None:
        """Raise RuntimeError where gradients of the last backward are missing."""
        came = self.reducer.expecting and bool(self.reducer.arrived())
        if came and (self.static_graph or not self.find_unused_parameters):
            self.reducer.refuse(unfinished(self.reducer))

    def _prepare_for_backward_(self, output: Any) -> None:
        """Expect the gradients of a backward from *output*."""
        self._queued = False
        self.reducer.static = self.static_graph
        searches = self.find_unused_parameters and not self.static_graph
        self.reducer.prepare_for_backward(_find_tensors(output) if searches else [])

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """Let gradients be those of this process alone."""
        before = self.require_backward_grad_sync
        self.require_backward_grad_sync = False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    # Forward

    @classmethod
    def _get_active_ddp_module(cls) -> DistributedDataParallel | None:
        return cls._active_ddp_module

    @contextmanager
    def _inside_ddp_forward(self) -> Iterator[None]:
        DistributedDataParallel._active_ddp_module = self
        try:
            yield
        finally:
            DistributedDataParallel._active_ddp_module = None

    def _run_ddp_forward(self, *inputs: Any, **kwargs: Any) -> Any:
        with self._inside_ddp_forward():
            return self.module(*inputs, **kwargs)

    def _lazy_init(self) -> None:
        self._setup_in_backward_optimizers()
        self._lazy_init_ran = True

    def _setup_in_backward_optimizers(self) -> None:
        """Let optimizers that step in backward do so after gradients are averaged."""
        handles = param_to_optim_hook_handle_map
        mine = [p for p in self._module_parameters if hasattr(p, "_in_backward_optimizers")]
        for handle in [handle for p in mine for handle in handles.get(p, ())]:
            handle.remove()
        if mine:
            hook = _apply_optim_in_backward_hook(self.gradient_as_bucket_view)
            self.register_comm_hook(weakref.ref(self), hook)
            self.reducer._set_optimizer_in_backward()

    def _pre_forward(self, *inputs: Any, **kwargs: Any) -> tuple[Any, Any]:
        if not self._lazy_init_ran:
            self._lazy_init()
        if torch.is_grad_enabled() and self.require_backward_grad_sync:
            self._check_prior_backward_()
            self.reducer.begin_forward()
        work = Join.notify_join_context(self)
        if work is not None:
            self._divide_by_(work)
        if torch.is_grad_enabled():
            self.reducer.rebuild()
        if self._check_sync_bufs_pre_fwd():
            self._sync_buffers()
        if self._join_config.enable:
            self._requires_backward_grad_sync_(joined=False)
        if self.device_ids:
            device = torch.device(self.device_type, self.device_ids[0])
            moved, named = _to_kwargs(
                inputs, kwargs, device, self.use_side_stream_for_tensor_copies
            )
            inputs, kwargs = moved[0], named[0]
        if self._low is not None:
            self._low.begin()
            inputs, kwargs = _cast_forward_inputs(self._low.dtype, *inputs, **kwargs)
        return inputs, kwargs

    def _post_forward(self, output: Any) -> Any:
        if self._check_sync_bufs_post_fwd():
            self._sync_buffers()
        syncs = torch.is_grad_enabled() and self.require_backward_grad_sync
        self.require_forward_param_sync = syncs
        if syncs:
            self._prepare_for_backward_(output)
            if self.reducer.waits_for_end:
                output = through_sink(self, output)
        else:
            self.reducer.expecting = False
            if self._low is not None and not torch.is_grad_enabled():
                self._low.end()
        return output

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """The module's forward; the next backward averages gradients."""
        with record_function("DistributedDataParallel.forward"):
            inputs, kwargs = self._pre_forward(*inputs, **kwargs)
            return self._post_forward(self._run_ddp_forward(*inputs, **kwargs))

    def scatter(self, inputs: Any, kwargs: Any, device_ids: Any) -> Any:
        """Parts of the inputs for each device; one process has one."""
        return _to_kwargs(inputs, kwargs, torch.device(self.device_type, device_ids[0]), False)

    def to_kwargs(self, inputs: Any, kwargs: Any, device_id: Any) -> Any:
        """The inputs on a device."""
        return _to_kwargs(inputs, kwargs, torch.device(self.device_type, device_id), False)

    def gather(self, outputs: Any, output_device: Any) -> Any:
        """The outputs of all devices on one."""
        return _recursive_to(outputs, output_device, False)[0]

    def train(self, mode: bool = True) -> DistributedDataParallel:
        """Set the mode of the module."""
        super().train(mode)
        return self

    # Hooks

    def register_comm_hook(self, state: object, hook: Callable[..., Any]) -> None:
        """Let *hook* reduce the buckets of gradients."""
        self._check_comm_hook(hook)
        self.logger._set_comm_hook_name(hook.__qualname__)
        self._comm_hooks.append((hook, state))
        dist._register_comm_hook(self.reducer, state, hook)

    def _register_builtin_comm_hook(self, comm_hook_type: Any) -> None:
        self.logger._set_comm_hook_name(str(comm_hook_type))
        dist._register_builtin_comm_hook(self.reducer, comm_hook_type)

    def _check_comm_hook(self, hook: Any) -> None:
        wrong = objection_to(hook)
        if wrong is not None:
            self._log_and_throw(*wrong)

    def _register_fused_optim(
        self, optim: type, *args: Any, optim_params: Any = None, **kwargs: Any
    ) -> None:
        from ...distributed.algorithms._optimizer_overlap import _as_overlapped_optim

        made = _as_overlapped_optim(optim, optim_params, *args, **kwargs)
        made.register_ddp(self)

    # The rest

    def _get_ddp_logging_data(self) -> dict[str, Any]:
        data = self.logger._get_ddp_logging_data()
        return {**data.strs_map, **data.ints_map}

    def _set_ddp_runtime_logging_sample_rate(self, sample_rate: int) -> None:
        if sample_rate < 1:
            self._log_and_throw(
                ValueError,
                "DDP runtime logging sample rate should be equal or greater than 1",
            )
        self.logger.set_sample_rate(sample_rate)

    def _set_ddp_sink_clone(self, val: bool) -> None:
        """Say whether outputs are copies: False: they are not changed in place."""
        self._ddp_sink_clone = val

    def _set_static_graph(self) -> None:
        if self.static_graph:
            warnings.warn("You've set static_graph to be True, no need to set it again.")
            return
        if self.reducer.has_begun:
            text = (
                "set_static_graph() should be called before training loop starts and after "
                "DistributedDataParallel is constructed."
            )
            self.logger._set_error_and_log(text)
            raise RuntimeError(text)
        self.static_graph = True
        self.logger.set_static_graph()
        if self.find_unused_parameters:
            warnings.warn(
                "You passed find_unused_parameters=true to DistributedDataParallel, "
                "`_set_static_graph` will detect unused parameters automatically, so you do not "
                "need to set find_unused_parameters=true, just be sure these unused parameters "
                "will not change during training loop while calling `_set_static_graph`."
            )

    def _remove_autograd_hooks(self) -> None:
        for hook in self._autograd_hooks:
            hook.remove()

    def _update_process_group(self, new_process_group: Any) -> None:
        self.process_group = self.reducer.group = new_process_group

    def __getstate__(self) -> dict[str, Any]:
        if self.process_group != dist.distributed_c10d._get_default_group():
            raise RuntimeError(
                "DDP Pickling/Unpickling are only supported when using DDP with the default "
                "process group. That is, when you have called init_process_group and have not "
                "passed process_group argument to DDP constructor"
            )
        state = copy.copy(self.__dict__)
        for name in ("process_group", "reducer", "logger", "_autograd_hooks"):
            state.pop(name, None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.process_group = dist.distributed_c10d._get_default_group()
        super().__setstate__(state)
        self.__dict__.setdefault("require_forward_param_sync", True)
        self.__dict__.setdefault("require_backward_grad_sync", True)
        parameters, expect_sparse = self._build_params_for_reducer()
        names = self._build_debug_param_to_name_mapping(parameters)
        self._ddp_init_helper(parameters, expect_sparse, names, self.static_graph)


adopt(__name__, bucket_capacity, buffer_broadcast, ddp_join, ddp_report, output_sink)


name_parts(DistributedDataParallel, BufferBroadcast, TrainedParameters, JoinedModel)
