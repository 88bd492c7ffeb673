"""Checkpoints that keep the results of some operators instead of computing them again."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import exclude_keys

from ..._library.op_overload import OpOverload
from ..._ops import OpOverloadPacket, ops
from ...tensor import Tensor
from .._python_dispatch import TorchDispatchMode
from .._pytree import tree_map


class CheckpointPolicy(enum.Enum):
    """What to do with the result of an operator; PREFER gives way to a compiler's choice."""

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


class SelectiveCheckpointContext:
    """What a policy is told besides the operator and its arguments.

    :ivar is_recompute: whether the function is run again.
    :ivar op_output: what the operator gave.
    """

    def __init__(self, *, is_recompute: bool, op_output: Any = None) -> None:
        self.is_recompute = is_recompute
        self.op_output = op_output


#: Operators that are run again whatever a policy says.
SAC_IGNORED_OPS = {ops.aten.detach.default}

_SAVE = (CheckpointPolicy.MUST_SAVE, CheckpointPolicy.PREFER_SAVE)
_RECOMPUTE, _CONSUMED = object(), object()
_MISMATCH = (
    "This can happen if the operations in the checkpointed region are nondeterministic or depend "
    "on global state that changed between forward and backward."
)


class _VersionWrapper:
    """A value that was kept, and its version."""

    def __init__(self, value: Any) -> None:
        if isinstance(value, Tensor):
            with exclude_keys(K.ADInplaceOrView):
                value = value.detach()
        self.value = value
        self.version = value._version if isinstance(value, Tensor) else None

    def get(self, may_have_changed: bool) -> Any:
        if self.version is not None and not may_have_changed:
            if self.value._version != self.version:
                raise RuntimeError(
                    "Tensor cached during selective activation checkpoint has been mutated"
                )
        return self.value


class _CachingTorchDispatchMode(TorchDispatchMode):
    """The first run: keeps what the policy says."""

    def __init__(self, policy: Callable[..., Any], storage: Any) -> None:
        super().__init__()
        self.policy, self.storage = policy, storage
        self.counts: dict[Any, int] = defaultdict(int)

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        if func in SAC_IGNORED_OPS:
            return out
        index = self.counts[func]
        self.counts[func] += 1
        context = SelectiveCheckpointContext(is_recompute=False, op_output=out)
        policy = self.policy(context, func, *args, **kwargs)
        if isinstance(policy, bool):
            policy = CheckpointPolicy.MUST_SAVE if policy else CheckpointPolicy.PREFER_RECOMPUTE
        self.storage[func][index] = (
            tree_map(_VersionWrapper, out) if policy in _SAVE else _RECOMPUTE
        )
        return out


class _CachedTorchDispatchMode(TorchDispatchMode):
    """The second run: takes what was kept."""

    def __init__(self, storage: Any, may_have_changed: bool) -> None:
        super().__init__()
        self.storage, self.may_have_changed = storage, may_have_changed
        self.counts: dict[Any, int] = defaultdict(int)

    def __enter__(self) -> TorchDispatchMode:
        self.counts.clear()
        return super().__enter__()

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        if func in SAC_IGNORED_OPS:
            return func(*args, **(kwargs or {}))
        index = self.counts[func]
        self.counts[func] += 1
        entries = self.storage.get(func)
        if entries is None:
            raise RuntimeError(
                f"{func} encountered during backward but not found in storage. {_MISMATCH}"
            )
        entry = entries.get(index)
        if entry is None:
            raise RuntimeError(
                f"{func} invocation index {index} encountered during backward but not found in "
                f"storage. {_MISMATCH}"
            )
        if entry is _CONSUMED:
            raise RuntimeError(
                "Trying to backward an extra time. You are only allowed to backward once on any "
                "region computed under selective activation checkpoint."
            )
        if entry is _RECOMPUTE:
            return func(*args, **(kwargs or {}))
        entries[index] = _CONSUMED
        return tree_map(lambda kept: kept.get(self.may_have_changed), entry)


def create_selective_checkpoint_contexts(
    policy_fn_or_list: Any, allow_cache_entry_mutation: bool = False
) -> tuple[Any, Any]:
    """The two context managers for ``checkpoint(context_fn=...)`` that keep some results.

    :param policy_fn_or_list: operators whose results are kept, or ``policy(context, op, *args,
        **kwargs)``, which gives a :class:`CheckpointPolicy` or a bool.
    :param allow_cache_entry_mutation: do not check whether what was kept has been changed.

    Raises ValueError for what is no operator, TypeError for anything else than those two.
    """
    policy = policy_fn_or_list
    if isinstance(policy_fn_or_list, list):
        for op in policy_fn_or_list:
            if not isinstance(op, OpOverload):
                extra = ""
                if isinstance(op, OpOverloadPacket):
                    extra = (
                        "Please update the OpOverloadPacket to a specific OpOverload."
                        "For example, if you have `torch.ops.aten.mm`, change it to "
                        "`torch.ops.aten.mm.default`."
                    )
                raise ValueError(
                    f"Expected op in `op_list` to be an OpOverload but got: {op} of type "
                    f"{type(op)}. {extra}"
                )

        def policy(context: Any, op: Any, *args: Any, **kwargs: Any) -> bool:
            return op in policy_fn_or_list

    elif not callable(policy_fn_or_list):
        raise TypeError("policy_fn_or_list must be either a function or a list of ops.")
    storage: Any = defaultdict(dict)
    return _CachingTorchDispatchMode(policy, storage), _CachedTorchDispatchMode(
        storage, allow_cache_entry_mutation
    )
