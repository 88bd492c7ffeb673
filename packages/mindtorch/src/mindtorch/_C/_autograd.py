"""``torch._C._autograd``: saved-tensor hooks, and what nodes show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindtorch_autograd import SavedVariable, next_key, saved_variable
from mindtorch_autograd.errors import saved_detached
from mindtorch_autograd.saved_tensor import SavedTensor

from ..core.submodules import reached as _reached
from ..functionality.node_metadata import InputMetadata as _InputMetadata
from ..tensor import Tensor
from ..tensor.tensor_impl import alias_of
from ._creation import CreationMeta, _get_creation_meta, _set_creation_meta
from ._engine import _get_current_graph_task_keep_graph

__all__ = [
    "CreationMeta",
    "SavedTensor",
    "_InputMetadata",
    "_get_creation_meta",
    "_get_data_attr",
    "_get_current_graph_task_keep_graph",
    "_get_sequence_nr",
    "_make_saved_tensor",
    "_pop_saved_tensors_default_hooks",
    "_push_saved_tensors_default_hooks",
    "_saved_tensors_hooks_disable",
    "_saved_tensors_hooks_enable",
    "_saved_tensors_hooks_get_disabled_error_message",
    "_saved_tensors_hooks_is_enabled",
    "_set_creation_meta",
    "_top_saved_tensors_default_hooks",
    "_unsafe_set_version_counter",
    "kineto_available",
]


def _get_data_attr(t: Tensor) -> Tensor:
    """``t.data``: what graphs of compiled functions call."""
    return t.data


def kineto_available() -> bool:
    """Whether there is a profiler that follows devices."""
    return True


#: Names of the profiler, which is loaded when one of them is first asked for.
_LAZY = {
    **dict.fromkeys(
        "_add_metadata_json _disable_profiler _enable_profiler _kineto_step _prepare_profiler "
        "_profiler_enabled _profiler_type _supported_activities _toggle_collection_dynamic".split(),
        ".._profiler_run",
    ),
    **dict.fromkeys(("DeviceType", "_KinetoEvent"), ".._profiler_events"),
    "_ProfilerResult": ".._profiler_results",
    **dict.fromkeys("ProfilerActivity ProfilerConfig ProfilerState".split(), ".._profiler"),
}


__getattr__ = _reached(__name__, homes=_LAZY)


def _is_kineto_stopped() -> bool:
    """Whether no profiler runs."""
    enabled: bool = __getattr__("_profiler_enabled")()
    return not enabled


def _saved_tensors_hooks_is_enabled() -> bool:
    """Whether saved-tensor hooks may be entered."""
    return saved_variable.disabled_message() is None


def _saved_tensors_hooks_get_disabled_error_message() -> str | None:
    """What whoever enters them hears; None where they are allowed."""
    return saved_variable.disabled_message()


def _saved_tensors_hooks_disable(error_message: str, fail_if_non_empty: bool = True) -> None:
    """Forbid saved-tensor hooks. Raises RuntimeError where some are active."""
    saved_variable.disable(error_message, fail_if_non_empty)


def _saved_tensors_hooks_enable() -> None:
    """Allow them again."""
    saved_variable.set_disabled_message(None)


def _push_saved_tensors_default_hooks(
    pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any], /
) -> None:
    """Let what is saved from now on go through these hooks."""
    saved_variable.push_hooks(pack_hook, unpack_hook)


def _pop_saved_tensors_default_hooks() -> None:
    """Forget the innermost hooks."""
    saved_variable.pop_hooks()


def _top_saved_tensors_default_hooks(ignore_is_tracing: bool, /) -> Any:
    """The innermost hooks, or None."""
    return saved_variable.current_saved_tensors_hooks()


def _get_sequence_nr() -> int:
    """The number that the next node of this thread will have."""
    return -next_key()


def _unsafe_set_version_counter(tensors: Sequence[Tensor], versions: Sequence[int], /) -> None:
    """Set the versions of *tensors*."""
    for t, version in zip(tensors, versions, strict=True):
        if version < 0:
            raise RuntimeError(f"Cannot set a version_counter to a value below 0: {version}")
        alias_of(t).value = version


class _Alone:
    """In place of a node: where a value lies that no node keeps."""

    def __init__(self, kept: SavedVariable) -> None:
        self._saved_ = (kept,)


class _SavedAlone(SavedTensor):
    """A value that was kept without a node; a result has no history to come back to."""

    __slots__ = ()

    def unpack(self) -> Any:
        """The value. Raises RuntimeError for a result, whose node is unknown."""
        kept = self._kept()
        if kept.is_output:
            raise saved_detached()
        return kept.unpack()


_SavedAlone.__name__ = _SavedAlone.__qualname__ = "SavedTensor"


def _make_saved_tensor(
    tensor: Tensor, is_output: bool, is_inplace_on_view: bool = False
) -> SavedTensor:
    """*tensor* kept as a node keeps it, with the hooks that are active."""
    is_result = is_output and tensor.grad_fn is not None  # others are kept as they are
    return _SavedAlone(_Alone(SavedVariable(tensor, is_result)), 0)  # type: ignore[arg-type]  # stands for a node
