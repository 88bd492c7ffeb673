"""What is no op reads its arguments as torch's parser does: casts, questions, small functions."""

from __future__ import annotations

import numpy as np
import pytest

from tests.contract.both_frameworks import same

from .batches import every

#: Methods, and whether one argument of some type is right.
METHODS = """
bfloat16 bool byte cdouble cfloat chalf char cpu double float half int is_contiguous is_same_size
long numpy requires_grad_ short size stride sum_to_size type_as unique
""".split()
FUNCTIONS = """
block_diag broadcast_tensors cartesian_prod combinations cudnn_is_acceptable get_device
is_distributed result_type
""".split()


class _Index:
    def __index__(self):
        return 1


ARGUMENTS = {
    "an object": lambda t: object(),
    "text": lambda t: "a",
    "nothing": lambda t: None,
    "an int": lambda t: 1,
    "a float": lambda t: 1.5,
    "a complex": lambda t: 1j,
    "a bool": lambda t: True,
    "an int of numpy": lambda t: np.int64(1),
    "a float of numpy": lambda t: np.float32(1),
    "an array": lambda t: np.ones(2),
    "an index": lambda t: _Index(),
    "a slice": lambda t: slice(1),
    "a dtype": lambda t: t.float64,
    "a format": lambda t: t.preserve_format,
    "a tensor": lambda t: t.tensor([1.0, 2.0]),
    "a number in a tensor": lambda t: t.tensor(1),
    "a list of a bool": lambda t: [True],
}


@every("given", ARGUMENTS)
@pytest.mark.parametrize("name", METHODS)
def test_a_method_takes_what_the_oracles_takes(name, given):
    def program(t):
        return getattr(t.tensor([[1.0, 2.0], [3.0, 4.0]]), name)(ARGUMENTS[given](t))

    same(program)


@every("given", ARGUMENTS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_takes_what_the_oracles_takes(name, given):
    def program(t):
        values = ARGUMENTS[given](t), t.tensor([1.0, 2.0])
        found = getattr(t, name)(*values[: 1 if name in ONE else 2])
        return str(found) if name == "result_type" else found

    same(program)


#: Functions of one argument.
ONE = frozenset(("cudnn_is_acceptable", "get_device", "is_distributed"))


@pytest.mark.parametrize("name", ["float", "cpu", "is_contiguous"])
@pytest.mark.parametrize("given", [1, None, "a"])
def test_a_memory_format_is_one(name, given):
    same(lambda t: getattr(t.ones(2, 2), name)(memory_format=given))


@pytest.mark.parametrize(
    "program",
    [
        lambda t: t.ones(2).type(t.int32, 3),
        lambda t: t.ones(2).type(t.int32, non_blocking=True),
        lambda t: t.ones(2).type(foo=1),
        lambda t: t.ones(2).type(dtype=t.int32, memory_format=t.preserve_format),
        lambda t: t.ones(2, 2).sum_to_size(),
        lambda t: t.ones(2, 2).sum_to_size(np.int64(1)),
        lambda t: t.ones(2, 2).sum_to_size(t.tensor(1), 2),
        lambda t: t.ones(2, 2).sum_to_size(size=(1, 2)),
        lambda t: t.ones(2, 2).sum_to_size(2, 3),
        lambda t: t.ones(2, 2).is_pinned("a device"),
        lambda t: t.ones(2, 2).is_pinned(1.5),
        lambda t: str(t.result_type(np.float32(1), t.ones(2, dtype=t.int8))),
        lambda t: str(t.result_type(np.int64(1), 2)),
        lambda t: t.result_type(t.ones(2), "a"),
        lambda t: t.ones(2).to(1.5),
        lambda t: t.ones(2).to(True, copy=True),
        lambda t: t.ones(2).to(np.float32(1), non_blocking=True),
        lambda t: t.ones(2).to(1j, False),
        lambda t: t.nn.Linear(1, 1).to(2.5).weight.dtype == t.float64,
        lambda t: t.chain_matmul(t.ones(2, 2), 3),
    ],
)
def test_other_calls(program):
    same(program)
