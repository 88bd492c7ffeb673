"""The calls that a :class:`~.DebugMode` saw, one class for each kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._pytree import tree_all
from ._utils import (
    REDISTRIBUTE_FUNC,
    TensorIdTracker,
    _arg_to_str,
    _get_op_name,
    _get_stack_trace,
    _maybe_get_autograd_trace,
    _shown,
)

__all__: list[str] = []


class _DebugCall:
    """One line: how deep it is, and what hooks said of it."""

    def __init__(self, call_depth: int, stack: bool = False) -> None:
        self.call_depth = call_depth
        if stack:
            self.stack_trace: str | None = _get_stack_trace()
            self.fwd_stack_trace = _maybe_get_autograd_trace()
        self.record: dict[str, Any] | None = None
        self.log: dict[str, Any] | None = None
        self.output_str: str | None = None

    def stringify_args(
        self, attributes: list[str], tensor_memo: TensorIdTracker | None = None
    ) -> None:
        """Put texts in the place of the arguments, so that tensors are not held."""
        raise NotImplementedError("Subclasses must implement stringify_args(), even if no-op")

    def stringify_output(
        self, output: Any, attributes: list[str], tensor_memo: TensorIdTracker | None = None
    ) -> None:
        """Note what came out, unless nothing did."""
        if not tree_all(lambda x: x is None, output):
            self.output_str = f"  ->  {_shown(output, attributes, tensor_memo)}"

    def render(self, attributes: list[str]) -> str:
        """The line."""
        raise NotImplementedError("Subclasses must implement string render()")

    def __repr__(self) -> str:
        return self.render([])


class _OpCall(_DebugCall):
    """A call of an operator or a function."""

    def __init__(
        self, op: Any, args: Any, kwargs: dict[str, Any], call_depth: int, stack: bool = False
    ) -> None:
        super().__init__(call_depth, stack=stack)
        self.op, self.args, self.kwargs = op, args, kwargs
        self.args_str: str | None = None
        self.kwargs_str: str | None = None

    def _texts(self, attributes: list[str], memo: TensorIdTracker | None) -> tuple[str, str]:
        placed = ", ".join(_arg_to_str(a, attributes, memo) for a in self.args)
        named = [f"{k}={_arg_to_str(v, attributes, memo)}" for k, v in self.kwargs.items()]
        return placed, "".join(f", {text}" for text in named)

    def stringify_args(
        self, attributes: list[str], tensor_memo: TensorIdTracker | None = None
    ) -> None:
        """Put texts in the place of the arguments."""
        self.args_str, self.kwargs_str = self._texts(attributes, tensor_memo)
        del self.args
        del self.kwargs

    def render(self, attributes: list[str]) -> str:
        """The line."""
        if self.args_str is None:
            placed, named = self._texts(attributes, None)
        else:
            placed, named = self.args_str, self.kwargs_str or ""
        line = f"{_get_op_name(self.op)}({placed}{named}){self.output_str or ''}"
        return f"{line}  # {self.log}" if self.log else line

    def __iter__(self) -> Iterator[Any]:
        yield self.op
        yield from (
            (self.args, self.kwargs) if self.args_str is None else (self.args_str, self.kwargs_str)
        )
        yield self.call_depth


class _RedistributeCall(_DebugCall):
    """A distributed tensor that gets other placements; or the number of an argument that does."""

    def __init__(
        self,
        arg: Any,
        src_placement: Any,
        dst_placement: Any,
        transform_info_str: str | None,
        call_depth: int,
        stack: bool = False,
        is_explicit: bool = False,
    ) -> None:
        super().__init__(call_depth, stack=stack)
        self.arg, self.src_placement, self.dst_placement = arg, src_placement, dst_placement
        self.transform_info_str, self.is_explicit = transform_info_str, is_explicit
        self.is_outer_call = isinstance(arg, int)
        self.arg_str: str | None = None

    def stringify_args(
        self, attributes: list[str], tensor_memo: TensorIdTracker | None = None
    ) -> None:
        """Put a text in the place of the tensor."""
        self.arg_str = _arg_to_str(self.arg, attributes, tensor_memo)
        del self.arg

    def render(self, attributes: list[str]) -> str:
        """The line."""
        shown = _arg_to_str(self.arg, attributes) if self.arg_str is None else self.arg_str
        if self.transform_info_str is not None:
            how = f"trace: {self.transform_info_str}"
        else:
            before, after = (
                _arg_to_str(p, attributes) for p in (self.src_placement, self.dst_placement)
            )
            how = f"{before} -> {after}"
        why = ""
        if self.is_outer_call or self.is_explicit:
            why = " [implicit] " if self.is_outer_call else " [explicit] "
        return f"{REDISTRIBUTE_FUNC}{why}({shown}, {how}){self.output_str or ''}"

    def __iter__(self) -> Iterator[Any]:
        arg = self.arg if self.arg_str is None else self.arg_str
        yield REDISTRIBUTE_FUNC
        if self.transform_info_str:
            yield [arg, self.transform_info_str]
        else:
            yield [arg, self.src_placement, self.dst_placement]
        yield {}
        yield self.call_depth


class _OutputPlacementCall(_DebugCall):
    """The placements of what a call gives."""

    def __init__(self, placements_str: str, call_depth: int) -> None:
        super().__init__(call_depth)
        self.placements_str = placements_str

    def stringify_args(
        self, attributes: list[str], tensor_memo: TensorIdTracker | None = None
    ) -> None:
        """There is nothing to do: it is a text."""

    def render(self, attributes: list[str]) -> str:
        """The line."""
        return f"-> output: {self.placements_str}"


class _AnnotateCall(_DebugCall):
    """A mark that the program made, or a module that began."""

    def __init__(self, tag: Any, header: str, call_depth: int, stack: bool = False) -> None:
        super().__init__(call_depth, stack=stack)
        self.tag, self.header = tag, header

    def render(self, attributes: list[str]) -> str:
        """The line."""
        return f"[{self.header}] {self.tag}"

    def __iter__(self) -> Iterator[Any]:
        yield from (self.render([]), (), {}, self.call_depth)


def _get_call_name(call: _DebugCall) -> str:
    """What was called."""
    if isinstance(call, _OpCall):
        return _get_op_name(call.op)
    if isinstance(call, _RedistributeCall):
        return REDISTRIBUTE_FUNC
    return str(call)
