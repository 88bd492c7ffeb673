"""A mode that writes down what runs in its ``with`` block: operators, functions, modules."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from ..._C._modes import _pop_torch_function_stack, _push_on_torch_function_stack
from ..._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from ...autograd.anomaly_mode import set_detect_anomaly
from ...core import ranges
from ...core.override_state import DisableTorchFunction
from .._python_dispatch import (
    TorchDispatchMode,
    _get_current_dispatch_mode,
    _get_current_dispatch_mode_stack,
)
from .._pytree import tree_all, tree_map
from ..module_hooks import ModTracker
from . import _utils
from ._calls import (
    _AnnotateCall,
    _DebugCall,
    _OpCall,
    _OutputPlacementCall,
    _RedistributeCall,
)
from ._hashes import _check_same_call, _compare_hashes, _hash_function, _is_tensor
from ._utils import (
    TensorIdTracker,
    _get_user_stack_trace,
    _run_dispatch_hooks,
    _run_dispatch_pre_log_hooks,
    _shown,
)

__all__ = ["DebugMode", "get_active_debug_mode"]


class DebugMode(TorchDispatchMode):
    """Writes down the calls in its ``with`` block; :meth:`debug_string` is what there is to read.

    :param record_torchfunction: functions of torch, too.
    :param record_faketensor: calls on tensors without numbers.
    :param record_realtensor: calls on plain tensors.
    :param record_tensor_attributes: attributes of tensors that are shown with them.
    :param record_nn_module: modules that begin, too.
    :param store_original_args: keep the arguments as they are, not as text.
    :param record_stack_trace: where the program called; in a backward, where it did forward.
    :param record_output: what comes out.
    :param record_ids: number the tensors.
    :param record_profiler_context: ranges that the program names for profilers.
    :param record_localtensor: calls on a process's tensors of all processes.
    """

    #: How many modes are on: while it is 0, nobody looks for one.
    active_: ClassVar[int] = 0

    def __init__(
        self,
        *,
        record_torchfunction: bool = False,
        record_faketensor: bool = False,
        record_realtensor: bool = True,
        record_tensor_attributes: list[str] | None = None,
        record_nn_module: bool = False,
        store_original_args: bool = False,
        record_stack_trace: bool = False,
        record_output: bool = True,
        record_ids: bool = False,
        record_profiler_context: bool = True,
        record_localtensor: bool = True,
        run_compile_with_interpreter: bool = False,
    ) -> None:
        super().__init__()
        self.supports_higher_order_operators = True
        self.record_torchfunction = record_torchfunction
        self.record_faketensor = record_faketensor
        self.record_realtensor = record_realtensor
        self.record_localtensor = record_localtensor
        self.record_tensor_attributes = record_tensor_attributes or []
        self.record_nn_module = record_nn_module
        self.module_tracker: ModTracker | None = None
        if record_nn_module:
            self.module_tracker_setup()
        self.store_original_args = store_original_args
        self.record_stack_trace = record_stack_trace
        self.record_output = record_output
        self.record_ids = record_ids
        self.record_profiler_context = record_profiler_context
        self.run_compile_with_interpreter = run_compile_with_interpreter
        self.reset()

    def reset(self) -> None:
        """Forget what was written down."""
        self.operators: list[_DebugCall] = []
        self.call_depth = 0
        self._tensor_memo = TensorIdTracker()
        self._output_info: dict[int, object] = {}
        self.current_nn_module_stack: list[str] = []
        self.fx_stack_trace: str | None = None

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        """Whether compiled code runs as without the mode."""
        return True

    @property
    def logs(self) -> list[_DebugCall]:
        """What was written down."""
        return list(self.operators)

    # Writing down -------------------------------------------------------------------------------

    @property
    def _memo_(self) -> TensorIdTracker | None:
        return self._tensor_memo if self.record_ids else None

    def _record_call(self, call: Any) -> None:
        if str(call).startswith("profiler::_record_function"):
            return  # the range is written down
        if not self.store_original_args:
            call.stringify_args(self.record_tensor_attributes, self._memo_)
        if self.fx_stack_trace:
            call.stack_trace = call.fwd_stack_trace = self.fx_stack_trace
        self.operators.append(call)

    def _record_call_output(self, call: _DebugCall, output: Any) -> None:
        if self.record_output:
            call.stringify_output(output, self.record_tensor_attributes, self._memo_)

    def _track_op_output(self, op_index: int, result: Any) -> None:
        self._output_info[op_index] = result

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Write a function down and call it."""
        kwargs = kwargs or {}
        call = _OpCall(func, args, kwargs, self.call_depth, stack=self.record_stack_trace)
        self._record_call(call)
        self.call_depth += 1
        try:
            result = func(*args, **kwargs)
            self._record_call_output(call, result)
            return result
        finally:
            self.call_depth -= 1

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Write an operator down and run it."""
        kwargs = kwargs or {}
        if func._schema.name == "debug_mode_ops::annotate":
            self._handle_annotate(args[0])
            return None
        call = None
        if _utils.kinds.get("distributed") in types:
            # Its own class takes it from here, and calls operators on what is in this process.
            self._record_call(
                _OpCall(func, args, kwargs, self.call_depth, stack=self.record_stack_trace)
            )
            return NotImplemented
        if self._wanted_(func, types):
            depth = self.call_depth + 1
            call = _OpCall(func, args, kwargs, depth, stack=self.record_stack_trace)
            self._record_call(call)
            _run_dispatch_pre_log_hooks(call, func, types, args, kwargs)
        result = func(*args, **kwargs)
        if call is not None:
            self._record_call_output(call, result)
            _run_dispatch_hooks(call, func, types, args, kwargs, result)
        return result

    def _wanted_(self, func: Any, types: Any) -> bool:
        """Whether calls on such tensors are written down."""
        if FakeTensor in types or isinstance(_get_current_dispatch_mode(), FakeTensorMode):
            return self.record_faketensor and func._schema.name != "prim::device"
        if _utils.kinds.get("local") in types:
            return self.record_localtensor
        if not types or _utils.kinds.get("asynchronous") in types:
            return self.record_realtensor
        return False

    # Beginning and end --------------------------------------------------------------------------

    def __enter__(self) -> DebugMode:
        DebugMode.active_ += 1
        if self.record_torchfunction:
            _push_on_torch_function_stack(self)
        super().__enter__()
        if self.module_tracker is not None:
            self.module_tracker.__enter__()
        if self.record_stack_trace:
            self.anomaly_for_traces = set_detect_anomaly(True, check_nan=False)
            self.anomaly_for_traces.__enter__()
        if self.record_profiler_context:
            self._ranges_before_ = ranges.active
            ranges.active = self._range_
        return self

    def __exit__(self, *args: Any) -> None:
        DebugMode.active_ -= 1
        if self.record_profiler_context:
            ranges.active = self._ranges_before_
        super().__exit__(*args)
        if self.module_tracker is not None:
            self.module_tracker.__exit__()
        if self.record_torchfunction:
            _pop_torch_function_stack()
        if self.record_stack_trace:
            self.anomaly_for_traces.__exit__(*args)

    @contextlib.contextmanager
    def _open_range_(self, name: str, others: Any) -> Iterator[None]:
        call = _AnnotateCall(
            name, "record function", self.call_depth, stack=self.record_stack_trace
        )
        self.operators.append(call)
        self.call_depth += 1
        try:
            with others if others is not None else contextlib.nullcontext():
                yield
        finally:
            self.call_depth -= 1

    def _range_(self, name: str, values: Any, keywords: Any) -> Any:
        """A range of the program, for this mode and for whoever else follows the thread."""
        before = self._ranges_before_
        others = None if before is None else before(name, values, keywords)
        return self._open_range_(name, others)

    @contextlib.contextmanager
    def set_fx_stack_trace(self, stack_trace: str) -> Iterator[None]:
        """Say where a node of a graph was called, for what runs in the block."""
        self.fx_stack_trace = stack_trace
        try:
            yield
        finally:
            self.fx_stack_trace = None

    # Modules, marks and placements --------------------------------------------------------------

    def _enter_nn_module_call(self, fqn: str, header: str) -> None:
        depth = self.call_depth + 1
        self.operators.append(_AnnotateCall(fqn, header, depth, stack=self.record_stack_trace))
        self.current_nn_module_stack.append(fqn)
        self.call_depth += 1

    def _exit_nn_module_call(self) -> None:
        self.call_depth -= 1
        self.current_nn_module_stack.pop()

    def module_tracker_setup(self) -> None:
        """Follow the modules that run."""
        tracker = self.module_tracker = ModTracker()

        def begins(module: Any, input: Any) -> None:
            self._enter_nn_module_call(tracker._get_mod_name(module), "nn.Mod")

        def ends(module: Any, input: Any, output: Any) -> None:
            self._exit_nn_module_call()

        tracker.register_user_hooks(begins, ends)

    def _handle_annotate(self, tag: Any) -> None:
        self.operators.append(
            _AnnotateCall(tag, "annotate", self.call_depth, self.record_stack_trace)
        )

    @staticmethod
    def _annotate(tag: Any) -> None:
        """Make a mark in what the innermost mode writes down."""
        mode = get_active_debug_mode()
        if mode is not None:
            mode._handle_annotate(tag)

    @contextlib.contextmanager
    def record_redistribute_calls(
        self,
        arg: Any,
        src_placement: Any,
        dst_placement: Any,
        transform_info_str: str | None = None,
        is_explicit: bool = False,
    ) -> Iterator[None]:
        """Write down that placements change; what runs in the block does it."""
        self._record_call(
            _RedistributeCall(
                arg,
                src_placement,
                dst_placement,
                transform_info_str,
                self.call_depth + 1,
                stack=self.record_stack_trace,
                is_explicit=is_explicit,
            )
        )
        self.call_depth += 1
        try:
            yield
        finally:
            self.call_depth -= 1

    def record_output_placements(self, output_spec: Any) -> None:
        """Write down the placements of what a call will give."""
        if self.record_output:
            shown = str(_shown(output_spec, self.record_tensor_attributes))
            self._record_call(_OutputPlacementCall(shown, self.call_depth + 1))

    # Reading ------------------------------------------------------------------------------------

    def debug_string(self, show_stack_trace: bool | None = None) -> str:
        """A line for each call, deeper ones further to the right.

        :param show_stack_trace: above the lines, where the program called; by default if known.
        """
        with_traces = self.record_stack_trace if show_stack_trace is None else show_stack_trace
        lines: list[str] = []
        before = None
        with DisableTorchFunction():
            for call in self.operators:
                indent = "  " * (call.call_depth + 1)
                trace = None
                if with_traces:
                    trace = getattr(call, "fwd_stack_trace", None) or getattr(
                        call, "stack_trace", None
                    )
                where = _get_user_stack_trace(trace) if trace else None
                if where and where != before:
                    lines += [""] if lines else []
                    lines.append(f"{indent}# {where}")
                    before = where
                lines.append(indent + call.render(self.record_tensor_attributes))
        return "\n".join(lines)

    # Hooks --------------------------------------------------------------------------------------

    @staticmethod
    @contextlib.contextmanager
    def dispatch_hooks(
        record_hook: Callable[..., Any] | None = None,
        log_hook: Callable[..., Any] | None = None,
        pre_log_hook: Callable[..., Any] | None = None,
    ) -> Iterator[None]:
        """Let functions say more of the calls in the block: each gives a dict or None.

        :param record_hook: ``(func, types, args, kwargs, result)``; goes into a call's ``record``.
        :param log_hook: the same; goes into its ``log``, which is shown.
        :param pre_log_hook: ``(func, types, args, kwargs, call)``, before it runs; likewise.
        """
        pairs = (
            (_utils._DISPATCH_RECORD_HOOKS, record_hook),
            (_utils._DISPATCH_LOG_HOOKS, log_hook),
            (_utils._DISPATCH_PRE_LOG_HOOKS, pre_log_hook),
        )
        given = [(hooks, hook) for hooks, hook in pairs if hook]
        for hooks, hook in given:
            hooks.append(hook)
        try:
            yield
        finally:
            for hooks, _ in given:
                hooks.pop()

    @staticmethod
    @contextlib.contextmanager
    def record_outputs() -> Iterator[None]:
        """Keep copies of what the calls in the block give, under ``"output"`` of ``record``."""

        def keep(func: Any, types: Any, args: Any, kwargs: Any, result: Any) -> dict[str, Any]:
            return {"output": tree_map(lambda x: x.clone() if _is_tensor(x) else x, result)}

        with DebugMode.dispatch_hooks(record_hook=keep):
            yield

    @staticmethod
    @contextlib.contextmanager
    def log_tensor_hashes(
        hash_fn: Callable[..., Any] | str | list[str] = "norm", hash_inputs: bool = False
    ) -> Iterator[None]:
        """Show a hash of each tensor that comes out of calls in the block.

        :param hash_fn: ``"norm"``, ``"hash_tensor"``, several of them, or a function.
        :param hash_inputs: of those that go in, too.
        """
        hashed = _hash_function(hash_fn)

        def tree_hash(values: Any) -> Any:
            return tree_map(lambda x: hashed(x) if _is_tensor(x) else None, values)

        def silent(func: Any) -> bool:
            return "empty" in str(func) or "profiler" in str(func)

        def before(func: Any, types: Any, args: Any, kwargs: Any, call: Any) -> Any:
            found = None if silent(func) else tree_hash((args, kwargs))
            return None if tree_all(lambda x: x is None, found) else {"input_hash": found}

        def after(func: Any, types: Any, args: Any, kwargs: Any, result: Any) -> Any:
            found = None if silent(func) else tree_hash(result)
            return None if tree_all(lambda x: x is None, found) else {"hash": found}

        with DebugMode.dispatch_hooks(log_hook=after, pre_log_hook=before if hash_inputs else None):
            yield

    @staticmethod
    def check_hash_mismatches(
        logs1: list[Any], logs2: list[Any], compare_inputs: bool = False
    ) -> list[dict[str, Any]]:
        """Where the hashes of two runs of a program differ. Raises ValueError if the calls do."""
        if len(logs1) != len(logs2):
            raise ValueError(f"Log lengths don't match: {len(logs1)} vs {len(logs2)}")
        found: list[dict[str, Any]] = []
        for i, (one, other) in enumerate(zip(logs1, logs2, strict=True)):
            _check_same_call(i, one, other)
            if isinstance(one, _OpCall):
                _compare_hashes(i, one, other, "hash", found)
                if compare_inputs:
                    _compare_hashes(i, one, other, "input_hash", found)
        return found


def get_active_debug_mode() -> DebugMode | None:
    """The outermost mode that is on, or None."""
    if not DebugMode.active_:
        return None
    stack = _get_current_dispatch_mode_stack()
    return next((mode for mode in stack if isinstance(mode, DebugMode)), None)
