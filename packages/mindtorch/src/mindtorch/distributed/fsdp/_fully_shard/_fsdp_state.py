"""When parameters are made whole and split again: before and after forward and backward."""

from __future__ import annotations

from typing import Any

from ....autograd import Variable
from ....tensor import Tensor
from ....utils import _pytree as pytree
from ...utils import _apply_to_tensors, _cast_forward_inputs
from ._fsdp_api import MixedPrecisionPolicy
from ._fsdp_param_group import ParameterGroup

__all__ = ["State"]


class _Iteration:
    """What the states under one root have in common."""

    def __init__(self) -> None:
        self.states: list[State] = []
        self.forward_root: State | None = None
        #: In the order of forward, for what backward needs next.
        self.ran: list[State] = []
        self.is_last_backward = True
        self.watches_end = False


class State:
    """What ``fully_shard`` keeps for the modules of one call.

    :param reshards: whether parameters are split after forward; None: unless it is the root.
    """

    def __init__(
        self,
        modules: list[Any],
        group: ParameterGroup,
        precision: MixedPrecisionPolicy,
        reshards: bool | None,
    ) -> None:
        self.modules, self.group, self.precision = modules, group, precision
        self.reshards = reshards
        self.is_root: bool | None = None
        self.iteration = _Iteration()
        self.forward_prefetch: list[State] = []
        self.backward_prefetch: list[State] = []
        self.unshards_in_backward = True
        self._running: set[Any] = set()
        self._in_backward = False
        self.post_optim_event: Any = None
        for module in modules:
            module._fsdp_state = self
            module.register_forward_pre_hook(self._before, prepend=True, with_kwargs=True)
            module.register_forward_hook(self._after, always_call=True)
            module.register_state_dict_pre_hook(self._split_first)
            module.register_load_state_dict_pre_hook(self._split_first)

    def forget(self) -> None:
        """Forget a forward that has no backward."""
        self._running.clear()
        self._in_backward = False
        self.iteration.forward_root = None
        self.group.reduced = True

    def _split_first(self, *args: Any, **kwargs: Any) -> None:
        """Let states be those of split parameters."""
        self.group.reshard()

    def become_root(self) -> None:
        """Take the states of inner modules as one's own, if nobody has yet.

        Raises RuntimeError where an inner module has run before its root.
        """
        if self.is_root is not None:
            return
        self.is_root = True
        if len(self.modules) > 1:
            raise RuntimeError(f"FSDP requires a single root module but got {self.modules}")
        for name, module in self.modules[0].named_modules():
            state = getattr(module, "_fsdp_state", None)
            if not isinstance(state, State) or state in self.iteration.states:
                continue
            if state is not self:
                if state.is_root is not None:
                    raise RuntimeError(
                        f"FSDP state has already been lazily initialized for {name}\nFSDP requires "
                        "running forward through the root module first"
                    )
                state.is_root = False
            self.iteration.states.append(state)
            state.iteration = self.iteration
        if self.reshards is None:
            self.reshards = False
        for state in self.iteration.states:
            if state.reshards is None:
                state.reshards = True

    # Forward

    def _before(self, module: Any, args: Any, kwargs: Any) -> Any:
        self.become_root()
        policy = self.precision
        if policy.cast_forward_inputs and policy.param_dtype is not None:
            args, kwargs = _cast_forward_inputs(policy.param_dtype, *args, **kwargs)
        if self._in_backward:  # activations are computed again
            self.group.unshard(in_backward=True)
            return args, kwargs
        if self.iteration.forward_root is None:
            self.iteration.forward_root = self
            self.iteration.ran = []
            if self.post_optim_event is not None:
                self.post_optim_event.wait()
                self.post_optim_event = None
        first = not self._running
        self._running.add(module)
        if first:
            self.group.unshard()
            self.iteration.ran.append(self)
            for state in self.forward_prefetch:
                state.group.begin_all_gather()
        return args, kwargs

    def _after(self, module: Any, args: Any, output: Any) -> Any:
        if not self._in_backward:
            self._running.discard(module)
            # The modules of a call run one after the other; the last one ends the group's forward.
            if not self._running:
                if self.reshards:
                    self.group.reshard(after_forward=True)
                self._watch(output)
            if self.iteration.forward_root is self:
                self.iteration.forward_root = None
                for state in self.iteration.states:
                    state.group.drop()
        wanted = self.precision.output_dtype
        if wanted is None or output is None:
            return output
        return _apply_to_tensors(lambda x: x.to(wanted) if x.is_floating_point() else x, output)

    def _watch(self, output: Any) -> None:
        """Have parameters whole when backward comes to *output*."""
        for x in pytree.tree_leaves(output):
            if isinstance(x, Tensor) and x.requires_grad:
                x.register_hook(self._before_backward)

    # Backward

    def _before_backward(self, grad: Any) -> Any:
        self._in_backward = True
        if not self.iteration.watches_end:
            self.iteration.watches_end = True
            Variable._execution_engine.queue_callback(self._end)
        if self.unshards_in_backward:
            self.group.expect()
        for state in self.backward_prefetch or self._next():
            state.group.begin_all_gather(in_backward=True)
        return grad

    def _next(self) -> list[State]:
        """What ran before this in forward, and so comes next in backward."""
        ran = self.iteration.ran
        at = ran.index(self) if self in ran else 0
        return [s for s in ran[at - 1 : at] if not s.group.is_whole and s.group.reduced]

    def _end(self) -> None:
        """Reduce what no gradient has ended, for all states alike."""
        self.iteration.watches_end = False
        for state in self.iteration.states:
            group = state.group
            if not group.reduced:
                group.finish_backward()
            elif self.iteration.is_last_backward and group.reshards_after_backward:
                group.reshard()
            group.drop()
            state._in_backward = False
            state._running.clear()
        self.iteration.forward_root = None
