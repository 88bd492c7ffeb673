"""``torch._subclasses.schema_check_mode``: operators do what their schemas say of memory."""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

from .. import _C
from ..aten import torch
from ..core.constants import sparse_csr
from ..tensor import Tensor
from ..utils._python_dispatch import TorchDispatchMode
from ..utils._pytree import tree_leaves, tree_map

__all__ = ["Aliasing", "Mutation", "SchemaCheckMode"]

#: Operators whose schemas hide on purpose that results lie in the memory of an argument.
_UNSAFE = ("aten::_unsafe_view", "aten::unsafe_split")
#: Operators that may give back what they are given.
_LIFTING = ("aten::lift", "aten::lift_fresh")
#: Statistics that are changed where one of these arguments is true, which schemas do not say.
_STATISTICS = ("running_mean", "running_var")
_TRAINING = ("training", "train", "use_input_stats")


class Mutation(NamedTuple):
    """An argument that was changed."""

    op_name: str
    arg_name: str


class Aliasing(NamedTuple):
    """A result that lies in the memory of an argument."""

    op_name: str
    arg_name: str
    output_number: str


class _State(NamedTuple):
    """What a tensor held and how it lay before a call."""

    copy: Tensor
    strides: Any
    memory: int


def _inner(value: Any) -> Any:
    """The tensor that one of a subclass wraps."""
    if isinstance(value, Tensor) and type(value) is not Tensor:
        return getattr(value, "elem", value)
    return value


def _state(value: Any) -> _State | None:
    value = _inner(value)
    if type(value) is not Tensor or value.layout is sparse_csr:
        return None
    memory = value.untyped_storage()._cdata
    return _State(value.detach().clone(), tuple(value.stride()), memory)


def _changed(value: Any, before: _State | None) -> bool:
    value = _inner(value)
    if before is None:
        return False
    if value.size() != before.copy.size() or tuple(value.stride()) != before.strides:
        return True
    if value.untyped_storage()._cdata != before.memory:
        return True
    value = value.detach()
    if value.is_quantized:
        return not torch.equal(before.copy, value)
    return not torch.allclose(before.copy, value, equal_nan=True)


def _overlap(a: Any, b: Any) -> bool:
    """Whether a tensor of *a* lies in the memory of one of *b*."""
    tensors = [[t for t in tree_leaves(x) if isinstance(t, Tensor)] for x in (a, b)]
    return any(_C._overlaps(x, y) for x in tensors[0] for y in tensors[1])


def _may_alias(a: Any, b: Any) -> bool:
    """Whether two arguments or results share memory by their schema.

    ``*`` is anything: the elements of a list that is returned.
    """
    if a.alias_info is None or b.alias_info is None:
        return False
    one, two = ({*i.before_set, *i.after_set} for i in (a.alias_info, b.alias_info))
    return "*" in one | two or not one.isdisjoint(two)


class SchemaCheckMode(TorchDispatchMode):
    """Every operator in the block is checked: what it changes, and what lies in whose memory.

    Raises RuntimeError where its schema does not say so. What was seen is kept.
    """

    _may_precede_autograd_ = True

    def __init__(self) -> None:
        super().__init__()
        self.ops: list[str] = []
        self.mutated: list[Mutation] = []
        self.aliasing: list[Aliasing] = []

    def reset_cache(self) -> None:
        """Forget what was seen."""
        self.ops.clear()
        self.mutated.clear()
        self.aliasing.clear()

    def display_ops(self) -> None:
        """Print the names of the operators that were seen."""
        print(*self.ops, sep=",")

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run *func* and check it."""
        kwargs = kwargs or {}
        schema = func._schema
        self.ops.append(schema.name)
        given = dict(zip([a.name for a in schema.arguments], args, strict=False)) | kwargs
        before = {n: [_state(leaf) for leaf in tree_leaves(v)] for n, v in given.items()}
        found = func(*args, **kwargs)
        results = tree_map(_inner, found if isinstance(found, tuple) else (found,))
        for argument in schema.arguments:
            if given.get(argument.name) is not None:
                self._check(schema, argument, given, before[argument.name], results)
        for i, j in combinations(range(len(schema.returns)), 2):
            one, two = schema.returns[i], schema.returns[j]
            if _overlap(results[i], results[j]) and not _may_alias(one, two):
                raise RuntimeError(f"Outputs {i} and {j} alias unexpectedly")
        return found

    def _check(
        self, schema: Any, argument: Any, given: dict[str, Any], before: Any, results: Any
    ) -> None:
        """Check one argument, as it is after a call."""
        after = tree_map(_inner, given[argument.name])
        name = "input" if argument.name == "self" else argument.name
        mutable = argument.is_write or (
            argument.name in _STATISTICS and any(given.get(flag) is True for flag in _TRAINING)
        )
        for j, (result, declared) in enumerate(zip(results, schema.returns, strict=False)):
            if _overlap(result, after) and schema.name not in _UNSAFE:
                same = [a for a in schema.arguments if _overlap(given.get(a.name), after)]
                if not any(_may_alias(declared, a) for a in same):
                    raise RuntimeError(
                        f"Argument {name} is not defined to alias output but was aliasing"
                    )
                self.aliasing.append(Aliasing(schema.name, name, f"output_{j}"))
            if isinstance(after, Tensor) and after is result:
                if not mutable and schema.name not in _LIFTING:
                    raise RuntimeError(
                        "Dispatcher operators below autograd are not allowed to directly return "
                        f"inputs.\nHowever, we found that `outputs[{j}] is {name}"
                    )
        leaves = tree_leaves(given[argument.name])
        if any(_changed(leaf, state) for leaf, state in zip(leaves, before, strict=True)):
            if not mutable:
                raise RuntimeError(f"Argument {name} is not defined as mutable but was mutated")
            self.mutated.append(Mutation(schema.name, name))
