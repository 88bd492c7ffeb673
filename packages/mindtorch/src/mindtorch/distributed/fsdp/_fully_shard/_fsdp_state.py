"""When parameters are made whole and split again: before and after forward and backward."""

from __future__ import annotations

import functools
from typing import Any

from .... import nn
from ....aten import torch
from ....autograd import Variable
from ....core.warning import warn
from ....tensor import Tensor
from ..._composable_state import _get_module_state, _insert_module_state, _State
from ...utils import _apply_to_tensors, _to_kwargs
from ._fsdp_api import MixedPrecisionPolicy
from ._fsdp_common import TrainingState, cast_floats
from ._fsdp_param_group import FSDPCommContext, FSDPParamGroup, logger

__all__ = ["FSDPState", "FSDPStateContext"]


class FSDPStateContext:
    """What the states under one root have in common."""

    def __init__(self) -> None:
        self.all_states: list[FSDPState] = []
        #: The state that has begun the forward that runs.
        self.iter_forward_root: FSDPState | None = None
        self.post_backward_final_callback_queued = False
        self.is_last_backward = True
        self.post_optim_event: Any = None


class FSDPState(_State):
    """What ``fully_shard`` keeps for the modules of one call."""

    def __init__(self) -> None:
        self._fsdp_param_groups: list[FSDPParamGroup] = []
        self._is_root: bool | None = None
        self._state_ctx = FSDPStateContext()
        self._comm_ctx = FSDPCommContext()
        self._training_state = TrainingState.IDLE
        self._states_to_forward_prefetch: list[FSDPState] = []
        self._states_to_backward_prefetch: list[FSDPState] = []
        #: Of several modules that are one group, those that are still to run.
        self._modules_to_run_forward: set[nn.Module] = set()
        #: Whether parameters of a root stay whole after forward.
        self._auto_reshard_after_forward = True

    def init(
        self,
        modules: tuple[nn.Module, ...],
        device: Any,
        mp_policy: MixedPrecisionPolicy,
        auto_reshard_after_forward: bool,
    ) -> None:
        """Watch the forward of *modules*."""
        for module in modules:
            _insert_module_state(module, self)
        self._modules, self._device, self._mp_policy = modules, device, mp_policy
        self._auto_reshard_after_forward = auto_reshard_after_forward
        single = len(modules) == 1
        before = self._pre_forward if single else self._pre_forward_of_several
        after = self._post_forward if single else self._post_forward_of_several
        for module in modules:
            module.register_forward_pre_hook(before, prepend=True, with_kwargs=True)
            module.register_forward_hook(after, always_call=not single)

    @property
    def _fsdp_param_group(self) -> FSDPParamGroup | None:
        """The only group; None if there is none.

        Raises AssertionError where there are several.
        """
        groups = self._fsdp_param_groups
        if len(groups) > 1:
            raise AssertionError(
                f"Expected at most 1 param group for backward compatibility, but got {len(groups)} "
                f"(fqns: {[g._module_fqn for g in groups]}). Use `_fsdp_param_groups` (plural) to "
                "access all param groups when using per-param mesh via shard_placement_fn "
                "returning ShardPlacementResult."
            )
        return groups[0] if groups else None

    # The root

    def _lazy_init(self) -> None:
        """Take the states of inner modules as one's own, if nobody has yet.

        Raises RuntimeError where an inner module has run before its root and for a root of several
        modules, ValueError where two groups have a parameter.
        """
        if self._is_root is not None:
            return
        self._is_root = True
        if len(self._modules) > 1:
            raise RuntimeError(f"FSDP requires a single root module but got {self._modules}")
        states = self._state_ctx.all_states
        for name, module in self._modules[0].named_modules():
            state = _get_module_fsdp_state(module)
            if state is None or state in states:
                continue
            if state is not self:
                if state._is_root is not None:
                    raise RuntimeError(
                        f"FSDP state has already been lazily initialized for {name}\nFSDP requires "
                        "running forward through the root module first"
                    )
                state._is_root = False
            states.append(state)
        if self._auto_reshard_after_forward:
            for group in self._fsdp_param_groups:
                group.post_forward_mesh_info = None
        self._init_fqns()
        self._init_shared_state()
        self._validate_no_duplicate_params()
        for group in self._groups_():
            group.lazy_init()

    def _groups_(self) -> list[FSDPParamGroup]:
        """Those of all states under this root."""
        return [g for state in self._state_ctx.all_states for g in state._fsdp_param_groups]

    def _init_fqns(self) -> None:
        root = self._modules[0]
        by_param = {p.registered: p for group in self._groups_() for p in group.fsdp_params}
        for name, param in root.named_parameters():
            if param in by_param:
                by_param[param]._param_fqn = name
        by_module: dict[nn.Module, list[FSDPParamGroup]] = {}
        for group in self._groups_():
            for module in group.modules:
                by_module.setdefault(module, []).append(group)
        for name, module in root.named_modules():
            for group in by_module.get(module, ()):
                known = group._module_fqn
                group._module_fqn = name if known is None else f"{known}, {name}"

    def _init_shared_state(self) -> None:
        self._comm_ctx.lazy_init(self._device)
        for state in self._state_ctx.all_states:
            state._state_ctx, state._comm_ctx = self._state_ctx, self._comm_ctx
            for i, group in enumerate(state._fsdp_param_groups):
                group.comm_ctx = self._comm_ctx
                group._param_group_index = i
                group._num_param_groups = len(state._fsdp_param_groups)
        most = max((g.reduce_scatter_max_input_buffers for g in self._groups_()), default=1)
        self._comm_ctx.reduce_scatter_max_input_buffers = most

    def _validate_no_duplicate_params(self) -> None:
        seen: set[int] = set()
        for group in self._groups_():
            for p in group.fsdp_params:
                if p._orig_param_uid in seen:
                    raise ValueError(
                        f"Parameter '{p._param_fqn}' is shared with a parameter already managed by "
                        "another FSDP group. For shared/tied parameters, use "
                        "fully_shard([module_a, module_b]) to place them in the same FSDP group."
                    )
                seen.add(p._orig_param_uid)

    # Forward

    def _root_pre_forward(self, args: Any, kwargs: Any) -> tuple[Any, Any]:
        self._lazy_init()
        context = self._state_ctx
        if context.iter_forward_root is not None:
            return args, kwargs
        logger.debug("FSDP::root_pre_forward")
        context.iter_forward_root = self
        event, context.post_optim_event = context.post_optim_event, None
        if event is not None:
            event.wait()
        if self._device.type != "cpu" and (args or kwargs):
            moved, named = _to_kwargs(args, kwargs, self._device, False)
            args, kwargs = moved[0], named[0]
        return args, kwargs

    def _pre_forward(self, module: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
        if self._training_state is TrainingState.PRE_BACKWARD:  # activations are computed again
            for group in self._fsdp_param_groups:
                if not group.is_unsharded:
                    group.unshard()
                    group.wait_for_unshard()
            return self._cast_forward_inputs(args, kwargs)
        first = self._training_state is not TrainingState.FORWARD
        if first:
            args, kwargs = self._root_pre_forward(args, kwargs)
        self._training_state = TrainingState.FORWARD
        args, kwargs = self._cast_forward_inputs(args, kwargs)
        for group in self._fsdp_param_groups:
            args, kwargs = group.pre_forward(module, args, kwargs)
        for state in self._states_to_forward_prefetch if first else ():
            for group in state._fsdp_param_groups:
                FSDPParamGroup._prefetch_unshard(group, "forward")
        return args, kwargs

    def _post_forward(self, module: Any, args: Any, output: Any) -> Any:
        if self._training_state is TrainingState.PRE_BACKWARD:
            return self._cast_output_dtype(output)
        output = self._end_forward(module, args, output)
        if self._state_ctx.iter_forward_root is self:
            output = self._end_unfinished(output)
            self._state_ctx.iter_forward_root = None
            for group in self._groups_():
                group.drop()
        return self._cast_output_dtype(output)

    def _end_forward(self, module: Any, args: Any, output: Any) -> Any:
        for group in self._fsdp_param_groups:
            output = group.post_forward(module, args, output)
        self._register_pre_backward_hook(output)
        self._training_state = TrainingState.IDLE
        return output

    def _end_unfinished(self, output: Any) -> Any:
        """End the forward of groups of several modules of which not all have run."""
        for state in reversed(self._state_ctx.all_states):
            if state is not self and state._modules_to_run_forward:
                output = state._cast_output_dtype(state._end_forward(None, None, output))
                state._modules_to_run_forward.clear()
        return output

    def _pre_forward_of_several(self, module: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
        if not self._modules_to_run_forward:
            self._modules_to_run_forward.update(self._modules)
        return self._pre_forward(module, args, kwargs)

    def _post_forward_of_several(self, module: Any, args: Any, output: Any) -> Any:
        """The modules run one after the other; the last one ends the group's forward."""
        left = self._modules_to_run_forward
        if module in left:
            left.remove(module)
            if not left:
                return self._post_forward(module, args, output)
        return self._cast_output_dtype(output)

    def _cast_forward_inputs(self, args: Any, kwargs: Any) -> tuple[Any, Any]:
        policy = self._mp_policy
        if not policy.cast_forward_inputs or policy.param_dtype is None:
            return args, kwargs
        cast = functools.partial(cast_floats, policy.param_dtype)
        return _apply_to_tensors(cast, args), _apply_to_tensors(cast, kwargs)

    def _cast_output_dtype(self, output: Any) -> Any:
        wanted = self._mp_policy.output_dtype
        if wanted is None:
            return output
        return _apply_to_tensors(functools.partial(cast_floats, wanted), output)

    # Backward

    def _register_pre_backward_hook(self, output: Any) -> None:
        """Have parameters whole when backward comes to *output*."""
        if not torch.is_grad_enabled():
            return

        def watch(x: Tensor) -> Tensor:
            if x.requires_grad:
                if x._base is not None:
                    self._warn_of_view()
                x.register_hook(self._pre_backward)
            return x

        _apply_to_tensors(watch, output)

    def _warn_of_view(self) -> None:
        names = ", ".join(type(m).__name__ for m in self._modules) or "?"
        warn(
            f"FSDP2-wrapped module ({names}) returned a view tensor. An in-place op on this view "
            "(e.g., `x += y`) will silently drop the pre-backward hook and skip the all-gather, "
            "which can cause backward to fail or produce wrong gradients. Use out-of-place ops "
            "(`out = out + y`, not `out += y`) or `.clone()` the output before any in-place op.",
            UserWarning,
        )

    def _pre_backward(self, grad: Any) -> Any:
        self._training_state = TrainingState.PRE_BACKWARD
        if not self._state_ctx.post_backward_final_callback_queued:
            self._state_ctx.post_backward_final_callback_queued = True
            Variable._execution_engine.queue_callback(self._root_post_backward_final_callback)
        named = self._states_to_backward_prefetch
        for group in self._fsdp_param_groups:
            group.pre_backward(not named)
        for state in named:
            for group in reversed(state._fsdp_param_groups):
                FSDPParamGroup._prefetch_unshard(group, "backward")
        return grad

    def _root_post_backward_final_callback(self) -> None:
        """End the backward of all groups, also of those that no gradient has passed."""
        logger.debug("FSDP::root_post_backward")
        context = self._state_ctx
        context.iter_forward_root = None
        for state in context.all_states:
            state._modules_to_run_forward.clear()
            for group in reversed(state._fsdp_param_groups):
                if group._training_state is not TrainingState.POST_BACKWARD:
                    group.post_backward()
                group._training_state = TrainingState.IDLE
                if context.is_last_backward:
                    group.finalize_backward()
            state._training_state = TrainingState.IDLE
        if context.is_last_backward:
            self._comm_ctx.post_forward_order.clear()
        context.post_backward_final_callback_queued = False

    def _reset_iter_state(self) -> None:
        """Forget an iteration that failed.

        Raises RuntimeError but for a root.
        """
        if self._is_root is False:
            raise RuntimeError("reset_iter_state must be called on the root FSDP module")
        self._comm_ctx.post_forward_order.clear()
        for state in self._state_ctx.all_states:
            state._modules_to_run_forward.clear()
            state._training_state = TrainingState.IDLE
            for group in state._fsdp_param_groups:
                group._reset_iter_state()
        self._state_ctx.iter_forward_root = None
        self._state_ctx.post_backward_final_callback_queued = False


def _get_module_fsdp_state(module: nn.Module) -> FSDPState | None:
    """The state of a module; None if it has none."""
    state = _get_module_state(module)
    return state if isinstance(state, FSDPState) else None
